// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "Scheduling", step 4: which event is on which counter.
#include <cstring>

#include "drivers/count.h"
#include "software/perf/assign.h"
#include "unit_rig.hpp"

using namespace cs_test;

namespace
{

struct Case {
    unsigned counters;
    std::vector<uint32_t> allowed;
    const char *on;
};

const Case kCases[] = {
    {1, {1}, "A1:0"},
    {3, {7, 7, 7}, "A1:0 A2:1 A3:2"},
    {3, {7, 1, 7}, "A1:1 A2:0 A3:2"}, // the first gives way
    {3, {3, 3, 4}, "A1:0 A2:1 A3:2"},
    {3, {7, 3, 1}, "A1:2 A2:1 A3:0"}, // a chain of three
    {4, {15, 7, 3, 1}, "A1:3 A2:2 A3:1 A4:0"},
    {4, {12, 12, 15, 15}, "A1:2 A2:3 A3:0 A4:1"},
    {4, {10, 5, 15, 6}, "A1:1 A2:0 A3:3 A4:2"},
    {3, {3, 3, 3, 4}, "A1:0 A2:1"}, // the third ends the list
    {2, {1, 1}, "A1:0"},
    {4, {8, 8, 1}, "A1:3"},
    {32, {UINT32_C(1) << 31, UINT32_MAX}, "A1:31 A2:0"},
};

TEST(RotationCounters, LexicographicallyFirst)
{
    for (const Case &c : kCases) {
        EventList setup;

        setup.unit(c.counters);
        for (size_t i = 0; i < c.allowed.size(); i++)
            setup.event(0, static_cast<unsigned>(i), c.allowed[i]);
        EXPECT_EQ(Rotation(setup).on(), c.on);
    }
}

// Event i allows counters 0..31 - i: there is exactly one way, and every event added moves all.
TEST(RotationCounters, OnlyOneWayFor32)
{
    EventList setup;

    setup.unit(32);
    for (unsigned i = 0; i < 32; i++)
        setup.event(0, i, UINT32_MAX >> i);
    Rotation rotation(setup);

    for (int i = 0; i < 32; i++)
        EXPECT_EQ(rotation.counter(static_cast<size_t>(i)), 31 - i);
    rotation.tick();
    EXPECT_EQ(rotation.counter(0), 31) << "all of them fit";
}

TEST(RotationCounters, The33rdEndsTheList)
{
    EventList setup;

    setup.unit(32).plain(0, 33);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.counter(31), 31);
    EXPECT_EQ(rotation.counter(32), -1);
    rotation.tick();
    EXPECT_EQ(rotation.counter(32), 0);
    EXPECT_EQ(rotation.counter(31), -1);
}

TEST(RotationCounters, AFlexibleEventMovesAPinnedOneIfItMust)
{
    EventList setup;

    setup.unit(2).event(0, 1, 3, true).event(0, 2, 1).event(0, 3, 3);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:1 A2:0");
    rotation.tick();
    EXPECT_EQ(rotation.on(), "A1:0 A3:1");
}

// What a group had before it failed is free again.
TEST(RotationCounters, AFailedGroupLeavesNothing)
{
    EventList setup;

    setup.unit(3);
    setup.event(0, 1, 7, true);                      // A1
    setup.event(0, 2, 1, true).event(0, 2, 1, true); // A2 A3: not both
    setup.event(0, 3, 1).event(0, 4, 2);             // A4 A5
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:2 A4:0 A5:1");
}

// No unit has more counters than 32: the event behind them has no place, and changes no other's.
TEST(RotationCounters, OneEventTooManyForAllCounters)
{
    EventList setup;
    std::string on = "A1:1 A2:0"; // the second may have no other

    setup.unit(32);
    setup.event(0, 1, UINT32_MAX).event(0, 2, 1);
    for (unsigned i = 3; i <= 32; i++) {
        setup.event(0, i, UINT32_MAX);
        on += " A" + std::to_string(i) + ":" + std::to_string(i - 1);
    }
    setup.event(0, 33, 0x1f1e1d1c);
    Rotation rotation(setup);
    EXPECT_EQ(rotation.on(), on);
}

TEST(RotationCounters, AFullSetStaysAsItWas)
{
    cs_rotation_set set = {};

    cs_rotation_set_clear(&set);
    for (unsigned i = 0; i < CS_ROTATION_MAX_COUNTERS; i++)
        ASSERT_TRUE(cs_rotation_set_add(&set, UINT32_MAX));
    const cs_rotation_set before = set;

    for (uint32_t allowed : {UINT32_C(0), UINT32_C(0x1f1e1d1c), UINT32_MAX}) {
        EXPECT_FALSE(cs_rotation_set_add(&set, allowed));
        EXPECT_EQ(memcmp(&set, &before, sizeof set), 0) << allowed;
    }
    cs_rotation_set_clear(&set);
    EXPECT_TRUE(cs_rotation_set_add(&set, 1)) << "and is empty again";
    EXPECT_EQ(set.nr, 1u);
}

// Each figure of two pieces of software is the sum of theirs.
TEST(RotatingReport, Sums)
{
    cs_rotating_report all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const cs_rotating_report more = {10, 20, 30, 40, 50, 60, 70, 80, 90};

    cs_rotating_report_add(&all, &more);
    EXPECT_EQ(all.ticks, 11u);
    EXPECT_EQ(all.rotations, 22u);
    EXPECT_EQ(all.late_ticks, 33u);
    EXPECT_EQ(all.rotating_cycles, 44u);
    EXPECT_EQ(all.register_accesses, 55u);
    EXPECT_EQ(all.bus_cycles, 66u);
    EXPECT_EQ(all.interrupts, 77u);
    EXPECT_EQ(all.overdue_reads, 88u);
    EXPECT_EQ(all.failed_accesses, 99u);
}

} // namespace
