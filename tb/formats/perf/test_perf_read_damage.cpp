// SPDX-License-Identifier: Apache-2.0
// Damaged perf.data: an error that names the byte, or other values, but never more.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/perf/read/print.h"
#include "formats/pmcu/aux_dump.hpp"
#include "perf_all.hpp"
#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

struct Outcome {
    cs_status status;
    std::string text;
    uint64_t records;
    size_t printed;
};

cs_status count_bytes(void *ctx, const char *, size_t bytes)
{
    *static_cast<size_t *>(ctx) += bytes;
    return CS_OK;
}

// Every record is also printed: so every byte that it points to is looked at.
Outcome read_with(cs_perfread *reader, cs_status status, const cs_diag &opened)
{
    Outcome outcome = {status, opened.text, 0, 0};
    const cs_perfread_record *record = nullptr;
    cs_diag diag = {};
    char *text = nullptr;
    size_t room = 0;
    const cs_text_sink sink = {count_bytes, &outcome.printed};

    while (outcome.status == CS_OK) {
        outcome.status = cs_perfread_next(reader, &record, &diag);
        if (outcome.status != CS_OK || record == nullptr)
            break;
        outcome.records++;
        EXPECT_TRUE(cs_perfread_detail(reader, record, true, &text, &room));
        outcome.printed += std::strlen(text);
    }
    if (status == CS_OK) {
        EXPECT_EQ(cs_perfread_print_facts(reader, CS_TABLE_JSON, &sink, nullptr), CS_OK);
        if (outcome.status != CS_OK) { // and again
            cs_diag again = {};
            EXPECT_EQ(cs_perfread_next(reader, &record, &again), outcome.status);
            EXPECT_STREQ(again.text, diag.text);
            outcome.text = diag.text;
        }
    }
    std::free(text);
    cs_perfread_close(reader);
    return outcome;
}

Outcome read_all(PerfBytes bytes)
{
    PerfSeek file{std::move(bytes)};
    const cs_seek_source source = file.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};
    const cs_status status = cs_perfread_open(&source, "file", &reader, &diag);

    return read_with(reader, status, diag);
}

Outcome read_pipe(PerfBytes bytes)
{
    Bytes pipe{std::move(bytes)};
    const cs_byte_source source = pipe.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};
    const cs_status status = cs_perfread_open_pipe(&source, "pipe", &reader, &diag);

    return read_with(reader, status, diag);
}

bool names_a_byte(const std::string &text)
{
    return text.compare(0, 5, "byte ") == 0 && std::isdigit(text[5]);
}

