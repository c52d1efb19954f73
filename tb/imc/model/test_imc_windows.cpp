// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Counters and states" and "Accumulation". Unless a test says otherwise TB(t) = t
// and a window has four cycles: with HTM_MODE written in cycle 1 the first boundary is 4, and
// window n is the cycles 5 + 4n to 8 + 4n.
#include "bench.hpp"

namespace
{

constexpr uint64_t pdbar = 0x000BCDEF00012000;
constexpr uint64_t ldbar = 0x0012345600034000;

cs_cycle window_end(unsigned n)
{
    return 8 + 4 * n;
}

// Events bring what their number is; a bus that keeps up.
void set(Bench &bench)
{
    for (Thread &thread : bench.threads)
        thread.increment = [](uint32_t event, cs_cycle) { return event; };
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
}

void start(Bench &bench, uint64_t event_mask, uint64_t mode = htm_on)
{
    bench.write(0, CS_IMC_REG_PDBAR, pdbar);
    bench.write(0, CS_IMC_REG_EVENT_MASK, event_mask);
    bench.write(1, CS_IMC_REG_HTM_MODE, mode);
}

std::vector<uint64_t> four_times(unsigned cycles, unsigned slot, unsigned shift = 0)
{
    return {uint64_t{cycles} * slot << shift, uint64_t{cycles} * (128 + slot) << shift,
            uint64_t{cycles} * 256 << shift, uint64_t{cycles} * 257 << shift};
}

// ---- on and off ----

TEST(ImcStates, OnlyTheWholeModeIsOn)
{
    for (unsigned bits = 0; bits < 32; bits++) { // of HTM_MODE 0:4
        Bench bench(config_of(1));
        start(bench, 0, field(bits, 4));
        const bool on = (bits & 0b11101) == 0b11101;
        EXPECT_EQ(on ? RUN : OFF, state_of_status(bench.read(20, CS_IMC_REG_STATUS))) << bits;
    }
}

TEST(ImcStates, Records)
{
    Bench bench(config_of(1));
    const uint64_t mask = disable_wrap;

    start(bench, mask); // the round: windows 0..127, so the last ends in 516
    bench.write(100, CS_IMC_REG_EVENT_MASK, mask | freeze);
    bench.write(110, CS_IMC_REG_EVENT_MASK, mask);
    bench.write(600, CS_IMC_REG_EVENT_MASK, freeze);
    bench.write(700, CS_IMC_REG_EVENT_MASK, 0);
    bench.write(800, CS_IMC_REG_HTM_MODE, 0);
    bench.write(810, CS_IMC_REG_EVENT_MASK, freeze);
    bench.write(820, CS_IMC_REG_HTM_MODE, htm_on);
    bench.write(830, CS_IMC_REG_EVENT_MASK, 0);
    bench.run(1000);
    // Frozen in 101..110 the boundaries 104 and 108 do not act.
    const std::vector<cs_probe_record> states = {
        state_record(2, SYNC),   state_record(5, RUN),    state_record(101, FROZEN),
        state_record(111, RUN),  state_record(525, DONE), state_record(601, FROZEN),
        state_record(701, DONE), state_record(801, OFF),  state_record(821, FROZEN),
        state_record(831, SYNC), state_record(833, RUN)};
    EXPECT_EQ(states, bench.records_of(CS_PROBE_STATE));
}

// ---- boundaries ----

TEST(ImcWindows, BoundariesByTap)
{
    const unsigned bits[] = {0, 1, 3, 5, 7, 9, 11, 13};

    for (unsigned tap = 0; tap < 8; tap++) {
        Bench bench(config_of(1));
        const cs_cycle boundary = cs_cycle{1} << (2 + bits[tap]);
        set(bench);
        start(bench, field(tap, 32) | all_sets);
        bench.run(3 * boundary);
        EXPECT_EQ(boundary + 1, bench.records_of(CS_PROBE_STATE).at(1).cycle) << tap;
        ASSERT_EQ(1u, bench.bus.log.size()) << tap;
        EXPECT_EQ(2 * boundary + 2, bench.bus.log[0].request) << tap;
        EXPECT_EQ(uint64_t{256} * boundary, bench.bus.log[0].data[2]) << tap;
    }
}

TEST(ImcWindows, BoundaryOfTheStandingTimebase)
{
    cs_imc_core_config config = config_of(1);
    config.timebase = {6, 1, 3}; // 8 in cycle 6, 12 in 18, 16 in 30
    Bench bench(config);

    set(bench);
    start(bench, all_sets);
    bench.run(32);
    ASSERT_EQ(2u, bench.bus.log.size());
    EXPECT_EQ(20u, bench.bus.log[0].request);
    EXPECT_EQ(12u * 256, bench.bus.log[0].data[2]);
    EXPECT_EQ(32u, bench.bus.log[1].request);
}

// In cycle 4 the core is not on yet: HTM_MODE is written in it.
TEST(ImcWindows, BoundaryInTheCycleOfTheWriteDoesNotCount)
{
    Bench bench(config_of(1));

    bench.write(4, CS_IMC_REG_HTM_MODE, htm_on);
    bench.run(20);
    EXPECT_EQ(9u, bench.records_of(CS_PROBE_STATE).at(1).cycle);
}

// ---- windows and posts ----

TEST(ImcWindows, FirstPost)
{
    Bench bench(config_of(1));

    bench.threads[0].increment = [](uint32_t event, cs_cycle t) -> uint64_t {
        return event == 0 ? t : event == 128 ? 2 * t : event == 256 ? 1 : event == 257 ? 3 : 9999;
    };
    start(bench, all_sets);
    bench.write(2, CS_IMC_REG_LDBAR, ldbar_enable | ldbar);
    bench.run(20);
    // 5 + 6 + 7 + 8; the post waits in 9; the writer is idle again in 16.
    const std::vector<uint64_t> values = {26, 52, 4, 12};
    const std::vector<Transfer> expected = {
        {10, 15, add_bit | (pdbar + 0x18), CS_BUS_OKAY, values},
        {17, 22, add_bit | (ldbar + 0x18), CS_BUS_OKAY, values}};
    EXPECT_EQ(expected, bench.bus.log);
}

// Slot by slot, the thread first; round again.
TEST(ImcWindows, Order)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Bench bench(config_of(threads));
        set(bench);
        for (unsigned v = 0; v < threads; v++)
            bench.threads[v].increment = [v](uint32_t event, cs_cycle) { return event + 1000 * v; };
        start(bench, all_sets);
        const unsigned windows = 128 * threads + 5;
        bench.run(window_end(windows - 1) + 4);
        ASSERT_EQ(windows, bench.bus.log.size());
        for (unsigned n = 0; n < windows; n++) {
            const unsigned slot = n / threads % 128, v = n % threads;
            const Transfer &t = bench.bus.log[n];
            ASSERT_EQ(window_end(n) + 2, t.request);
            ASSERT_EQ(add_bit | (pdbar + 64 * slot + 0x18), t.addr) << n;
            ASSERT_EQ(4 * (slot + 1000 * v), t.data[0]) << n;
            ASSERT_EQ(4 * (128 + slot + 1000 * v), t.data[1]) << n;
            ASSERT_EQ(4 * (256 + 1000 * v), t.data[2]) << n;
            ASSERT_EQ(4 * (257 + 1000 * v), t.data[3]) << n;
        }
    }
}

