// SPDX-License-Identifier: Apache-2.0
// Random programs, model against RTL, and what they have met.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "lockstep.hpp"

namespace
{

constexpr unsigned programs = first_with_tags + 1200;

TEST(UncoreLockstep, ModelAndRtlAgreeAndThePageIsCovered)
{
    LockstepCoverage c;
    for (uint64_t seed = 0; seed < programs; seed++)
        ASSERT_EQ("", lockstep(seed, c));
    std::printf("%" PRIu64 " programs: %" PRIu64 " cycles, %" PRIu64 " accesses, %" PRIu64
                " registers looked at, %" PRIu64 " overflows, %" PRIu64 " edges of irq_o (%" PRIu64
                " foretold), %" PRIu64 " resets\n",
                c.programs, c.cycles, c.accesses, c.peeks, c.overflows, c.records, c.foretold,
                c.resets);
    for (const auto &[title, cells] : c.tables) {
        unsigned met = 0;
        uint64_t least = UINT64_MAX;
        for (const auto &[name, hits] : cells) {
            EXPECT_GT(hits, 0u) << title << ": " << name;
            met += hits != 0;
            least = std::min(least, hits);
        }
        std::printf("  %-42s %4u of %4zu, each at least %" PRIu64 " times\n", title.c_str(), met,
                    cells.size(), least);
    }
    EXPECT_EQ(c.programs, programs);
    EXPECT_GT(c.foretold, programs / 4);
    EXPECT_GT(c.records, programs);
    EXPECT_GT(c.resets, programs / 4);
}

} // namespace
