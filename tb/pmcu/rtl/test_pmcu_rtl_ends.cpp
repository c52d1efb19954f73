// SPDX-License-Identifier: Apache-2.0
// The ends of a run other than the planned one, BRK aside: docs/hw/pmcu.md, "Trigger", "Walks",
// "FETCH" and "STORE".
#include "oracle.hpp"

namespace
{

TEST(Trigger, IllegalConfigurations)
{
    const struct {
        unsigned ev_len, nr_loop, nr_pmu;
        bool comp, legal;
    } cases[] = {
        {0, 1, 1, false, false},  {1, 0, 1, false, false},  {1, 1, 0, false, false},
        {1, 1, 9, false, false},  {1, 1, 15, false, false}, {1, 1, 6, true, false},
        {1, 1, 8, true, false},   {1, 1, 8, false, true},   {1, 1, 5, true, true},
        {255, 1, 1, false, true}, {1, 255, 1, false, true},
    };
    for (const auto &c : cases) {
        Plan s;
        s.ev_len = c.ev_len;
        s.nr_loop = c.nr_loop;
        s.nr_pmu = c.nr_pmu;
        s.comp = c.comp;
        SCOPED_TRACE(testing::Message() << c.ev_len << " " << c.nr_loop << " " << c.nr_pmu);
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        EXPECT_EQ(pmcu.state(), c.legal ? INIT : IDLE);
        EXPECT_EQ(pmcu.dut.irq_o, !c.legal);
        if (c.legal)
            continue;
        EXPECT_EQ(pmcu.read(reg::status), cfg_err);
        EXPECT_EQ(pmcu.read(reg::int_stat), done);
        pmcu.step(100);
        EXPECT_TRUE(pmcu.world.transfers.empty() && pmcu.world.idle());
        EXPECT_EQ(pmcu.order(), std::vector<State>{IDLE});
    }
}

TEST(Trigger, ClearsTheErrorsOfTheRunBefore)
{
    Plan s;
    Pmcu pmcu(s);
    pmcu.world.fails = [](const Transfer &t) { return t.addr == 0x80000000; };
    pmcu.run();
    EXPECT_EQ(pmcu.read(reg::status), fetch_err);
    pmcu.write(reg::cfg, 0);
    pmcu.trigger();
    EXPECT_EQ(pmcu.read(reg::status), cfg_err) << "by an illegal one too";
    pmcu.world.fails = [](const Transfer &) { return false; };
    pmcu.configure();
    pmcu.trigger();
    EXPECT_EQ(pmcu.read(reg::status), uint32_t{INIT} | 0x10);
    pmcu.finish();
    EXPECT_EQ(pmcu.read(reg::status), 0u);
}

TEST(Trigger, IsLostInEveryStateButIdle)
{
    Plan s;
    for (State state : {INIT, FETCH, PROGRAM, START, WAIT, STOP, READ, STORE, SWITCH}) {
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(state));
        pmcu.write(reg::trigger, 0);
        pmcu.finish();
        EXPECT_EQ(pmcu.read(reg::status), 0u) << "a zero is no trigger";
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(state));
        pmcu.write(reg::trigger, 1);
        EXPECT_EQ(pmcu.read(reg::status) & trig_lost, trig_lost) << state;
        pmcu.finish();
        EXPECT_EQ(pmcu.samples.size(), 4u);
    }
}

// An error on each access in turn of a die of two slots.
TEST(CoreError, GivesZerosAndTheRunGoesOn)
{
    for (unsigned kind = 0; kind < 4; kind++) {
        Plan s;
        s.clusters = 1;
        s.comp = kind & 1;
        s.ext64 = kind & 2;
        Pmcu good(s);
        good.run();
        for (const Transfer &bad : good.world.transfers) {
            if (!bad.to_core())
                continue;
            Pmcu pmcu(s);
            pmcu.world.fails = [&bad](const Transfer &t) {
                return t.addr == bad.addr && t.write == bad.write;
            };
            SCOPED_TRACE(text_of(bad, 1));
            pmcu.run();
            expect_run(pmcu);
        }
    }
}

