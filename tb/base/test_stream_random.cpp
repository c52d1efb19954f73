// SPDX-License-Identifier: Apache-2.0
// The random stream is Poisson-like at all scales. The bounds come from the sizes
// of the samples: five standard errors of each estimate, and no more.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/stream/stream_random_impl.h"
#include "support.hpp"

namespace
{

struct Scale {
    uint64_t p, q;
    unsigned log2; // blocks of 2^log2 cycles
};

std::ostream &operator<<(std::ostream &out, const Scale &s)
{
    return out << s.p << "/" << s.q << " in blocks of 2^" << s.log2;
}

class RandomAtScale : public testing::TestWithParam<Scale>
{
};

// Given pairs of neighbouring blocks at random places, when their counts are
// taken, then mean, variance / mean and correlation are those of Poisson counts.
TEST_P(RandomAtScale, IsPoissonLike)
{
    constexpr int kPairs = 20000;
    const auto [p, q, log2] = GetParam();
    Pool pool;
    const cs_stream *stream = pool.random(p, q, "statistics");
    const double mean = static_cast<double>(p) / q * std::pow(2.0, log2);
    Numbers numbers(log2 + 1000 * p + q);
    double sum = 0, squares = 0, products = 0;

    for (int i = 0; i < kPairs; i++) {
        // Two halves of one block and neighbours across an edge alike.
        cs_cycle first = numbers.below(uint64_t{1} << 20) << 26;
        first += numbers.below((uint64_t{1} << (26 - log2)) - 1) << log2;
        cs_cycle middle = first + (cs_cycle{1} << log2);
        cs_cycle last = middle + (cs_cycle{1} << log2);
        double a = static_cast<double>(cs_stream_sum(stream, first, middle)) - mean;
        double b = static_cast<double>(cs_stream_sum(stream, middle, last)) - mean;
        sum += a + b;
        squares += a * a + b * b;
        products += a * b;
    }

    const double n = 2.0 * kPairs;
    // The top block has a fixed count: what is left for its blocks.
    const double share = std::pow(2.0, static_cast<int>(log2) - 26);
    const double variance = squares / n;
    const double expected = mean * (1 - share);
    EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(mean / n));
    // Var(x^2) of Poisson is 2 m^2 + m.
    const double error = std::sqrt((2 + 1 / mean) / n);
    EXPECT_NEAR(variance / expected, 1, 5 * error + 0.005);
    if (error < 0.009) {
        EXPECT_NEAR(variance / mean, 1, 0.05);
    }
    // Neighbours share what is fixed: one has -1 / (blocks - 1) of the other.
    const double correlation = products / kPairs / variance;
    EXPECT_NEAR(correlation, -share / (1 - share), 5 * std::sqrt((1 + 1 / mean) / kPairs));
}

std::vector<Scale> scales()
{
    std::vector<Scale> all;
    for (auto [p, q] : {std::pair{1, 10000}, {1, 100}, {1, 3}, {1, 1}, {3, 1}, {8, 1}})
        for (unsigned log2 : {4, 6, 7, 10, 13, 16, 18, 20})
            all.push_back({uint64_t(p), uint64_t(q), log2});
    // In single cycles only where 15 a cycle is no bound to speak of.
    for (auto [p, q] : {std::pair{1, 100}, {1, 3}, {1, 1}})
        for (unsigned log2 : {0, 1, 2, 3})
            all.push_back({uint64_t(p), uint64_t(q), log2});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Base, RandomAtScale, testing::ValuesIn(scales()));

// Given any block, then neither half is preferred.
TEST(Random, HalvesAreEqual)
{
    constexpr int kBlocks = 20000;
    Pool pool;
    Numbers numbers(9);

    for (auto [p, q] : {std::pair{1, 100}, {1, 3}, {1, 1}, {8, 1}, {14, 1}}) {
        const cs_stream *stream = pool.random(p, q, "halves");
        for (unsigned log2 = 1; log2 <= 22; log2++) {
            double difference = 0;
            for (int i = 0; i < kBlocks; i++) {
                cs_cycle first = numbers.below(uint64_t{1} << (46 - log2)) << log2;
                cs_cycle middle = first + (cs_cycle{1} << (log2 - 1));
                cs_cycle last = first + (cs_cycle{1} << log2);
                difference += static_cast<double>(cs_stream_sum(stream, first, middle)) -
                              static_cast<double>(cs_stream_sum(stream, middle, last));
            }
            double mean = static_cast<double>(p) / q * std::pow(2.0, log2);
            EXPECT_NEAR(difference / kBlocks, 0, 5 * std::sqrt(mean / kBlocks))
                << p << "/" << q << " in blocks of 2^" << log2;
        }
    }
}

