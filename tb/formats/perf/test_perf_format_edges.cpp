// SPDX-License-Identifier: Apache-2.0
// perf.data as the commands meet it: options, AUX data, folders and pipes, damage on purpose.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formats/damage/damage.h"
#include "formats/formats.h"
#include "formats/perf/read/aux.h"
#include "formats/perf/read/parts.h"
#include "perf_seek.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

struct Closer {
    void operator()(cs_perfread *reader) const
    {
        cs_perfread_close(reader);
    }
};
using Reader = std::unique_ptr<cs_perfread, Closer>;

std::string text_of(const PerfBytes &bytes)
{
    return {bytes.begin(), bytes.end()};
}

const cs_format_option *option(const char *name)
{
    const cs_format_option *one;

    for (size_t i = 0; (one = cs_format_option_at(cs_format_named("perf-data"), i)) != nullptr; i++)
        if (std::strcmp(one->name, name) == 0)
            return one;
    ADD_FAILURE() << name;
    return nullptr;
}

cs_format_print given(const std::vector<const char *> &names)
{
    cs_format_print print = {};

    for (const char *name : names) {
        print.given[print.nr_given].option = option(name);
        print.given[print.nr_given++].text = "1";
    }
    return print;
}

// Pieces of AUX data of streams: index, offset, bytes.
struct Piece {
    uint32_t idx;
    uint64_t offset;
    PerfBytes bytes;
};

PerfFile with_aux(const std::vector<Piece> &pieces, const std::string &pmu)
{
    PerfFile file;

    file.attrs = {{.type = 42}};
    file.features[16] = file.out().u32(1).u32(42).string(pmu).bytes;
    for (const Piece &p : pieces) {
        PerfOut payload = file.out();

        payload.u64(p.bytes.size()).u64(p.offset).u64(0).u32(p.idx).u32(0).u32(0).u32(0);
        file.add(71, 0, payload.bytes);
        file.records.insert(file.records.end(), p.bytes.begin(), p.bytes.end());
        file.add(68, 0, {});
    }
    return file;
}

} // namespace

TEST(PerfFormatEdges, OptionsThatDoNotGoTogetherAreRefused)
{
    const struct {
        std::vector<const char *> given;
        const char *text; // "": they are taken
    } cases[] = {
        {{}, ""},
        {{"aux"}, ""},
        {{"header"}, ""},
        {{"aux", "slots", "stream"}, ""},
        {{"slots", "stream", "aux"}, ""},
        {{"only", "full"}, ""},
        {{"slots"}, "--slots is for --aux of perf-data"},
        {{"full", "slots"}, "--slots is for --aux of perf-data"},
        {{"header", "slots"}, "--slots is for --aux of perf-data"},
        {{"stream"}, "--stream is for --aux"},
        {{"header", "aux"}, "--header and --aux are two things to print"},
    };

    for (const auto &c : cases) {
        const cs_format_print print = given(c.given);
        cs_diag diag = {};

        EXPECT_EQ(cs_format_named("perf-data")->accepts(&print, &diag),
                  *c.text != '\0' ? CS_ERR_USAGE : CS_OK)
            << c.text;
        EXPECT_STREQ(diag.text, c.text);
    }
}

TEST(PerfFormatEdges, AuxDataThatNobodyDecodesAreToldByTheirPmu)
{
    const TempFolder temp;
    const std::string path =
        temp.write("perf.data", text_of(with_aux({{0, 0, PerfBytes(64, 1)}}, "intel_pt").make()));
    const cs_format_print print = given({"aux"});
    const cs_text_sink sink = {[](void *, const char *, size_t) { return CS_OK; }, nullptr};
    cs_input in = {};
    cs_diag diag = {};

    ASSERT_EQ(cs_input_open(&in, path.c_str(), 0, UINT64_MAX, &diag), CS_OK);
    EXPECT_EQ(cs_format_named("perf-data")->print(&print, &in, &sink, &diag), CS_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.text, "the AUX data are of PMU 'intel_pt', expected one whose name has "
                            "\"pmcu\" in it: no decoder for others");
    EXPECT_EQ(diag.where, path);
    cs_input_close(&in);
}