// In one group only: the slot's fields come back in the next.
TEST(CoreError, LastsForOneSubsample)
{
    Plan s;
    s.ev_len = 6;
    Pmcu pmcu(s);
    pmcu.configure();
    pmcu.trigger();
    ASSERT_TRUE(pmcu.reach(READ));
    pmcu.world.fails = [](const Transfer &t) { return t.addr == 0x20010004 && !t.write; };
    ASSERT_TRUE(pmcu.reach(SWITCH));
    pmcu.world.fails = [](const Transfer &) { return false; };
    pmcu.finish();
    // idx of slot 1, cluster 0 is 2; four CPUs; event 0 begins at 32.
    for (unsigned sample = 0; sample < 3; sample++) {
        uint64_t at = s.store_base + sample * s.sample_bytes() + 32 + 8 * 2;
        EXPECT_EQ(pmcu.world.get(at) == 0, sample == 0);
        EXPECT_EQ(pmcu.world.get(at + 4) == 0, sample == 0);
        EXPECT_NE(pmcu.world.get(at + 8), 0u);
    }
    EXPECT_EQ(pmcu.read(reg::status), core_err);
}

// "Failed slots": an error on a write in the first group, and the subsamples that it takes.
TEST(CoreError, OfAWriteLastsAsLongAsTheTableSays)
{
    const struct {
        State state;
        unsigned order;
        bool comp;
        uint32_t offset;
        bool lost[3];
    } cases[] = {
        {PROGRAM, all_cores, false, 0x400, {true, false, false}},
        {READ, all_cores, false, 0xE04, {false, true, false}}, // the reset
        {READ, all_cores, true, 0x018, {false, true, false}},
        {READ, by_core, false, 0xC20, {true, true, false}}, // a stop
        {READ, by_counter, false, 0xC20, {true, true, false}},
    };
    for (const auto &c : cases) {
        Plan s;
        s.ev_len = 6;
        s.comp = c.comp;
        s.order = c.order;
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(c.state));
        pmcu.world.fails = [&c](const Transfer &t) {
            return t.addr == 0x20010000 + c.offset && t.write;
        };
        ASSERT_TRUE(pmcu.reach(c.state == READ ? SWITCH : START));
        pmcu.world.fails = [](const Transfer &) { return false; };
        pmcu.finish();
        for (unsigned sample = 0; sample < 3; sample++) {
            uint64_t at = s.store_base + sample * s.sample_bytes() + 32 + 8 * 2;
            EXPECT_EQ(pmcu.world.get(at) == 0, c.lost[sample])
                << std::hex << c.offset << " in state " << c.state << ", subsample " << sample;
        }
        EXPECT_EQ(pmcu.read(reg::status), core_err);
    }
}

TEST(FetchError, EndsTheRun)
{
    for (bool prefetch : {false, true}) {
        // The array crosses a page: two bursts for the first group, one for the second.
        for (uint64_t addr : {0x80000ff8u, 0x80001000u, 0x80001010u}) {
            Plan s;
            s.ev_len = 8;
            s.nr_pmu = 5;
            s.event_base = 0x80000ffc;
            s.prefetch = prefetch;
            Pmcu pmcu(s);
            pmcu.world.fails = [addr](const Transfer &t) { return t.addr == addr; };
            SCOPED_TRACE(testing::Message() << std::hex << addr);
            pmcu.run();
            expect_run(pmcu);
            EXPECT_EQ(pmcu.samples.size(), addr == 0x80001010 ? 1u : 0u);
            EXPECT_EQ(pmcu.read(reg::status), fetch_err);
        }
    }
}