// Given blocks with a mean of 4, then the histogram is that of Poisson: chi-square
// of 12 classes, 11 degrees of freedom, 0.001 of all good generators exceed 31.3.
TEST(Random, HasThePoissonHistogram)
{
    constexpr int kClasses = 12;
    constexpr int kBlocks = 50000;
    Pool pool;
    const cs_stream *stream = pool.random(1, 4, "histogram");
    int seen[kClasses] = {};

    for (cs_cycle i = 0; i < kBlocks; i++) {
        // 1009 is odd: every alignment above 16 is met.
        cs_cycle at = i * 1009 * 16;
        uint64_t count = cs_stream_sum(stream, at, at + 16);
        seen[count < kClasses - 1 ? count : kClasses - 1]++;
    }

    double chi_square = 0;
    double term = std::exp(-4.0);
    double rest = 1;
    for (int k = 0; k < kClasses; k++) {
        double expected = kBlocks * (k < kClasses - 1 ? term : rest);
        chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
        rest -= term;
        term *= 4.0 / (k + 1);
    }
    EXPECT_LT(chi_square, 31.3);
}

// Given the rate, then a top block has exactly its count.
TEST(Random, TopBlocksFollowTheRate)
{
    Pool pool;
    const struct {
        uint64_t p, q;
    } rates[] = {{1, 10000}, {1, 3}, {8, 1}, {1, 1000000007}, {12345678901, 12345678907}};

    for (const auto &rate : rates) {
        const cs_stream *stream = pool.random(rate.p, rate.q, "tops");
        const cs_stream *closed = pool.rate(rate.p, rate.q);
        for (uint64_t top : {0u, 1u, 2u, 17u, 1000u, 123456u})
            EXPECT_EQ(cs_stream_prefix(stream, top << 26), cs_stream_prefix(closed, top << 26));
    }
}

// Given two streams that differ in one part of their key, then they are unrelated.
TEST(Random, StreamsOfDifferentKeysAreUncorrelated)
{
    constexpr int kBlocks = 20000;
    Pool pool;
    const uint64_t keys[] = {cs_stream_key(1, 0, "cycles"), cs_stream_key(2, 0, "cycles"),
                             cs_stream_key(1, 1, "cycles"), cs_stream_key(1, 0, "cycler")};
    std::vector<const cs_stream *> streams;
    for (uint64_t key : keys) {
        const cs_stream *stream;
        ASSERT_EQ(cs_stream_random(pool, {1, 2}, 15, key, &stream, nullptr), CS_OK);
        streams.push_back(stream);
    }

    for (size_t a = 0; a < streams.size(); a++)
        for (size_t b = a + 1; b < streams.size(); b++) {
            double products = 0;
            for (cs_cycle i = 0; i < kBlocks; i++) {
                cs_cycle at = i << 7;
                double x = static_cast<double>(cs_stream_sum(streams[a], at, at + 128)) - 64;
                double y = static_cast<double>(cs_stream_sum(streams[b], at, at + 128)) - 64;
                products += x * y;
            }
            EXPECT_NEAR(products / kBlocks / 64, 0, 5 / std::sqrt(kBlocks)) << a << " " << b;
        }
}

// Given streams of all rates, when their prefixes are found side by side by each way that this machine
// has, then they are those found one by one.
TEST(RandomSideBySide, EveryWayIsTheWayAlone)
{
    Pool pool;
    Numbers numbers(11);
    std::vector<const cs_stream *> streams;

    for (unsigned most = 1; most <= 15; most++)
        for (uint64_t q : {1ull, 2ull, 3ull, 100ull, 123457ull, 99999999977ull})
            streams.push_back(pool.random(most, q, "side", most));
    for (int way = 0; way < CS_RANDOM_WAYS; way++) {
        if (!cs_random_can(static_cast<cs_random_way>(way)))
            continue;
        for (int i = 0; i < 2000; i++) {
            std::vector<cs_stream_ask> asks(1 + numbers.below(70));
            std::vector<cs_stream_ask *> places;
            for (cs_stream_ask &ask : asks) {
                ask = {streams[numbers.below(streams.size())], numbers.of_any_size(56), 0};
                places.push_back(&ask);
            }
            cs_stream_random_many_by(static_cast<cs_random_way>(way), places.data(), asks.size());
            for (const cs_stream_ask &ask : asks)
                ASSERT_EQ(cs_stream_prefix(ask.stream, ask.t), ask.prefix)
                    << "way " << way << ", cycle " << ask.t;
        }
    }
}

} // namespace
