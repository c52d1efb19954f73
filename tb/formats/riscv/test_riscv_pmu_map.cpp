// SPDX-License-Identifier: Apache-2.0
// The map of events to counters: the built-in one, the example in configs/, and what is refused.
#include <cstdlib>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/imc/imc_tree.hpp"
#include "support/temp_folder.hpp"
#include <countersink/formats/riscv/read/pmu_map.h>

using namespace cs_test;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace
{

const std::string kExample = CS_SOURCE_DIR "/configs/riscv/riscv_pmu.dts";

constexpr uint32_t kHpm = CS_RISCV_PMU_HPMCOUNTERS;

const char *const kSelects = "riscv,event-to-mhpmevent";
const char *const kRanges = "riscv,event-to-mhpmcounters";
const char *const kRaws = "riscv,raw-event-to-mhpmcounters";

struct Map {
    cs_status status = CS_OK;
    cs_diag diag = {};
    cs_riscv_pmu_map map = {};
};

Map load_map(const std::string &path)
{
    Map m;

    m.status = cs_riscv_pmu_map_load(path.c_str(), &m.map, &m.diag);
    return m;
}

// Exactly as many bytes as there are, at an odd address: a sanitizer sees what is read beyond.
Map map_of_bytes(const std::string &bytes, const char *name = "map.dtb")
{
    const std::unique_ptr<char[]> exact(new char[bytes.size() + 1]);
    Map m;

    memset(&m.map, 0xff, sizeof m.map); // whatever was there
    bytes.copy(exact.get() + 1, bytes.size());
    m.status = cs_riscv_pmu_map_load_memory(exact.get() + 1, bytes.size(), name, &m.map, &m.diag);
    return m;
}

Node tree(const std::string &property, const std::string &bytes)
{
    Node root;
    Node &soc = root.add({"soc", {}, {}});

    soc.add({"other", {{"compatible", text("riscv,pmu2")}}, {}});
    soc.add({"pmu", {{"compatible", text("riscv,pmu")}, {property, bytes}}, {}});
    return root;
}

Map map_of(const std::string &property, const std::string &bytes)
{
    return map_of_bytes(blob(tree(property, bytes)));
}

// The device tree of configs/, looked at.
void expect_example(const cs_riscv_pmu_map &map)
{
    const struct {
        uint32_t event_idx;
        uint64_t value;
        uint32_t counters;
    } events[] = {
        {0x0, 0, 0},          {0x1, 1, 0x1f9},     {0x2, 2, 0x1fc},      {0x3, 3, 0x1f8},
        {0x4, 4, 0x1f8},      {0x5, 5, 0x18},      {0x6, 6, 0x18},       {0x7, 0, 0},
        {0x10000, 3, 0x1f8},  {0x10001, 4, 0x1f8}, {0x10002, 0, 0},      {0x10018, 0, 0},
        {0x10019, 16, 0x1f8}, {0x1001a, 0, 0},     {0x10021, 18, 0x1f8}, {0x20000, 0, 0},
    };
    const struct {
        uint64_t data;
        uint32_t counters;
    } raws[] = {
        {0x13, 0},
        {0x14, 0x1e0},
        {0x17, 0x1e0},
        {0x18, 0},
        {0x1f, 0},
        {0x20, 0x1f8},
        {0x3f, 0x1f8},
        {0x40, 0x1f8},
        {0xff, 0x1f8},
        {0x100, 0},
        {UINT64_C(0x100000000) | 0x20, 0},
        {UINT64_C(1) << 31 | 0x20, 0},
    };

    EXPECT_EQ(map.nr_selects, 10u);
    EXPECT_EQ(map.nr_ranges, 7u);
    EXPECT_EQ(map.nr_raws, 4u);
    for (const auto &e : events) {
        EXPECT_EQ(cs_riscv_pmu_map_select(&map, e.event_idx), e.value) << e.event_idx;
        EXPECT_EQ(cs_riscv_pmu_map_counters(&map, e.event_idx), e.counters) << e.event_idx;
    }
    for (const auto &r : raws)
        EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, r.data), r.counters) << r.data;
}

} // namespace

