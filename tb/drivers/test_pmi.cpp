// SPDX-License-Identifier: Apache-2.0
// Sampling by interrupts, to the cycle: an operation of the bus takes kBusCycles + 1.
#include "fake_power.hpp"

#include <map>
#include <memory>

extern "C" {
#include "drivers/imc/pmi.h"
#include "drivers/told.h"
}

using namespace cs_power_test;

namespace
{

constexpr uint32_t kNonIdleCycles = 257; // docs/hw/imc.md, "What the core tells"
constexpr uint64_t kRing = 0x81000000;
constexpr uint64_t kRingBytes = 0x40000;

// What a CPU does: num non-idle cycles in den bus cycles. Everything else counts so much that a
// wrong event is found.
struct Events {
    uint64_t num = 1, den = 1;
    unsigned cpu = 0;

    static uint64_t count(const Events *e, cs_cycle t)
    {
        return t * e->num / e->den;
    }

    static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
    {
        const auto *e = static_cast<const Events *>(ctx);

        EXPECT_EQ(event, kNonIdleCycles);
        EXPECT_EQ(modes, CS_MODE_ALL);
        return from < to ? count(e, to) - count(e, from) : 0;
    }

    static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
    {
        const auto *e = static_cast<const Events *>(ctx);

        if (e->num == 0)
            return CS_NEVER;
        cs_cycle t = from + (n > 16 ? (n - 16) * e->den / e->num : 0);
        while (sum(ctx, event, modes, from, t) < n)
            t++;
        return t;
    }

    static void context(void *ctx, cs_cycle cycle, cs_context *out)
    {
        const auto *e = static_cast<const Events *>(ctx);

        *out = {
            0x10000000u + cycle, 4711 + e->cpu, 0xabc07, uint8_t(e->cpu % 4), nullptr, false, 0};
    }
};

struct Pmi : FakePower {
    Events events[4];
    cs_pmi *pmi = nullptr;
    std::vector<cs_imc_perf_sample> samples; // as perf gets them
    std::vector<cs_throttled> throttles;
    cs_soft_sink soft = {[](void *ctx, const cs_soft_record *r) {
                             if (r->kind == &cs_soft_imc_sample)
                                 static_cast<Pmi *>(ctx)->samples.push_back(*cs_told_imc_sample(r));
                             if (r->kind == &cs_soft_throttled)
                                 static_cast<Pmi *>(ctx)->throttles.push_back(
                                     *cs_told_throttled(r));
                         },
                         this};

    explicit Pmi(const std::string &pmi_keys, const std::string &more = "")
        : FakePower("name: test\n"
                    "imc: {cores: 1, threads: 4" +
                    more +
                    "}\n"
                    "software: {kind: pmi, irq_entry_cycles: 0, irq_exit_cycles: 0}\n"
                    "pmi: {" +
                    pmi_keys + "}\n")
    {
        for (unsigned i = 0; i < 4; i++)
            events[i].cpu = i;
    }

    ~Pmi() override
    {
        cs_pmi_destroy(pmi);
    }

