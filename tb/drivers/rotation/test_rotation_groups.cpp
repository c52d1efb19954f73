// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "Scheduling": pinned groups, groups all or nothing, where a list ends.
#include "rotation_rig.hpp"

using namespace cs_test;

namespace
{

TEST(RotationGroups, PinnedGoFirstAndStay)
{
    EventList setup;

    setup.pmu(2).plain(0, 3).plain(0, 1, true);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "A1 A2 A3") << "the pinned one is in no list";
    for (const char *on : {"A1:1 A4:0", "A3:1 A4:0", "A2:1 A4:0", "A1:1 A4:0"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, APinnedGroupThatDoesNotFitIsInErrorForEver)
{
    EventList setup;

    setup.pmu(2);
    setup.event(0, 1, 1, true);                         // A1
    setup.event(0, 2, 1, true).event(0, 2, 2, true);    // A2 A3: counter 0 is taken
    setup.event(0, 3, 3).event(0, 4, 3).event(0, 5, 2); // A4 A5 A6
    Rotation rotation(setup);

    for (const char *on : {"A1:0 A4:1", "A1:0 A6:1", "A1:0 A5:1", "A1:0 A4:1"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, APinnedGroupThatWasInErrorStaysThere)
{
    EventList setup;

    setup.pmu(2);
    setup.event(0, 1, 1, true).event(0, 1, 2, true); // A1 A2
    setup.event(0, 2, 2, true);                      // A3
    setup.event(0, 3, 3);                            // A4
    EXPECT_EQ(Rotation(setup).on(), "A1:0 A2:1");
    setup.events[0].error = setup.events[1].error = true;
    EXPECT_EQ(Rotation(setup).on(), "A3:1 A4:0");
}

TEST(RotationGroups, ThePinnedAfterItAreTried)
{
    EventList setup;

    setup.pmu(2).event(0, 1, 1, true).event(0, 2, 1, true).event(0, 3, 3, true);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:0 A3:1");
    EXPECT_EQ(rotation.order(), "");
    EXPECT_EQ(rotation.tick(), 1u);
    EXPECT_EQ(rotation.on(), "A1:0 A3:1");
}

TEST(RotationGroups, APinnedErrorIsNoReasonToTurn)
{
    EventList setup;

    setup.pmu(3).plain(0, 2).event(0, 1, 1, true).event(0, 2, 1, true);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:1 A2:2 A3:0");
    EXPECT_EQ(rotation.tick(), 1u);
    EXPECT_EQ(rotation.order(), "A1 A2");
}

TEST(RotationGroups, AllOrNothing)
{
    EventList setup;

    setup.pmu(3);
    setup.event(0, 7, 7).event(0, 7, 7); // A1 A2
    setup.event(0, 8, 7).event(0, 8, 7); // A3 A4
    setup.event(0, 9, 7);                // A5
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "A1 A3 A5");
    for (const char *on : {"A1:0 A2:1", "A1:1 A2:2 A5:0", "A3:0 A4:1 A5:2", "A1:0 A2:1"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, AGroupStandsAtItsFirstEvent)
{
    EventList setup;

    setup.pmu(4).event(0, 1, 15).event(0, 2, 15).event(0, 1, 15).event(0, 3, 15);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "A1 A2 A4");
    EXPECT_EQ(rotation.on(), "A1:0 A2:2 A3:1 A4:3");
}

TEST(RotationGroups, AnOverlargeGroupEndsItsListInItsTurn)
{
    EventList setup;

    setup.pmu(1).event(0, 1, 1).event(0, 2, 1).event(0, 2, 1);
    Rotation rotation(setup);

    for (const char *on : {"A1:0", "", "A1:0", ""}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, TheFirstThatDoesNotFitEndsAGlobalListForAll)
{
    EventList setup;

    setup.list = CS_ROTATION_GLOBAL;
    setup.pmu(1).pmu(1).plain(0, 2).plain(1, 1);
    Rotation rotation(setup);

    for (const char *on : {"A1:0", "A1:0 B1:0", "A2:0 B1:0", "A1:0"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, ListsOfTheirOwnDoNotEndEachOther)
{
    EventList setup;

    setup.pmu(1).pmu(1).plain(0, 2).plain(1, 1);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:0 B1:0");
    EXPECT_EQ(rotation.tick(), 3u);
    EXPECT_EQ(rotation.on(), "A2:0 B1:0");
}

TEST(RotationGroups, WhatAllFitsDoesNotTurn)
{
    EventList setup;

    setup.pmu(3).plain(0, 3);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.tick(), 1u) << "due all the same";
    EXPECT_EQ(rotation.order(), "A1 A2 A3");
    EXPECT_EQ(rotation.on(), "A1:0 A2:1 A3:2");
}

TEST(RotationGroups, OrderTellsHowManyThereAre)
{
    EventList setup;
    unsigned first[2] = {99, 99};

    setup.pmu(1).plain(0, 3);
    Rotation rotation(setup);

    EXPECT_EQ(cs_rotation_order(rotation.get(), 0, nullptr, 0), 3u);
    EXPECT_EQ(cs_rotation_order(rotation.get(), 0, first, 1), 3u);
    EXPECT_EQ(first[0], 0u);
    EXPECT_EQ(first[1], 99u);
    EXPECT_EQ(cs_rotation_order(rotation.get(), 1, first, 1), 0u) << "no such PMU";
}

TEST(RotationGroups, NoEvents)
{
    EventList setup;

    setup.pmu(1).pmu(2);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "");
    EXPECT_EQ(rotation.tick(), 3u);
    cs_rotation_destroy(nullptr);
}

} // namespace
