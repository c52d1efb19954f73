// SPDX-License-Identifier: Apache-2.0
// The rows of a difference (lockstep/difference.h): what both sides told, side by side.
#include <gtest/gtest.h>

#include <vector>

#include "lockstep/difference.h"

namespace
{

cs_probe_record record(cs_cycle cycle, uint16_t source, uint64_t value)
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

// A transfer of 6 bytes, of which `ring` has kept the last two as they are told.
cs_probe_record transfer(cs_data_ring *ring, uint16_t source, uint8_t fifth, uint8_t sixth)
{
    const uint8_t data[] = {1, 2, 3, 4, fifth, sixth};
    cs_probe_record r = record(10, source, cs_probe_hash(data, sizeof data));

    r.kind = CS_PROBE_BUS;
    cs_data_ring_add(ring, r.value, data, sizeof data);
    return r;
}

} // namespace

TEST(Align, BehindHashesAreTheWordsThatDiffer)
{
    cs_data_ring *rings[2];
    ASSERT_EQ(cs_data_ring_create(&rings[0], nullptr), CS_OK);
    ASSERT_EQ(cs_data_ring_create(&rings[1], nullptr), CS_OK);
    cs_difference d = align({transfer(rings[0], 1, 5, 6), record(11, 2, 1)},
                            {transfer(rings[1], 1, 5, 7), record(11, 2, 3)});
    d.others[d.nr_others++] = {
        true, true, false, transfer(rings[0], 3, 8, 8), transfer(rings[1], 3, 9, 8), {}, {}, {}};
    d.others[d.nr_others++] = {
        true, true, false, transfer(rings[0], 4, 8, 8), transfer(rings[1], 4, 8, 8), {}, {}, {}};
    cs_difference_data_of(&d, rings[0], rings[1]);

    unsigned at = 0;
    EXPECT_EQ(cs_difference_part(&d.rows[0], 4, &at), 2u);
    EXPECT_EQ(at, 6u);
    EXPECT_EQ(d.rows[0].model_data.data[5], 6);
    EXPECT_EQ(d.rows[0].rtl_data.data[5], 7);
    EXPECT_EQ(cs_difference_part(&d.rows[0], 4, &at), 0u);
    at = 0;
    EXPECT_EQ(cs_difference_part(&d.rows[0], 1, &at), 1u);
    EXPECT_EQ(at, 6u);
    d.rows[0].model_data.bytes = 5;
    at = 0;
    EXPECT_EQ(cs_difference_part(&d.rows[0], 4, &at), 0u) << "only one side has the last byte";
    at = 0;
    EXPECT_EQ(cs_difference_part(&d.others[0], 1, &at), 1u);
    EXPECT_EQ(at, 5u);
    at = 0;
    EXPECT_EQ(cs_difference_part(&d.rows[1], 4, &at), 0u) << "is no transfer";
    EXPECT_EQ(d.others[1].model_data.bytes, 0u) << "does not differ by its bytes";
    cs_data_ring_destroy(rings[0]);
    cs_data_ring_destroy(rings[1]);
}

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
