// SPDX-License-Identifier: Apache-2.0
// FETCH and STORE: alignment, 4 KiB boundaries, the end of the buffer.
#include <algorithm>

#include "reference.hpp"

namespace
{

const cs_pmcu_config small = {1,    1, 1, false, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE,
                              false};

void run_and_compare(const cs_pmcu_config &config, const Program &program, Die &die)
{
    put_events(die.world, program);
    const cs_cycle start = put_program(die, program, 0);
    World world = die.world;
    const Outcome outcome = reference_run(config, program, world, start);
    EXPECT_EQ(outcome.end, die.run_to_idle());
    expect_same(outcome, die);
    EXPECT_EQ(outcome.errors, die.read(die.now(), CS_PMCU_FSM_STATUS));
}

std::vector<Transfer> memory_transfers(const Die &die, bool write)
{
    std::vector<Transfer> list;
    for (const Transfer &t : die.world.log)
        if (!World::is_core(t.addr) && t.write == write)
            list.push_back(t);
    return list;
}

TEST(PmcuFetch, AlignmentAndBoundaries)
{
    for (unsigned nr_pmu = 1; nr_pmu <= 8; nr_pmu++)
        for (unsigned ev_len : {1u, nr_pmu, nr_pmu + 1, 255u})
            for (uint64_t base = 0x80000FD8; base <= 0x80001008; base += 4) {
                Program p;
                p.nr_pmu = nr_pmu;
                p.ev_len = ev_len;
                p.event_base = base + (base >> 2 & 3); // bits 1:0 count as zero
                p.wait_cnt = 0;
                Die die(small);
                die.world.max_latency = 1;
                run_and_compare(small, p, die);
                for (const Transfer &t : memory_transfers(die, false)) {
                    EXPECT_EQ(0u, t.addr % 8);
                    EXPECT_EQ(8u, t.size);
                    EXPECT_EQ(t.addr >> 12, (t.addr + 8 * t.beats - 1) >> 12);
                }
                // Each counter of each group is programmed once, with the events in order.
                std::vector<unsigned> events;
                for (const Transfer &t : die.world.log)
                    if (World::is_core(t.addr) && (t.addr & 0xF00) == 0x400 &&
                        (t.addr & 0xFFF) != 0x4F8) {
                        EXPECT_EQ(0u, t.data[2] | t.data[3]);
                        events.push_back(t.data[0] | t.data[1] << 8);
                    }
                const unsigned groups = (ev_len + nr_pmu - 1) / nr_pmu;
                ASSERT_EQ(groups * nr_pmu, events.size());
                for (unsigned i = 0; i < events.size(); i++)
                    ASSERT_EQ(i < ev_len ? 0x100 + i : 0xC000, events[i]);
                ASSERT_FALSE(testing::Test::HasFailure()) << nr_pmu << " " << ev_len;
            }
}

TEST(PmcuFetch, ArrayIsReadAgainForEachLoop)
{
    Program p;
    p.ev_len = 2;
    p.nr_loop = 3;
    p.nr_pmu = 1;
    Die die(small);
    run_and_compare(small, p, die);
    EXPECT_EQ(6u, memory_transfers(die, false).size());
}

TEST(PmcuStore, BurstsAndBoundaries)
{
    const cs_pmcu_config config = {
        2,    3, 1, false, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE,
        false}; // 60 words a subsample
    for (uint64_t base = 0x80010000; base <= 0x80011000; base += base % 256 ? 8 : 248) {
        Program p;
        p.nr_pmu = 8;
        p.ev_len = 16;
        p.store_base = base + (base >> 3 & 7); // bits 2:0 count as zero
        Die die(config);
        die.world.max_latency = 1;
        run_and_compare(config, p, die);
        uint64_t at = base;
        for (const Transfer &t : memory_transfers(die, true)) {
            EXPECT_EQ(at, t.addr);
            EXPECT_LE(t.beats, 16u);
            EXPECT_EQ(t.addr >> 12, (t.addr + 8 * t.beats - 1) >> 12);
            at += 8 * t.beats;
        }
        EXPECT_EQ(base + 2 * 60 * 8, at);
        ASSERT_FALSE(testing::Test::HasFailure()) << std::hex << base;
    }
}

// KILL_BASE at every byte address in and around two subsamples.
TEST(PmcuStore, KillAtEachWord)
{
    const cs_pmcu_config config = {
        2,    2, 1, false, true, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE,
        false}; // 24 words a subsample
    const uint64_t size = 24 * 8;
    for (bool comp : {false, true})
        for (uint64_t end = 0; end <= 2 * size + 16; end++) {
            Program p;
            p.nr_pmu = comp ? 5 : 4;
            p.ev_len = 2 * p.nr_pmu;
            p.comp = comp;
            p.store_base = 0x80010F98;
            p.kill_base = p.store_base - 8 + end;
            Die die(config);
            run_and_compare(config, p, die);

            const uint64_t room =
                (p.kill_base & ~7ull) > p.store_base ? (p.kill_base & ~7ull) - p.store_base : 0;
            uint64_t written = 0;
            for (const Transfer &t : memory_transfers(die, true))
                written += 8 * t.beats;
            EXPECT_EQ(std::min(room, 2 * size), written);
            EXPECT_EQ(std::min<uint64_t>(room / size, 2), die.samples.size());
            const uint32_t status = die.read(die.now(), CS_PMCU_FSM_STATUS);
            EXPECT_EQ(room < 2 * size ? CS_PMCU_FSM_STATUS_KILL_MASK : 0u, status);
            EXPECT_EQ(1u, die.read(die.now(), CS_PMCU_INT_STAT));
            ASSERT_FALSE(testing::Test::HasFailure()) << end;
        }
}

TEST(PmcuStore, KillTimes)
{
    // Nothing fits: KILL one cycle after the first cycle t of STORE, IDLE at t + 2.
    Program p;
    p.kill_base = p.store_base;
    Die die(small);
    put_events(die.world, p);
    put_program(die, p, 0);
    while (die.states.empty() || die.states.back().value != 8)
        die.step_to(die.next() + 1);
    const cs_cycle t = die.states.back().cycle;
    EXPECT_EQ(0x18u, die.read(t, CS_PMCU_FSM_STATUS));
    EXPECT_EQ(0x1018u, die.read(t + 1, CS_PMCU_FSM_STATUS));
    EXPECT_EQ(0u, die.read(t + 1, CS_PMCU_INT_STAT));
    EXPECT_EQ(0x1000u, die.read(t + 2, CS_PMCU_FSM_STATUS));
    EXPECT_EQ(1u, die.read(t + 2, CS_PMCU_INT_STAT));
}

// A buffer at the very end of the address space, and one whose end lies below its start.
TEST(PmcuStore, AddressesDoNotWrap)
{
    for (uint64_t store : {~0ull - 0x47, ~0ull - 7, ~0ull})
        for (uint64_t kill : {~0ull, ~0ull - 0x27, 0ull, 0x100ull}) {
            Program p;
            p.nr_pmu = 2;
            p.store_base = store;
            p.kill_base = kill;
            Die die(small);
            run_and_compare(small, p, die);
            for (const Transfer &t : memory_transfers(die, true)) {
                EXPECT_GE(t.addr, store & ~7ull);
                EXPECT_LT(t.addr + 8 * t.beats - 1, kill & ~7ull);
            }
        }
}

TEST(PmcuStore, PrefetchErrorEndsTheRunInSwitch)
{
    const cs_pmcu_config config = {
        1, 1, 1, false, true, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false};
    Program p;
    p.ev_len = 3;
    p.nr_pmu = 1;
    Die die(config);
    // The second read of memory fails: INIT 4, FETCH 1, PROGRAM 1, START 1, then this one.
    die.world.error = [](unsigned, unsigned n) -> uint8_t {
        return n == 7 ? CS_BUS_DECERR : CS_BUS_OKAY;
    };
    run_and_compare(config, p, die);
    EXPECT_EQ(1u, die.samples.size());
    ASSERT_GE(die.states.size(), 2u);
    EXPECT_EQ(9u, die.states[die.states.size() - 2].value);
    EXPECT_EQ(CS_PMCU_FSM_STATUS_FETCH_ERR_MASK, die.read(die.now(), CS_PMCU_FSM_STATUS));
}

} // namespace
