// SPDX-License-Identifier: Apache-2.0
// The written tree, judged by dtc and by the loader.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "formats/imc/catalog/device_tree.h"
#include "imc_tree.hpp"
#include "support/configs.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

const cs_imc_device_tree_options kAll = {UINT64_MAX, false, 0, nullptr, nullptr};

std::string make(const Loaded &loaded, const cs_imc_device_tree_options &options = kAll)
{
    void *blob = nullptr;
    size_t bytes = 0;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_device_tree_make(loaded.catalog.get(), &options, &blob, &bytes, &diag), CS_OK)
        << diag.text;
    const std::string result(static_cast<const char *>(blob), bytes);
    free(blob);
    return result;
}

std::vector<std::string> pmus(const Loaded &loaded)
{
    std::vector<std::string> names;

    for (size_t i = 0; i < cs_imc_catalog_nr_units(loaded.catalog.get()); i++)
        names.emplace_back(cs_imc_catalog_unit(loaded.catalog.get(), i)->pmu);
    return names;
}

// What dtc makes of a blob. That units of two domains begin at one offset is so in every
// catalog: of its warnings this one is no judgement.
struct Judged {
    int status;
    std::string source;
    std::string complaints;
};

Judged judge(const TempFolder &temp, const std::string &blob)
{
    const std::string line = "cd '" + temp.path().string() +
                             "' && dtc -I dtb -O dts judged.dtb >judged.dts 2>judged.err";

    temp.write("judged.dtb", blob);
    const int status = std::system(line.c_str());
    std::istringstream all(temp.read("judged.err"));
    std::string complaints;
    for (std::string complaint; std::getline(all, complaint);)
        if (complaint.find("(unique_unit_address): /imc-counters/core@18") == std::string::npos)
            complaints += complaint + '\n';
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, temp.read("judged.dts"), complaints};
}

// A catalog with every nest unit that there is.
Loaded every_nest_unit()
{
    Node root = good_tree();
    Node &top = root.at("imc-counters");
    uint32_t reg = 0x1000;
    const auto add = [&](const std::string &name) { top.add(nest(name, reg += 0x100, 1, "X_")); };

    for (const char *name : {"powerbus0", "mcs45", "mcs67", "nx", "vas", "int", "mystery"})
        add(name);
    const std::pair<const char *, int> numbered[] = {
        {"mcs", 8}, {"mba", 9},  {"centaur", 8}, {"xlink", 3},  {"mcd", 2},
        {"phb", 6}, {"capp", 2}, {"alink", 4},   {"nvlink", 6},
    };
    for (const auto &[stem, count] : numbered)
        for (int i = 0; i < count; i++)
            add(stem + std::to_string(i));
    return load_tree(root);
}

std::vector<std::string> nest_units_with(const Loaded &catalog, uint64_t availability)
{
    std::vector<std::string> names;
    cs_imc_device_tree_options options = kAll;

    options.availability = availability;
    const Loaded tree = load_bytes(make(catalog, options));
    for (size_t i = 0; i < cs_imc_catalog_nr_units(tree.catalog.get()); i++)
        if (cs_imc_catalog_unit(tree.catalog.get(), i)->domain == CS_IMC_DOMAIN_NEST)
            names.emplace_back(cs_imc_catalog_unit(tree.catalog.get(), i)->node);
    return names;
}

} // namespace

