// SPDX-License-Identifier: Apache-2.0
// Timelines as Trace Event JSON, byte by byte: numbers and texts at the edges of what JSON has.
#include <gtest/gtest.h>

#include <string>

#include "formats/perfetto/write/json.h"

namespace
{

const cs_field_label kResponses[] = {{0, "OKAY"}, {2, "SLVERR"}};
const cs_field kFields[] = {
    {"count", CS_FIELD_DECIMAL, 64, nullptr, 0}, {"addr", CS_FIELD_HEX, 64, nullptr, 0},
    {"skid", CS_FIELD_SIGNED, 64, nullptr, 0},   {"resp", CS_FIELD_ENUM, 8, kResponses, 2},
    {"text", CS_FIELD_TEXT, 0, nullptr, 0},
};
const cs_perfetto_track kTrack = {1, 11};

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

// What stands for the value of one argument.
std::string written(size_t field, cs_field_value value)
{
    std::string text;
    const cs_text_sink sink = {append, &text};
    const cs_perfetto_args args = {&kFields[field], &value, 1};
    cs_perfetto t;

    EXPECT_EQ(cs_perfetto_begin(&t, &sink, 1, &args), CS_OK);
    EXPECT_EQ(cs_perfetto_end(&t), CS_OK);
    const size_t from =
        text.find("\"otherData\":{\"") + 14 + std::string(kFields[field].name).size();
    return text.substr(from + 2, text.find("},\"traceEvents\":[\n]}\n") - from - 2);
}

} // namespace

TEST(PerfettoJsonEdges, ATimelineByteByByte)
{
    std::string text;
    const cs_text_sink sink = {append, &text};
    const cs_field_value values[] = {{7}, {0xabc}, {static_cast<uint64_t>(-9)}, {2}, {.text = "x"}};
    const cs_perfetto_args all = {kFields, values, 5}, one = {kFields, values, 1}, none = {};
    cs_perfetto t;

    // Given 2 cycles a nanosecond
    ASSERT_EQ(cs_perfetto_begin(&t, &sink, 2000, &one), CS_OK);
    // When there is one of everything
    cs_perfetto_name_group(&t, 1, "g", 3);
    cs_perfetto_name_track(&t, kTrack, "t", 4);
    EXPECT_EQ(cs_perfetto_slice(&t, kTrack, "s", 3, 2000 * 5 + 1999, &all), CS_OK);
    EXPECT_EQ(cs_perfetto_slice(&t, kTrack, "empty", 20, 20, &none), CS_OK);
    EXPECT_EQ(cs_perfetto_instant(&t, kTrack, "i", 2 * 1230, nullptr), CS_OK);
    EXPECT_EQ(cs_perfetto_counter(&t, 1, "c", "V", 2 * 1000, -0.5), CS_OK);
    ASSERT_EQ(cs_perfetto_end(&t), CS_OK);
    // Then these are its bytes
    EXPECT_EQ(
        text,
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"count\":7},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"g\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_sort_index\","
        "\"args\":{\"sort_index\":3}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":11,\"name\":\"thread_name\",\"args\":{\"name\":\"t\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":11,\"name\":\"thread_sort_index\","
        "\"args\":{\"sort_index\":4}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":11,\"name\":\"s\",\"ts\":0.001,\"dur\":5.998,"
        "\"args\":{\"count\":7,\"addr\":\"0xabc\",\"skid\":-9,\"resp\":\"SLVERR\","
        "\"text\":\"x\"}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":11,\"name\":\"empty\",\"ts\":0.010,\"dur\":0.000},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":11,\"name\":\"i\",\"ts\":1.230,\"s\":\"t\"},\n"
        "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"name\":\"c\",\"ts\":1.000,\"args\":{\"V\":-0.5}}\n"
        "]}\n");
}

// Up to 2^53, of either sign, JavaScript's numbers are exact.
TEST(PerfettoJsonEdges, TheLastNumbersThatAreNone)
{
    const uint64_t most = UINT64_C(1) << 53;
    const struct {
        size_t field;
        uint64_t number;
        const char *json;
    } cases[] = {
        {0, most, "9007199254740992"},
        {0, most + 1, "\"9007199254740993\""},
        {1, 0, "\"0x0\""},
        {1, UINT64_MAX, "\"0xffffffffffffffff\""},
        {2, most, "9007199254740992"},
        {2, most + 1, "\"9007199254740993\""},
        {2, 0 - most, "-9007199254740992"},
        {2, 0 - most - 1, "\"-9007199254740993\""},
        {3, 1, "1"},
        {3, most + 1, "\"9007199254740993\""},
    };

    for (const auto &c : cases)
        EXPECT_EQ(written(c.field, {c.number}), c.json);
}

// The first and the last of each kind of UTF-8, and what is just none.
TEST(PerfettoJsonEdges, TextsAtTheEdgesOfUtf8)
{
    const auto none = [](unsigned times) {
        std::string text;

        for (; times > 0; times--)
            text += "\\ufffd";
        return text;
    };
    const std::pair<const char *, std::string> cases[] = {
        {"\x01\x1f\x20\x7e\x7f", "\\u0001\\u001f \x7e\x7f"},
        {"\"\\/", "\\u0022\\u005c/"},
        {"\xc2\x80\xc2\xbf\xdf\xbf", "\xc2\x80\xc2\xbf\xdf\xbf"},
        {"\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf"},
        {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        {"\x80\xbf", none(2)},
        {"\xc1\xbf", none(2)},
        {"\xe0\x9f\xbf", none(3)},
        {"\xed\xa0\x80", none(3)},
        {"\xf0\x8f\xbf\xbf", none(4)},
        {"\xf4\x90\x80\x80", none(4)},
        {"\xf5\x80\x80\x80", none(4)},
        {"\xdf", none(1)},
        {"\xef\xbf", none(2)},
        {"\xf4\x8f\xbf", none(3)},
    };

    for (const auto &[text, json] : cases) {
        cs_field_value value = {};

        value.text = text;
        EXPECT_EQ(written(4, value), "\"" + json + "\"") << json;
    }
}
