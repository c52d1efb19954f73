// SPDX-License-Identifier: Apache-2.0
// perf's records, alone and in a ring: what is read, and what each damage is called.
#include <gtest/gtest.h>

#include <random>

#include "formats/perf/abi/text.h"
#include "formats/pmcu/aux_dump.hpp"
#include "formats/riscv/read/ring.h"
#include "ring_records.hpp"

using namespace cs_test;

namespace
{

struct Result {
    std::vector<cs_perf_record> records;
    cs_perf_totals totals = {};
    cs_status status = CS_OK;
    std::string text;
    size_t asked = 0;
    std::vector<std::vector<uint64_t>> chains; // of each record
};

Result read(const Octets &image, cs_perf_form form = CS_PERF_EITHER, const char *name = "ring")
{
    Bytes bytes{image};
    const cs_byte_source source = bytes.source();
    const cs_perf_record *record = nullptr;
    cs_perf_ring *ring = nullptr;
    cs_diag diag = {};
    Result r;

    r.status = cs_perf_ring_open(&source, name, form, &ring, &diag);
    EXPECT_EQ(ring == nullptr, r.status != CS_OK);
    while (r.status == CS_OK) {
        r.status = cs_perf_ring_next(ring, &record, &diag);
        if (r.status != CS_OK || record == nullptr)
            break;
        r.records.push_back(*record);
        r.chains.emplace_back(record->chain, record->chain + record->nr_chain);
    }
    if (ring != nullptr) {
        r.totals = *cs_perf_ring_get_totals(ring);
        EXPECT_EQ(cs_perf_ring_next(ring, &record, &diag), r.status) << "the same again";
        EXPECT_EQ(record, nullptr);
    }
    cs_perf_ring_close(ring);
    r.text = diag.text;
    r.asked = bytes.asked;
    return r;
}

Octets changed(Octets image, size_t at, uint64_t value, unsigned bytes)
{
    change_little(image, at, value, bytes);
    return image;
}

Octets cut(const Octets &image, size_t length)
{
    return {image.begin(), image.begin() + static_cast<long>(length)};
}

const Octets kAll = joined(
    {ring_sample(7, 0x1234, 5, 99), ring_lost(8, 12), ring_throttle(5, 9), ring_throttle(6, 10)});

const Octets kChain = ring_chain(7, 0x1234, 2, 99, {UINT64_MAX - 511, 0x1234});

cs_status to_string(void *ctx, const char *part, size_t length)
{
    static_cast<std::string *>(ctx)->append(part, length);
    return CS_OK;
}

cs_status print(const Octets &image, cs_table_format format, std::string &text)
{
    Bytes bytes{image};
    const cs_byte_source source = bytes.source();
    const cs_text_sink sink = {to_string, &text};
    cs_perf_ring *ring = nullptr;
    cs_status status = cs_perf_ring_open(&source, nullptr, CS_PERF_EITHER, &ring, nullptr);

    if (status == CS_OK)
        status = cs_perf_ring_print(ring, format, &sink, nullptr);
    cs_perf_ring_close(ring);
    return status;
}

} // namespace

TEST(PerfRing, EveryFieldOfEveryRecord)
{
    const Result r = read(kAll);

    EXPECT_EQ(r.status, CS_OK) << r.text;
    ASSERT_EQ(r.records.size(), 4u);
    const uint32_t types[] = {9, 2, 5, 6};
    const uint64_t offsets[] = {0, 56, 112, 176};
    const unsigned sizes[] = {56, 56, 64, 64};
    for (unsigned i = 0; i < 4; i++) {
        const cs_perf_record &record = r.records[i];

        EXPECT_EQ(record.index, i);
        EXPECT_EQ(record.offset, offsets[i]);
        EXPECT_EQ(record.type, types[i]);
        EXPECT_EQ(record.misc, i == 0 ? 5 : 0);
        EXPECT_EQ(record.size, sizes[i]);
        EXPECT_EQ(record.id, 7 + i);
        EXPECT_EQ(record.pid, 0x101u);
        EXPECT_EQ(record.tid, 0x102u);
        EXPECT_EQ(record.time, 1000u);
        EXPECT_EQ(record.cpu, 3u);
        EXPECT_EQ(record.ip, i == 0 ? 0x1234u : 0u);
        EXPECT_EQ(record.period, i == 0 ? 99u : 0u);
        EXPECT_EQ(record.lost, i == 1 ? 12u : 0u);
    }
    EXPECT_EQ(r.totals.records, 4u);
    EXPECT_EQ(r.totals.samples, 1u);
    EXPECT_EQ(r.totals.lost, 12u);
    EXPECT_EQ(r.totals.throttles, 1u);
    EXPECT_EQ(r.totals.unthrottles, 1u);
    EXPECT_EQ(r.totals.bytes, 240u);
}

