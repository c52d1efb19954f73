// SPDX-License-Identifier: Apache-2.0
// Damage on purpose: the same every time, told exactly, and survived by every reader.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>

#include "formats/damage/damage.h"
#include "formats/imc/imc_records.hpp"
#include "formats/imc/imc_tree.hpp"
#include "formats/imc/read/memory_print.h"
#include "formats/imc/read/record.h"
#include "formats/imc/read/record_print.h"
#include "formats/perf/perf_all.hpp"
#include "formats/perf/perf_seek.hpp"
#include "formats/perf/read/print.h"
#include "formats/pmcu/aux_dump.hpp"
#include "formats/pmcu/read/aux_print.h"
#include "formats/riscv/read/ring.h"
#include "formats/riscv/read/snapshot.h"
#include "formats/riscv/ring_records.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

struct Damaged {
    cs_status status;
    PerfBytes bytes;
    cs_damage_report report;
    std::string text;
};

Damaged damage(const PerfBytes &bytes, cs_damage_kind kind, uint64_t seed, const char *as = nullptr)
{
    cs_damage_layout layout;
    cs_diag diag = {};
    uint8_t *out = nullptr;
    size_t size = 0;
    Damaged damaged = {};

    EXPECT_EQ(cs_damage_layout_of(as, bytes.data(), bytes.size(), &layout, &diag), CS_OK);
    damaged.status = cs_damage_make(&layout, kind, seed, bytes.data(), bytes.size(), &out, &size,
                                    &damaged.report, &diag);
    if (damaged.status == CS_OK)
        damaged.bytes.assign(out, out + size);
    damaged.text = diag.text;
    std::free(out);
    cs_damage_layout_free(&layout);
    return damaged;
}

// ---- files of every format, with how to read them ----

cs_status swallow(void *, const char *, size_t)
{
    return CS_OK;
}
const cs_text_sink kNowhere = {swallow, nullptr};

struct Format {
    const char *name;
    PerfBytes bytes;
    cs_status (*read)(const PerfBytes &bytes, cs_diag *diag);
    bool has_header;
    bool has_size;
};

cs_status read_perf(const PerfBytes &bytes, cs_diag *diag)
{
    PerfSeek seek{bytes};
    const cs_seek_source source = seek.source();
    const cs_perfread_print_options options = {};
    cs_perfread *reader = nullptr;
    cs_status status = cs_perfread_open(&source, nullptr, &reader, diag);

    if (status == CS_OK)
        status = cs_perfread_print(reader, &options, &kNowhere, diag);
    cs_perfread_close(reader);
    return status;
}

cs_status read_aux(const PerfBytes &bytes, cs_diag *diag)
{
    Bytes all{bytes};
    const cs_byte_source source = all.source();
    cs_pmcu_aux *aux = nullptr;
    cs_status status = cs_pmcu_aux_open(&source, nullptr, 0, &aux, diag);

    if (status == CS_OK)
        status = cs_pmcu_aux_print(aux, CS_TABLE_TEXT, nullptr, nullptr, &kNowhere, diag);
    cs_pmcu_aux_close(aux);
    return status;
}

cs_status read_trace(const PerfBytes &bytes, cs_diag *diag)
{
    Bytes all{bytes};
    const cs_byte_source source = all.source();
    cs_imc_trace *trace = nullptr;
    cs_status status = cs_imc_trace_open(&source, nullptr, 0, &trace, diag);

    if (status == CS_OK)
        status = cs_imc_trace_print(trace, CS_TABLE_CSV, true, &kNowhere, diag);
    cs_imc_trace_close(trace);
    return status;
}

cs_status read_ring(const PerfBytes &bytes, cs_diag *diag)
{
    Bytes all{bytes};
    const cs_byte_source source = all.source();
    cs_perf_ring *ring = nullptr;
    cs_status status = cs_perf_ring_open(&source, nullptr, CS_PERF_EITHER, &ring, diag);

    if (status == CS_OK)
        status = cs_perf_ring_print(ring, CS_TABLE_JSON, &kNowhere, diag);
    cs_perf_ring_close(ring);
    return status;
}

cs_status read_snapshot(const PerfBytes &bytes, cs_diag *diag)
{
    Bytes all{bytes};
    const cs_byte_source source = all.source();

    return cs_sbi_snapshot_print(&source, nullptr, CS_TABLE_TEXT, &kNowhere, diag);
}

