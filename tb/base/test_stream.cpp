// SPDX-License-Identifier: Apache-2.0
// The contract of countersink/base/stream/stream.h, held against every kind of stream.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "stream_kinds.hpp"

namespace
{

class EveryStream : public testing::TestWithParam<size_t>
{
  protected:
    Pool pool_;
    std::vector<NamedStream> all_ = every_kind(pool_);
    const cs_stream *stream_ = all_[GetParam()].stream;
    Numbers numbers_{GetParam() + 1};

    // Places where the kinds have their edges, and anywhere.
    cs_cycle some_cycle()
    {
        switch (numbers_.below(4)) {
        case 0:
            return numbers_.below(3000);
        case 1:
            return (cs_cycle{1} << CS_STREAM_RANDOM_TOP_LOG2) * (1 + numbers_.below(5)) - 1500 +
                   numbers_.below(3000);
        case 2:
            return numbers_.of_any_size(56);
        default:
            return numbers_.below(1u << 30);
        }
    }

    std::vector<uint8_t> increments(cs_cycle first, size_t n)
    {
        std::vector<uint8_t> out(n + 1, 0xa5);
        cs_stream_increments(stream_, first, n, out.data());
        EXPECT_EQ(out[n], 0xa5) << "written past the end";
        out.pop_back();
        return out;
    }
};

TEST_P(EveryStream, IsMade)
{
    ASSERT_NE(stream_, nullptr);
    EXPECT_EQ(cs_stream_prefix(stream_, 0), 0u);
}

TEST_P(EveryStream, SumIsTheSumOfSingleCycles)
{
    for (int i = 0; i < 1500; i++) {
        cs_cycle from = some_cycle();
        size_t n = numbers_.below(400);
        std::vector<uint8_t> out = increments(from, n);
        uint64_t sum = std::accumulate(out.begin(), out.end(), uint64_t{0});
        ASSERT_EQ(cs_stream_sum(stream_, from, from + n), sum) << from << " + " << n;
        for (uint8_t increment : out)
            ASSERT_LE(increment, cs_stream_max_increment(stream_));
    }
    EXPECT_LE(cs_stream_max_increment(stream_), CS_MAX_INCREMENT);
}

TEST_P(EveryStream, IncrementIsTheSumOfWidthOne)
{
    for (int i = 0; i < 60; i++) {
        cs_cycle from = some_cycle();
        std::vector<uint8_t> out = increments(from, 150);
        for (size_t k = 0; k < out.size(); k++)
            ASSERT_EQ(cs_stream_sum(stream_, from + k, from + k + 1), out[k]) << from + k;
    }
}

TEST_P(EveryStream, BlocksOfAnyShapeAgree)
{
    for (int i = 0; i < 20; i++) {
        cs_cycle from = some_cycle();
        std::vector<uint8_t> whole = increments(from, 3000);
        for (int k = 0; k < 50; k++) {
            size_t at = numbers_.below(2500);
            size_t n = numbers_.below(500);
            std::vector<uint8_t> part = increments(from + at, n);
            ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + at));
        }
    }
}

TEST_P(EveryStream, PrefixesAdd)
{
    for (int i = 0; i < 3000; i++) {
        cs_cycle a = some_cycle();
        cs_cycle b = some_cycle();
        cs_cycle c = some_cycle();
        cs_cycle low = std::min({a, b, c});
        cs_cycle high = std::max({a, b, c});
        cs_cycle middle = a ^ b ^ c ^ low ^ high;
        ASSERT_EQ(cs_stream_sum(stream_, low, middle) + cs_stream_sum(stream_, middle, high),
                  cs_stream_sum(stream_, low, high));
        ASSERT_EQ(cs_stream_prefix(stream_, low) + cs_stream_sum(stream_, low, high),
                  cs_stream_prefix(stream_, high));
    }
}

TEST_P(EveryStream, ReachIsTheInverseOfSum)
{
    for (int i = 0; i < 3000; i++) {
        cs_cycle from = some_cycle();
        uint64_t n = 1 + numbers_.of_any_size(1 + numbers_.below(50));
        cs_cycle t = cs_stream_reach(stream_, from, n);
        if (t == CS_NEVER) {
            ASSERT_LT(cs_stream_sum(stream_, from, CS_NEVER), n);
            continue;
        }
        ASSERT_GT(t, from);
        ASSERT_LE(t, CS_STREAM_END);
        ASSERT_GE(cs_stream_sum(stream_, from, t), n) << from << " " << n;
        ASSERT_LT(cs_stream_sum(stream_, from, t - 1), n) << from << " " << n;
    }
}

