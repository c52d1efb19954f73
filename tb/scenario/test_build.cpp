// SPDX-License-Identifier: Apache-2.0
// Timelines and guard of a scenario.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "document.hpp"

extern "C" {
#include "scenario/build.h"
#include "scenario/work/build_stream.h"
#include "scenario/work/workload_spec.h"
}

namespace
{

constexpr uint32_t CYCLES = 0x11, CLOCK = 0x50000;

struct Timelines {
    cs_timelines *set = nullptr;

    explicit Timelines(const Document &d)
    {
        if (!d.ok())
            throw std::runtime_error(d.error);
        EXPECT_EQ(cs_scenario_timelines(d.scenario.get(), &set, nullptr), CS_OK);
    }
    Timelines(const Timelines &) = delete;
    ~Timelines()
    {
        cs_timelines_destroy(set);
    }

    cs_timeline *cpu(unsigned number)
    {
        return cs_timelines_cpu(set, number);
    }
    uint64_t sum(unsigned number, uint32_t event, cs_cycle from, cs_cycle to)
    {
        return cs_timeline_sum(cpu(number), event, CS_MODE_ALL, from, to);
    }
};

const std::string DIE = "pmcu: {clusters: 1, slots: 2}\n";

} // namespace

TEST(Build, RatesAreConvertedExactly)
{
    const Document d = parse(DIE + R"(
bus: {clock_mhz: 800}
corepmu: {clock_mhz: 2600}
workloads: [{segments: [{events: [{event: 8, rate: 0.123456789012},
                                  {event: 9, kind: periodic, period_cycles: 10, offset_cycles: 4, increment: 3},
                                  {event: 10, kind: bursts, rate: 0.5, period_cycles: 100, length_cycles: 20},
                                  {event: 11, kind: ratio, of: 9, rate: 0.25}]}]}]
)");
    Timelines t(d);

    for (uint64_t n : {1ull, 7ull, 800ull, 123456789ull}) {
        EXPECT_EQ(t.sum(0, CYCLES, 0, n), n * 2600 / 800) << n;
        const unsigned __int128 exact = static_cast<unsigned __int128>(n) * 123456789012u * 2600;
        EXPECT_EQ(t.sum(0, 8, 0, n),
                  static_cast<uint64_t>(exact / (static_cast<uint64_t>(1e12) * 800)))
            << n;
    }
    EXPECT_EQ(t.sum(0, 9, 0, 4), 0u);
    EXPECT_EQ(t.sum(0, 9, 0, 5), 3u);
    EXPECT_EQ(t.sum(0, 9, 0, 1000), 300u);
    EXPECT_EQ(t.sum(0, 11, 0, 1000), 75u);
    EXPECT_EQ(t.sum(0, 10, 0, 100), 32u); // 20 * 0.5 * 2600 / 800 = 32.5
    EXPECT_EQ(t.sum(0, 10, 20, 100), 0u);
    EXPECT_EQ(t.sum(0, 10, 0, 200), 65u);
}

TEST(Build, SegmentsFollowEachOther)
{
    const Document d = parse(DIE + R"(
corepmu: {clock_mhz: 1000}
workloads:
  - cpus: 0
    segments:
      - {cycles: 30, mode: el0, cid1: 5, events: [{event: 8, rate: 1}],
         functions: [{name: f, base: 0x1000, size: 16}]}
      - {cycles: 10, mode: el2, cid2: 6}
)");
    Timelines t(d);
    cs_context c;

    EXPECT_EQ(t.sum(0, 8, 0, 400), 300u);
    EXPECT_EQ(cs_timeline_sum(t.cpu(0), CYCLES, CS_MODE_MASK(CS_MODE_EL2), 0, 400), 100u);
    cs_timeline_context(t.cpu(0), 29, &c);
    EXPECT_EQ(c.mode, CS_MODE_EL0);
    EXPECT_EQ(c.cid1, 5u);
    EXPECT_GE(c.pc, 0x1000u);
    EXPECT_LT(c.pc, 0x1010u);
    cs_timeline_context(t.cpu(0), 30, &c);
    EXPECT_EQ(c.mode, CS_MODE_EL2);
    EXPECT_EQ(c.cid2, 6u);
    EXPECT_EQ(c.pc, 0u);
}