template <cs_imc_domain domain> cs_status read_memory(const PerfBytes &bytes, cs_diag *diag)
{
    static const Loaded loaded = load_tree(good_tree());
    Bytes all{bytes};
    const cs_byte_source source = all.source();
    cs_imc_memory *memory = nullptr;
    cs_status status =
        cs_imc_memory_open(&source, nullptr, loaded.catalog.get(), domain, &memory, diag);

    if (status == CS_OK)
        status = cs_imc_memory_print(memory, CS_TABLE_TEXT, false, &kNowhere, diag);
    cs_imc_memory_close(memory);
    return status;
}

PerfBytes counting(size_t size)
{
    PerfBytes bytes(size);

    for (size_t i = 0; i < size; i++)
        bytes[i] = static_cast<uint8_t>(i * i * 31 >> 11);
    return bytes;
}

std::vector<Format> all_formats()
{
    const Dump dump{2, 8, {0x11, 0x8, 0x10, 0x12, 0xC000, 0xC000}, 3, false, 8192};
    Image trace;
    Octets stream;
    PerfBytes pages(2 * 4096);

    for (uint64_t i = 1; i <= 40; i++)
        put_good(trace, 1000 * i);
    for (uint64_t i = 0; i < 20; i++) {
        const Octets record = ring_sample(7, 0x1000 + i, i % 2 ? 1 : 2, 100 + i);
        stream.insert(stream.end(), record.begin(), record.end());
    }
    for (size_t i = 0; i < 520; i++)
        pages[i] = static_cast<uint8_t>(i), pages[4096 + i] = static_cast<uint8_t>(i + 1);
    return {
        {"perf-data", perf_with_everything(false).make(), read_perf, true, true},
        {"perf-data", perf_with_everything(true).make(), read_perf, true, true},
        {"perf-data", perf_with_everything(false).make_pipe(), read_perf, true, true},
        {"pmcu-aux", dump.make(10), read_aux, true, false},
        {"imc-trace", trace, read_trace, false, false},
        {"riscv-ring", stream, read_ring, false, true},
        {"riscv-ring", ring_image(4096, 512, stream), read_ring, true, true},
        {"imc-core", counting(6 * 8192), read_memory<CS_IMC_DOMAIN_CORE>, false, false},
        {"imc-thread", counting(6 * 8192), read_memory<CS_IMC_DOMAIN_THREAD>, false, false},
        {"sbi-snapshot", pages, read_snapshot, false, false},
    };
}

TEST(Damage, EveryReaderSurvivesAllOfIt)
{
    unsigned made = 0, refused = 0;

    for (const Format &format : all_formats()) {
        cs_diag diag = {};

        ASSERT_EQ(format.read(format.bytes, &diag), CS_OK) << format.name << diag.text;
        for (unsigned kind = 0; kind < CS_NR_DAMAGES; kind++)
            for (uint64_t seed = 1; seed <= 100; seed++) {
                const Damaged damaged =
                    damage(format.bytes, static_cast<cs_damage_kind>(kind), seed, format.name);
                const bool possible = (kind != CS_DAMAGE_HEADER || format.has_header) &&
                                      (kind != CS_DAMAGE_SIZE || format.has_size);

                ASSERT_EQ(damaged.status, possible ? CS_OK : CS_ERR_RANGE)
                    << format.name << kind << damaged.text;
                if (!possible)
                    continue;
                made++;
                ASSERT_NE(damaged.bytes, format.bytes) << format.name << damaged.report.words;
                diag = {};
                const cs_status status = format.read(damaged.bytes, &diag);
                refused += status != CS_OK;
                ASSERT_TRUE(status == CS_OK || status == CS_ERR_FORMAT ||
                            status == CS_ERR_UNSUPPORTED || status == CS_ERR_RANGE)
                    << format.name << damaged.report.words << diag.text;
                if (status == CS_ERR_FORMAT) {
                    ASSERT_NE(std::string(diag.text).find("byte "), std::string::npos) << diag.text;
                }
            }
    }
    EXPECT_GT(made, 6000u);
    EXPECT_GT(refused, 1500u);
}

