// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Timebase" and what a boundary is.
#include <gtest/gtest.h>

#include "world.hpp"
#include <countersink/models/imc/imc_timebase.h>

namespace
{

TEST(ImcTimebase, FirstCycles)
{
    const cs_imc_timebase tb = {100, 512, 1000};

    EXPECT_EQ(100u, cs_imc_timebase_at(&tb, 0));
    EXPECT_EQ(100u, cs_imc_timebase_at(&tb, 1));
    EXPECT_EQ(101u, cs_imc_timebase_at(&tb, 2));
    EXPECT_EQ(101u, cs_imc_timebase_at(&tb, 3));
    EXPECT_EQ(100u + 512, cs_imc_timebase_at(&tb, 1000));
}

TEST(ImcTimebase, Modulo64Bits)
{
    const cs_imc_timebase tb = {UINT64_MAX - 1, 1, 1};

    EXPECT_EQ(UINT64_MAX, cs_imc_timebase_at(&tb, 1));
    EXPECT_EQ(0u, cs_imc_timebase_at(&tb, 2));
    EXPECT_EQ(2u, cs_imc_timebase_boundary(&tb, 5, 0));
    EXPECT_EQ(34u, cs_imc_timebase_boundary(&tb, 5, 3));
}

TEST(ImcTimebase, LargeCycles)
{
    const cs_imc_timebase slow = {5, 65534, 65535};
    const cs_cycle last = CS_NEVER - 1; // 65535 * 281479271743489 - 1
    const cs_imc_timebase half = {0, 1, 2};

    EXPECT_EQ(65534u * 281479271743489u - 1 + 5, cs_imc_timebase_at(&slow, last));
    EXPECT_EQ(65534u * (uint64_t{1} << 40) + 5,
              cs_imc_timebase_at(&slow, 65535u * (cs_cycle{1} << 40)));
    EXPECT_EQ(last / 2, cs_imc_timebase_at(&half, last));
    EXPECT_EQ(cs_cycle{1} << 61, cs_imc_timebase_boundary(&half, 60, (cs_cycle{1} << 61) - 1));
    EXPECT_EQ(CS_NEVER, cs_imc_timebase_boundary(&half, 31, CS_NEVER - 5));
    EXPECT_EQ(CS_NEVER, cs_imc_timebase_boundary(&half, 0, CS_NEVER - 0));
}

TEST(ImcTimebase, CycleZeroDoesNotTick)
{
    const cs_imc_timebase tb = {0, 1, 1};

    EXPECT_EQ(1u, cs_imc_timebase_boundary(&tb, 0, 0));
    EXPECT_EQ(4u, cs_imc_timebase_boundary(&tb, 2, 0));
    EXPECT_EQ(4u, cs_imc_timebase_boundary(&tb, 2, 4));
    EXPECT_EQ(8u, cs_imc_timebase_boundary(&tb, 2, 5));
}

// The low bits are zero for as long as the timebase stands still: the tick alone counts.
TEST(ImcTimebase, BoundaryIsTheTick)
{
    const cs_imc_timebase tb = {0, 1, 10};

    EXPECT_EQ(40u, cs_imc_timebase_boundary(&tb, 2, 40));
    EXPECT_EQ(80u, cs_imc_timebase_boundary(&tb, 2, 41));
}

TEST(ImcTimebase, AsCountedSingly)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        Random random{seed * 1009};
        cs_imc_timebase tb = {mix(seed), 0, 0};
        tb.den = static_cast<uint32_t>(1 + random(seed % 2 ? 20 : 65535));
        tb.num = static_cast<uint32_t>(1 + random(tb.den));
        if (seed % 3 == 0)
            tb.start = 0 - random(500);
        const unsigned k = static_cast<unsigned>(random(8));
        uint64_t value = tb.start, phase = 0;
        cs_cycle from = 0;

        for (cs_cycle t = 0; t < 2000; t++) {
            bool tick = false;
            if (t > 0) {
                phase += tb.num;
                tick = phase >= tb.den;
                value += tick;
                phase -= tick ? tb.den : 0;
            }
            ASSERT_EQ(value, cs_imc_timebase_at(&tb, t));
            if (!tick || value % (1u << k) != 0)
                continue;
            for (; from <= t; from++)
                ASSERT_EQ(t, cs_imc_timebase_boundary(&tb, k, from)) << "from " << from;
        }
    }
}

} // namespace
