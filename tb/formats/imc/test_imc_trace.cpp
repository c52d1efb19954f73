// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/imc/read/record_print.h"
#include "formats/pmcu/aux_dump.hpp"
#include "imc_records.hpp"

using namespace cs_test;

namespace
{

Read read(const Image &image, uint64_t buffer_bytes = 0)
{
    Bytes bytes{image};

    return read_trace(bytes, buffer_bytes);
}

TEST(ImcTrace, TheWordsOfARecord)
{
    Image image;

    put_record(image, {0x123456789abcdef0, 0xc000000000001234, 0x80000abc12345678, 0xffffffff, 2, 3,
                       4, 0x123456789abcdef0 & kLow42});
    const Read r = read(image);

    ASSERT_EQ(r.records.size(), 1u);
    const cs_imc_trace_record &record = r.records[0];
    EXPECT_EQ(record.bytes, 64u);
    EXPECT_EQ(record.tb1, 0x123456789abcdef0u);
    EXPECT_EQ(record.ip, 0xc000000000001234u);
    EXPECT_EQ(record.val, 0x80000abc12345678u);
    EXPECT_EQ(record.cpmc[0], 0xffffffffu);
    EXPECT_EQ(record.cpmc[1], 2u);
    EXPECT_EQ(record.cpmc[2], 3u);
    EXPECT_EQ(record.cpmc[3], 4u);
    EXPECT_EQ(record.tb2, 0x123456789abcdef0u & kLow42);
    EXPECT_EQ(record.itself, CS_IMC_VALID);
    EXPECT_EQ(record.scan, CS_IMC_VALID);
}

TEST(ImcTrace, EncodeAndDecodeAreInverse)
{
    std::mt19937_64 random(1);

    for (unsigned i = 0; i < 1000; i++) {
        uint8_t bytes[64];
        uint8_t again[64];
        cs_imc_trace_record record;

        for (uint8_t &byte : bytes)
            byte = static_cast<uint8_t>(random());
        cs_imc_trace_decode(bytes, &record);
        cs_imc_trace_encode(&record, again);
        ASSERT_EQ(Image(bytes, bytes + 64), Image(again, again + 64));
    }
}

// One record more in front of the case's: what it is by itself, and in the scan.
struct Case {
    const char *what;
    std::initializer_list<uint64_t> words;
    cs_imc_verdict itself;
    cs_imc_verdict scan;
};

constexpr uint64_t kFront = 0x40000001000; // above 42 bits, so that tb2 differs from tb1

const Case cases[] = {
    {"later", {kFront + 1, 0, 0, 0, 0, 0, 0, 0x1001}, CS_IMC_VALID, CS_IMC_VALID},
    {"far later", {UINT64_MAX, 0, 0, 0, 0, 0, 0, kLow42}, CS_IMC_VALID, CS_IMC_VALID},
    {"the same time", {kFront, 0, 0, 0, 0, 0, 0, 0x1000}, CS_IMC_VALID, CS_IMC_NOT_ABOVE},
    {"one tick before", {kFront - 1, 0, 0, 0, 0, 0, 0, 0xfff}, CS_IMC_VALID, CS_IMC_NOT_ABOVE},
    {"tb2 one off", {kFront + 1, 0, 0, 0, 0, 0, 0, 0x1002}, CS_IMC_TB2, CS_IMC_TB2},
    {"tb2 with its upper bits", {kFront + 1, 0, 0, 0, 0, 0, 0, kFront + 1}, CS_IMC_TB2, CS_IMC_TB2},
    {"tb2 missing", {kFront + 1, 1, 1, 1, 1, 1, 1, 0}, CS_IMC_TB2, CS_IMC_TB2},
    {"both wrong", {kFront - 1, 0, 0, 0, 0, 0, 0, 0}, CS_IMC_TB2, CS_IMC_NOT_ABOVE},
    {"tb2 of whole 42 bits",
     {kFront + 0x3fffffff000, 0, 0, 0, 0, 0, 0, 0},
     CS_IMC_VALID,
     CS_IMC_VALID},
    {"all zero", {0, 0, 0, 0, 0, 0, 0, 0}, CS_IMC_EMPTY, CS_IMC_EMPTY},
    {"only an ip", {0, 1, 0, 0, 0, 0, 0, 0}, CS_IMC_NO_TIME, CS_IMC_NO_TIME},
    {"only a count", {0, 0, 0, 0, 0, 0, 1, 0}, CS_IMC_NO_TIME, CS_IMC_NO_TIME},
    {"only tb2", {0, 0, 0, 0, 0, 0, 0, 1}, CS_IMC_NO_TIME, CS_IMC_NO_TIME},
};

TEST(ImcTrace, VerdictsOfTheSecondRecord)
{
    for (const Case &c : cases) {
        Image image;

        SCOPED_TRACE(c.what);
        put_good(image, kFront);
        put_record(image, c.words);
        put_good(image, UINT64_MAX - 1);
        const Read r = read(image);
        ASSERT_EQ(r.records.size(), 3u);
        EXPECT_EQ(r.records[0].scan, CS_IMC_VALID);
        EXPECT_EQ(r.records[1].itself, c.itself);
        EXPECT_EQ(r.records[1].scan, c.scan);
        EXPECT_EQ(r.records[2].itself, CS_IMC_VALID);
        if (c.scan != CS_IMC_VALID) {
            EXPECT_EQ(r.records[2].scan, CS_IMC_ENDED);
            EXPECT_EQ(r.totals.lost, 1u + (c.itself == CS_IMC_VALID));
        }
    }
}

TEST(ImcTrace, ARecordThatWasReadAlready)
{
    Image image;

    put_record(image, {0, 0x100, 0, 1, 2, 3, 4, 77});
    put_good(image, 78);
    const Read r = read(image);
    EXPECT_EQ(r.records[0].itself, CS_IMC_READ);
    EXPECT_EQ(r.records[0].scan, CS_IMC_READ);
    EXPECT_EQ(r.records[1].itself, CS_IMC_VALID);
    EXPECT_EQ(r.records[1].scan, CS_IMC_ENDED);
    EXPECT_EQ(read(image, 64).records[1].scan, CS_IMC_VALID);

    // The same in the second buffer of a file.
    Image two;

    put_good(two, 90);
    two.insert(two.end(), image.begin(), image.begin() + 64);
    const Read second = read(two, 64);
    EXPECT_EQ(second.records[0].scan, CS_IMC_VALID);
    EXPECT_EQ(second.records[1].scan, CS_IMC_READ);
    EXPECT_EQ(read(two, 128).records[1].scan, CS_IMC_NO_TIME);
    EXPECT_STREQ(cs_imc_verdict_text(CS_IMC_READ),
                 "record 0 was read already (its timebase is cleared)");
}

// New records up to place 2, old ones behind: those are lost.
TEST(ImcTrace, AWrappedBufferDeliversUpToItsWritePointer)
{
    Image image;

    for (uint64_t tb : {900, 1000, 1100, 400, 500, 600, 700, 800})
        put_good(image, tb);
    const Read r = read(image, 512);
    ASSERT_EQ(r.records.size(), 8u);
    for (size_t i = 0; i < 8; i++) {
        EXPECT_EQ(r.records[i].itself, CS_IMC_VALID);
        EXPECT_EQ(r.records[i].scan, i < 3    ? CS_IMC_VALID
                                     : i == 3 ? CS_IMC_NOT_ABOVE
                                              : CS_IMC_ENDED);
    }
    EXPECT_EQ(r.totals.by_scan[CS_IMC_VALID], 3u);
    EXPECT_EQ(r.totals.by_scan[CS_IMC_NOT_ABOVE], 1u);
    EXPECT_EQ(r.totals.by_scan[CS_IMC_ENDED], 4u);
    EXPECT_EQ(r.totals.by_itself[CS_IMC_VALID], 8u);
    EXPECT_EQ(r.totals.lost, 5u);
}

TEST(ImcTrace, EachBufferIsScannedForItself)
{
    Image image;

    for (uint64_t buffer = 0; buffer < 5; buffer++)
        for (uint64_t i = 0; i < 4; i++)
            put_good(image, 1000 - 10 * buffer + i);
    const Read whole = read(image);
    const Read four = read(image, 256);

    EXPECT_EQ(whole.totals.by_scan[CS_IMC_VALID], 4u);
    EXPECT_EQ(whole.totals.buffers, 1u);
    EXPECT_EQ(four.totals.by_scan[CS_IMC_VALID], 20u);
    EXPECT_EQ(four.totals.buffers, 5u);
    for (size_t i = 0; i < 20; i++) {
        EXPECT_EQ(four.records[i].index, i);
        EXPECT_EQ(four.records[i].buffer, i / 4);
        EXPECT_EQ(four.records[i].place, i % 4);
    }
}

TEST(ImcTrace, TheUsualBufferHas4096Records)
{
    Image image;

    for (uint64_t i = 0; i < 4097; i++)
        put_good(image, 5000 - i);
    const Read r = read(image);
    EXPECT_EQ(r.records[4095].buffer, 0u);
    EXPECT_EQ(r.records[4096].buffer, 1u);
    EXPECT_EQ(r.records[4096].scan, CS_IMC_VALID);
    EXPECT_EQ(r.totals.by_scan[CS_IMC_VALID], 2u);
}

TEST(ImcTrace, EveryLengthOfTheLastRecord)
{
    Image image;

    put_good(image, 100);
    put_good(image, 200);
    for (size_t size = 0; size <= 128; size++) {
        const Read r = read({image.begin(), image.begin() + static_cast<long>(size)});
        char buffer[CS_IMC_VERDICT_BYTES];

        SCOPED_TRACE(size);
        ASSERT_EQ(r.records.size(), (size + 63) / 64);
        if (size % 64 == 0) {
            EXPECT_EQ(r.status, CS_OK);
            continue;
        }
        const cs_imc_trace_record &last = r.records.back();
        const uint64_t words[] = {last.tb1,     last.ip,      last.val,     last.cpmc[0],
                                  last.cpmc[1], last.cpmc[2], last.cpmc[3], last.tb2};

        EXPECT_EQ(last.itself, CS_IMC_CUT);
        EXPECT_EQ(last.scan, CS_IMC_CUT);
        EXPECT_EQ(std::string(cs_imc_verdict_of(&last, last.scan, buffer)),
                  "cut short: " + std::to_string(size % 64) + " of 64 bytes");
        for (size_t i = 0; i < 8; i++)
            EXPECT_EQ(words[i],
                      (i + 1) * 8 <= size % 64 ? get_big(image, size / 64 * 64 + i * 8) : 0);
        EXPECT_EQ(r.status, CS_ERR_FORMAT);
        EXPECT_EQ(r.text, "byte " + std::to_string(size) + ": the data end within record " +
                              std::to_string(size / 64) + ", of which there are " +
                              std::to_string(size % 64) + " of 64 bytes");
    }
}

// A terminal or a pipe may have more bytes after its end.
struct Ended {
    Bytes bytes;
    bool ended = false;

