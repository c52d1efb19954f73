// SPDX-License-Identifier: Apache-2.0
// Addresses of PMUs: limits, what lies around a text, and paths as firmware has them.
#include <gtest/gtest.h>

#include <string>

#include "formats/address/tree.h"

namespace
{

const cs_pmu_layout *const seed = cs_pmu_layout_default();

std::string as_firmware(const cs_pmu_path &path)
{
    char text[CS_PMU_PATH_BYTES];
    const size_t length = cs_pmu_path_print_firmware(seed, &path, text);

    EXPECT_EQ(std::string(text).size(), length);
    return text;
}

} // namespace

TEST(PmuAddressEdges, ALevelOf65Bits)
{
    cs_pmu_layout layout = {1, {{"pmu", 64}}};
    cs_diag diag = {};

    EXPECT_EQ(cs_pmu_layout_check(&layout, &diag), CS_OK);
    layout.levels[0].bits = 65;
    EXPECT_EQ(cs_pmu_layout_check(&layout, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "pmu has 65 bits; 1..64 are allowed");
}

TEST(PmuAddressEdges, WhatStandsBeforeAPathIsNoneOfIt)
{
    const char text[] = "x15/blade1";
    cs_pmu_path path;
    cs_diag diag = {};

    EXPECT_EQ(cs_pmu_path_parse(seed, text + 2, false, &path, &diag), CS_ERR_FORMAT);
    EXPECT_STREQ(diag.text, "5: '' is no level, and a PMU is the last of a path; levels are rack, "
                            "blade, chip, node, core");
    EXPECT_EQ(diag.column, 1u);
}

TEST(PmuAddressEdges, NothingIsWrittenBehindAPath)
{
    struct {
        cs_pmu_path path;
        char behind;
    } out = {{}, 'x'};
    const std::string longest(CS_PMU_NAME_BYTES - 1, 'a');

    EXPECT_EQ(cs_pmu_path_parse(seed, (longest + "1").c_str(), false, &out.path, nullptr), CS_OK);
    EXPECT_EQ(out.path.kind, longest);
    EXPECT_EQ(cs_pmu_path_parse(seed, (longest + "a1").c_str(), false, &out.path, nullptr),
              CS_ERR_FORMAT);
    EXPECT_EQ(out.behind, 'x');
}

TEST(PmuAddressEdges, PathsAsFirmwareHasThem)
{
    const struct {
        const char *path, *text;
    } cases[] = {
        {"rack77/blade3/memctl10", "rack@4d/blade@3/memctl@a"},
        {"rack127", "rack@7f"},
        {"memctl1", "memctl@1"},
        {"", ""},
    };
    cs_pmu_path path;

    for (const auto &c : cases) {
        ASSERT_EQ(cs_pmu_path_parse(seed, c.path, false, &path, nullptr), CS_OK) << c.path;
        EXPECT_EQ(as_firmware(path), c.text);
    }
    ASSERT_EQ(cs_pmu_path_of(seed, 0x4231, &path, nullptr), CS_OK);
    EXPECT_EQ(as_firmware(path), "rack@0/blade@4/chip@1/node@0/core@3/pmu@1") << "of no kind";
}

TEST(PmuAddressEdges, NumbersOfAKindFitTheFirstLevel)
{
    const cs_pmu_layout layout = {2, {{"pmu", 4}, {"core", 6}}};
    cs_pmu_kind kind = {"memctl", 16, 0};
    cs_diag diag = {};

    EXPECT_EQ(cs_pmu_kind_check(&layout, &kind, &diag), CS_OK) << diag.text;
    kind.count = 17;
    EXPECT_EQ(cs_pmu_kind_check(&layout, &kind, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "17 of memctl from number 0 on; pmu is 0..15 (4 bits)");
}

// What stands behind the entries of a tree is not in it.
TEST(PmuAddressEdges, OfTheEntriesSoManyAreInATree)
{
    const cs_pmu_kind memctl = {"memctl", 2, 0};
    cs_pmu_entry entries[2] = {{{}, &memctl, 1}, {{}, &memctl, 1}};
    cs_pmu_path second, found;

    ASSERT_EQ(cs_pmu_path_parse(seed, "rack1", false, &entries[0].at, nullptr), CS_OK);
    ASSERT_EQ(cs_pmu_path_parse(seed, "rack2", false, &entries[1].at, nullptr), CS_OK);
    ASSERT_EQ(cs_pmu_path_parse(seed, "rack2/memctl1", false, &second, nullptr), CS_OK);
    for (const size_t nr : {0u, 1u, 2u}) {
        const cs_pmu_tree tree = {*seed, entries, nr};

        EXPECT_EQ(cs_pmu_tree_has(&tree, &second), nr == 2) << nr;
        EXPECT_EQ(cs_pmu_tree_at(&tree, cs_pmu_path_address(seed, &second), &found, nullptr),
                  nr == 2 ? CS_OK : CS_ERR_RANGE)
            << nr;
    }
}
