// SPDX-License-Identifier: Apache-2.0
// What software does while the unit works: writes during a run, interrupts.
#include "reference.hpp"

namespace
{

const cs_pmcu_config config = {2,    2, 2, false, true, false, 3, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE,
                               false};

Program program()
{
    Program p;
    p.ev_len = 6;
    p.nr_loop = 2;
    p.nr_pmu = 3;
    p.wait_cnt = 4;
    return p;
}

// A run works on its copies: whatever is written on the way, it is the same run.
TEST(PmcuInputs, WritesDuringARunReachTheNext)
{
    const Program p = program();
    Program other = p;
    other.ev_len = 2;
    other.nr_loop = 3;
    other.nr_pmu = 2;
    other.comp = true;
    other.event_base = 0x80005554;
    other.store_base = 0x80020000;
    other.kill_base = 0x80020100;
    other.wait_cnt = 1;
    other.pmcr = 0x40;
    other.pmccfiltr = 0x12000000;

    for (cs_cycle delay = 0; delay < 500; delay += 7) {
        Die die(config);
        put_events(die.world, p);
        put_events(die.world, other);
        const cs_cycle start = put_program(die, p, 0);
        World world = die.world;
        const Outcome first = reference_run(config, p, world, start);

        put_program(die, other, start + delay); // its trigger is lost, or too late
        if (start + delay + 12 < first.end) {
            EXPECT_EQ(first.end, die.run_to_idle());
            expect_same(first, die);
            const cs_cycle again = die.now() + 3;
            die.states.clear();
            die.samples.clear();
            die.world.log.clear();
            die.write(again - 1, CS_PMCU_FSM_CTRL, 1);
            world = die.world;
            const Outcome second = reference_run(config, other, world, again);
            EXPECT_EQ(second.end, die.run_to_idle());
            expect_same(second, die);
            EXPECT_EQ(second.errors, die.read(die.now(), CS_PMCU_FSM_STATUS));
        }
        ASSERT_FALSE(HasFailure()) << delay;
    }
}

TEST(PmcuInterrupt, LineIsAFunctionOfTheRegisters)
{
    for (unsigned enable = 0; enable < 4; enable++)
        for (unsigned mask = 0; mask < 4; mask++) {
            Die die(config);
            die.write(0, CS_PMCU_INT_EN, enable);
            die.write(1, CS_PMCU_INT_MSK, mask);
            die.write(2, CS_PMCU_FSM_CTRL, 1); // illegal: DONE at 3
            EXPECT_EQ(1u, die.read(3, CS_PMCU_INT_STAT)) << "whatever INT_EN says";
            EXPECT_EQ((enable & ~mask & 1) != 0, cs_pmcu_irq(die.pmcu()));
            die.write(9, CS_PMCU_FSM_BRK, 1); // BRK at 11
            EXPECT_EQ(3u, die.read(11, CS_PMCU_INT_STAT));
            EXPECT_EQ((enable & ~mask) != 0, cs_pmcu_irq(die.pmcu()));
        }
}

TEST(PmcuInterrupt, EdgesCarryTheirCycleAndTheirDie)
{
    for (uint16_t number = 0; number < CS_PMCU_MAX_DIES; number++) {
        cs_pmcu_config numbered = config;
        numbered.die = number;
        Die die(numbered);
        die.write(0, CS_PMCU_INT_EN, 1);
        die.write(10, CS_PMCU_FSM_CTRL, 1);
        die.write(20, CS_PMCU_INT_MSK, 1);
        die.write(30, CS_PMCU_INT_MSK, 0);
        die.write(40, CS_PMCU_INT_CLR, 2); // another bit
        die.write(50, CS_PMCU_INT_CLR, 1);
        die.run(60);
        const std::vector<Edge> expected = {{11, 1}, {21, 0}, {31, 1}, {51, 0}};
        EXPECT_TRUE(expected == die.irqs);
        EXPECT_TRUE(expected == die.irq_calls);
    }
}

TEST(PmcuInterrupt, AClearIsForItsCycleAlone)
{
    Die die(config);
    die.write(0, CS_PMCU_FSM_CTRL, 1); // illegal: DONE
    die.write(10, CS_PMCU_INT_CLR, 1);
    EXPECT_EQ(0u, die.read(11, CS_PMCU_INT_STAT));
    die.write(20, CS_PMCU_FSM_CTRL, 1);
    die.write(30, CS_PMCU_WAIT_CNT, 0);
    EXPECT_EQ(1u, die.read(31, CS_PMCU_INT_STAT));
}

// countersink/models/pmcu/pmcu.h: the call itself advances to the write's cycle, also when it is refused.
TEST(PmcuInputs, AWriteAdvancesToItsCycle)
{
    Die die(config);
    EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_write(die.pmcu(), 5, CS_PMCU_INT_EN, false, 1));
    EXPECT_EQ(5u, die.now());
    EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_write(die.pmcu(), 9, CS_PMCU_FSM_CTRL, false, 1));
    EXPECT_EQ(9u, die.now());
    EXPECT_EQ(CS_BUS_SLVERR, cs_pmcu_write(die.pmcu(), 15, CS_PMCU_INT_CLR, true, 1));
    EXPECT_EQ(15u, die.now());
    EXPECT_TRUE((std::vector<Edge>{{10, 1}}) == die.irqs);
}

TEST(PmcuInterrupt, AdvanceStopsAfterAnEdge)
{
    Die die(config);
    die.write(0, CS_PMCU_INT_EN, 1);
    die.write(10, CS_PMCU_FSM_CTRL, 1);
    EXPECT_EQ(11u, cs_pmcu_advance(die.pmcu(), 100));
    EXPECT_TRUE(cs_pmcu_irq(die.pmcu()));
    EXPECT_EQ(100u, cs_pmcu_advance(die.pmcu(), 100));
    EXPECT_EQ(100u, cs_pmcu_advance(die.pmcu(), 3));
}

// DONE is set in the cycle in which STATE becomes IDLE; a clear that acts then loses.
TEST(PmcuInterrupt, SetWinsOverClear)
{
    const Program p = program();
    World world;
    put_events(world, p);
    const cs_cycle end = reference_run(config, p, world, 12).end;
    for (int offset = -2; offset <= 1; offset++) {
        Die die(config);
        put_events(die.world, p);
        ASSERT_EQ(12u, put_program(die, p, 0));
        const cs_cycle written = end + static_cast<cs_cycle>(offset);
        die.write(written, CS_PMCU_INT_CLR, 3);
        die.run(end + 5);
        EXPECT_EQ(end, die.states.back().cycle);
        EXPECT_EQ(offset < 0 ? 1u : 0u, die.read(end + 5, CS_PMCU_INT_STAT)) << offset;
    }
}

} // namespace
