// Model and RTL agree on random programs for IMC cores and the nest (random_imc.hpp).
#include <gtest/gtest.h>

#include "forked.hpp"
#include "random_imc.hpp"

// Seeds 1..480 in 12 tests, so that they run side by side.
constexpr uint64_t kSeedsATest = 40;

class RandomImc : public testing::TestWithParam<uint64_t>
{
  protected:
    void agree(unsigned chips);
};

void RandomImc::agree(unsigned chips)
{
    uint64_t samples = 0;
    uint64_t states = 0;

    for (uint64_t i = 1; i <= kSeedsATest; i++) {
        const uint64_t seed = GetParam() * kSeedsATest + i;
        Outcome outcome = compare_forked(random_imc(seed, chips), ".");

        ASSERT_EQ(outcome.status, CS_OK) << "seed " << seed << ": " << outcome.text;
        ASSERT_EQ(outcome.report.what, CS_COMPARE_EQUAL)
            << "seed " << seed << ": " << describe(outcome);
        samples += outcome.report.of_kind[CS_PROBE_SAMPLE];
        states += outcome.report.of_kind[CS_PROBE_STATE];
    }
    // The programs do something.
    EXPECT_GT(samples, 500u);
    EXPECT_GT(states, 80u);
}

TEST_P(RandomImc, Agree)
{
    agree(1);
}

using RandomImcChips = RandomImc;

TEST_P(RandomImcChips, Agree)
{
    agree(2);
}

// OPAL, the kernel and perf on a port a CPU, with processes that move.
using RandomImcTasks = RandomImc;

TEST_P(RandomImcTasks, Agree)
{
    uint64_t registers = 0;

    for (uint64_t i = 1; i <= kSeedsATest; i++) {
        const uint64_t seed = GetParam() * kSeedsATest + i;
        const Outcome outcome = compare_forked(random_imc_tasks(seed), CS_CONFIGS "/imc");

        ASSERT_EQ(outcome.status, CS_OK) << "seed " << seed << ": " << outcome.text;
        ASSERT_EQ(outcome.report.what, CS_COMPARE_EQUAL)
            << "seed " << seed << ": " << describe(outcome);
        registers += outcome.report.of_kind[CS_PROBE_REG];
    }
    EXPECT_GT(registers, 1500u); // LDBARs go on and off
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomImcTasks, testing::Range<uint64_t>(0, 4));
INSTANTIATE_TEST_SUITE_P(Seeds, RandomImcChips, testing::Range<uint64_t>(0, 4));
INSTANTIATE_TEST_SUITE_P(Seeds, RandomImc, testing::Range<uint64_t>(0, 12));