// The payloads of a stream are one run of bytes, whatever stands between them.
TEST(PerfFormatEdges, AuxDataAreOneStream)
{
    const PerfBytes a(16, 'a'), b(8, 'b'), c(24, 'c');
    const std::string whole = text_of(a) + text_of(b) + text_of(c);
    const struct {
        std::vector<Piece> pieces;
        int64_t idx;
        std::string bytes, text;
    } cases[] = {
        {{{0, 0, a}, {0, 16, b}, {0, 24, c}}, -1, whole, ""},
        {{{5, 100, a}, {5, 116, b}, {5, 124, c}}, -1, whole, ""},
        {{{0, 0, c}, {1, 0, a}, {0, 24, c}, {1, 16, b}, {0, 48, a}, {1, 24, c}}, 1, whole, ""},
        {{{0, 0, a}, {1, 0, b}},
         -1,
         text_of(a),
         "byte 320: AUX data of stream 1 behind some of stream 0, expected one; say which "
         "(--stream "
         "N)"},
        {{{0, 0, a}, {0, 24, b}},
         0,
         text_of(a),
         "byte 320: AUX data from 0x18 on, expected 0x10, where the last ended"},
        {{{0, 0, a}}, 1, "", "the file has no AUX data: no AUXTRACE record of this stream"},
        {{}, -1, "", "the file has no AUX data: no AUXTRACE record"},
    };

    for (const auto &one : cases) {
        PerfSeek file{with_aux(one.pieces, "pmcu0").make()};
        const cs_seek_source seek = file.source();
        cs_perfread *raw = nullptr;
        cs_perfread_aux aux;
        cs_diag diag = {};
        std::string bytes;
        size_t got = 1;

        ASSERT_EQ(cs_perfread_open(&seek, "file", &raw, &diag), CS_OK) << diag.text;
        const Reader reader(raw);
        cs_status status = cs_perfread_aux_begin(&aux, raw, one.idx, &diag);
        const cs_byte_source source = cs_perfread_aux_source(&aux);
        while (status == CS_OK && got > 0) {
            uint8_t byte; // one by one: what comes before an error is given
            status = source.read(source.ctx, &byte, 1, &got, &diag);
            if (status == CS_OK)
                bytes.append(reinterpret_cast<const char *>(&byte), got);
        }
        if (status == CS_OK) {
            EXPECT_STREQ(cs_perfread_aux_pmu(&aux, "pmcu"), "pmcu0");
            status = cs_perfread_aux_end(&aux, &diag);
        }
        EXPECT_EQ(status, one.text.empty() ? CS_OK : CS_ERR_FORMAT) << diag.text;
        EXPECT_EQ(bytes, one.bytes);
        EXPECT_EQ(diag.text, one.text);
    }
}

// Of `perf record --threads`: the file `data`, then data.0, data.1 up to the first that is missing.
TEST(PerfFormatEdges, PartsOfAFolderAreReadInTheirOrder)
{
    for (const bool device : {false, true}) {
        const TempFolder temp;
        const std::string folder = temp.path().string();
        std::vector<std::string> found;
        cs_perfread_parts *parts = nullptr;
        cs_perfread *reader = nullptr;
        const cs_perfread_record *record = nullptr;
        cs_input in = {};
        cs_diag diag = {};
        PerfFile file;

        file.attrs = {{.sample_type = 1}};
        file.add(9, 2, file.out().u64(1).bytes);
        temp.write("data", text_of(file.make()));
        for (const unsigned i : {0u, 1u, 3u}) {
            PerfFile part;

            part.add(9, 2, part.out().u64(10 + i).bytes);
            temp.write("data." + std::to_string(i), text_of(part.records));
        }
        if (device)
            std::filesystem::create_symlink("/dev/null", temp.path() / "data.2");
        ASSERT_EQ(cs_input_open(&in, folder.c_str(), 0, UINT64_MAX, &diag), CS_OK) << diag.text;
        const cs_status status = cs_perfread_open_input(&in, &parts, &reader, &diag);
        if (device) {
            EXPECT_EQ(status, CS_ERR_IO);
            EXPECT_STREQ(diag.text, "is not a regular file");
            EXPECT_EQ(diag.where, folder + "/data.2");
            EXPECT_EQ(reader, nullptr);
        } else {
            ASSERT_EQ(status, CS_OK) << diag.text;
            while (cs_perfread_next(reader, &record, &diag) == CS_OK && record != nullptr)
                found.push_back((record->part != nullptr ? record->part : "") + std::string(" ") +
                                std::to_string(record->sample.ip));
            EXPECT_EQ(found, (std::vector<std::string>{" 1", "data.0 10", "data.1 11"}));
        }
        cs_perfread_close(reader);
        cs_perfread_close_parts(parts);
        cs_input_close(&in);
    }
}