// The sums that occur are where the edges of intervals, laps and blocks are.
TEST_P(EveryStream, ReachFindsTheLastIncrementOfASum)
{
    for (int i = 0; i < 3000; i++) {
        cs_cycle a = i % 2 == 0 ? 0 : some_cycle();
        cs_cycle b = i % 3 == 0 ? 5000 * numbers_.below(9) : some_cycle();
        cs_cycle from = std::min(a, b);
        uint64_t n = cs_stream_sum(stream_, from, std::max(a, b));
        if (n == 0)
            continue;
        cs_cycle t = cs_stream_reach(stream_, from, n);
        ASSERT_LE(t, std::max(a, b));
        ASSERT_EQ(cs_stream_sum(stream_, from, t), n);
        ASSERT_LT(cs_stream_sum(stream_, from, t - 1), n);
    }
}

TEST_P(EveryStream, NothingIsReachedAtOnce)
{
    EXPECT_EQ(cs_stream_reach(stream_, 0, 0), 0u);
    EXPECT_EQ(cs_stream_reach(stream_, 12345, 0), 12345u);
    EXPECT_EQ(cs_stream_reach(stream_, 5, UINT64_MAX), CS_NEVER);
    EXPECT_EQ(cs_stream_sum(stream_, 100, 100), 0u);
    EXPECT_EQ(cs_stream_sum(stream_, 101, 100), 0u);
}

TEST_P(EveryStream, EndsAtItsEnd)
{
    std::vector<uint8_t> out = increments(CS_STREAM_END - 100, 300);
    uint64_t sum = std::accumulate(out.begin(), out.end(), uint64_t{0});

    EXPECT_EQ(cs_stream_sum(stream_, CS_STREAM_END - 100, CS_NEVER), sum);
    EXPECT_TRUE(std::all_of(out.begin() + 100, out.end(), [](uint8_t x) { return x == 0; }));
    EXPECT_EQ(cs_stream_reach(stream_, CS_STREAM_END, 1), CS_NEVER);
    EXPECT_EQ(cs_stream_reach(stream_, CS_NEVER, 1), CS_NEVER);
    EXPECT_LE(cs_stream_prefix(stream_, CS_NEVER), CS_STREAM_END * CS_MAX_INCREMENT);
}

std::string kind_name(const testing::TestParamInfo<size_t> &info)
{
    Pool pool;
    return every_kind(pool)[info.param].name;
}

size_t nr_kinds()
{
    Pool pool;
    return every_kind(pool).size();
}

// Given streams of all kinds in any order, when their prefixes are asked for together, then each is
// what it is alone; by every way that this machine has.
TEST_P(EveryStream, PrefixesSideBySideAreThoseAlone)
{
    for (int i = 0; i < 40; i++) {
        std::vector<cs_stream_ask> asks(numbers_.below(100));
        for (cs_stream_ask &ask : asks) {
            const cs_stream *other = all_[numbers_.below(all_.size())].stream;
            ask = {numbers_.below(4) == 0 ? other : stream_, some_cycle(), ~uint64_t{0}};
        }
        cs_stream_prefixes(asks.data(), asks.size());
        for (const cs_stream_ask &ask : asks)
            ASSERT_EQ(cs_stream_prefix(ask.stream, ask.t), ask.prefix) << ask.t;
    }
}

INSTANTIATE_TEST_SUITE_P(Base, EveryStream, testing::Range(size_t{0}, nr_kinds()), kind_name);

// ---- what a kind does, cycle by cycle ----

std::string drawn(const cs_stream *stream, size_t n)
{
    std::vector<uint8_t> out(n);
    cs_stream_increments(stream, 0, n, out.data());
    std::string text;
    for (uint8_t increment : out)
        text += increment == 0 ? '.' : "0123456789abcdef"[increment];
    return text;
}

