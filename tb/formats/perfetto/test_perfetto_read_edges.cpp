// SPDX-License-Identifier: Apache-2.0
// Edges of the reader of Perfetto's protocol buffers: of two that say the same the last, limits.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/perfetto/read/proto.h"
#include "formats/timeline/timeline_reading.hpp"
#include "support/proto.hpp"

using namespace cs_test;
using timeline_reading::Bytes;
using timeline_reading::fields_of;
using timeline_reading::give;

namespace
{

// Rows, and the error behind them, if there is one.
std::vector<std::string> rows_of(const std::string &file)
{
    Bytes bytes{file};
    const cs_byte_source source = {give, &bytes};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *e = nullptr;
    std::vector<std::string> rows;
    cs_diag diag = {};
    cs_status status;

    EXPECT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    while ((status = cs_perfettoread_next(reader, &e, &diag)) == CS_OK && e != nullptr)
        rows.push_back(cs_perfettoread_kind_name(e->kind) +
                       (e->has_time ? " " + std::to_string(e->time_ns) : "") +
                       (e->track != nullptr ? std::string(" of ") + e->track : "") +
                       (e->name != nullptr ? std::string(" ") + e->name : "") +
                       (e->unit != nullptr ? std::string(" in ") + e->unit : "") +
                       fields_of(e->args));
    EXPECT_EQ(status == CS_OK, std::string(diag.text).empty());
    if (status != CS_OK)
        rows.emplace_back(diag.text);
    cs_perfettoread_close(reader);
    return rows;
}

std::string event(int64_t time, const std::string &fields, const std::string &more = "")
{
    return packet(num(8, time) + sub(11, fields) + more);
}

std::string arg(const std::string &name, const std::string &value)
{
    return sub(4, sub(10, name) + value);
}

const std::string kInstant = num(9, 3);
const std::string kCleared = num(10, 7) + num(13, 3), kNeeds = num(10, 7) + num(13, 2);

struct Case {
    const char *what;
    std::string file;
    std::vector<std::string> rows;
};

void expect_rows(const std::vector<Case> &cases)
{
    for (const Case &c : cases)
        EXPECT_EQ(rows_of(c.file), c.rows) << c.what;
}

} // namespace

TEST(PerfettoReadEdges, WhatIsSaidLastAndWhatIsNotSaid)
{
    const std::string interned = packet(sub(12, sub(2, num(1, 1) + sub(2, "interned"))) + kCleared);
    const auto counter = [](uint64_t uuid, const std::string &fields) {
        return packet(sub(60, num(1, static_cast<int64_t>(uuid)) + sub(8, fields)));
    };

    expect_rows({
        {"of a name and an interned one the last counts",
         interned + event(1, kInstant + num(10, 1) + sub(23, "own"), kNeeds) +
             event(2, kInstant + sub(23, "own") + num(10, 1), kNeeds) +
             event(3, kInstant + sub(23, "own"), kNeeds),
         {"other no data", "instant 1 own", "instant 2 interned", "instant 3 own"}},
        {"counters of a thread have names and units of their own",
         counter(1, num(1, 1)) + counter(2, num(1, 2)) + counter(3, num(1, 3)) +
             counter(4, num(1, 2) + sub(6, "V")) + counter(5, num(1, 2) + num(3, 3)),
         {"track of thread time in ns", "track of thread instruction count in count",
          "track of track 3", "track of thread instruction count in V",
          "track of thread instruction count in bytes"}},
        {"a clock without a unit has nanoseconds",
         packet(sub(6, sub(1, num(1, 64) + num(2, 9)) + sub(1, num(1, 3) + num(2, 9)) +
                           sub(1, num(1, 65) + num(4, 1)) + sub(1, num(1, 66) + num(4, 2))) +
                kCleared) +
             event(5, kInstant, num(58, 64) + kNeeds) + event(6, kInstant, num(58, 3)) +
             event(7, kInstant, num(58, 65) + kNeeds) + event(8, kInstant, num(58, 66) + kNeeds),
         {"other clock_snapshot", "instant 5", "instant 6", "instant 7", "instant 16"}},
        {"a legacy event without a phase is another event",
         event(3, sub(6, num(3, 2))) + event(4, sub(6, sub(2, "x"))),
         {"other 3", "byte 0x12: LegacyEvent.phase: found wire type 2, expected 0"}},
        {"the last nanosecond, and the one behind it",
         event(INT64_MAX, kInstant) + event(INT64_MIN, kInstant),
         {"instant 9223372036854775807",
          "byte 0x12: TracePacket.timestamp: found 9223372036854775808, expected less than 2^63 "
          "ns"}},
    });
}