TEST(PerfRing, Names)
{
    EXPECT_STREQ(cs_perf_type_name(9), "sample");
    EXPECT_STREQ(cs_perf_type_name(2), "lost");
    EXPECT_STREQ(cs_perf_type_name(5), "throttle");
    EXPECT_STREQ(cs_perf_type_name(6), "unthrottle");
    EXPECT_STREQ(cs_perf_type_name(3), "?");
    const char *const modes[] = {nullptr,        "kernel",     "user", nullptr,
                                 "guest kernel", "guest user", nullptr};
    for (uint16_t misc = 0; misc < 7; misc++)
        EXPECT_STREQ(cs_perf_misc_name(misc), modes[misc]);
}

TEST(PerfRing, InARingAtAnyPlace)
{
    for (uint64_t tail = 0; tail < 1024; tail += 8) {
        const Result r =
            read(ring_image(256, tail, kAll), tail % 16 ? CS_PERF_RING : CS_PERF_EITHER);

        ASSERT_EQ(r.status, CS_OK) << r.text;
        ASSERT_EQ(r.records.size(), 4u);
        EXPECT_EQ(r.records[2].offset, 4096 + (tail + 112) % 256);
        EXPECT_EQ(r.records[3].id, 10u);
    }
    EXPECT_EQ(read(ring_image(8, 0, {})).status, CS_OK);
    EXPECT_EQ(read(ring_image(256, UINT64_MAX - 7, kAll)).records.size(), 4u) << "data_head wraps";
}

TEST(PerfRing, ALongStreamInConstantMemory)
{
    Octets stream;
    for (uint64_t i = 0; i < 20000; i++) {
        const Octets one = i % 3 == 0 ? ring_throttle(5, i) : ring_sample(i, 4 * i, 1, i);
        stream.insert(stream.end(), one.begin(), one.end());
    }
    const Result r = read(stream);

    EXPECT_EQ(r.status, CS_OK);
    ASSERT_EQ(r.records.size(), 20000u);
    uint64_t offset = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        ASSERT_EQ(r.records[i].id, i);
        ASSERT_EQ(r.records[i].offset, offset);
        offset += r.records[i].size;
    }
    EXPECT_LE(r.asked, 0x10000u);
    EXPECT_EQ(read(cut(stream, stream.size() - 1)).records.size(), 19999u);
}

TEST(PerfRing, ALargeRing)
{
    Octets stream;
    for (uint64_t i = 0; i < 5000; i++) {
        const Octets one = ring_sample(i, 4 * i, 1, i);
        stream.insert(stream.end(), one.begin(), one.end());
    }
    EXPECT_EQ(read(ring_image(1 << 19, 400000, stream)).records.size(), 5000u);
}

TEST(PerfRing, ASourceIsNotAskedAfterItsEnd)
{
    unsigned asked = 0; // fewer bytes than were wanted are the end
    const cs_byte_source stream = {
        [](void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *) {
            ++*static_cast<unsigned *>(ctx);
            *got = std::min(bytes, kAll.size());
            std::copy_n(kAll.begin(), *got, out);
            return CS_OK;
        },
        &asked};
    const cs_perf_record *record = nullptr;
    cs_perf_ring *ring = nullptr;

    ASSERT_EQ(cs_perf_ring_open(&stream, nullptr, CS_PERF_STREAM, &ring, nullptr), CS_OK);
    do
        ASSERT_EQ(cs_perf_ring_next(ring, &record, nullptr), CS_OK);
    while (record != nullptr);
    EXPECT_EQ(asked, 1u);
    cs_perf_ring_close(ring);
}

TEST(PerfRing, NothingIsAStreamOfNoRecords)
{
    EXPECT_EQ(read({}).status, CS_OK);
    EXPECT_EQ(read({}, CS_PERF_STREAM).status, CS_OK);
    EXPECT_EQ(read({}, CS_PERF_RING).status, CS_ERR_FORMAT);
}