TEST(ImcDeviceTree, LoadsAsTheSameCatalog)
{
    const TempFolder temp;
    Node rich = good_tree();
    Node &top = rich.at("imc-counters");

    top.at("mcs-events/event@0").set("scale", text("256")).set("desc", text("as its unit"));
    top.at("mcs-events/event@8").set("scale", text("1.2207e-4")).set("unit", text("MiB"));
    top.at("mcs01@c8").set("unit", text("J")).drop("scale");
    top.at("mcs-events").add(event(0x100, "TWIN")).set("reg", cells({8, 8}));
    top.at("mcs-events").add(event(0x108, "TRIPLET")).set("reg", cells({8, 8}));
    top.at("mcs01@c8").set("base-addr", cells({0x20, 0, 0x40, 0})).set("chip-id", cells({0, 8}));
    top.at("thread@18").drop("events");
    top.add(nest("core", 0x700, 2, "NEST_CORE_"));
    top.add(list("none", 7, {}));
    top.add(nest("empty", 0x780, 7, "EMPTY_"));
    const Loaded catalogs[] = {load_file(config_path("power9_small.dts")),
                               load_file(config_path("power10_small.dts")), load_tree(rich),
                               every_nest_unit()};

    for (const Loaded &catalog : catalogs) {
        ASSERT_EQ(catalog.status, CS_OK) << catalog.diag.text;
        const std::string written = make(catalog);
        const Loaded again = load_bytes(written);
        ASSERT_EQ(again.status, CS_OK) << again.diag.text;
        if (catalog.pmu("nest_mcs0_imc") == nullptr) { // which is in no kernel's tree
            EXPECT_EQ(told(again.catalog.get()), told(catalog.catalog.get()));
        }
        EXPECT_EQ(make(again), written);

        const Judged judged = judge(temp, written);
        EXPECT_EQ(judged.status, 0);
        EXPECT_EQ(judged.complaints, "");
        const Loaded from_source = load_file(temp.file("judged.dts"));
        ASSERT_EQ(from_source.status, CS_OK) << from_source.diag.text;
        EXPECT_EQ(told(from_source.catalog.get()), told(again.catalog.get()));
    }
}

// What a kernel looks for, read without the loader.
TEST(ImcDeviceTree, HasWhatAKernelLooksFor)
{
    const uint64_t base_addr[] = {0x2000000000, 0x2400001000};
    const uint32_t chip_id[] = {0, 8};
    const cs_imc_device_tree_options options = {UINT64_MAX, false, 2, base_addr, chip_id};
    const std::string tree = make(load_file(config_path("power9_small.dts")), options);
    const void *fdt = tree.data();
    const auto bytes = [&](int node, const char *property) {
        int length = 0;
        const void *data = fdt_getprop(fdt, node, property, &length);

        return data != nullptr ? std::string(static_cast<const char *>(data), length)
                               : std::string("(absent)");
    };
    const int top = fdt_path_offset(fdt, "/imc-counters");
    const int mcs = fdt_path_offset(fdt, "/imc-counters/mcs01@c8");
    const int core = fdt_path_offset(fdt, "/imc-counters/core@18");
    const int trace = fdt_path_offset(fdt, "/imc-counters/trace@0");

    ASSERT_GE(top, 0);
    EXPECT_EQ(bytes(top, "compatible"), text("ibm,opal-in-memory-counters"));
    EXPECT_EQ(bytes(top, "#address-cells"), cells({1}));
    EXPECT_EQ(bytes(top, "#size-cells"), cells({1}));
    EXPECT_EQ(bytes(top, "version-id"), cells({0x20}));
    ASSERT_GE(mcs, 0);
    EXPECT_EQ(bytes(mcs, "compatible"), text("ibm,imc-counters"));
    EXPECT_EQ(bytes(mcs, "type"), cells({0x10}));
    EXPECT_EQ(bytes(mcs, "reg"), cells({0xc8, 8}));
    EXPECT_EQ(bytes(mcs, "size"), cells({0x40000}));
    EXPECT_EQ(bytes(mcs, "offset"), cells({0x180000}));
    EXPECT_EQ(bytes(mcs, "cb_offset"), cells({0x3fc00}));
    EXPECT_EQ(bytes(mcs, "events-prefix"), text("PM_MCS01_"));
    EXPECT_EQ(bytes(mcs, "scale"), text("256"));
    EXPECT_EQ(bytes(mcs, "unit"), "(absent)");
    EXPECT_EQ(bytes(mcs, "base-addr"), cells({0x20, 0, 0x24, 0x1000}));
    EXPECT_EQ(bytes(mcs, "chip-id"), cells({0, 8}));
    ASSERT_GE(core, 0);
    EXPECT_EQ(bytes(core, "type"), cells({4}));
    EXPECT_EQ(bytes(core, "offset"), "(absent)");
    EXPECT_EQ(bytes(core, "base-addr"), "(absent)");
    ASSERT_GE(trace, 0);
    EXPECT_EQ(bytes(trace, "type"), cells({2}));
    EXPECT_EQ(bytes(trace, "scale"), "(absent)");

    // Units that shared a list share it still.
    EXPECT_EQ(bytes(mcs, "events"),
              bytes(fdt_path_offset(fdt, "/imc-counters/mcs23@48"), "events"));
    const int list = fdt_node_offset_by_phandle(
        fdt, fdt32_ld(reinterpret_cast<const fdt32_t *>(bytes(mcs, "events").data())));
    const int second = fdt_subnode_offset(fdt, list, "event@8");
    ASSERT_GE(second, 0);
    EXPECT_EQ(bytes(second, "event-name"), text("128B_RD_DISP_PORT01"));
    EXPECT_EQ(bytes(second, "reg"), cells({8, 8}));
    EXPECT_EQ(bytes(second, "scale"), "(absent)");
}

