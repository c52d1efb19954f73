// SPDX-License-Identifier: Apache-2.0
// What the summary tells of IMC: figures, counts, functions; in text and JSON alike.
#include <cstdio>
#include <regex>

#include <gtest/gtest.h>

#include "results/common/counts.h"
#include "results/imc_feed.hpp"
#include "results/summary.h"
#include "scenario/machine/software_spec.h"
#include "support/json_flat.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

struct SummaryImc : testing::Test {
    TempFolder temp;
    ImcFeed feed;
    cs_imc_part imc = {};
    cs_imc_software_part software = {};
    cs_functions_part functions = {};
    cs_counts_part counted = {};
    cs_summary summary = {};
    cs_counted counts[2] = {
        count("core_imc", "CPM_CS_INST", 2, 1000, 99000, 200, 512, 100000),
        count("core_imc", "CPM_CS_INST_USER", 3, 5, 6, 7, 512, 0, 1),
    };

    static cs_counted count(const char *pmu, const char *name, unsigned cpu, cs_cycle from,
                            cs_cycle to, uint64_t raw, double scale, uint64_t truth,
                            unsigned command = 0)
    {
        cs_count c = {};

        c.command = command;
        c.pmu = pmu;
        c.name = name;
        c.cpu = cpu;
        c.from = from;
        c.to = to;
        c.enabled = c.running = to - from;
        c.raw = raw;
        cs_counted one = cs_counted_of(&c, truth);
        cs_counted_scale(&one, scale);
        return one;
    }

    void SetUp() override
    {
        counted.list = cs_spill_create(sizeof(cs_counted));
        summary.scenario = feed.scenario;
        summary.end_cycle = 4000;
        summary.ended = "perf has ended";
    }
    ~SummaryImc() override
    {
        cs_spill_destroy(counted.list);
    }
    void put(const std::vector<cs_counted> &list)
    {
        for (const cs_counted &one : list)
            *static_cast<cs_counted *>(cs_spill_add(counted.list)) = one;
    }
    void samples()
    {
        for (uint64_t pc : {0x1000, 0x10fc, 0x3000, 0x2000})
            feed.put(0, 1000 + pc, pc);
        feed.put(0, 100, feed.context(0, 100).pc ^ 2);
        feed.put(1, 100, 0, CS_SAMPLE_LOST);
        feed.put(1, 110, 0, CS_SAMPLE_LOST);
        feed.put(1, 200, 0, CS_BUS_SLVERR);
    }
    void finish()
    {
        const ImcFeed::Results *r = feed.finish();

        imc.results = r;
        software.made = r->all.records + r->all.lost + r->all.failed;
        functions.records = r->all.records;
        if (functions.records != 0) {
            functions.list = r->functions;
            functions.count = r->nr_functions;
        }
        summary.parts[CS_PART_imc] = &imc;
        summary.parts[CS_PART_nest] = &feed.nest;
        summary.parts[CS_PART_imc_software] = &software;
        summary.parts[CS_PART_functions] = &functions;
        summary.parts[CS_PART_counts] = &counted;
    }
    void report(uint64_t interrupts, uint64_t handler_cycles, uint64_t perf_samples,
                uint64_t lost_samples, uint64_t opal_calls)
    {
        software.present = true;
        software.interrupts = interrupts;
        software.handler_cycles = handler_cycles;
        software.perf_samples = perf_samples;
        software.lost_samples = lost_samples;
        software.opal_calls = opal_calls;
    }
    std::map<std::string, std::string> json()
    {
        FILE *out = fopen(temp.file("s.json").c_str(), "w");

        cs_summary_json(&summary, out);
        EXPECT_EQ(fclose(out), 0);
        return json_flat(temp.file("s.json"));
    }
    std::string text(size_t most = 0)
    {
        FILE *out = fopen(temp.file("s.txt").c_str(), "w");

        cs_summary_text(&summary, most, out);
        EXPECT_EQ(fclose(out), 0);
        return temp.read("s.txt");
    }
};

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

// What follows the label on its line, blanks as one; "" where there is no such line.
std::string line(const std::string &text, const std::string &label)
{
    const size_t at = text.find("\n  " + label + " ");

    if (at == std::string::npos)
        return "";
    const std::string rest = text.substr(at + 4 + label.size());
    return std::regex_replace(rest.substr(0, rest.find('\n')), std::regex("^ +| +(?= )"), "");
}

} // namespace

TEST_F(SummaryImc, FiguresOfTraceMode)
{
    samples();
    feed.post(3, 5);
    finish();
    report(0, 0, 5, 0, 9);
    auto j = json();
    const std::string t = text();
    const struct {
        const char *label, *key, *value;
    } figures[] = {
        {"trace records written", "imc_records", "5"},
        {"samples lost by hardware", "imc_lost", "2"},
        {"failed record writes", "imc_failed", "1"},
        {"nest postings", "nest_postings", "1"},
        {"interrupts (PMI)", "pmi", "0"},
        {"samples in perf", "perf_samples", "5"},
        {"samples not in perf", "perf_lost", "3"}, // 5 written, 2 lost, 1 failed; 5 arrived
        {"OPAL calls", "opal_calls", "9"},
    };

    for (const auto &f : figures) {
        EXPECT_EQ(j[f.key], f.value) << f.key;
        EXPECT_EQ(line(t, f.label), f.value) << f.label << " in\n" << t;
    }
    EXPECT_EQ(j["imc_wrong"], line(t, "records with a wrong PC"));
    EXPECT_EQ(j.count("samples"), 0u) << "nothing of a PMCU that is not there";
    EXPECT_EQ(j.count("triggers"), 0u);
}

