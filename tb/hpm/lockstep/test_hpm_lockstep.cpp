// SPDX-License-Identifier: Apache-2.0
// Random programs, model against RTL: 1,200 for each of RV32 and RV64, with H and without.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "lockstep_coverage.hpp"

namespace
{

using Share = std::tuple<unsigned, unsigned>; // kind, share of it

class HpmLockstep : public testing::TestWithParam<Share>
{
};

std::string name_of(const testing::TestParamInfo<Share> &info)
{
    const Kind &kind = KINDS[std::get<0>(info.param)];
    return "RV" + std::to_string(kind.xlen) + (kind.has_h ? "_H_" : "_no_H_") +
           std::to_string(std::get<1>(info.param));
}

TEST_P(HpmLockstep, ModelAndRtlAgree)
{
    const Kind &kind = KINDS[std::get<0>(GetParam())];
    Compared compared;
    for (uint64_t seed : seeds_of(kind, std::get<1>(GetParam())))
        ASSERT_EQ("", lockstep(seed, compared));
    std::printf("%u programs: %" PRIu64 " cycles, %" PRIu64 " accesses (%" PRIu64
                " refused), %" PRIu64 " records\n",
                PROGRAMS, compared.cycles, compared.accesses, compared.refused, compared.records);
    EXPECT_GT(compared.cycles, PROGRAMS * 1000u);
    EXPECT_GT(compared.accesses - compared.refused, PROGRAMS * 150u);
    EXPECT_GT(compared.edges[0], PROGRAMS / 2);
    EXPECT_GT(compared.foretold, PROGRAMS / 8);
    EXPECT_GT(compared.waited, PROGRAMS / 16);
    EXPECT_GT(compared.resets, PROGRAMS / 16);
    if (kind.has_h) {
        EXPECT_GT(compared.edges[1], PROGRAMS / 4);
        EXPECT_GT(compared.edges[2], PROGRAMS / 4);
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, HpmLockstep,
                         testing::Combine(testing::Range(0u, 4u), testing::Range(0u, SHARES)),
                         name_of);

// All that the page tells apart is met by these programs, and nothing that cannot be.
TEST(HpmLockstepCoverage, IsComplete)
{
    LockstepCoverage coverage;
    size_t size = 0;
    coverage.everything();
    for (const auto &[title, cells] : coverage.tables()) {
        std::printf("%s: %zu of %zu\n", title, cells.size() - Coverage::missed(cells),
                    cells.size());
        size += cells.size();
        for (const auto &[name, hits] : cells)
            EXPECT_GT(hits, 0u) << title << ": " << name;
    }
    EXPECT_EQ(LockstepCoverage::possible(), size);
}

} // namespace
