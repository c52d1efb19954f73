// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "formats/address/address.h"

namespace
{

const cs_pmu_layout *const seed = cs_pmu_layout_default();

cs_pmu_layout layout_of(std::initializer_list<cs_pmu_level> levels)
{
    cs_pmu_layout layout = {};

    for (const auto &level : levels)
        layout.levels[layout.nr_levels++] = level;
    return layout;
}

std::string layout_error(const cs_pmu_layout &layout)
{
    cs_diag diag = {};

    return cs_pmu_layout_check(&layout, &diag) == CS_OK ? "" : diag.text;
}

// "" where it is a path, else "COLUMN: text".
std::string path_error(const char *text, bool ranges, const cs_pmu_layout *layout = seed)
{
    cs_pmu_path path;
    cs_diag diag = {};

    if (cs_pmu_path_parse(layout, text, ranges, &path, &diag) == CS_OK)
        return "";
    return std::to_string(diag.column) + ": " + diag.text;
}

std::string again(const char *text, bool ranges = true)
{
    cs_pmu_path path;
    char printed[CS_PMU_PATH_BYTES];

    EXPECT_EQ(cs_pmu_path_parse(seed, text, ranges, &path, nullptr), CS_OK) << text;
    const size_t length = cs_pmu_path_print(seed, &path, printed);
    EXPECT_EQ(std::string(printed).size(), length);
    return printed;
}

} // namespace

TEST(PmuAddress, TheDefaultLayoutIsTheBitsOfTheProposal)
{
    const struct {
        const char *name;
        unsigned shift;
        uint64_t max;
    } fields[] = {{"pmu", 0, 15}, {"core", 4, 15},   {"node", 8, 1},
                  {"chip", 9, 7}, {"blade", 12, 31}, {"rack", 17, 127}};

    ASSERT_EQ(seed->nr_levels, 6u);
    EXPECT_EQ(cs_pmu_layout_check(seed, nullptr), CS_OK);
    EXPECT_EQ(cs_pmu_layout_bits(seed), 24u);
    for (size_t i = 0; i < 6; i++) {
        EXPECT_STREQ(seed->levels[i].name, fields[i].name);
        EXPECT_EQ(cs_pmu_level_shift(seed, i), fields[i].shift);
        EXPECT_EQ(cs_pmu_level_max(seed, i), fields[i].max);
    }
}

TEST(PmuAddress, EncodesAndDecodes)
{
    const struct {
        uint64_t field[6]; // pmu, core, node, chip, blade, rack
        uint64_t address;
    } cases[] = {
        {{0, 0, 0, 0, 0, 0}, 0},
        {{1, 3, 0, 1, 4, 0}, 0x4231},
        {{15, 0, 0, 0, 0, 0}, 0xf},
        {{0, 15, 0, 0, 0, 0}, 0xf0},
        {{0, 0, 1, 0, 0, 0}, 0x100},
        {{0, 0, 0, 7, 0, 0}, 0xe00},
        {{0, 0, 0, 0, 31, 0}, 0x1f000},
        {{0, 0, 0, 0, 0, 127}, 0xfe0000},
        {{15, 15, 1, 7, 31, 127}, 0xffffff},
    };

    for (const auto &c : cases) {
        uint64_t address = 1, field[CS_PMU_MAX_LEVELS];

        EXPECT_EQ(cs_pmu_encode(seed, c.field, &address, nullptr), CS_OK);
        EXPECT_EQ(address, c.address);
        EXPECT_EQ(cs_pmu_decode(seed, c.address, field, nullptr), CS_OK);
        for (size_t i = 0; i < 6; i++)
            EXPECT_EQ(field[i], c.field[i]) << c.address;
    }
}