TEST(ImcWindows, DisableWrapEndsTheRound)
{
    Bench bench(config_of(2));

    set(bench);
    start(bench, all_sets | disable_wrap);
    bench.run(5000);
    EXPECT_EQ(256u, bench.bus.log.size());
    EXPECT_EQ(state_record(window_end(255) + 1, DONE), bench.records_of(CS_PROBE_STATE).back());
    // Off and on again is a new round from its beginning.
    bench.write(5000, CS_IMC_REG_HTM_MODE, 0);
    bench.write(5001, CS_IMC_REG_HTM_MODE, htm_on); // boundaries 5004 and 5008
    bench.run(5011);
    ASSERT_EQ(257u, bench.bus.log.size());
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[256].addr);
    EXPECT_EQ(5010u, bench.bus.log[256].request);
}

TEST(ImcWindows, OneEvent)
{
    const uint64_t event = field(1, 38) | field(3, 40) | field(29, 45) | disable_wrap;

    for (bool power10 : {false, true})
        for (unsigned threads : {1u, 2u, 4u}) {
            Bench bench(config_of(threads, power10));
            set(bench);
            start(bench, all_sets | event);
            bench.write(2, CS_IMC_REG_LDBAR + 3 % threads, ldbar_enable | ldbar);
            bench.run(window_end(1) + 1);
            const std::vector<Transfer> &log = bench.bus.log;
            if (!power10) {
                EXPECT_EQ(four_times(4, 0), log.at(0).data);
                continue;
            }
            const unsigned shift = threads == 4 ? 9 : threads == 2 ? 8 : 7;
            ASSERT_EQ(2u, log.size());
            EXPECT_EQ(add_bit | (pdbar + 64 * 29 + 0x18), log[0].addr);
            EXPECT_EQ(add_bit | (ldbar + 64 * 29 + 0x18), log[1].addr);
            EXPECT_EQ(four_times(4, 29, shift), log[0].data);
            bench.run(5000);
            EXPECT_EQ(RUN, state_of_status(bench.read(5000, CS_IMC_REG_STATUS)));
            EXPECT_GT(log.size(), 1000u);
        }
}

