// SPDX-License-Identifier: Apache-2.0
// BRK, at every cycle of short runs: the flag is a cut through the reference's run.
#include <algorithm>

#include "reference.hpp"

namespace
{

struct Case {
    const char *name;
    cs_pmcu_config config;
    Program program;
};

Program program(bool comp, uint64_t kill = 0x80100000)
{
    Program p;
    p.ev_len = 3;
    p.nr_loop = 2;
    p.nr_pmu = 2;
    p.comp = comp;
    p.event_base = 0x80000FFC; // the first group lies across a 4 KiB boundary
    p.store_base = 0x80010FE0;
    p.kill_base = kill;
    p.wait_cnt = 5;
    return p;
}

const Case cases[] = {
    {"one_cpu",
     {1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false)},
    {"ext64_broadcast",
     {2, 1, 1, true, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false)},
    {"comp_prefetch",
     {1, 2, 1, false, true, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(true)},
    {"prefetch_slow_fetch",
     {1, 1, 1, false, true, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false)},
    {"lanes",
     {3, 1, 2, false, true, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false)},
    {"core",
     {1, 2, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_CORE, false},
     program(false)},
    {"counter",
     {1, 2, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_COUNTER, false},
     program(false)},
    {"running",
     {1, 2, 1, false, true, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(false)},
    {"kill",
     {2, 2, 1, false, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false, 0x80010FF0)},
    {"kill_at_boundary",
     {2, 2, 1, false, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(false, 0x80011000)},
};

class Brk : public testing::TestWithParam<Case>
{
};

void break_at(const Case &c, cs_cycle delay, unsigned errors, cs_cycle *length)
{
    Die die(c.config, delay % 2 ? Style::at_once : Style::later);
    die.world.seed = 7;
    if (errors)
        die.world.error = [errors](unsigned port, unsigned n) -> uint8_t {
            return mix(port, n, errors) % 17 == 0 ? CS_BUS_SLVERR : CS_BUS_OKAY;
        };
    put_events(die.world, c.program);
    const cs_cycle start = put_program(die, c.program, 10);
    World whole = die.world;
    World cut = die.world;
    const cs_cycle end = reference_run(c.config, c.program, whole, start).end;
    *length = end - start;
    const cs_cycle written = start + delay;
    if (written + 1 >= end)
        return;

    die.write(written, CS_PMCU_FSM_BRK, 1);
    const Outcome outcome = reference_run(c.config, c.program, cut, start, written + 1);
    EXPECT_EQ(outcome.end, die.run_to_idle());
    expect_same(outcome, die);
    EXPECT_EQ(2u, die.read(die.now(), CS_PMCU_INT_STAT)) << "BRK and not DONE";
    EXPECT_EQ(outcome.errors, die.read(die.now(), CS_PMCU_FSM_STATUS));
    EXPECT_EQ(CS_NEVER, die.next());
    EXPECT_EQ(2u, die.read(die.now() + 3, CS_PMCU_INT_STAT));
}

TEST_P(Brk, AtEachCycle)
{
    for (unsigned errors : {0u, 1u, 2u, 3u}) {
        cs_cycle length = 1;
        for (cs_cycle delay = 0; delay < length; delay++) {
            break_at(GetParam(), delay, errors, &length);
            ASSERT_FALSE(HasFailure()) << "written " << delay << " cycles after INIT";
        }
        EXPECT_GT(length, errors ? 20u : 60u);
    }
}

// Written again in every cycle after the first: still one BREAK, and the last write finds
// IDLE at the latest.
TEST_P(Brk, WrittenForEver)
{
    const Case &c = GetParam();
    for (cs_cycle delay = 0; delay < 80; delay += 3) {
        Die die(c.config);
        put_events(die.world, c.program);
        const cs_cycle start = put_program(die, c.program, 10);
        for (cs_cycle t = start + delay; t < start + delay + 200; t++)
            die.write(t, CS_PMCU_FSM_BRK, 1);
        die.run(start + delay + 202);
        EXPECT_EQ(0u, die.state(die.now()));
        EXPECT_EQ(CS_NEVER, die.next());
        const auto breaks = std::count_if(die.states.begin(), die.states.end(),
                                          [](const Edge &e) { return e.value == 10; });
        EXPECT_LE(breaks, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Brk, testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(PmcuBrk, InIdle)
{
    Die die({1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false});
    die.write(20, CS_PMCU_FSM_BRK, 1);
    EXPECT_EQ(0u, die.read(21, CS_PMCU_INT_STAT));
    EXPECT_EQ(2u, die.read(22, CS_PMCU_INT_STAT));
    EXPECT_TRUE(die.states.empty());
    die.write(30, CS_PMCU_FSM_BRK, 0);
    die.write(31, CS_PMCU_INT_CLR, 2);
    EXPECT_EQ(0u, die.read(40, CS_PMCU_INT_STAT));
}

// The write of the cycle in which the flag is cleared leaves it set.
TEST(PmcuBrk, WriteWinsOverClearing)
{
    Die die({1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false});
    die.write(20, CS_PMCU_FSM_BRK, 1);
    die.write(21, CS_PMCU_FSM_BRK, 1); // sets again what 21 clears
    die.write(22, CS_PMCU_INT_CLR, 2); // 22 sets INT_STAT.BRK once more
    EXPECT_EQ(2u, die.read(23, CS_PMCU_INT_STAT));
    die.write(23, CS_PMCU_INT_CLR, 2);
    EXPECT_EQ(0u, die.read(24, CS_PMCU_INT_STAT));
}

TEST(PmcuBrk, TriggerRightAfterBrkInIdle)
{
    Program p;
    Die die({1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false});
    put_events(die.world, p);
    put_program(die, p, 0);
    die.run_to_idle();
    const cs_cycle t = die.now() + 5;
    die.write(t, CS_PMCU_FSM_BRK, 1);
    die.write(t + 1, CS_PMCU_FSM_CTRL, 1); // the flag is set, the state IDLE
    EXPECT_EQ(1u, die.state(t + 2));
    EXPECT_EQ(3u, die.read(t + 2, CS_PMCU_INT_STAT));
    die.run_to_idle();
    EXPECT_EQ(2u, die.samples.size()) << "the run is whole";
}

// The last cycle of BREAK clears the flag; a write in it is seen by IDLE.
TEST(PmcuBrk, WriteInTheLastCycleOfBreak)
{
    Program p;
    for (int offset = -2; offset <= 1; offset++) {
        Die die({1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false});
        put_events(die.world, p);
        const cs_cycle start = put_program(die, p, 0);
        die.write(start, CS_PMCU_FSM_BRK, 1);
        World world = die.world;
        world.log.clear();
        const cs_cycle idle =
            reference_run({1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
                          p, world, start, start + 1)
                .end;
        const cs_cycle written = idle + static_cast<cs_cycle>(offset);
        die.write(written, CS_PMCU_FSM_BRK, 1);
        die.write(std::max(idle, written + 1), CS_PMCU_INT_CLR, 2);
        // -2: cleared with the flag. -1: IDLE finds it, sets INT_STAT in idle + 1, where the
        // clear of idle loses. 0: set in idle + 2. 1: in idle + 3.
        EXPECT_EQ(offset < -1 ? 0u : 2u, die.read(idle + 5, CS_PMCU_INT_STAT)) << offset;
    }
}

} // namespace
