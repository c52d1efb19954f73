// SPDX-License-Identifier: Apache-2.0
// Every damage that a catalog can have: an error that says where, or a catalog; never a crash.
#include <cstdlib>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imc_tree.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;
using testing::HasSubstr;
using testing::StartsWith;

namespace
{

struct Damage {
    const char *name;
    std::function<void(Node &)> make; // of /imc-counters
    const char *error;
};

void PrintTo(const Damage &damage, std::ostream *out)
{
    *out << damage.name;
}

class ImcCatalogDamage : public testing::TestWithParam<Damage>
{
};

std::string name_of(const testing::TestParamInfo<Damage> &info)
{
    return info.param.name;
}

void expect_format_error(const Loaded &loaded, const std::string &error, const std::string &where)
{
    EXPECT_EQ(loaded.status, CS_ERR_FORMAT);
    EXPECT_EQ(loaded.diag.status, CS_ERR_FORMAT);
    EXPECT_EQ(loaded.catalog, nullptr);
    EXPECT_EQ(std::string(loaded.diag.where), where);
    EXPECT_THAT(std::string(loaded.diag.text), HasSubstr(error));
}

// A path of which only the first folders are looked at for dtc.
class Path
{
  public:
    explicit Path(const std::string &value) : before_(std::getenv("PATH"))
    {
        setenv("PATH", value.c_str(), 1);
    }
    ~Path()
    {
        setenv("PATH", before_.c_str(), 1);
    }

  private:
    std::string before_;
};

} // namespace

TEST_P(ImcCatalogDamage, IsToldWithItsPlace)
{
    Node root = good_tree();

    GetParam().make(root.at("imc-counters"));
    expect_format_error(load_tree(root), GetParam().error, "catalog.dtb");
}