TEST(ImcDeviceTree, AUnitWithoutAnAddressGetsNone)
{
    Node root = good_tree();

    root.at("imc-counters/mcs23@48").name = "mcs23";
    const Loaded catalog = load_tree(root);
    const auto blob = make(catalog);
    EXPECT_GE(fdt_path_offset(blob.data(), "/imc-counters/mcs01@c8"), 0);
    // libfdt takes a path without an address for a node with one, too: by its whole name.
    const int mcs = fdt_path_offset(blob.data(), "/imc-counters/mcs23");
    ASSERT_GE(mcs, 0);
    EXPECT_STREQ(fdt_get_name(blob.data(), mcs, nullptr), "mcs23");
}

TEST(ImcDeviceTree, ChipsAreThoseGivenElseTheCatalogs)
{
    Node root = good_tree();
    const uint64_t base_addr[] = {0x7000000000};
    const uint32_t chip_id[] = {3};

    root.at("imc-counters/mcs01@c8").set("base-addr", cells({0x20, 0})).set("chip-id", cells({8}));
    const Loaded catalog = load_tree(root);
    const Loaded kept = load_bytes(make(catalog));
    ASSERT_EQ(kept.pmu("nest_mcs01_imc")->nr_chips, 1u);
    EXPECT_EQ(kept.pmu("nest_mcs01_imc")->chip_id[0], 8u);
    EXPECT_EQ(kept.pmu("nest_mcs23_imc")->nr_chips, 0u);
    const Loaded given = load_bytes(make(catalog, {UINT64_MAX, false, 1, base_addr, chip_id}));
    for (const char *pmu : {"nest_mcs01_imc", "nest_mcs23_imc"}) {
        ASSERT_EQ(given.pmu(pmu)->nr_chips, 1u);
        EXPECT_EQ(given.pmu(pmu)->chip_id[0], 3u);
        EXPECT_EQ(given.pmu(pmu)->base_addr[0], 0x7000000000u);
    }
}

TEST(ImcDeviceTree, TraceCanBeLeftOut)
{
    cs_imc_device_tree_options options = kAll;

    options.leave_out_trace = true;
    const Loaded tree = load_bytes(make(load_tree(good_tree()), options));
    EXPECT_THAT(pmus(tree),
                ElementsAre("nest_mcs01_imc", "nest_mcs23_imc", "core_imc", "thread_imc"));
}

// Bit 0 is the most significant one.
TEST(ImcDeviceTree, EachBitOfTheAvailabilityIsAUnit)
{
    const Loaded catalog = every_nest_unit();
    const auto unit_of = [](unsigned bit) -> std::string {
        const struct {
            unsigned first, last;
            const char *stem;
        } ranges[] = {
            {0, 0, "powerbus"}, {1, 8, "mcs"},      {9, 16, "mba"},  {17, 24, "centaur"},
            {25, 27, "xlink"},  {28, 29, "mcd"},    {30, 35, "phb"}, {37, 38, "capp"},
            {41, 44, "alink"},  {45, 50, "nvlink"},
        };

        for (const auto &range : ranges)
            if (bit >= range.first && bit <= range.last)
                return range.stem + std::to_string(bit - range.first);
        return bit == 36 ? "nx" : bit == 39 ? "vas" : bit == 40 ? "int" : "";
    };
    // Names that have no bit, and pairs whose nodes have an address.
    const std::vector<std::string> always = {"mcs01", "mcs23", "mcs45", "mcs67", "mystery", "mba8"};

    ASSERT_EQ(catalog.status, CS_OK) << catalog.diag.text;
    for (unsigned bit = 0; bit < 64; bit++) {
        std::vector<std::string> expected = always;
        if (!unit_of(bit).empty())
            expected.push_back(unit_of(bit));
        EXPECT_THAT(nest_units_with(catalog, UINT64_C(1) << (63 - bit)),
                    testing::UnorderedElementsAreArray(expected))
            << bit;
    }
    EXPECT_THAT(nest_units_with(catalog, 0), testing::UnorderedElementsAreArray(always));
    EXPECT_EQ(nest_units_with(catalog, UINT64_MAX).size(), always.size() + 51);
}