// From the event's slot the round goes on.
TEST(ImcWindows, OneEventIsLeft)
{
    Bench bench(config_of(2, true));

    set(bench);
    start(bench, all_sets | field(1, 38) | field(1, 40) | field(31, 45));
    bench.write(window_end(0) + 1, CS_IMC_REG_EVENT_MASK, all_sets);
    bench.run(window_end(3) + 3);
    const std::vector<unsigned> slots = {31, 31, 32, 32};
    for (unsigned n = 0; n < slots.size(); n++)
        EXPECT_EQ(add_bit | (pdbar + 64 * slots[n] + 0x18), bench.bus.log.at(n).addr) << n;
}

// ---- the filter ----

// Every bit of the mask alone: a window has a cycle of each mode, and its sum tells which counted.
TEST(ImcFilter, EveryBitInEverySlot)
{
    const uint32_t modes_of[10] = {0, 0, 0x0100, 0x0101, 0x1010, 0x1000, 0, 0, 0, 0};

    for (unsigned bit = 0; bit < 30; bit++) {
        Bench bench(config_of(1));
        set(bench);
        bench.threads[0].increment = [](uint32_t, cs_cycle t) {
            return uint64_t{1} << 4 * (t & 3);
        };
        bench.threads[0].mode = [](cs_cycle t) { return static_cast<unsigned>(t & 3); };
        start(bench, field(1, bit));
        bench.run(window_end(127) + 3);
        ASSERT_EQ(128u, bench.bus.log.size());
        for (unsigned slot = 0; slot < 128; slot++) {
            const bool own = slot < 64 || slot / 32 - 1 == bit / 10;
            const uint64_t expected = own ? modes_of[bit % 10] : 0;
            const std::vector<uint64_t> four(4, expected);
            ASSERT_EQ(four, bench.bus.log[slot].data) << "bit " << bit << " slot " << slot;
        }
    }
}

// The value of 2017 and today's, of the cycles of guest kernel, guest user, host kernel, host user.
TEST(ImcFilter, TheValuesOfSkiboot)
{
    const struct {
        uint64_t mask;
        uint32_t all, user, kernel;
    } values[] = {{0x0402010000000000, 0x1111, 0x1010, 0x0101},
                  {0x0001020000000000, 0x1100, 0x1000, 0x0100}};

    for (const auto &v : values) {
        Bench bench(config_of(1));
        set(bench);
        bench.threads[0].increment = [](uint32_t, cs_cycle t) {
            return uint64_t{1} << 4 * (t & 3);
        };
        bench.threads[0].mode = [](cs_cycle t) { return static_cast<unsigned>(t & 3); };
        start(bench, v.mask);
        bench.run(window_end(127) + 3);
        EXPECT_EQ(v.all, bench.bus.log.at(0).data[0]) << std::hex << v.mask;
        EXPECT_EQ(v.all, bench.bus.log.at(63).data[0]);
        EXPECT_EQ(v.user, bench.bus.log.at(64).data[0]);
        EXPECT_EQ(v.kernel, bench.bus.log.at(127).data[0]);
    }
}

TEST(ImcFilter, BitsAdd)
{
    Bench bench(config_of(1));

    set(bench);
    bench.threads[0].increment = [](uint32_t, cs_cycle t) { return uint64_t{1} << 4 * (t & 3); };
    bench.threads[0].mode = [](cs_cycle t) { return static_cast<unsigned>(t & 3); };
    start(bench, field(1, 5) | field(1, 3)); // ECA, ECP
    bench.run(window_end(0) + 3);
    EXPECT_EQ(0x1101u, bench.bus.log.at(0).data[0]);
}

