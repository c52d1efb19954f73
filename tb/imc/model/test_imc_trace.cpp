// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Trace mode". TB(t) = t, and unless a test says otherwise no window ends.
#include <algorithm>

#include "bench.hpp"

namespace
{

constexpr uint64_t buffer = 0x0012345600034000;

cs_imc_core_config quiet(unsigned threads, bool power10 = false)
{
    cs_imc_core_config config = config_of(threads, power10);
    config.tap_log2 = 18;
    return config;
}

// The thread counts from cycle 10 on.
void start(Bench &bench, const TraceFields &trace, uint64_t ldbar = ldbar_trace | buffer)
{
    bench.write(0, CS_IMC_REG_TRACE, trace.value());
    bench.write(8, CS_IMC_REG_LDBAR, ldbar);
    bench.write(9, CS_IMC_REG_HTM_MODE, htm_on);
}

// A carry with the addition of cycle 10 + n - 1.
TraceFields every(unsigned n, unsigned sampsel = 0, unsigned buffersize = 0)
{
    return {sampsel, 0u - n, 3, 5, buffersize};
}

void one_a_cycle(Bench &bench)
{
    for (Thread &thread : bench.threads)
        thread.increment = [](uint32_t, cs_cycle) { return uint64_t{1}; };
}

std::vector<cs_probe_record> records(const std::vector<Sample> &samples)
{
    std::vector<cs_probe_record> result;
    for (const Sample &s : samples)
        result.push_back(s.record());
    return result;
}

// ---- overflow and snapshot ----

TEST(ImcTrace, The251stIncrementOverflows)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, {1, 0xFFFFFF05, 4, 2, 0});
    bench.run(2000);
    // Counted in 10..260; u = 261, the record waits in 262.
    ASSERT_GE(bench.bus.log.size(), 2u);
    EXPECT_EQ(263u, bench.bus.log[0].request);
    EXPECT_EQ(261u, bench.bus.log[0].data[0]);
    EXPECT_EQ(261u + 251, bench.bus.log[1].data[0]);
}

// Skiboot's TRACE of POWER9: CPMC2 with code 2 samples.
TEST(ImcTrace, Record)
{
    for (bool power10 : {false, true}) {
        cs_imc_core_config config = quiet(1, power10);
        config.timebase.start = 0x123456789ABCDEF0;
        Bench bench(config);
        Thread &thread = bench.threads[0];
        thread.increment = [](uint32_t event, cs_cycle t) -> uint64_t {
            return event == 128 + 2 ? 1 : event == 4 ? t : event == 256 ? 2 : event == 257 ? 3 : 0;
        };
        thread.mode = [](cs_cycle t) { return t == 261 ? 2u : 1u; };
        thread.pid = 0x89ABCDEF;
        thread.lpid = 0xFFFFF765;
        bench.write(0, CS_IMC_REG_TRACE, 0x7FFFFFC142020000);
        bench.write(1, CS_IMC_REG_HTM_MODE, htm_on);
        bench.write(9, CS_IMC_REG_LDBAR, ldbar_trace | buffer | 0x3F00000000001FFF);
        bench.run(300);

        const uint64_t tb = 0x123456789ABCDEF0 + 261;
        const uint64_t val = (power10 ? uint64_t{2} << 62 : 0) | 0x0000076589ABCDEF;
        const std::vector<uint64_t> words = {tb,         0xC000000000000000u + 4 * 261,
                                             val,        (10 + 260) * 251 / 2,
                                             0xFFFFFF05, 2 * 251,
                                             3 * 251,    tb & 0x3FFFFFFFFFF};
        const std::vector<Transfer> expected = {{263, 268, buffer, CS_BUS_OKAY, words}};
        EXPECT_EQ(expected, bench.bus.log);
        EXPECT_EQ(records({{268, 0, buffer, 0, 64, 0, 261}}), bench.records_of(CS_PROBE_SAMPLE));
    }
}

TEST(ImcTrace, EachCounterCanSample)
{
    for (unsigned sampsel = 0; sampsel < 4; sampsel++) {
        Bench bench(quiet(1));
        const uint32_t events[] = {3, 128 + 5, 256, 257};
        bench.threads[0].increment = [&](uint32_t event, cs_cycle) -> uint64_t {
            return event == events[sampsel] ? 5 : 1;
        };
        start(bench, every(100, sampsel));
        bench.run(50);
        ASSERT_EQ(1u, bench.bus.log.size());
        std::vector<uint64_t> words = bench.bus.log[0].data;
        EXPECT_EQ(30u, words[0]);
        for (unsigned i = 0; i < 4; i++)
            EXPECT_EQ(i == sampsel ? 0u - 100u : 20u, static_cast<uint32_t>(words[3 + i])) << i;
    }
}

