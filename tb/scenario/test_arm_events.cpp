// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

extern "C" {
#include "scenario/corepmu/arm_events.h"
}

TEST(ArmEvents, LookUpBothWays)
{
    const struct {
        uint32_t number;
        const char *name;
    } cases[] = {
        {0x0000, "SW_INCR"},           {0x0008, "INST_RETIRED"},
        {0x0010, "BR_MIS_PRED"},       {0x0011, "CPU_CYCLES"},
        {0x0012, "BR_PRED"},           {0x0013, "MEM_ACCESS"},
        {0x0021, "BR_RETIRED"},        {0x003f, "STALL_SLOT"},
        {0x0040, "L1D_CACHE_RD"},      {0x00a8, "L3D_CACHE_INVAL"},
        {0x4005, "STALL_BACKEND_MEM"}, {0x4026, "MEM_ACCESS_CHECKED_WR"},
    };

    for (const auto &c : cases) {
        uint32_t number = 0;

        EXPECT_STREQ(cs_arm_event_name(c.number), c.name);
        EXPECT_TRUE(cs_arm_event_number(c.name, &number)) << c.name;
        EXPECT_EQ(number, c.number);
    }
}

TEST(ArmEvents, TheCommonEventsAreComplete)
{
    for (uint32_t number = 0; number < 0x40; number++)
        EXPECT_NE(cs_arm_event_name(number), nullptr) << number;
}

TEST(ArmEvents, NumbersRiseAndNamesDiffer)
{
    std::set<std::string> names;

    for (size_t i = 0; i < cs_arm_event_count(); i++) {
        names.insert(cs_arm_event_at(i)->name);
        if (i > 0) {
            EXPECT_LT(cs_arm_event_at(i - 1)->number, cs_arm_event_at(i)->number);
        }
    }
    EXPECT_EQ(names.size(), cs_arm_event_count());
    EXPECT_EQ(cs_arm_event_at(cs_arm_event_count()), nullptr);
}

TEST(ArmEvents, UnknownOnes)
{
    uint32_t number;

    EXPECT_EQ(cs_arm_event_name(0xc000), nullptr);
    EXPECT_EQ(cs_arm_event_name(0x0049), nullptr);
    EXPECT_FALSE(cs_arm_event_number("inst_retired", &number));
    EXPECT_FALSE(cs_arm_event_number("", &number));
}
