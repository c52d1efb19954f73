// SPDX-License-Identifier: Apache-2.0
// Edges of what RISC-V harts leave: where damage finds a ring's records, rows that are not counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "formats/damage/layout.h"
#include "formats/pmcu/aux_dump.hpp"
#include "formats/riscv/read/ring.h"
#include "ring_records.hpp"
#include <countersink/formats/riscv/read/pmu_map.h>

using namespace cs_test;

namespace
{

using Place = std::tuple<uint64_t, uint64_t, std::string>; // offset, bytes, name of a field

struct Layout {
    std::vector<Place> fields, records;
};

Layout layout_of(const Octets &image)
{
    cs_damage_layout found;
    Layout layout;

    EXPECT_EQ(cs_damage_layout_of("riscv-ring", image.data(), image.size(), &found, nullptr),
              CS_OK);
    EXPECT_TRUE(found.has_size);
    EXPECT_EQ(found.size_at, 6u);
    EXPECT_FALSE(found.big_endian);
    for (size_t i = 0; i < found.nr_fields; i++)
        layout.fields.emplace_back(found.fields[i].offset, found.fields[i].bytes,
                                   found.fields[i].name);
    for (size_t i = 0; i < found.nr_records; i++)
        layout.records.emplace_back(found.records[i].offset, found.records[i].bytes, "");
    cs_damage_layout_free(&found);
    return layout;
}

const std::vector<Place> kFields = {{0x400, 8, "data_head"},
                                    {0x408, 8, "data_tail"},
                                    {0x410, 8, "data_offset"},
                                    {0x418, 8, "data_size"}};

} // namespace

TEST(RiscvEdges, TheNumbersOfARingsHeader)
{
    // Given a header page alone, and one with a circle behind it
    const Octets page = ring_image(0, 0, {});
    const Octets stream = joined({ring_sample(7, 0x1000, 1, 100), ring_lost(8, 12)});
    const Octets ring = ring_image(4096, 4096 + 16, stream);
    // When a byte of the page is missing it is none
    const Octets less(page.begin(), page.end() - 1);

    EXPECT_EQ(page.size(), 4096u);
    EXPECT_EQ(layout_of(page).fields, kFields);
    EXPECT_TRUE(layout_of(page).records.empty());
    EXPECT_TRUE(layout_of(less).fields.empty());
    EXPECT_EQ(layout_of(ring).fields, kFields);
    EXPECT_EQ(layout_of(ring).records,
              (std::vector<Place>{{4096 + 16, 56, ""}, {4096 + 16 + 56, 56, ""}}));
}

// Behind data_head there may be records of the last round.
TEST(RiscvEdges, TheRecordsOfARingEndAtItsHead)
{
    const Octets old = ring_lost(8, 12);
    Octets ring = ring_image(4096, 4096 + 16, ring_sample(7, 0x1000, 1, 100));

    std::copy(old.begin(), old.end(), ring.begin() + 4096 + 16 + 56);
    EXPECT_EQ(layout_of(ring).records, (std::vector<Place>{{4096 + 16, 56, ""}}));
}

// A record has eight bytes at least: its head.
TEST(RiscvEdges, RecordsOfAHeadAlone)
{
    const auto head = [](uint16_t bytes) { return octets({{4, 9}, {2, 0}, {2, bytes}}); };
    const std::vector<Place> one = {{0, 8, ""}}, two = {{0, 8, ""}, {8, 8, ""}};
    Octets rest = joined({head(8), head(8)});

    EXPECT_EQ(layout_of(head(8)).records, one);
    EXPECT_EQ(layout_of(rest).records, two);
    rest.resize(23); // seven bytes are none
    EXPECT_EQ(layout_of(rest).records, two);
    EXPECT_TRUE(layout_of(head(7)).records.empty());
    EXPECT_EQ(layout_of(joined({head(8), head(9)})).records, one) << "it has no ninth byte";
}

// What stands behind the rows that there are is no row.
TEST(RiscvEdges, RowsOfAMapThatAreNotCounted)
{
    cs_riscv_pmu_map map;

    cs_riscv_pmu_map_default(&map);
    map.nr_selects--;
    map.nr_ranges--;
    map.nr_raws--;
    const cs_riscv_pmu_select select = map.selects[map.nr_selects];
    const cs_riscv_pmu_range range = map.ranges[map.nr_ranges];
    const cs_riscv_pmu_raw raw = map.raws[map.nr_raws];

    ASSERT_NE(select.value, 0u);
    ASSERT_NE(range.counters, 0u);
    ASSERT_NE(raw.counters, 0u);
    EXPECT_EQ(cs_riscv_pmu_map_select(&map, select.event_idx), 0u);
    EXPECT_EQ(cs_riscv_pmu_map_counters(&map, range.first), 0u);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, raw.match), 0u);
}

// No error is told of a ring that is printed whole; of one that is damaged its own.
TEST(RiscvEdges, WhatPrintingTells)
{
    const Octets whole = ring_sample(7, 0x1234, 5, 99);
    const Octets damaged(whole.begin(), whole.end() - 1);
    const cs_text_sink sink = {[](void *, const char *, size_t) { return CS_OK; }, nullptr};

    for (const Octets &image : {whole, damaged}) {
        Bytes bytes{image};
        const cs_byte_source source = bytes.source();
        cs_perf_ring *ring = nullptr;
        cs_diag diag = {};

        ASSERT_EQ(cs_perf_ring_open(&source, "ring", CS_PERF_STREAM, &ring, nullptr), CS_OK);
        const cs_status status = cs_perf_ring_print(ring, CS_TABLE_CSV, &sink, &diag);
        EXPECT_EQ(status, image == whole ? CS_OK : CS_ERR_FORMAT);
        EXPECT_EQ(diag.status, status);
        EXPECT_EQ(std::string(diag.text).empty(), image == whole) << diag.text;
        cs_perf_ring_close(ring);
    }
}
