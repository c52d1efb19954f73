// SPDX-License-Identifier: Apache-2.0
// Rotated events in truth.sqlite, summary.txt and summary.json.
#include <cstdio>
#include <regex>

#include <gtest/gtest.h>

#include "results/rotation/part.h"
#include "results/rotation_feed.hpp"
#include "results/summary.h"
#include "results/uncore/part.h"
#include "support/database.hpp"
#include "support/json_flat.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

struct RotationTold : testing::Test {
    TempFolder temp;
    RotationFeed feed;
    cs_rotation_part rotation = {};
    cs_uncore_part uncore = {};
    cs_summary summary = {};
    cs_diag diag = {};

    void SetUp() override
    {
        summary.scenario = feed.scenario;
        summary.end_cycle = 10000;
        summary.ended = "perf has ended";
        rotation.results = feed.results;
        summary.parts[CS_PART_rotation] = &rotation;
    }
    std::map<std::string, std::string> json()
    {
        FILE *out = fopen(temp.file("s.json").c_str(), "w");

        cs_summary_json(&summary, out);
        EXPECT_EQ(fclose(out), 0);
        return json_flat(temp.file("s.json"));
    }
    // Blanks as one.
    std::string text(size_t most = 0)
    {
        FILE *out = fopen(temp.file("s.txt").c_str(), "w");

        cs_summary_text(&summary, most, out);
        EXPECT_EQ(fclose(out), 0);
        return std::regex_replace(temp.read("s.txt"), std::regex(" +"), " ");
    }
    void three_counts(cs_truth *truth = nullptr)
    {
        cs_count interval = RotationFeed::mc0(500, 130);

        interval.final = false;
        for (const cs_count &count :
             {interval, RotationFeed::mc0(1000, 260), RotationFeed::mc0(0, 0, 1),
              RotationFeed::count(0, "cpu", 0, 1, 0xc001, 0, 4000, 2000, 1000)}) {
            const cs_counted result = feed.add(count);

            if (truth != nullptr)
                cs_truth_rotated(truth, &result);
        }
    }
};

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_F(RotationTold, Truth)
{
    cs_truth *truth = nullptr;

    ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &truth, &diag),
              CS_OK)
        << diag.text;
    three_counts(truth);
    ASSERT_EQ(cs_truth_finish(truth, &diag), CS_OK) << diag.text;

    EXPECT_EQ(Database(temp.file("truth.sqlite"))
                  .ask("SELECT command, pmu, unit, cpu, event, name, start, stop, enabled, "
                       "running, raw, truth, final, scaled, round(error, 9) FROM rotated "
                       "ORDER BY rowid"),
              (Rows{"0|mc0|0|1|3|uncore:3|1000|5000|4000|500|130|1000|0|1040.0|0.04",
                    "0|mc0|0|1|3|uncore:3|1000|5000|4000|1000|260|1000|1|1040.0|0.04",
                    "1|mc0|0|1|3|uncore:3|1000|5000|4000|0|0|1000|1|NULL|NULL",
                    "0|cpu|0|1|49153|0xc001|0|4000|4000|2000|1000|2000|1|2000.0|0.0"}));
}

TEST_F(RotationTold, Text)
{
    three_counts();
    rotation.report = {100, 40, 3, 7000, 900, 4500, 0, 0, 2};
    const std::string t = text();

    for (const char *line : {
             " events counted in turns 3\n",
             " events never counted 1\n",
             " time on a counter, least 0.000 %\n",
             " time on a counter, most 50.000 %\n",
             " fairness (Jain) 60.000 %\n",
             " error of estimates, mean 2.000 %\n",
             " error of estimates, largest 4.000 %\n",
             " ticks 100\n",
             " rotations 40\n",
             " ticks late, merged 3\n",
             " CPU time for rotation 7.000 us\n",
             " register accesses 900\n",
             " waiting for the bus 4.500 us\n",
             " 1 mc0 uncore:3 25.00% 1,040 1,000 4.000%\n",
             " 1 mc0 uncore:3 0.00% never counted 1,000\n",
             " 1 cpu 0xc001 50.00% 2,000 2,000 0.000%\n",
             " uncore 0 1 0 25.00% 25.00% 100.00% 4.000% 4.000%\n",
             " uncore 1 1 1 0.00% 0.00% - - -\n", // nothing ran: there is no error, and no index
             " cpu 0 1 0 50.00% 50.00% 100.00% 0.000% 0.000%\n",
         })
        EXPECT_TRUE(has(t, line)) << line << t;
    EXPECT_FALSE(has(t, "12.50%")) << "intervals are in the database";
    EXPECT_TRUE(has(t, " accesses that failed 2\n"));
    EXPECT_FALSE(has(t, "interrupts of counters"));
    EXPECT_FALSE(has(t, "overdue"));
    EXPECT_TRUE(has(text(2), " ... and 1 more events (summary.txt has all)\n"));
    EXPECT_TRUE(has(text(2), " ... and 1 more commands (summary.txt has all)\n"));
    EXPECT_FALSE(has(text(3), "more events"));
}