// And these only where its clock runs in WFI.
TEST(Build, AnIdleCoreOnlyHasCycles)
{
    const Document d =
        parse(DIE + "workloads: [{cpus: 0, segments: [{events: [{event: 0-63, rate: 0.1}]}]}]\n",
              {"corepmu.wfi_clock=runs"});
    Timelines t(d);
    cs_context c;

    EXPECT_EQ(t.sum(1, CYCLES, 0, 1000), 2600u);
    for (uint32_t event = 0; event < 64; event++)
        if (event != CYCLES) {
            EXPECT_EQ(t.sum(1, event, 0, 1000000), 0u) << event;
        }
    cs_timeline_context(t.cpu(1), 5, &c);
    EXPECT_EQ(c.mode, CS_MODE_EL2);
}

TEST(Idle, TheClockOfACoreInWfiStands)
{
    for (bool runs : {false, true}) {
        const Document d =
            parse(DIE + "workloads: [{cpus: 0, segments: [{cycles: 300, events: [{event: "
                        "8, rate: 1}]}, {cycles: 700, wfi: true, cid1: 9}]}]\n",
                  {runs ? "corepmu.wfi_clock=runs" : "corepmu.wfi_clock=stands"});
        Timelines t(d);
        cs_context c;

        for (uint32_t event : {CYCLES, CLOCK}) {
            EXPECT_EQ(t.sum(0, event, 0, 2000), runs ? 5200u : 1560u);
            EXPECT_EQ(t.sum(1, event, 0, 2000), runs ? 5200u : 0u) << "without a workload";
        }
        EXPECT_EQ(t.sum(0, 8, 0, 2000), 1560u);
        cs_timeline_context(t.cpu(0), 400, &c);
        EXPECT_EQ(c.cid1, 9u) << "it is still somebody's";
    }
}

// The clock is what the cycle counter counts; event 0x11 may differ from it.
TEST(Build, TheClockAndCpuCyclesAreTwoStreams)
{
    const struct {
        const char *events;
        uint64_t cycles, clock;
    } cases[] = {
        {"", 2600, 2600},
        {"{event: CPU_CYCLES, rate: 0.5}", 1300, 2600},
        {"{event: CLOCK, rate: 0.25}", 2600, 650},
        {"{event: CLOCK, kind: none}, {event: CPU_CYCLES, rate: 1}", 2600, 0},
        {"{event: CPU_CYCLES, kind: ratio, of: CLOCK, rate: 0.5}", 1300, 2600},
    };

    for (const auto &c : cases) {
        const Document d = parse(DIE + "workloads: [{segments: [{events: [" + c.events + "]}]}]\n");
        Timelines t(d);

        EXPECT_EQ(t.sum(0, CYCLES, 0, 1000), c.cycles) << c.events;
        EXPECT_EQ(t.sum(0, CLOCK, 0, 1000), c.clock) << c.events;
    }
}

TEST(Build, CpuCyclesAreTheCoreClockUnlessNamed)
{
    const struct {
        const char *events;
        uint64_t cycles, eight;
    } cases[] = {
        {"", 2600, 0},
        {"{event: 0-63, rate: 1}", 2600, 2600}, // a range passes over them
        {"{event: 0-63, kind: none}", 2600, 0},
        {"{event: CPU_CYCLES, rate: 0.5}", 1300, 0},
        {"{event: 0x11, kind: none}", 0, 0},
        {"{event: 0-63, rate: 1}, {event: 8, rate: 0.5}", 2600, 1300},
        {"{event: 8, rate: 0.5}, {event: 0-63, rate: 1}", 2600, 1300},
        {"{event: 8, kind: ratio, of: CPU_CYCLES, rate: 0.5}", 2600, 1300},
    };

    for (const auto &c : cases) {
        const Document d = parse(DIE + "workloads: [{segments: [{events: [" + c.events + "]}]}]\n");
        Timelines t(d);

        EXPECT_EQ(t.sum(0, CYCLES, 0, 1000), c.cycles) << c.events;
        EXPECT_EQ(t.sum(0, 8, 0, 1000), c.eight) << c.events;
    }
}

TEST(Build, TheHandlerTakesTheWorkloadsTime)
{
    const Document d = parse(DIE + R"(
corepmu: {clock_mhz: 1000}
workloads: [{segments: [{mode: el0, events: [{event: 8, rate: 1}]}]}]
handler: {mode: el1, cid1: 9, events: [{event: 9, rate: 0.5}]}
)");
    Timelines t(d);
    cs_context c;

    ASSERT_EQ(cs_timeline_enter(t.cpu(0), 100, CS_TRACK_HANDLER, nullptr), CS_OK);
    ASSERT_EQ(cs_timeline_leave(t.cpu(0), 140, nullptr), CS_OK);
    EXPECT_EQ(t.sum(0, 8, 0, 200), 160u);
    EXPECT_EQ(t.sum(0, 9, 0, 200), 20u);
    EXPECT_EQ(t.sum(0, CYCLES, 0, 200), 200u);
    cs_timeline_context(t.cpu(0), 120, &c);
    EXPECT_EQ(c.cid1, 9u);
    EXPECT_EQ(t.sum(1, 8, 0, 200), 200u);
}

