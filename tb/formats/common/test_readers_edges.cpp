// SPDX-License-Identifier: Apache-2.0
// What all readers stand on: fields of events, packed files, JSON and protocol buffers at their edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "formats/common/event_fields.h"
#include "formats/common/json_read.h"
#include "formats/common/proto_read.h"
#include "support/proto.hpp"

#include "formats/common/gzip_read.h"

using namespace cs_test;

namespace
{

struct Source {
    std::string text;
    bool fails; // at its end
    size_t at = 0;
};

cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    auto *source = static_cast<Source *>(ctx);

    *got = source->text.copy(reinterpret_cast<char *>(out), bytes, source->at);
    source->at += *got;
    if (*got == 0 && source->fails)
        return cs_diag_set(diag, CS_ERR_IO, "f", "cannot read: the disk is gone");
    return CS_OK;
}

// The string of a JSON file, or the error.
std::string string_of(const std::string &text)
{
    Source from = {"\"" + text + "\"", false};
    const cs_byte_source source = {give, &from};
    cs_json *json = nullptr;
    cs_json_token token;
    cs_diag diag = {};

    EXPECT_EQ(cs_json_open(&source, "f", false, &json, &diag), CS_OK);
    const cs_status status = cs_json_next(json, &token, &diag);
    const std::string found = status == CS_OK ? std::string(token.text, token.bytes) : diag.text;
    cs_json_close(json);
    return found;
}

struct Unpacked {
    cs_status status;
    std::string text, error;
};

Unpacked unpack(const std::string &bytes, bool fails)
{
    Source from = {bytes, fails};
    const cs_byte_source source = {give, &from};
    uint8_t *out = reinterpret_cast<uint8_t *>(&from);
    size_t size = 7;
    cs_diag diag = {};
    Unpacked unpacked = {cs_gzip_read(&source, "f", &out, &size, &diag), "", diag.text};

    if (unpacked.status == CS_OK) {
        unpacked.text.assign(reinterpret_cast<char *>(out), size);
        std::free(out);
    } else {
        EXPECT_EQ(out, nullptr);
    }
    return unpacked;
}

// "number=value" of each field, or the error.
std::string fields(const std::string &bytes)
{
    cs_diag diag = {};
    cs_protoread message = {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), 0, "f",
                            &diag};
    cs_protoread_field field;
    std::string all;

    do {
        if (cs_protoread_next(&message, &field) != CS_OK)
            return diag.text;
        if (field.number != 0)
            all += std::to_string(field.number) + "=" + std::to_string(field.value) + " ";
    } while (field.number != 0);
    return all;
}

} // namespace

TEST(EventFieldsEdges, ExactlyAsManyBytesAsAreAllowed)
{
    // a field needs its name, its text, and a 0 behind each
    const std::string all(CS_EVENT_MAX_BYTES - 3, 'x'), half(CS_EVENT_MAX_BYTES / 2 - 3, 'y');
    cs_event_fields fields = {};

    EXPECT_FALSE(cs_event_fields_add(&fields, "nn", all.data(), all.size(), 0, false));
    EXPECT_TRUE(cs_event_fields_add(&fields, "n", all.data(), all.size(), 0, false));
    EXPECT_FALSE(cs_event_fields_add(&fields, "", "", 0, 0, false));
    ASSERT_TRUE(cs_event_fields_done(&fields));
    EXPECT_EQ(fields.fields[0].text, all);

    cs_event_fields_clear(&fields);
    EXPECT_TRUE(cs_event_fields_add(&fields, "a", half.data(), half.size(), 0, false));
    EXPECT_FALSE(cs_event_fields_add(&fields, "bb", half.data(), half.size(), 0, false));
    EXPECT_TRUE(cs_event_fields_add(&fields, "b", half.data(), half.size(), 0, false));
    ASSERT_TRUE(cs_event_fields_done(&fields));
    ASSERT_EQ(fields.nr_fields, 2u);
    EXPECT_STREQ(fields.fields[1].name, "b");
    EXPECT_EQ(fields.fields[1].text, half);
    cs_event_fields_free(&fields);
}