TEST(PerfRing, EachDamageHasItsByte)
{
    const Octets ring = ring_image(256, 64, kAll);
    const struct {
        const char *text;
        Octets image;
        size_t records;
    } rows[] = {
        {"byte 0x100: the data end within the ring's header page of 4096 bytes", cut(ring, 256), 0},
        {"byte 0xfff: the data end within the ring's header page of 4096 bytes", cut(ring, 4095),
         0},
        {"byte 0x410: data_offset is not 4096 (0x1001)", changed(ring, 0x410, 4097, 8), 0},
        {"byte 0x418: data_size is no power of two (0x0)", changed(ring, 0x418, 0, 8), 0},
        {"byte 0x418: data_size is no power of two (0x101)", changed(ring, 0x418, 257, 8), 0},
        {"byte 0x400: data_head is no multiple of 8 (0x134)", changed(ring, 0x400, 308, 8), 0},
        {"byte 0x408: data_tail is no multiple of 8 (0x41)", changed(ring, 0x408, 65, 8), 0},
        {"byte 0x408: data_tail is not within data_size below data_head (0x28)",
         changed(ring, 0x408, 40, 8), 0},
        {"byte 0x408: data_tail is not within data_size below data_head (0x138)",
         changed(ring, 0x408, 312, 8), 0},
        {"byte 0x1000: the data end here, expected 256 bytes behind the header page",
         cut(ring, 4096), 0},
        {"byte 0x10ff: the data end here, expected 256 bytes behind the header page",
         cut(ring, 4351), 0},
        {"byte 0x1100: the ring ends here (header page and 256 bytes), but not the data",
         joined({ring, {0}}), 0},
        {"byte 0x1100: the data end here, expected 4611686018427387904 bytes behind the header "
         "page",
         changed(ring, 0x418, UINT64_C(1) << 62, 8), 0},
        {"byte 0x1010: record 3: the data end within a record; bytes of it (0x20)",
         changed(ring, 0x400, 64 + 208, 8), 3},
        {"byte 0x10f8: record 3: the data end within a record; bytes of it (0x8)",
         changed(ring, 0x400, 64 + 184, 8), 3},
        {"byte 0x10f0: record 3: there is no such type of record here (0x7)",
         changed(ring, 0x10f0, 7, 4), 3},
        {"byte 0x0: record 0: there is no such type of record here (0x1)", changed(kAll, 0, 1, 4),
         0},
        {"byte 0x2: record 0: the data end within a record; bytes of it (0x2)", cut(kAll, 2), 0},
        {"byte 0x37: record 0: the data end within a record; bytes of it (0x37)", cut(kAll, 55), 0},
        {"byte 0xef: record 3: the data end within a record; bytes of it (0x3f)", cut(kAll, 239),
         3},
        {"byte 0x6: record 0: no such record has this size (0x3c)", changed(kAll, 6, 60, 2), 0},
        {"byte 0x6: record 0: no such record has this size (0x450)", changed(kAll, 6, 1104, 2), 0},
        {"byte 0x3e: record 1: no such record has this size (0x40)", changed(kAll, 56 + 6, 64, 2),
         1},
        {"byte 0x38: record 0: the call chain's length is not that of the record (0x3)",
         changed(kChain, 56, 3, 8), 0},
        {"byte 0x38: record 0: the call chain's length is not that of the record (0x1)",
         changed(kChain, 56, 1, 8), 0},
        {"byte 0x4f: record 0: the data end within a record; bytes of it (0x4f)", cut(kChain, 79),
         0},
        {"byte 0x3e: record 1: no such record has this size (0x0)", changed(kAll, 56 + 6, 0, 2), 1},
        {"byte 0x4: record 0: a sample is of no such mode (0x3)", changed(kAll, 4, 3, 2), 0},
        {"byte 0x4: record 0: a sample is of no such mode (0x0)", changed(kAll, 4, 0, 2), 0},
        {"byte 0x4: record 0: a sample is of no such mode (0x4001)", changed(kAll, 4, 0x4001, 2),
         0},
        {"byte 0x2c: record 0: what is reserved is not zero (0x1)", changed(kAll, 44, 1, 4), 0},
        {"byte 0x3c: record 1: misc is not zero (0x2)", changed(kAll, 56 + 4, 2, 2), 1},
        {"byte 0x64: record 1: what is reserved is not zero (0x5)", changed(kAll, 56 + 44, 5, 4),
         1},
        {"byte 0x68: record 1: the identifier is not the event's (0x9)",
         changed(kAll, 56 + 48, 9, 8), 1},
        {"byte 0x88: record 2: the stream is not the event's (0x1)", changed(kAll, 112 + 24, 1, 8),
         2},
        {"byte 0xa4: record 2: what is reserved is not zero (0x1)", changed(kAll, 112 + 52, 1, 4),
         2},
        {"byte 0xa8: record 2: the identifier is not the event's (0x1)",
         changed(kAll, 112 + 56, 1, 8), 2},
        {"byte 0xb4: record 3: misc is not zero (0x1)", changed(kAll, 176 + 4, 1, 2), 3},
    };

    for (const auto &row : rows) {
        const Result r = read(row.image);

        EXPECT_EQ(r.status, CS_ERR_FORMAT) << row.text;
        EXPECT_EQ(r.text, row.text);
        EXPECT_EQ(r.records.size(), row.records) << row.text;
    }
    EXPECT_EQ(read(cut(kAll, 2), CS_PERF_EITHER, nullptr).status, CS_ERR_FORMAT);
}