TEST(Build, RandomStreamsHaveTheirMeanAndTheirKey)
{
    const auto text = [](int seed) {
        return DIE + "seed: " + std::to_string(seed) + R"(
corepmu: {clock_mhz: 1000}
workloads: [{segments: [{cycles: 1000000000, events: [{event: 8, kind: random, rate: 0.7},
                                                      {event: 9, kind: random, rate: 0.7}]},
                        {cycles: 1000000000, events: [{event: 8, kind: random, rate: 0.7}]}]}]
)";
    };
    Timelines a(parse(text(1))), b(parse(text(1))), other(parse(text(2)));
    std::set<uint64_t> sums;

    for (unsigned cpu : {0u, 1u})
        for (uint32_t event : {8u, 9u}) {
            const uint64_t sum = a.sum(cpu, event, 0, 100000);

            EXPECT_NEAR(static_cast<double>(sum), 70000, 6 * std::sqrt(70000.0));
            EXPECT_EQ(sum, b.sum(cpu, event, 0, 100000));
            EXPECT_NE(sum, other.sum(cpu, event, 0, 100000));
            sums.insert(sum);
        }
    sums.insert(a.sum(0, 8, 1000000000, 1000100000)); // a segment draws for itself
    EXPECT_EQ(sums.size(), 5u);
}

TEST(Build, SpreadIsLogUniformAndTheSameOnAllCores)
{
    const cs_fraction low = {1, 10000}, high = {1, 1};
    std::vector<int> decades(4);
    double mean = 0;

    for (uint32_t event = 0; event < 4000; event++) {
        const uint64_t rate = cs_spread_rate(42, event, low, high);
        const double log = std::log10(static_cast<double>(rate) / CS_SPREAD_SCALE);

        ASSERT_GE(rate, CS_SPREAD_SCALE / 10000);
        ASSERT_LE(rate, CS_SPREAD_SCALE);
        mean += log / 4000;
        decades.at(std::min(3, static_cast<int>(log + 4)))++;
    }
    EXPECT_NEAR(mean, -2, 0.1);
    for (int count : decades)
        EXPECT_NEAR(count, 1000, 120);
    EXPECT_NE(cs_spread_rate(42, 1, low, high), cs_spread_rate(43, 1, low, high));
    EXPECT_EQ(cs_spread_rate(42, 1, high, high), CS_SPREAD_SCALE);
    // Integers only, so that every machine has this one.
    EXPECT_EQ(cs_spread_rate(1, 0x08, {1, 1000}, {2, 1}), 20983405297u);

    const Document d = parse(DIE + "corepmu: {clock_mhz: 1000}\nworkloads: [{segments: [{events: [{"
                                   "event: 0-9, kind: spread, rate: 0.2, rate_high: 0.8}]}]}]\n");
    Timelines t(d);
    for (uint32_t event = 0; event < 10; event++) {
        const double expected =
            static_cast<double>(cs_spread_rate(1, event, {1, 5}, {4, 5})) / CS_SPREAD_SCALE * 1e6;

        for (unsigned cpu : {0u, 1u})
            EXPECT_NEAR(static_cast<double>(t.sum(cpu, event, 0, 1000000)), expected,
                        6 * std::sqrt(expected));
    }
}