INSTANTIATE_TEST_SUITE_P(
    , ImcCatalogDamage,
    testing::Values(
        // ---- the list of events ----
        Damage{"events_of_itself",
               [](Node &top) {
                   top.at("core@18").set("phandle", cells({9})).set("events", cells({9}));
               },
               "/imc-counters/core@18, property 'events': expected a node of events, found phandle "
               "0x9 of the unit itself"},
        Damage{"events_around_it",
               [](Node &top) {
                   top.set("phandle", cells({9}));
                   top.at("core@18").set("events", cells({9}));
               },
               "/imc-counters/core@18, property 'events': expected a node of events, found phandle "
               "0x9 of a node around the unit"},
        Damage{"events_nowhere", [](Node &top) { top.at("core@18").set("events", cells({77})); },
               "/imc-counters/core@18, property 'events': expected the phandle of a node, found "
               "0x4d, which no node has"},
        Damage{"events_zero", [](Node &top) { top.at("core@18").set("events", cells({0})); },
               "core@18, property 'events': expected the phandle of a node, found 0x0"},
        Damage{"events_all_ones",
               [](Node &top) { top.at("core@18").set("events", cells({0xffffffff})); },
               "core@18, property 'events': expected the phandle of a node, found 0xffffffff"},
        Damage{"events_long",
               [](Node &top) {
                   top.at("core@18").set("events", cells({2, 2}));
               },
               "core@18, property 'events': expected 4 bytes, found 8"},
        // ---- numbers ----
        Damage{"type_short", [](Node &top) { top.at("core@18").set("type", "\4"); },
               "core@18, property 'type': expected 4 bytes, found 1"},
        Damage{"type_empty", [](Node &top) { top.at("core@18").set("type", ""); },
               "core@18, property 'type': expected 4 bytes, found 0"},
        Damage{"version_short", [](Node &top) { top.set("version-id", "12"); },
               "/imc-counters, property 'version-id': expected 4 bytes, found 2"},
        Damage{"reg_absent", [](Node &top) { top.at("core@18").drop("reg"); },
               "core@18, property 'reg': expected 8 bytes, found no such property"},
        Damage{"reg_short", [](Node &top) { top.at("core@18").set("reg", cells({0x18})); },
               "core@18, property 'reg': expected 8 bytes, found 4"},
        Damage{"size_absent", [](Node &top) { top.at("mcs01@c8").drop("size"); },
               "mcs01@c8, property 'size': expected 4 bytes, found no such property"},
        Damage{"size_zero", [](Node &top) { top.at("mcs01@c8").set("size", cells({0})); },
               "mcs01@c8, property 'size': expected 1..67108864 bytes, found 0"},
        Damage{"size_absurd", [](Node &top) { top.at("trace@0").set("size", cells({0x4000001})); },
               "trace@0, property 'size': expected 1..67108864 bytes, found 67108865"},
        Damage{"size_64_bits",
               [](Node &top) {
                   top.at("mcs01@c8").set("size", cells({0, 8}));
               },
               "mcs01@c8, property 'size': expected 4 bytes, found 8"},
        Damage{"offset_short", [](Node &top) { top.at("mcs01@c8").set("offset", "123"); },
               "mcs01@c8, property 'offset': expected 4 bytes, found 3"},
        Damage{"cb_offset_outside",
               [](Node &top) { top.at("mcs01@c8").set("cb_offset", cells({0x40000})); },
               "mcs01@c8, property 'cb_offset': expected an offset in the unit's 0x40000 bytes, "
               "found 0x40000"},
        Damage{"event_reg_short",
               [](Node &top) { top.at("core-events/event@10").set("reg", cells({0x10})); },
               "/imc-counters/core-events/event@10, property 'reg': expected 8 bytes, found 4"},
        // ---- places ----
        Damage{"event_outside",
               [](Node &top) {
                   top.at("core-events/event@88").set("reg", cells({0x1fe8, 8}));
               },
               "/imc-counters/core-events/event@88, property 'reg': expected a counter of 8 bytes "
               "within the 0x2000 bytes of core, found it at 0x18 + 0x1fe8"},
        Damage{"event_half_outside",
               [](Node &top) {
                   top.at("core-events/event@88").set("reg", cells({0x1fe4, 8}));
               },
               "within the 0x2000 bytes of core, found it at 0x18 + 0x1fe4"},
        Damage{"event_far_outside",
               [](Node &top) {
                   top.at("mcs-events/event@0").set("reg", cells({0xffffff00, 8}));
               },
               "within the 0x40000 bytes of mcs01, found it at 0xc8 + 0xffffff00"},
        Damage{"event_beyond_32_bits",
               [](Node &top) {
                   top.at("trace@0").set("reg", cells({0xf0000000, 8}));
               },
               "/imc-counters/trace-events/event@10200000, property 'reg': expected an offset of "
               "32 bits in trace, found 0xf0000000 + 0x10200000"},
        // ---- texts ----
        Damage{"name_open",
               [](Node &top) { top.at("core-events/event@10").set("event-name", "INST"); },
               "core-events/event@10, property 'event-name': expected a text with a 0 at its end, "
               "found 4 bytes without"},
        Damage{"name_no_bytes",
               [](Node &top) { top.at("core-events/event@10").set("event-name", ""); },
               "core-events/event@10, property 'event-name': expected a text with a 0 at its end, "
               "found 0 bytes without"},
        Damage{"name_empty",
               [](Node &top) { top.at("core-events/event@10").set("event-name", text("")); },
               "core-events/event@10, property 'event-name': expected 1..249 characters"},
        Damage{"name_several",
               [](Node &top) {
                   top.at("core-events/event@10").set("event-name", text("A") + text("BC"));
               },
               "core-events/event@10, property 'event-name': expected one text, found 3 bytes"},
        Damage{"name_slash",
               [](Node &top) { top.at("core-events/event@10").set("event-name", text("A/B")); },
               "core-events/event@10, property 'event-name': character 1: expected a part of a "
               "file's name, found byte 0x2f"},
        Damage{"name_blank",
               [](Node &top) { top.at("core-events/event@10").set("event-name", text("A B")); },
               "property 'event-name': character 1: expected a part of a file's name, found byte "
               "0x20"},
        Damage{"name_long",
               [](Node &top) {
                   top.at("core-events/event@10").set("event-name", text(std::string(246, 'A')));
               },
               "property 'event-name': expected 1..249 characters with the prefix of core, found "
               "250"},
        Damage{"prefix_open", [](Node &top) { top.at("core@18").set("events-prefix", "CPM_"); },
               "core@18, property 'events-prefix': expected a text with a 0 at its end"},
        Damage{"prefix_slash",
               [](Node &top) { top.at("core@18").set("events-prefix", text("../")); },
               "core@18, property 'events-prefix': character 2: expected a part of a file's name"},
        Damage{"scale_open", [](Node &top) { top.at("core@18").set("scale", "512"); },
               "core@18, property 'scale': expected a text with a 0 at its end"},
        Damage{"unit_control", [](Node &top) { top.at("core@18").set("unit", text("\x1b[31m")); },
               "core@18, property 'unit': character 0: expected printable ASCII, found byte 0x1b"},
        Damage{"event_scale_open",
               [](Node &top) { top.at("core-events/event@10").set("scale", "1"); },
               "core-events/event@10, property 'scale': expected a text with a 0 at its end"},
        Damage{"event_unit_open",
               [](Node &top) { top.at("core-events/event@10").set("unit", "J"); },
               "core-events/event@10, property 'unit': expected a text with a 0 at its end"},
        Damage{"desc_8_bits",
               [](Node &top) { top.at("core-events/event@10").set("desc", text("a\xff")); },
               "core-events/event@10, property 'desc': character 1: expected printable ASCII, "
               "found byte 0xff"},
        // ---- names that are there twice ----
        Damage{"event_twice",
               [](Node &top) { top.at("core-events/event@88").set("event-name", text("INST")); },
               "/imc-counters/core@18, property 'events': expected one event of a name, found "
               "'CPM_INST' twice"},
        Damage{"node_twice", [](Node &top) { top.add(nest("core", 0x18, 1, "X_")); },
               "expected one unit of a name, found another 'core' at 0x18"},
        // ---- nodes ----
        Damage{"unit_no_name", [](Node &top) { top.at("mcs01@c8").name = "@c8"; },
               "/imc-counters/@c8: expected a name of at most 240 characters, found 0"},
        Damage{"unit_long_name",
               [](Node &top) { top.at("mcs01@c8").name = std::string(241, 'm') + "@c8"; },
               "expected a name of at most 240 characters, found 241"},
        Damage{"unit_odd_name", [](Node &top) { top.at("mcs01@c8").name = "mcs 01@c8"; },
               "/imc-counters/mcs 01@c8: expected a name of letters, digits and ,._+-, found byte "
               "0x20"},
        Damage{"no_counters", [](Node &top) { top.set("compatible", text("ibm,opal")); },
               "expected a node compatible with 'ibm,opal-in-memory-counters', found none"},
        Damage{"no_counters_open",
               [](Node &top) { top.set("compatible", "ibm,opal-in-memory-counters"); },
               "expected a node compatible with 'ibm,opal-in-memory-counters', found none"},
        // ---- chips ----
        Damage{"addresses_odd",
               [](Node &top) {
                   top.at("mcs01@c8").set("base-addr", cells({0, 0, 0}));
               },
               "mcs01@c8, property 'base-addr': expected numbers of 8 bytes, found 12 bytes"},
        Damage{"chips_empty", [](Node &top) { top.at("mcs01@c8").set("chip-id", ""); },
               "mcs01@c8, property 'chip-id': expected numbers of 4 bytes, found 0 bytes"},
        Damage{"chips_without_addresses",
               [](Node &top) {
                   top.at("mcs01@c8").set("chip-id", cells({0, 8}));
               },
               "mcs01@c8, property 'base-addr': expected as many addresses as chip-id has chips "
               "(2, at most 256), found 0"},
        Damage{"addresses_without_chips",
               [](Node &top) {
                   top.at("mcs01@c8").set("base-addr", cells({0, 0}));
               },
               "mcs01@c8, property 'base-addr': expected as many addresses as chip-id has chips "
               "(0, at most 256), found 1"},
        Damage{"chips_too_many",
               [](Node &top) {
                   top.at("mcs01@c8").set("chip-id", std::string(4 * 257, 'c'));
                   top.at("mcs01@c8").set("base-addr", std::string(8 * 257, 'a'));
               },
               "mcs01@c8, property 'base-addr': expected as many addresses as chip-id has chips "
               "(257, at most 256), found 257"},
        // ---- too much ----
        Damage{"units_too_many",
               [](Node &top) {
                   for (uint32_t i = 0; i < CS_IMC_MAX_UNITS; i++)
                       top.add(nest("u" + std::to_string(i), 0, 3, "U_")).drop("events");
               },
               "/imc-counters/u251@0: expected at most 256 units, found more"},
        Damage{"events_too_many",
               [](Node &top) {
                   for (uint32_t i = 0; i < CS_IMC_MAX_EVENTS; i++)
                       top.at("mcs-events").add(event(8, "E" + std::to_string(i)));
               },
               "/imc-counters/mcs01@c8, property 'events': expected at most 16384 events in a "
               "catalog, found more"},
        Damage{"events_too_many_together",
               [](Node &top) {
                   for (uint32_t i = 0; i < CS_IMC_MAX_EVENTS * 3 / 4; i++)
                       top.at("mcs-events").add(event(8, "E" + std::to_string(i)));
               },
               "/imc-counters/mcs23@48, property 'events': expected at most 16384 events in a "
               "catalog, found more"},
        Damage{"nodes_too_deep",
               [](Node &top) {
                   for (Node *node = &top; node->name != "d40";)
                       node = &node->add(
                           {"d" + std::to_string(node->name[0] == 'd'
                                                     ? std::stoi(node->name.substr(1)) + 1
                                                     : 1),
                            {},
                            {}});
               },
               "expected nodes within at most 31 others, found deeper ones"}),
    name_of);

