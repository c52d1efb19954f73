// Model and RTL agree on random register-level programs (random_script.hpp).
#include <gtest/gtest.h>

#include "forked.hpp"
#include "random_script.hpp"

// Seeds 1..600 in 12 tests, so that they run side by side.
constexpr uint64_t kSeedsATest = 50;

class RandomScripts : public testing::TestWithParam<uint64_t>
{
};

TEST_P(RandomScripts, Agree)
{
    uint64_t samples = 0;

    for (uint64_t i = 1; i <= kSeedsATest; i++) {
        const uint64_t seed = GetParam() * kSeedsATest + i;
        Outcome outcome = compare_forked(random_script(seed), ".");

        ASSERT_EQ(outcome.status, CS_OK) << "seed " << seed << ": " << outcome.text;
        ASSERT_EQ(outcome.report.what, CS_COMPARE_EQUAL)
            << "seed " << seed << ": " << describe(outcome);
        samples += outcome.report.of_kind[CS_PROBE_SAMPLE];
    }
    // The programs are not all refused.
    EXPECT_GT(samples, 50u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScripts, testing::Range<uint64_t>(0, 12));