TEST(StreamKinds, DoAsTheirHeaderSays)
{
    Pool pool;
    const cs_stream *source = pool.rate(1, 1);
    cs_stream_phase phases[] = {{2, pool.rate(2, 1)}, {3, pool.rate(1, 2)}};
    cs_stream_interval intervals[] = {{4, 2}, {6, 30}};
    using Make = std::function<cs_status(const cs_stream **)>;
    const struct {
        const char *expected;
        Make make;
    } cases[] = {
        {"..1..1..1",
         [&](auto o) {
             return cs_stream_rate(pool, {1, 3}, 0, o, nullptr);
         }},
        {"1..1..1..",
         [&](auto o) {
             return cs_stream_rate(pool, {1, 3}, 2, o, nullptr);
         }},
        {"1..1..1..",
         [&](auto o) {
             return cs_stream_rate(pool, {2, 6}, 5, o, nullptr);
         }},
        {"121212",
         [&](auto o) {
             return cs_stream_rate(pool, {3, 2}, 0, o, nullptr);
         }},
        {"..7...7...7", [&](auto o) { return cs_stream_periodic(pool, 7, 4, 2, o, nullptr); }},
        {"..11...11...1",
         [&](auto o) {
             return cs_stream_bursts(pool, {1, 1}, 2, 5, 2, o, nullptr);
         }},
        {"...1...1",
         [&](auto o) {
             return cs_stream_bursts(pool, {1, 2}, 1, 2, 1, o, nullptr);
         }},
        {"22.1.221.122.1.",
         [&](auto o) { return cs_stream_phases(pool, phases, 2, true, o, nullptr); }},
        {"22.1......",
         [&](auto o) { return cs_stream_phases(pool, phases, 2, false, o, nullptr); }},
        {".1.1.1",
         [&](auto o) {
             return cs_stream_ratio(pool, source, {1, 2}, o, nullptr);
         }},
        {"232323",
         [&](auto o) {
             return cs_stream_ratio(pool, source, {5, 2}, o, nullptr);
         }},
        {".1.1ff....",
         [&](auto o) {
             return cs_stream_replay(pool, intervals, 2, CS_STREAM_AFTER_ZERO, o, nullptr);
         }},
        {".1.1ff.1.1ff",
         [&](auto o) {
             return cs_stream_replay(pool, intervals, 2, CS_STREAM_AFTER_REPEAT, o, nullptr);
         }},
    };

    for (const auto &c : cases) {
        const cs_stream *stream = nullptr;
        ASSERT_EQ(c.make(&stream), CS_OK);
        EXPECT_EQ(drawn(stream, strlen(c.expected)), c.expected);
    }
}

// ---- what is refused ----