TEST(ImcCatalogBlob, ToldByItsHead)
{
    const std::string good = blob(good_tree());
    const size_t bytes = good.size();
    std::string magic = good;

    magic[3] = '\x00';
    expect_format_error(load_bytes(magic),
                        "byte 0: expected a device tree blob's magic 0xd00dfeed, found 0xd00dfe00",
                        "catalog.dtb");
    expect_format_error(load_bytes(""),
                        "expected a device tree blob with a header of 40 bytes, found 0 bytes",
                        "catalog.dtb");
    expect_format_error(load_bytes(good.substr(0, bytes - 1)),
                        "byte 4: expected a device tree blob of " + std::to_string(bytes) +
                            " bytes, found " + std::to_string(bytes - 1),
                        "catalog.dtb");
    expect_format_error(load_bytes(good + std::string(CS_IMC_MAX_BYTES, '\0')),
                        "expected a catalog of at most 4194304 bytes", "catalog.dtb");
    // Room after the tree is no damage: a partition of flash has it.
    EXPECT_EQ(load_bytes(good + std::string(100, '\0')).status, CS_OK);
}

TEST(ImcCatalogBlob, CutAnywhereIsAnError)
{
    const std::string good = blob(good_tree());

    for (size_t bytes = 0; bytes < good.size(); bytes++) {
        std::string cut = good.substr(0, bytes);

        expect_format_error(load_bytes(cut), bytes < 40 ? "header of 40 bytes" : "byte 4: expected",
                            "catalog.dtb");
        // The same with a header that agrees.
        if (bytes < 40)
            continue;
        cut.replace(4, 4, cells({static_cast<uint32_t>(bytes)}));
        expect_format_error(load_bytes(cut), "found damage: ", "catalog.dtb");
    }
}