// What the report says, applied to the file, is the damaged file; but for the header's sizes.
TEST(Damage, TheReportIsExact)
{
    for (const Format &format : all_formats())
        for (unsigned kind = 0; kind < CS_NR_DAMAGES; kind++)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                const Damaged d =
                    damage(format.bytes, static_cast<cs_damage_kind>(kind), seed, format.name);
                if (d.status != CS_OK)
                    continue;
                const cs_damage_report &r = d.report;

                ASSERT_EQ(r.kind, kind);
                ASSERT_EQ(r.seed, seed);
                ASSERT_EQ(r.size_before, format.bytes.size());
                ASSERT_EQ(r.size_after, d.bytes.size());
                ASSERT_EQ(r.size_after, r.size_before - r.before_bytes + r.after_bytes);
                for (uint64_t i = 0; i < r.before_bytes && i < CS_DAMAGE_SHOWN_BYTES; i++)
                    ASSERT_EQ(r.before[i], format.bytes[r.offset + i]);
                for (uint64_t i = 0; i < r.after_bytes && i < CS_DAMAGE_SHOWN_BYTES; i++)
                    ASSERT_EQ(r.after[i], d.bytes[r.offset + i]) << format.name << r.words;
                for (uint64_t i = 104; i < r.offset; i++)
                    ASSERT_EQ(d.bytes[i], format.bytes[i]) << r.words;
                ASSERT_NE(std::string(r.words), "");
            }
}

TEST(Damage, SameSeedSameBytes)
{
    for (const Format &format : all_formats())
        for (unsigned kind = 0; kind < CS_NR_DAMAGES; kind++) {
            std::set<PerfBytes> different;

            for (uint64_t seed = 1; seed <= 20; seed++) {
                const Damaged one =
                    damage(format.bytes, static_cast<cs_damage_kind>(kind), seed, format.name);
                if (one.status != CS_OK)
                    continue;
                ASSERT_EQ(one.bytes,
                          damage(format.bytes, static_cast<cs_damage_kind>(kind), seed, format.name)
                              .bytes);
                different.insert(one.bytes);
            }
            // Two pages can be swapped in one way only.
            if (!different.empty() && std::string(format.name) != "sbi-snapshot") {
                EXPECT_GT(different.size(), 2u) << format.name << kind;
            }
        }
}

// On every machine: numbers that were written down.
TEST(Damage, IsTheSameOnEveryMachine)
{
    Image trace;

    for (uint64_t i = 1; i <= 40; i++)
        put_good(trace, 1000 * i);
    const struct {
        cs_damage_kind kind;
        const char *words;
    } cases[] = {
        {CS_DAMAGE_DROP, "record 11 (64 bytes at byte 704) is missing"},
        {CS_DAMAGE_REORDER, "records 21 and 22 (from byte 1344 on) have changed places"},
        {CS_DAMAGE_FLIP, "bit 5 of byte 690 is turned (record 10, its byte 50)"},
    };

    for (const auto &one : cases)
        EXPECT_STREQ(damage(trace, one.kind, 7).report.words, one.words);
}

// A record is missing or there twice: the rest of the file is read as before.
TEST(Damage, RecordsOfPerfDataAreLostWithoutATrace)
{
    const PerfBytes whole = perf_with_everything(false).make();

    for (const cs_damage_kind kind : {CS_DAMAGE_DROP, CS_DAMAGE_DUPLICATE, CS_DAMAGE_REORDER})
        for (uint64_t seed = 1; seed <= 60; seed++) {
            const Damaged damaged = damage(whole, kind, seed);
            cs_diag diag = {};

            EXPECT_EQ(read_perf(damaged.bytes, &diag), CS_OK) << damaged.report.words << diag.text;
        }
}

TEST(Damage, LinesAndBytes)
{
    const std::string text = "a,b\n1,2\n3,4\n";
    const PerfBytes lines(text.begin(), text.end());
    const Damaged dropped = damage(lines, CS_DAMAGE_DROP, 1);
    const std::string left(dropped.bytes.begin(), dropped.bytes.end());

    EXPECT_TRUE(left == "a,b\n1,2\n" || left == "a,b\n3,4\n") << left;
    EXPECT_EQ(damage({}, CS_DAMAGE_TRUNCATE, 1).text,
              "truncate is not possible here (bytes): an empty file has no end to cut off");
    EXPECT_EQ(damage({}, CS_DAMAGE_FLIP, 1).text,
              "flip is not possible here (bytes): an empty file has no bits");
    EXPECT_EQ(damage({1}, CS_DAMAGE_DROP, 1).text,
              "drop is not possible here (bytes): there is no record to leave out");
    EXPECT_EQ(damage(lines, CS_DAMAGE_HEADER, 1).text,
              "header is not possible here (lines): the format has no header");
}