TEST_F(SummaryImc, WhatCannotBeIsLeftOutOfTheText)
{
    finish();
    report(0, 0, 0, 0, 3);
    const std::string t = text();
    auto j = json();

    for (const char *absent : {"trace records", "wrong PC", "PMI", "samples in perf", "function"})
        EXPECT_FALSE(has(t, absent)) << absent << " in\n" << t;
    EXPECT_EQ(line(t, "OPAL calls"), "3");
    EXPECT_EQ(line(t, "nest postings"), "0") << "there is a nest";
    EXPECT_EQ(j["imc_records"], "0");
    EXPECT_EQ(j["perf_samples"], "0");
}

TEST_F(SummaryImc, FiguresOfInterrupts)
{
    feed.scenario->software->kinds = CS_SOFTWARE_BIT(CS_SOFTWARE_pmi);
    finish();
    report(40, 120000, 38, 2, 0);
    auto j = json();
    const std::string t = text();

    EXPECT_EQ(j["pmi"], "40");
    EXPECT_EQ(line(t, "interrupts (PMI)"), "40");
    EXPECT_EQ(j["handler_ns"], "120000");
    EXPECT_EQ(line(t, "in interrupt handlers"), "120.000 us");
    EXPECT_EQ(line(t, "samples in perf"), "38");
    EXPECT_EQ(j["perf_lost"], "2");
    EXPECT_EQ(line(t, "samples not in perf"), "2");
    EXPECT_EQ(line(t, "OPAL calls"), "");
}

TEST_F(SummaryImc, CountsAgainstTheTruth)
{
    finish();
    put({counts[0], counts[1]});
    auto j = json();
    const std::string t = text();

    EXPECT_EQ(j["counts.0.command"], "0");
    EXPECT_EQ(j["counts.0.pmu"], "core_imc");
    EXPECT_EQ(j["counts.0.event"], "CPM_CS_INST");
    EXPECT_EQ(j["counts.0.cpu"], "2");
    EXPECT_EQ(j["counts.0.start"], "1000");
    EXPECT_EQ(j["counts.0.stop"], "99000");
    EXPECT_EQ(j["counts.0.raw"], "200");
    EXPECT_DOUBLE_EQ(std::stod(j["counts.0.value"]), 102400);
    EXPECT_EQ(j["counts.0.truth"], "100000");
    EXPECT_NEAR(std::stod(j["counts.0.error"]), 0.024, 1e-9);
    EXPECT_EQ(std::stod(j["counts.1.error"]), 0) << "of nothing there is no error";
    EXPECT_EQ(j.count("counts.2.cpu"), 0u);
    EXPECT_EQ(line(t, "2    CPM_CS_INST"), "99.000 102,400 100,000 2.400%")
        << t << "; read at 99 us";
    EXPECT_EQ(line(t, "3    CPM_CS_INST_USER"), "0.006 3,584 0 0.000%") << t;
}

TEST_F(SummaryImc, FunctionsAgainstTheirWeights)
{
    samples();
    finish();
    auto j = json();
    const std::string t = text();

    for (size_t i = 0; i < functions.count; i++) {
        const cs_function_result &f = functions.list[i];
        const std::string at = "functions." + std::to_string(i) + ".";
        char expected[64];

        EXPECT_EQ(j[at + "name"], f.name);
        EXPECT_EQ(j[at + "samples"], std::to_string(f.samples));
        EXPECT_NEAR(std::stod(j[at + "share"]), f.share, 1e-8);
        EXPECT_NEAR(std::stod(j[at + "truth"]), f.expected, 1e-8);
        snprintf(expected, sizeof expected, "%d %.2f%% %.2f%%", static_cast<int>(f.samples),
                 100 * f.share, 100 * f.expected);
        EXPECT_EQ(line(t, f.name), expected);
    }
}

TEST_F(SummaryImc, TheTerminalGetsTheFirstRows)
{
    samples();
    finish();
    put({counts[0], counts[1]});
    const std::string t = text(1);

    EXPECT_TRUE(has(t, "parse"));
    EXPECT_FALSE(has(t, "solve"));
    EXPECT_TRUE(has(t, "... and 4 more functions (summary.txt has all)")) << t;
    EXPECT_TRUE(has(t, "... and 1 more counts (summary.txt has all)")) << t;
    EXPECT_FALSE(has(text(5), "more functions"));
    EXPECT_FALSE(has(text(5), "more counts"));
}

TEST_F(SummaryImc, NamesAreStillJson)
{
    const cs_counted odd = count("a\"b", "back\\slash\n", 0, 0, 0, 0, 1, 0);

    finish();
    put({odd});
    EXPECT_NO_THROW(json()) << temp.read("s.json");
}

TEST_F(SummaryImc, AValueKeepsItsDigits)
{
    cs_counted large = count("p", "e", 0, 0, 0, 1ull << 60, 1, UINT64_MAX);

    large.value = 1e15 + 0.125;

    finish();
    put({large});
    auto j = json();

    EXPECT_EQ(std::stod(j["counts.0.value"]), 1e15 + 0.125);
    EXPECT_EQ(j["counts.0.truth"], "18446744073709551615");
}
