// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "A tick": dividers.
#include "unit_rig.hpp"

using namespace cs_test;

namespace
{

TEST(RotationTicks, ADividerOfThree)
{
    EventList setup;

    setup.unit(1, 3).plain(0, 2);
    Rotation rotation(setup);
    const char *orders[] = {"A1 A2", "A1 A2", "A2 A1", "A2 A1", "A2 A1", "A1 A2"};

    EXPECT_EQ(rotation.divider(), 3u);
    for (unsigned tick = 1; tick <= 6; tick++) {
        rotation.tick();
        EXPECT_EQ(rotation.order(), orders[tick - 1]) << tick;
    }
}

TEST(RotationTicks, EachUnitItsOwn)
{
    EventList setup;

    setup.unit(1, 1).unit(1, 2).unit(1, 3);
    for (unsigned unit = 0; unit < 3; unit++)
        setup.plain(unit, 2);
    Rotation rotation(setup);

    for (unsigned tick = 1; tick <= 12; tick++) {
        rotation.tick();
        EXPECT_EQ(rotation.order(0), tick % 2 == 0 ? "A1 A2" : "A2 A1") << tick;
        EXPECT_EQ(rotation.order(1), tick / 2 % 2 == 0 ? "B1 B2" : "B2 B1") << tick;
        EXPECT_EQ(rotation.order(2), tick / 3 % 2 == 0 ? "C1 C2" : "C2 C1") << tick;
    }
}

TEST(RotationTicks, AGlobalListHasThatOfTheFirstUnit)
{
    EventList setup;

    setup.global = true;
    setup.unit(1, 2).unit(1, 5).plain(0, 1).plain(1, 2);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.divider(0), 2u);
    EXPECT_EQ(rotation.divider(1), 2u);
    rotation.tick();
    EXPECT_EQ(rotation.order(), "A1 B1 B2");
    rotation.tick();
    EXPECT_EQ(rotation.order(), "B2 A1 B1");
}

TEST(RotationTicks, SixtyFourUnits)
{
    for (bool global : {false, true}) {
        EventList setup;

        setup.global = global;
        for (unsigned unit = 0; unit < 64; unit++)
            setup.unit(1).plain(unit, 2);
        Rotation rotation(setup);

        rotation.tick();
        EXPECT_EQ(rotation.order(63).substr(0, setup.name(127).size() + 2),
                  setup.name(127) + (global ? " A" : " " + setup.name(126).substr(0, 1)));
    }
}

TEST(RotationTicks, WithoutEventsThereIsNoDivider)
{
    EventList setup;

    setup.unit(1, 7);
    EXPECT_EQ(Rotation(setup).divider(), 0u);
}

} // namespace