// The mask is that of the cycle: a write in e leaves e as it was.
TEST(ImcFilter, WithinAWindow)
{
    Bench bench(config_of(1));

    set(bench);
    start(bench, all_sets);
    bench.write(6, CS_IMC_REG_EVENT_MASK, 0);
    bench.run(12);
    EXPECT_EQ(four_times(2, 0), bench.bus.log.at(0).data);
}

// ---- posts ----

TEST(ImcPost, Base)
{
    const uint64_t split = field(1, 1);
    const uint64_t rest = 0xB000000000000000; // 0, 2, 3: not of the address
    const struct {
        bool power10;
        unsigned threads, thread;
        uint64_t pdbar, base;
    } cases[] = {
        {false, 4, 0, rest | 0x00FFFFFFFFFFFFFF, 0x00FFFFFFFFFFE000},
        {true, 4, 0, rest | 0x0FFFFFFFFFFFFFFF, 0x000FFFFFFFFFF800},
        {false, 1, 0, split | 0x10000, 0x10000},
        {false, 2, 0, split | 0x10000, 0x10000},
        {false, 2, 1, split | 0x10000, 0x12000},
        {false, 4, 1, split | 0x10000, 0x10000},
        {false, 4, 2, split | 0x10000, 0x12000},
        {false, 4, 3, split | 0x10000, 0x12000},
        {false, 4, 3, 0x10000, 0x10000},
        {true, 4, 3, split | 0x10000, 0x10000},
        {false, 4, 3, split | 0x00FFFFFFFFFFE000, 0}, // modulo 2^56
    };

    for (const auto &c : cases) {
        Bench bench(config_of(c.threads, c.power10));
        set(bench);
        start(bench, all_sets);
        bench.write(2, CS_IMC_REG_PDBAR, c.pdbar);
        bench.run(window_end(c.thread) + 3);
        EXPECT_EQ(add_bit | (c.base + 0x18), bench.bus.log.at(c.thread).addr)
            << std::hex << c.pdbar << " thread " << c.thread;
    }
}

TEST(ImcPost, ThreadMemoryOnlyForThoseThatAccumulate)
{
    Bench bench(config_of(4));

    set(bench);
    start(bench, all_sets);
    bench.write(2, CS_IMC_REG_LDBAR + 0, ldbar);
    bench.write(2, CS_IMC_REG_LDBAR + 1, ldbar_enable | ldbar | 0x1FFF);
    bench.write(2, CS_IMC_REG_LDBAR + 2, ldbar_enable | ldbar_trace | ldbar);
    bench.write(2, CS_IMC_REG_LDBAR + 3, ldbar_trace | ldbar);
    bench.run(window_end(3) + 3);
    ASSERT_EQ(3u, bench.bus.log.size());
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[0].addr);
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[1].addr);
    EXPECT_EQ(add_bit | (ldbar + 0x18), bench.bus.log[2].addr);
}

// LDBAR and PDBAR are those of the boundary cycle.
TEST(ImcPost, RegistersOfTheBoundary)
{
    Bench bench(config_of(1));

    set(bench);
    start(bench, all_sets);
    bench.write(2, CS_IMC_REG_LDBAR, ldbar_enable | ldbar);
    bench.write(8, CS_IMC_REG_LDBAR, 0);
    bench.write(8, CS_IMC_REG_PDBAR, 0);
    bench.run(20);
    ASSERT_EQ(3u, bench.bus.log.size());
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[0].addr);
    EXPECT_EQ(add_bit | (ldbar + 0x18), bench.bus.log[1].addr);
    EXPECT_EQ(add_bit | (2 * 64 + 0x18), bench.bus.log[2].addr); // that of 12 is lost
}

TEST(ImcPost, LostWhileOneWaits)
{
    Bench bench(config_of(1));

    set(bench);
    // The first post is taken in 9 and complete in 31: the post of 12 waits, those of 16, 20, 24
    // and 28 find it there; it is taken in 32, and that of 32 still finds it.
    bench.bus.latency = [](unsigned n, cs_cycle) { return cs_cycle{n == 0 ? 21u : 1u}; };
    start(bench, all_sets);
    EXPECT_EQ(0u, bench.read(16, CS_IMC_REG_ERR_RPT));
    EXPECT_EQ(field(1, 24), bench.read(17, CS_IMC_REG_ERR_RPT));
    bench.write(30, CS_IMC_REG_ERR_RPT, 0);
    EXPECT_EQ(0u, bench.read(31, CS_IMC_REG_ERR_RPT));
    EXPECT_EQ(0u, bench.read(32, CS_IMC_REG_ERR_RPT));
    EXPECT_EQ(field(1, 24), bench.read(33, CS_IMC_REG_ERR_RPT));
    bench.run(40);
    ASSERT_EQ(3u, bench.bus.log.size());
    EXPECT_EQ(add_bit | (pdbar + 64 + 0x18), bench.bus.log[1].addr);
    EXPECT_EQ(33u, bench.bus.log[1].request);
    EXPECT_EQ(add_bit | (pdbar + 7 * 64 + 0x18), bench.bus.log[2].addr);
    EXPECT_EQ(four_times(4, 7), bench.bus.log[2].data);
}