// One that waits for its turn is not one that was refused.
TEST_F(RotationTold, PinnedInError)
{
    cs_count pinned = RotationFeed::mc0(0, 0);

    three_counts();
    EXPECT_FALSE(has(text(), "pinned"));
    pinned.pinned = true;
    feed.add(pinned);
    EXPECT_TRUE(has(text(), " pinned events in error 1\n"));
    EXPECT_TRUE(has(text(), " 1 mc0 uncore:3 0.00% pinned, in error 1,000\n"));
    EXPECT_TRUE(has(text(), " 1 mc0 uncore:3 0.00% never counted 1,000\n"));
}

TEST_F(RotationTold, Json)
{
    three_counts();
    rotation.report = {100, 40, 3, 7000, 900, 4500, 12, 5, 0};
    auto j = json();

    EXPECT_EQ(j["rotated_events"], "3");
    EXPECT_EQ(j["never_counted"], "1");
    EXPECT_EQ(j["jain"], "0.6");
    EXPECT_EQ(j["late_ticks"], "3");
    EXPECT_EQ(j["rotating_ns"], "7000");
    EXPECT_EQ(j["rotating_bus_ns"], "4500");
    EXPECT_EQ(j["rotating_interrupts"], "12");
    EXPECT_EQ(j["overdue_reads"], "5");
    EXPECT_EQ(j["failed_accesses"], "0");
    EXPECT_EQ(j["rotated.0.running"], "1000") << "intervals are in the database";
    EXPECT_EQ(j["rotated.0.pmu"], "mc0");
    EXPECT_EQ(j["rotated.0.name"], "uncore:3");
    EXPECT_EQ(j["rotated.0.scaled"], "1040");
    EXPECT_EQ(j["rotated.1.scaled"], "None");
    EXPECT_EQ(j["rotated.1.truth"], "1000");
    EXPECT_EQ(j["rotated.2.enabled"], "4000");
    EXPECT_EQ(j.count("rotated.3.enabled"), 0u);
    EXPECT_EQ(j["rotated_commands.1.kind"], "uncore");
    EXPECT_EQ(j["rotated_commands.1.never"], "1");
    EXPECT_EQ(j["rotated_commands.1.jain"], "None") << "nothing ran";
    EXPECT_EQ(j["rotated_commands.1.mean_error"], "None");
    EXPECT_EQ(j["rotated.0.pinned"], "False");
    EXPECT_EQ(j["rotated_commands.2.kind"], "cpu");
    EXPECT_EQ(j["rotated_commands.2.least_share"], "0.5");
}

// Who manages which unit; one that nobody asked for is in the database and in JSON only.
TEST_F(RotationTold, Units)
{
    cs_truth *truth = nullptr;

    uncore.results.units[1] = {{true, 1, false, "far, less loaded"}, 77, 2};
    uncore.results.wrong = 2;
    uncore.runs = true;
    summary.parts[CS_PART_uncore] = &uncore;
    const std::string t = text();
    auto j = json();

    EXPECT_TRUE(has(t, " uncore counts, wrong 2\n")) << t;
    EXPECT_TRUE(has(t, " link 0 10 1 77 far, less loaded\n")) << t;
    EXPECT_FALSE(has(t, " mc0 0"));
    EXPECT_EQ(j["uncore_wrong"], "2");
    EXPECT_EQ(j["units.0.name"], "mc0");
    EXPECT_EQ(j["units.0.cpu"], "None");
    EXPECT_EQ(j["units.1.cpu"], "1");
    EXPECT_EQ(j["units.1.why"], "far, less loaded");
    EXPECT_EQ(j["units.1.accesses"], "77");
    EXPECT_EQ(j["units.1.wrong"], "2");

    ASSERT_EQ(cs_truth_create(temp.file("truth.sqlite").c_str(), feed.scenario, &truth, &diag),
              CS_OK)
        << diag.text;
    for (unsigned i = 0; i < 2; i++)
        cs_truth_unit(truth, feed.scenario, i, &uncore.results.units[i]);
    ASSERT_EQ(cs_truth_finish(truth, &diag), CS_OK) << diag.text;
    EXPECT_EQ(Database(temp.file("truth.sqlite")).ask("SELECT * FROM unit ORDER BY unit"),
              (Rows{"0|mc0|NULL|NULL|0|0|4|48|NULL|NULL|0|0",
                    "1|link|NULL|NULL|0|1|4|48|1|far, less loaded|77|2"}));
}

TEST_F(RotationTold, NothingWithoutSuchSoftware)
{
    summary.parts[CS_PART_rotation] = nullptr;

    EXPECT_FALSE(has(text(), "in turns"));
    EXPECT_EQ(json().count("rotated_events"), 0u);
}

TEST_F(RotationTold, NothingCountedYet)
{
    const std::string t = text();

    EXPECT_TRUE(has(t, " events counted in turns 0\n"));
    EXPECT_FALSE(has(t, "fairness"));
    EXPECT_FALSE(has(t, "estimate truth"));
    EXPECT_EQ(json()["rotated_events"], "0");
}
