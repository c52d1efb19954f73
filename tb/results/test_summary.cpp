// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "results/feed.hpp"
#include "results/pmcu/part.h"
#include "results/summary.h"
#include "results/ways.h"
#include "support/json_flat.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

struct Summary : testing::Test {
    TempFolder temp;
    Feed feed;
    cs_pmcu_part pmcu = {};
    cs_summary summary = {};

    void SetUp() override
    {
        two_subsamples(feed);
        feed.bus(CS_MANAGER_CPU, 10, 12, 20, 4);
        feed.bus(CS_MANAGER_PMCU(0), 30, 30, 129, 64);
        summary.scenario = feed.scenario;
        pmcu.results = feed.finish();
        pmcu.aux_bytes = 352;
        summary.parts[CS_PART_pmcu] = &pmcu;
        summary.parts[CS_PART_bus] = &feed.carried;
        summary.end_cycle = 4000;
        summary.wall_ns = 1234567;
        summary.software_cycles = 100;
        summary.ended = "all samples were taken";
    }
    std::map<std::string, std::string> json()
    {
        FILE *out = fopen(temp.file("s.json").c_str(), "w");

        cs_summary_json(&summary, out);
        EXPECT_EQ(fclose(out), 0);
        return json_flat(temp.file("s.json"));
    }
    std::string text(size_t most_events = 0)
    {
        FILE *out = fopen(temp.file("s.txt").c_str(), "w");

        cs_summary_text(&summary, most_events, out);
        EXPECT_EQ(fclose(out), 0);
        return temp.read("s.txt");
    }
};

} // namespace

// What follows the label on its line.
static std::string figure(const std::string &text, const std::string &label)
{
    std::smatch found;
    const std::regex line("(^|\n)  " + std::regex_replace(label, std::regex("[()]"), "\\$&") +
                          " +([^\n]*)\n");

    return std::regex_search(text, found, line) ? found[2].str() : "(no line " + label + ")";
}

TEST(Figures, NumbersForPeople)
{
    const std::pair<uint64_t, const char *> whole[] = {{0, "0"},
                                                       {999, "999"},
                                                       {1000, "1,000"},
                                                       {123456, "123,456"},
                                                       {UINT64_MAX, "18,446,744,073,709,551,615"}};
    const std::pair<double, const char *> real[] = {
        {-0.4, "0"}, {-999.6, "-1,000"}, {-123.0, "-123"}, {1e6 + 0.4, "1,000,000"}};
    const std::tuple<const char *, double, const char *> values[] = {
        {"mean_error", -0.000004, "0.000 %"},
        {"mean_error", -0.01, "-1.000 %"},
        {"skew_s", 6.2e-7, "620.000 ns"},
        {"simulated_ns", 1500000, "1.500 ms"},
        {"bus_bytes_per_s", 6.561e6, "6.561 MB/s"},
        {"interrupts", 31071, "31,071"},
        {"lost", NAN, "-"}};
    char text[40];

    for (const auto &[value, said] : whole)
        EXPECT_STREQ(cs_digits_of(value).text, said);
    for (const auto &[value, said] : real)
        EXPECT_STREQ(cs_digits_real(value).text, said);
    for (const auto &[key, value, said] : values)
        EXPECT_STREQ(cs_figure_value_text(cs_figure_row_of(key), value, text, sizeof text), said);
}

// Each below the title of its group, in the order of the groups; of all else there is no title.
TEST_F(Summary, TextIsInGroups)
{
    const std::string t = text();
    size_t at = 0;

    for (const char *line :
         {"  scenario ", "\n\nWhat was measured\n", "\n  triggers ", "\n\nHow accurate it is\n",
          "\n  blind fraction ", "\n\nWhat it cost\n", "\n  interrupts ", "\n  taken by software ",
          "\n\nWhat went wrong\n", "\n  slots that failed "}) {
        const size_t found = t.find(line, at);

        ASSERT_NE(found, std::string::npos) << line << t;
        at = found + 1;
    }
    summary.parts[CS_PART_pmcu] = nullptr;
    EXPECT_EQ(text().find("What was measured"), std::string::npos);
}

