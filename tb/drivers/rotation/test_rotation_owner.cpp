// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "An owner": somebody else says what fits.
#include "rotation_rig.hpp"

using namespace cs_test;

namespace
{

// Hands out `free` counters, never one to the events of `refused`; keeps a log of what it was asked.
struct Owner {
    std::vector<int> counter_of;
    std::vector<bool> used;
    uint32_t refused = 0;
    std::string log;

    Owner(unsigned events, unsigned counters) : counter_of(events, -1), used(counters) {}

    cs_rotation_owner interface()
    {
        return {put, take, this};
    }

  private:
    static int put(void *ctx, unsigned event)
    {
        Owner *o = static_cast<Owner *>(ctx);

        if (o->counter_of[event] >= 0)
            return o->counter_of[event];
        for (size_t i = 0; i < o->used.size() && !(o->refused >> event & 1); i++)
            if (!o->used[i]) {
                o->used[i] = true;
                o->counter_of[event] = static_cast<int>(i);
                o->log += "+" + std::to_string(event) + " ";
                return static_cast<int>(i);
            }
        o->log += "?" + std::to_string(event) + " ";
        return -1;
    }
    static void take(void *ctx, unsigned event)
    {
        Owner *o = static_cast<Owner *>(ctx);

        o->used[static_cast<size_t>(o->counter_of[event])] = false;
        o->counter_of[event] = -1;
        o->log += "-" + std::to_string(event) + " ";
    }
};

struct RotationOwner : ::testing::Test {
    cs_rotation *rotation = nullptr;

    void make(const EventList &setup, Owner &owner)
    {
        cs_rotation_config config = setup.config();
        cs_diag diag = {};

        config.owner = owner.interface();
        ASSERT_EQ(cs_rotation_create(&config, &rotation, &diag), CS_OK) << diag.text;
    }
    ~RotationOwner() override
    {
        cs_rotation_destroy(rotation);
    }
};

// Of `allowed` nothing is looked at: 0 is good.
EventList groups(const std::vector<unsigned> &of)
{
    EventList setup;

    setup.pmu(1);
    for (unsigned group : of)
        setup.event(0, group, 0);
    return setup;
}

TEST_F(RotationOwner, EachIsTriedUntilTheFirstIsRefused)
{
    Owner owner(4, 2);

    make(groups({1, 2, 3, 4}), owner);
    EXPECT_EQ(owner.log, "+0 +1 ?2 ");
    EXPECT_TRUE(cs_rotation_waits(rotation, 0));
}

TEST_F(RotationOwner, ATickTakesAllOffAndTriesAnew)
{
    Owner owner(3, 2);

    make(groups({1, 2, 3}), owner);
    owner.log.clear();
    EXPECT_EQ(cs_rotation_tick(rotation), 1u);
    EXPECT_EQ(owner.log, "-0 -1 +2 +0 ?1 ");
    EXPECT_EQ(cs_rotation_counters(rotation)[1], -1);
    EXPECT_EQ(cs_rotation_counters(rotation)[2], 0);
}

TEST_F(RotationOwner, WhatIsPlacedStaysWhereNobodyWaits)
{
    Owner owner(2, 2);

    make(groups({1, 2}), owner);
    owner.log.clear();
    EXPECT_EQ(cs_rotation_tick(rotation), 1u);
    EXPECT_EQ(owner.log, "");
}

TEST_F(RotationOwner, AGroupIsUndoneWhenOneOfItIsRefused)
{
    Owner owner(3, 3);

    owner.refused = 1u << 1;
    make(groups({1, 1, 2}), owner);
    EXPECT_EQ(owner.log, "+0 ?1 -0 ");
    owner.log.clear();
    cs_rotation_tick(rotation);
    EXPECT_EQ(owner.log, "+2 +0 ?1 -0 ");
}

TEST_F(RotationOwner, PinnedGoFirstAndAreNotTaken)
{
    Owner owner(3, 1);
    EventList setup = groups({1, 2});

    setup.event(0, 3, 0, true);
    make(setup, owner);
    EXPECT_EQ(owner.log, "+2 ?0 ");
    owner.log.clear();
    cs_rotation_tick(rotation);
    EXPECT_EQ(owner.log, "?1 ");
    cs_rotation_take_off(rotation);
    EXPECT_EQ(owner.counter_of[2], 0);
}

TEST_F(RotationOwner, TakeOffLeavesNoFlexibleOne)
{
    Owner owner(3, 2);

    make(groups({1, 2, 3}), owner);
    cs_rotation_take_off(rotation);
    EXPECT_EQ(owner.counter_of, (std::vector<int>{-1, -1, -1}));
    EXPECT_EQ(cs_rotation_counters(rotation)[0], -1);
}

} // namespace