TEST(ImcCatalogBlob, ANamelessCatalogIsCalledNothing)
{
    cs_imc_catalog *catalog = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_catalog_load_memory("x", 1, nullptr, &catalog, &diag), CS_ERR_FORMAT);
    EXPECT_STREQ(diag.where, "");
    EXPECT_EQ(cs_imc_catalog_load_memory(nullptr, 0, nullptr, &catalog, nullptr), CS_ERR_FORMAT);
}

// Bits are flipped, bytes replaced, the end cut off: a catalog, or an error with words.
TEST(ImcCatalogBlob, RandomDamageNeverCrashes)
{
    const std::string good = blob(good_tree());
    size_t loaded = 0, refused = 0;

    for (uint32_t seed = 0; seed < 6000; seed++) {
        std::mt19937 random(seed);
        std::string bad = good;

        for (uint32_t n = 1 + random() % 3; n > 0; n--)
            bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
        if (seed % 3 == 1)
            for (uint32_t n = random() % 16; n > 0; n--)
                bad[random() % bad.size()] = static_cast<char>(random());
        if (seed % 3 == 2)
            bad.resize(random() % bad.size());
        if (seed % 6 == 5 && bad.size() >= 8)
            bad.replace(4, 4, cells({static_cast<uint32_t>(bad.size())}));

        const Loaded result = load_bytes(bad);
        if (result.status == CS_OK) {
            EXPECT_FALSE(told(result.catalog.get()).empty());
            result.warnings();
            loaded++;
        } else {
            EXPECT_EQ(result.status, CS_ERR_FORMAT) << seed;
            EXPECT_STRNE(result.diag.text, "") << seed;
            EXPECT_STREQ(result.diag.where, "catalog.dtb") << seed;
            refused++;
        }
    }
    // Both happen often: else the damage is not the one that was meant.
    EXPECT_GT(loaded, 300u);
    EXPECT_GT(refused, 3000u);
}

