// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/stream/perf_stat.h"
#include "support.hpp"

namespace
{

struct Destroy {
    void operator()(cs_perf_stat *stat) const
    {
        cs_perf_stat_destroy(stat);
    }
};
using Stat = std::unique_ptr<cs_perf_stat, Destroy>;

Stat parse(const std::string &text, char separator = ',')
{
    cs_perf_stat *out = nullptr;
    cs_diag diag{};
    EXPECT_EQ(cs_perf_stat_parse(text.data(), text.size(), "counts.csv", separator, &out, &diag),
              CS_OK)
        << printed(diag);
    return Stat(out);
}

std::vector<uint64_t> counts(const cs_perf_series *s)
{
    return {s->counts, s->counts + s->intervals};
}

TEST(PerfStat, ReadsThePlainForm)
{
    Stat stat = parse("# started on Tue Jan  7 10:00:00 2025\n"
                      "\n"
                      "     1.000106415,1000,,cycles,1000000000,100.00,,\n"
                      "     1.000106415,400,,instructions,1000000000,100.00,0.40,insn per cycle\n"
                      "     1.000106415,,,,,,0.10,stalled cycles per insn\n"
                      "     2.5,2000,,cycles,1,1,,\n"
                      "     2.5,<not counted>,,instructions,0,0.00,,\r\n"
                      "     3.000000001,7,,cycles\n"
                      "     3.000000001,8,,instructions");

    ASSERT_EQ(cs_perf_stat_count(stat.get()), 2u);
    const cs_perf_series *cycles = cs_perf_stat_at(stat.get(), 0);
    EXPECT_STREQ(cycles->event, "cycles");
    EXPECT_EQ(cycles->cpu, CS_PERF_STAT_ALL_CPUS);
    EXPECT_EQ(counts(cycles), (std::vector<uint64_t>{1000, 2000, 7}));
    EXPECT_EQ(cycles->end_ns[0], 1000106415u);
    EXPECT_EQ(cycles->end_ns[1], 2500000000u);
    EXPECT_EQ(cycles->end_ns[2], 3000000001u);
    EXPECT_EQ(cycles->not_counted, 0u);
    const cs_perf_series *instructions =
        cs_perf_stat_find(stat.get(), "instructions", CS_PERF_STAT_ALL_CPUS);
    ASSERT_NE(instructions, nullptr);
    EXPECT_EQ(counts(instructions), (std::vector<uint64_t>{400, 0, 8}));
    EXPECT_EQ(instructions->not_counted, 1u);
    EXPECT_FALSE(instructions->fractional);
    EXPECT_EQ(cs_perf_stat_at(stat.get(), 2), nullptr);
    EXPECT_EQ(cs_perf_stat_find(stat.get(), "cycles", 0), nullptr);
}

TEST(PerfStat, ReadsOneSeriesACpu)
{
    Stat stat = parse("1.0,CPU0,10,,cycles,1,100.00,,\n"
                      "1.0,CPU12,20,,cycles,1,100.00,,\n"
                      "2.0,CPU0,11,,cycles,1,100.00,,\n"
                      "2.0,CPU12,<not supported>,,cycles,0,100.00,,\n");

    ASSERT_EQ(cs_perf_stat_count(stat.get()), 2u);
    EXPECT_EQ(counts(cs_perf_stat_find(stat.get(), "cycles", 0)), (std::vector<uint64_t>{10, 11}));
    EXPECT_EQ(counts(cs_perf_stat_find(stat.get(), "cycles", 12)), (std::vector<uint64_t>{20, 0}));
}

TEST(PerfStat, ReadsNamesWithSeparators)
{
    Stat stat = parse("1.0,10,,cpu/event=0x3c,umask=0x1/,1,100.00,,\n"
                      "1.0,20,,armv8_pmuv3_0/cycles/u,1,100.00,,\n"
                      "1.0,30,,msr/tsc/,1,100.00,,\n");

    EXPECT_EQ(cs_perf_stat_count(stat.get()), 3u);
    EXPECT_NE(cs_perf_stat_find(stat.get(), "cpu/event=0x3c,umask=0x1/", -1), nullptr);
    EXPECT_NE(cs_perf_stat_find(stat.get(), "armv8_pmuv3_0/cycles/u", -1), nullptr);
    EXPECT_NE(cs_perf_stat_find(stat.get(), "msr/tsc/", -1), nullptr);
}

TEST(PerfStat, ReadsOtherSeparatorsAndUnits)
{
    Stat stat = parse("1.0;1001.87;msec;task-clock;1;100.00;1.0;CPUs utilized\n", ';');
    const cs_perf_series *clock = cs_perf_stat_at(stat.get(), 0);
    Pool pool;
    const cs_stream *stream = nullptr;
    cs_diag diag{};

    EXPECT_EQ(counts(clock), (std::vector<uint64_t>{1001}));
    EXPECT_TRUE(clock->fractional);
    EXPECT_EQ(cs_perf_series_stream(clock, 100, CS_STREAM_AFTER_ZERO, pool, &stream, &diag),
              CS_ERR_UNSUPPORTED);
    EXPECT_EQ(printed(diag), "task-clock: its counts have digits after the point: they are a "
                             "quantity, not events, and cannot be replayed");
}

TEST(PerfStat, SaysWhereAFileIsWrong)
{
    const char *time = "a time in seconds, as 1.000123456, later than 0";
    const char *count = "a count, <not counted> or <not supported>";
    const char *nothing = "no counts: expected lines time,[CPUn,]count,unit,event as perf stat -I "
                          "-x, writes them";
    auto found = [](std::string place, std::string what, std::string expected) {
        return "counts.csv:" + place + ": found \"" + what + "\", expected " + expected;
    };
    const struct {
        std::string text;
        cs_status status;
        std::string expected;
    } cases[] = {
        {"", CS_ERR_FORMAT, std::string("counts.csv:1:1: ") + nothing},
        {"# only a comment\n\n", CS_ERR_FORMAT, std::string("counts.csv:2:1: ") + nothing},
        {"x,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "x", time)},
        {"1000,,cycles,1,100.00,,\n", CS_ERR_FORMAT, found("1:6", "", count)},
        {"\n  1.x,1,,cycles\n", CS_ERR_FORMAT, found("2:3", "1.x", time)},
        {"1.,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "1.", time)},
        {"1.0000000001,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "1.0000000001", time)},
        {"0.0,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "0.0", time)},
        {"-1.0,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "-1.0", time)},
        {"1000000000.0,1,,cycles\n", CS_ERR_FORMAT, found("1:1", "1000000000.0", time)},
        {",1,,cycles\n", CS_ERR_FORMAT, found("1:1", "", time)},
        {"1.0,1,,cycles\n1.0,-5,,instructions\n", CS_ERR_FORMAT, found("2:5", "-5", count)},
        {"1.0,1e6,,cycles\n", CS_ERR_FORMAT, found("1:5", "1e6", count)},
        {"1.0,<broken>,,cycles\n", CS_ERR_FORMAT, found("1:5", "<broken>", count)},
        {"1.0,,,cycles\n", CS_ERR_FORMAT, found("1:5", "", count)},
        {"1.0,99999999999999999999,,cycles\n", CS_ERR_FORMAT,
         found("1:5", "99999999999999999999", count)},
        {"1.0,5,\n", CS_ERR_FORMAT, found("1:7", "", "more fields: time,[CPUn,]count,unit,event")},
        {"1.0,5,,\n", CS_ERR_FORMAT, found("1:8", "", "the name of an event")},
        {"1.0,5,,cycles\n1.0,5,,cycles\n", CS_ERR_FORMAT,
         found("2:1", "1.0", "a time later than the last one of this event")},
        {"1.0,S0,1,5,,cycles\n", CS_ERR_UNSUPPORTED,
         "counts.csv:1:5: found \"S0\": only the plain form of perf stat and that of -A (CPU0, "
         "CPU1, ...) are read"},
        {"1.0,CPUx,5,,cycles\n", CS_ERR_UNSUPPORTED,
         "counts.csv:1:5: found \"CPUx\": only the plain form of perf stat and that of -A (CPU0, "
         "CPU1, ...) are read"},
    };

    for (const auto &c : cases) {
        cs_perf_stat *out = nullptr;
        cs_diag diag{};
        EXPECT_EQ(cs_perf_stat_parse(c.text.data(), c.text.size(), "counts.csv", ',', &out, &diag),
                  c.status)
            << c.text;
        EXPECT_EQ(printed(diag), c.expected) << c.text;
        EXPECT_EQ(out, nullptr);
    }
}

TEST(PerfStat, BecomesAStream)
{
    Stat stat = parse("1.0000001,1000,,cycles\n2.0,3000,,cycles\n");
    const cs_perf_series *cycles = cs_perf_stat_at(stat.get(), 0);
    Pool pool;
    const cs_stream *stream = nullptr;

    // 1.0000001 s are 200000020 cycles of 200 MHz
    ASSERT_EQ(cs_perf_series_stream(cycles, 200, CS_STREAM_AFTER_ZERO, pool, &stream, nullptr),
              CS_OK);
    EXPECT_EQ(cs_stream_prefix(stream, 200000020), 1000u);
    EXPECT_EQ(cs_stream_reach(stream, 0, 1000), 200000020u);
    EXPECT_EQ(cs_stream_prefix(stream, 400000000), 4000u);
    EXPECT_EQ(cs_stream_prefix(stream, 1000000000), 4000u);
    ASSERT_EQ(cs_perf_series_stream(cycles, 200, CS_STREAM_AFTER_REPEAT, pool, &stream, nullptr),
              CS_OK);
    EXPECT_EQ(cs_stream_prefix(stream, 800000000), 8000u);
}

TEST(PerfStat, RefusesCountsThatNoCycleCanCarry)
{
    Stat stat = parse("0.000001,3000,,cycles\n0.000001001,1,,cycles\n");
    const cs_perf_series *cycles = cs_perf_stat_at(stat.get(), 0);
    const struct {
        uint32_t mhz;
        const char *expected;
    } cases[] = {
        {0, "cycles: bus clock of 0 MHz: must be 1..1000000"},
        {1000001, "cycles: bus clock of 1000001 MHz: must be 1..1000000"},
        {10, "cycles: at 10 MHz: interval 1 counts 3000 in 10 cycles: at most 255 per cycle"},
        {100, "cycles: at 100 MHz: interval 2 ends at cycle 100: must be 101..2^56"},
    };
    Pool pool;

    for (const auto &c : cases) {
        const cs_stream *stream = nullptr;
        cs_diag diag{};
        EXPECT_EQ(cs_perf_series_stream(cycles, c.mhz, CS_STREAM_AFTER_ZERO, pool, &stream, &diag),
                  CS_ERR_RANGE);
        EXPECT_EQ(printed(diag), c.expected);
        EXPECT_EQ(stream, nullptr);
    }
}

} // namespace