TEST(PmuAddress, RefusesWhatHasNoBits)
{
    const uint64_t rack_128[6] = {0, 0, 0, 0, 0, 128};
    const uint64_t node_2[6] = {0, 0, 2, 0, 0, 0};
    uint64_t address, field[CS_PMU_MAX_LEVELS];
    cs_diag diag = {};

    EXPECT_EQ(cs_pmu_encode(seed, rack_128, &address, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "rack 128 is outside 0..127 (7 bits)");
    EXPECT_EQ(cs_pmu_encode(seed, node_2, &address, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "node 2 is outside 0..1 (1 bits)");
    EXPECT_EQ(cs_pmu_decode(seed, 0x1000000, field, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "0x1000000 is outside 0..0xffffff (24 bits)");
}

TEST(PmuAddress, LayoutsMayUseAll64Bits)
{
    const cs_pmu_layout wide = layout_of({{"pmu", 64}});
    const cs_pmu_layout split = layout_of({{"pmu", 1}, {"cpu", 31}, {"system", 32}});
    const uint64_t fields[3] = {1, 0x7fffffff, 0xffffffff};
    uint64_t address, field[CS_PMU_MAX_LEVELS];

    EXPECT_EQ(layout_error(wide), "");
    EXPECT_EQ(cs_pmu_decode(&wide, UINT64_MAX, field, nullptr), CS_OK);
    EXPECT_EQ(field[0], UINT64_MAX);
    EXPECT_EQ(cs_pmu_encode(&wide, field, &address, nullptr), CS_OK);
    EXPECT_EQ(address, UINT64_MAX);
    EXPECT_EQ(path_error("/x18446744073709551615", false, &wide),
              "1: a path is relative, or begins "
              "with " CS_PMU_ROOT);
    EXPECT_EQ(path_error("x18446744073709551615", false, &wide), "");
    EXPECT_NE(path_error("x18446744073709551616", false, &wide), "");

    EXPECT_EQ(layout_error(split), "");
    EXPECT_EQ(cs_pmu_encode(&split, fields, &address, nullptr), CS_OK);
    EXPECT_EQ(address, UINT64_MAX);
    EXPECT_EQ(cs_pmu_decode(&split, 0x8000000200000001, field, nullptr), CS_OK);
    EXPECT_EQ(field[0], 1u);
    EXPECT_EQ(field[1], 0u);
    EXPECT_EQ(field[2], 0x80000002u);
}

TEST(PmuAddress, BadLayoutsNameTheLevel)
{
    cs_pmu_layout many = {};

    many.nr_levels = CS_PMU_MAX_LEVELS + 1;
    EXPECT_EQ(layout_error(cs_pmu_layout{}), "0 levels; 1..16 are allowed");
    EXPECT_EQ(layout_error(many), "17 levels; 1..16 are allowed");
    EXPECT_EQ(layout_error(layout_of({{"pmu", 4}, {"chip", 0}})),
              "chip has 0 bits; 1..64 are allowed");
    EXPECT_EQ(layout_error(layout_of({{"pmu", 4}, {"chip", 60}, {"rack", 1}})),
              "with rack an address has 65 bits; at most 64 are allowed");
    EXPECT_EQ(layout_error(layout_of({{"pmu", 4}, {"chip", 4}, {"pmu", 1}})),
              "pmu is the name of level 0, too");
    EXPECT_EQ(layout_error(layout_of({{"pmu", 4}, {"l3", 4}})),
              "'l3' is no name of letters, digits and . _ - that begins and ends with a "
              "letter");
}

TEST(PmuAddress, NamesCanBeFollowedByNumbers)
{
    for (const char *good : {"a", "blade", "mem.ctl", "l3-cache", "Vector_coprocessor"})
        EXPECT_TRUE(cs_pmu_is_name(good)) << good;
    for (const char *bad : {"", "0x", "l3", "a-", "a/b", ".a", "a b", "n\xc3\xb6", "_a",
                            "a23456789_123456789_123456789_1b"})
        EXPECT_FALSE(cs_pmu_is_name(bad)) << bad;
}

TEST(PmuPath, TextAndBack)
{
    for (const char *text : {"rack0/blade4/chip1/node0/core3/vectorcopro1", "rack127", "memctl0",
                             "blade4/core0/vectorcopro1", "rack0-127/blade3/chip0-7", "",
                             "chip0/l3-cache0-3", "core0-0"})
        EXPECT_EQ(again(text), std::string(text) == "core0-0" ? "core0" : text);
    EXPECT_EQ(again("/"), "");
    EXPECT_EQ(again("rack1/"), "rack1");
    EXPECT_EQ(again("/sys/devices/system/pmus"), "");
    EXPECT_EQ(again("/sys/devices/system/pmus/"), "");
    EXPECT_EQ(again("/sys/devices/system/pmus/rack1/blade2"), "rack1/blade2");
}

TEST(PmuPath, LevelsThatAreLeftOutAreZeroInTheAddress)
{
    const std::pair<const char *, uint64_t> cases[] = {
        {"rack0/blade4/chip1/node0/core3/vectorcopro1", 0x4231},
        {"blade4/chip1/core3/vectorcopro1", 0x4231},
        {"blade4/core0/vectorcopro1", 0x4001},
        {"rack127/memctl2", 0xfe0002},
        {"rack1", 0x20000},
        {"", 0},
    };

    for (const auto &[text, address] : cases) {
        cs_pmu_path path;

        ASSERT_EQ(cs_pmu_path_parse(seed, text, false, &path, nullptr), CS_OK) << text;
        EXPECT_EQ(cs_pmu_path_address(seed, &path), address) << text;
    }
}

TEST(PmuPath, OfAnAddressAlone)
{
    cs_pmu_path path;
    char text[CS_PMU_PATH_BYTES];

    ASSERT_EQ(cs_pmu_path_of(seed, 0x4231, &path, nullptr), CS_OK);
    cs_pmu_path_print(seed, &path, text);
    EXPECT_STREQ(text, "rack0/blade4/chip1/node0/core3/pmu1");
    EXPECT_EQ(cs_pmu_path_of(seed, 0x1000000, &path, nullptr), CS_ERR_RANGE);
}

TEST(PmuPath, TheSeedsCpuIsALevelOfAnotherLayout)
{
    const cs_pmu_layout layout = layout_of({{"pmu", 4}, {"cpu", 8}, {"blade", 5}});
    cs_pmu_path path;

    EXPECT_EQ(
        path_error("blade4/cpu0/vectorcopro1", false),
        "8: cpu0: 'cpu' is no level, and a PMU is the last of a path; levels are rack, blade, "
        "chip, node, core");
    ASSERT_EQ(cs_pmu_path_parse(&layout, "blade4/cpu0/vectorcopro1", false, &path, nullptr), CS_OK);
    EXPECT_EQ(cs_pmu_path_address(&layout, &path), 0x4001u);
    EXPECT_STREQ(path.kind, "vectorcopro");
}

TEST(PmuPath, AsFirmwareNamesIt)
{
    cs_pmu_path path;
    char text[CS_PMU_PATH_BYTES];

    ASSERT_EQ(
        cs_pmu_path_parse(seed, "/proc/device-tree/rack@3/blade@a/memctl@1", false, &path, nullptr),
        CS_OK);
    EXPECT_EQ(cs_pmu_path_print(seed, &path, text), 21u);
    EXPECT_STREQ(text, "rack3/blade10/memctl1");
    for (const char *bad : {"blade", "blade@", "blade@x", "blade@04", "blade@A", "\x03", "@"})
        EXPECT_EQ(cs_pmu_path_parse(seed, (std::string("/proc/device-tree/") + bad).c_str(), false,
                                    &path, nullptr),
                  CS_ERR_FORMAT)
            << bad;
}

TEST(PmuPath, ErrorsSayWhatAndWhere)
{
    const struct {
        const char *text;
        bool ranges;
        const char *error;
    } cases[] = {
        {"rack128", false, "1: rack128: 128 is outside rack 0..127 (7 bits)"},
        {"rack0/blade4-32", true, "7: blade4-32: 32 is outside blade 0..31 (5 bits)"},
        {"rack0/memctl16", false, "7: memctl16: 16 is outside pmu 0..15 (4 bits)"},
        {"rack0-1", false, "1: 'rack0-1' is a range; one number is expected"},
        {"rack3-1", true, "1: 'rack3-1' ends before it begins"},
        {"rack0/rack1", false, "7: rack1: rack is not below rack"},
        {"chip0/blade1", false, "7: blade1: blade is not below chip"},
        {"memctl0/memctl1", false, "1: memctl0: 'memctl' is no level"},
        {"rack", false, "1: 'rack' is no name with a number"},
        {"rack01", false, "1: 'rack01' is no name with a number"},
        {"rack0//blade1", false, "7: '' is no name with a number"},
        {"//rack0", false, "1: a path is relative"},
        {"/rack0", false, "1: a path is relative"},
        {"/sys/devices/system/pmus/rack0/blade99", false, "32: blade99: 99 is outside"},
        {"/sys/devices/system/cpu/cpu0", false, "1: a path is relative"},
        {"rack0/mem-1", false, "7: 'mem-1' is no name of letters"},
        {"rack0/5", false, "7: '5' is no name of letters"},
        {"rack0/rack 1", false, "7: 'rack 1' is no name of letters"},
        {"rack99999999999999999999999", false, "1: 'rack999999"},
        {"rack0/a23456789_123456789_123456789_1b0", false,
         "7: 'a23456789_123456789_123456789_1b0' is"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(path_error(c.text, c.ranges).rfind(c.error, 0), 0u)
            << c.text << " -> " << path_error(c.text, c.ranges);
}

TEST(PmuPath, TheLongestHasRoom)
{
    cs_pmu_layout layout = {};
    std::string text;
    cs_pmu_path path;
    char printed[CS_PMU_PATH_BYTES];

    layout.nr_levels = CS_PMU_MAX_LEVELS;
    for (size_t i = 0; i < CS_PMU_MAX_LEVELS; i++) {
        const std::string name = std::string(30, 'a') + static_cast<char>('a' + i);

        layout.levels[i].bits = 4;
        name.copy(layout.levels[i].name, CS_PMU_NAME_BYTES);
        text = name + "14-15" + (i > 0 ? "/" : "") + text;
    }
    ASSERT_EQ(cs_pmu_layout_check(&layout, nullptr), CS_OK);
    ASSERT_EQ(cs_pmu_path_parse(&layout, text.c_str(), true, &path, nullptr), CS_OK);
    cs_pmu_path_print(&layout, &path, printed);
    EXPECT_EQ(printed, text);
    EXPECT_EQ(cs_pmu_path_address(&layout, &path), 0xeeeeeeeeeeeeeeeeu);
}