    const cs_pmi_report &run()
    {
        cs_event_source sources[CS_MAX_CPUS] = {};

        for (unsigned i = 0; i < 4; i++)
            sources[i] = {Events::sum, Events::reach, Events::context, &events[i], nullptr};
        cs_pmi_config config = cs_pmi_config_of(scenario);
        config.events = sources;
        config.soft = &soft;
        EXPECT_EQ(cs_pmi_create(&config, &pmi, nullptr), CS_OK);
        run_software(cs_pmi_software(pmi), 1000000000);
        return *cs_pmi_get_report(pmi);
    }
};

TEST(Pmi, AnInterruptEveryPeriod)
{
    Pmi p("cpus: [0], period: 1000, handler_cycles: 100, stop_us: 5");
    const cs_pmi_report &r = p.run();

    // From the end of a handler on the counter counts again: 1000 of workload, 111 of software.
    EXPECT_EQ(p.stays, (std::vector<Stay>{
                           {0, 1000, 1111}, {0, 2111, 2222}, {0, 3222, 3333}, {0, 4333, 4444}}));
    EXPECT_EQ(r.interrupts, 4u);
    EXPECT_EQ(r.samples, 4u);
    EXPECT_EQ(r.lost, 0u);
    EXPECT_EQ(r.handler_cycles, 4u * 111);
    EXPECT_EQ(p.outside, 0u);
    EXPECT_EQ(p.accesses[0].request, 1100u);
    EXPECT_EQ(p.log(), (std::vector<std::string>{"write 81000000+64", "write 81000040+64",
                                                 "write 81000080+64", "write 810000c0+64"}));
    EXPECT_EQ(cs_cpu_end_cycle(p.cpu), 5 * kUs);
}

// The stays of one CPU.
std::vector<Stay> of(const Pmi &p, unsigned cpu)
{
    std::vector<Stay> stays;

    for (const Stay &s : p.stays)
        if (s.cpu == cpu)
            stays.push_back(s);
    return stays;
}

TEST(Pmi, ThePeriodIsOfTheCpusOwnCycles)
{
    Pmi p("cpus: all, period: 3800, handler_cycles: 10, stop_us: 8");
    p.events[0] = {38, 10, 0}; // 3.8 core cycles in a bus cycle
    p.events[1] = {19, 10, 1}; // half of the time idle
    p.events[2] = {0, 1, 2};   // always
    p.events[3] = {38, 100, 3};
    const cs_pmi_report &r = p.run();

    const auto zero = of(p, 0), one = of(p, 1);
    ASSERT_EQ(zero.size(), 7u);
    ASSERT_EQ(one.size(), 3u);
    EXPECT_EQ(zero[0], (Stay{0, 1000, 1021}));
    EXPECT_EQ(zero[1], (Stay{0, 2021, 2042}));
    EXPECT_EQ(one[0], (Stay{1, 2000, 2021}));
    EXPECT_TRUE(of(p, 2).empty());
    EXPECT_TRUE(of(p, 3).empty()); // 10000 cycles
    EXPECT_EQ(r.interrupts, 10u);
    EXPECT_EQ(r.lost, 0u);
}

// A CPU in its handler keeps no other one waiting: what they share is the port, for a burst.
TEST(Pmi, HandlersRunSideBySide)
{
    Pmi p("cpus: [0, 1, 2], period: 1000, handler_cycles: 2500, stop_us: 9");
    const cs_pmi_report &r = p.run();

    // All are due at 1000, and have their samples ready at 3500: one burst of 11 cycles after the
    // other.
    EXPECT_EQ(of(p, 0), (std::vector<Stay>{{0, 1000, 3511}, {0, 4511, 7022}, {0, 8022, 10533}}));
    EXPECT_EQ(of(p, 1), (std::vector<Stay>{{1, 1000, 3522}, {1, 4522, 7033}, {1, 8033, 10544}}));
    EXPECT_EQ(of(p, 2), (std::vector<Stay>{{2, 1000, 3533}, {2, 4533, 7044}, {2, 8044, 10555}}));
    EXPECT_EQ(r.interrupts, 9u);
    EXPECT_EQ(r.samples, 9u);
    EXPECT_EQ(r.lost, 0u);
    EXPECT_EQ(r.handler_cycles, 9u * 2511 + 11 + 22);
    EXPECT_EQ(cs_cpu_end_cycle(p.cpu), 10555u) << "a handler that has begun is ended";
}

// docs/drivers/perf_frequency.md, with an event a nanosecond: an interrupt, 3000 cycles of the handler,
// a burst of 11, and so 3012 ns from the first sample to the second.
TEST(Pmi, FrequencyModeLooksForThePeriod)
{
    Pmi p("cpus: [0], freq: 4000, handler_cycles: 3000, stop_us: 80000");
    const cs_pmi_report &r = p.run();

    ASSERT_GT(p.samples.size(), 100u);
    // The first only starts the clock. Wanted: 10^9 / (3012 x 4000) = 83; 82 / 8 = 10.25: 1 + 11.
    // Then 12 x 10^9 / 12048000 = 996; 984 / 8 = 123: 135.
    const uint64_t periods[] = {1, 1, 12, 135}, counted[] = {1, 1, 1, 12};
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(p.samples[i].period, periods[i]) << i;
        EXPECT_EQ(p.samples[i].counted, counted[i]) << i;
    }
    EXPECT_NEAR(static_cast<double>(p.samples.back().counted), 250000 - 3011, 5000);
    EXPECT_NEAR(static_cast<double>(r.samples), 320, 20);
    EXPECT_EQ(r.ticks, 19u);
    EXPECT_EQ(r.tick_cycles, 19u * 300);
    EXPECT_EQ(r.throttled, 0u);
    EXPECT_EQ(r.lost, 0u);
    EXPECT_EQ(r.interrupts, r.samples);
}

