// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Trace mode".
#include "imc_bench.hpp"

using namespace imc;

namespace
{

constexpr uint64_t base = 0x0000123456780000;

// A core that is on, without boundaries; thread 0 traces with `trace` from the next cycle on.
void begin(Core &core, uint64_t trace, unsigned thread = 0)
{
    core.tb_runs = false;
    core.write(TRACE, trace);
    core.write(HTM_MODE, mode_on);
    core.write_ldbar(thread, ldbar_trace | base);
}

TEST(Trace, TwoHundredFiftyOneIncrementsToTheFirstSnapshot)
{
    Core core;
    core.count({0, 1, 0, 0});
    begin(core, trace(1, 0xFFFFFF05));
    const uint64_t first = core.cycle; // the first that counts
    core.step(800);
    ASSERT_EQ(core.snapshots.size(), 3u);
    EXPECT_EQ(core.snapshots[0].first, first + 251);
    EXPECT_EQ(core.snapshots[1].first, first + 2 * 251);
    EXPECT_EQ(core.samples[0].snap, first + 251);
    EXPECT_EQ(core.samples[2].number, 2u);
}

TEST(Trace, TheSamplingCounterIsOneOfFour)
{
    for (unsigned n = 0; n < 4; n++) {
        Core core;
        begin(core, trace(n, 0xFFFFFFF0));
        std::array<unsigned, 4> inc{15, 15, 15, 15};
        inc[n] = 1;
        core.count(inc);
        core.step(20);
        ASSERT_EQ(core.snapshots.size(), 1u) << n;
        ASSERT_EQ(core.memory.bursts.size(), 0u);
        core.settle();
        for (unsigned other = 0; other < 4; other++)
            EXPECT_EQ(core.memory.bursts[0].words[3 + other], other == n ? 0xFFFFFFF0 : 16 * 15u);
    }
}

TEST(Trace, TheRecord)
{
    for (bool power10 : {false, true}) {
        Straps s;
        s.power10 = power10;
        Core core(s);
        core.tell = [&](unsigned t, const unsigned *) {
            Told told;
            told.mode = core.cycle % 4;
            told.inc = {3, 2, 1, 5};
            told.pc = 0xC000000000100000 + 0x1000 * t + core.cycle;
            told.pid = 0x80001000 + core.cycle;
            told.lpid = 0xFFFFF000 + core.cycle;
            return told;
        };
        begin(core, trace(0, 0xFFFFFFF1), 2);
        const uint64_t u = core.cycle + 5; // five times 3 carries
        core.in.tb = 0xFEDCBA9876543210;
        core.settle();
        core.step(20);
        ASSERT_GE(core.samples.size(), 1u);
        const Sample &sample = core.samples[0];
        EXPECT_EQ(sample.snap, u);
        EXPECT_EQ(sample.thread, 2u);
        EXPECT_EQ(sample.addr, base);
        EXPECT_EQ(sample.number, 0u);
        EXPECT_EQ(sample.cycle, core.memory.bursts[0].complete);
        const uint64_t mode = power10 ? (u % 4) << 62 : 0;
        EXPECT_EQ(core.memory.bursts[0].words,
                  (std::vector<uint64_t>{0xFEDCBA9876543210, 0xC000000000102000 + u,
                                         mode | u << 32 | (0x80001000 + u), 0xFFFFFFF1, 10, 5, 25,
                                         0x0000029876543210}));
    }
}

TEST(Trace, CodesAndActivity)
{
    Core core;
    begin(core, trace(0, 0, 0x55, 0x2A), 1);
    EXPECT_EQ(core.dut.active_o, 2u);
    EXPECT_EQ(core.dut.code1_o >> 7 & 0x7F, 0x55u);
    EXPECT_EQ(core.dut.code2_o >> 7 & 0x7F, 0x2Au);
    core.write(EVENT_MASK, freeze);
    EXPECT_EQ(core.dut.active_o, 0u);
    core.write(EVENT_MASK, 0);
    EXPECT_EQ(core.dut.active_o, 2u);
    core.write(HTM_MODE, 0);
    EXPECT_EQ(core.dut.active_o, 0u);
}

TEST(Trace, CountsInAllModesWhateverTheSetsAndTheWindowSay)
{
    for (unsigned mode = 0; mode < 4; mode++) {
        Straps s;
        s.tap_log2 = 4;
        Core core(s);
        core.count({1, 1, 1, 1}, mode);
        core.write(TRACE, trace(0, 0xFFFFFF00)); // overflows after 256
        core.write(HTM_MODE, mode_on);
        core.write_ldbar(0, ldbar_trace | base);
        const uint64_t first = core.cycle;
        core.step(300); // boundaries do not clear its counters
        ASSERT_EQ(core.snapshots.size(), 1u);
        EXPECT_EQ(core.snapshots[0].first, first + 256);
    }
}

TEST(Trace, FrozenAndOffCountersKeepTheirValues)
{
    Core core;
    core.count({1, 0, 0, 0});
    begin(core, trace(0, 0xFFFFFFF0)); // 16 counts
    core.step(4);
    core.write(EVENT_MASK, freeze); // the fifth
    core.step(100);
    core.write(EVENT_MASK, 0);
    core.step(4);
    core.write(HTM_MODE, 0); // the tenth
    core.step(100);
    core.write(HTM_MODE, mode_on);
    const uint64_t again = core.cycle;
    core.step(20);
    ASSERT_EQ(core.snapshots.size(), 1u);
    EXPECT_EQ(core.snapshots[0].first, again + 6);
}

TEST(Trace, ASnapshotAfterTheCoreWentOff)
{
    for (Reg reg : {HTM_MODE, EVENT_MASK}) {
        Core core;
        core.count({4, 0, 0, 0});
        begin(core, trace(0, 0xFFFFFFF0)); // four counts
        core.step(3);
        core.write(reg, reg == EVENT_MASK ? freeze : 0); // in the cycle of the carry
        core.settle();
        ASSERT_EQ(core.samples.size(), 1u);
        EXPECT_EQ(core.memory.bursts[0].words[3], 0xFFFFFFF0u);
    }
}

TEST(Trace, LdbarWriteSetsTheCounters)
{
    // Old and new TRACE: what the four counters are in e+1, seen in the record.
    Core core;
    core.count({1, 2, 3, 0});
    begin(core, trace(3, 0xFFFFFFFF));
    core.step(10);
    core.write_ldbar(0, ldbar_trace | base); // again: from zero
    core.step(7);
    core.count({1, 2, 3, 1});
    core.step();
    core.count({1, 2, 3, 0});
    core.settle();
    EXPECT_EQ(core.memory.bursts[0].words[3], 8u);
    EXPECT_EQ(core.memory.bursts[0].words[4], 16u);
    EXPECT_EQ(core.memory.bursts[0].words[5], 24u);
    EXPECT_EQ(core.memory.bursts[0].words[6], 0xFFFFFFFFu);
}

TEST(Trace, LeavingTraceModeClearsTheCounters)
{
    Straps s;
    s.threads = 1;
    s.tap_log2 = 6;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all);
    core.write(TRACE, trace(0, 0));
    core.write(HTM_MODE, mode_on);
    core.run_to(70); // the window began in 65
    core.write_ldbar(0, ldbar_trace);
    core.step(20);
    core.write_ldbar(0, 0);
    const uint64_t from = core.cycle;
    core.run_to(128);
    core.settle();
    ASSERT_EQ(core.memory.bursts.size(), 1u);
    EXPECT_EQ(core.memory.bursts[0].words[0], 129 - from);
}

