// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "The adaptive divider". The limit of the rig: 100 cycles a tick of 1000.
#include "rotation_rig.hpp"

using namespace cs_test;

namespace
{

EventList adaptive(unsigned divider = 1)
{
    EventList setup;

    setup.pmu(1, divider, true).plain(0, 2);
    return setup;
}

// One rotation that costs so much, and the divider after it.
unsigned rotate(Rotation &rotation, uint64_t cost, unsigned pmu = 0)
{
    while (rotation.tick() == 0)
        ;
    cs_rotation_took(rotation.get(), pmu, cost);
    const unsigned before = rotation.divider(pmu);

    // The next tick takes the cost in; it is due itself only when the divider is 1.
    if (before > 1)
        rotation.tick();
    return rotation.divider(pmu);
}

TEST(RotationAdaptive, TheLimitItselfIsAllowed)
{
    Rotation rotation(adaptive());

    rotation.tick();
    cs_rotation_took(rotation.get(), 0, 100);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 1u);
    cs_rotation_took(rotation.get(), 0, 101);
    EXPECT_EQ(rotation.divider(), 1u) << "in force from the next tick on";
    EXPECT_EQ(rotation.tick(), 0u) << "which counts by the new one";
    EXPECT_EQ(rotation.divider(), 2u);
    EXPECT_EQ(rotation.tick(), 1u);
}

TEST(RotationAdaptive, GrowsToWhatIsNeeded)
{
    Rotation rotation(adaptive(2));
    const unsigned expected[] = {4, 8, 8, 8, 8, 8};

    for (unsigned divider : expected)
        EXPECT_EQ(rotate(rotation, 700), divider);
}

TEST(RotationAdaptive, GrowsNoFurtherThanTheMost)
{
    EventList setup = adaptive(3);

    setup.most_divider = 11;
    Rotation rotation(setup);
    for (unsigned divider : {6u, 11u, 11u})
        EXPECT_EQ(rotate(rotation, UINT64_MAX), divider);
}

TEST(RotationAdaptive, ShrinksAfterFourCalmOnes)
{
    EventList setup = adaptive(3);
    Rotation rotation(setup);

    EXPECT_EQ(rotate(rotation, 1000), 6u);
    EXPECT_EQ(rotate(rotation, 1000), 12u);
    for (unsigned divider : {12u, 12u, 12u, 6u, 6u, 6u, 6u, 3u, 3u, 3u, 3u, 3u})
        EXPECT_EQ(rotate(rotation, 0), divider);
}

TEST(RotationAdaptive, ShrinksNoFurtherThanConfigured)
{
    EventList setup = adaptive(5);

    setup.most_divider = 8;
    Rotation rotation(setup);
    EXPECT_EQ(rotate(rotation, 600), 8u);
    for (unsigned divider : {8u, 8u, 8u, 5u, 5u, 5u, 5u, 5u})
        EXPECT_EQ(rotate(rotation, 10), divider);
}

TEST(RotationAdaptive, BetweenHalfAndWholeNothingChanges)
{
    Rotation rotation(adaptive(2));

    EXPECT_EQ(rotate(rotation, 350), 4u);
    EXPECT_EQ(rotate(rotation, 700), 8u);
    for (unsigned i = 0; i < 10; i++)
        EXPECT_EQ(rotate(rotation, 401), 8u) << "more than half";
    for (unsigned divider : {8u, 8u, 8u, 4u})
        EXPECT_EQ(rotate(rotation, 400), divider) << "half";
    for (unsigned i = 0; i < 10; i++)
        EXPECT_EQ(rotate(rotation, 400), 4u) << "and it stays there";
}

TEST(RotationAdaptive, CalmMeansFourInARow)
{
    Rotation rotation(adaptive(2));

    EXPECT_EQ(rotate(rotation, 300), 4u);
    for (uint64_t cost : {0, 0, 0, 300, 0, 0, 0})
        EXPECT_EQ(rotate(rotation, cost), 4u);
    EXPECT_EQ(rotate(rotation, 401), 8u) << "three, then one above the limit";
    for (unsigned divider : {8u, 8u, 8u, 4u})
        EXPECT_EQ(rotate(rotation, 0), divider);
}

