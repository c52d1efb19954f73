// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <libfdt.h>

#include <random>
#include <string>

#include "formats/imc/read/memory.h"
#include "formats/imc/read/memory_print.h"
#include "formats/imc/read/nest.h"
#include "formats/pmcu/aux_dump.hpp"

using namespace cs_test;

namespace
{

using Image = std::vector<uint8_t>;

// Written a byte at a time, so that it owes nothing to what is tested.
void put(Image &image, size_t at, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        image[at + i] = static_cast<uint8_t>(word >> (56 - 8 * i));
}

struct Event {
    const char *name;
    uint32_t offset;
    const char *scale;
    const char *unit;
};

struct Unit {
    const char *node;
    uint32_t type;
    uint32_t reg;
    uint32_t size;
    const char *scale;
    std::vector<Event> events;
};

// A catalog's blob, node by node.
class Tree
{
  public:
    explicit Tree(const std::vector<Unit> &units) : blob(0x10000)
    {
        fdt_create(blob.data(), static_cast<int>(blob.size()));
        fdt_finish_reservemap(blob.data());
        fdt_begin_node(blob.data(), "");
        fdt_begin_node(blob.data(), "imc-counters");
        text("compatible", "ibm,opal-in-memory-counters");
        number("#address-cells", 1);
        number("#size-cells", 1);
        number("version-id", 1);
        for (size_t i = 0; i < units.size(); i++)
            unit(units[i], static_cast<uint32_t>(i + 1));
        fdt_end_node(blob.data());
        fdt_end_node(blob.data());
        EXPECT_EQ(fdt_finish(blob.data()), 0);
    }
    cs_imc_catalog *load() const
    {
        cs_imc_catalog *catalog = nullptr;
        cs_diag diag = {};

        EXPECT_EQ(cs_imc_catalog_load_memory(blob.data(), fdt_totalsize(blob.data()), "test",
                                             &catalog, &diag),
                  CS_OK)
            << diag.text;
        return catalog;
    }

  private:
    std::vector<uint8_t> blob;

    void text(const char *name, const char *value)
    {
        if (value != nullptr)
            fdt_property_string(blob.data(), name, value);
    }
    void number(const char *name, uint32_t value)
    {
        fdt_property_u32(blob.data(), name, value);
    }
    void reg(uint32_t offset, uint32_t bytes)
    {
        const fdt32_t cells[2] = {cpu_to_fdt32(offset), cpu_to_fdt32(bytes)};

        fdt_property(blob.data(), "reg", cells, sizeof cells);
    }
    void unit(const Unit &unit, uint32_t phandle)
    {
        const std::string list = std::string("events-") + unit.node;

        fdt_begin_node(blob.data(), list.c_str());
        number("#address-cells", 1);
        number("#size-cells", 1);
        number("phandle", phandle);
        for (const Event &event : unit.events) {
            char name[32];

            std::snprintf(name, sizeof name, "event@%x", event.offset);
            fdt_begin_node(blob.data(), name);
            text("event-name", event.name);
            text("scale", event.scale);
            text("unit", event.unit);
            reg(event.offset, 8);
            fdt_end_node(blob.data());
        }
        fdt_end_node(blob.data());
        fdt_begin_node(blob.data(), unit.node);
        text("compatible", "ibm,imc-counters");
        number("type", unit.type);
        number("size", unit.size);
        if (unit.type == 0x10)
            number("offset", 0x180000);
        reg(unit.reg, 8);
        number("events", phandle);
        text("events-prefix", "P_");
        text("scale", unit.scale);
        fdt_end_node(blob.data());
    }
};

const std::vector<Unit> units = {
    {"powerbus0",
     0x10,
     0x8,
     0x40000,
     "256",
     {{"CYC", 0x78, nullptr, nullptr}, {"OTHER", 0x0, "1.2207e-4", "MiB"}}},
    {"phb0", 0x10, 0x338, 0x40000, nullptr, {{"READ", 0x8, nullptr, nullptr}}},
    {"core",
     0x4,
     0x18,
     0x2000,
     "512",
     {{"INST", 0x10, nullptr, nullptr}, {"LAST", 0x1fe0, "1", nullptr}}},
    {"thread", 0x1, 0x18, 0x2000, "512", {{"USER", 0x1008, nullptr, nullptr}}},
    {"trace", 0x2, 0x0, 0x40000, nullptr, {{"cycles", 0x10200000, nullptr, nullptr}}},
};

struct ImcMemory : testing::Test {
    cs_imc_catalog *catalog = Tree(units).load();
    Bytes bytes;
    cs_byte_source source = {};
    cs_imc_memory *memory = nullptr;
    cs_diag diag = {};