TEST(Trace, AWriteWithoutTraceLeavesAWindowAlone)
{
    Straps s;
    s.threads = 1;
    s.tap_log2 = 6;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
    core.run_to(70);
    core.write_ldbar(0, ldbar_enable);
    core.run_to(90);
    core.write_ldbar(0, 0);
    core.run_to(129);
    core.settle();
    EXPECT_EQ(core.memory.bursts[0].words[0], 64u);
}

TEST(Trace, AWriteWinsOverTheOverflow)
{
    for (uint64_t value : {ldbar_trace | base, uint64_t{0}}) {
        Core core;
        core.count({1, 0, 0, 0});
        begin(core, trace(0, 0xFFFFFFF0));
        core.step(15);
        core.write_ldbar(0, value); // the cycle of the carry
        core.step(15);
        EXPECT_TRUE(core.snapshots.empty());
        EXPECT_TRUE(core.lost.empty());
        core.step(30);
        EXPECT_EQ(core.snapshots.empty(), value == 0);
    }
}

TEST(Trace, AWriteWinsOverTheSnapshot)
{
    Core core;
    core.count({1, 0, 0, 0});
    begin(core, trace(0, 0xFFFFFFF0));
    core.step(16);
    const uint64_t u = core.cycle;
    core.write_ldbar(0, ldbar_trace | base);
    core.settle();
    ASSERT_EQ(core.lost.size(), 1u);
    EXPECT_EQ(core.lost[0], (std::pair<uint64_t, unsigned>{u, 0}));
    EXPECT_TRUE(core.dropped.empty());
    EXPECT_TRUE(core.samples.empty());
    core.step(40);
    EXPECT_EQ(core.samples[0].addr, base); // the index is what the write made it
}

TEST(Trace, ASecondSnapshotIsLostWhileTheFirstWaits)
{
    Core core;
    core.memory.stuck = true;
    core.count({1, 0, 0, 0});
    begin(core, trace(0, 0xFFFFFFFF)); // overflows in every cycle
    const uint64_t first = core.cycle + 1;
    core.step(2);
    // first: a record. first + 1: it is taken, not yet empty. first + 2: empty, a record.
    core.step(10);
    core.count({0, 0, 0, 0});
    core.step(2);
    ASSERT_EQ(core.lost.size(), 10u);
    EXPECT_EQ(core.lost[0].first, first + 1);
    EXPECT_EQ(core.lost[1].first, first + 3);
    core.memory.stuck = false;
    core.settle();
    core.settle();
    ASSERT_EQ(core.samples.size(), 2u);
    EXPECT_EQ(core.samples[0].snap, first);
    EXPECT_EQ(core.samples[1].snap, first + 2);
    EXPECT_EQ(core.samples[1].addr, base + 64); // lost ones take no place
    EXPECT_EQ(core.samples[1].number, 1u);
}

