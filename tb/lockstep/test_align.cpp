// The rows of a difference (lockstep/difference.h): what both sides told, side by side.
#include <gtest/gtest.h>

#include <vector>

#include "lockstep/difference.h"

namespace
{

cs_probe_record record(cycle_t cycle, uint16_t source, uint64_t value)
{
    cs_probe_record r = {};

    r.cycle = cycle;
    r.kind = CS_PROBE_IRQ;
    r.source = source;
    r.value = value;
    return r;
}

cs_difference align(std::vector<cs_probe_record> model, std::vector<cs_probe_record> rtl)
{
    const cs_record_list lists[2] = {{model.data(), model.size(), 0}, {rtl.data(), rtl.size(), 0}};
    cs_difference d = {};

    cs_difference_align(&d, nullptr, 0, &lists[0], &lists[1]);
    return d;
}

} // namespace

// The model is behind: its next record comes much later than the one that only the RTL has.
TEST(Align, WhatComesFirstStandsFirst)
{
    const cs_difference d = align({record(9000, 1, 5), record(9001, 1, 6)}, {record(70, 2, 1)});

    ASSERT_EQ(d.nr_rows, 3u);
    EXPECT_FALSE(d.rows[d.first].has_model);
    EXPECT_EQ(d.rows[d.first].rtl.cycle, 70u);
    EXPECT_EQ(d.rows[2].model.cycle, 9001u);
}

TEST(Align, WhatOnlyOneSideHasStandsAlone)
{
    const cs_difference d =
        align({record(10, 1, 5), record(12, 2, 6)}, {record(12, 2, 6), record(14, 3, 7)});

    ASSERT_EQ(d.nr_rows, 3u);
    EXPECT_FALSE(d.rows[0].has_rtl);
    EXPECT_TRUE(d.rows[1].equal);
    EXPECT_FALSE(d.rows[2].has_model);
}