TEST(RiscvEvents, TheTableOfTheHpmBlock)
{
    const cs_riscv_event *last = nullptr;
    size_t nr = 0;

    for (; cs_riscv_event_at(nr) != nullptr; nr++) {
        const cs_riscv_event *e = cs_riscv_event_at(nr);

        EXPECT_GT(e->encoding, last == nullptr ? 0 : last->encoding);
        EXPECT_EQ(cs_riscv_event_named(e->name), e);
        EXPECT_EQ(cs_riscv_event_encoded(e->encoding), e);
        EXPECT_LE(e->nr_sbi, 2u);
        last = e;
    }
    EXPECT_EQ(nr, 21u);
    EXPECT_EQ(cs_riscv_event_at(SIZE_MAX), nullptr);
    for (uint16_t none : {0, 7, 8, 9, 25, 32, 65535})
        EXPECT_EQ(cs_riscv_event_encoded(none), nullptr) << none;
    for (const char *none : {"", "cycles.hart", "CYCLES", "CYCLES.HART "})
        EXPECT_EQ(cs_riscv_event_named(none), nullptr) << none;
    EXPECT_EQ(cs_riscv_event_named("CACHE.L1.RD.DATA.MISS")->encoding, 4);
    EXPECT_EQ(cs_riscv_event_named("TOPDOWN.BAD_SPECULATION.SLOTS")->encoding, 24);
}

// docs/hw/hpm.md, section 10.
TEST(RiscvPmuMap, TheBuiltInOne)
{
    cs_riscv_pmu_map map;
    const std::pair<uint32_t, uint64_t> events[] = {
        {0x1, 1},      {0x2, 2},      {0x3, 3},      {0x10000, 3},  {0x4, 4},
        {0x10001, 4},  {0x5, 5},      {0x10028, 5},  {0x6, 6},      {0x10029, 6},
        {0xa, 10},     {0x10008, 11}, {0x10009, 12}, {0x10010, 13}, {0x10011, 14},
        {0x10018, 15}, {0x10019, 16}, {0x10020, 17}, {0x10021, 18},
    };

    memset(&map, 0xff, sizeof map);
    cs_riscv_pmu_map_default(&map);
    EXPECT_EQ(map.nr_selects, std::size(events));
    EXPECT_EQ(map.nr_ranges, std::size(events));
    for (const auto &[event_idx, value] : events) {
        EXPECT_EQ(cs_riscv_pmu_map_select(&map, event_idx), value) << event_idx;
        EXPECT_EQ(cs_riscv_pmu_map_counters(&map, event_idx), event_idx == 1   ? kHpm | 1
                                                              : event_idx == 2 ? kHpm | 4
                                                                               : kHpm)
            << event_idx;
    }
    for (uint32_t none : {0x0u, 0x7u, 0x8u, 0x9u, 0xbu, 0x10002u, 0x20000u, 0xf0000u}) {
        EXPECT_EQ(cs_riscv_pmu_map_select(&map, none), 0u);
        EXPECT_EQ(cs_riscv_pmu_map_counters(&map, none), 0u);
    }
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, 0), kHpm);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, 0xffff), kHpm);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, 0x10000), 0u);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&map, UINT64_C(1) << 63), 0u);
}

TEST(RiscvPmuMap, TheExampleAsSource)
{
    const Map m = load_map(kExample);

    ASSERT_EQ(m.status, CS_OK) << m.diag.text;
    expect_example(m.map);
}

TEST(RiscvPmuMap, TheExampleAsBlob)
{
    const TempFolder temp;
    const std::string line = "dtc -q -I dts -O dtb -o '" + temp.file("map.dtb") + "' " + kExample;

    ASSERT_EQ(std::system(line.c_str()), 0);
    const Map m = load_map(temp.file("map.dtb"));
    ASSERT_EQ(m.status, CS_OK) << m.diag.text;
    expect_example(m.map);
    const Map again = map_of_bytes(temp.read("map.dtb"), nullptr);
    ASSERT_EQ(again.status, CS_OK) << again.diag.text;
    expect_example(again.map);
}

TEST(RiscvPmuMap, RowsAreBigEndianHighThenLow)
{
    const Map select = map_of(kSelects, cells({0x10203, 0x01020304, 0x05060708}));
    ASSERT_EQ(select.status, CS_OK) << select.diag.text;
    ASSERT_EQ(select.map.nr_selects, 1u);
    EXPECT_EQ(select.map.selects[0].event_idx, 0x10203u);
    EXPECT_EQ(select.map.selects[0].value, UINT64_C(0x0102030405060708));

    const Map raw = map_of(kRaws, cells({1, 2, 0x11, 0x12, 0x80000008}));
    ASSERT_EQ(raw.status, CS_OK) << raw.diag.text;
    ASSERT_EQ(raw.map.nr_raws, 1u);
    EXPECT_EQ(raw.map.raws[0].match, UINT64_C(0x100000002));
    EXPECT_EQ(raw.map.raws[0].mask, UINT64_C(0x1100000012));
    EXPECT_EQ(raw.map.raws[0].counters, 0x80000008u);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&raw.map, ~UINT64_C(0x1000000010)), 0x80000008u);
}

