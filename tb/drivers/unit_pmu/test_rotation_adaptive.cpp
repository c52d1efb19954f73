// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "The adaptive divider". The limit: 100 cycles a tick of 1000.
#include <gtest/gtest.h>

#include "drivers/unit_pmu/rotation_pace.h"

namespace
{

struct Pace {
    cs_rotation_pace pace = {};
    cs_rotation_limits limits = {10 * 1000, 16};

    explicit Pace(unsigned divider = 1, bool adaptive = true)
    {
        pace.divider = pace.least_divider = divider;
        pace.adaptive = adaptive;
    }
    bool tick()
    {
        return cs_rotation_pace_tick(&pace, &limits);
    }
    void took(uint64_t cost)
    {
        cs_rotation_pace_bear(&pace, cost);
    }
    unsigned divider() const
    {
        return pace.divider;
    }
};

// One rotation that costs so much, and the divider after it.
unsigned rotate(Pace &pace, uint64_t cost)
{
    while (!pace.tick())
        ;
    pace.took(cost);
    const unsigned before = pace.divider();

    // The next tick takes the cost in; it is due itself only when the divider is 1.
    if (before > 1)
        pace.tick();
    return pace.divider();
}

TEST(RotationAdaptive, TheLimitItselfIsAllowed)
{
    Pace rotation;

    rotation.tick();
    rotation.took(100);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 1u);
    rotation.took(101);
    EXPECT_EQ(rotation.divider(), 1u) << "in force from the next tick on";
    EXPECT_FALSE(rotation.tick()) << "which counts by the new one";
    EXPECT_EQ(rotation.divider(), 2u);
    EXPECT_TRUE(rotation.tick());
}

TEST(RotationAdaptive, GrowsToWhatIsNeeded)
{
    Pace rotation(2);
    const unsigned expected[] = {4, 8, 8, 8, 8, 8};

    for (unsigned divider : expected)
        EXPECT_EQ(rotate(rotation, 700), divider);
}

TEST(RotationAdaptive, GrowsNoFurtherThanTheMost)
{
    Pace rotation(3);

    rotation.limits.most_divider = 11;
    for (unsigned divider : {6u, 11u, 11u})
        EXPECT_EQ(rotate(rotation, UINT64_MAX), divider);
}

TEST(RotationAdaptive, ShrinksAfterFourCalmOnes)
{
    Pace rotation(3);

    EXPECT_EQ(rotate(rotation, 1000), 6u);
    EXPECT_EQ(rotate(rotation, 1000), 12u);
    for (unsigned divider : {12u, 12u, 12u, 6u, 6u, 6u, 6u, 3u, 3u, 3u, 3u, 3u})
        EXPECT_EQ(rotate(rotation, 0), divider);
}

TEST(RotationAdaptive, ShrinksNoFurtherThanConfigured)
{
    Pace rotation(5);

    rotation.limits.most_divider = 8;
    EXPECT_EQ(rotate(rotation, 600), 8u);
    for (unsigned divider : {8u, 8u, 8u, 5u, 5u, 5u, 5u, 5u})
        EXPECT_EQ(rotate(rotation, 10), divider);
}

TEST(RotationAdaptive, BetweenHalfAndWholeNothingChanges)
{
    Pace rotation(2);

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
    Pace rotation(2);

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
        Pace rotation(2);

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
    Pace rotation(2);

    rotation.tick();
    rotation.took(5000); // was not due
    rotation.tick();
    rotation.took(100);
    rotation.took(100);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 2u);
    rotation.tick();
    rotation.took(100);
    rotation.took(101);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 4u);
}

TEST(RotationAdaptive, TheSumSaturates)
{
    Pace rotation(2);

    rotation.tick();
    rotation.tick();
    rotation.took(UINT64_MAX);
    rotation.took(2);
    rotation.tick();
    EXPECT_EQ(rotation.divider(), 4u);
}

TEST(RotationAdaptive, OnlyWhereItIsAsked)
{
    Pace fixed(2, false);

    EXPECT_EQ(rotate(fixed, 5000), 2u);
}

TEST(RotationAdaptive, WhatIsLeftKnowsTheCost)
{
    Pace rotation(2);

    rotation.tick();
    EXPECT_EQ(cs_rotation_pace_left(&rotation.pace, &rotation.limits), 1u);
    rotation.tick();
    EXPECT_EQ(cs_rotation_pace_left(&rotation.pace, &rotation.limits), 2u);
    rotation.tick();
    rotation.tick();
    rotation.took(5000);
    EXPECT_EQ(cs_rotation_pace_left(&rotation.pace, &rotation.limits), 4u);
}

TEST(RotationAdaptive, TheLongestTick)
{
    const uint64_t tick_cycles = UINT64_MAX / 10000;
    Pace rotation(2);

    rotation.limits = {100 * tick_cycles, UINT32_MAX};
    EXPECT_EQ(rotate(rotation, 2 * tick_cycles), 2u);
    EXPECT_EQ(rotate(rotation, 2 * tick_cycles + 1), 4u);
    EXPECT_EQ(rotate(rotation, UINT64_MAX), 8u);
}

// With a limit of a hundredth of a cycle, a cost can need a divider that no 32 bits hold.
TEST(RotationAdaptive, TheShortestTick)
{
    Pace rotation(2);

    rotation.limits = {1, 9};
    EXPECT_EQ(rotate(rotation, (UINT64_C(1) << 32) + 1), 4u);
    EXPECT_EQ(rotate(rotation, UINT64_C(1) << 62), 8u) << "100 x that is 0 in 64 bits";
    EXPECT_EQ(rotate(rotation, UINT64_MAX), 9u);
}

} // namespace
