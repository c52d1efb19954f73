// SPDX-License-Identifier: Apache-2.0
// What a timeline keeps of its answers, while software comes and goes: it must be what a timeline says
// that has never been asked.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "support.hpp"
#include <countersink/base/stream/timeline.h>

namespace
{

constexpr uint32_t kEvent = 7;

struct Destroy {
    void operator()(cs_timeline *tl) const
    {
        cs_timeline_destroy(tl);
    }
};
using Timeline = std::unique_ptr<cs_timeline, Destroy>;

struct Stay {
    cs_cycle enter, leave; // 0: it has not ended
    unsigned track;
};

// A workload of two segments that count, and two handlers.
class Kept : public testing::Test
{
  protected:
    Pool pool_;
    std::vector<cs_segment_event> events_ = {{kEvent, pool_.random(3, 2, "a")},
                                             {kEvent, pool_.random(1, 5, "b")},
                                             {kEvent, pool_.random(1, 1, "c")},
                                             {kEvent, pool_.rate(1, 2)}};
    std::vector<cs_segment> work_ = {segment(200, 0), segment(131, 1)};
    std::vector<cs_segment> handlers_ = {segment(50, 2), segment(10, 3)};
    std::vector<cs_track> tracks_ = {{"workload", work_.data(), work_.size()},
                                     {"kernel", &handlers_[0], 1},
                                     {"firmware", &handlers_[1], 1}};

    cs_segment segment(uint64_t cycles, size_t event)
    {
        cs_segment s = {};

        s.length_cycles = cycles;
        s.mode = CS_MODE_EL0;
        s.events = &events_[event];
        s.nr_events = 1;
        return s;
    }

    Timeline make(const std::vector<Stay> &stays)
    {
        cs_timeline_desc desc = {};
        cs_timeline *out = nullptr;

        desc.seed = 1;
        desc.tracks = tracks_.data();
        desc.nr_tracks = tracks_.size();
        EXPECT_EQ(cs_timeline_create(&desc, &out, nullptr), CS_OK);
        for (const Stay &s : stays) {
            EXPECT_EQ(cs_timeline_enter(out, s.enter, s.track, nullptr), CS_OK);
            if (s.leave != 0) {
                EXPECT_EQ(cs_timeline_leave(out, s.leave, nullptr), CS_OK);
            }
        }
        return Timeline(out);
    }

    static cs_cycle reach(const Timeline &tl, cs_cycle from, uint64_t n)
    {
        return cs_timeline_reach(tl.get(), kEvent, CS_MODE_ALL, from, n);
    }
};

// Given cycles that were found, when software comes and goes before them and behind them, then each is
// found again where it is.
TEST_F(Kept, FoundCyclesUntilSoftwareComesBeforeThem)
{
    constexpr int kStays = 150;
    Timeline asked = make({});
    Numbers numbers(77);
    std::vector<Stay> stays;
    cs_cycle end = 0;

    const auto same = [&](cs_cycle from, uint64_t n) {
        const cs_cycle expected = reach(make(stays), from, n);
        return reach(asked, from, n) == expected && reach(asked, from, n) == expected;
    };
    for (int i = 0; i < kStays; i++) {
        const cs_cycle from = end > 300 ? end - numbers.below(300) : 0;
        const uint64_t n = 1 + numbers.of_any_size(9);
        const Stay stay = {1 + end + numbers.below(200), 0, 1 + i % 2u};

        ASSERT_TRUE(same(from, n)) << i;
        stays.push_back(stay);
        ASSERT_EQ(cs_timeline_enter(asked.get(), stay.enter, stay.track, nullptr), CS_OK);
        ASSERT_TRUE(same(from, n)) << i;
        stays.back().leave = end = stay.enter + numbers.below(100);
        ASSERT_EQ(cs_timeline_leave(asked.get(), end, nullptr), CS_OK);
        ASSERT_TRUE(same(from, n)) << i;
    }
}

// Given windows that were summed, when software comes and goes before their end and behind it, then each is
// summed again as it is.
TEST_F(Kept, SummedWindowsUntilSoftwareComesBeforeTheirEnd)
{
    constexpr int kStays = 150;
    Timeline asked = make({});
    Numbers numbers(79);
    std::vector<Stay> stays;
    cs_cycle end = 0;

    const auto same = [&](cs_cycle from, cs_cycle to) {
        const uint64_t expected = cs_timeline_sum(make(stays).get(), kEvent, CS_MODE_ALL, from, to);
        return cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, from, to) == expected &&
               cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, from, to) == expected;
    };
    for (int i = 0; i < kStays; i++) {
        const cs_cycle from = end > 300 ? end - numbers.below(300) : 0;
        const cs_cycle to = end + numbers.below(400); // before, in or behind what comes
        const Stay stay = {1 + end + numbers.below(200), 0, 1 + i % 2u};

        ASSERT_TRUE(same(from, to)) << i;
        stays.push_back(stay);
        ASSERT_EQ(cs_timeline_enter(asked.get(), stay.enter, stay.track, nullptr), CS_OK);
        ASSERT_TRUE(same(from, to)) << i;
        stays.back().leave = end = stay.enter + numbers.below(100);
        ASSERT_EQ(cs_timeline_leave(asked.get(), end, nullptr), CS_OK);
        ASSERT_TRUE(same(from, to)) << i;
    }
}

