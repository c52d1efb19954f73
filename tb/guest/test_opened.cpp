// SPDX-License-Identifier: Apache-2.0
// Ids of perf's events, found in a memory of the test's own.
#include <cstdlib>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "guest/plugin/opened.h"
}

namespace
{

constexpr uint64_t kLinear = 0xc000000000000000, kLast = 0x100;
constexpr uint64_t kIdAt = 0x380, kParentAt = 0x2f0, kBytes = 0x480; // of an event

struct Opened : testing::Test {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(1 << 16);
    bridge_memory ram = {bytes.data(), 0, bytes.size()};
    opened *o = opened_create(&ram);
    uint64_t last = 6;

    ~Opened() override
    {
        free(o);
    }

    void put(uint64_t at, uint64_t value)
    {
        memcpy(bytes.data() + at, &value, sizeof value);
    }

    // The kernel makes an event there, and the driver hears of it. `between` others were made since.
    uint64_t open(uint64_t at, uint64_t parent = 0, uint64_t between = 0, uint64_t leader = 0)
    {
        memset(bytes.data() + at, 0, 0x600);
        put(at + 0x40, kLinear + (leader != 0 ? leader : at)); // its group's
        put(at + 0xd8, 7);                                     // what is the same in all of them
        put(at + kParentAt, parent);
        put(at + kIdAt, ++last);
        last += between;
        put(kLast, last);
        opened_add(o, kLinear + at);
        return opened_id(o, kLinear + at);
    }
};

} // namespace

TEST_F(Opened, AnIdIsWhereTheKernelHasJustCounted)
{
    opened_count_at(o, kLinear + kLast);
    EXPECT_EQ(open(0x1000), 7u);
    EXPECT_EQ(open(0x2000), 8u);
    EXPECT_EQ(open(0x3000, 0, 2), 9u); // another CPU has opened two meanwhile
    EXPECT_EQ(open(0x4000), 12u);
    EXPECT_EQ(opened_id(o, kLinear + 0x1000), 7u);
    EXPECT_EQ(opened_id(o, kLinear + 0x5000), 0u);
    EXPECT_EQ(open(0x1000), 13u); // the first has gone
}

TEST_F(Opened, WhatIsInheritedIsOfTheOneThatPerfHasOpened)
{
    opened_count_at(o, kLinear + kLast);
    EXPECT_EQ(open(0x1000), 7u);
    EXPECT_EQ(open(0x2000), 8u);
    EXPECT_EQ(open(0x3000, kLinear + 0x1000), 7u);
    EXPECT_EQ(open(0x4000, kLinear + 0x3000), 7u);
}

TEST_F(Opened, OfAGroupEachHasItsOwn)
{
    opened_count_at(o, kLinear + kLast);
    EXPECT_EQ(open(0x1000), 7u);
    EXPECT_EQ(open(0x2000), 8u);
    EXPECT_EQ(open(0x3000, 0, 0, 0x1000), 9u); // its group's leader is the first
    EXPECT_TRUE(opened_own(o, kLinear + 0x3000));
    // A process inherits both: the leader of its group is its own.
    EXPECT_EQ(open(0x4000, kLinear + 0x1000), 7u);
    EXPECT_EQ(open(0x5000, kLinear + 0x3000, 0, 0x4000), 9u);
    EXPECT_FALSE(opened_own(o, kLinear + 0x5000));
}

TEST_F(Opened, TheEventThatLiesBehindIsNotWhatItIsInheritedFrom)
{
    opened_count_at(o, kLinear + kLast);
    EXPECT_EQ(open(0x4000), 7u);
    EXPECT_EQ(open(0x1000 + kBytes), 8u);
    memset(bytes.data() + 0x1000, 0, kBytes);
    put(0x1000 + 0x40, kLinear + 0x1000);
    put(0x1000 + kIdAt, ++last);
    put(kLast, last);
    opened_add(o, kLinear + 0x1000);
    EXPECT_EQ(opened_id(o, kLinear + 0x1000), 9u);
}

TEST_F(Opened, WhatPerfHasAskedForIsBehindAType)
{
    constexpr uint64_t kAttrAt = 0x118;
    opened_attr attr = {};

    opened_count_at(o, kLinear + kLast);
    EXPECT_FALSE(opened_attr_of(o, kLinear + 0x1000, &attr)); // nothing was opened
    for (const uint64_t at : {0x1000, 0x2000}) {
        memset(bytes.data() + at, 0, 0x600);
        put(at + 0x40, UINT64_C(136) << 32 | (at == 0x1000 ? 4 : 99)); // of one event only
        put(at + kAttrAt, UINT64_C(136) << 32 | 4);
        put(at + kAttrAt + 8, 0x20);
        put(at + kAttrAt + 16, 10007);
        put(at + kAttrAt + 40, 0x62);
        put(at + kIdAt, ++last);
        put(kLast, last);
        opened_add(o, kLinear + at);
    }
    ASSERT_TRUE(opened_attr_of(o, kLinear + 0x2000, &attr));
    EXPECT_EQ(attr.type, 4u);
    EXPECT_EQ(attr.config, 0x20u);
    EXPECT_EQ(attr.period, 10007u);
    EXPECT_EQ(attr.flags, 0x62u);
    // What has no type of perf's there is none.
    put(0x3000 + kIdAt, ++last);
    put(kLast, last);
    opened_add(o, kLinear + 0x3000);
    EXPECT_FALSE(opened_attr_of(o, kLinear + 0x3000, &attr));
}

TEST_F(Opened, WhatIsInheritedIsNotPerfsOwn)
{
    opened_count_at(o, kLinear + kLast);
    open(0x1000);
    open(0x2000);
    open(0x3000, kLinear + 0x1000);
    EXPECT_TRUE(opened_own(o, kLinear + 0x2000));
    EXPECT_FALSE(opened_own(o, kLinear + 0x3000));
    EXPECT_FALSE(opened_own(o, kLinear + 0x4000));
}

TEST_F(Opened, InAKernelThatDoesNotSayWhereItCountsNoIdIsKnown)
{
    EXPECT_EQ(open(0x1000), 0u);
    opened_count_at(o, UINT64_MAX - 8);
    EXPECT_EQ(open(0x1000), 0u);
}

TEST_F(Opened, AThousandThatHaveGoneAreForgotten)
{
    opened_count_at(o, kLinear + kLast);
    open(0x1000);
    for (unsigned i = 0; i < 1100; i++)
        EXPECT_EQ(open(0x2000 + 8 * i), 8 + i);
    EXPECT_EQ(opened_id(o, kLinear + 0x1000), 0u);
}
