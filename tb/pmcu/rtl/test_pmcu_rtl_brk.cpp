// SPDX-License-Identifier: Apache-2.0
// docs/hw/pmcu.md, "BRK".
#include "oracle.hpp"

#include <algorithm>

namespace
{

struct Case {
    const char *name;
    unsigned lanes, delay;
    bool prefetch, broadcast, comp;
    bool pages = false; // bursts are cut in two
};

void PrintTo(const Case &c, std::ostream *out)
{
    *out << c.name;
}

// Groups of one event, three of them; or two of four, whose bursts meet a page.
Plan plan_of(const Case &c)
{
    Plan s;
    s.slots = 1;
    s.ev_len = 3;
    s.nr_pmu = 1;
    s.lanes = c.lanes;
    s.prefetch = c.prefetch;
    s.broadcast = c.broadcast;
    s.comp = c.comp;
    if (c.pages) {
        s.ev_len = 8;
        s.nr_pmu = 4;
        s.event_base = 0x80000ff8;
        s.store_base = 0x90000fe0;
    }
    return s;
}

void prepare(Pmcu &pmcu, const Case &c)
{
    unsigned n = 0, bound = c.delay;
    pmcu.world.delay = [n, bound]() mutable { return bound == 0 ? 0 : n++ * 7 % (bound + 1); };
    pmcu.configure();
    pmcu.trigger();
}

State state_at(const Pmcu &pmcu, uint64_t cycle)
{
    State state = IDLE;
    for (const auto &entry : pmcu.states)
        if (entry.second <= cycle)
            state = entry.first;
    return state;
}

void expect_break_walk(const Pmcu &pmcu)
{
    Oracle oracle(pmcu.plan, pmcu.world);
    oracle.walk(BREAK, 0);
    std::vector<std::string> lanes[nr_lane];
    for (const Transfer &t : pmcu.world.transfers)
        if (state_at(pmcu, t.asked) == BREAK)
            lanes[t.lane].push_back(text_of(t, 1));
    for (unsigned l = 0; l < nr_lane; l++)
        EXPECT_EQ(lanes[l], oracle.lanes[l]);
}

// Another run, as if nothing had been.
void expect_a_good_run(Pmcu &pmcu)
{
    pmcu.write(reg::int_clr, done | broken);
    pmcu.world.transfers.clear();
    pmcu.samples.clear();
    pmcu.states = {{IDLE, pmcu.cycle}};
    pmcu.trigger();
    pmcu.finish();
    expect_run(pmcu);
}

class Brk : public testing::TestWithParam<Case>
{
};

TEST_P(Brk, InEveryCycleOfARun)
{
    Plan s = plan_of(GetParam());
    Pmcu whole(s);
    prepare(whole, GetParam());
    whole.finish();
    uint64_t end = whole.states.back().second;
    std::vector<bool> broken_in(BREAK + 1);

    for (uint64_t e = whole.triggered + 1; e < end; e++) {
        Pmcu pmcu(s);
        prepare(pmcu, GetParam());
        pmcu.step(e - pmcu.cycle);
        pmcu.write(reg::brk, 1);
        pmcu.finish();
        pmcu.step(2);
        SCOPED_TRACE(testing::Message()
                     << "BRK in cycle " << e << " of state " << state_at(pmcu, e));
        std::vector<State> order = pmcu.order();
        State seen = state_at(whole, e + 1); // the state in which the flag is set
        if (seen == IDLE) {
            EXPECT_EQ(order, whole.order());
            EXPECT_EQ(pmcu.read(reg::int_stat), done | broken);
            continue;
        }
        broken_in[seen] = true;
        ASSERT_EQ(order[order.size() - 2], BREAK);
        EXPECT_EQ(order[order.size() - 3], seen);
        EXPECT_EQ(pmcu.read(reg::int_stat), broken) << "one or the other";
        EXPECT_EQ(pmcu.read(reg::status), 0u);
        expect_times(pmcu, e);
        expect_break_walk(pmcu);
        EXPECT_EQ(pmcu.samples.size(), std::count(order.begin(), order.end(), SWITCH));
        expect_a_good_run(pmcu);
        if (HasFailure())
            return;
    }
    for (State state : {INIT, FETCH, PROGRAM, START, WAIT, STOP, READ, STORE, SWITCH})
        EXPECT_TRUE(broken_in[state]) << state;
}

INSTANTIATE_TEST_SUITE_P(Dies, Brk,
                         testing::Values(Case{"plain", 1, 0, false, false, false},
                                         Case{"lanes", 2, 3, false, false, false},
                                         Case{"prefetch", 1, 2, true, false, false},
                                         Case{"broadcast", 3, 4, true, true, false},
                                         Case{"compat", 1, 1, false, false, true},
                                         Case{"pages", 1, 2, false, false, false, true},
                                         Case{"prefetch_pages", 1, 2, true, false, false, true}),
                         [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

TEST(Break, InALongWaitIsAtOnce)
{
    Plan s;
    s.wait_cnt = 0xFFFFFFFF;
    s.tick_cycles = 0xFFFF;
    Pmcu pmcu(s);
    pmcu.configure();
    pmcu.trigger();
    ASSERT_TRUE(pmcu.reach(WAIT));
    pmcu.step(5000);
    EXPECT_EQ(pmcu.state(), WAIT);
    pmcu.write(reg::brk, 1); // e
    EXPECT_EQ(pmcu.state(), WAIT);
    pmcu.step(); // e + 1, the flag is set
    EXPECT_EQ(pmcu.state(), BREAK);
    pmcu.finish(100);
    EXPECT_EQ(pmcu.read(reg::int_stat), broken);
}

TEST(Break, InIdleRaisesTheInterruptAndNothingElse)
{
    Pmcu pmcu(Plan{});
    pmcu.write(reg::int_en, broken);
    pmcu.write(reg::brk, 0);
    pmcu.step(3);
    EXPECT_FALSE(pmcu.dut.irq_o) << "a zero is no BRK";
    pmcu.write(reg::brk, 1); // e
    EXPECT_FALSE(pmcu.dut.irq_o);
    pmcu.step(); // e + 1, the flag is set
    EXPECT_TRUE(pmcu.dut.irq_o);
    EXPECT_EQ(pmcu.read(reg::int_stat), broken);
    pmcu.write(reg::int_clr, broken);
    pmcu.step(20);
    EXPECT_FALSE(pmcu.dut.irq_o) << "once";
    EXPECT_EQ(pmcu.order(), std::vector<State>{IDLE});
    pmcu.configure();
    pmcu.trigger();
    pmcu.finish();
    expect_run(pmcu);
}

TEST(Break, WithATriggerNextToIt)
{
    // BRK in e, the trigger in e + 1 (the flag is set, in IDLE): the run goes its way.
    Pmcu before{Plan{}};
    before.configure();
    before.write(reg::brk, 1);
    before.trigger();
    EXPECT_EQ(before.state(), INIT);
    before.finish();
    EXPECT_EQ(before.samples.size(), 2u);
    EXPECT_EQ(before.read(reg::int_stat), done | broken);

    // The trigger in e, BRK in e + 1 (the first cycle of INIT): seen in INIT's second.
    Pmcu after{Plan{}};
    after.configure();
    after.trigger();
    after.write(reg::brk, 1);
    after.finish();
    EXPECT_EQ(after.order(), (std::vector<State>{IDLE, INIT, BREAK, IDLE}));
    EXPECT_EQ(after.read(reg::int_stat), broken);
}

// A second BRK: lost in BREAK, but for the cycles in which the flag is about to be cleared.
TEST(Break, AgainInEveryCycleOfBreak)
{
    Plan s;
    s.slots = 1;
    Pmcu probe(s);
    probe.configure();
    probe.trigger();
    ASSERT_TRUE(probe.reach(PROGRAM));
    probe.write(reg::brk, 1);
    probe.finish();
    uint64_t begin = probe.states[probe.states.size() - 2].second;
    uint64_t idle = probe.states.back().second;

    for (uint64_t e = begin - 1; e <= idle; e++) {
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(PROGRAM));
        pmcu.write(reg::brk, 1);
        pmcu.step(e - pmcu.cycle);
        pmcu.write(reg::brk, 1);
        pmcu.step(idle - std::min(idle, pmcu.cycle));
        EXPECT_EQ(pmcu.order(), probe.order());
        EXPECT_EQ(pmcu.states.back().second, idle) << "the walk is the same";
        // Written in the last cycle of BREAK or in IDLE it raises the interrupt again.
        pmcu.step(5);
        pmcu.write(reg::int_clr, broken);
        EXPECT_EQ(pmcu.read(reg::int_stat), 0u);
        pmcu.trigger();
        pmcu.finish();
        EXPECT_EQ(pmcu.read(reg::int_stat), done) << "no flag is left over";
    }
}

TEST(Break, InTheCycleInWhichTheFlagIsCleared)
{
    for (bool again : {false, true}) {
        Plan s;
        s.slots = 1;
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(WAIT));
        pmcu.write(reg::brk, 1);
        ASSERT_TRUE(pmcu.reach(BREAK));
        pmcu.step(7); // t; two writes until t + 6; t + 7 is its last cycle
        EXPECT_EQ(pmcu.state(), BREAK);
        if (again)
            pmcu.write(reg::brk, 1);
        else
            pmcu.step();
        ASSERT_EQ(pmcu.state(), IDLE);
        EXPECT_TRUE(pmcu.dut.irq_o);
        pmcu.write(reg::int_clr, broken); // in the cycle in which the flag acts
        EXPECT_EQ(pmcu.dut.irq_o, again);
    }
}

} // namespace