TEST(ImcPost, TimeoutWinsOverAWrite)
{
    Bench bench(config_of(1));

    set(bench);
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{100}; };
    start(bench, all_sets);
    bench.write(16, CS_IMC_REG_ERR_RPT, 0);
    EXPECT_EQ(field(1, 24), bench.read(17, CS_IMC_REG_ERR_RPT));
}

TEST(ImcPost, Modulo32BitsAndOnPower10In64)
{
    for (bool power10 : {false, true}) {
        Bench bench(config_of(4, power10));
        set(bench);
        bench.threads[0].increment = [](uint32_t event, cs_cycle) {
            return uint64_t{event == 0 ? 0x50000000u : 0x30000000u};
        };
        start(bench, all_sets);
        bench.run(12);
        const unsigned shift = power10 ? 9 : 0;
        EXPECT_EQ(uint64_t{0x40000000} << shift, bench.bus.log.at(0).data[0]);
        EXPECT_EQ(uint64_t{0xC0000000} << shift, bench.bus.log.at(0).data[1]);
    }
}

// ---- what stops a window ----

TEST(ImcWindows, FrozenStandsStill)
{
    Bench bench(config_of(1));

    set(bench);
    start(bench, all_sets);
    bench.write(6, CS_IMC_REG_EVENT_MASK, all_sets | freeze); // frozen in 7..13
    bench.write(13, CS_IMC_REG_EVENT_MASK, all_sets);
    bench.run(20);
    ASSERT_EQ(1u, bench.bus.log.size());
    EXPECT_EQ(four_times(2 + 3, 0), bench.bus.log[0].data); // 5, 6 and 14, 15, 16
    EXPECT_EQ(18u, bench.bus.log[0].request);
}

TEST(ImcWindows, OffDropsTheWindowButWritesWhatWaits)
{
    Bench bench(config_of(1));

    set(bench);
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{10}; };
    start(bench, all_sets);
    bench.write(13, CS_IMC_REG_HTM_MODE, 0); // the post of 12 waits in 13
    bench.write(40, CS_IMC_REG_HTM_MODE, htm_on);
    bench.run(60);
    ASSERT_EQ(3u, bench.bus.log.size());
    EXPECT_EQ(four_times(4, 1), bench.bus.log[1].data);
    EXPECT_EQ(22u, bench.bus.log[1].request);
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[2].addr); // boundaries 44 and 48
    EXPECT_EQ(four_times(4, 0), bench.bus.log[2].data);
    EXPECT_EQ(50u, bench.bus.log[2].request);
}

// A thread that leaves trace mode within its window counts from zero; one that enters posts
// nothing; at the boundary itself the old LDBAR counts.
TEST(ImcWindows, TraceWithinAWindow)
{
    const struct {
        uint64_t before, after;
        cs_cycle at;
        unsigned posts;
        unsigned cycles;
    } cases[] = {
        {ldbar_trace, 0, 6, 1, 2}, {0, ldbar_trace, 6, 0, 0}, {ldbar_trace, 0, 8, 0, 0},
        {0, ldbar_trace, 8, 1, 4}, {0, 0, 6, 1, 4},           {0, 0, 8, 1, 4},
    };

    for (const auto &c : cases) {
        Bench bench(config_of(2));
        set(bench);
        start(bench, all_sets);
        bench.write(2, CS_IMC_REG_LDBAR, c.before);
        bench.write(c.at, CS_IMC_REG_LDBAR, c.after);
        bench.run(12);
        ASSERT_EQ(c.posts, bench.bus.log.size()) << c.at;
        if (c.posts != 0) {
            EXPECT_EQ(four_times(c.cycles, 0), bench.bus.log[0].data) << c.at;
        }
    }
}

} // namespace