    cs_byte_source source()
    {
        return {read, this};
    }
    static cs_status read(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
    {
        auto *e = static_cast<Ended *>(ctx);

        EXPECT_FALSE(e->ended);
        const cs_status status = Bytes::read(&e->bytes, out, bytes, got, diag);
        e->ended = *got < bytes;
        return status;
    }
};

TEST(ImcTrace, ASourceIsNotAskedAfterItsEnd)
{
    for (uint64_t records : {0u, 1u, 1023u, 1025u}) {
        Ended source;

        for (uint64_t i = 1; i <= records; i++)
            put_good(source.bytes.bytes, i);
        EXPECT_EQ(read_trace(source, 0).records.size(), records);
        EXPECT_TRUE(source.ended);
    }
}

// A reader that is asked again says the same again.
TEST(ImcTrace, TheEndStaysTheEnd)
{
    Image image;

    put_good(image, 1);
    for (size_t size : {64u, 63u}) {
        Bytes bytes{{image.begin(), image.begin() + static_cast<long>(size)}};
        cs_byte_source source = bytes.source();
        cs_imc_trace *trace = nullptr;
        const cs_imc_trace_record *record = nullptr;

        ASSERT_EQ(cs_imc_trace_open(&source, nullptr, 0, &trace, nullptr), CS_OK);
        ASSERT_EQ(cs_imc_trace_next(trace, &record, nullptr), CS_OK);
        ASSERT_NE(record, nullptr);
        for (unsigned i = 0; i < 3; i++) {
            EXPECT_EQ(cs_imc_trace_next(trace, &record, nullptr),
                      size == 64 ? CS_OK : CS_ERR_FORMAT);
            EXPECT_EQ(record, nullptr);
        }
        cs_imc_trace_close(trace);
    }
}

TEST(ImcTrace, MemoryDoesNotGrowWithTheData)
{
    Image image;

    for (uint64_t i = 1; i < 100000; i++)
        put_good(image, i);
    Bytes bytes{image};
    const Read r = read_trace(bytes, 64 * 7);
    EXPECT_EQ(r.records.size(), 99999u);
    EXPECT_LE(bytes.asked, 0x10000u);
}

TEST(ImcTrace, ABufferIsWholeRecords)
{
    for (uint64_t bytes : {1u, 63u, 65u, 0x3ffffu}) {
        const Read r = read({}, bytes);

        EXPECT_EQ(r.status, CS_ERR_RANGE);
        EXPECT_EQ(r.text, "a trace buffer of " + std::to_string(bytes) +
                              " bytes is not a whole number of records; expected a multiple of 64");
    }
    EXPECT_EQ(read({}, 64).status, CS_OK);
}

TEST(ImcTrace, WhoRan)
{
    cs_imc_trace_record record = {};
    const char *const hvpr[] = {"guest kernel", "guest user", "host kernel", "host user"};
    const struct {
        uint64_t ip;
        const char *mode;
    } addresses[] = {
        {0, "user"},
        {0xbfffffffffffffff, "user"},
        {0xc000000000000000, "kernel"},
        {UINT64_MAX, "kernel"},
    };

    for (uint64_t i = 0; i < 4; i++)
        for (const auto &address : addresses) {
            record.val = i << 62 | 0x3fffffffffffffff;
            record.ip = address.ip;
            EXPECT_STREQ(cs_imc_mode_name(cs_imc_trace_mode(&record, true)), hvpr[i]);
            EXPECT_STREQ(cs_imc_mode_name(cs_imc_trace_mode(&record, false)), address.mode);
        }
}

// ---- the printed table ----

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

std::string print(const Image &image, cs_table_format format, bool power10,
                  cs_status expected = CS_OK)
{
    Bytes bytes{image};
    cs_byte_source source = bytes.source();
    std::string text;
    const cs_text_sink sink = {append, &text};
    cs_imc_trace *trace = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_trace_open(&source, "trace", 0, &trace, &diag), CS_OK);
    EXPECT_EQ(cs_imc_trace_print(trace, format, power10, &sink, &diag), expected);
    cs_imc_trace_close(trace);
    return text;
}

Image sample()
{
    Image image;

    put_record(image, {4000, 0x10000100, 0x40000abc00000063, 251, 2, 3, 4, 4000});
    put_record(image, {8000, 0xc000000000000200, 0x8000000000000000, 252, 2, 3, 4, 8001});
    put_record(image, {0, 0, 0, 0, 0, 0, 0, 0});
    return image;
}

TEST(ImcTrace, Csv)
{
    EXPECT_EQ(print(sample(), CS_TABLE_CSV, true),
              "record,buffer,timebase,ip,mode,lpid,pid,cpmc1,cpmc2,cpmc3,cpmc4,val,tb2,itself,"
              "driver\n"
              "0,0,4000,0x0000000010000100,guest user,2748,99,251,2,3,4,0x40000abc00000063,4000,"
              "valid,delivered\n"
              "1,0,8000,0xc000000000000200,host kernel,0,0,252,2,3,4,0x8000000000000000,8001,"
              "second timebase does not match,second timebase does not match\n"
              "2,0,0,0x0000000000000000,,0,0,0,0,0,0,0x0000000000000000,0,"
              "never written (all zero),scan had ended before\n");
}

TEST(ImcTrace, Json)
{
    Image image = sample();

    image.resize(64);
    EXPECT_EQ(print(image, CS_TABLE_JSON, false),
              "[\n{\"record\": 0, \"buffer\": 0, \"timebase\": 4000, "
              "\"ip\": \"0x0000000010000100\", \"mode\": \"user\", \"lpid\": 2748, \"pid\": 99, "
              "\"cpmc1\": 251, \"cpmc2\": 2, \"cpmc3\": 3, \"cpmc4\": 4, "
              "\"val\": \"0x40000abc00000063\", \"tb2\": 4000, \"itself\": \"valid\", "
              "\"driver\": \"delivered\"}\n]\n");
    EXPECT_EQ(print({}, CS_TABLE_JSON, false), "[]\n");
}

TEST(ImcTrace, TextEndsWithASummary)
{
    Image image = sample();

    put_good(image, 9000);
    image.resize(image.size() + 17);
    const std::string text = print(image, CS_TABLE_TEXT, false, CS_ERR_FORMAT);
    const std::string end = "\nrecords        5 in 1 buffer\n"
                            "delivered      1\n"
                            "rejected       4\n"
                            "               1  second timebase does not match\n"
                            "               3  scan had ended before\n"
                            "lost           1  valid by themselves, but not delivered\n"
                            "empty          1  never written, not listed\n";

    ASSERT_GE(text.size(), end.size());
    EXPECT_EQ(text.substr(text.size() - end.size()), end);
    EXPECT_NE(text.find("cut short: 17 of 64 bytes"), std::string::npos);
    EXPECT_EQ(text.find("never written (all zero)"), std::string::npos);
}

TEST(ImcTrace, ASinkThatFailsEndsThePrint)
{
    Bytes bytes{sample()};
    cs_byte_source source = bytes.source();
    const cs_text_sink sink = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
    cs_imc_trace *trace = nullptr;
    cs_diag diag = {};

    ASSERT_EQ(cs_imc_trace_open(&source, "trace", 0, &trace, &diag), CS_OK);
    EXPECT_EQ(cs_imc_trace_print(trace, CS_TABLE_CSV, false, &sink, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "the table could not be written");
    cs_imc_trace_close(trace);
}

} // namespace
