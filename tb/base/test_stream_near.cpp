// SPDX-License-Identifier: Apache-2.0
// Look-ups that go on from the last one, against those that begin at the top.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/stream/stream_kind.h"
#include "support.hpp"

namespace
{

constexpr int kSteps = 20000;

class Near : public testing::Test
{
  protected:
    Pool pool_;
    std::vector<const cs_stream *> streams_ = {
        pool_.random(6, 5, "dense"), pool_.random(1, 100, "thin"),
        pool_.random(1, 50000000, "rare"), pool_.random(15, 1, "full"), pool_.rate(2, 3)};
    cs_stream_path path_ = {};

    // Mostly near t, in either direction; sometimes anywhere.
    static cs_cycle step(Numbers &numbers, cs_cycle t)
    {
        const uint64_t far = numbers.of_any_size(numbers.below(50) == 0 ? 55 : 28);

        t = numbers.below(3) != 0 ? t + far : t - std::min<cs_cycle>(t, far);
        return std::min<cs_cycle>(t, CS_STREAM_END);
    }
};

TEST_F(Near, PrefixesAreTheSame)
{
    for (const cs_stream *stream : streams_) {
        Numbers numbers(5);
        cs_cycle t = 0;
        for (int i = 0; i < kSteps; i++, t = step(numbers, t))
            ASSERT_EQ(cs_stream_prefix_near(stream, t, &path_), cs_stream_prefix(stream, t)) << t;
    }
}

TEST_F(Near, FoundCyclesAreTheSame)
{
    for (const cs_stream *stream : streams_) {
        Numbers numbers(6);
        cs_cycle t = 0;
        for (int i = 0; i < kSteps; i++, t = step(numbers, t)) {
            const uint64_t target = cs_stream_prefix_near(stream, t, &path_) + numbers.below(5);
            ASSERT_EQ(cs_stream_find_near(stream, target, &path_), cs_stream_find(stream, target))
                << target;
        }
    }
}

// Given one path for all, when streams take turns, then it serves each of them.
TEST_F(Near, APathIsOfOneStreamAtATime)
{
    Numbers numbers(7);
    cs_cycle t = 0;

    for (int i = 0; i < kSteps; i++, t = step(numbers, t)) {
        const cs_stream *stream = streams_[numbers.below(streams_.size())];
        ASSERT_EQ(cs_stream_prefix_near(stream, t, &path_), cs_stream_prefix(stream, t));
    }
}

// Given the ends of top blocks, when they are asked for, then both sides are right.
TEST_F(Near, EdgesOfTopBlocks)
{
    const cs_stream *stream = streams_[0];

    for (cs_cycle top = 1; top < 50; top++)
        for (int d : {-2, 1, 0, -1, 2}) {
            const cs_cycle t = (top << CS_STREAM_RANDOM_TOP_LOG2) + static_cast<cs_cycle>(d);
            const uint64_t prefix = cs_stream_prefix(stream, t);

            ASSERT_EQ(cs_stream_prefix_near(stream, t, &path_), prefix);
            for (uint64_t target = prefix; target < prefix + 3; target++)
                ASSERT_EQ(cs_stream_find_near(stream, target, &path_),
                          cs_stream_find(stream, target));
        }
}

} // namespace
