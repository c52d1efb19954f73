// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "results/feed.hpp"
#include "results/pmcu/truth.h"
#include "support/database.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

struct Truth : testing::Test {
    TempFolder temp;
    cs_truth *truth = nullptr;
    cs_diag diag = {};

    // The two subsamples of feed.hpp, written to truth.sqlite.
    void record(Feed &feed)
    {
        ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &truth, &diag),
                  CS_OK)
            << diag.text;
        two_subsamples(feed);
        cs_part_run run = {};
        cs_pmcu_part part = {};

        run.scenario = feed.scenario;
        part.run = &run;
        part.nr_dies = 1;
        part.dies[0].collector = feed.collector;
        part.dies[0].results = part.results = feed.finish();
        cs_truth_pmcu(truth, &part);
        ASSERT_EQ(cs_truth_finish(truth, &diag), CS_OK) << diag.text;
    }
    std::function<void(const cs_pmcu_subsample *)> writer()
    {
        return [this](const cs_pmcu_subsample *s) { cs_truth_subsample(truth, s); };
    }
};

using Rows = std::vector<std::string>;

} // namespace

TEST_F(Truth, TheRunAndItsDie)
{
    Feed feed({"corepmu.absent=[1]", "corepmu.locked=[2]"}, true, writer());
    record(feed);
    Database db(temp.file("truth.sqlite"));

    EXPECT_EQ(db.ask("SELECT key, value FROM run ORDER BY key"),
              (Rows{"clock_mhz|1000", "core_mhz|2600", "first_start|101", "last_stop|3231",
                    "samples_truth|1", "scenario|small", "seed|5"}));
    EXPECT_EQ(db.ask("SELECT * FROM cpu ORDER BY cpu"),
              (Rows{"0|0|0|online", "1|0|1|absent", "2|1|0|locked", "3|1|1|offline"}));
}

TEST_F(Truth, SubsamplesAndWindows)
{
    Feed feed({}, true, writer());
    record(feed);
    Database db(temp.file("truth.sqlite"));

    EXPECT_EQ(db.ask("SELECT * FROM subsample ORDER BY number"),
              (Rows{"0|1600|" + std::to_string(0x80001000) + "|0|128",
                    "1|3500|" + std::to_string(0x80001080) + "|1|128"}));
    EXPECT_EQ(db.ask("SELECT * FROM window ORDER BY subsample, cpu"),
              (Rows{"0|0|101|1301|256|512", "0|1|111|1316|257|513", "0|2|121|1331|258|514",
                    "1|0|2001|3201|256|512", "1|1|2011|3216|257|513", "1|2|2021|3231|258|514"}));
}

TEST_F(Truth, EachValueWithItsTruth)
{
    Feed feed({}, true, writer());
    record(feed);
    Database db(temp.file("truth.sqlite"));
    Rows expected;

    for (const Seen &s : feed.seen)
        for (unsigned i = 0; i < 3; i++)
            for (unsigned cpu = 0; cpu < 4; cpu++)
                expected.push_back(std::to_string(s.number) + "|" + std::to_string(cpu) + "|" +
                                   std::to_string(i) + "|" +
                                   std::to_string(i < 2 ? s.events[i] : CS_EVENT_ARM_CLOCK) + "|" +
                                   std::to_string(s.values[i * 4 + cpu]) + "|" +
                                   std::to_string(s.truths[i * 4 + cpu]));
    EXPECT_EQ(db.ask("SELECT * FROM sample ORDER BY subsample, position, cpu"), expected);
    EXPECT_EQ(db.one("SELECT sum(value = truth) FROM sample"), "24");
}

TEST_F(Truth, EventsAndTotals)
{
    Feed feed({}, true, writer());
    record(feed);
    Database db(temp.file("truth.sqlite"));

    EXPECT_EQ(db.ask("SELECT id, number, name, cycle_counter, subsamples FROM event ORDER BY id"),
              (Rows{"4|4|L1D_CACHE|0|2", "8|8|INST_RETIRED|0|2", "327680|17|cycles|1|2"}));
    EXPECT_EQ(db.one("SELECT count(*) FROM event e WHERE sampled = window_truth AND sampled = "
                     "(SELECT sum(value) FROM sample s WHERE s.event = e.id)"),
              "3");
    EXPECT_EQ(db.one("SELECT count(*) FROM event e WHERE truth = "
                     "(SELECT sum(truth) FROM total t WHERE t.event = e.id)"),
              "3");
    EXPECT_EQ(db.one("SELECT count(*) FROM event WHERE abs(error - (scaled / truth - 1)) < 1e-12"),
              "3");
    EXPECT_EQ(db.number("SELECT count(*) FROM total"), 12);
    for (unsigned cpu = 0; cpu < 4; cpu++)
        EXPECT_EQ(
            db.number("SELECT truth FROM total WHERE event = 8 AND cpu = " + std::to_string(cpu)),
            cpu == 3 ? 0 : static_cast<int64_t>(feed.truth(cpu, 0x08, 101, 3231)));
}

TEST_F(Truth, WithoutTruthsThereAreWindowsButNoSamples)
{
    Feed feed({}, false, writer());
    record(feed);
    Database db(temp.file("truth.sqlite"));

    EXPECT_EQ(db.number("SELECT count(*) FROM sample"), 0);
    EXPECT_EQ(db.number("SELECT count(*) FROM window"), 6);
    EXPECT_EQ(db.number("SELECT count(*) FROM event WHERE truth > 0"), 3);
}

TEST_F(Truth, TheFileMustBeNew)
{
    Feed feed({}, true, writer());
    record(feed);
    const std::string before = temp.read("truth.sqlite");
    cs_truth *second = nullptr;

    EXPECT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &second, &diag),
              CS_ERR_IO);
    EXPECT_EQ(second, nullptr);
    EXPECT_EQ(temp.read("truth.sqlite"), before);
    EXPECT_EQ(cs_truth_create(temp.file("no/such/folder").c_str(), feed.scenario, &second, &diag),
              CS_ERR_IO);
    EXPECT_EQ(second, nullptr);
}

TEST_F(Truth, AFailureWaitsForFinish)
{
    Feed feed;
    ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &truth, &diag),
              CS_OK);
    const cs_pmcu_window windows[4] = {};
    const uint32_t cids[4] = {};
    cs_pmcu_subsample s = {};
    s.windows = windows;
    s.cid1 = cids;
    s.cid2 = cids;

    cs_truth_subsample(truth, &s);
    cs_truth_subsample(truth, &s); /* the same number again */

    EXPECT_EQ(cs_truth_finish(truth, &diag), CS_ERR_IO);
    EXPECT_NE(std::string(diag.where).find("truth.sqlite"), std::string::npos);
}