// A sample is as long as its chain; in a ring it may lie across the end.
TEST(PerfRing, CallChains)
{
    std::vector<std::vector<uint64_t>> chains = {
        {}, {UINT64_MAX - 127}, {UINT64_MAX - 511, 0x10, 0x20, UINT64_MAX}, {}};
    for (uint64_t i = 0; i < 129; i++)
        chains[3].push_back(i << 40 | i);
    Octets stream = ring_sample(1, 5, 2, 9);
    for (const auto &chain : chains)
        stream = joined({stream, ring_chain(1, 5, 2, 9, chain)});

    for (uint64_t tail : {0u, 8u, 3000u, 4000u}) {
        const Result r = read(tail == 8 ? stream : ring_image(4096, tail, stream));

        ASSERT_EQ(r.status, CS_OK) << r.text;
        ASSERT_EQ(r.records.size(), 5u);
        EXPECT_FALSE(r.records[0].has_chain);
        for (size_t i = 0; i < chains.size(); i++) {
            EXPECT_TRUE(r.records[i + 1].has_chain);
            EXPECT_EQ(r.chains[i + 1], chains[i]) << i;
            EXPECT_EQ(r.records[i + 1].size, 64 + 8 * chains[i].size());
            EXPECT_EQ(r.records[i + 1].period, 9u);
        }
        EXPECT_EQ(r.totals.bytes, stream.size());
    }
    std::string text;
    EXPECT_EQ(print(kChain, CS_TABLE_CSV, text), CS_OK);
    EXPECT_NE(text.find(",period,lost,chain\n"), std::string::npos) << text;
    EXPECT_NE(text.find(",99,,0x1234\n"), std::string::npos) << text;
}

TEST(PerfRing, MayBeFullToTheLastByte)
{
    Octets stream;

    for (unsigned i = 0; i < 4096 / 64; i++)
        stream = joined({stream, ring_throttle(5 + i % 2, 1)});
    const Result r = read(ring_image(4096, 512, stream));
    EXPECT_EQ(stream.size(), 4096u);
    EXPECT_EQ(r.status, CS_OK) << r.text;
}

TEST(PerfRing, AChainIsAsLongAsItsRecordSays)
{
    const Octets bytes = joined({ring_chain(1, 5, 2, 9, {0x10, 0x20}), Octets(64, 0xee)});
    std::vector<uint64_t> chain(CS_PERF_CHAIN_MOST, 7);
    cs_perf_record record;

    cs_perf_record_head(bytes.data(), &record);
    cs_perf_record_body(bytes.data(), &record, chain.data());
    EXPECT_EQ(record.nr_chain, 2u);
    EXPECT_EQ(chain[1], 0x20u);
    EXPECT_EQ(chain[2], 7u);
}

TEST(PerfRing, WhatLooksLikeOne)
{
    const struct {
        Octets bytes;
        bool so;
    } rows[] = {
        {ring_image(256, 0, {}), true},
        {cut(ring_image(256, 0, {}), 0x4c), true},
        {cut(ring_image(256, 0, {}), 0x4b), false},
        {changed(ring_image(256, 0, {}), 0x28, 3, 8), false},
        {changed(ring_image(256, 0, {}), 0x48, 95, 4), false},
        {changed(ring_image(256, 0, {}), 0x10, 1, 1), false},
        {kAll, true},
        {ring_lost(1, 1), true},
        {ring_throttle(5, 1), true},
        {cut(kAll, 8), true},
        {cut(kAll, 7), false},
        {{}, false},
        {Octets(128), false},
        {ring_chain(1, 5, 2, 9, {}), true},
        {changed(ring_chain(1, 5, 2, 9, {}), 56, 1, 8), false},
        {changed(kAll, 4, 3, 2), false},
        {changed(kAll, 6, 60, 2), false},
        {kChain, true},
        {changed(kChain, 6, 1096 + 8, 2), false},
        {changed(kChain, 56, 3, 8), false},
        {cut(kChain, 8), true},
        {changed(kAll, 0, 3, 4), false},
        {changed(ring_lost(1, 1), 4, 1, 2), false},
    };

    for (const auto &row : rows)
        EXPECT_EQ(cs_perf_ring_looks_so(row.bytes.data(), row.bytes.size()), row.so);
}