TEST(EventFieldsEdges, TextsAreUtf8)
{
    cs_event_fields fields = {};
    const std::string text = "\xc2\x80 \xdf\xbf \xc1\xbf \x7f";

    ASSERT_TRUE(cs_event_fields_add(&fields, "\xc2\xb5", text.data(), text.size(), 0, false));
    ASSERT_TRUE(cs_event_fields_done(&fields));
    EXPECT_STREQ(fields.fields[0].name, "\xc2\xb5");
    EXPECT_STREQ(fields.fields[0].text, "\xc2\x80 \xdf\xbf ?? ?");
    cs_event_fields_free(&fields);
}

TEST(GzipEdges, ADiskThatFailsIsTold)
{
    const std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\xff" // head
                             "\x01\x05\0\xfa\xffhello"      // a block as it stands
                             "\x86\xa6\x10\x36\x05\0\0\0",  // CRC, size
                             28);

    EXPECT_EQ(unpack(packed, false).text, "hello");
    EXPECT_EQ(unpack(packed + packed, false).text, "hellohello");
    for (const std::string &plain : {std::string(), std::string("\x1f"), std::string("\x1f\x8c")})
        EXPECT_EQ(unpack(plain, false).text, plain);
    for (const std::string &bytes : {packed, std::string("hello"), std::string()}) {
        const Unpacked failed = unpack(bytes, true);

        EXPECT_EQ(failed.status, CS_ERR_IO);
        EXPECT_EQ(failed.error, "cannot read: the disk is gone");
    }
}

// Halves of a pair that stand alone, and 0, become U+FFFD.
TEST(JsonEdges, EscapesOfCharacters)
{
    const std::string none = "\xef\xbf\xbd";
    const struct {
        const char *text;
        std::string found;
    } cases[] = {
        {R"(\ud800\udc00)", "\xf0\x90\x80\x80"},
        {R"(\udbff\udfff)", "\xf4\x8f\xbf\xbf"},
        {R"(\ud7ff)", "\xed\x9f\xbf"},
        {R"(\ud800)", none},
        {R"(\ud800x)", none + "x"},
        {R"(\ud800\n)", none + "\n"},
        {R"(\ud800\\)", none + "\\"},
        {R"(\ud800A)", none + "A"},
        {R"(\ud800\u0041)", none + "A"},
        {R"(\ud800\ue000)", none + "\xee\x80\x80"},
        {R"(\ud800\ud800\udc00)", none + "\xf0\x90\x80\x80"},
        {R"(\udc00)", none},
        {R"(\udfff)", none},
        {R"(\ue000)", "\xee\x80\x80"},
        {R"(\uffff)", "\xef\xbf\xbf"},
        {R"(\u0000)", none},
        {R"(\u0001)", "\x01"},
        {R"(\u007f\u0080)", "\x7f\xc2\x80"},
        {R"(\u07ff\u0800)", "\xdf\xbf\xe0\xa0\x80"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(string_of(c.text), c.found) << c.text;
}

TEST(JsonEdges, TheByteAtFaultIsNamed)
{
    const struct {
        const char *text, *error;
    } cases[] = {
        {"\x7f\x80", "byte 0x2: found byte 0x80 in a string, expected UTF-8"},
        {"\xc2x", "byte 0x1: found byte 0xc2 in a string, expected UTF-8"},
        {"ab\xff", "byte 0x3: found byte 0xff in a string, expected UTF-8"},
        {"a\x1f", "byte 0x2: found byte 0x1f, expected the rest of a string and '\"'"},
        {"\\u12g4", "byte 0x5: found 'g', expected four hexadecimal digits after \\u"},
        {"\\x", "byte 0x2: found 'x', expected one of \"\\/bfnrtu after a backslash"},
    };

    EXPECT_EQ(string_of("\x7f\xc2\x80"), "\x7f\xc2\x80");
    for (const auto &c : cases)
        EXPECT_EQ(string_of(c.text), c.error);
}

TEST(ProtoEdges, NumbersOfFields)
{
    const uint64_t most = (uint64_t{1} << 29) - 1;

    EXPECT_EQ(fields(num(1, 127) + num(most, 128)), "1=127 536870911=128 ");
    EXPECT_EQ(fields(num(1, 1) + varint((most + 1) << 3) + varint(5)),
              "byte 0x2: found field 536870912, expected 1..536870911");
    EXPECT_EQ(fields(num(0, 5)), "byte 0x0: found field 0, expected 1..536870911");
}
