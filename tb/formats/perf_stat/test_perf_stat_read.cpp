// SPDX-License-Identifier: Apache-2.0
// Counts as perf stat prints them for programs.
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "formats/formats.h"
#include "formats/perf_stat/read/perf_stat.h"

namespace
{

struct Text {
    std::string bytes;
    size_t at = 0, piece = 1000000;

    static cs_status read(void *ctx, uint8_t *out, size_t room, size_t *got, cs_diag *)
    {
        Text &t = *static_cast<Text *>(ctx);
        const size_t left = t.bytes.size() - t.at, most = room < t.piece ? room : t.piece;

        *got = left < most ? left : most;
        std::memcpy(out, t.bytes.data() + t.at, *got);
        t.at += *got;
        return CS_OK;
    }
};

// A row as text, or at the end what is wrong.
std::string rows_of(const std::string &bytes, size_t piece = 1000000)
{
    Text text = {bytes, 0, piece};
    const cs_byte_source source = {Text::read, &text};
    const cs_statread_row *row = nullptr;
    cs_statread *reader = nullptr;
    cs_diag diag = {};
    char printed[1600];
    std::string all;
    cs_status status = cs_statread_open(&source, "x.csv", &reader, &diag);

    while (status == CS_OK) {
        status = cs_statread_next(reader, &row, &diag);
        if (status != CS_OK)
            all += cs_diag_print(&diag, printed, sizeof printed);
        if (status != CS_OK || row == nullptr)
            break;
        all += std::to_string(row->offset) + " " +
               (row->timed ? std::to_string(row->end_ns) : "-") + " " + std::to_string(row->cpu) +
               " " + (row->value != nullptr ? row->value : "none") +
               (row->whole ? "=" + std::to_string(row->count) : "") + " " + row->unit + " " +
               row->event + " " + (row->has_running ? std::to_string(row->running_ns) : "-") + " " +
               (row->percent != nullptr ? row->percent : "-") + (row->mean ? " mean" : "") + "\n";
    }
    cs_statread_close(reader);
    return all;
}

const char kHead[] = "# started on Thu Jan  1 00:00:00 2026\n\n";
const char kJson[] =
    "{\"counter-value\" : \"17.000000\", \"unit\" : \"\", \"event\" : \"cycles:u\", "
    "\"event-runtime\" : 90, \"pcnt-running\" : 33.33, \"metric-value\" : "
    "\"0.500000\", \"metric-unit\" : \"insn per cycle\"}\n";

std::string guess(const std::string &look)
{
    const cs_format *format =
        cs_format_guess(reinterpret_cast<const uint8_t *>(look.data()), look.size());

    return format != nullptr ? format->name : "";
}

} // namespace

TEST(PerfStatRead, LinesOfX)
{
    EXPECT_EQ(rows_of(std::string(kHead) + "17,,cycles:u,90,100.00,,\n"
                                           ",,,,,0.50,insn per cycle\n"
                                           "1.25,msec,task-clock,1250000,100.00,0.9,CPUs utilized\n"
                                           "<not counted>,,r20:u,0,0.00,,\n"
                                           "<not supported>,,branch-misses,0,100.00,,"),
              "39 - -1 17=17  cycles:u 90 100.00\n"
              "89 - -1 1.25 msec task-clock 1250000 100.00\n"
              "143 - -1 none=0  r20:u 0 0.00\n"
              "173 - -1 none=0  branch-misses 0 100.00\n");
}

TEST(PerfStatRead, IntervalsCpusAndOtherSeparators)
{
    EXPECT_EQ(
        rows_of(
            "     0.005000001,17,,cycles,90,100.00,,\n     1.000000000,18,,cycles,90,100.00,,\n"),
        "0 5000001 -1 17=17  cycles 90 100.00\n40 1000000000 -1 18=18  cycles 90 100.00\n");
    EXPECT_EQ(rows_of("CPU0;17;;cycles;90;100.00;;\nCPU11;18;;cycles;90;100.00;;\n"),
              "0 - 0 17=17  cycles 90 100.00\n28 - 11 18=18  cycles 90 100.00\n");
    EXPECT_EQ(rows_of("17\t\tcpu/event=1,umask=2/\t90\t100.00\n"),
              "0 - -1 17=17  cpu/event=1,umask=2/ 90 100.00\n");
    EXPECT_EQ(rows_of("17,,cycles,0.05%,90,100.00\n"), "0 - -1 17=17  cycles - - mean\n");
}

