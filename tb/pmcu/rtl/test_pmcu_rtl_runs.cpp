// SPDX-License-Identifier: Apache-2.0
// Whole runs: docs/hw/pmcu.md, "States" and "What is written".
#include "oracle.hpp"

namespace
{

// A fixed sequence of numbers.
class Numbers
{
  public:
    explicit Numbers(uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
    unsigned below(unsigned n)
    {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<unsigned>(state_ >> 33) % n;
    }

  private:
    uint64_t state_;
};

TEST(Run, EveryStateInItsOrder)
{
    Plan s;
    s.nr_loop = 2;
    Pmcu pmcu(s);
    pmcu.run();
    std::vector<State> group{FETCH, PROGRAM, START, WAIT, STOP, READ, STORE, SWITCH};
    std::vector<State> expected{IDLE, INIT};
    for (int i = 0; i < 4; i++)
        expected.insert(expected.end(), group.begin(), group.end());
    expected.push_back(IDLE);
    EXPECT_EQ(pmcu.order(), expected);
    expect_run(pmcu);
}

TEST(Run, EveryKindOfDie)
{
    for (unsigned kind = 0; kind < 256; kind++) {
        Plan s;
        s.comp = kind & 1;
        s.ext64 = kind & 2;
        s.broadcast = kind & 4;
        s.prefetch = kind & 8;
        s.lanes = kind & 16 ? 3 : 1; // one lane more than there are clusters
        s.nr_pmu = kind & 32 ? 5 : 2;
        s.order = kind >> 6;
        s.ev_len = 7;
        SCOPED_TRACE(kind);
        Pmcu pmcu(s);
        pmcu.run();
        expect_run(pmcu);
    }
}

TEST(Run, Limits)
{
    struct Case {
        unsigned clusters, slots, lanes, ev_len, nr_loop, nr_pmu;
        bool comp;
    };
    const Case cases[] = {
        {1, 1, 1, 1, 1, 1, false},   {16, 8, 4, 8, 1, 8, false}, {1, 1, 4, 255, 1, 8, false},
        {1, 1, 1, 1, 255, 1, false}, {16, 8, 1, 5, 1, 5, true},  {3, 1, 2, 3, 2, 3, false},
        {1, 3, 1, 9, 1, 4, true},
    };
    for (const Case &c : cases) {
        Plan s;
        s.clusters = c.clusters;
        s.slots = c.slots;
        s.lanes = c.lanes;
        s.ev_len = c.ev_len;
        s.nr_loop = c.nr_loop;
        s.nr_pmu = c.nr_pmu;
        s.comp = c.comp;
        s.wait_cnt = 0;
        SCOPED_TRACE(testing::Message() << c.clusters << "x" << c.slots << " E " << c.ev_len);
        Pmcu pmcu(s);
        pmcu.run();
        expect_run(pmcu);
    }
}

TEST(Run, BurstsEndAtPages)
{
    for (uint64_t before = 0; before <= 64; before += 4) {
        Plan s;
        s.ev_len = s.nr_pmu = 8;
        s.event_base = 0x80002000 - before;
        s.store_base = 0x90003000 - 2 * before;
        SCOPED_TRACE(before);
        Pmcu pmcu(s);
        pmcu.run();
        expect_run(pmcu);
    }
}

TEST(Run, TimeOfWait)
{
    for (unsigned prefetch = 0; prefetch < 2; prefetch++) {
        for (unsigned slow = 0; slow < 2; slow++) {
            for (unsigned ticks : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 40u}) {
                Plan s;
                s.prefetch = prefetch;
                s.wait_cnt = ticks;
                s.tick_cycles = 1 + 2 * slow;
                Pmcu pmcu(s);
                if (slow)
                    pmcu.world.delay = [] { return 3u; };
                pmcu.run();
                expect_run(pmcu);
            }
        }
    }
}

TEST(Run, WorksOnCopiesOfItsRegisters)
{
    Plan s;
    s.nr_loop = 2;
    Pmcu pmcu(s);
    pmcu.configure();
    pmcu.trigger();
    for (uint16_t offset :
         {reg::cfg, reg::event_h, reg::event_l, reg::kill_h, reg::kill_l, reg::store_h,
          reg::store_l, reg::wait_cnt, reg::comp, reg::pmcr, reg::pmccfiltr})
        pmcu.write(offset, 0xFFFFFFFF);
    pmcu.finish();
    expect_run(pmcu);
}

TEST(Run, ReadsTheEventsAgainForEveryGroup)
{
    for (bool prefetch : {false, true}) {
        Plan s;
        s.ev_len = s.nr_pmu = 1;
        s.nr_loop = 2;
        s.prefetch = prefetch;
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        ASSERT_TRUE(pmcu.reach(PROGRAM));
        pmcu.world.put(s.event_base, 0x77770042);
        ASSERT_TRUE(pmcu.reach(SWITCH));
        ASSERT_TRUE(pmcu.reach(PROGRAM));
        pmcu.finish();
        EXPECT_EQ(pmcu.order().size(), prefetch ? 18u : 19u);
        unsigned seen = 0;
        for (const Transfer &t : pmcu.world.transfers) {
            if (t.write && t.to_core() && t.offset() == 0x400) {
                EXPECT_EQ(t.word(), seen++ < 4 ? 0x1000u : 0x42u);
            }
        }
        EXPECT_EQ(seen, 8u);
    }
}

TEST(Run, AnyPlanInAnyWorld)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        Numbers numbers(seed);
        Plan s;
        s.clusters = 1 + numbers.below(4);
        s.slots = 1 + numbers.below(4);
        s.lanes = 1 + numbers.below(4);
        s.broadcast = numbers.below(2);
        s.prefetch = numbers.below(2);
        s.order = numbers.below(4);
        s.ext64 = numbers.below(2);
        s.posted = numbers.below(3) == 0;
        s.comp = numbers.below(2);
        s.tick_cycles = 1 + numbers.below(3);
        s.wait_cnt = numbers.below(30);
        s.pmcr = 0x21 * (seed & 1) | 0xC0 * (seed >> 1 & 1); // the bits that are kept
        s.nr_pmu = 1 + numbers.below(s.comp ? 5 : 8);
        s.ev_len = 1 + numbers.below(12);
        s.nr_loop = 1 + numbers.below(3);
        s.event_base = 0x80001000 - 4 * numbers.below(16);
        s.store_base = 0x90001000 - numbers.below(600);
        s.kill_base = numbers.below(3) ? 0xA0000000 : s.store_base + numbers.below(2000);
        Pmcu pmcu(s);
        unsigned bound = numbers.below(6), faults = numbers.below(3) * 4;
        Numbers delays(seed + 1000);
        pmcu.world.delay = [delays, bound]() mutable { return delays.below(bound + 1); };
        pmcu.world.fails = [faults, seed](const Transfer &t) {
            // By address alone, so that the oracle sees the same; memory less often.
            uint64_t hash = (t.addr / 4 * 2 + t.write + seed * 977) * 0x9E3779B97F4A7C15u >> 40;
            return hash % 200 < (t.to_core() ? faults : faults / 4);
        };
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        pmcu.run();
        expect_run(pmcu);
        if (testing::Test::HasFailure())
            return;
    }
}

} // namespace
