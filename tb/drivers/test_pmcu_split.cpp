// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "drivers/pmcu/split.h"

namespace
{

TEST(PmcuSplit, Layout)
{
    const struct {
        unsigned events;
        bool comp;
        unsigned cpus;
        unsigned nr_pmu, nr_event, subsamples, copies;
        uint32_t subsample_bytes;
    } rows[] = {
        {1, false, 8, 1, 1, 1, 240, 3 * 64},   {7, false, 32, 7, 7, 1, 34, 9 * 256},
        {8, false, 8, 8, 8, 1, 30, 640},       {8, false, 32, 8, 8, 1, 30, 2560},
        {9, false, 32, 8, 16, 2, 15, 2560},    {100, false, 64, 8, 104, 13, 2, 5120},
        {121, false, 8, 8, 128, 16, 1, 640},   {239, false, 8, 8, 240, 30, 1, 640},
        {240, false, 64, 8, 240, 30, 1, 5120}, {1, true, 8, 1, 1, 1, 240, 2 * 64},
        {5, true, 32, 5, 5, 1, 48, 1536},      {6, true, 64, 5, 10, 2, 24, 3072},
        {8, true, 8, 5, 10, 2, 24, 384},       {240, true, 8, 5, 240, 48, 1, 384},
        {0, false, 8, 0, 0, 0, 0, 0},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.events);
        cs_pmcu_layout layout = cs_pmcu_layout_of(row.events, row.comp, row.cpus);

        EXPECT_EQ(layout.nr_pmu, row.nr_pmu);
        EXPECT_EQ(layout.nr_event, row.nr_event);
        EXPECT_EQ(layout.subsamples_per_sample, row.subsamples);
        EXPECT_EQ(layout.max_sample_loop, row.copies);
        EXPECT_EQ(layout.subsample_bytes, row.subsample_bytes);
        EXPECT_EQ(layout.sample_bytes, uint64_t(row.subsample_bytes) * row.subsamples);
    }
}

constexpr uint64_t kMany = UINT64_MAX;

TEST(PmcuSplit, Triggers)
{
    const struct {
        const char *name;
        unsigned events;
        uint64_t room;
        uint64_t pending;
        unsigned ev_len, nr_loop;
        uint64_t samples;
    } rows[] = {
        // 8 events, 8 CPUs: 640 bytes a sample
        {"the default request", 8, 4u << 20, 128, 8, 128, 128},
        {"one", 8, 4u << 20, 1, 8, 1, 1},
        {"one loop short of the most", 8, 4u << 20, 254, 8, 254, 254},
        {"the most loops", 8, 4u << 20, 255, 8, 255, 255},
        {"one more: one copy, the rest later", 8, 4u << 20, 256, 8, 255, 255},
        {"not two copies yet", 8, 4u << 20, 509, 8, 255, 255},
        {"two copies", 8, 4u << 20, 510, 16, 255, 510},
        {"room for 6553: 25 copies", 8, 4u << 20, kMany, 200, 255, 25 * 255},
        {"the array holds 30 copies", 8, 1u << 30, kMany, 240, 255, 30 * 255},
        {"just room", 8, 640, 5, 8, 1, 1},
        {"room too small", 8, 639, 5, 0, 0, 0},
        {"no room", 8, 0, 5, 0, 0, 0},
        {"nothing asked for", 8, 4u << 20, 0, 0, 0, 0},
        // 240 events, 8 CPUs: 30 subsamples, 19200 bytes
        {"240 events", 240, 4u << 20, 128, 240, 128, 128},
        {"240 events, room for 218", 240, 4u << 20, 1000, 240, 218, 218},
        {"240 events, no second copy", 240, 1u << 30, 1000, 240, 255, 255},
        // 1 event: 192 bytes
        {"1 event, 240 copies", 1, 1u << 30, 100000, 240, 255, 240 * 255},
        {"1 event, 3 copies", 1, 1u << 30, 1000, 3, 255, 765},
        // 7 events: 34 copies are 238 words
        {"7 events", 7, 4u << 20, 100, 7, 100, 100},
        {"7 events, 34 copies", 7, 1u << 30, kMany, 238, 255, 34 * 255},
        // 121 events are padded to 128: one copy
        {"121 events", 121, 1u << 30, kMany, 128, 255, 255},
        {"no events", 0, 1u << 30, 5, 0, 0, 0},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        cs_pmcu_layout layout = cs_pmcu_layout_of(row.events, false, 8);
        cs_pmcu_request request = cs_pmcu_split(&layout, row.room, row.pending);

        EXPECT_EQ(request.ev_len, row.ev_len);
        EXPECT_EQ(request.nr_loop, row.nr_loop);
        EXPECT_EQ(request.samples, row.samples);
        EXPECT_EQ(request.bytes, row.samples * layout.sample_bytes);
    }
}

// Whatever is asked for: within the registers, the event array and the room, and what the
// hardware writes is what is expected.
TEST(PmcuSplit, AlwaysLegal)
{
    for (unsigned events = 1; events <= CS_PMCU_DRIVER_MAX_EVENTS; events++)
        for (int comp = 0; comp < 2; comp++) {
            cs_pmcu_layout layout = cs_pmcu_layout_of(events, comp != 0, 16);

            for (uint64_t room = 0; room < 1u << 26; room = room * 3 + 100)
                for (uint64_t pending : {1u, 200u, 255u, 256u, 700u, 100000u}) {
                    cs_pmcu_request r = cs_pmcu_split(&layout, room, pending);

                    ASSERT_LE(r.ev_len, 240u);
                    ASSERT_LE(r.nr_loop, 255u);
                    ASSERT_LE(r.samples, pending);
                    ASSERT_LE(r.bytes, room);
                    ASSERT_EQ(r.ev_len % layout.nr_pmu, 0u);
                    ASSERT_EQ(uint64_t(r.nr_loop) * (r.ev_len / layout.nr_pmu) *
                                  layout.subsample_bytes,
                              r.bytes);
                    ASSERT_EQ(r.samples == 0, room < layout.sample_bytes);
                }
        }
}

} // namespace