// The counters go on in u, and what is over the carry is dropped.
TEST(ImcTrace, LoadedNotCarriedOn)
{
    Bench bench(quiet(1));

    for (Thread &thread : bench.threads)
        thread.increment = [](uint32_t, cs_cycle) { return uint64_t{15}; };
    start(bench, every(20)); // two additions each
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
    bench.run(40);
    std::vector<cs_cycle> snapshots; // written or lost
    for (const cs_probe_record &r : bench.records_of(CS_PROBE_SAMPLE))
        snapshots.push_back(r.request);
    std::sort(snapshots.begin(), snapshots.end());
    for (unsigned i = 0; i < 6; i++)
        EXPECT_EQ(12 + 2 * i, snapshots.at(i));
}

TEST(ImcTrace, LoadIsThatOfTheOverflow)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(20)); // overflow in 29
    bench.write(29, CS_IMC_REG_TRACE, every(50).value());
    bench.run(200); // overflows in 49 still, then in 99, 149, 199
    std::vector<cs_cycle> snapshots;
    for (const cs_probe_record &r : bench.records_of(CS_PROBE_SAMPLE))
        snapshots.push_back(r.request);
    EXPECT_EQ((std::vector<cs_cycle>{30, 50, 100, 150}), snapshots);
}

TEST(ImcTrace, CodesChangeInTheNextCycle)
{
    Bench bench(quiet(1));

    bench.threads[0].increment = [](uint32_t event, cs_cycle) -> uint64_t {
        return event == 257 ? 1 : event;
    };
    start(bench, {3, 0u - 20, 3, 5, 0});
    bench.write(19, CS_IMC_REG_TRACE, TraceFields{3, 0u - 20, 7, 100, 0}.value());
    bench.run(40);
    EXPECT_EQ(10u * 3 + 10 * 7, bench.bus.log.at(0).data[3]);
    EXPECT_EQ(10u * (128 + 5) + 10 * 228, bench.bus.log.at(0).data[4]);
}

TEST(ImcTrace, CountsInAllModesAndStates)
{
    Bench bench(config_of(1));

    one_a_cycle(bench);
    bench.threads[0].mode = [](cs_cycle t) { return static_cast<unsigned>(t & 3); };
    start(bench, every(20)); // EVENT_MASK is zero
    bench.run(30);
    EXPECT_EQ(RUN, state_of_status(bench.read(30, CS_IMC_REG_STATUS)));
    bench.run(1000);
    EXPECT_EQ(30u, bench.bus.log.at(0).data[0]);
    EXPECT_EQ(50u, bench.bus.log.at(1).data[0]);
}

TEST(ImcTrace, EnableBitDoesNotMatter)
{
    for (uint64_t enable : {uint64_t{0}, ldbar_enable}) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        start(bench, every(20), ldbar_trace | enable | buffer);
        bench.run(40);
        ASSERT_EQ(1u, bench.bus.log.size());
        EXPECT_EQ(buffer, bench.bus.log[0].addr);
    }
}

// ---- off and frozen ----

TEST(ImcTrace, StandsStillWhenOffOrFrozen)
{
    const struct {
        unsigned reg;
        uint64_t stop, go;
    } cases[] = {{CS_IMC_REG_HTM_MODE, 0, htm_on}, {CS_IMC_REG_EVENT_MASK, freeze, 0}};

    for (const auto &c : cases) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        start(bench, every(20));
        bench.write(14, c.reg, c.stop); // five were counted
        bench.write(113, c.reg, c.go);  // 15..113 were not
        bench.run(150);
        ASSERT_EQ(1u, bench.bus.log.size());
        EXPECT_EQ(129u, bench.bus.log[0].data[0]);
        EXPECT_EQ(20u, bench.bus.log[0].data[5]);
    }
}

// The write that stops acts in 30, which is u.
TEST(ImcTrace, SnapshotWhenStopped)
{
    for (unsigned reg : {CS_IMC_REG_HTM_MODE, CS_IMC_REG_EVENT_MASK}) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        start(bench, every(20));
        bench.write(29, reg, reg == CS_IMC_REG_HTM_MODE ? 0 : freeze);
        bench.run(100);
        ASSERT_EQ(1u, bench.bus.log.size());
        EXPECT_EQ(30u, bench.bus.log[0].data[0]);
    }
}

// ---- LDBAR ----