// 100,000 a second are 10 a tick of 100 us, of which 3 are allowed: the fourth stops the counter.
TEST(Pmi, FrequencyModeThrottles)
{
    Pmi p("cpus: [0], freq: 100000, tick_us: 100, max_samples_per_tick: 3, handler_cycles: 100, "
          "stop_us: 2000");
    const cs_pmi_report &r = p.run();

    std::map<uint64_t, unsigned> of_tick;
    for (const cs_imc_perf_sample &sample : p.samples)
        of_tick[sample.time / 100000]++;
    ASSERT_GT(of_tick.size(), 15u);
    for (const auto &[tick, samples] : of_tick)
        EXPECT_LE(samples, 4u) << tick;
    EXPECT_GT(r.throttled, 15u);
    // Each is told, and its end too, but for one that the end of the session may cut off.
    EXPECT_EQ((p.throttles.size() + 1) / 2, r.throttled);
    for (size_t i = 0; i < p.throttles.size(); i++) {
        EXPECT_EQ(p.throttles[i].event, 0u);
        EXPECT_EQ(p.throttles[i].stopped, i % 2 == 0) << i;
    }
}

// With a fixed period a tick comes for what was throttled in the one before, and no other. There are three
// samples in a tick, now and then four, of which three are allowed.
TEST(Pmi, AFixedPeriodHasTicksAfterThrottlingAlone)
{
    Pmi p("cpus: [0], period: 27000, tick_us: 100, max_samples_per_tick: 3, handler_cycles: 100, "
          "stop_us: 5000");
    const cs_pmi_report &r = p.run();

    EXPECT_GT(r.throttled, 5u);
    EXPECT_LT(r.throttled, 40u) << "of 49";
    EXPECT_EQ(p.throttles.size(), r.throttled + r.ticks);
    EXPECT_LE(r.throttled - r.ticks, 1u) << "the last may be cut off";
}

// A period is looked for, none is kept: an interrupt that comes late, behind that of another CPU, has
// lost none.
TEST(Pmi, FrequencyModeLosesNothing)
{
    for (const char *freq : {"1", "2", "4000"}) {
        Pmi p(std::string("cpus: all, handler_cycles: 3000, stop_us: 100, freq: ") + freq);

        EXPECT_EQ(p.run().lost, 0u) << freq;
    }
}

// What is slow all at once has far too long a period, until a tick.
TEST(Pmi, FrequencyModeComesDownAtTicks)
{
    Pmi p("cpus: [0, 1], freq: 4000, handler_cycles: 3000, tick_us: 1000, stop_us: 80000");
    p.events[1] = {1, 1000, 1};
    const cs_pmi_report &r = p.run();

    EXPECT_EQ(r.ticks, 2u * 79);
    for (const cs_imc_perf_sample &sample : p.samples)
        if (sample.time > 60000000) {
            EXPECT_NEAR(static_cast<double>(sample.period), sample.cpu == 0 ? 247000 : 247,
                        sample.cpu == 0 ? 10000 : 40);
        }
}