// Times in microseconds may lie before 0.
TEST(PerfettoReadEdges, TheLongestSlice)
{
    const auto slice = [](int64_t begin, int64_t end) {
        return rows_of(packet(sub(11, num(9, 1) + num(16, begin))) +
                       packet(sub(11, num(9, 2) + num(16, end))));
    };
    const int64_t most = INT64_MAX / 1000;

    EXPECT_EQ(slice(-most, 0), (std::vector<std::string>{"begin -9223372036854775000", "end 0"}));
    EXPECT_EQ(slice(0, most), (std::vector<std::string>{"begin 0", "end 9223372036854775000"}));
    EXPECT_EQ(slice(-most, 1),
              (std::vector<std::string>{"begin -9223372036854775000",
                                        "byte 0x12: a slice of more than 2^63 ns"}));
}

TEST(PerfettoReadEdges, NamesOfArgumentsHaveAnEnd)
{
    const auto named = [](size_t bytes) { return std::string(bytes, 'n'); };
    const auto in_a = [](const std::string &inner) {
        return event(0, kInstant + arg("a", sub(11, sub(10, inner) + num(3, 1))));
    };
    const std::string error = ", expected less than 512";

    expect_rows({
        {"as long as can be",
         event(0, kInstant + arg(named(511), num(3, 1))),
         {"instant 0|" + named(511) + "=1"}},
        {"longer",
         event(0, kInstant + arg(named(512), num(3, 1))),
         {"byte 0xa: found an argument's name of 512 bytes" + error}},
        {"one in another", in_a(named(509)), {"instant 0|a." + named(509) + "=1"}},
        {"longer, with its dot",
         in_a(named(510)),
         {"byte 0x10: found an argument's name of 512 bytes" + error}},
        {"far longer",
         in_a(named(600)),
         {"byte 0x10: found an argument's name of 602 bytes" + error}},
    });
}

TEST(PerfettoReadEdges, ArgumentsHaveAnEnd)
{
    const auto in_array = [](size_t nr) {
        std::string values;

        for (; nr > 0; nr--)
            values += sub(12, num(3, 1));
        return rows_of(event(0, kInstant + arg("a", values)));
    };
    const auto of_bytes = [](size_t bytes) { // with a name of a byte and two zeros
        return rows_of(event(0, kInstant + arg("a", sub(6, std::string(bytes - 3, 'v')))));
    };
    const std::string error = ": more arguments than 65536, or 16777216 bytes of them";

    EXPECT_NE(in_array(CS_EVENT_MAX_FIELDS)[0].find("|a.65535=1"), std::string::npos);
    EXPECT_NE(in_array(CS_EVENT_MAX_FIELDS + 1)[0].find(error), std::string::npos);
    EXPECT_EQ(of_bytes(CS_EVENT_MAX_BYTES)[0].substr(0, 15), "instant 0|a=vvv");
    EXPECT_NE(of_bytes(CS_EVENT_MAX_BYTES + 1)[0].find(error), std::string::npos);
}

TEST(PerfettoReadEdges, AFullDiskEndsTheReading)
{
    Bytes bytes{"", 0, 1000};
    const cs_byte_source source = {give, &bytes};
    const cs_text_sink full = {[](void *, const char *, size_t) { return CS_ERR_IO; }, nullptr};
    cs_perfettoread *reader = nullptr;
    cs_diag diag = {};

    while (bytes.text.size() < 1000000)
        bytes.text += event(1, kInstant);
    ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    EXPECT_EQ(cs_perfettoread_print(reader, CS_TABLE_CSV, &full, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "the table could not be written");
    EXPECT_LT(bytes.at, bytes.text.size() / 2);
    cs_perfettoread_close(reader);
}