cs_imc_unit unit_named(const char *node, bool has_address = true)
{
    cs_imc_unit unit = {};

    unit.node = node;
    unit.has_address = has_address;
    return unit;
}

TEST(ImcDeviceTree, TheUsualAvailability)
{
    const auto there = [](const char *node, uint64_t availability = CS_IMC_DEFAULT_AVAILABILITY) {
        const cs_imc_unit unit = unit_named(node);
        return cs_imc_nest_available(&unit, CS_IMC_GENERATION_POWER9, availability);
    };

    for (const char *node : {"powerbus0", "mcs0", "mcs7", "mcs01", "mcs67", "mba7", "xlink0",
                             "phb0", "phb5", "nvlink0", "nvlink5"})
        EXPECT_TRUE(there(node)) << node;
    for (const char *node :
         {"centaur0", "centaur7", "mcd0", "nx", "capp1", "vas", "int", "alink0", "alink3"})
        EXPECT_FALSE(there(node)) << node;
    // Not units that have a bit.
    for (const char *node :
         {"mcs8", "mcs02", "mcs012", "nx0", "powerbus1", "mba8", "centaur8", "xlink3", "mcd2",
          "phb6", "phb", "phb00", "capp2", "alink4", "nvlink6", "", "p"})
        EXPECT_TRUE(there(node, 0)) << node;
}

// OPAL looks for pairs and for units of debugging by the whole name of the node.
TEST(ImcDeviceTree, PairsAndDebuggingGoWithoutAnAddressOnly)
{
    const struct {
        const char *node;
        bool has_address;
        uint64_t availability;
        bool there;
    } cases[] = {
        {"mcs01", true, 0, true},
        {"mcs01", false, 0, false},
        {"mcs01", false, UINT64_C(1) << 62, true},
        {"mcs01", false, UINT64_C(1) << 61, true},
        {"mcs01", false, UINT64_C(1) << 60, false},
        {"mcs67", false, UINT64_C(1) << 55, true},
        {"mcs3", true, UINT64_MAX, true},
        {"mcs3", true, 0, false}, // by its bit
        {"mcs3", false, UINT64_MAX, false},
    };
    for (const auto &c : cases)
        for (cs_imc_generation g : {CS_IMC_GENERATION_POWER9, CS_IMC_GENERATION_POWER10}) {
            const cs_imc_unit unit = unit_named(c.node, c.has_address);
            EXPECT_EQ(cs_imc_nest_available(&unit, g, c.availability), c.there)
                << c.node << " " << c.has_address << std::hex << " " << c.availability;
        }
}