TEST(FetchError, OnAnyBeat)
{
    for (int beat = 0; beat < 4; beat++) {
        Plan s;
        s.ev_len = s.nr_pmu = 8;
        s.event_base = 0x80000000;
        Pmcu pmcu(s);
        pmcu.world.fails = [](const Transfer &t) { return t.addr == 0x80000000; };
        pmcu.world.only_beat = beat;
        SCOPED_TRACE(beat);
        pmcu.run();
        expect_run(pmcu);
        EXPECT_EQ(pmcu.read(reg::status), fetch_err);
    }
}

TEST(FetchError, OfAPrefetchIsSeenAtOnce)
{
    Plan s;
    s.prefetch = true;
    s.wait_cnt = 1000;
    Pmcu pmcu(s);
    pmcu.configure();
    pmcu.trigger();
    ASSERT_TRUE(pmcu.reach(WAIT));
    pmcu.world.fails = [](const Transfer &t) { return !t.to_core(); };
    pmcu.step(5); // t, asked t + 1, complete t + 3; the bit in t + 4
    EXPECT_EQ(pmcu.read(reg::status), uint32_t{WAIT} | 0x10 | fetch_err);
}

TEST(StoreError, EndsTheRun)
{
    for (uint64_t nth = 0; nth < 4; nth++) {
        Plan s;
        s.nr_pmu = s.ev_len = 4; // 24 words: two bursts
        s.nr_loop = 2;
        Pmcu pmcu(s);
        uint64_t addr = s.store_base + nth / 2 * s.sample_bytes() + nth % 2 * 128;
        pmcu.world.fails = [addr](const Transfer &t) { return t.addr == addr; };
        SCOPED_TRACE(nth);
        pmcu.run();
        expect_run(pmcu);
        EXPECT_EQ(pmcu.read(reg::status), store_err);
    }
}

TEST(StoreError, ComesBeforeKill)
{
    Plan s;
    s.kill_base = s.store_base + 64;
    Pmcu pmcu(s);
    pmcu.world.fails = [](const Transfer &t) { return t.addr == 0x90000000; };
    pmcu.run();
    expect_run(pmcu);
    EXPECT_EQ(pmcu.read(reg::status), store_err);
}

// The buffer ends anywhere in, before or behind two subsamples of 16 words.
TEST(Kill, NothingIsWrittenAtOrAboveKillBase)
{
    for (int64_t room = -24; room <= 2 * 128 + 16; room++) {
        Plan s;
        s.store_base = 0x90000fc3; // bits 2:0 count as zero; a page ends after 8 words
        s.kill_base = 0x90000fc0 + static_cast<uint64_t>(room);
        SCOPED_TRACE(room);
        Pmcu pmcu(s);
        pmcu.run();
        expect_run(pmcu);
        EXPECT_EQ(pmcu.read(reg::status), room < 256 ? killed : 0);
        EXPECT_EQ(pmcu.samples.size(), room < 128 ? 0u : room < 256 ? 1u : 2u);
    }
}

TEST(Kill, AtTheEndsOfTheAddressSpace)
{
    const struct {
        uint64_t store, kill;
        uint32_t errors;
    } cases[] = {
        {0, 0, killed},
        {0x90000000, 0, killed},
        {0, UINT64_MAX, 0},
        {0xFFFFFFFFFFFFFF00, UINT64_MAX, killed}, // room for 31 words
        {0xFFFFFFFFFFFFFF00, 0, killed},
        {UINT64_MAX, UINT64_MAX, killed},
        {0xFFFFFFFFFFFFFEF8, UINT64_MAX, 0}, // room for 32
    };
    for (const auto &c : cases) {
        Plan s;
        s.store_base = c.store;
        s.kill_base = c.kill;
        SCOPED_TRACE(testing::Message() << std::hex << c.store);
        Pmcu pmcu(s);
        pmcu.run();
        expect_run(pmcu);
        EXPECT_EQ(pmcu.read(reg::status), c.errors);
    }
}

} // namespace