// Given windows of long ago and of now by turns, then both are summed as by nobody who remembers.
TEST_F(Kept, WindowsByTurns)
{
    constexpr int kStays = 300, kWindows = 2000;
    Numbers numbers(78);
    std::vector<Stay> stays;
    cs_cycle end = 0;

    for (int i = 0; i < kStays; i++) {
        const cs_cycle enter = 1 + end + numbers.below(200);
        end = enter + numbers.below(100);
        stays.push_back({enter, end + 1, 1 + i % 2u});
        end++;
    }
    const Timeline asked = make(stays);
    for (int i = 0; i < kWindows; i++) {
        const cs_cycle from = i % 3 != 0 ? numbers.below(end) : end - numbers.below(500);
        const cs_cycle to = from + numbers.below(i % 2 != 0 ? end : 700);
        const uint64_t sum = cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, from, to);
        const cs_cycle middle = from + (to - from) / 2;

        ASSERT_EQ(sum, cs_timeline_sum(make(stays).get(), kEvent, CS_MODE_ALL, from, to));
        ASSERT_EQ(sum, cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, from, middle) +
                           cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, middle, to));
        if (sum != 0) {
            const cs_cycle found = reach(asked, from, sum);
            ASSERT_LE(found, to);
            ASSERT_EQ(cs_timeline_sum(asked.get(), kEvent, CS_MODE_ALL, from, found), sum);
        }
    }
}

// ---- what is forgotten ----

// Given a timeline that forgets now and then, then about what comes after it answers as one that forgets
// nothing, and it remembers no more than what it was not allowed to forget.
TEST_F(Kept, ForgetsWhatWasBefore)
{
    constexpr int kStays = 3000;
    const Timeline forgets = make({}), remembers = make({});
    Numbers numbers(80);
    cs_cycle end = 0;

    for (int i = 0; i < kStays; i++) {
        const cs_cycle enter = 1 + end + numbers.below(200), from = end;

        end = enter + numbers.below(100);
        for (const Timeline &tl : {std::cref(forgets), std::cref(remembers)}) {
            ASSERT_EQ(cs_timeline_enter(tl.get(), enter, 1 + i % 2u, nullptr), CS_OK);
            ASSERT_EQ(cs_timeline_leave(tl.get(), end, nullptr), CS_OK);
        }
        if (i % 7 == 6) {
            cs_timeline_forget(forgets.get(), from);
            ASSERT_LE(cs_timeline_stays(forgets.get()), 2u);
        }
        for (const cs_cycle to : {enter, end, end + numbers.below(500)}) {
            ASSERT_EQ(cs_timeline_sum(forgets.get(), kEvent, CS_MODE_ALL, from, to),
                      cs_timeline_sum(remembers.get(), kEvent, CS_MODE_ALL, from, to));
            ASSERT_EQ(reach(forgets, from, 1 + to % 50), reach(remembers, from, 1 + to % 50));
        }
        uint64_t local[2];
        ASSERT_EQ(cs_timeline_track(forgets.get(), end + 1, &local[0]),
                  cs_timeline_track(remembers.get(), end + 1, &local[1]));
        ASSERT_EQ(local[0], local[1]);
    }
    EXPECT_EQ(cs_timeline_stays(remembers.get()), size_t{kStays});
    cs_timeline_reset(forgets.get());
    EXPECT_EQ(cs_timeline_sum(forgets.get(), kEvent, CS_MODE_ALL, 0, 1000),
              cs_timeline_sum(make({}).get(), kEvent, CS_MODE_ALL, 0, 1000));
}

TEST_F(Kept, ForgetsNothingThatMayBeAskedFor)
{
    const Timeline tl = make({{10, 20, 1}, {30, 40, 2}, {50, 0, 1}});

    for (const cs_cycle before : {0u, 10u, 29u}) {
        cs_timeline_forget(tl.get(), before);
        EXPECT_EQ(cs_timeline_stays(tl.get()), 3u) << before;
    }
    cs_timeline_forget(tl.get(), 30);
    EXPECT_EQ(cs_timeline_stays(tl.get()), 2u);
    cs_timeline_forget(tl.get(), 1000);
    EXPECT_EQ(cs_timeline_stays(tl.get()), 1u) << "the one that lasts";
    EXPECT_TRUE(cs_timeline_inserted(tl.get()));
    EXPECT_EQ(cs_timeline_leave(tl.get(), 1001, nullptr), CS_OK);
}

using KeptDeathTest = Kept;

// A wrong number would look like the truth.
TEST_F(KeptDeathTest, IsNotAskedAboutWhatItForgot)
{
    const Timeline tl = make({{10, 20, 1}, {30, 40, 2}});
    cs_context context;

    cs_timeline_forget(tl.get(), 35);
    EXPECT_DEATH(
        cs_timeline_sum(tl.get(), kEvent, CS_MODE_ALL, 29, 50),
        "^countersink: timeline: asked about cycle 29: must be 30 or later, what was before is "
        "forgotten \\(cs_timeline_forget\\)\n$");
    EXPECT_DEATH(cs_timeline_context(tl.get(), 29, &context), "asked about cycle 29");
}

} // namespace