TEST(Trace, EveryWriteDropsTheWaitingRecord)
{
    for (uint64_t value : {ldbar_trace | base, ldbar_enable, uint64_t{0}}) {
        Core core;
        core.memory.stuck = true;
        core.count({1, 0, 0, 0});
        begin(core, trace(0, 0xFFFFFFFF));
        const uint64_t first = core.cycle + 1;
        core.step(6); // one is being written, one waits
        core.count({0, 0, 0, 0});
        core.step(2);
        EXPECT_EQ(core.status(12, 15), 2u);
        const uint64_t e = core.cycle;
        core.write_ldbar(0, value);
        EXPECT_EQ(core.status(12, 15), 1u);
        ASSERT_EQ(core.dropped.size(), 1u);
        EXPECT_EQ(core.dropped[0].cycle, e);
        EXPECT_EQ(core.dropped[0].thread, 0u);
        EXPECT_EQ(core.dropped[0].addr, base + 64);
        EXPECT_EQ(core.dropped[0].snap, first + 2);
        core.memory.stuck = false;
        core.settle();
        EXPECT_EQ(core.samples.size(), 1u);
    }
}

TEST(Trace, TheIndexWrapsAtTheBuffersSize)
{
    const struct {
        unsigned buffersize;
        uint64_t limit;
    } cases[] = {{0, 4096}, {1, 8192}, {4, 65536}, {5, 4096}, {7, 4096}};
    for (const auto &c : cases) {
        Core core;
        core.count({1, 0, 0, 0});
        begin(core, trace(0, 0xFFFFFFFF, 0, 0, c.buffersize));
        while (core.samples.size() < c.limit + 2 && !HasFatalFailure())
            core.step(1000);
        for (uint64_t i = 0; i < c.limit + 2; i++)
            ASSERT_EQ(core.samples[i].addr, base + 64 * (i % c.limit)) << c.buffersize;
    }
}

TEST(Trace, AnIndexAboveANewLimitBecomesZero)
{
    Core core;
    core.count({1, 0, 0, 0});
    begin(core, trace(0, 0xFFFFFFFF, 0, 0, 1));
    while (core.samples.size() < 4200)
        core.step();
    core.count({0, 0, 0, 0});
    core.settle();
    core.settle();
    core.write(TRACE, trace(0, 0xFFFFFFFF, 0, 0, 0));
    const size_t before = core.samples.size();
    core.count({1, 0, 0, 0});
    while (core.samples.size() < before + 4)
        core.step();
    EXPECT_EQ(core.samples[before - 1].addr, base + 64 * (before - 1));
    // "next = index + 1 >= limit ? 0 : index + 1": the first goes to 0 and leaves 0.
    const uint64_t expected[] = {0, 0, 1, 2};
    for (unsigned i = 0; i < 4; i++)
        EXPECT_EQ(core.samples[before + i].addr, base + 64 * expected[i]) << i;
}

TEST(Trace, RecordAddressesAreModulo2To56)
{
    Core core;
    core.count({1, 0, 0, 0});
    core.tb_runs = false;
    core.write(TRACE, trace(0, 0xFFFFFFFF));
    core.write(HTM_MODE, mode_on);
    core.write_ldbar(0, ~uint64_t{0}); // the last 8 KiB
    while (core.samples.size() < 130)
        core.step();
    EXPECT_EQ(core.samples[0].addr, 0x00FFFFFFFFFFE000u);
    EXPECT_EQ(core.samples[127].addr, 0x00FFFFFFFFFFFFC0u);
    EXPECT_EQ(core.samples[128].addr, 0u);
}

TEST(Trace, EveryThreadHasAllOfThis)
{
    Core core;
    core.tell = [](unsigned t, const unsigned *) { return Told{0, {t + 1, 0, 0, 0}, t, t, t}; };
    core.tb_runs = false;
    core.write(TRACE, trace(0, 0xFFFFF000));
    core.write(HTM_MODE, mode_on);
    for (unsigned t = 0; t < 4; t++)
        core.write_ldbar(t, ldbar_trace | base * (t + 1));
    core.step(4096 * 6);
    std::array<unsigned, 4> found{};
    for (const Sample &s : core.samples) {
        EXPECT_EQ(s.number, found[s.thread]);
        EXPECT_EQ(s.addr, base * (s.thread + 1) + 64 * found[s.thread]);
        found[s.thread]++;
    }
    EXPECT_EQ(found, (std::array<unsigned, 4>{5, 11, 17, 23}));
}

} // namespace