class PerfReadDamage : public testing::TestWithParam<bool>
{
  protected:
    const PerfFile file = perf_with_everything(GetParam());
    const PerfBytes whole = file.make();
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfReadDamage, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

TEST_P(PerfReadDamage, WhatIsWholeIsRead)
{
    const Outcome outcome = read_all(whole);

    EXPECT_EQ(outcome.status, CS_OK) << outcome.text;
    EXPECT_EQ(outcome.records, 24u);
    EXPECT_EQ(read_pipe(file.make_pipe()).status, CS_OK);
}

TEST_P(PerfReadDamage, EveryTruncation)
{
    for (size_t size = 0; size < whole.size(); size++) {
        const Outcome outcome = read_all({whole.begin(), whole.begin() + static_cast<long>(size)});

        ASSERT_EQ(outcome.status, CS_ERR_FORMAT) << size;
        ASSERT_TRUE(names_a_byte(outcome.text)) << size << outcome.text;
    }
    const PerfBytes pipe = file.make_pipe();
    unsigned complete = 0;
    for (size_t size = 0; size < pipe.size(); size++) {
        const Outcome outcome = read_pipe({pipe.begin(), pipe.begin() + static_cast<long>(size)});

        complete += outcome.status == CS_OK;
        ASSERT_TRUE(outcome.status == CS_OK || names_a_byte(outcome.text)) << size << outcome.text;
    }
    // A pipe may end after any record: 2 attrs, the features, and what follows.
    EXPECT_EQ(complete, 2 + file.features.size() + 24);
}

TEST_P(PerfReadDamage, EveryBit)
{
    unsigned refused = 0;

    for (size_t bit = 0; bit < 8 * whole.size(); bit++) {
        PerfBytes bytes = whole;

        bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
        const Outcome outcome = read_all(bytes);
        if (outcome.status != CS_OK) {
            ASSERT_TRUE(outcome.status == CS_ERR_FORMAT || outcome.status == CS_ERR_UNSUPPORTED);
            ASSERT_TRUE(names_a_byte(outcome.text)) << bit << outcome.text;
            refused++;
        }
    }
    EXPECT_GT(refused, whole.size());
}

// Numbers of 2, 4 and 8 bytes that lie, at every place.
TEST_P(PerfReadDamage, NumbersThatLie)
{
    const uint64_t lies[] = {0,
                             1,
                             7,
                             0xffff,
                             0xfff8,
                             0xffffffff,
                             0xfffffff8,
                             0x7fffffff,
                             UINT64_MAX,
                             UINT64_MAX - 7,
                             UINT64_MAX / 8 + 1,
                             UINT64_C(1) << 40,
                             whole.size(),
                             whole.size() + 8};
    PerfOut out{GetParam(), whole};

    for (unsigned bytes : {2u, 4u, 8u})
        for (size_t at = 0; at + bytes <= whole.size(); at += bytes)
            for (uint64_t lie : lies) {
                out.bytes = whole;
                out.set(at, lie, bytes);
                const Outcome outcome = read_all(out.bytes);
                ASSERT_TRUE(outcome.status == CS_OK || names_a_byte(outcome.text))
                    << at << " " << lie << outcome.text;
                ASSERT_LT(outcome.printed, 1u << 20);
            }
}

TEST_P(PerfReadDamage, Noise)
{
    std::mt19937 random(GetParam() ? 1 : 2);
    const PerfBytes pipe = file.make_pipe();

    for (unsigned i = 0; i < 6000; i++) {
        PerfBytes bytes = i % 2 == 0 ? whole : pipe;

        for (unsigned n = 1 + random() % 8; n > 0; n--)
            bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
        if (i % 5 == 0)
            bytes.resize(random() % bytes.size());
        const Outcome outcome = i % 2 == 0 ? read_all(bytes) : read_pipe(bytes);
        ASSERT_TRUE(outcome.status == CS_OK || names_a_byte(outcome.text)) << i << outcome.text;
    }
}

struct Case {
    const char *what;
    void (*damage)(PerfFile &file, PerfOut &out);
    cs_status status;
    const char *text;
};

// Where things are in perf_with_everything: ids at 104, attrs at 128 of 144 bytes, data at 416.
const Case kCases[] = {
    {"magic", [](PerfFile &, PerfOut &o) { o.bytes[0] = 'X'; }, CS_ERR_FORMAT,
     "byte 0: expected \"PERFILE2\" or \"2ELIFREP\", the magic of perf.data"},
    {"header size", [](PerfFile &, PerfOut &o) { o.set(8, 105, 8); }, CS_ERR_FORMAT,
     "byte 8: size of the header is 105, expected 104, 72, or 16 for a pipe (perf.data header)"},
    {"attr_size", [](PerfFile &, PerfOut &o) { o.set(16, 72, 8); }, CS_ERR_FORMAT,
     "byte 16: attr_size is 72, expected a multiple of 8, 80..4096 (perf.data header)"},
    {"attrs' size", [](PerfFile &, PerfOut &o) { o.set(32, 145, 8); }, CS_ERR_FORMAT,
     "byte 32: size of the attrs is 145, expected a multiple of attr_size (perf.data header)"},
    {"no attrs", [](PerfFile &, PerfOut &o) { o.set(32, 0, 8); }, CS_ERR_FORMAT,
     "byte 32: size of the attrs is 0, expected at least one event (perf.data header)"},
    {"attrs beyond the end", [](PerfFile &, PerfOut &o) { o.set(24, 1u << 30, 8); }, CS_ERR_FORMAT,
     "byte 24: attrs are 288 bytes from byte 1073741824 on, the file ends at byte"},
    {"data beyond the end", [](PerfFile &, PerfOut &o) { o.set(40, 1u << 30, 8); }, CS_ERR_FORMAT,
     "byte 40: offset of the data is 1073741824, expected a byte of the file"},
    {"attr.size", [](PerfFile &, PerfOut &o) { o.set(128 + 4, 60, 4); }, CS_ERR_FORMAT,
     "byte 132: perf_event_attr.size is 60, expected a multiple of 8, 64..4096"},
    {"sample_type", [](PerfFile &, PerfOut &o) { o.set(128 + 24, 1u << 25, 8); },
     CS_ERR_UNSUPPORTED,
     "byte 152: sample_type has unknown bits 0x2000000, known are 0x1ffffff (event at byte 128)"},
    {"read_format", [](PerfFile &, PerfOut &o) { o.set(128 + 32, 32, 8); }, CS_ERR_UNSUPPORTED,
     "byte 160: read_format has unknown bits 0x20, known are 0x1f (event at byte 128)"},
    {"ids' size", [](PerfFile &, PerfOut &o) { o.set(128 + 136, 9, 8); }, CS_ERR_FORMAT,
     "byte 264: size of the ids is 9, expected a multiple of 8"},
    {"an id twice", [](PerfFile &, PerfOut &o) { o.set(120, 5, 8); }, CS_ERR_FORMAT,
     "byte 120: id 5 of event 1 is already event 0's, expected ids of its own"},
    {"size of a record", [](PerfFile &, PerfOut &o) { o.set(416 + 6, 7, 2); }, CS_ERR_FORMAT,
     "byte 416: a record of type 70 has size 7, expected at least 8"},
    {"record of size 0", [](PerfFile &, PerfOut &o) { o.set(416 + 6, 0, 2); }, CS_ERR_FORMAT,
     "byte 416: a record of type 70 has size 0, expected at least 8"},
    {"version 1",
     [](PerfFile &f, PerfOut &o) {
         if (!f.big)
             o.bytes[6] = 'L', o.bytes[7] = 'E', o.bytes[5] = 'I';
         std::memcpy(o.bytes.data(), "PERFFILE", 8);
     },
     CS_ERR_UNSUPPORTED,
     "byte 0: a perf.data file of version 1 (before Linux 3.5), expected \"PERFILE2\""},
};

TEST_P(PerfReadDamage, WhatTheErrorsSay)
{
    for (const Case &one : kCases) {
        PerfFile copy = file;
        PerfOut out{GetParam(), whole};

        one.damage(copy, out);
        const Outcome outcome = read_all(out.bytes);
        EXPECT_EQ(outcome.status, one.status) << one.what;
        EXPECT_EQ(outcome.text.substr(0, std::strlen(one.text)), one.text) << one.what;
    }
}

// A sample whose lists say more than there is, and one that is too long.
TEST_P(PerfReadDamage, WhatTheErrorsOfSamplesSay)
{
    const struct {
        uint64_t bits;
        PerfBytes payload;
        const char *text;
    } cases[] = {
        {0x1, {}, "byte 256: ip takes 8 bytes, there are 0 (SAMPLE at byte 248)"},
        {0x20, PerfOut{GetParam(), {}}.u64(3).u64(1).u64(2).bytes,
         "byte 264: callchain takes 24 bytes, there are 16 (SAMPLE at byte 248)"},
        {0x20, PerfOut{GetParam(), {}}.u64(UINT64_MAX).bytes,
         "byte 264: callchain are 18446744073709551615 words of 8 bytes, there are 0 bytes (SAMPLE "
         "at byte 248)"},
        {0x400, PerfOut{GetParam(), {}}.u32(13).u32(1).u64(2).bytes,
         "byte 260: raw takes 13 bytes, there are 12 (SAMPLE at byte 248)"},
        {0x10, PerfOut{GetParam(), {}}.u64(2).u64(1).bytes,
         "byte 256: read.nr is 2 values of 8 bytes, there are 8 bytes (SAMPLE at byte 248)"},
        {0x800, PerfOut{GetParam(), {}}.u64(1).u64(2).bytes,
         "byte 256: branch_stack.nr is 1 branches of 24 bytes, there are 8 bytes (SAMPLE at byte "
         "248)"},
        {0x1000, PerfOut{GetParam(), {}}.u64(3).bytes,
         "byte 256: regs_user has abi 3, expected 0, 1 or 2 (SAMPLE at byte 248)"},
        {0x2000, PerfOut{GetParam(), {}}.u64(8).u64(1).u64(9).bytes,
         "byte 264: stack_user.dyn_size is 9, expected at most its size 8 (SAMPLE at byte 248)"},
        {0x1, PerfOut{GetParam(), {}}.u64(3).u64(4).bytes,
         "byte 264: 8 bytes are left behind the last field of the sample, expected none (SAMPLE at "
         "byte 248)"},
        {0x10040, PerfOut{GetParam(), {}}.u64(3).u64(4).bytes,
         "byte 264: id is 4, the sample's identifier 3 (SAMPLE at byte 248)"},
    };

    for (const auto &one : cases) {
        PerfFile made;

        made.big = GetParam();
        made.attrs = {{.sample_type = one.bits, .read_format = 8}};
        made.add(9, 0, one.payload);
        const Outcome outcome = read_all(made.make());
        EXPECT_EQ(outcome.status, CS_ERR_FORMAT);
        EXPECT_EQ(outcome.text, one.text);
    }
}

// Where it is not told whose a record is, the events must not differ in what they put behind it.
TEST_P(PerfReadDamage, TrailersOfUnknownIds)
{
    const auto read = [](uint64_t id) {
        PerfFile made;

        made.big = GetParam();
        made.attrs = {{.sample_type = 0x10000, .ids = {5}}, {.sample_type = 0x10004, .ids = {6}}};
        made.add(3, 0, made.out().u32(1).u32(1).name("x").u64(id).bytes);
        return read_all(made.make());
    };

    EXPECT_EQ(read(5).status, CS_OK) << read(5).text;
    EXPECT_EQ(read(0).status, CS_OK) << read(0).text;
    EXPECT_EQ(read(9).text, "byte 416: id 9 is no event's, and the 2 events differ in their layout "
                            "(COMM at byte 408)");
}

// What pads the bytes of a TEXT_POKE is less than a word.
TEST_P(PerfReadDamage, PaddingOfATextPoke)
{
    for (const unsigned more : {0u, 8u}) {
        PerfFile made;

        made.big = GetParam();
        made.attrs = {{.flags = 0}};
        made.add(20, 0,
                 made.out().u64(0x100).u16(1).u16(3).raw({1, 2, 3, 4}).raw(PerfBytes(more)).bytes);
        const Outcome outcome = read_all(made.make());
        EXPECT_EQ(outcome.status, more == 0 ? CS_OK : CS_ERR_FORMAT) << outcome.text;
    }
}

// A file says that a section is longer than facts may be, and is as long.
TEST_P(PerfReadDamage, FactsWithoutEnd)
{
    PerfFile made;

    made.big = GetParam();
    made.attrs = {{}};
    made.text(3, "host");
    PerfOut bytes{GetParam(), made.make()};
    bytes.set(104 + 144 + 8, UINT64_C(1) << 40, 8); // the size of the first feature
    PerfSeek file{bytes.bytes};
    cs_seek_source source = file.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};