// A figure has one row, which all that print it take its label from.
TEST(Figures, HaveOneRowEach)
{
    std::set<std::string> keys, labels;
    const cs_figure_row *row;

    for (size_t i = 0; (row = cs_figure_row_at(i)) != nullptr; i++) {
        EXPECT_TRUE(keys.insert(row->key).second) << row->key << " is there twice";
        EXPECT_EQ(cs_figure_row_of(row->key), row);
        EXPECT_STRNE(row->label, "") << row->key;
        EXPECT_GT(strlen(row->text), 8u) << row->key;
        EXPECT_LE(strlen(row->label), 27u) << row->key << ": columns are as wide";
        labels.insert(row->label);
    }
    // In seconds and in nanoseconds: simulated_, stolen_s and software_ns; and what is lost, of ways and of harts.
    EXPECT_EQ(labels.size(), keys.size() - 3);
    for (unsigned i = 0; i < CS_WAY_NR; i++)
        EXPECT_EQ(keys.count(cs_way_figure_key(i)), 1u) << cs_way_figure_key(i);

    const std::regex call(R"re((?:cs_figure_\w+\(out,|^        \{)\s*"(\w+)",\s)re",
                          std::regex::ECMAScript | std::regex::multiline);
    size_t calls = 0;
    for (const auto &file :
         std::filesystem::recursive_directory_iterator(CS_SOURCE_DIR "/src/results")) {
        const bool list =
            file.path().filename() == "part.c" && file.path().parent_path().filename() == "hpm";

        if (file.path().extension() != ".c")
            continue;
        std::ifstream in(file.path());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
            if ((*at)[0].str()[0] != 'c' && !list)
                continue;
            EXPECT_EQ(keys.count((*at)[1]), 1u) << file.path() << ": " << (*at)[1];
            calls++;
        }
    }
    EXPECT_GT(calls, 100u);
}

TEST_F(Summary, JsonHasTheFigures)
{
    auto j = json();
    const cs_pmcu_results *r = pmcu.results;

    const std::pair<const char *, uint64_t> counts[] = {
        {"seed", 5},
        {"clock_mhz", 1000},
        {"simulated_ns", 4000},
        {"wall_ns", 1234567},
        {"cpus", 3},
        {"triggers", 1},
        {"interrupts", 1},
        {"subsamples", 2},
        {"samples", 2}, // its former name
        {"sample_bytes", 256},
        {"aux_bytes", 352},
        {"bus_transactions", 2},
        {"blind_ns", r->blind_cycles},
        {"start_skew_ns", 20},
        {"stop_skew_ns", 30},
        {"software_ns", 100},
    };
    for (const auto &[key, value] : counts)
        EXPECT_EQ(j[key], std::to_string(value)) << key;
    EXPECT_EQ(j["scenario"], "small");
    EXPECT_EQ(j["ended"], "all samples were taken");
    EXPECT_NEAR(std::stod(j["bus_busy"]), (9.0 + 100) / 4000, 1e-9);
    EXPECT_NEAR(std::stod(j["blind_fraction"]), r->blind_fraction, 1e-9);
    EXPECT_NEAR(std::stod(j["software_fraction"]), 0.025, 1e-9);
    EXPECT_EQ(j["managers.0.manager"], "cpu");
    EXPECT_EQ(j["managers.0.held_cycles"], "9");
    EXPECT_EQ(j["managers.1.manager"], "pmcu lane 0");
    EXPECT_EQ(j["managers.1.bytes"], "64");
    EXPECT_EQ(j.count("managers.2.manager"), 0u);
}

TEST_F(Summary, JsonHasTheEvents)
{
    auto j = json();
    const char *const names[] = {"INST_RETIRED", "L1D_CACHE", "cycles"};

    for (size_t i = 0; i < 3; i++) {
        const std::string at = "events." + std::to_string(i) + ".";
        const cs_pmcu_event_result &e = pmcu.results->events[i];

        EXPECT_EQ(j[at + "event"], std::to_string(e.event));
        EXPECT_EQ(j[at + "name"], names[i]);
        EXPECT_EQ(j[at + "truth"], std::to_string(e.truth));
        EXPECT_EQ(j[at + "sampled"], std::to_string(e.sampled));
        EXPECT_EQ(j[at + "subsamples"], "2");
        EXPECT_NEAR(std::stod(j[at + "scaled"]), e.scaled, e.scaled * 1e-8);
        EXPECT_NEAR(std::stod(j[at + "error"]), e.error, std::abs(e.error) * 1e-8);
    }
    EXPECT_EQ(j.count("events.3.event"), 0u);
}