// The units of the published catalog: none of their bits, all of them, and links of each kind.
TEST(ImcDeviceTree, OfPower10)
{
    const auto there = [](const std::string &node, uint64_t availability) {
        const cs_imc_unit unit = unit_named(node.c_str());
        return cs_imc_nest_available(&unit, CS_IMC_GENERATION_POWER10, availability);
    };
    const auto bit = [](unsigned n) { return UINT64_C(1) << (63 - n); };
    std::vector<std::string> others = {"pb", "pec0", "pec1", "nx"}, links;
    std::vector<unsigned> bits = {0, 9, 10, 57};

    for (unsigned n = 0; n < 16; n++) {
        others.push_back("ocmb" + std::to_string(n));
        bits.push_back(41 + n);
    }
    for (unsigned n = 0; n < 6; n++) {
        others.push_back("phb0_0");
        others.back()[3] = static_cast<char>('0' + n);
        others.back()[5] = static_cast<char>('0' + n % 3);
        bits.push_back(35 + n);
    }
    for (size_t i = 0; i < others.size(); i++) {
        EXPECT_TRUE(there(others[i], bit(bits[i]))) << others[i];
        EXPECT_FALSE(there(others[i], ~bit(bits[i]))) << others[i];
    }
    // Three bits a link: 5 an xlink, 6 an alink, 7 an otl.
    for (unsigned link = 0; link < 8; link++)
        for (unsigned value = 0; value < 8; value++) {
            const uint64_t availability = uint64_t{value} << (63 - 13 - 3 * link);
            const std::string n = std::to_string(link);

            EXPECT_EQ(there("xlink" + n, availability), value == 5) << link << " " << value;
            EXPECT_EQ(there("alink" + n, availability), value == 6) << link << " " << value;
            EXPECT_EQ(there("otl" + n + "_0", availability), value == 7) << link << " " << value;
            EXPECT_EQ(there("otl" + n + "_1", availability), value == 7) << link << " " << value;
        }
    // What has no bit: powerbus0 and the like are POWER9's.
    for (const char *node : {"pau", "mcs01", "mcs23", "powerbus0", "mba0", "otl0_2", "phb6_0",
                             "phb0_3", "phb0", "ocmb16", "xlink8"})
        EXPECT_TRUE(there(node, 0)) << node;
}

TEST(ImcDeviceTree, OfWhichChipsACatalogIs)
{
    EXPECT_EQ(cs_imc_catalog_generation(nullptr), CS_IMC_GENERATION_UNKNOWN);
    const struct {
        const char *file;
        cs_imc_generation generation;
    } cases[] = {{"power9_small.dts", CS_IMC_GENERATION_POWER9},
                 {"power10_small.dts", CS_IMC_GENERATION_POWER10}};
    for (const auto &c : cases) {
        cs_imc_catalog *catalog = nullptr;
        const std::string path = std::string(CS_SOURCE_DIR "/configs/imc/") + c.file;
        ASSERT_EQ(cs_imc_catalog_load(path.c_str(), &catalog, nullptr), CS_OK);
        EXPECT_EQ(cs_imc_catalog_generation(catalog), c.generation) << c.file;
        cs_imc_catalog_destroy(catalog);
    }
    for (const char *name : {"pb", "pec0", "ocmb3", "otl0_1"}) {
        Node root = good_tree();
        Node &top = root.at("imc-counters");
        top.add(nest(name, 0x2000, 1, "X_"));
        EXPECT_EQ(cs_imc_catalog_generation(load_tree(root).catalog.get()),
                  CS_IMC_GENERATION_POWER10)
            << name;
    }
    // By the name of a nest's unit, be it the only one.
    Node only;
    Node &top =
        only.add({"imc-counters", {{"compatible", text("ibm,opal-in-memory-counters")}}, {}});
    top.add(list("pec-events", 1, {event(0, "RD")}));
    top.add(nest("pec0", 0x2000, 1, "X_"));
    EXPECT_EQ(cs_imc_catalog_generation(load_tree(only).catalog.get()), CS_IMC_GENERATION_POWER10);
}

// Units that go must not take the list along that others use.
TEST(ImcDeviceTree, AListStaysWhenItsFirstUnitGoes)
{
    cs_imc_device_tree_options options = kAll;

    options.availability = UINT64_C(1) << (63 - 3); // mcs23
    Node root = good_tree();
    for (Node &node : root.at("imc-counters").nodes)
        if (node.name == "mcs01@c8")
            node.name = "mcs01"; // a pair goes when its node has no address
    const Loaded tree = load_bytes(make(load_tree(root), options));
    ASSERT_EQ(tree.status, CS_OK) << tree.diag.text;
    EXPECT_THAT(pmus(tree), ElementsAre("nest_mcs23_imc", "core_imc", "thread_imc", "trace_imc"));
    EXPECT_EQ(tree.pmu("nest_mcs23_imc")->nr_events, 3u);
}

TEST(ImcDeviceTree, TooManyChipsAreAnError)
{
    const Loaded catalog = load_tree(good_tree());
    const cs_imc_device_tree_options options = {0, false, CS_IMC_MAX_CHIPS + 1, nullptr, nullptr};
    void *blob = nullptr;
    size_t bytes = 0;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_device_tree_make(catalog.catalog.get(), &options, &blob, &bytes, &diag),
              CS_ERR_RANGE);
    EXPECT_EQ(blob, nullptr);
    EXPECT_STREQ(diag.text, "expected at most 256 chips, found 257");
}

