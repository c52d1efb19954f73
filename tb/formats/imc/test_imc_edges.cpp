// SPDX-License-Identifier: Apache-2.0
// Edges of IMC's catalogs and memory: names that come alone, what a failure leaves behind, layouts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "formats/damage/layout.h"
#include "formats/imc/read/memory.h"
#include "formats/imc/read/nest.h"
#include "imc_tree.hpp"
#include "support/temp_folder.hpp"

extern "C" {
#include "formats/imc/catalog/nest_units.h"
#include "formats/imc/catalog/packed.h"
}

using namespace cs_test;
using testing::StartsWith;

namespace
{

// A catalog of one nest unit, without a core.
Loaded catalog_of(const char *unit)
{
    Node root;
    Node &top =
        root.add({"imc-counters", {{"compatible", text("ibm,opal-in-memory-counters")}}, {}});

    top.add(list("nest-events", 1, {event(0, "RD")}));
    top.add(nest(unit, 0x2000, 1, "X_"));
    return load_tree(root);
}

} // namespace

// docs/drivers/imc_catalog.md, "Units that are not there".
TEST(ImcEdges, ANestUnitAloneTellsTheGeneration)
{
    const std::pair<const char *, cs_imc_generation> cases[] = {
        {"powerbus0", CS_IMC_GENERATION_POWER9}, {"mba7", CS_IMC_GENERATION_POWER9},
        {"centaur3", CS_IMC_GENERATION_POWER9},  {"capp1", CS_IMC_GENERATION_POWER9},
        {"nvlink5", CS_IMC_GENERATION_POWER9},   {"pb", CS_IMC_GENERATION_POWER10},
        {"pec1", CS_IMC_GENERATION_POWER10},     {"ocmb15", CS_IMC_GENERATION_POWER10},
        {"otl7_1", CS_IMC_GENERATION_POWER10},   {"mcs01", CS_IMC_GENERATION_UNKNOWN},
        {"powerbus", CS_IMC_GENERATION_UNKNOWN}, {"otl7", CS_IMC_GENERATION_UNKNOWN},
        {"otl7_2", CS_IMC_GENERATION_UNKNOWN},   {"pb0", CS_IMC_GENERATION_UNKNOWN},
        {"nvlink05", CS_IMC_GENERATION_UNKNOWN},
    };

    for (const auto &[unit, generation] : cases) {
        const Loaded loaded = catalog_of(unit);

        ASSERT_EQ(loaded.status, CS_OK) << unit << ": " << loaded.diag.text;
        EXPECT_EQ(cs_imc_catalog_generation(loaded.catalog.get()), generation) << unit;
    }
}

// Single memory controllers without an address go, whatever the bits say; there are eight.
TEST(ImcEdges, OfSingleControllersThereAreEight)
{
    const std::pair<const char *, bool> cases[] = {
        {"mcs0", false}, {"mcs7", false}, {"mcs8", true}, {"mcs9", true}, {"mcs10", true}};

    for (const auto &[node, there] : cases)
        for (const cs_imc_generation g : {CS_IMC_GENERATION_POWER9, CS_IMC_GENERATION_POWER10}) {
            cs_imc_unit unit = {};

            unit.node = node;
            EXPECT_EQ(cs_imc_nest_available(&unit, g, UINT64_MAX), there) << node;
        }
}

// The list may not be any node around the unit, up to the root of the tree.
TEST(ImcEdges, TheRootIsNoListOfEvents)
{
    Node root = good_tree();

    root.set("phandle", cells({9}));
    root.at("imc-counters/core@18").set("events", cells({9}));
    const Loaded loaded = load_tree(root);
    EXPECT_EQ(loaded.status, CS_ERR_FORMAT);
    EXPECT_EQ(loaded.catalog, nullptr);
    EXPECT_STREQ(loaded.diag.text, "/imc-counters/core@18, property 'events': expected a node of "
                                   "events, found phandle 0x9 of a node around the unit");
}

// A path too long to tell is told otherwise, in errors and in warnings.
TEST(ImcEdges, ADeepNodeIsToldByItsByte)
{
    for (const bool is_error : {true, false}) {
        Node root = good_tree();
        Node *at = &root;

        for (int i = 0; i < 10; i++)
            at = &at->add({std::string(30, 'n'), {}, {}});
        at->set("compatible", text("ibm,imc-counters"))
            .set("type", is_error ? std::string(1, '\4') : cells({0x77}));
        const Loaded loaded = load_tree(root);
        const std::string told = is_error                    ? loaded.diag.text
                                 : loaded.warnings().empty() ? ""
                                                             : loaded.warnings().back();

        EXPECT_EQ(loaded.status, is_error ? CS_ERR_FORMAT : CS_OK);
        EXPECT_THAT(told, StartsWith("node at byte "));
        EXPECT_NE(told.find(" of the structure, property 'type': expected "), std::string::npos)
            << told;
    }
}

