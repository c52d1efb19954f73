// SPDX-License-Identifier: Apache-2.0
// Edges of the reader of Trace Event JSON: which arguments are numbers, how many there may be.
#include <gtest/gtest.h>

#include <optional>

#include "formats/timeline/timeline_reading.hpp"

using namespace timeline_reading;

namespace
{

// The value of an argument as a number, if it is one.
std::optional<uint64_t> number_of(const std::string &json)
{
    Bytes bytes{"[{\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":" + json + "}}]"};
    const cs_byte_source source = {give, &bytes};
    cs_traceread *reader = nullptr;
    cs_traceevent *event = nullptr;
    std::optional<uint64_t> number;
    cs_diag diag = {};

    EXPECT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
    EXPECT_EQ(cs_traceread_next(reader, &event, &diag), CS_OK) << json << ": " << diag.text;
    const cs_event_field *field = event != nullptr ? cs_event_field_of(&event->args, "a") : nullptr;
    EXPECT_NE(field, nullptr) << json;
    if (field != nullptr && field->is_number)
        number = field->number;
    cs_traceread_close(reader);
    return number;
}

} // namespace

TEST(TraceEventEdges, ArgumentsThatAreNumbers)
{
    const std::pair<const char *, std::optional<uint64_t>> cases[] = {
        {"0", 0},
        {"-1", UINT64_MAX},
        {"-9223372036854775808", UINT64_C(1) << 63},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073709551616", {}},
        {"1.0", {}},
        {"1e3", {}},
        {"true", {}},
        {"null", {}},
        {"\"12\"", 12},
        {"\"0x0\"", 0},
        {"\"0xabcdef\"", 0xabcdef},
        {"\"0xABCDEF\"", 0xabcdef},
        {"\"0x9fF\"", 0x9ff},
        {"\"0xffffffffffffffff\"", UINT64_MAX},
        {"\"0x10000000000000000\"", {}},
        {"\"0xg\"", {}},
        {"\"0xG\"", {}},
        {"\"0x`\"", {}},
        {"\"0x@\"", {}},
        {"\"0x/\"", {}},
        {"\"0x:\"", {}},
        {"\"0x\"", {}},
        {"\"0X1\"", {}},
        {"\"a\"", {}},
        {"\"-\"", {}},
        {"\"\"", {}},
        {"\" 1\"", {}},
    };

    for (const auto &[json, number] : cases)
        EXPECT_EQ(number_of(json), number) << json;
}

TEST(TraceEventEdges, ArgumentsHaveAnEnd)
{
    for (const size_t nr : {size_t{CS_EVENT_MAX_FIELDS}, size_t{CS_EVENT_MAX_FIELDS} + 1}) {
        std::string text = "[{\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":[";
        size_t last = 0;

        for (size_t i = 0; i < nr; i++) {
            text += i > 0 ? "," : "";
            last = text.size();
            text += "1";
        }
        Bytes bytes{text + "]}}]"};
        const cs_byte_source source = {give, &bytes};
        cs_traceread *reader = nullptr;
        cs_traceevent *event = nullptr;
        cs_diag diag = {};
        char error[100];

        snprintf(error, sizeof error,
                 "byte 0x%zx: more arguments than 65536, or 16777216 bytes of them", last);
        ASSERT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
        if (nr == CS_EVENT_MAX_FIELDS) {
            EXPECT_EQ(cs_traceread_next(reader, &event, &diag), CS_OK) << diag.text;
            ASSERT_NE(event, nullptr);
            EXPECT_EQ(event->args.nr_fields, nr);
            EXPECT_STREQ(event->args.fields[nr - 1].name, "a.65535");
        } else {
            EXPECT_EQ(cs_traceread_next(reader, &event, &diag), CS_ERR_FORMAT);
            EXPECT_STREQ(diag.text, error);
            EXPECT_EQ(event, nullptr);
        }
        cs_traceread_close(reader);
    }
}

// Where the rows find no room the rest of the file, damaged or not, is not looked at.
TEST(TraceEventEdges, AFullDiskEndsTheReading)
{
    std::string text = "[";

    while (text.size() < 300000)
        text += "{\"ph\":\"i\",\"ts\":1},\n";
    for (const char *end : {"{\"ph\":\"i\",\"ts\":1}]", "x"}) {
        Bytes bytes{text + end, 0, 1000};
        const cs_byte_source source = {give, &bytes};
        const cs_text_sink full = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
        cs_traceread *reader = nullptr;
        cs_diag diag = {};

        ASSERT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
        EXPECT_EQ(cs_traceread_print(reader, CS_TABLE_CSV, &full, &diag), CS_ERR_IO);
        EXPECT_STREQ(diag.text, "the table could not be written");
        EXPECT_LT(bytes.at, text.size() / 2);
        cs_traceread_close(reader);
    }
}

// No error is told of a file that is printed whole; of one that is damaged its own.
TEST(TraceEventEdges, WhatPrintingTells)
{
    const cs_text_sink good = {[](void *, const char *, size_t) { return CS_OK; }, nullptr};
    const cs_text_sink full = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
    const char damaged[] = "[{\"ph\":\"i\",\"ts\":1},x]";
    const std::string error = read_json(damaged).error;
    const struct {
        const char *text;
        const cs_text_sink *sink;
        cs_status status;
        std::string error;
    } cases[] = {
        {"[{\"ph\":\"i\",\"ts\":1}]", &good, CS_OK, ""},
        {"[{\"ph\":\"i\",\"ts\":1}]", &full, CS_ERR_IO, "the table could not be written"},
        {damaged, &good, CS_ERR_FORMAT, error},
    };

    for (const auto &c : cases) {
        Bytes bytes{c.text};
        const cs_byte_source source = {give, &bytes};
        cs_traceread *reader = nullptr;
        cs_diag diag = {};

        ASSERT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
        EXPECT_EQ(cs_traceread_print(reader, CS_TABLE_CSV, c.sink, &diag), c.status);
        EXPECT_EQ(diag.text, c.error);
        cs_traceread_close(reader);
    }
}
