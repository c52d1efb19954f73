// SPDX-License-Identifier: Apache-2.0
// PMUs of a large system in a scenario. (bad/uncore/pmus_*.yaml has what is refused.)
#include <gtest/gtest.h>

#include "document.hpp"
#include "formats/address/tree.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_spec.h"

namespace
{

// The path of the PMU with this address, or the error.
std::string at(const Document &d, uint64_t address)
{
    cs_pmu_path path;
    cs_diag diag = {};
    char text[CS_PMU_PATH_BYTES];

    if (cs_pmu_tree_at(d->pmus->tree, address, &path, &diag) != CS_OK)
        return diag.text;
    cs_pmu_path_print(&d->pmus->tree->layout, &path, text);
    return text;
}

std::string unit_at(const std::string &path)
{
    return "uncore: {bridges: [{}], units: [{name: a, path: " + path + "}]}\n";
}

const std::string RACKS =
    "pmus: {tree: [{at: rack0-127/blade0-31/chip0-7, units: [{name: memctl, count: 2}]}]}\n";

} // namespace

TEST(Pmus, WithoutTheSectionTheTreeIsEmpty)
{
    const Document d = parse("seed: 1");

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_NE(d->pmus->tree, nullptr);
    EXPECT_EQ(d->pmus->tree->nr_entries, 0u);
    EXPECT_EQ(cs_pmu_layout_bits(&d->pmus->tree->layout), 24u);
    EXPECT_EQ(at(d, 0), "no PMU has the address 0x0 (rack0/blade0/chip0/node0/core0/pmu0)");
}

TEST(Pmus, ALineIsARangeOfPlaces)
{
    const Document d = parse(RACKS);

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmus->tree->nr_entries, 1u);
    EXPECT_EQ(at(d, 0xfffe01), "rack127/blade31/chip7/memctl1");
    EXPECT_EQ(at(d, 0x4200), "rack0/blade4/chip1/memctl0");
}

TEST(Pmus, NumbersOfAPlaceGoOnFromKindToKind)
{
    const Document d = parse("pmus: {tree: [{units: [{name: memctl, count: 2}, {name: link}, "
                             "{name: fan, first: 9, count: 2}, {name: psu}]}]}");

    ASSERT_TRUE(d.ok()) << d.error;
    for (const auto &[address, path] : {std::pair<uint64_t, const char *>{1, "memctl1"},
                                        {2, "link2"},
                                        {9, "fan9"},
                                        {10, "fan10"},
                                        {11, "psu11"}})
        EXPECT_EQ(at(d, address), path);
}

TEST(Pmus, AnotherLayout)
{
    const Document d = parse("pmus:\n"
                             "  levels: [{name: pmu, bits: 1}, {name: cpu, bits: 8}]\n"
                             "  tree: [{at: cpu0-255, units: [{name: vectorcopro, count: 2}]}]\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(at(d, 0x1ff), "cpu255/vectorcopro1");
    EXPECT_EQ(at(d, 0x200), "0x200 is outside 0..0x1ff (9 bits)");
}

TEST(Pmus, AUnitIsOneOfTheTreeOrComesIntoIt)
{
    const Document in = parse(RACKS + unit_at("rack1/blade0/chip0/memctl1"));
    const Document new_one = parse(RACKS + unit_at("rack1/fan5"));
    const Document alone = parse(unit_at("/sys/devices/system/pmus/blade4/core0/vectorcopro1"));
    const Document without = parse("uncore: {bridges: [{}], units: [{name: a}]}");

    ASSERT_TRUE(in.ok()) << in.error;
    EXPECT_EQ(in->pmus->tree->nr_entries, 1u);
    EXPECT_EQ(in->uncore->units[0].address, 0x20001u);
    ASSERT_TRUE(new_one.ok()) << new_one.error;
    EXPECT_EQ(new_one->pmus->tree->nr_entries, 2u);
    EXPECT_EQ(at(new_one, 0x20005), "rack1/fan5");
    ASSERT_TRUE(alone.ok()) << alone.error;
    EXPECT_EQ(at(alone, 0x4001), "blade4/core0/vectorcopro1");
    ASSERT_TRUE(without.ok()) << without.error;
    EXPECT_EQ(without->pmus->tree->nr_entries, 0u);
    EXPECT_STREQ(without->uncore->units[0].path, "");
}

TEST(Pmus, AsManyAsThereMayBe)
{
    std::string text = "pmus:\n  tree:\n";

    for (unsigned i = 0; i < CS_MAX_PMU_PLACES; i++)
        text += "    - {at: rack" + std::to_string(i) + ", units: [{name: memctl, count: 16}]}\n";
    text += "uncore:\n  bridges: [{}, {}, {}, {}]\n  units:\n";
    for (unsigned i = 0; i < CS_MAX_UNCORE; i++)
        text += "    - {name: u" + std::to_string(i) + ", bridge: " + std::to_string(i % 4) +
                ", path: rack" + std::to_string(64 + i) + "/fan0}\n";
    const Document d = parse(text);

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmus->tree->nr_entries, CS_MAX_PMU_PLACES + CS_MAX_UNCORE);
    EXPECT_EQ(at(d, 63u << 17 | 15), "rack63/memctl15");
    EXPECT_EQ(at(d, 123u << 17), "rack123/fan0");
}
