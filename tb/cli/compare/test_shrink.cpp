// SPDX-License-Identifier: Apache-2.0
// `compare --shrink`: what is left runs on a ready-made die, where one shows the difference.
#include <filesystem>

#include "cli/shell.hpp"

#ifdef CS_SABOTEUR

using namespace cs_test;
namespace fs = std::filesystem;

namespace
{

// Two PMCUs; the second's COMP goes wrong on its way into the RTL. Without `slots` the scenario would
// have as many as there may be, of which there is no ready-made die.
const char *const kTwoDies = R"(software: {kind: script}
corepmu: {counters: 2}
script:
  - write: {at: pmcu.1.COMP, value: 1}
  - write: {at: pmcu.1.PMCR, value: 1}
  - read: {at: pmcu.1.COMP}
pmcu: {dies: 2, clusters: 2, lanes: 1, slots: )";

struct Shrink : Command {
    Outcome shrink(const std::string &slots, const std::string &cache)
    {
        temp.write("two.yaml", kTwoDies + slots + "}\n");
        return run("compare --shrink -o least.yaml two.yaml",
                   "LD_PRELOAD='" CS_SABOTEUR "' CS_SABOTAGE='pmcu_acc_o 171 0 100000' "
                   "COUNTERSINK_CACHE='" +
                       cache + "'");
    }
    // It is small, and shows the difference with no other dies than the ready-made ones.
    void expect_ready()
    {
        const std::string least = temp.read("least.yaml");
        const fs::path none = temp.path() / "none";

        EXPECT_TRUE(has(least, "  dies: 2\n")) << least;
        EXPECT_FALSE(has(least, "PMCR")) << least;
        const Outcome o = run("compare least.yaml", "LD_PRELOAD='" CS_SABOTEUR
                                                    "' CS_SABOTAGE='pmcu_acc_o 171 0 100000' "
                                                    "COUNTERSINK_CACHE='" +
                                                        none.string() + "'");
        EXPECT_EQ(o.status, 1) << o.err;
        EXPECT_FALSE(fs::exists(none)) << o.err << least;
    }
};

} // namespace

TEST_F(Shrink, WhatNeedsAnotherDieIsNotTried)
{
    const fs::path cache = temp.path() / "cache";
    const Outcome o = shrink("2", cache.string());

    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_TRUE(has(o.out, "DIFFERENT at cycle 17, pmcu 1, field 'value'")) << o.out;
    EXPECT_FALSE(fs::exists(cache)) << o.err;
    expect_ready();
}

// There is none of three slots with two PMCUs: that die is made once, and kept for later tests.
TEST_F(Shrink, AReadyMadeDieIsTriedFirst)
{
    const Outcome o = shrink("3", CS_DIE_CACHE);

    EXPECT_EQ(o.status, 1) << o.err;
    expect_ready();
    EXPECT_TRUE(has(temp.read("least.yaml"), "  slots: 1\n")) << temp.read("least.yaml");
}

#endif