TEST(StreamKinds, RefuseWhatIsOutOfRange)
{
    Pool pool;
    const cs_stream *fifteen = pool.rate(15, 1);
    cs_stream_phase empty[] = {{0, fifteen}};
    cs_stream_phase too_long[] = {{CS_STREAM_END, fifteen}, {1, fifteen}};
    cs_stream_interval backwards[] = {{10, 1}, {10, 1}};
    cs_stream_interval too_many[] = {{10, 1}, {12, 511}};
    cs_stream_interval too_late[] = {{CS_STREAM_END + 1, 1}};
    using Make = std::function<cs_status(const cs_stream **, cs_diag *)>;
    const struct {
        const char *expected;
        Make make;
    } cases[] = {
        {"rate 5/0: the divisor must be at least 1",
         [&](auto o, auto d) {
             return cs_stream_rate(pool, {5, 0}, 0, o, d);
         }},
        {"rate 511/2 is more than the 255 allowed per cycle",
         [&](auto o, auto d) {
             return cs_stream_rate(pool, {511, 2}, 0, o, d);
         }},
        {"phase 3 of rate 1/3: must be less than the divisor",
         [&](auto o, auto d) {
             return cs_stream_rate(pool, {1, 3}, 3, o, d);
         }},
        {"rate 1/18446744073709551615: the divisor must be at most 2^60",
         [&](auto o, auto d) {
             return cs_stream_rate(pool, {1, UINT64_MAX}, 0, o, d);
         }},
        {"increment 256 is more than 255",
         [&](auto o, auto d) { return cs_stream_periodic(pool, 256, 1, 0, o, d); }},
        {"period of 0 cycles: must be 1..2^56",
         [&](auto o, auto d) { return cs_stream_periodic(pool, 1, 0, 0, o, d); }},
        {"offset of 72057594037927937 cycles: must be 0..2^56",
         [&](auto o, auto d) { return cs_stream_periodic(pool, 1, 1, CS_STREAM_END + 1, o, d); }},
        {"on for 6 cycles: must be 1..5 (the period)",
         [&](auto o, auto d) {
             return cs_stream_bursts(pool, {1, 1}, 6, 5, 0, o, d);
         }},
        {"on for 0 cycles: must be 1..5 (the period)",
         [&](auto o, auto d) {
             return cs_stream_bursts(pool, {1, 1}, 0, 5, 0, o, d);
         }},
        {"rate 256/1 is more than the 255 allowed per cycle",
         [&](auto o, auto d) {
             return cs_stream_bursts(pool, {256, 1}, 1, 5, 0, o, d);
         }},
        {"largest increment 256: must be 1..255",
         [&](auto o, auto d) {
             return cs_stream_random(pool, {1, 1}, 256, 0, o, d);
         }},
        {"rate 5/1 is more than the 4 allowed per cycle",
         [&](auto o, auto d) {
             return cs_stream_random(pool, {5, 1}, 4, 0, o, d);
         }},
        {"0 phases: must be at least 1",
         [&](auto o, auto d) { return cs_stream_phases(pool, empty, 0, true, o, d); }},
        {"phase 1 of 0 cycles: must be 1..2^56, all phases together at most 2^56",
         [&](auto o, auto d) { return cs_stream_phases(pool, empty, 1, true, o, d); }},
        {"phase 2 of 1 cycles: must be 1..2^56, all phases together at most 2^56",
         [&](auto o, auto d) { return cs_stream_phases(pool, too_long, 2, true, o, d); }},
        {"ratio 256/15 of a stream with up to 15 per cycle is more than 255 per cycle",
         [&](auto o, auto d) {
             return cs_stream_ratio(pool, fifteen, {256, 15}, o, d);
         }},
        {"ratio 1/0: the divisor must be at least 1",
         [&](auto o, auto d) {
             return cs_stream_ratio(pool, fifteen, {1, 0}, o, d);
         }},
        {"0 intervals: must be at least 1",
         [&](auto o, auto d) {
             return cs_stream_replay(pool, backwards, 0, CS_STREAM_AFTER_ZERO, o, d);
         }},
        {"interval 2 ends at cycle 10: must be 11..2^56",
         [&](auto o, auto d) {
             return cs_stream_replay(pool, backwards, 2, CS_STREAM_AFTER_ZERO, o, d);
         }},
        {"interval 2 counts 511 in 2 cycles: at most 255 per cycle",
         [&](auto o, auto d) {
             return cs_stream_replay(pool, too_many, 2, CS_STREAM_AFTER_ZERO, o, d);
         }},
        {"interval 1 ends at cycle 72057594037927937: must be 1..2^56",
         [&](auto o, auto d) {
             return cs_stream_replay(pool, too_late, 1, CS_STREAM_AFTER_ZERO, o, d);
         }},
    };

    for (const auto &c : cases) {
        const cs_stream *stream = fifteen;
        cs_diag diag{};
        EXPECT_EQ(c.make(&stream, &diag), CS_ERR_RANGE) << c.expected;
        EXPECT_EQ(printed(diag), c.expected);
        EXPECT_EQ(stream, nullptr);
        EXPECT_EQ(c.make(&stream, nullptr), CS_ERR_RANGE) << "without a diagnostic";
    }
}

TEST(StreamKey, NamesSeedCoreAndEvent)
{
    uint64_t key = cs_stream_key(1, 2, "cycles");

    EXPECT_EQ(cs_stream_key(1, 2, "cycles"), key);
    EXPECT_NE(cs_stream_key(2, 2, "cycles"), key);
    EXPECT_NE(cs_stream_key(1, 3, "cycles"), key);
    EXPECT_NE(cs_stream_key(1, 2, "cycle"), key);
    EXPECT_NE(cs_stream_key(1, 2, ""), cs_stream_key(1, 2, "a"));
    EXPECT_NE(cs_stream_key(1, 2, "ab"), cs_stream_key(1, 2, "ba"));
    EXPECT_NE(cs_stream_key(2, 1, "ab"), cs_stream_key(1, 2, "ab"));
}

} // namespace