TEST(Build, TheGuardHasRegionsAndFaults)
{
    const Document d = parse(R"(
memory:
  regions: [{base: 0x1000, size: 0x1000, rights: ro}, {base: 0x3000, size: 8, rights: none}]
  faults:
    - {base: 0x8000, size: 4, access: write, nth: 2, count: 1}
    - {base: 0x9000, size: 4, access: read, nth: 1, count: 0, action: stall, stall_cycles: 7}
)");
    const struct {
        bool write;
        uint64_t addr;
        cs_bus_resp resp;
        uint64_t stall;
    } steps[] = {
        {false, 0x1000, CS_BUS_OKAY, 0},  {true, 0x1000, CS_BUS_SLVERR, 0},
        {true, 0x2000, CS_BUS_OKAY, 0},   {false, 0x3000, CS_BUS_SLVERR, 0},
        {true, 0x8000, CS_BUS_OKAY, 0},   {false, 0x8000, CS_BUS_OKAY, 0},
        {true, 0x8000, CS_BUS_SLVERR, 0}, {true, 0x8000, CS_BUS_OKAY, 0},
        {true, 0x9000, CS_BUS_OKAY, 0},   {false, 0x9000, CS_BUS_OKAY, 7},
        {false, 0x9000, CS_BUS_OKAY, 7},
    };
    cs_guard *guard = nullptr;

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(cs_scenario_guard(d.scenario.get(), &guard, nullptr), CS_OK);
    for (const auto &s : steps) {
        uint64_t stall = 99;

        EXPECT_EQ(cs_guard_check(guard, s.write, s.addr, 4, &stall), s.resp) << std::hex << s.addr;
        EXPECT_EQ(stall, s.stall) << std::hex << s.addr;
    }
    cs_guard_destroy(guard);
}

// docs/traces/call_chains.md, "Return addresses".
TEST(Build, CallsReturnToFixedPlaces)
{
    const std::string text = R"(
corepmu: {clock_mhz: 1000}
workloads:
  - cpus: 0
    segments:
      - functions:
          - {name: main, base: 0x10000, size: 0x200, weight: 0}
          - {name: parse, base: 0x20000, size: 8, callers: [main]}
          - {name: copy, base: 0x30000, size: 0x100, callers: [parse, main], weight: 2}
          - {name: copy, base: 0x30000, size: 0x100, callers: [main]}
          - {name: copy, base: 0x30000, size: 0x100, callers: [copy, copy, main]}
)";
    const auto mix = [](uint64_t x) {
        x ^= x >> 32;
        x *= 0xd6e8feb86659fd93u;
        x ^= x >> 29;
        x *= 0xa0761d6478bd642fu;
        return x ^ x >> 32;
    };
    const auto ret = [&](uint64_t caller, uint64_t size, uint64_t callee) {
        return caller + 4 + 4 * (mix(callee - caller) % (size / 4 - 1));
    };
    const uint64_t main_parse = ret(0x10000, 0x200, 0x20000),
                   main_copy = ret(0x10000, 0x200, 0x30000), parse_copy = ret(0x20000, 8, 0x30000),
                   copy_copy = ret(0x30000, 0x100, 0x30000);
    EXPECT_EQ(parse_copy, 0x20004u);
    EXPECT_EQ(copy_copy, 0x30004u);
    const std::map<uint32_t, std::vector<uint64_t>> expected = {
        {1, {main_parse}},
        {2, {parse_copy, main_parse}},
        {3, {main_copy}},
        {4, {copy_copy, copy_copy, main_copy}},
    };
    const Document d = parse(DIE + text);
    Timelines t(d);
    std::map<uint32_t, unsigned> met;

    for (cs_cycle c = 0; c < 640000; c += 64) {
        cs_context context;

        cs_timeline_context(t.cpu(0), c, &context);
        ASSERT_NE(context.function, nullptr);
        const cs_function &f = *context.function;
        EXPECT_GE(context.pc, f.base);
        EXPECT_LT(context.pc, f.base + f.size);
        ASSERT_EQ(expected.count(f.number), 1u) << f.number << ": a function without weight runs";
        EXPECT_EQ(std::vector<uint64_t>(f.returns, f.returns + f.nr_returns),
                  expected.at(f.number));
        met[f.number]++;
    }
    // 10,000 draws, of 5 weights.
    EXPECT_NEAR(met[2], 4000, 200);
    for (uint32_t one : {1u, 3u, 4u})
        EXPECT_NEAR(met[one], 2000, 160);
}

// Callers change nothing about which function runs, and where in it.
TEST(Build, CallersLeaveProgramCountersAsTheyAre)
{
    const std::string head =
        "workloads: [{cpus: 0, segments: [{functions: [{name: a, base: 0x1000, "
        "size: 64, weight: 3}, {name: b, base: 0x2000, size: 128";
    const Document without = parse(DIE + head + "}]}]}]\n"),
                   with = parse(DIE + head + ", callers: [a, b]}]}]}]\n");
    Timelines t(without), u(with);

    for (cs_cycle c = 0; c < 100000; c += 7) {
        cs_context x, y;

        cs_timeline_context(t.cpu(0), c, &x);
        cs_timeline_context(u.cpu(0), c, &y);
        ASSERT_EQ(x.pc, y.pc) << c;
    }
}