    ~ImcMemory() override
    {
        cs_imc_memory_close(memory);
        cs_imc_catalog_destroy(catalog);
    }
    cs_status open(const Image &image, cs_imc_domain domain)
    {
        bytes = Bytes{image};
        source = bytes.source();
        return cs_imc_memory_open(&source, "dump", catalog, domain, &memory, &diag);
    }
    std::string print(cs_table_format format, bool power10 = false, cs_status expected = CS_OK)
    {
        std::string text;
        const cs_text_sink sink = {[](void *ctx, const char *part, size_t length) {
                                       static_cast<std::string *>(ctx)->append(part, length);
                                       return CS_OK;
                                   },
                                   &text};

        EXPECT_EQ(cs_imc_memory_print(memory, format, power10, &sink, &diag), expected)
            << diag.text;
        return text;
    }
};

TEST_F(ImcMemory, EveryEventOfTheDomainInEveryImage)
{
    const struct {
        cs_imc_domain domain;
        size_t size;
        std::vector<std::pair<std::string, uint32_t>> events;
    } cases[] = {
        {CS_IMC_DOMAIN_NEST, 0x40000, {{"P_CYC", 0x80}, {"P_OTHER", 0x8}, {"P_READ", 0x340}}},
        {CS_IMC_DOMAIN_CORE, 0x2000, {{"P_INST", 0x28}, {"P_LAST", 0x1ff8}}},
        {CS_IMC_DOMAIN_THREAD, 0x2000, {{"P_USER", 0x1020}}},
    };

    for (const auto &c : cases) {
        std::mt19937_64 random(1);
        Image image(3 * c.size);
        const cs_imc_image *at = nullptr;

        for (size_t i = 0; i < image.size(); i++)
            image[i] = static_cast<uint8_t>(random());
        for (size_t i = 0; i < 3; i++)
            for (size_t e = 0; e < c.events.size(); e++)
                put(image, i * c.size + c.events[e].second, (i + 1) << 40 | e);
        ASSERT_EQ(open(image, c.domain), CS_OK) << diag.text;
        ASSERT_EQ(cs_imc_memory_nr_counters(memory), c.events.size());
        for (size_t i = 0; i < 3; i++) {
            ASSERT_EQ(cs_imc_memory_next(memory, &at, &diag), CS_OK) << diag.text;
            ASSERT_NE(at, nullptr);
            EXPECT_EQ(at->index, i);
            EXPECT_EQ(at->size, c.size);
            for (size_t e = 0; e < c.events.size(); e++) {
                cs_imc_counter counter;

                cs_imc_memory_counter(memory, e, &counter);
                EXPECT_EQ(counter.event->name, c.events[e].first);
                EXPECT_EQ(counter.event->value, c.events[e].second);
                EXPECT_EQ(counter.raw, (i + 1) << 40 | e);
            }
        }
        ASSERT_EQ(cs_imc_memory_next(memory, &at, &diag), CS_OK);
        EXPECT_EQ(at, nullptr);
        EXPECT_LE(bytes.asked, c.size); // one image is held, however many there are
        cs_imc_memory_close(memory);
        memory = nullptr;
    }
}

TEST_F(ImcMemory, DataThatEndTooSoon)
{
    const struct {
        size_t size;
        const char *text;
    } cases[] = {
        {0, "byte 0: the data end within image 0, expected 8192 bytes of core memory, found 0"},
        {1, "byte 1: the data end within image 0, expected 8192 bytes of core memory, found 1"},
        {8191, "byte 8191: the data end within image 0, expected 8192 bytes of core memory, "
               "found 8191"},
        {16383, "byte 16383: the data end within image 1, expected 8192 bytes of core memory, "
                "found 8191"},
    };

    for (const auto &c : cases) {
        const cs_imc_image *at = nullptr;
        cs_status status = CS_OK;

        ASSERT_EQ(open(Image(c.size), CS_IMC_DOMAIN_CORE), CS_OK);
        do
            status = cs_imc_memory_next(memory, &at, &diag);
        while (status == CS_OK && at != nullptr);
        EXPECT_EQ(status, CS_ERR_FORMAT);
        EXPECT_STREQ(diag.text, c.text);
        EXPECT_STREQ(diag.where, "dump");
        cs_imc_memory_close(memory);
        memory = nullptr;
    }
}

TEST_F(ImcMemory, WhatTheCatalogDoesNotHave)
{
    EXPECT_EQ(open({}, CS_IMC_DOMAIN_TRACE), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "expected the memory of nest, core or thread, found trace");
    cs_imc_catalog_destroy(catalog);
    catalog = Tree({units[2]}).load();
    EXPECT_EQ(open({}, CS_IMC_DOMAIN_NEST), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text,
                 "the catalog has no nest unit, so that nothing is known of this memory");
    EXPECT_EQ(memory, nullptr);
}

TEST_F(ImcMemory, ErrorsOfTheSourceAreHandedOn)
{
    const cs_imc_image *at = nullptr;

    source = {[](void *, uint8_t *, size_t, size_t *, cs_diag *d) {
                  return cs_diag_set(d, CS_ERR_IO, "disk", "gone");
              },
              nullptr};
    ASSERT_EQ(cs_imc_memory_open(&source, nullptr, catalog, CS_IMC_DOMAIN_CORE, &memory, &diag),
              CS_OK);
    EXPECT_EQ(cs_imc_memory_next(memory, &at, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "gone");
    EXPECT_EQ(at, nullptr);
}

TEST(ImcScale, ValueTimesScale)
{
    const struct {
        uint64_t raw;
        const char *scale;
        const char *value; // NULL: none
    } cases[] = {
        {0, nullptr, "0"},
        {UINT64_MAX, nullptr, "18446744073709551615"},
        {UINT64_MAX, "1", "18446744073709551615"},
        {UINT64_MAX / 512, "512", "18446744073709551104"},
        {UINT64_MAX / 512 + 1, "512", "1.84467440737096e+19"},
        {3, "0x10", "48"},
        {3, "1.2207e-4", "0.00036621"},
        {0x100000, "6.1e-5", "63.963136"},
        {1, "99999999999999999999", "1e+20"},
        {10, "0256", "2560"},
        {10, "-2", "-20"},
        {1, "", nullptr},
        {1, "MiB", nullptr},
        {1, "2 ", nullptr},
        {1, "inf", nullptr},
        {1, "nan", nullptr},
        {UINT64_MAX, "1e300", nullptr},
    };

    for (const auto &c : cases) {
        char buffer[CS_IMC_VALUE_BYTES];
        const char *value = cs_imc_scale(c.raw, c.scale, buffer);

        SCOPED_TRACE(c.scale != nullptr ? c.scale : "none");
        if (c.value == nullptr)
            EXPECT_EQ(value, nullptr);
        else
            EXPECT_STREQ(value, c.value);
    }
}

// ---- the nest's own words ----

TEST(ImcNest, HeadersAndTrailersOfTheGroups)
{
    const uint32_t offsets[CS_IMC_NEST_GROUPS][2] = {
        {0x000, 0x108}, {0x110, 0x218}, {0x220, 0x328}, {0x330, 0x438},
        {0x440, 0x548}, {0x550, 0x658}, {0x660, 0x768}, {0x10000, 0x10108},
    };
    const struct {
        uint64_t header;
        uint64_t trailer;
        cs_imc_group_state state;
    } cases[] = {
        {0, 0, CS_IMC_GROUP_NEVER},         {1, 0, CS_IMC_GROUP_BUSY},
        {1, 1, CS_IMC_GROUP_WHOLE},         {8, 7, CS_IMC_GROUP_BUSY},
        {7, 8, CS_IMC_GROUP_OVERRUN},       {UINT64_MAX, UINT64_MAX, CS_IMC_GROUP_WHOLE},
        {0, UINT64_MAX, CS_IMC_GROUP_BUSY}, {UINT64_MAX, 0, CS_IMC_GROUP_OVERRUN},
    };

    for (size_t nr = 0; nr < CS_IMC_NEST_GROUPS; nr++)
        for (const auto &c : cases) {
            Image window(CS_IMC_NEST_WINDOW_BYTES);
            cs_imc_nest_group group;

            put(window, offsets[nr][0], c.header);
            put(window, offsets[nr][1], c.trailer);
            cs_imc_nest_group_get(window.data(), nr, &group);
            EXPECT_EQ(group.header_offset, offsets[nr][0]);
            EXPECT_EQ(group.trailer_offset, offsets[nr][1]);
            EXPECT_EQ(group.header, c.header);
            EXPECT_EQ(group.trailer, c.trailer);
            EXPECT_EQ(group.state, c.state);
        }
    for (uint32_t offset = 0; offset < 0x11000; offset += 8) {
        size_t nr = 0;

        while (nr < CS_IMC_NEST_GROUPS && !(offset > offsets[nr][0] && offset < offsets[nr][1]))
            nr++;
        ASSERT_EQ(cs_imc_nest_group_of(offset), nr) << offset;
    }
}

std::string meaning(uint64_t word, size_t nr, bool power10 = false)
{
    char buffer[CS_IMC_MEANING_BYTES];
    Image bytes(CS_IMC_CONTROL_BYTES, 0xff);
    cs_imc_control control;

    put(bytes, nr * 8, word);
    cs_imc_control_decode(bytes.data(), &control);
    EXPECT_EQ(cs_imc_control_word(&control, nr), word);
    return cs_imc_control_meaning(&control, nr, power10, buffer);
}

TEST(ImcNest, TheControlBlockInWords)
{
    const struct {
        size_t nr;
        const char *name;
        std::vector<std::pair<uint64_t, std::string>> words;
    } cases[] = {
        {0,
         "status",
         {{0, "initializing"},
          {1, "running"},
          {2, "paused"},
          {3, "stopped: speed is not 0..11"},
          {4, "stopped: mode is not 0..1"},
          {5, "unknown, expected 0..4"},
          {UINT64_MAX, "unknown, expected 0..4"}}},
        {1,
         "command",
         {{0, "none"},
          {1, "resume"},
          {2, "pause"},
          {3, "clear and restart"},
          {4, "unknown, expected 0..3"}}},
        {2,
         "speed",
         {{0, "groups 1-3 at every 1. visit, 4-7 at every 1."},
          {7, "groups 1-3 at every 8. visit, 4-7 at every 1."},
          {11, "groups 1-3 at every 12. visit, 4-7 at every 2."},
          {12, "unknown, expected 0..11"}}},
        {4, "mode", {{0, "monitor"}, {1, "debug"}, {2, "unknown, expected 0..1"}}},
        {5, "mode state", {{0, "monitor"}, {1, "debug"}, {1ull << 32, "unknown, expected 0..1"}}},
    };

    for (const auto &c : cases) {
        EXPECT_STREQ(cs_imc_control_name(c.nr), c.name);
        for (const auto &[word, text] : c.words)
            EXPECT_EQ(meaning(word, c.nr), text) << c.name << " " << word;
    }
    const cs_imc_control control = {11, 12, 13, 14, 15, 16};
    for (size_t nr = 0; nr < CS_IMC_CONTROL_WORDS; nr++)
        EXPECT_EQ(cs_imc_control_word(&control, nr), 11 + nr);
    EXPECT_EQ(cs_imc_control_word(&control, CS_IMC_CONTROL_WORDS), 0u);
    EXPECT_STREQ(cs_imc_control_name(3), "units");
    EXPECT_EQ(cs_imc_control_name(CS_IMC_CONTROL_WORDS), nullptr);
}

TEST(ImcNest, EachBitOfPower9sAvailabilityVector)
{
    const struct {
        const char *name;
        unsigned count;
    } runs[] = {{"powerbus", 0}, {"mcs", 8},   {"mba", 8},   {"centaur", 8}, {"xlink", 3},
                {"mcd", 2},      {"phb", 6},   {"nx", 0},    {"capp", 2},    {"vas", 0},
                {"int", 0},      {"alink", 4}, {"nvlink", 6}};
    std::vector<std::string> names;

    for (const auto &run : runs) {
        if (run.count == 0)
            names.push_back(run.name);
        for (unsigned i = 0; i < run.count; i++)
            names.push_back(run.name + std::to_string(i));
    }
    ASSERT_EQ(names.size(), 51u);
    for (unsigned nr = names.size(); nr < 64; nr++)
        names.push_back("bit" + std::to_string(nr));
    std::string all;
    for (unsigned nr = 0; nr < 64; nr++) {
        EXPECT_EQ(meaning(1ull << (63 - nr), 3), names[nr]);
        all += (nr > 0 ? " " : "") + names[nr];
    }
    EXPECT_EQ(meaning(UINT64_MAX, 3), all);
    EXPECT_EQ(meaning(0, 3), "none: the default is used");
}

TEST(ImcNest, Power10sAvailabilityVector)
{
    EXPECT_EQ(meaning(5ull << (63 - 13), 3, true), "xlink0");
    EXPECT_EQ(meaning(6ull << (63 - 16) | 7ull << (63 - 34), 3, true), "alink1 otl7");
    EXPECT_EQ(meaning(2ull << (63 - 13), 3, true), "link0=2");
    EXPECT_EQ(
        meaning(1ull << 63 | 1ull << (63 - 10) | 1ull << (63 - 35) | 1ull << (63 - 40), 3, true),
        "bit0 bit10 phb0 phb5");
    EXPECT_EQ(meaning(1ull << (63 - 41) | 1ull << (63 - 56) | 1ull << (63 - 57) | 1, 3, true),
              "ocmb0 ocmb15 nx bit63");
}

// ---- printed ----

TEST_F(ImcMemory, CsvOfACore)
{
    Image image(0x4000);

    put(image, 0x28, 3);
    put(image, 0x1ff8, 4);
    put(image, 0x2028, 5);
    ASSERT_EQ(open(image, CS_IMC_DOMAIN_CORE), CS_OK);
    EXPECT_EQ(print(CS_TABLE_CSV), "image,kind,pmu,event,offset,raw,scale,value,unit,note\n"
                                   "0,counter,core_imc,P_INST,0x00028,3,512,1536,,\n"
                                   "0,counter,core_imc,P_LAST,0x01ff8,4,1,4,,\n"
                                   "1,counter,core_imc,P_INST,0x00028,5,512,2560,,\n"
                                   "1,counter,core_imc,P_LAST,0x01ff8,0,1,0,,\n");
}

Image window()
{
    Image image(CS_IMC_NEST_WINDOW_BYTES);

    put(image, 0x0, 9);
    put(image, 0x108, 9);
    put(image, 0x8, 0x100000);
    put(image, 0x80, 7);
    put(image, 0x330, 4);
    put(image, 0x438, 3);
    put(image, 0x340, 1000);
    put(image, 0x3fc00, 1);
    put(image, 0x3fc18, 0x8000000000000000);
    return image;
}

TEST_F(ImcMemory, CsvOfANest)
{
    ASSERT_EQ(open(window(), CS_IMC_DOMAIN_NEST), CS_OK);
    EXPECT_EQ(print(CS_TABLE_CSV),
              "image,kind,pmu,event,offset,raw,scale,value,unit,note\n"
              "0,counter,nest_powerbus0_imc,P_CYC,0x00080,7,256,1792,,\n"
              "0,counter,nest_powerbus0_imc,P_OTHER,0x00008,1048576,1.2207e-4,127.99967232,MiB,\n"
              "0,counter,nest_phb0_imc,P_READ,0x00340,1000,,1000,,being posted when the image was "
              "taken\n"
              "0,header,,1,0x00000,9,,,,whole\n"
              "0,trailer,,1,0x00108,9,,,,whole\n"
              "0,header,,2,0x00110,0,,,,never posted\n"
              "0,trailer,,2,0x00218,0,,,,never posted\n"
              "0,header,,3,0x00220,0,,,,never posted\n"
              "0,trailer,,3,0x00328,0,,,,never posted\n"
              "0,header,,4,0x00330,4,,,,being posted when the image was taken\n"
              "0,trailer,,4,0x00438,3,,,,being posted when the image was taken\n"
              "0,header,,5,0x00440,0,,,,never posted\n"
              "0,trailer,,5,0x00548,0,,,,never posted\n"
              "0,header,,6,0x00550,0,,,,never posted\n"
              "0,trailer,,6,0x00658,0,,,,never posted\n"
              "0,header,,7,0x00660,0,,,,never posted\n"
              "0,trailer,,7,0x00768,0,,,,never posted\n"
              "0,header,,1 debug,0x10000,0,,,,never posted\n"
              "0,trailer,,1 debug,0x10108,0,,,,never posted\n"
              "0,control,,status,0x3fc00,1,,,,running\n"
              "0,control,,command,0x3fc08,0,,,,none\n"
              "0,control,,speed,0x3fc10,0,,,,\"groups 1-3 at every 1. visit, 4-7 at every 1.\"\n"
              "0,control,,units,0x3fc18,9223372036854775808,,,,powerbus\n"
              "0,control,,mode,0x3fc20,0,,,,monitor\n"
              "0,control,,mode state,0x3fc28,0,,,,monitor\n");
}

TEST_F(ImcMemory, Power10sGroupsAreNotGuessed)
{
    ASSERT_EQ(open(window(), CS_IMC_DOMAIN_NEST), CS_OK);
    const std::string csv = print(CS_TABLE_CSV, true);
    EXPECT_EQ(csv.find("header"), std::string::npos);
    EXPECT_NE(csv.find("P_READ,0x00340,1000,,1000,,\n"), std::string::npos);
    EXPECT_NE(csv.find("units,0x3fc18,9223372036854775808,,,,bit0\n"), std::string::npos);
}

TEST_F(ImcMemory, JsonHasNumbersAsNumbers)
{
    Image image(0x2000);

    put(image, 0x1020, 3);
    ASSERT_EQ(open(image, CS_IMC_DOMAIN_THREAD), CS_OK);
    EXPECT_EQ(print(CS_TABLE_JSON),
              "[\n{\"image\": 0, \"kind\": \"counter\", \"pmu\": \"thread_imc\", \"event\": "
              "\"P_USER\", \"offset\": \"0x01020\", \"raw\": 3, \"scale\": \"512\", \"value\": "
              "1536, \"unit\": null, \"note\": null}\n]\n");
}

TEST_F(ImcMemory, TextOfANest)
{
    ASSERT_EQ(open(window(), CS_IMC_DOMAIN_NEST), CS_OK);
    const std::string text = print(CS_TABLE_TEXT);
    for (const char *part : {"P_READ", "1 debug", "being posted when the image was taken",
                             "status      0x0000000000000001  running\n",
                             "units       0x8000000000000000  powerbus\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(ImcMemory, AnyBytesCanBePrinted)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        std::mt19937_64 random(seed);
        Image image(CS_IMC_NEST_WINDOW_BYTES + random() % 2 * (1 + random() % 1000));

        for (uint8_t &byte : image)
            byte = static_cast<uint8_t>(random());
        ASSERT_EQ(open(image, CS_IMC_DOMAIN_NEST), CS_OK);
        print(static_cast<cs_table_format>(seed % 3), random() % 2 == 0,
              image.size() == CS_IMC_NEST_WINDOW_BYTES ? CS_OK : CS_ERR_FORMAT);
        cs_imc_memory_close(memory);
        memory = nullptr;
    }
}

} // namespace
