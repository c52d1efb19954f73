// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "A tick": dividers, and what a tick returns.
#include "rotation_rig.hpp"

using namespace cs_test;

namespace
{

TEST(RotationTicks, ADividerOfThree)
{
    EventList setup;

    setup.pmu(1, 3).plain(0, 2);
    Rotation rotation(setup);
    const char *orders[] = {"A1 A2", "A1 A2", "A2 A1", "A2 A1", "A2 A1", "A1 A2"};

    EXPECT_EQ(rotation.divider(), 3u);
    for (unsigned tick = 1; tick <= 6; tick++) {
        EXPECT_EQ(rotation.tick(), tick % 3 == 0 ? 1u : 0u) << tick;
        EXPECT_EQ(rotation.order(), orders[tick - 1]) << tick;
    }
}

TEST(RotationTicks, EachPmuItsOwn)
{
    EventList setup;

    setup.pmu(1, 1).pmu(1, 2).pmu(1, 3);
    for (unsigned pmu = 0; pmu < 3; pmu++)
        setup.plain(pmu, 2);
    Rotation rotation(setup);

    for (unsigned tick = 1; tick <= 12; tick++) {
        const uint64_t due = 1u | (tick % 2 == 0) << 1 | (tick % 3 == 0) << 2;

        EXPECT_EQ(rotation.tick(), due) << tick;
        EXPECT_EQ(rotation.order(1), tick / 2 % 2 == 0 ? "B1 B2" : "B2 B1") << tick;
        EXPECT_EQ(rotation.order(2), tick / 3 % 2 == 0 ? "C1 C2" : "C2 C1") << tick;
    }
}

TEST(RotationTicks, AGlobalListHasThatOfPmu0)
{
    EventList setup;

    setup.list = CS_ROTATION_GLOBAL;
    setup.pmu(1, 2).pmu(1, 5).plain(0, 1).plain(1, 2);
    Rotation rotation(setup);

    EXPECT_EQ(rotation.divider(0), 2u);
    EXPECT_EQ(rotation.divider(1), 2u);
    EXPECT_EQ(rotation.order(77), "A1 B1 B2");
    EXPECT_EQ(rotation.tick(), 0u);
    EXPECT_EQ(rotation.tick(), 3u);
    EXPECT_EQ(rotation.order(1), "B2 A1 B1");
}

TEST(RotationTicks, SixtyFourPmus)
{
    for (cs_rotation_list list : {CS_ROTATION_GLOBAL, CS_ROTATION_PER_PMU}) {
        EventList setup;

        setup.list = list;
        for (unsigned pmu = 0; pmu < 64; pmu++)
            setup.pmu(1).plain(pmu, 2);
        Rotation rotation(setup);

        EXPECT_EQ(rotation.tick(), UINT64_MAX);
        EXPECT_EQ(rotation.divider(64), list == CS_ROTATION_GLOBAL ? 1u : 0u);
        EXPECT_EQ(rotation.order(64).empty(), list == CS_ROTATION_PER_PMU);
        EXPECT_EQ(rotation.order(63).substr(0, 4),
                  list == CS_ROTATION_GLOBAL
                      ? setup.name(127) + " A"
                      : setup.name(127) + " " + setup.name(126).substr(0, 1));
    }
}

TEST(RotationTicks, NoSuchPmuHasNoDivider)
{
    EventList setup;

    setup.pmu(1, 7);
    EXPECT_EQ(Rotation(setup).divider(1), 0u);
}

TEST(RotationTicks, OneListOfOneIsNotOneOfAll)
{
    EventList setup;

    setup.pmu(1).plain(0, 2);
    EXPECT_EQ(Rotation(setup).order(3), "");
    setup.list = CS_ROTATION_GLOBAL;
    EXPECT_EQ(Rotation(setup).order(3), "A1 A2");
}

} // namespace
