// SPDX-License-Identifier: Apache-2.0
// Any bytes as an IMC trace: every record has its verdicts, and the scan is the driver's.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "formats/imc/read/record_print.h"
#include "formats/pmcu/aux_dump.hpp"
#include "imc_records.hpp"

using namespace cs_test;

namespace
{

uint64_t sum(const uint64_t (&counts)[CS_IMC_NR_VERDICTS])
{
    uint64_t all = 0;

    for (uint64_t count : counts)
        all += count;
    return all;
}

std::string print(const Image &image, cs_table_format format, uint64_t buffer_bytes)
{
    Bytes bytes{image};
    cs_byte_source source = bytes.source();
    std::string text;
    const cs_text_sink sink = {[](void *ctx, const char *part, size_t length) {
                                   static_cast<std::string *>(ctx)->append(part, length);
                                   return CS_OK;
                               },
                               &text};
    cs_imc_trace *trace = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_trace_open(&source, "trace", buffer_bytes, &trace, &diag), CS_OK);
    EXPECT_EQ(cs_imc_trace_print(trace, format, true, &sink, &diag),
              image.size() % 64 == 0 ? CS_OK : CS_ERR_FORMAT);
    cs_imc_trace_close(trace);
    return text;
}

// What holds for any bytes.
void check(const Image &image, uint64_t buffer_bytes)
{
    Bytes bytes{image};
    const Read r = read_trace(bytes, buffer_bytes);
    const size_t whole = image.size() / 64;
    const size_t cut = image.size() % 64;
    std::vector<size_t> delivered;
    std::vector<size_t> expected;

    ASSERT_EQ(r.status, cut == 0 ? CS_OK : CS_ERR_FORMAT);
    ASSERT_EQ(r.records.size(), whole + (cut != 0));
    for (size_t i = 0; i < r.records.size(); i++) {
        const cs_imc_trace_record &record = r.records[i];

        ASSERT_EQ(record.index, i);
        ASSERT_LT(record.itself, CS_IMC_NR_VERDICTS);
        ASSERT_LT(record.scan, CS_IMC_NR_VERDICTS);
        if (record.scan == CS_IMC_VALID) {
            ASSERT_EQ(record.itself, CS_IMC_VALID);
            delivered.push_back(i);
        }
        ASSERT_NE(record.itself, CS_IMC_ENDED);
        ASSERT_NE(record.itself, CS_IMC_NOT_ABOVE);
        ASSERT_EQ(record.itself == CS_IMC_CUT, cut != 0 && i == whole);
    }
    for (size_t at = 0; at < whole * 64; at += buffer_bytes) {
        const size_t end = std::min<size_t>(whole * 64, at + buffer_bytes);

        for (size_t place : taken_by_driver(
                 {image.begin() + static_cast<long>(at), image.begin() + static_cast<long>(end)}))
            expected.push_back(at / 64 + place);
    }
    ASSERT_EQ(delivered, expected);
    ASSERT_EQ(r.totals.records, r.records.size());
    ASSERT_EQ(r.totals.buffers, (image.size() + buffer_bytes - 1) / buffer_bytes);
    ASSERT_EQ(sum(r.totals.by_itself), r.totals.records);
    ASSERT_EQ(sum(r.totals.by_scan), r.totals.records);
    ASSERT_EQ(r.totals.lost, r.totals.by_itself[CS_IMC_VALID] - delivered.size());
}

// A ring that was written to, more or less than once around.
Image ring(std::mt19937_64 &random)
{
    const size_t places = 1 + random() % 40;
    const size_t written = random() % (3 * places);
    Image image(places * 64);
    uint64_t tb = random() % 4 == 0 ? random() >> 1 : random() % 100000;

    for (size_t i = 0; i < written; i++) {
        Image record;

        tb += 1 + random() % 5000;
        put_good(record, tb);
        std::copy(record.begin(), record.end(), image.begin() + static_cast<long>(i % places * 64));
    }
    return image;
}

TEST(ImcTraceDamage, ThousandsOfDamagedRings)
{
    for (unsigned seed = 0; seed < 20000; seed++) {
        std::mt19937_64 random(seed);
        Image image = ring(random);

        SCOPED_TRACE(seed);
        for (uint64_t n = random() % 4; n > 0; n--)
            image[random() % image.size()] = static_cast<uint8_t>(random() % 3 * 0x80);
        if (random() % 2 == 0) // as the driver leaves it
            std::fill(image.begin(), image.begin() + 8, uint8_t{0});
        if (random() % 4 == 0)
            image.resize(random() % (image.size() + 1));
        check(image, 64 * (1 + random() % 50));
        if (HasFatalFailure())
            return;
    }
}

TEST(ImcTraceDamage, Noise)
{
    for (unsigned seed = 0; seed < 2000; seed++) {
        std::mt19937_64 random(seed);
        Image image(random() % 2000);

        SCOPED_TRACE(seed);
        for (uint8_t &byte : image)
            byte = static_cast<uint8_t>(random());
        check(image, 64 * (1 + random() % 50));
        if (HasFatalFailure())
            return;
    }
}

// Few values in few words: equal and zero timebases are the rule.
TEST(ImcTraceDamage, SmallNumbers)
{
    for (unsigned seed = 0; seed < 5000; seed++) {
        std::mt19937_64 random(seed);
        Image image;

        SCOPED_TRACE(seed);
        for (uint64_t n = random() % 12; n > 0; n--) {
            const uint64_t tb = random() % 6;

            put_record(image, {tb, random() % 2, 0, 0, 0, 0, 0, random() % 8 == 0 ? 1 : tb});
        }
        check(image, 64 * (1 + random() % 4));
        if (HasFatalFailure())
            return;
    }
}

TEST(ImcTraceDamage, WhateverIsReadCanBePrinted)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        std::mt19937_64 random(seed);
        Image image = ring(random);

        SCOPED_TRACE(seed);
        for (uint64_t n = random() % 200; n > 0; n--)
            image[random() % image.size()] = static_cast<uint8_t>(random());
        image.resize(random() % (image.size() + 1));
        const std::string csv = print(image, CS_TABLE_CSV, 256);
        const std::string json = print(image, CS_TABLE_JSON, 256);
        const std::string text = print(image, CS_TABLE_TEXT, 256);

        ASSERT_EQ(std::count(csv.begin(), csv.end(), '\n'),
                  static_cast<long>(1 + (image.size() + 63) / 64));
        for (const std::string &printed : {csv, json, text})
            for (char c : printed)
                ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
    }
}

struct Failing {
    Bytes bytes;
    size_t good_pieces;

    cs_byte_source source()
    {
        return {read, this};
    }
    static cs_status read(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
    {
        auto *f = static_cast<Failing *>(ctx);

        if (f->good_pieces == 0)
            return cs_diag_set(diag, CS_ERR_IO, "disk", "gone");
        f->good_pieces--;
        return Bytes::read(&f->bytes, out, bytes, got, diag);
    }
};

TEST(ImcTraceDamage, ErrorsOfTheSourceAreHandedOn)
{
    Image image;

    for (uint64_t i = 1; i <= 5000; i++)
        put_good(image, i);
    for (size_t pieces = 0; pieces < 3; pieces++) {
        Failing failing{{image}, pieces};
        const Read r = read_trace(failing, 0x40000);

        EXPECT_EQ(r.status, CS_ERR_IO);
        EXPECT_EQ(r.text, "gone");
        EXPECT_EQ(r.records.size(), pieces * 1024);
    }
}

} // namespace