TEST(PerfRing, Noise)
{
    for (unsigned seed = 0; seed < 20000; seed++) {
        std::mt19937_64 random(seed);
        Octets image = random() % 2 == 0 ? kAll : ring_image(256, random() % 64 * 8, kAll);

        for (uint64_t n = random() % 4; n > 0; n--)
            image[random() % image.size()] = static_cast<uint8_t>(random());
        for (uint64_t n = random() % 3; n > 0 && image.size() > 4096; n--)
            change_little(image, 0x400 + random() % 4 * 8, random() % 2 ? random() : random() % 600,
                          8);
        if (random() % 4 == 0)
            image.resize(random() % (image.size() + 1));
        const Result r = read(image);
        ASSERT_TRUE(r.status == CS_OK || r.status == CS_ERR_FORMAT);
        if (r.status == CS_ERR_FORMAT) {
            ASSERT_EQ(r.text.compare(0, 7, "byte 0x"), 0) << r.text;
        }
        for (const cs_perf_record &record : r.records)
            ASSERT_LT(record.offset, image.size());
        std::string text;
        ASSERT_EQ(print(image, CS_TABLE_TEXT, text), r.status);
    }
}

struct Failing {
    Bytes bytes;
    size_t good;

    static cs_status read(void *ctx, uint8_t *out, size_t n, size_t *got, cs_diag *diag)
    {
        auto *f = static_cast<Failing *>(ctx);

        if (f->good == 0)
            return cs_diag_set(diag, CS_ERR_IO, "disk", "gone");
        f->good--;
        return Bytes::read(&f->bytes, out, n, got, diag);
    }
};

TEST(PerfRing, ErrorsOfTheSourceAreHandedOn)
{
    Octets stream;
    for (uint64_t i = 0; i < 4000; i++) {
        const Octets one = ring_sample(i, 4 * i, 1, i);
        stream.insert(stream.end(), one.begin(), one.end());
    }
    for (const Octets &image : {stream, ring_image(1 << 18, 0, stream)})
        for (size_t good : {0u, 1u}) {
            Failing failing = {{image}, good};
            const cs_byte_source source = {Failing::read, &failing};
            const cs_perf_record *record = nullptr;
            cs_perf_ring *ring = nullptr;
            cs_diag diag = {};
            cs_status status = cs_perf_ring_open(&source, "ring", CS_PERF_EITHER, &ring, &diag);

            EXPECT_EQ(status == CS_OK, good == 1 && image.size() == stream.size());
            for (record = nullptr; status == CS_OK;)
                status = cs_perf_ring_next(ring, &record, &diag);
            EXPECT_EQ(status, CS_ERR_IO);
            EXPECT_STREQ(diag.text, "gone");
            cs_perf_ring_close(ring);
        }
    cs_perf_ring_close(nullptr);
}

TEST(PerfRing, Prints)
{
    std::string text, json;

    EXPECT_EQ(print(kAll, CS_TABLE_TEXT, text), CS_OK);
    EXPECT_NE(text.find("\nrecords          4 in 240 bytes\nsamples          1\n"
                        "lost            12  records that found no room\n"
                        "throttled        1, unthrottled 1\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(print(kAll, CS_TABLE_JSON, json), CS_OK);
    EXPECT_NE(json.find("\"type\": \"lost\", \"id\": 8, \"time\": 1000, \"cpu\": 3, \"pid\": 257, "
                        "\"tid\": 258, \"ip\": null, \"mode\": null, \"period\": null, \"lost\": "
                        "12"),
              std::string::npos)
        << json;

    Bytes bytes{kAll};
    const cs_byte_source source = bytes.source();
    const cs_text_sink full = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
    cs_perf_ring *ring = nullptr;
    ASSERT_EQ(cs_perf_ring_open(&source, "ring", CS_PERF_EITHER, &ring, nullptr), CS_OK);
    EXPECT_EQ(cs_perf_ring_print(ring, CS_TABLE_CSV, &full, nullptr), CS_ERR_IO);
    cs_perf_ring_close(ring);
}
