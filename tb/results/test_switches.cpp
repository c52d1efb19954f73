// SPDX-License-Identifier: Apache-2.0
// When a CPU goes from one process to another: every cycle of a timeline, one after the other, says the same.
#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "results/common/switches.h"
}

namespace
{

struct Found {
    cs_cycle cycle;
    uint32_t from, to;
    bool operator==(const Found &other) const
    {
        return cycle == other.cycle && from == other.from && to == other.to;
    }
};

cs_segment segment(uint64_t cycles, cs_privilege mode, uint32_t pid)
{
    cs_segment s = {};

    s.length_cycles = cycles;
    s.mode = mode;
    s.pid = pid;
    return s;
}

struct Switches : testing::Test {
    void SetUp() override
    {
        // process 7 in user and kernel, then 8, then 8's guest as 9
        segments = {segment(100, CS_MODE_U, 7), segment(30, CS_MODE_S, 7),
                    segment(55, CS_MODE_U, 8), segment(40, CS_MODE_VU, 9),
                    segment(20, CS_MODE_VS, 10)};
        handlers = {segment(1000, CS_MODE_M, 99)};
        tracks[0] = {"workload", segments.data(), segments.size()};
        tracks[1] = {"handler", handlers.data(), handlers.size()};
        const cs_timeline_desc desc = {1, 0, 0, tracks, 2, nullptr, 0, CS_MODE_EL0};
        ASSERT_EQ(cs_timeline_create(&desc, &timeline, nullptr), CS_OK);
        // within a segment, over the end of one, right at one
        for (const auto &stay : std::vector<std::pair<cs_cycle, cs_cycle>>{
                 {40, 60}, {140, 200}, {250, 251}, {400, 1400}, {2000, 2300}}) {
            ASSERT_EQ(cs_timeline_enter(timeline, stay.first, 1, nullptr), CS_OK);
            ASSERT_EQ(cs_timeline_leave(timeline, stay.second, nullptr), CS_OK);
        }
    }
    void TearDown() override
    {
        cs_timeline_destroy(timeline);
    }
    std::vector<Found> by_cycle(cs_cycle until, bool guest)
    {
        std::vector<Found> found;
        bool known = false;
        uint32_t pid = 0;

        for (cs_cycle cycle = 0; cycle <= until; cycle++) {
            uint64_t local;
            cs_context at;

            if (cs_timeline_track(timeline, cycle, &local) != 0)
                continue;
            cs_timeline_context(timeline, cycle, &at);
            if (guest && at.mode != CS_MODE_VU && at.mode != CS_MODE_VS)
                continue;
            if (known && at.pid != pid)
                found.push_back({cycle, pid, at.pid});
            known = true;
            pid = at.pid;
        }
        return found;
    }
    std::vector<cs_segment> segments, handlers;
    cs_track tracks[2] = {};
    cs_timeline *timeline = nullptr;
};

} // namespace

TEST_F(Switches, AreThoseOfEachCycle)
{
    for (const bool guest : {false, true}) {
        const std::vector<Found> expected = by_cycle(6000, guest);

        EXPECT_GT(expected.size(), 20u);
        for (const cs_cycle step : {1, 7, 100, 6000}) { // however it is asked
            std::vector<Found> found;
            cs_switches switches;
            cs_switch one;

            cs_switches_begin(&switches, timeline, guest);
            for (cs_cycle until = 0; until <= 6000; until += step)
                while (cs_switches_next(&switches, until, &one)) {
                    EXPECT_LE(one.cycle, until);
                    found.push_back({one.cycle, one.from, one.to});
                }
            while (cs_switches_next(&switches, 6000, &one))
                found.push_back({one.cycle, one.from, one.to});
            EXPECT_TRUE(found == expected)
                << guest << " " << step << ": " << found.size() << " of " << expected.size();
        }
    }
}
