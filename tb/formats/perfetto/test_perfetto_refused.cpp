// SPDX-License-Identifier: Apache-2.0
// Both writers of timelines: what they refuse, because no reader takes it, and that the rest is read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/formats.h"
#include "formats/perfetto/write/json.h"
#include "formats/perfetto/write/proto.h"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr uint64_t kLast = INT64_MAX; // of 1000 MHz: the last nanosecond
constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

// What the format's reader says of a file: its rows as CSV.
std::string decode(const std::string &bytes, cs_status expected = CS_OK)
{
    const cs_format *format = cs_format_named("perfetto");
    cs_format_print print = {};
    TempFolder folder;
    const std::string path = folder.write("t", bytes);
    std::string rows;
    const cs_text_sink sink = {append, &rows};
    cs_input in = {};
    cs_diag diag = {};

    print.table = CS_TABLE_CSV;
    EXPECT_EQ(cs_input_open(&in, path.c_str(), 0, UINT64_MAX, &diag), CS_OK) << diag.text;
    EXPECT_EQ(format->print(&print, &in, &sink, &diag), expected) << diag.text;
    cs_input_close(&in);
    return rows;
}

// The same calls for both.
struct Timeline {
    Timeline(bool is_proto, unsigned clock_mhz)
    {
        const cs_text_sink sink = {append, &text};
        const cs_perfetto_args none = {};

        if (is_proto)
            EXPECT_EQ(cs_perfetto_pb_create(&sink, clock_mhz, &pb), CS_OK);
        else
            EXPECT_EQ(cs_perfetto_begin(&json, &sink, clock_mhz, &none), CS_OK);
        EXPECT_EQ(pb != nullptr ? cs_perfetto_pb_name_group(pb, 1, "g", 1)
                                : cs_perfetto_name_group(&json, 1, "g", 1),
                  CS_OK);
        EXPECT_EQ(pb != nullptr ? cs_perfetto_pb_name_track(pb, track, "t", 1)
                                : cs_perfetto_name_track(&json, track, "t", 1),
                  CS_OK);
    }
    ~Timeline()
    {
        cs_perfetto_pb_destroy(pb);
    }
    cs_status slice(uint64_t from, uint64_t to)
    {
        return pb != nullptr ? cs_perfetto_pb_slice(pb, track, "s", from, to, nullptr)
                             : cs_perfetto_slice(&json, track, "s", from, to, nullptr);
    }
    cs_status instant(uint64_t cycle)
    {
        return pb != nullptr ? cs_perfetto_pb_instant(pb, track, "i", cycle, nullptr)
                             : cs_perfetto_instant(&json, track, "i", cycle, nullptr);
    }
    cs_status counter(uint64_t cycle, double value, const std::string &unit = "n")
    {
        return pb != nullptr ? cs_perfetto_pb_counter(pb, 1, "c", unit.c_str(), cycle, value)
                             : cs_perfetto_counter(&json, 1, "c", unit.c_str(), cycle, value);
    }
    std::string end()
    {
        EXPECT_EQ(pb != nullptr ? cs_perfetto_pb_end(pb) : cs_perfetto_end(&json), CS_OK);
        return text;
    }

    std::string text;
    cs_perfetto json = {};
    cs_perfetto_pb *pb = nullptr;
    const cs_perfetto_track track = {1, 11};
};

struct PerfettoRefused : testing::TestWithParam<bool> {
};

} // namespace

TEST_P(PerfettoRefused, TimesThatNoReaderTakes)
{
    const struct {
        unsigned clock_mhz;
        uint64_t last; // cycle
    } cases[] = {{1000, kLast},
                 {2000, 2 * kLast + 1},
                 {1, kLast / 1000},
                 {3, kLast / 1000 * 3 + 2}, // its third has 666 ns, of 807
                 {std::numeric_limits<unsigned>::max(), 0}};

    for (const auto &c : cases) {
        SCOPED_TRACE(c.clock_mhz);
        Timeline t(GetParam(), c.clock_mhz), same(GetParam(), c.clock_mhz);
        const bool ends = c.last != 0 && c.last != kNever; // not all 64 bits are a time
        const uint64_t last = c.last != 0 ? c.last : kNever;

        for (const uint64_t late : {last + 1, kNever})
            if (ends) {
                EXPECT_EQ(t.slice(1, late), CS_ERR_RANGE);
                EXPECT_EQ(t.slice(late, late), CS_ERR_RANGE);
                EXPECT_EQ(t.instant(late), CS_ERR_RANGE);
                EXPECT_EQ(t.counter(late, 1), CS_ERR_RANGE);
            }
        for (Timeline *one : {&t, &same}) {
            EXPECT_EQ(one->slice(1, last), CS_OK);
            EXPECT_EQ(one->instant(last), CS_OK);
            EXPECT_EQ(one->counter(last, 1), CS_OK);
        }
        EXPECT_EQ(t.end(), same.end()) << "nothing is written of what is refused";
        const std::string rows = decode(t.text);
        if (c.clock_mhz == 1000) {
            EXPECT_NE(rows.find("9223372036854775807"), std::string::npos) << rows;
        }
    }
}

TEST_P(PerfettoRefused, ValuesThatAreNoNumbers)
{
    Timeline t(GetParam(), 1000), same(GetParam(), 1000);

    for (const double value : {kInfinity, -kInfinity, std::nan("")})
        EXPECT_EQ(t.counter(1, value), CS_ERR_RANGE) << value;
    for (Timeline *one : {&t, &same})
        for (const double value : {-1.5, std::numeric_limits<double>::max()})
            EXPECT_EQ(one->counter(2, value), CS_OK) << value;
    EXPECT_EQ(t.end(), same.end());
    const std::string rows = decode(t.text);
    EXPECT_NE(rows.find("-1.5"), std::string::npos) << rows;
    EXPECT_NE(rows.find("e+308"), std::string::npos) << rows;
}

TEST_P(PerfettoRefused, UnitsThatAreTooLong)
{
    const std::string longest(CS_PERFETTO_UNIT_BYTES, '\xff'); // none is UTF-8
    Timeline t(GetParam(), 1000);

    EXPECT_EQ(t.counter(1, 1, longest + "x"), CS_ERR_RANGE);
    EXPECT_EQ(t.counter(1, 1, longest), CS_OK);
    decode(t.end());
}

INSTANTIATE_TEST_SUITE_P(Encodings, PerfettoRefused, testing::Bool(),
                         [](const auto &info) { return info.param ? "proto" : "json"; });

// A trace of protocol buffers without packets has no bytes; one of JSON has some.
TEST(PerfettoEmpty, IsATraceWithoutPackets)
{
    std::string text;
    const cs_text_sink sink = {append, &text};
    cs_perfetto_pb *pb = nullptr;

    ASSERT_EQ(cs_perfetto_pb_create(&sink, 1000, &pb), CS_OK);
    EXPECT_EQ(cs_perfetto_pb_end(pb), CS_OK);
    cs_perfetto_pb_destroy(pb);
    EXPECT_EQ(text, "");
    const std::string rows = decode(text);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1) << "the columns' names: " << rows;
    decode("\n", CS_ERR_FORMAT);
    EXPECT_EQ(cs_format_guess(nullptr, 0), nullptr) << "it is not taken for one without being told";
}