// What lies between two records stays between them.
TEST(Damage, RecordsChangePlacesAroundAGap)
{
    cs_damage_record records[] = {{1, 3}, {6, 2}};
    cs_damage_layout layout = {};
    cs_damage_report report;
    uint8_t *out = nullptr;
    size_t size = 0;

    layout.records = records;
    layout.nr_records = 2;
    ASSERT_EQ(cs_damage_make(&layout, CS_DAMAGE_REORDER, 1,
                             reinterpret_cast<const uint8_t *>("(abc--de)"), 9, &out, &size,
                             &report, nullptr),
              CS_OK);
    EXPECT_EQ(std::string(reinterpret_cast<char *>(out), size), "(de--abc)");
    std::free(out);
}

// Where the numbers of a perf.data file's head are that may lie.
TEST(Damage, FieldsOfPerfData)
{
    const PerfBytes bytes = perf_with_everything(false).make();
    uint64_t at[7]; // the words of the head from byte 0 on
    std::memcpy(at, bytes.data(), sizeof at);
    const uint64_t attrs = at[3], end = at[5] + at[6];
    const std::vector<std::array<uint64_t, 2>> expected = {
        {8, 8},  {16, 8},        {24, 8},         {32, 8},         {40, 8},  {48, 8},
        {72, 8}, {attrs + 4, 4}, {attrs + 24, 8}, {attrs + 32, 8}, {end, 8}, {end + 8, 8}};
    std::vector<std::array<uint64_t, 2>> found;
    cs_damage_layout layout;

    ASSERT_EQ(cs_damage_layout_of(nullptr, bytes.data(), bytes.size(), &layout, nullptr), CS_OK);
    for (size_t i = 0; i < layout.nr_fields; i++)
        found.push_back({layout.fields[i].offset, layout.fields[i].bytes});
    cs_damage_layout_free(&layout);
    EXPECT_EQ(found, expected);

    // Of a file that ends within its head, those that are whole.
    ASSERT_EQ(cs_damage_layout_of("perf-data", bytes.data(), 28, &layout, nullptr), CS_OK);
    EXPECT_EQ(layout.nr_fields, 2u);
    cs_damage_layout_free(&layout);
}

// Numbers lie within their bytes: none, as many as can be, and what lies around the truth.
TEST(Damage, LiesOfEverySize)
{
    const PerfBytes perf = perf_with_everything(false).make();
    const struct {
        cs_damage_kind kind;
        unsigned bytes;
    } cases[] = {{CS_DAMAGE_HEADER, 8}, {CS_DAMAGE_HEADER, 4}, {CS_DAMAGE_SIZE, 2}};

    for (const auto &c : cases) {
        std::set<uint64_t> told;

        for (uint64_t seed = 1; seed <= 400; seed++) {
            const Damaged d = damage(perf, c.kind, seed);
            uint64_t laid = 0;

            if (d.report.before_bytes != c.bytes)
                continue;
            std::memcpy(&laid, d.bytes.data() + d.report.offset, c.bytes);
            told.insert(laid);
            EXPECT_NE(
                std::string(d.report.words).find(" says " + std::to_string(laid) + " instead"),
                std::string::npos)
                << d.report.words;
        }
        const uint64_t most = UINT64_MAX >> (64 - 8 * c.bytes);
        for (const uint64_t lie : {uint64_t{0}, uint64_t{1}, most, most >> 1, most - 7})
            EXPECT_EQ(told.count(lie), 1u) << lie << " of " << c.bytes;
    }
}

TEST(Damage, TheSizeOfARecordIsInItsHead)
{
    const PerfBytes ring = joined({ring_sample(7, 0x1000, 1, 100), ring_sample(7, 0x1001, 1, 100)});

    for (uint64_t seed = 1; seed <= 8; seed++)
        EXPECT_EQ(damage(ring, CS_DAMAGE_SIZE, seed).report.offset % (ring.size() / 2), 6u);
}

// A ring in memory whose header lies has no records that could be found.
TEST(Damage, RingsThatAreNone)
{
    const std::array<uint64_t, 3> cases[] = {{0, 0, 0}, {0, 0, 8192}, {8192, 0, 4096}};

    for (const auto &[head, tail, size] : cases) {
        Octets image = ring_image(4096, 0, ring_sample(7, 0x1000, 1, 100));
        cs_damage_layout layout;

        change_little(image, 0x400, head, 8);
        change_little(image, 0x408, tail, 8);
        change_little(image, 0x418, size, 8);
        ASSERT_EQ(cs_damage_layout_of("riscv-ring", image.data(), image.size(), &layout, nullptr),
                  CS_OK);
        EXPECT_EQ(layout.nr_fields, 4u);
        EXPECT_EQ(layout.nr_records, 0u);
        cs_damage_layout_free(&layout);
    }
}