    source.bytes = UINT64_C(1) << 42;
    EXPECT_EQ(cs_perfread_open(&source, "x", &reader, &diag), CS_ERR_FORMAT);
    EXPECT_NE(std::string(diag.text).find("1099511627776 bytes, expected at most"),
              std::string::npos)
        << diag.text;
    EXPECT_EQ(reader, nullptr);
}

// A pipe may describe so many events, and no more.
TEST_P(PerfReadDamage, MoreEventsThanThereMayBe)
{
    PerfFile made;

    made.big = GetParam();
    made.attrs.assign(CS_PERFREAD_MOST_EVENTS, {.size = 64});
    EXPECT_EQ(read_pipe(made.make_pipe()).status, CS_OK);
    made.attrs.push_back({.size = 64});
    EXPECT_NE(read_pipe(made.make_pipe()).text.find("more than 65536 events"), std::string::npos);
}

// The head alone is a file, in which there is nothing.
TEST_P(PerfReadDamage, AHeadWithoutAnything)
{
    PerfFile made;

    made.big = GetParam();
    const PerfBytes head = made.make();
    ASSERT_EQ(head.size(), 104u);
    EXPECT_EQ(read_all(head).text.find("byte 104: the file ends within the header"),
              std::string::npos);
}

TEST(PerfReadDamage, ErrorsOfTheSourceAreHandedOn)
{
    const cs_seek_source source = {
        [](void *, uint64_t, uint8_t *, size_t, size_t *, cs_diag *diag) {
            return cs_diag_set(diag, CS_ERR_IO, "disk", "gone");
        },
        nullptr, 1000};
    cs_perfread *reader = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_perfread_open(&source, "x", &reader, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "gone");
    EXPECT_EQ(reader, nullptr);
}

} // namespace