TEST(ImcLdbar, WhatItDoesToTheCounters)
{
    const uint64_t t = ldbar_trace | buffer;
    Bench again(quiet(1));
    one_a_cycle(again);
    start(again, every(100));
    again.write(29, CS_IMC_REG_LDBAR, t);
    again.run(200);
    EXPECT_EQ(130u, again.bus.log.at(0).data[0]); // from zero in 30
    EXPECT_EQ(100u, again.bus.log.at(0).data[5]);

    Bench left(config_of(1)); // with windows: the first that it posts is that of 30..32
    one_a_cycle(left);
    start(left, every(100));
    left.write(29, CS_IMC_REG_LDBAR, buffer);
    left.run(500);
    EXPECT_EQ(0u, left.records_of(CS_PROBE_SAMPLE).size());
    EXPECT_EQ(0u, left.bus.log.at(0).data[0]); // EVENT_MASK lets nothing pass, and it was zeroed
}

TEST(ImcLdbar, WinsOverTheOverflowOfItsCycle)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(20));
    bench.write(29, CS_IMC_REG_LDBAR, ldbar_trace | buffer);
    bench.run(60);
    EXPECT_EQ(records({{57, 0, buffer, 0, 64, 0, 50}}), bench.records_of(CS_PROBE_SAMPLE));
}

TEST(ImcLdbar, WinsOverTheSnapshotOfItsCycle)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(20));
    bench.write(30, CS_IMC_REG_LDBAR, ldbar_trace | buffer);
    bench.run(60);
    EXPECT_EQ(records({{30, 0, 0, 0, 0, 1, 30}, {58, 0, buffer, 0, 64, 0, 51}}),
              bench.records_of(CS_PROBE_SAMPLE));
}

// The writer is busy with the first until 47; the second waits from 51 on in a second round.
TEST(ImcLdbar, DropsTheWaitingRecord)
{
    for (uint64_t value : {ldbar_trace | buffer, buffer, uint64_t{0}}) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        bench.bus.latency = [](unsigned n, cs_cycle) { return cs_cycle{n == 0 ? 50u : 5u}; };
        start(bench, every(20)); // u = 30, request 32, complete 82; u = 50
        bench.write(60, CS_IMC_REG_LDBAR, value);
        bench.run(62);
        EXPECT_EQ(records({{60, 0, buffer + 64, 0, 0, 1, 50}}), bench.records_of(CS_PROBE_SAMPLE));
        EXPECT_EQ(1u, count_of_status(bench.read(62, CS_IMC_REG_STATUS)));
    }
}

// In 31 the writer takes it: it is on its way.
TEST(ImcLdbar, DoesNotDropWhatIsTakenInItsCycle)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(20));
    bench.write(31, CS_IMC_REG_LDBAR, 0);
    bench.run(60);
    EXPECT_EQ(records({{37, 0, buffer, 0, 64, 0, 30}}), bench.records_of(CS_PROBE_SAMPLE));
}

TEST(ImcLdbar, StartsTheIndexAgain)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(20));
    bench.write(80, CS_IMC_REG_LDBAR, ldbar_trace | buffer);
    bench.run(130);
    std::vector<uint64_t> at;
    for (const Transfer &t : bench.bus.log)
        at.push_back(t.addr - buffer);
    EXPECT_EQ((std::vector<uint64_t>{0, 64, 128, 0, 64}), at); // u = 30, 50, 70; 101, 121
}

TEST(ImcLdbar, LoadsByTheTraceRegisterOfItsCycle)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    start(bench, every(1000));
    bench.write(49, CS_IMC_REG_LDBAR, ldbar_trace | buffer);
    bench.write(49, CS_IMC_REG_TRACE, every(20, 2).value()); // CPMC3 samples, and is zero in 50
    bench.run(100);
    EXPECT_EQ(0u, bench.bus.log.size());
    bench.write(100, CS_IMC_REG_LDBAR, ldbar_trace | buffer);
    bench.run(130);
    EXPECT_EQ(121u, bench.bus.log.at(0).data[0]);
}

// ---- the buffer ----

TEST(ImcTrace, LostWhileOneWaits)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    bench.bus.latency = [](unsigned n, cs_cycle) { return cs_cycle{n == 0 ? 50u : 5u}; };
    start(bench, every(20));
    bench.run(100); // u = 30 is written in 32..82; 50 waits; 70 is lost; 50 is taken in 83; 90
    EXPECT_EQ(records({{70, 0, 0, 0, 0, 1, 70},
                       {82, 0, buffer, 0, 64, 0, 30},
                       {89, 0, buffer + 64, 1, 64, 0, 50},
                       {97, 0, buffer + 128, 2, 64, 0, 90}}),
              bench.records_of(CS_PROBE_SAMPLE));
}