TEST(Damage, ALaterRecordLiesOverTheEndOfAnEarlierOne)
{
    std::set<std::string> made;
    cs_damage_record records[] = {{0, 4}, {4, 4}};
    cs_damage_layout layout = {};

    layout.records = records;
    layout.nr_records = 2;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cs_damage_report report;
        uint8_t *out = nullptr;
        size_t size = 0;

        ASSERT_EQ(cs_damage_make(&layout, CS_DAMAGE_OVERLAP, seed,
                                 reinterpret_cast<const uint8_t *>("abcdEFGH."), 9, &out, &size,
                                 &report, nullptr),
                  CS_OK);
        made.emplace(reinterpret_cast<char *>(out), size);
        std::free(out);
    }
    EXPECT_EQ(made, (std::set<std::string>{"aEFGH.", "abEFGH.", "abcEFGH."}));
}

TEST(Damage, OfLinesAndOfBytesWhateverItIs)
{
    const PerfBytes bytes = perf_with_everything(false).make();

    for (const char *name : {"lines", "bytes"}) {
        cs_damage_layout layout;

        ASSERT_EQ(cs_damage_layout_of(name, bytes.data(), bytes.size(), &layout, nullptr), CS_OK);
        EXPECT_STREQ(layout.format, name);
        cs_damage_layout_free(&layout);
    }
}

TEST(Damage, ImagesOfImcAreBigEndian)
{
    const PerfBytes bytes(2 * 8192);

    for (const char *name : {"imc-core", "imc-thread"}) {
        cs_damage_layout layout;

        ASSERT_EQ(cs_damage_layout_of(name, bytes.data(), bytes.size(), &layout, nullptr), CS_OK);
        EXPECT_TRUE(layout.big_endian);
        EXPECT_EQ(layout.nr_records, 2u);
        cs_damage_layout_free(&layout);
    }
}

TEST(Damage, Names)
{
    cs_damage_kind kind;
    uint64_t seed;
    cs_diag diag = {};

    ASSERT_EQ(cs_damage_of("flip:17", &kind, &seed, &diag), CS_OK);
    EXPECT_EQ(kind, CS_DAMAGE_FLIP);
    EXPECT_EQ(seed, 17u);
    ASSERT_EQ(cs_damage_of("truncate", &kind, &seed, &diag), CS_OK);
    EXPECT_EQ(seed, 1u);
    for (const char *bad : {"flip:", "flip:x", "flop", "", ":1", "flip:1x", "fli"})
        EXPECT_EQ(cs_damage_of(bad, &kind, &seed, &diag), CS_ERR_RANGE) << bad;
    for (unsigned i = 0; i < CS_NR_DAMAGES; i++) {
        ASSERT_EQ(
            cs_damage_of(cs_damage_name(static_cast<cs_damage_kind>(i)), &kind, &seed, nullptr),
            CS_OK);
        EXPECT_EQ(kind, i);
    }
}

TEST(Damage, FromFileToFile)
{
    TempFolder temp;
    cs_damage_report report;
    cs_diag diag = {};
    char json[1024];

    temp.write("in", "a,b\n1,2\n3,4\n");
    ASSERT_EQ(cs_damage_file(temp.file("in").c_str(), temp.file("out").c_str(), nullptr,
                             CS_DAMAGE_DUPLICATE, 3, &report, &diag),
              CS_OK)
        << diag.text;
    EXPECT_EQ(temp.read("out").size(), 16u);
    const std::string told = cs_damage_json(&report, json, sizeof json);
    EXPECT_NE(told.find("{\"kind\": \"duplicate\", \"seed\": 3, \"words\": \"record "),
              std::string::npos);
    EXPECT_NE(told.find("\"size_before\": 12, \"size_after\": 16}"), std::string::npos) << told;
    temp.write("empty", "");
    EXPECT_EQ(cs_damage_file(temp.file("empty").c_str(), temp.file("out").c_str(), nullptr,
                             CS_DAMAGE_TRUNCATE, 3, &report, &diag),
              CS_ERR_RANGE);
    EXPECT_EQ(cs_damage_file(temp.file("gone").c_str(), temp.file("out").c_str(), nullptr,
                             CS_DAMAGE_DROP, 3, &report, &diag),
              CS_ERR_IO);
    EXPECT_EQ(cs_damage_file(temp.file("in").c_str(), temp.file("out").c_str(), "x", CS_DAMAGE_DROP,
                             3, &report, &diag),
              CS_ERR_RANGE);
}

} // namespace