// Damage behind the walls of the format: the tree is whole, a property holds anything.
TEST(ImcCatalogBlob, RandomPropertiesNeverCrash)
{
    const Node good = good_tree();
    size_t loaded = 0, refused = 0;

    for (uint32_t seed = 0; seed < 4000; seed++) {
        std::mt19937 random(seed);
        Node root = good;
        Node *node = &root.at("imc-counters");

        while (!node->nodes.empty() && random() % 8 != 0)
            node = &node->nodes[random() % node->nodes.size()];
        std::string &bytes = node->properties[random() % node->properties.size()].second;
        if (random() % 2 == 0)
            bytes.resize(random() % 20, static_cast<char>(random()));
        for (char &byte : bytes)
            if (random() % 2 == 0)
                byte = static_cast<char>(random() % 4 == 0 ? random() : 0);

        const Loaded result = load_tree(root);
        if (result.status == CS_OK) {
            told(result.catalog.get());
            loaded++;
        } else {
            EXPECT_STRNE(result.diag.text, "") << seed;
            refused++;
        }
    }
    EXPECT_GT(loaded, 300u);
    EXPECT_GT(refused, 1000u);
}

// ---- files ----

TEST(ImcCatalogFile, ThatCannotBeRead)
{
    const TempFolder temp;

    for (const std::string &path : {temp.file("none.dts"), temp.path().string()}) {
        const Loaded loaded = load_file(path);

        EXPECT_EQ(loaded.status, CS_ERR_IO);
        EXPECT_EQ(loaded.diag.where, path);
        EXPECT_STRNE(loaded.diag.text, "");
    }
}

TEST(ImcCatalogFile, ThatIsNeitherBlobNorSource)
{
    const TempFolder temp;
    const struct {
        const char *name;
        std::string bytes;
        const char *error;
    } files[] = {
        {"empty", "", "found 0 bytes of neither"},
        {"zeros", std::string(4096, '\0'), "found 4096 bytes of neither"},
        {"late_zero", "/dts-v1/; / { };\n" + std::string(1, '\0'), "found 18 bytes of neither"},
        {"large", std::string(CS_IMC_MAX_BYTES + 1, ' '), "at most 4194304 bytes"},
        {"bad_magic", "\xd0\x0d\xfe\xee" + blob(good_tree()).substr(4), "of neither"},
    };

    for (const auto &file : files) {
        const std::string path = temp.write(file.name, file.bytes);

        expect_format_error(load_file(path), file.error, path);
    }
}