TEST(RiscvPmuMap, RawEventsHaveTheCountersOfAllRowsThatMatch)
{
    const Map m = map_of(kRaws, cells({0, 0x10, 0, 0xf0, 0x18, 0, 0x12, 0, 0xff, 0x60}));

    ASSERT_EQ(m.status, CS_OK) << m.diag.text;
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&m.map, 0x11), 0x18u);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&m.map, 0x12), 0x78u);
    EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&m.map, 0x22), 0u);
}

// Nothing is needed but the node; what is not a row's property is not looked at.
TEST(RiscvPmuMap, AnEmptyNodeIsAMap)
{
    for (const char *property : {"unknown", kSelects, kRanges, kRaws}) {
        const Map m = map_of(property, "");

        EXPECT_EQ(m.status, CS_OK) << m.diag.text;
        EXPECT_EQ(m.map.nr_selects + m.map.nr_ranges + m.map.nr_raws, 0u);
        EXPECT_EQ(cs_riscv_pmu_map_counters(&m.map, 1), 0u);
        EXPECT_EQ(cs_riscv_pmu_map_raw_counters(&m.map, 0), 0u);
    }
}

TEST(RiscvPmuMap, RowsThatAreAllowed)
{
    const struct {
        const char *property;
        std::string bytes;
    } rows[] = {
        {kSelects, cells({0x1, 0, 1, 0x1ffff, 0, 1})},
        {kSelects, cells({0x1, 1, 0})},
        {kRanges, cells({1, 1, 7, 2, 2, 7, 3, 0x1ffff, 8})},
        {kRanges, cells({1, 5, 0xffffffff})},
        {kRanges, cells({2, 5, 1})},
        {kRanges, cells({5, 6, 8, 3, 4, 8, 7, 7, 8})}, // neighbours, in any order
        {kRaws, cells({0, 0, 0, 0, 8})},
        {kRaws, cells({1, 2, 1, 2, 8, 1, 2, 1, 3, 8, 1, 2, 3, 2, 8, 0, 0, 1, 2, 8})},
    };

    for (const auto &row : rows) {
        const Map m = map_of(row.property, row.bytes);

        EXPECT_EQ(m.status, CS_OK) << m.diag.text;
    }
}