// Shared lists are written once, so that a tree is not larger than its catalog by much; one that
// is too large for the loader is not written.
TEST(ImcDeviceTree, TooLargeATreeIsAnError)
{
    Node root = good_tree();
    void *blob = nullptr;
    size_t bytes = 0;
    cs_diag diag = {};

    for (uint32_t i = 0; i < 1000; i++)
        root.at("imc-counters/mcs-events")
            .add(event(0x400 + 8 * i, "E" + std::to_string(i)))
            .set("desc", text(std::string(4000, 'd')));
    const Loaded large = load_tree(root);
    ASSERT_EQ(large.status, CS_OK) << large.diag.text;
    EXPECT_EQ(told(load_bytes(make(large)).catalog.get()), told(large.catalog.get()));
    // Chips in every unit make it larger than the catalog.
    Node wide = good_tree();
    for (uint32_t i = 0; i < 250; i++)
        wide.at("imc-counters")
            .add(nest("u" + std::to_string(i), 0, 1, "U_"))
            .set("unit", text(std::string(15000, 'u')));
    const Loaded catalog = load_tree(wide);
    ASSERT_EQ(catalog.status, CS_OK) << catalog.diag.text;
    const std::vector<uint64_t> base_addr(CS_IMC_MAX_CHIPS);
    const std::vector<uint32_t> chip_id(CS_IMC_MAX_CHIPS);
    const cs_imc_device_tree_options options = {UINT64_MAX, false, CS_IMC_MAX_CHIPS,
                                                base_addr.data(), chip_id.data()};
    EXPECT_EQ(cs_imc_device_tree_make(catalog.catalog.get(), &options, &blob, &bytes, &diag),
              CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "expected a device tree of at most 4194304 bytes, found more");
}

TEST(ImcDeviceTreeFile, IsThereWhenItIsWhole)
{
    const TempFolder temp;
    const Loaded catalog = load_file(config_path("power9_small.dts"));
    const std::string path = temp.write("out.dtb", "what was there");
    cs_diag diag = {};

    ASSERT_EQ(cs_imc_device_tree_write(catalog.catalog.get(), &kAll, path.c_str(), &diag), CS_OK)
        << diag.text;
    EXPECT_EQ(temp.read("out.dtb"), make(catalog));
    EXPECT_THAT(temp.tree(), ElementsAre("out.dtb"));
    EXPECT_EQ(told(load_file(path).catalog.get()), told(catalog.catalog.get()));
}

TEST(ImcDeviceTreeFile, ErrorsLeaveWhatIsThere)
{
    const TempFolder temp;
    const Loaded catalog = load_tree(good_tree());
    const cs_imc_device_tree_options too_many = {0, false, CS_IMC_MAX_CHIPS + 1, nullptr, nullptr};
    cs_diag diag = {};

    temp.write("old", "old");
    std::filesystem::create_directory(temp.path() / "folder");
    const struct {
        const char *path;
        const char *error;
    } cases[] = {
        {"folder", "cannot be named"},
        {"folder/", "not a usable name"},
        {"none/out.dtb", "cannot make the file"},
        {"old/out.dtb", "cannot make the file"},
    };
    for (const auto &one : cases) {
        EXPECT_EQ(cs_imc_device_tree_write(catalog.catalog.get(), &kAll,
                                           temp.file(one.path).c_str(), &diag),
                  CS_ERR_IO);
        EXPECT_THAT(std::string(diag.text), HasSubstr(one.error)) << one.path;
        EXPECT_THAT(temp.tree(), ElementsAre("folder", "old"));
    }
    EXPECT_EQ(
        cs_imc_device_tree_write(catalog.catalog.get(), &too_many, temp.file("old").c_str(), &diag),
        CS_ERR_RANGE);
    EXPECT_EQ(temp.read("old"), "old");
    EXPECT_EQ(cs_imc_device_tree_write(catalog.catalog.get(), &kAll, "/dev/full/x", &diag),
              CS_ERR_IO);
}