TEST(ImcCatalogFile, ThatDtcDoesNotCompile)
{
    const TempFolder temp;
    const struct {
        const char *name;
        const char *source;
        const char *error; // dtc's own words are its own: only the place is demanded
    } files[] = {
        {"syntax.dts", "/dts-v1/;\n/ {\n  core@18 { size = <zz>; };\n};\n", "syntax.dts:3."},
        {"cut.dts", "/dts-v1/;\n/ {\n  core@18 {\n", "cut.dts:3."},
        {"label.dts", "/dts-v1/;\n/ { core@18 { events = <&NONE>; }; };\n", "NONE"},
        {"include.dts", "/dts-v1/;\n/include/ \"none.dtsi\"\n/ { };\n", "none.dtsi"},
        {"warned.dts", "/dts-v1/;\n/ { a; e = <&NONE>; a { }; };\n", "ERROR"},
        {"words.dts", "what is this\n", "words.dts:1."},
        {"loop.dts", "/dts-v1/;\n/include/ \"loop.dts\"\n", "ncludes nested"},
    };

    for (const auto &file : files) {
        const std::string path = temp.write(file.name, file.source);
        const Loaded loaded = load_file(path);

        expect_format_error(loaded, file.error, path);
        EXPECT_THAT(std::string(loaded.diag.text), StartsWith("dtc cannot compile it: "))
            << file.name;
        EXPECT_EQ(std::string(loaded.diag.text).find('\n'), std::string::npos);
    }
}

TEST(ImcCatalogFile, SourceIsJudgedAfterItIsCompiled)
{
    const TempFolder temp;
    const std::string path = temp.write("other.dts", "/dts-v1/;\n/ { compatible = \"x\"; };\n");

    expect_format_error(load_file(path), "expected a node compatible with", path);
}

TEST(ImcCatalogFile, SourceIsOfNoUseWithoutDtc)
{
    const TempFolder temp;
    const std::string source = temp.write("a.dts", "/dts-v1/;\n/ { };\n");
    const std::string compiled = temp.write("a.dtb", blob(good_tree()));
    const Path path(temp.path().string());
    const Loaded loaded = load_file(source);

    EXPECT_EQ(loaded.status, CS_ERR_IO);
    EXPECT_EQ(loaded.diag.where, source);
    EXPECT_THAT(std::string(loaded.diag.text), HasSubstr("cannot run dtc"));
    EXPECT_THAT(std::string(loaded.diag.text), HasSubstr("device-tree-compiler"));
    EXPECT_EQ(load_file(compiled).status, CS_OK);
}

size_t open_files()
{
    const std::filesystem::directory_iterator files("/proc/self/fd");

    return static_cast<size_t>(std::distance(begin(files), end(files)));
}

// A dtc that says nothing, too much, or is ended by a signal. Nothing of it stays open.
TEST(ImcCatalogFile, ADtcThatMisbehavesIsAnError)
{
    const size_t before = open_files();
    const TempFolder temp;
    const std::string source = temp.write("a.dts", "/dts-v1/;\n/ { };\n");
    const std::string path = std::getenv("PATH");
    const struct {
        const char *script;
        const char *error;
    } cases[] = {
        {"exit 7", "dtc cannot compile it: (no message)"},
        {"exit 0", "expected a device tree blob with a header of 40 bytes, found 0 bytes"},
        {"echo 'Error: first' >&2; echo 'Error: second' >&2; exit 1",
         "dtc cannot compile it: Error: first"},
        {"kill -9 $$", "dtc was ended by signal 9"},
        {"exec cat /dev/zero", "a catalog of at most 4194304 bytes, found more"},
        {"head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1", "dtc cannot compile it: xxxx"},
    };

    for (const auto &one : cases) {
        temp.write("dtc", std::string("#!/bin/sh\n") + one.script + "\n");
        std::filesystem::permissions(temp.path() / "dtc", std::filesystem::perms::owner_all);
        const Path with_own(temp.path().string() + ":" + path);

        expect_format_error(load_file(source), one.error, source);
        EXPECT_EQ(open_files(), before) << one.script;
    }
}
