// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "Scheduling": pinned groups, groups all or nothing, where a list ends.
#include "unit_rig.hpp"

using namespace cs_test;

namespace
{

TEST(RotationGroups, PinnedGoFirstAndStay)
{
    EventList setup;

    setup.unit(2).plain(0, 3).plain(0, 1, true);
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

    setup.unit(2);
    setup.event(0, 1, 1, true);                         // A1
    setup.event(0, 2, 1, true).event(0, 2, 2, true);    // A2 A3: counter 0 is taken
    setup.event(0, 3, 3).event(0, 4, 3).event(0, 5, 2); // A4 A5 A6
    Rotation rotation(setup);

    for (const char *on : {"A1:0 A4:1", "A1:0 A6:1", "A1:0 A5:1", "A1:0 A4:1"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, ThePinnedAfterItAreTried)
{
    EventList setup;

    setup.unit(2).event(0, 1, 1, true).event(0, 2, 1, true).event(0, 3, 3, true);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:0 A3:1");
    EXPECT_EQ(rotation.order(), "");
    rotation.tick();
    EXPECT_EQ(rotation.on(), "A1:0 A3:1");
}

TEST(RotationGroups, APinnedErrorIsNoReasonToTurn)
{
    EventList setup;

    setup.unit(3).plain(0, 2).event(0, 1, 1, true).event(0, 2, 1, true);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:1 A2:2 A3:0");
    rotation.tick();
    EXPECT_EQ(rotation.order(), "A1 A2");
}

TEST(RotationGroups, AllOrNothing)
{
    EventList setup;

    setup.unit(3);
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

    setup.unit(4).event(0, 1, 15).event(0, 2, 15).event(0, 1, 15).event(0, 3, 15);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "A1 A2 A4");
    EXPECT_EQ(rotation.on(), "A1:0 A2:2 A3:1 A4:3");
}

TEST(RotationGroups, AnOverlargeGroupEndsItsListInItsTurn)
{
    EventList setup;

    setup.unit(1).event(0, 1, 1).event(0, 2, 1).event(0, 2, 1);
    Rotation rotation(setup);

    for (const char *on : {"A1:0", "", "A1:0", ""}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, TheFirstThatDoesNotFitEndsAGlobalListForAll)
{
    EventList setup;

    setup.global = true;
    setup.unit(1).unit(1).plain(0, 2).plain(1, 1);
    Rotation rotation(setup);

    for (const char *on : {"A1:0", "A1:0 B1:0", "A2:0 B1:0", "A1:0"}) {
        EXPECT_EQ(rotation.on(), on);
        rotation.tick();
    }
}

TEST(RotationGroups, ListsOfTheirOwnDoNotEndEachOther)
{
    EventList setup;

    setup.unit(1).unit(1).plain(0, 2).plain(1, 1);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.on(), "A1:0 B1:0");
    rotation.tick();
    EXPECT_EQ(rotation.on(), "A2:0 B1:0");
}

TEST(RotationGroups, WhatAllFitsDoesNotTurn)
{
    EventList setup;

    setup.unit(3).plain(0, 3);
    Rotation rotation(setup);

    rotation.tick();
    EXPECT_EQ(rotation.order(), "A1 A2 A3");
    EXPECT_EQ(rotation.on(), "A1:0 A2:1 A3:2");
}

TEST(RotationGroups, NoEvents)
{
    EventList setup;

    setup.unit(1).unit(2);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.order(), "");
    rotation.tick();
}

} // namespace