// The record is taken in u itself: the buffer is not empty in u.
TEST(ImcTrace, LostInTheCycleOfTheTaking)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    bench.bus.latency = [](unsigned n, cs_cycle) { return cs_cycle{n == 0 ? 37u : 5u}; };
    start(bench, every(20)); // the first is complete in 69, the second taken in 70
    bench.run(85);
    const std::vector<cs_probe_record> samples = bench.records_of(CS_PROBE_SAMPLE);
    EXPECT_EQ((Sample{70, 0, 0, 0, 0, 1, 70}.record()), samples.at(1));
    EXPECT_EQ((Sample{76, 0, buffer + 64, 1, 64, 0, 50}.record()), samples.at(2));
}

TEST(ImcTrace, BufferSizes)
{
    const unsigned records_of[] = {4096, 8192, 16384, 32768, 65536, 4096, 4096, 4096};

    for (unsigned size = 0; size < 8; size++) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        bench.threads[0].horizon = CS_NEVER;
        bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
        start(bench, every(8, 0, size));
        const unsigned n = records_of[size];
        bench.run(10 + 8 * (n + 3) + 8);
        ASSERT_EQ(n + 3, bench.bus.log.size());
        for (unsigned i = 0; i < n + 3; i++)
            ASSERT_EQ(buffer + 64 * (i % n), bench.bus.log[i].addr) << "size " << size;
    }
}

// An index at or beyond a limit that has become smaller is zero, and zero again.
TEST(ImcTrace, SmallerBuffer)
{
    for (unsigned n : {4095u, 4096u, 4097u, 5000u}) {
        Bench bench(quiet(1));
        one_a_cycle(bench);
        bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
        start(bench, every(8, 0, 1));
        bench.write(10 + 8 * n + 4, CS_IMC_REG_TRACE, every(8, 0, 0).value());
        bench.run(10 + 8 * (n + 3) + 8);
        ASSERT_EQ(n + 3, bench.bus.log.size());
        EXPECT_EQ(buffer + 64 * (n - 1), bench.bus.log[n - 1].addr) << n;
        EXPECT_EQ(n < 4096 ? buffer + 64 * n : buffer, bench.bus.log[n].addr) << n;
        EXPECT_EQ(buffer, bench.bus.log[n + 1].addr) << n;
        EXPECT_EQ(buffer + 64, bench.bus.log[n + 2].addr) << n;
    }
}

TEST(ImcTrace, AddressesAreModulo56Bits)
{
    Bench bench(quiet(1));

    one_a_cycle(bench);
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
    start(bench, every(8), ldbar_trace | 0x00FFFFFFFFFFE000);
    bench.run(10 + 8 * 129 + 8);
    EXPECT_EQ(0x00FFFFFFFFFFFFC0u, bench.bus.log.at(127).addr);
    EXPECT_EQ(0u, bench.bus.log.at(128).addr);
}

// ---- the model's own ----

// What a record costs: the next overflow, the context, and the sums of three counters.
TEST(ImcTrace, AsksOnceARecord)
{
    Bench bench(quiet(4));

    one_a_cycle(bench);
    for (Thread &thread : bench.threads)
        thread.horizon = CS_NEVER;
    bench.write(0, CS_IMC_REG_TRACE, every(100).value());
    bench.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    bench.write(2, CS_IMC_REG_EVENT_MASK, field(7, 32));
    for (unsigned v = 0; v < 4; v++)
        bench.write(9 + v, CS_IMC_REG_LDBAR + v, ldbar_trace | buffer);
    bench.run(20);
    for (Thread &thread : bench.threads)
        thread.sums = thread.reaches = thread.contexts = 0;
    bench.run(20 + 100 * 100);
    for (const Thread &thread : bench.threads) {
        EXPECT_EQ(300u, thread.sums);
        EXPECT_EQ(100u, thread.reaches);
        EXPECT_EQ(100u, thread.contexts);
    }
}

// Software that is inserted makes the foreseen overflow later, or sooner.
TEST(ImcTrace, EventsMayChange)
{
    for (uint64_t rate : {0, 10}) {
        Bench bench(quiet(1));
        uint64_t then = 1;
        bench.threads[0].increment = [&](uint32_t, cs_cycle t) { return t < 20 ? 1 : then; };
        start(bench, every(100));
        bench.run(20);
        then = rate;
        cs_imc_core_events_changed(bench.model(), 0);
        bench.run(200);
        if (rate == 0) {
            EXPECT_TRUE(bench.bus.log.empty());
        } else {
            EXPECT_EQ(29u, bench.bus.log.at(0).data[0]); // 10 + 9 * 10
        }
    }
}

} // namespace
