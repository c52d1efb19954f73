// Model and RTL agree on random programs of several CPUs, each with a port of its own.
#include <gtest/gtest.h>

#include "forked.hpp"
#include "random_ports.hpp"

constexpr uint64_t kSeedsATest = 50;
constexpr uint64_t kManagerSeedsATest = 15;

class RandomPorts : public testing::TestWithParam<uint64_t>
{
};

TEST_P(RandomPorts, Agree)
{
    uint64_t edges = 0;

    for (uint64_t i = 1; i <= kSeedsATest; i++) {
        const uint64_t seed = GetParam() * kSeedsATest + i;
        Outcome outcome = compare_forked(random_ports(seed), ".");

        ASSERT_EQ(outcome.status, CS_OK) << "seed " << seed << ": " << outcome.text;
        ASSERT_EQ(outcome.report.what, CS_COMPARE_EQUAL)
            << "seed " << seed << ": " << describe(outcome);
        EXPECT_GT(outcome.report.of_kind[CS_PROBE_BUS], 1u);
        edges += outcome.report.of_kind[CS_PROBE_IRQ];
    }
    EXPECT_GT(edges, 10u); // the PMCU has walked
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPorts, testing::Range<uint64_t>(0, 6));

// perf's software on uncore units, its tasks on four CPUs.
TEST_P(RandomPorts, ManagersAgree)
{
    for (uint64_t i = 1; i <= kManagerSeedsATest; i++) {
        const uint64_t seed = GetParam() * kManagerSeedsATest + i;
        Outcome outcome = compare_forked(random_managers(seed), ".");

        ASSERT_EQ(outcome.status, CS_OK) << "seed " << seed << ": " << outcome.text;
        ASSERT_EQ(outcome.report.what, CS_COMPARE_EQUAL)
            << "seed " << seed << ": " << describe(outcome);
        EXPECT_GT(outcome.report.of_kind[CS_PROBE_REG], 1u) << "seed " << seed;
    }
}
