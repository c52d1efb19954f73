// SPDX-License-Identifier: Apache-2.0
// What a unit beside the cores does: one timeline of the streams that a test gives it.
#ifndef CS_TB_PERF_UNIT_WORK_HPP
#define CS_TB_PERF_UNIT_WORK_HPP

#include <gtest/gtest.h>

#include <vector>

#include <countersink/base/stream/timeline.h>

namespace perf_rig
{

class UnitWork
{
  public:
    UnitWork()
    {
        EXPECT_EQ(cs_stream_pool_create(&pool_, nullptr), CS_OK);
    }
    ~UnitWork()
    {
        cs_timeline_destroy(timeline_);
        cs_stream_pool_destroy(pool_);
    }
    UnitWork(const UnitWork &) = delete;

    void Rate(uint32_t event, uint64_t num, uint64_t den)
    {
        const cs_stream *stream = nullptr;

        EXPECT_EQ(cs_stream_rate(pool_, {num, den}, 0, &stream, nullptr), CS_OK);
        events_.push_back({event, stream});
    }
    void Random(uint32_t event, uint64_t num, uint64_t den, uint32_t most, uint64_t key)
    {
        const cs_stream *stream = nullptr;

        EXPECT_EQ(cs_stream_random(pool_, {num, den}, most, key, &stream, nullptr), CS_OK);
        events_.push_back({event, stream});
    }
    // After all events.
    cs_event_source Begin()
    {
        segment_.length_cycles = 1000000;
        segment_.events = events_.data();
        segment_.nr_events = events_.size();
        track_ = {"unit", &segment_, 1};
        const cs_timeline_desc desc = {5, 9, 0, &track_, 1, nullptr, 0, CS_MODE_EL0};
        EXPECT_EQ(cs_timeline_create(&desc, &timeline_, nullptr), CS_OK);
        return cs_timeline_event_source(timeline_);
    }
    uint64_t Sum(uint32_t event, uint64_t from, uint64_t to) const
    {
        return cs_timeline_sum(timeline_, event, CS_MODE_ALL, from, to);
    }

  private:
    cs_stream_pool *pool_ = nullptr;
    std::vector<cs_segment_event> events_;
    cs_segment segment_ = {};
    cs_track track_ = {};
    cs_timeline *timeline_ = nullptr;
};

} // namespace perf_rig

#endif