// A file that comes through a pipe is kept in a temporary one first, for which there is no room.
TEST(PerfFormatEdges, WithoutRoomForAPipeThereIsNoReader)
{
    PerfFile file;
    int ends[2];
    cs_perfread_parts *parts = nullptr;
    cs_perfread *reader = reinterpret_cast<cs_perfread *>(&file);
    cs_input in = {};
    cs_diag diag = {};

    file.attrs = {{.sample_type = 1}};
    const PerfBytes bytes = file.make();
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    ASSERT_EQ(cs_input_open(&in, path.c_str(), 0, UINT64_MAX, &diag), CS_OK) << diag.text;

    struct rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit none = {0, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    const cs_status status = cs_perfread_open_input(&in, &parts, &reader, &diag);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(status, CS_ERR_IO);
    EXPECT_STREQ(diag.text, "cannot be kept in a temporary file: File too large");
    EXPECT_EQ(reader, nullptr);
    cs_perfread_close_parts(parts);
    cs_input_close(&in);
    close(ends[0]);
}

// What is left of a file when its only record is lost: the head, which says that there is nothing.
TEST(PerfFormatEdges, TheHeadIsMendedWhenNothingElseIsLeft)
{
    for (const bool big : {false, true}) {
        PerfFile one, none;
        cs_damage_layout layout;
        cs_damage_report report;
        uint8_t *out = nullptr;
        size_t size = 0;

        one.big = none.big = big;
        one.add(68, 0, {});
        const PerfBytes bytes = one.make();
        ASSERT_EQ(cs_damage_layout_of(nullptr, bytes.data(), bytes.size(), &layout, nullptr),
                  CS_OK);
        EXPECT_EQ(layout.nr_records, 1u);
        ASSERT_EQ(cs_damage_make(&layout, CS_DAMAGE_DROP, 1, bytes.data(), bytes.size(), &out,
                                 &size, &report, nullptr),
                  CS_OK);
        EXPECT_EQ(PerfBytes(out, out + size), none.make());
        std::free(out);
        cs_damage_layout_free(&layout);
    }
}

// Where there are no data the numbers of the first event are found all the same.
TEST(PerfFormatEdges, NumbersOfAFileWithoutDataAreFound)
{
    PerfFile file;
    cs_damage_layout layout;
    std::vector<std::string> names;

    file.attrs = {{}};
    const PerfBytes bytes = file.make();
    ASSERT_EQ(cs_damage_layout_of(nullptr, bytes.data(), bytes.size(), &layout, nullptr), CS_OK);
    for (size_t i = 0; i < layout.nr_fields; i++)
        names.push_back(std::to_string(layout.fields[i].offset) + " " + layout.fields[i].name);
    EXPECT_EQ(names,
              (std::vector<std::string>{
                  "8 size of the header", "16 attr_size", "24 offset of the attrs",
                  "32 size of the attrs", "40 offset of the data", "48 size of the data",
                  "72 bitmap of the features", "108 size in the first attr",
                  "128 sample_type of the first attr", "136 read_format of the first attr"}));
    EXPECT_EQ(layout.nr_records, 0u);
    cs_damage_layout_free(&layout);
}

// Behind their end is memory that nobody may read.
TEST(PerfFormatEdges, DamageLooksAtNothingBehindAFile)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *pages =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    uint8_t *end = static_cast<uint8_t *>(pages) + page;
    ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);

    // Given a file, and a pipe with the head of an AUXTRACE record
    for (const bool pipe : {false, true}) {
        PerfOut out;

        out.u64(UINT64_C(0x32454c4946524550)).u64(pipe ? 16 : 104).u32(pipe ? 71 : 0);
        out.u16(0).u16(pipe ? 8 : 0).bytes.resize(104);
        for (size_t size = 0; size <= 104; size++) {
            cs_damage_layout found;

            // When so many bytes of it are there
            std::copy_n(out.bytes.begin(), size, end - size);
            ASSERT_EQ(cs_damage_layout_of("perf-data", end - size, size, &found, nullptr), CS_OK);
            // Then what is found lies in them
            EXPECT_EQ(found.nr_records, pipe && size >= 24 ? 1u : 0u) << size;
            for (size_t i = 0; i < found.nr_fields; i++)
                EXPECT_LE(found.fields[i].offset + found.fields[i].bytes, size);
            cs_damage_layout_free(&found);
        }
    }
    munmap(pages, 2 * page);
}

// The data begin within the head, and a record of them is left out.
TEST(PerfFormatEdges, AHeadThatIsCutIsNotMended)
{
    for (const size_t size : {111u, 112u, 113u}) {
        PerfOut in;
        cs_damage_layout layout;
        cs_damage_report report;
        uint8_t *bytes = nullptr;
        size_t nr = 0;
        cs_diag diag = {};

        in.u64(UINT64_C(0x32454c4946524550)).u64(104).bytes.resize(size);
        in.set(40, 96, 8);
        in.set(48, size - 96, 8);
        in.set(102, 8, 2);
        PerfOut expected = in;
        expected.bytes.erase(expected.bytes.begin() + 96, expected.bytes.begin() + 104);
        if (size >= 112)
            expected.set(48, size - 96 - 8, 8);
        ASSERT_EQ(cs_damage_layout_of("perf-data", in.bytes.data(), size, &layout, nullptr), CS_OK);
        ASSERT_EQ(cs_damage_make(&layout, CS_DAMAGE_DROP, 1, in.bytes.data(), size, &bytes, &nr,
                                 &report, &diag),
                  CS_OK)
            << diag.text;
        EXPECT_EQ(PerfBytes(bytes, bytes + nr), expected.bytes) << size;
        std::free(bytes);
        cs_damage_layout_free(&layout);
    }
}