// What is told of bytes that begin like an image or a partition, and are neither.
TEST(ImcEdges, WhatIsNotPacked)
{
    const std::string wrong = "byte 0: IMA_CATALOG: expected \"IMA\" and a zero, or \"IMCC\"";
    const std::pair<std::string, std::string> cases[] = {
        {"PART", "byte 0: PNOR: the header of the partition table is not whole"},
        {"PARS" + std::string(60, '\0'), wrong},
        {"PAR", wrong},
        {"IMAG", wrong},
        {"IMA", wrong},
        {"", wrong},
        {std::string("IMA\0", 4),
         "byte 0: expected a header of 4096 bytes of IMA_CATALOG, found 4"},
    };

    for (const auto &[bytes, error] : cases) {
        char other = 0;
        void *blob = &other;
        size_t count = 77;
        cs_diag diag = {};

        EXPECT_EQ(cs_imc_unpack(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(),
                                CS_IMC_ANY_CATALOG, "it", &blob, &count, &diag),
                  CS_ERR_FORMAT);
        EXPECT_EQ(diag.text, error) << bytes;
        EXPECT_STREQ(diag.where, "it");
        EXPECT_EQ(blob, nullptr);
        EXPECT_EQ(count, 0u);
    }
}

TEST(ImcEdges, MemoryThatCannotBeReadGivesNoReader)
{
    const Loaded loaded = catalog_of("mcs01");
    const cs_byte_source source = {};
    const std::pair<cs_imc_domain, const char *> cases[] = {
        {CS_IMC_DOMAIN_TRACE, "expected the memory of nest, core or thread, found trace"},
        {CS_IMC_DOMAIN_CORE,
         "the catalog has no core unit, so that nothing is known of this memory"},
        {CS_IMC_DOMAIN_THREAD,
         "the catalog has no thread unit, so that nothing is known of this memory"},
    };

    for (const auto &[domain, error] : cases) {
        char other = 0;
        auto *memory = reinterpret_cast<cs_imc_memory *>(&other);
        cs_diag diag = {};

        EXPECT_EQ(cs_imc_memory_open(&source, "m", loaded.catalog.get(), domain, &memory, &diag),
                  CS_ERR_RANGE);
        EXPECT_STREQ(diag.text, error);
        EXPECT_EQ(memory, nullptr) << error;
    }
}

// Of words that the control block does not have nothing is said.
TEST(ImcEdges, WordsBeyondTheControlBlock)
{
    const cs_imc_control control = {1, 2, 3, 4, 5, 6};

    for (const size_t nr : {size_t{CS_IMC_CONTROL_WORDS}, size_t{CS_IMC_CONTROL_WORDS} + 1}) {
        char buffer[CS_IMC_MEANING_BYTES];

        std::memset(buffer, 'x', sizeof buffer);
        EXPECT_EQ(cs_imc_control_meaning(&control, nr, false, buffer), buffer);
        EXPECT_STREQ(buffer, "");
        EXPECT_EQ(cs_imc_control_word(&control, nr), 0u);
        EXPECT_EQ(cs_imc_control_name(nr), nullptr);
    }
}

// Where damage on purpose finds records, and that POWER's numbers are big-endian.
TEST(ImcEdges, LayoutsForDamage)
{
    const std::pair<const char *, size_t> cases[] = {
        {"imc-trace", 64}, {"imc-core", 8192}, {"imc-thread", 8192}, {"imc-nest", 262144}};

    for (const auto &[name, block] : cases) {
        const std::vector<uint8_t> bytes(2 * block + block - 1); // the last one is cut
        cs_damage_layout layout;

        ASSERT_EQ(cs_damage_layout_of(name, bytes.data(), bytes.size(), &layout, nullptr), CS_OK);
        EXPECT_STREQ(layout.format, name);
        EXPECT_TRUE(layout.big_endian) << name;
        EXPECT_FALSE(layout.has_size) << name;
        EXPECT_EQ(layout.nr_fields, 0u) << name;
        ASSERT_EQ(layout.nr_records, 2u) << name;
        EXPECT_EQ(layout.records[1].offset, block);
        EXPECT_EQ(layout.records[1].bytes, block);
        cs_damage_layout_free(&layout);
    }
}

// Version, blocks of the table, bytes of an entry, entries, bytes of a block, blocks of 128 MiB.
TEST(ImcEdges, TheHeadOfAnImagesTable)
{
    const TempFolder temp;
    const Loaded loaded = catalog_of("mba7");
    uint8_t head[48] = {};
    std::vector<uint32_t> words;

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    ASSERT_EQ(cs_imc_pnor_write(loaded.catalog.get(), CS_IMC_POWER9_CATALOG,
                                temp.file("pnor").c_str(), nullptr),
              CS_OK);
    std::ifstream(temp.file("pnor"), std::ios::binary)
        .read(reinterpret_cast<char *>(head), sizeof head);
    EXPECT_EQ(std::memcmp(head, "PART", 4), 0);
    for (size_t at = 4; at < sizeof head; at += 4)
        words.push_back(uint32_t{head[at]} << 24 | uint32_t{head[at + 1]} << 16 |
                        uint32_t{head[at + 2]} << 8 | head[at + 3]);
    EXPECT_EQ(words, (std::vector<uint32_t>{1, 1, 128, 2, 4096, 32768, 0, 0, 0, 0, 0x5041c2d6}));
}