TEST(Pmi, PerfGetsEachSample)
{
    Pmi p("cpus: all, period: 1000, handler_cycles: 100, stop_us: 2");
    p.run();

    ASSERT_EQ(p.samples.size(), 4u);
    static const uint16_t misc[] = {4, 5, 1, 2}; // guest kernel, guest user, kernel, user
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ(p.samples[i].cpu, i);
        EXPECT_EQ(p.samples[i].ip, 0x10000000u + 999);
        EXPECT_EQ(p.samples[i].pid, 4711 + i);
        EXPECT_EQ(p.samples[i].misc, misc[i]);
        EXPECT_EQ(p.samples[i].period, 1000u);
        EXPECT_EQ(p.samples[i].time, 1100 + 11 * i);
    }
}

TEST(Pmi, TheSampleIsAnImcRecordWithoutCounters)
{
    for (bool power10 : {false, true}) {
        SCOPED_TRACE(power10 ? "POWER10" : "POWER9");
        Pmi p("cpus: [3], period: 2000, handler_cycles: 100, stop_us: 3",
              std::string(", timebase_start: 0x7fffffffffffffff, variant: ") +
                  (power10 ? "power10" : "power9"));
        p.run();
        const uint64_t at = kRing + 3 * kRingBytes;
        // the sample is made at the end of the handler's work, cycle 2100: 1075 ticks
        const uint64_t tb = 0x7fffffffffffffffu + 2100 * 512 / 1000;

        EXPECT_EQ(p.get(at), tb);
        // the last cycle before the interrupt
        EXPECT_EQ(p.get(at + 8), 0x10000000u + 1999);
        EXPECT_EQ(p.get(at + 16), (power10 ? 3ull << 62 : 0) | 0xc07ull << 32 | 4714);
        for (unsigned word = 3; word < 7; word++)
            EXPECT_EQ(p.get(at + 8 * word), 0u);
        EXPECT_EQ(p.get(at + 56), tb & 0x3ffffffffff);
        EXPECT_EQ(p.log(), (std::vector<std::string>{"write 810c0000+64"}));
    }
}

TEST(Pmi, EachCpuHasARingThatWraps)
{
    // 4096 samples fill a ring
    Pmi p("cpus: [0, 2], period: 1000, handler_cycles: 1, stop_us: 4250");
    p.events[2].den = 2;
    const cs_pmi_report &r = p.run();
    unsigned of[4] = {}, wrapped = 0;

    for (size_t i = 0; i < p.accesses.size(); i++) {
        const unsigned cpu = p.stays[i].cpu;
        const uint64_t place = kRing + cpu * kRingBytes + of[cpu]++ % 4096 * 64;

        ASSERT_EQ(p.accesses[i].what, "write " + hex(place) + "+64");
        wrapped += of[cpu] == 4097;
    }
    EXPECT_EQ(wrapped, 1u);
    EXPECT_GT(of[2], 2000u);
    EXPECT_EQ(r.samples, of[0] + of[2]);
    EXPECT_EQ(r.samples, p.stays.size());
}

TEST(Pmi, NothingHappensWhenNoPeriodEndsInTime)
{
    Pmi p("cpus: [0], period: 5001, stop_us: 5");
    EXPECT_EQ(p.run().interrupts, 0u);
    EXPECT_TRUE(p.stays.empty());
    EXPECT_EQ(cs_cpu_end_cycle(p.cpu), 5 * kUs);
}

// The interrupt of the last cycle before the end is served, that of the end is not.
TEST(Pmi, TheEndIsSharp)
{
    for (unsigned period : {4999u, 5000u}) {
        Pmi p("cpus: [0], handler_cycles: 100, stop_us: 5, period: " + std::to_string(period));
        EXPECT_EQ(p.run().interrupts, period < 5000 ? 1u : 0u);
        EXPECT_EQ(cs_cpu_end_cycle(p.cpu), period < 5000 ? 5110u : 5000u);
    }
}

} // namespace