TEST(RotationAdaptive, AConstantCostSettles)
{
    for (uint64_t cost = 0; cost <= 1600; cost += 25) {
        EventList setup = adaptive(2);

        Rotation rotation(setup);
        for (unsigned i = 0; i < 30; i++)
            rotate(rotation, cost);
        const unsigned settled = rotation.divider();
        for (unsigned i = 0; i < 30; i++)
            EXPECT_EQ(rotate(rotation, cost), settled) << cost;
        EXPECT_LE(cost, settled * 100) << "within the limit";
    }
}

TEST(RotationAdaptive, CostsOfATickAddUp)
{
    Rotation rotation(adaptive(2));

    rotation.tick();
    cs_rotation_took(rotation.get(), 0, 5000); // was not due
    rotation.tick();
    cs_rotation_took(rotation.get(), 0, 100);
    cs_rotation_took(rotation.get(), 0, 100);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 2u);
    rotation.tick();
    cs_rotation_took(rotation.get(), 0, 100);
    cs_rotation_took(rotation.get(), 0, 101);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 4u);
}

TEST(RotationAdaptive, TheSumSaturates)
{
    Rotation rotation(adaptive(2));

    rotation.tick();
    rotation.tick();
    cs_rotation_took(rotation.get(), 0, UINT64_MAX);
    cs_rotation_took(rotation.get(), 0, 2);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 4u);
}

TEST(RotationAdaptive, AGlobalListPaysForAllItsPmus)
{
    EventList setup;

    setup.list = CS_ROTATION_GLOBAL;
    setup.pmu(1, 1, true).pmu(1).plain(0, 2).plain(1, 2);
    Rotation rotation(setup);

    rotation.tick();
    cs_rotation_took(rotation.get(), 0, 60);
    cs_rotation_took(rotation.get(), 1, 60);
    cs_rotation_took(rotation.get(), 2, 1000); // no such PMU
    rotation.tick();
    EXPECT_EQ(rotation.divider(1), 2u);
    rotation.tick();
    cs_rotation_took(rotation.get(), 2, 100000);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 2u);
}

TEST(RotationAdaptive, OnlyWhereItIsAsked)
{
    EventList setup;

    setup.pmu(1, 2, false).pmu(1, 2, true).plain(0, 2).plain(1, 2);
    Rotation rotation(setup);

    for (unsigned i = 0; i < 2; i++)
        rotation.tick();
    cs_rotation_took(rotation.get(), 0, 5000);
    cs_rotation_took(rotation.get(), 1, 5000);
    rotation.tick();
    EXPECT_EQ(rotation.divider(0), 2u);
    EXPECT_EQ(rotation.divider(1), 4u);
}

TEST(RotationAdaptive, OfAGlobalListPmu0Says)
{
    EventList setup;

    setup.list = CS_ROTATION_GLOBAL;
    setup.pmu(1).pmu(1, 1, true).plain(0, 2);
    Rotation rotation(setup);

    rotation.tick();
    cs_rotation_took(rotation.get(), 1, 5000);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 1u);
}

TEST(RotationAdaptive, TheLongestTick)
{
    EventList setup = adaptive(2);

    setup.tick_cycles = UINT64_MAX / 10000;
    setup.limit_percent = 100;
    setup.most_divider = UINT32_MAX;
    Rotation rotation(setup);

    EXPECT_EQ(rotate(rotation, 2 * setup.tick_cycles), 2u);
    EXPECT_EQ(rotate(rotation, 2 * setup.tick_cycles + 1), 4u);
    EXPECT_EQ(rotate(rotation, UINT64_MAX), 8u);
}

// With a limit of a hundredth of a cycle, a cost can need a divider that no 32 bits hold.
TEST(RotationAdaptive, TheShortestTick)
{
    EventList setup = adaptive(2);

    setup.tick_cycles = 1;
    setup.limit_percent = 1;
    setup.most_divider = 9;
    Rotation rotation(setup);

    EXPECT_EQ(rotate(rotation, (UINT64_C(1) << 32) + 1), 4u);
    EXPECT_EQ(rotate(rotation, UINT64_C(1) << 62), 8u) << "100 x that is 0 in 64 bits";
    EXPECT_EQ(rotate(rotation, UINT64_MAX), 9u);
}

} // namespace