// Each names the file, the node and the property.
TEST(RiscvPmuMapErrors, RowsThatCanMeanNothing)
{
    const struct {
        const char *property;
        std::string bytes;
        const char *error;
    } rows[] = {
        {kSelects, cells({1, 0}), "expected rows of 12 bytes, found 8 bytes"},
        {kSelects, cells({1, 0, 1}) + "x", "expected rows of 12 bytes, found 13 bytes"},
        {kRanges, cells({1, 1, 8, 2}), "expected rows of 12 bytes, found 16 bytes"},
        {kRaws, cells({0, 0, 0, 8}), "expected rows of 20 bytes, found 16 bytes"},
        {kSelects, cells({0, 0, 1}), "row 0: expected an event_idx of 0x1..0x1ffff, found 0x0"},
        {kSelects, cells({1, 0, 1, 0x20000, 0, 1}),
         "row 1: expected an event_idx of 0x1..0x1ffff, found 0x20000"},
        {kSelects, cells({0xffffffff, 0, 1}),
         "row 0: expected an event_idx of 0x1..0x1ffff, found 0xffffffff"},
        {kSelects, cells({5, 0, 0}), "row 0: event 0x5 has the value 0, which selects nothing"},
        {kSelects, cells({5, 0, 1, 6, 0, 1, 5, 0, 2}), "row 2: event 0x5 has a row already"},
        {kRanges, cells({0, 1, 8}),
         "row 0: expected rising event_idx of 0x1..0x1ffff, found 0x0 0x1"},
        {kRanges, cells({4, 3, 8}),
         "row 0: expected rising event_idx of 0x1..0x1ffff, found 0x4 0x3"},
        {kRanges, cells({4, 0x20000, 8}),
         "row 0: expected rising event_idx of 0x1..0x1ffff, found 0x4 0x20000"},
        {kRanges, cells({3, 5, 8, 5, 6, 8}), "row 1: events 0x5..0x6 are partly those of row 0"},
        {kRanges, cells({9, 9, 8, 3, 5, 8, 1, 3, 8}),
         "row 2: events 0x1..0x3 are partly those of row 1"},
        {kRanges, cells({4, 4, 8, 3, 5, 8}), "row 1: events 0x3..0x5 are partly those of row 0"},
        {kRanges, cells({3, 3, 0}), "row 0: names no counter"},
        {kRanges, cells({3, 3, 0xc}),
         "row 0: only rows that begin with event 0x1 or 0x2 may name counters 0..2, found "
         "0x0000000c"},
        {kRanges, cells({3, 3, 9}),
         "row 0: only rows that begin with event 0x1 or 0x2 may name counters 0..2, found "
         "0x00000009"},
        {kRaws, cells({0, 1, 0, 0, 8}),
         "row 0: 0x1 has bits that are not in its mask 0x0, so that nothing matches"},
        {kRaws, cells({4, 0, 3, 0xffffffff, 8}),
         "row 0: 0x400000000 has bits that are not in its mask 0x3ffffffff, so that nothing "
         "matches"},
        {kRaws, cells({0, 1, 0, 1, 8, 0, 0, 0, 1, 8, 0, 1, 0, 1, 16}),
         "row 2: matches what row 0 matches"},
        {kRaws, cells({0, 0, 0, 1, 0}), "row 0: names no counter"},
        {kRaws, cells({0, 0, 0, 1, 10}),
         "row 0: only rows that begin with event 0x1 or 0x2 may name counters 0..2, found "
         "0x0000000a"},
    };

    for (const auto &row : rows) {
        const Map m = map_of(row.property, row.bytes);

        EXPECT_EQ(m.status, CS_ERR_FORMAT);
        EXPECT_STREQ(m.diag.where, "map.dtb");
        EXPECT_EQ(m.diag.text,
                  std::string("/soc/pmu, property '") + row.property + "': " + row.error);
    }
}

TEST(RiscvPmuMapErrors, TooManyRows)
{
    for (uint32_t rows : {256u, 257u}) {
        std::string selects, ranges, raws;

        for (uint32_t i = 1; i <= rows; i++) {
            selects += cells({i, 0, 1});
            ranges += cells({i + 2, i + 2, 8});
            raws += cells({0, i, 0, 0xffffffff, 8});
        }
        for (const auto &[property, bytes] :
             {std::pair(kSelects, selects), std::pair(kRanges, ranges), std::pair(kRaws, raws)}) {
            const Map m = map_of(property, bytes);

            EXPECT_EQ(m.status, rows == 256 ? CS_OK : CS_ERR_FORMAT);
            EXPECT_EQ(std::string(m.diag.text),
                      rows == 256 ? ""
                                  : std::string("/soc/pmu, property '") + property +
                                        "': expected at most 256 rows, found 257");
        }
    }
}

// A path too long to tell is told otherwise.
TEST(RiscvPmuMapErrors, ADeepNode)
{
    Node root;
    Node *at = &root;

    for (int i = 0; i < 10; i++)
        at = &at->add({std::string(30, 'n'), {}, {}});
    at->set("compatible", text("riscv,pmu")).set(kSelects, "x");
    const Map m = map_of_bytes(blob(root));
    EXPECT_EQ(m.status, CS_ERR_FORMAT);
    EXPECT_THAT(m.diag.text, StartsWith("node at byte "));
    EXPECT_THAT(m.diag.text,
                EndsWith(", property 'riscv,event-to-mhpmevent': expected rows of 12 bytes, found "
                         "1 bytes"));
}

TEST(RiscvPmuMapErrors, NoNode)
{
    Node root;

    root.add({"pmu", {{"compatible", text("riscv,sbi-pmu")}}, {}});
    const Map m = map_of_bytes(blob(root));
    EXPECT_EQ(m.status, CS_ERR_FORMAT);
    EXPECT_STREQ(m.diag.text, "expected a node that is compatible with \"riscv,pmu\", found none");
    // One of several compatible strings will do.
    root.add({"pmu2", {{"compatible", text("vendor,pmu") + text("riscv,pmu")}}, {}});
    EXPECT_EQ(map_of_bytes(blob(root)).status, CS_OK);
}

