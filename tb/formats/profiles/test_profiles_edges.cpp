// SPDX-License-Identifier: Apache-2.0
// Readers of profilers' formats: names, callers and numbers at their edges.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/common/profile_read.h"
#include "formats/firefox/read/firefox.h"
#include "formats/folded/read/folded.h"
#include "formats/pprof/read/pprof.h"
#include "formats/speedscope/read/speedscope.h"
#include "support/proto.hpp"

using namespace cs_test;

namespace
{

struct Source {
    std::string text;
    size_t at = 0;
};

cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
{
    auto *source = static_cast<Source *>(ctx);

    *got = source->text.copy(reinterpret_cast<char *>(out), bytes, source->at);
    source->at += *got;
    return CS_OK;
}

// A row: "event|cpu|pid|weight or, of a whole number, that|address|stack".
std::string row_of(const cs_profileread_row &row)
{
    const auto shown = [](bool there, auto value) { return there ? std::to_string(value) : ""; };

    return std::string(row.event != nullptr ? row.event : "") + "|" + shown(row.has_cpu, row.cpu) +
           "|" + shown(row.has_pid, row.pid) + "|" +
           (row.is_whole ? std::to_string(row.number) : std::string("'") + row.weight) + "|" +
           shown(row.has_address, row.address) + "|" + row.stack;
}

using Rows = std::vector<std::string>;

// The last one is the error, where there is one.
Rows rows(const cs_profileread_class &format, const std::string &text)
{
    Source from = {text};
    const cs_byte_source source = {give, &from};
    const cs_profileread_row *row = nullptr;
    void *reader = nullptr;
    cs_diag diag = {};
    Rows all;
    cs_status status = format.open(&source, "p", &reader, &diag);

    while (status == CS_OK && (status = format.next(reader, &row, &diag)) == CS_OK &&
           row != nullptr)
        all.push_back(row_of(*row));
    if (status != CS_OK)
        all.emplace_back(diag.text);
    if (reader != nullptr)
        format.close(reader);
    return all;
}

// Of stacks that are told by `stacks`, with frames main (16), f (32).
Rows firefox(const std::string &process, const std::string &stacks, const std::string &samples)
{
    return rows(cs_firefoxread,
                "{\"meta\":{\"preprocessedProfileVersion\":1},\"threads\":[{\"name\":\"t\","
                "\"processName\":\"" +
                    process + "\",\"samples\":{\"stack\":[" + samples + "]},\"stackTable\":{" +
                    stacks +
                    "},\"frameTable\":{\"address\":[16,32],\"func\":[0,1]},"
                    "\"funcTable\":{\"name\":[0,1]},\"stringArray\":[\"main\",\"f\"]}]}");
}

std::string speedscope(const std::string &frame, const std::string &event)
{
    return "{\"shared\":{\"frames\":[{\"name\":\"" + frame +
           "\"},{\"name\":\"f\"}]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"" + event +
           "\",\"samples\":[[0,1]],\"weights\":[1]}]}";
}

// Function 1 and location 1 of `address` are called `name`; `sample` is what else a sample has.
Rows pprof(const std::string &name, uint64_t address, const std::string &sample,
           const std::string &event = "e")
{
    std::string text = sub(1, num(1, 1));

    for (const std::string &string :
         {std::string(), event, name, std::string("process"), std::string("p")})
        text += sub(6, string);
    text += sub(5, num(1, 1) + num(2, 2));
    text += sub(4, num(1, 1) + num(3, static_cast<int64_t>(address)) + sub(4, num(1, 1)));
    return rows(cs_pprofread, text + sub(2, num(2, 7) + sample));
}

} // namespace

TEST(FirefoxEdges, CallersAreToldByNumberOrByDistance)
{
    const Rows expected = {"t|||1|16|main;f;main", "t|||1|32|main;f", "t|||1|16|main"};

    EXPECT_EQ(firefox("", "\"prefix\":[null,0,1],\"frame\":[0,1,0]", "2,1,0"), expected);
    EXPECT_EQ(firefox("", "\"prefixOffset\":[0,1,1],\"frame\":[0,1,0]", "2,1,0"), expected);
    EXPECT_EQ(firefox("", "\"prefixOffset\":[null,1,1],\"frame\":[0,1,0]", "2,1,0"), expected);
    // Before the first there is none.
    EXPECT_EQ(firefox("", "\"prefixOffset\":[0,2],\"frame\":[0,1]", "1"), (Rows{"t|||1|32|f"}));
}

TEST(FirefoxEdges, NamesOfOneLetter)
{
    EXPECT_EQ(firefox("p", "\"prefix\":[null],\"frame\":[0]", "0"), (Rows{"t|||1|16|p;main"}));
}