TEST(PerfStatRead, LinesOfJ)
{
    EXPECT_EQ(rows_of(kJson), "0 - -1 17.000000=17  cycles:u 90 33.33\n");
    EXPECT_EQ(
        rows_of("{\"interval\" : 0.005000001, \"cpu\" : \"3\", \"counter-value\" : \"0.50\", "
                "\"unit\" : "
                "\"msec\", \"event\" : \"x\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"
                "{\"metric-value\" : \"1.0\", \"metric-unit\" : \"%\"}\n"
                "{\"counter-value\" : \"<not counted>\", \"event\" : \"y\"}"),
        "0 5000001 3 0.50 msec x 9 100.00\n190 - -1 none=0  y - -\n");
}

TEST(PerfStatRead, InPiecesOfEachLength)
{
    const std::string text = std::string(kHead) + "17,,cycles:u,90,100.00,,\r\n18,,r20,9,50.00\r\n";

    for (size_t piece = 1; piece < text.size(); piece++)
        EXPECT_EQ(rows_of(text, piece), rows_of(text)) << piece;
}

TEST(PerfStatRead, WhatIsNoCountIsRefusedWithItsPlace)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {std::string(kHead) + " Performance counter stats for 'work':\n",
         "x.csv:3:2: found the table for people, expected what perf stat -x, or -j prints"},
        {"hello\n",
         "x.csv:1:1: found \"hello\", expected a count and its event, as perf stat -x, or -j "
         "prints them"},
        {"S0,1,17,,cycles,90,100.00\n",
         "x.csv:1:1: found \"S0\": only the plain form of perf stat and "
         "that of -A (CPU0, CPU1, ...) are read"},
        {"17,,cycles,90,100.00\n1x,,cycles,90,100.00\n",
         "0 - -1 17=17  cycles 90 100.00\nx.csv:2:1: found \"1x\", expected a count, <not counted> "
         "or <not "
         "supported>"},
        {"17,,cycles,9x,100.00\n",
         "x.csv:1:12: found \"9x\", expected the time on a counter, in ns"},
        {std::string("17,,cyc\0les,90,100.00\n", 22), "x.csv:1:1: found byte 0"},
        {"17,," + std::string(300, 'c') + ",90,100.00\n",
         "x.csv:1:1: a name or a number of more than 255 bytes"},
        {"{\"counter-value\" : \"1\", \"event\" : 7, \"event-runtime\" : \"x\"}\n",
         "x.csv:1:56: found \"x\", expected the time on a counter, in ns"},
        {"{\"core\" : \"S0-D0-C0\"}\n",
         "x.csv:1:2: found \"core\": only the plain form of perf stat and "
         "that of -A (cpu) are read"},
        {"{\"counter-value\" : \"1.x\", \"event\" : \"y\"}\n", ""},
        {std::string(70000, '1'), "x.csv:1:1: a line of more than 65536 bytes"},
    };

    for (const auto &[text, expected] : cases) {
        const std::string said = rows_of(text);

        if (expected.empty())
            EXPECT_EQ(said.find('='), std::string::npos) << said;
        else
            EXPECT_EQ(said, expected);
    }
}

// Damage of any kind ends in an error or in rows, and never in a crash.
TEST(PerfStatRead, NeverCrashes)
{
    const std::string texts[] = {
        std::string(kHead) + "     0.005000001,CPU1,17,,cycles:u,90,100.00,,\n", kJson};

    for (const std::string &text : texts)
        for (size_t i = 0; i < text.size(); i++) {
            rows_of(text.substr(0, i));
            for (unsigned bit = 0; bit < 8; bit++) {
                std::string damaged = text;

                damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
                rows_of(damaged);
            }
        }
}

TEST(PerfStatRead, IsToldFromOthers)
{
    EXPECT_EQ(guess(std::string(kHead) + "17,"), "perf-stat");
    EXPECT_EQ(guess(kJson), "perf-stat");
    EXPECT_EQ(guess("17,,cycles:u,90,100.00,,\n"), "perf-stat");
    EXPECT_EQ(guess("     0.005000001;17;;cycles;90;100.00;;\n"), "perf-stat");
    EXPECT_EQ(guess("CPU0,17,,cycles,90,100.00\n"), "perf-stat");
    EXPECT_EQ(guess("time_ns,event,cpu,pid,mode,ip,period\n"), "csv");
    for (const char *other : {"17,,cycles\n", "1,2,3,4,5,6\n", "hello\n", "{\"a\" : 1}\n"})
        EXPECT_NE(guess(other), "perf-stat") << other;
}