TEST(RiscvPmuMapErrors, BlobsThatAreNotWhole)
{
    const std::string whole = blob(tree(kRanges, cells({3, 3, 8})));

    EXPECT_EQ(map_of_bytes(whole).status, CS_OK);
    for (size_t bytes = 0; bytes < whole.size(); bytes++) {
        const Map m = map_of_bytes(whole.substr(0, bytes));

        EXPECT_EQ(m.status, CS_ERR_FORMAT) << bytes;
        EXPECT_THAT(m.diag.text, StartsWith("not a whole device tree blob: ")) << bytes;
    }
    // Any byte changed: whatever it is then, it is told and nothing else is read.
    for (size_t i = 0; i < whole.size(); i++)
        for (int bit = 0; bit < 8; bit++) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
            const Map m = map_of_bytes(damaged);
            EXPECT_TRUE(m.status == CS_OK || m.status == CS_ERR_FORMAT) << i;
        }
}

// What libfdt itself crashes at.
TEST(RiscvPmuMapErrors, AnOldBlob)
{
    std::string bytes = blob(tree(kRanges, cells({3, 3, 8})));

    bytes[23] = 6; // version
    bytes[27] = 6; // it can be read as
    EXPECT_THAT(map_of_bytes(bytes).diag.text,
                HasSubstr("not a whole device tree blob: FDT_ERR_BADVERSION"));
}

TEST(RiscvPmuMapErrors, TooLarge)
{
    const TempFolder temp;
    std::string bytes = blob(tree(kRanges, cells({3, 3, 8})));
    const char *error = "expected a device tree with riscv,pmu of at most 1048576 bytes";

    bytes.resize(CS_RISCV_PMU_MAX_BYTES); // what is behind a tree is nobody's
    EXPECT_EQ(map_of_bytes(bytes).status, CS_OK);
    EXPECT_EQ(load_map(temp.write("fits.dtb", bytes)).status, CS_OK);
    bytes.resize(CS_RISCV_PMU_MAX_BYTES + 1);
    const Map memory = map_of_bytes(bytes);
    EXPECT_EQ(memory.status, CS_ERR_FORMAT);
    EXPECT_STREQ(memory.diag.text, error);
    const Map file = load_map(temp.write("large.dtb", bytes));
    EXPECT_EQ(file.status, CS_ERR_FORMAT);
    EXPECT_STREQ(file.diag.text, error);
    // Source that is small, and its blob is not.
    temp.write("part.dtsi", "a = \"" + std::string(600000, 'x') + "\";\n");
    const Map source = load_map(temp.write(
        "large.dts",
        "/dts-v1/;\n/ { b { /include/ \"part.dtsi\" }; c { /include/ \"part.dtsi\" }; };\n"));
    EXPECT_EQ(source.status, CS_ERR_FORMAT);
    EXPECT_STREQ(source.diag.text, "expected source of a device tree with riscv,pmu of at most "
                                   "1048576 bytes, found more");
}

TEST(RiscvPmuMapErrors, Files)
{
    const TempFolder temp;
    const struct {
        const char *name;
        const char *bytes;
        const char *error;
    } rows[] = {
        {"empty.dts", "", "expected a device tree blob (first bytes d0 0d fe ed) or its source"},
        {"words.dts", "pmu", "dtc cannot compile it: "},
        {"syntax.dts", "/dts-v1/;\n/ { pmu { compatible = ; }; };\n", "dtc cannot compile it: "},
        {"none.dts", "/dts-v1/;\n/ { };\n", "expected a node that is compatible"},
        {"row.dts",
         "/dts-v1/;\n/ { pmu { compatible = \"riscv,pmu\"; riscv,event-to-mhpmevent = <1 2>; }; "
         "};\n",
         "/pmu, property 'riscv,event-to-mhpmevent': expected rows of 12 bytes, found 8 bytes"},
        {"magic.dtb", "\xd0\x0d\xfe\xed", "not a whole device tree blob: "},
    };

    for (const auto &row : rows) {
        const std::string path = temp.write(row.name, row.bytes);
        const Map m = load_map(path);

        EXPECT_EQ(m.status, CS_ERR_FORMAT) << row.name;
        EXPECT_EQ(m.diag.where, path);
        EXPECT_THAT(m.diag.text, StartsWith(row.error));
    }
    for (const std::string &path : {temp.file("not there"), temp.path().string()}) {
        const Map m = load_map(path);

        EXPECT_EQ(m.status, CS_ERR_IO);
        EXPECT_EQ(m.diag.where, path);
    }
}
