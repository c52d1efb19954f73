// SPDX-License-Identifier: Apache-2.0
// The tables of IMC in truth.sqlite.
#include <gtest/gtest.h>

#include "results/common/counts.h"
#include "results/imc_feed.hpp"
#include "support/database.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

struct TruthImc : testing::Test {
    TempFolder temp;
    ImcFeed feed;
    cs_truth *truth = nullptr;
    cs_diag diag = {};

    void SetUp() override
    {
        ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &truth, &diag),
                  CS_OK)
            << diag.text;
    }
    void TearDown() override
    {
        cs_truth_abandon(truth);
    }
    // The samples that the collector saw.
    void write_samples()
    {
        for (const SeenSample &s : feed.seen) {
            const cs_imc_sample sample = {s.cpu,  s.number, s.snapshot, s.cycle, s.addr,
                                          s.resp, s.truth,  nullptr,    0};
            cs_truth_imc_sample(truth, &sample);
        }
    }
    cs_status finish()
    {
        cs_truth *finished = truth;

        truth = nullptr;
        return cs_truth_finish(finished, &diag);
    }
    Rows ask(const std::string &sql)
    {
        return Database(temp.file("truth.sqlite")).ask(sql);
    }
};

} // namespace

TEST_F(TruthImc, CpusAreThreadsOfCores)
{
    ASSERT_EQ(finish(), CS_OK) << diag.text;

    EXPECT_EQ(ask("SELECT * FROM cpu ORDER BY cpu"),
              (Rows{"0|0|0|online", "1|0|1|online", "2|1|0|online", "3|1|1|online"}));
    for (const char *table : {"record", "function", "count", "perf_sample", "event", "total"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), Rows{"0"}) << table;
}

TEST_F(TruthImc, Records)
{
    feed.put(0, 100);
    feed.put(0, 1300, 0, CS_BUS_SLVERR);
    feed.put(0, 1400, 0, CS_BUS_DECERR);
    feed.put(2, 150);
    feed.put(2, 160, 0, CS_SAMPLE_LOST);
    feed.put(1, 700);
    write_samples();
    ASSERT_EQ(finish(), CS_OK) << diag.text;

    const auto pc = [&](unsigned cpu, cs_cycle at) {
        return std::to_string(feed.context(cpu, at).pc);
    };
    EXPECT_EQ(ask("SELECT cpu, snapshot, number, cycle, address, response, pc, pid, lpid, mode "
                  "FROM record ORDER BY cpu, snapshot"),
              (Rows{"0|100|0|120|2164260864|OKAY|" + pc(0, 100) + "|11|0|3",
                    "0|1300|1|1320|2164260928|SLVERR|" + pc(0, 1300) + "|11|0|3",
                    "0|1400|2|1420|2164260992|DECERR|" + pc(0, 1400) + "|11|0|2",
                    "1|700|0|720|2164523008|OKAY|" + pc(1, 700) + "|11|0|2",
                    "2|150|0|170|2164785152|OKAY|" + pc(2, 150) + "|12|7|1",
                    "2|160|0|160|0|lost|" + pc(2, 160) + "|12|7|1"}));
}

TEST_F(TruthImc, Functions)
{
    for (uint64_t pc : {0x1000, 0x10fc, 0x3000, 0x2000})
        feed.put(0, 1000 + pc, pc);
    const ImcFeed::Results *r = feed.finish();

    cs_truth_functions(truth, r->functions, r->nr_functions);
    ASSERT_EQ(finish(), CS_OK) << diag.text;

    EXPECT_EQ(ask("SELECT name, base, samples, share, expected FROM function "
                  "ORDER BY samples DESC, base"),
              (Rows{"parse|4096|2|0.5|0.5625", "send|8192|1|0.25|0.25", "reply|12288|1|0.25|0.1875",
                    "solve|20480|0|0.0|0.0", "unused|24576|0|0.0|0.0"}));
}

TEST_F(TruthImc, CountsAndSamplesOfPerf)
{
    cs_counted counts[2] = {};
    counts[0].count.command = 1;
    counts[0].count.pmu = "core_imc";
    counts[0].count.cpu = 2;
    counts[0].count.name = "CPM_CS_INST";
    counts[0].from = 1000;
    counts[0].to = 99000;
    counts[0].count.raw = 193;
    counts[0].value = 98816;
    counts[0].truth = 98800;
    counts[1].count.command = 2;
    counts[1].count.pmu = "nest_mba0_imc";
    counts[1].count.name = "PM_MBA0_READ_BYTES";
    counts[1].from = 5;
    counts[1].to = 6;
    counts[1].count.raw = UINT64_MAX;
    counts[1].value = 0.5;
    counts[1].unit = "MiB";
    counts[1].truth = 1;
    // the same time and CPU: a dump gives many
    const cs_imc_perf_sample samples[] = {
        {3, 1, 88, 0xc000000000001234, 0, 4711, 1, 0, false, 0},
        {3, 1, 88, 0x10, 0, 4711, 2, 0, false, 0},
    };

    for (const auto &c : counts)
        cs_truth_count(truth, &c);
    for (const auto &s : samples)
        cs_truth_perf_sample(truth, &s);
    ASSERT_EQ(finish(), CS_OK) << diag.text;

    EXPECT_EQ(ask("SELECT command, pmu, event, cpu, start, stop, raw, value, unit, truth "
                  "FROM count ORDER BY command"),
              (Rows{"1|core_imc|CPM_CS_INST|2|1000|99000|193|98816.0|NULL|98800",
                    "2|nest_mba0_imc|PM_MBA0_READ_BYTES|0|5|6|-1|0.5|MiB|1"}));
    EXPECT_EQ(
        ask("SELECT command, cpu, time, ip, pid, misc FROM perf_sample ORDER BY rowid"),
        (Rows{"3|1|88|" + std::to_string(static_cast<int64_t>(0xc000000000001234)) + "|4711|1",
              "3|1|88|16|4711|2"}));
}

// A thread has one sample in a cycle: a second is an error that finish tells of.
TEST_F(TruthImc, TheSameSampleTwice)
{
    feed.put(0, 100);
    write_samples();
    write_samples();

    EXPECT_EQ(finish(), CS_ERR_IO);
    EXPECT_NE(std::string(diag.where).find("truth.sqlite"), std::string::npos);
}
