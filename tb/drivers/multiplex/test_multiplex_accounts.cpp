// SPDX-License-Identifier: Apache-2.0
// Overflows, and counts that lack what happened while the counters stood still.
#include "multiplex_rig.hpp"
#include "scenario/corepmu/multiplex_spec.h"

using namespace cs_multiplex_test;

namespace
{

// A counter of b bits interrupts at every 2^(b-1) - 1 counts.
TEST(MultiplexAccounts, OverflowsAreInterruptsAtHalfOfTheRange)
{
    struct Case {
        unsigned bits;
        uint64_t span, interrupts;
    };
    const Case cases[] = {
        {8, 126, 0},    {8, 127, 1},        {8, 127 * 10, 10}, {8, 127 * 11 - 1, 10},
        {16, 32766, 0}, {16, 32767 * 3, 3}, {32, 100000, 0},   {64, 100000, 0},
    };

    for (const Case &c : cases) {
        SCOPED_TRACE(c.bits);
        cs_multiplex_spec spec = plain_spec({0x8}, 1);
        spec.counter_bits = c.bits;
        spec.stop_us = c.span + 1; // from cycle 1 on
        Rig rig(spec, 1);
        Streams streams(1, {0x8}, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
        ASSERT_TRUE(rig.run(streams, 200000));
        EXPECT_EQ(rig.report().overflows, c.interrupts);
        EXPECT_EQ(rig.report().rotating.interrupts, c.interrupts);
        EXPECT_EQ(rig.told[0].raw, c.span);
    }
}

TEST(MultiplexAccounts, AnOverflowCosts)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10}, 1);

    spec.counter_bits = 8;
    spec.irq_entry_cycles = 2;
    spec.irq_exit_cycles = 3;
    spec.overflow_cycles = 4;
    spec.register_read_cycles = 1;
    spec.stop_us = 200;
    Rig rig(spec, 1);
    // Event 0x10 counts nothing; 0x8 counts 127 by cycle 1 + (the two enabling calls: 2 + 3 reads) + 127.
    Streams streams(1, {0x8, 0x10}, 1, [](unsigned, uint32_t e, cs_cycle) { return e == 0x8; });
    ASSERT_TRUE(rig.run(streams, 40000));

    const cs_cycle enabled = rig.told[0].from;
    // Entry, PMOVSCLR, PMCR; the counter; PMCR; exit.
    const cs_cycle at = enabled + 127, stop = at + 2 + 2, start = stop + 4 + 1 + 1;
    EXPECT_EQ(rig.report().overflows, 1u);
    EXPECT_EQ(rig.stays[1], (Stay{0, at, start + 3}));
    EXPECT_EQ(rig.told[0].raw, (stop - enabled) + (rig.told[0].to - start));
    EXPECT_EQ(rig.told[0].running, rig.told[0].to - enabled);
}

// Two that overflow in one cycle are one interrupt.
TEST(MultiplexAccounts, OneInterruptForAllCounters)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, kCycles}, 1);

    spec.counter_bits = 8;
    spec.stop_us = 1 + 127 * 2;
    Rig rig(spec, 1);
    Streams streams(1, {0x8, 0x10, kCycles}, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
    ASSERT_TRUE(rig.run(streams, 40000));
    EXPECT_EQ(rig.report().overflows, 2u);
    for (const cs_rotated_count &c : rig.told)
        EXPECT_EQ(c.raw, 254u);
}

// An interrupt that comes too late: the counter has come round, and nobody can know.
TEST(MultiplexAccounts, ARangeThatGoesByUnseenIsLost)
{
    cs_multiplex_spec spec = plain_spec({0x8}, 1);

    spec.counter_bits = 8;
    spec.irq_entry_cycles = 300;
    spec.stop_us = 420;
    Rig rig(spec, 1);
    Streams streams(1, {0x8}, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
    ASSERT_TRUE(rig.run(streams, 40000));
    // It overflows after 127, and is read after 427: one range of 256 has gone by.
    EXPECT_EQ(rig.told[0].to - rig.told[0].from, 427u);
    EXPECT_EQ(rig.told[0].raw, 427u - 256);
    EXPECT_EQ(rig.report().overflows, 1u);
}

// Costs 0: nobody is disturbed, every event has its share, and each count is the truth of its turns.
TEST(MultiplexAccounts, NoCostsNoCyclesStolen)
{
    for (unsigned events = 1; events <= 12; events++) {
        SCOPED_TRACE(events);
        std::vector<uint32_t> numbers;
        for (unsigned i = 0; i < events; i++)
            numbers.push_back(0x20 + i);
        cs_multiplex_spec spec = plain_spec(numbers, 2);
        spec.counters = 4;
        spec.tick_us = 10;
        spec.stop_us =
            1 + 10 * 12 * 11 * 10 * 9; // whole rounds for any of them, but for the first tick
        Rig rig(spec, 2);
        Streams streams(2, numbers, 1,
                        [](unsigned cpu, uint32_t event, cs_cycle) { return event % 5 + cpu; });
        ASSERT_TRUE(rig.run(streams, spec.stop_us + 100));
        EXPECT_TRUE(rig.stays.empty());
        EXPECT_EQ(rig.report().rotating.rotating_cycles, 0u);
        ASSERT_EQ(rig.told.size(), 2u * events);
        for (const cs_rotated_count &c : rig.told) {
            const double share = double(c.running) / double(c.to - c.from);
            EXPECT_NEAR(share, events <= 4 ? 1.0 : 4.0 / events, 1e-3);
            EXPECT_EQ(c.raw, c.running * (c.event % 5 + c.cpu));
        }
    }
}

} // namespace