// Each thread's times begin at 0.
TEST(FirefoxEdges, TimesAreToldByDistance)
{
    const std::string thread =
        "{\"name\":\"t\",\"samples\":{\"stack\":[null,null],\"timeDeltas\":[1.5,2]},"
        "\"stackTable\":{\"prefix\":[],\"frame\":[]},\"frameTable\":{\"func\":[]},"
        "\"funcTable\":{\"name\":[]},\"stringArray\":[]}";
    Source from = {"{\"meta\":{\"preprocessedProfileVersion\":1},\"threads\":[" + thread + "," +
                   thread + "]}"};
    const cs_byte_source source = {give, &from};
    const cs_profileread_row *row = nullptr;
    void *reader = nullptr;
    std::vector<uint64_t> times;
    cs_diag diag = {};

    ASSERT_EQ(cs_firefoxread.open(&source, "p", &reader, &diag), CS_OK) << diag.text;
    while (cs_firefoxread.next(reader, &row, &diag) == CS_OK && row != nullptr) {
        EXPECT_TRUE(row->has_time);
        times.push_back(row->time_ns);
    }
    EXPECT_STREQ(diag.text, "");
    EXPECT_EQ(times, (std::vector<uint64_t>{1500000, 3500000, 1500000, 3500000}));
    cs_firefoxread.close(reader);
}

TEST(FoldedEdges, NumbersAreWholeOrTexts)
{
    const std::string most = "9223372036854775807", more = "9223372036854775808";

    EXPECT_EQ(
        rows(cs_foldedread, "f;g 3\nf 0\nf 1.5\nf " + most + "\nf " + more + "\n"),
        (Rows{"|||3||f;g", "|||0||f", "|||'1.5||f", "|||" + most + "||f", "|||'" + more + "||f"}));
}

TEST(FoldedEdges, CommentsAndEmptyLines)
{
    EXPECT_EQ(rows(cs_foldedread, "# a 1\n#\n\nf 2\na# 3\n\n"), (Rows{"|||2||f", "|||3||a#"}));
    EXPECT_EQ(rows(cs_foldedread, "\nx\n"),
              (Rows{"found no number behind a space, expected 'FRAME;FRAME NUMBER'"}));
}

TEST(SpeedscopeEdges, ProcessesAndCpus)
{
    const struct {
        const char *frame, *event, *row;
    } cases[] = {
        {"server (12)", "e", "e||12|1||server;f"},  {"server (-1)", "e", "e||-1|1||server;f"},
        {"server ()", "e", "e|||1||server ();f"},   {"server (x)", "e", "e|||1||server (x);f"},
        {"server (12", "e", "e|||1||server (12;f"}, {"server(12)", "e", "e|||1||server(12);f"},
        {" (12)", "e", "e|||1|| (12);f"},           {"m", "e, CPU 3", "e|3||1||m;f"},
        {"m", "e, CPU 3x", "e, CPU 3x|||1||m;f"},   {"m", "e, CPU ", "e, CPU |||1||m;f"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(rows(cs_speedscoperead, speedscope(c.frame, c.event)), (Rows{c.row}))
            << c.frame << c.event;
}

// What has no address stands in a profile all the same: as a frame of that name, at 0.
TEST(PprofEdges, NoAddress)
{
    const std::string process = sub(3, num(1, 3) + num(2, 4));

    EXPECT_EQ(pprof("(no address)", 0, num(1, 1)), (Rows{"e|||7||"}));
    EXPECT_EQ(pprof("(no address)", 0, num(1, 1) + process), (Rows{"e|||7||p"}));
    EXPECT_EQ(pprof("(no address)", 16, num(1, 1)), (Rows{"e|||7|16|(no address)"}));
    EXPECT_EQ(pprof("(no address)", 0, num(1, 1) + num(1, 1)),
              (Rows{"e|||7|0|(no address);(no address)"}));
    EXPECT_EQ(pprof("main", 0, num(1, 1) + process), (Rows{"e|||7|0|p;main"}));
    EXPECT_EQ(pprof("main", 16, ""), (Rows{"e|||7||"}));
}

TEST(PprofEdges, NamesOfEventsHaveAnEnd)
{
    for (const size_t bytes : {510u, 511u, 512u, 600u}) {
        const std::string event(bytes, 'e');

        EXPECT_EQ(pprof("main", 16, "", event), (Rows{event.substr(0, 511) + "|||7||"})) << bytes;
    }
}

// Two are in the table: the empty one, and "e".
TEST(PprofEdges, TextsThatTheTableHasNot)
{
    const auto named = [](int64_t number) {
        return rows(cs_pprofread, sub(1, num(1, 1)) + sub(6, std::string()) +
                                      sub(6, std::string("e")) +
                                      sub(5, num(1, 1) + num(2, number)) +
                                      sub(4, num(1, 1) + num(3, 16) + sub(4, num(1, 1))) +
                                      sub(2, num(2, 7) + num(1, 1)));
    };

    EXPECT_EQ(named(1), (Rows{"e|||7|16|e"}));
    for (const int64_t number : {2, 3, 100})
        EXPECT_EQ(named(number), (Rows{"byte 0x9 (unpacked): the number of a text is " +
                                       std::to_string(number) + ", expected one of the table's"}));
}