TEST_F(Summary, TextAndJsonSayTheSame)
{
    auto j = json();
    const std::string t = text();
    const std::pair<const char *, const char *> counts[] = {
        {"CPUs that counted", "cpus"},
        {"triggers", "triggers"},
        {"interrupts", "interrupts"},
        {"subsamples committed", "subsamples"},
        {"bytes of samples", "sample_bytes"},
        {"bytes handed to perf", "aux_bytes"},
        {"bus transactions", "bus_transactions"},
        {"scenario", "scenario"},
        {"ended", "ended"},
    };
    const std::pair<const char *, const char *> fractions[] = {
        {"bus paths busy", "bus_busy"},
        {"blind fraction", "blind_fraction"},
        {"share of one CPU", "software_fraction"},
    };
    char expected[512];

    for (const auto &[label, key] : counts)
        EXPECT_EQ(figure(t, label), j[key]) << label;
    for (const auto &[label, key] : fractions) {
        snprintf(expected, sizeof expected, "%.3f %%", 100 * std::stod(j[key]));
        EXPECT_EQ(figure(t, label), expected) << label;
    }
    EXPECT_EQ(figure(t, "simulated"), "4.000 us");
    EXPECT_EQ(figure(t, "wall time"), "1.235 ms");
    EXPECT_EQ(figure(t, "blind time"), j["blind_ns"] + " ns");
    EXPECT_EQ(figure(t, "stop skew, largest"), j["stop_skew_ns"] + " ns");
    for (size_t i = 0; i < 3; i++) {
        const std::string at = "events." + std::to_string(i) + ".";

        snprintf(expected, sizeof expected, "%s %s %.3f%%",
                 cs_digits_of(std::stoull(j[at + "truth"])).text,
                 cs_digits_real(std::stod(j[at + "scaled"])).text,
                 100 * std::stod(j[at + "error"]));
        EXPECT_EQ(std::regex_replace(figure(t, j[at + "name"]), std::regex(" +"), " "), expected);
    }
}

TEST_F(Summary, TheTerminalGetsTheFirstEvents)
{
    const std::string t = text(1);

    EXPECT_NE(t.find("INST_RETIRED"), std::string::npos);
    EXPECT_EQ(t.find("L1D_CACHE"), std::string::npos);
    EXPECT_NE(t.find("and 2 more events"), std::string::npos) << t;
    EXPECT_EQ(text(3).find("more events"), std::string::npos);
    EXPECT_EQ(text(100).find("more events"), std::string::npos);
}

TEST_F(Summary, AnythingInAPhraseIsStillJson)
{
    summary.ended = "a \"quoted\" \\ phrase\n\tof two lines";
    FILE *out = fopen(temp.file("s.json").c_str(), "w");
    cs_summary_json(&summary, out);
    fclose(out);

    EXPECT_NO_THROW(json_flat(temp.file("s.json"))) << temp.read("s.json");
}

TEST(SummaryEmpty, NoEventsNoCycles)
{
    TempFolder temp;
    Feed feed;
    cs_pmcu_part pmcu = {};
    cs_summary summary = {};

    summary.scenario = feed.scenario;
    pmcu.results = feed.finish();
    summary.parts[CS_PART_pmcu] = &pmcu;
    summary.parts[CS_PART_bus] = &feed.carried;
    summary.ended = "cut";
    FILE *out = fopen(temp.file("s.json").c_str(), "w");
    cs_summary_json(&summary, out);
    cs_summary_text(&summary, 0, stdout);
    fclose(out);

    auto j = json_flat(temp.file("s.json"));
    EXPECT_EQ(std::stod(j["bus_busy"]), 0.0);
    EXPECT_EQ(j.count("events.0.event"), 0u);
}

TEST(SummaryNs, RoundsDownAndDoesNotOverflow)
{
    Feed feed({"bus.clock_mhz=2500", "corepmu.clock_mhz=2500"});

    EXPECT_EQ(cs_summary_ns(feed.scenario, 0), 0u);
    EXPECT_EQ(cs_summary_ns(feed.scenario, 2), 0u);
    EXPECT_EQ(cs_summary_ns(feed.scenario, 5), 2u);
    EXPECT_EQ(cs_summary_ns(feed.scenario, 1ull << 62), (1ull << 62) / 5 * 2 + 1);
}
