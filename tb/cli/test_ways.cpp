// SPDX-License-Identifier: Apache-2.0
// Scenarios with several ways, from outside: the table against what each way's own run folder says.
#include <cmath>
#include <cstdlib>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

const char *const kTwo = R"(name: two
seed: 7
pmcu: {clusters: 1, slots: 2}
workloads:
  - segments:
      - events: [{event: INST_RETIRED, kind: random, rate: 1.7}, {event: L1D_CACHE, rate: 0.613}]
ways:
  - {name: often, text: every 1.2 us, set: {pmcu_driver: {user_events: "08 04", nr_sample: 8, sample_period_ticks: 60}}}
  - {name: seldom, set: {pmcu_driver: {user_events: "08 04", nr_sample: 2, sample_period_ticks: 600}, corepmu: {offline: 1}}}
)";

struct Ways : Command {
    std::map<std::string, std::string> ways;

    Outcome simulate_ways(const std::string &scenario, const std::string &options = "")
    {
        Outcome o = run("run -o out " + options + " " + scenario);

        EXPECT_EQ(o.status, 0) << o.err;
        if (o.status == 0)
            ways = json_flat(temp.file("out/ways.json"));
        return o;
    }
    static std::string config(const std::string &name)
    {
        return "'" + config_path(name) + "'";
    }
    double figure(unsigned way, const std::string &key)
    {
        const std::string text = ways[std::to_string(way) + "." + key];

        return text == "None" ? NAN : std::stod(text);
    }
    Database db(const std::string &way) const
    {
        return Database(temp.file("out/" + way + "/truth.sqlite"));
    }
    std::map<std::string, std::string> summary(const std::string &way) const
    {
        return json_flat(temp.file("out/" + way + "/summary.json"));
    }
};

void near(double a, double b)
{
    EXPECT_NEAR(a, b, 1e-6 * std::fabs(b) + 1e-12);
}

} // namespace

TEST_F(Ways, EachHasItsRunFolderAndItsColumn)
{
    temp.write("two.yaml", kTwo);
    const Outcome o = simulate_ways("two.yaml");

    EXPECT_TRUE(has(o.out, "way often\n")) << o.out;
    EXPECT_TRUE(has(o.out, "often: every 1.2 us\n")) << o.out;
    EXPECT_TRUE(has(o.out, temp.read("out/ways.txt"))) << "the table is printed and kept";
    EXPECT_TRUE(has(o.out, "\nfiles: out\n"));
    for (const char *way : {"often", "seldom"})
        for (const char *file : {"scenario.yaml", "summary.txt", "samples.aux", "truth.sqlite"})
            EXPECT_TRUE(temp.has(std::string("out/") + way + "/" + file)) << way << " " << file;

    EXPECT_EQ(temp.read("out/ways.csv").rfind("figure,label,unit,often,seldom\nsimulated_s,", 0),
              0u);
    EXPECT_EQ(
        temp.read("out/ways.md").rfind("| | often | seldom |\n|---|---:|---:|\n| simulated |", 0),
        0u);
    const std::string csv = temp.read("out/ways.csv");
    const size_t row = csv.find("\nstolen_share,share of all CPUs' time,fraction,");
    ASSERT_NE(row, std::string::npos) << csv;
    near(std::stod(csv.substr(csv.find("fraction,", row) + 9)), figure(0, "stolen_share"));

    // A way's folder holds its scenario: run alone it does the same, byte by byte.
    ASSERT_EQ(run("run -o again out/seldom/scenario.yaml").status, 0);
    EXPECT_EQ(temp.read("again/samples.aux"), temp.read("out/seldom/samples.aux"));
    ASSERT_EQ(run("run -o alone --set way=seldom two.yaml").status, 0);
    EXPECT_EQ(temp.read("alone/samples.aux"), temp.read("out/seldom/samples.aux"));
    EXPECT_FALSE(temp.has("alone/ways.txt"));
}

TEST_F(Ways, ALogIsOfOneWay)
{
    temp.write("two.yaml", kTwo);
    const Outcome all = run("run --log soft two.yaml");

    EXPECT_EQ(all.status, 2);
    EXPECT_TRUE(has(all.err, "--log is for one way, and two.yaml has 2")) << all.err;
}

TEST_F(Ways, FiguresOfThePmcuAreThoseOfTheDatabase)
{
    temp.write("two.yaml", kTwo);
    simulate_ways("two.yaml");

    for (unsigned way : {0u, 1u}) {
        SCOPED_TRACE(way);
        const Database d = db(way == 0 ? "often" : "seldom");
        auto s = summary(way == 0 ? "often" : "seldom");
        const double span = d.real("select (select value from run where key = 'last_stop') - "
                                   "(select value from run where key = 'first_start')") /
                            1e9;

        EXPECT_EQ(figure(way, "estimates"), 2);
        near(figure(way, "mean_error"),
             d.real("select avg(abs(scaled / truth - 1)) from event where not cycle_counter"));
        near(figure(way, "most_error"),
             d.real("select max(abs(scaled / truth - 1)) from event where not cycle_counter"));
        near(figure(way, "readings_per_s"),
             d.real("select avg(subsamples) from event where not cycle_counter") / span);
        near(figure(way, "coverage"),
             figure(way, "readings_per_s") * d.real("select avg(stop - start) from window") / 1e9);
        near(figure(way, "stolen_s"), std::stod(s["software_ns"]) / 1e9);
        near(figure(way, "stolen_share"),
             std::stod(s["software_ns"]) / std::stod(s["simulated_ns"]) / 2);
        near(figure(way, "bus_transactions"), std::stod(s["bus_transactions"]));
        near(figure(way, "bus_busy"), std::stod(s["bus_busy"]));
        near(figure(way, "interrupts"), 1);
        EXPECT_TRUE(std::isnan(figure(way, "samples"))) << "nobody takes samples of a PC";
    }
}

TEST_F(Ways, FiguresOfSamplesAreThoseOfTheDatabase)
{
    simulate_ways(config("offload_vs_perf_imc.yaml"),
                  "--set ways.0.set.perf.0.stop=20100us --set ways.1.set.perf.0.stop=20100us "
                  "--set ways.2.set.perf.0.stop=20100us");

    for (unsigned way = 0; way < 3; way++) {
        SCOPED_TRACE(way);
        const Database d = db(ways[std::to_string(way) + ".way"]);
        const double samples = d.real("select count(*) from perf_sample");

        near(figure(way, "samples"), samples);
        near(figure(way, "samples_per_s"), samples / 8 / figure(way, "simulated_s"));
        near(figure(way, "share_error"), d.real("select avg(abs(share - expected)) from function"));
        near(figure(way, "lost"), way == 0 ? d.real("select count(*) from record") - samples : 0);
        near(figure(way, "interrupts"), way == 0 ? 0 : samples);
        near(figure(way, "sample_cost_s"), figure(way, "stolen_s") / samples);
    }
    // Without interrupts a sample costs the CPUs a small part of what it costs with them.
    EXPECT_LT(figure(0, "sample_cost_s"), figure(1, "sample_cost_s") / 10);
}

TEST_F(Ways, FiguresOfHartsAreThoseOfTheDatabase)
{
    simulate_ways(config("offload_vs_perf_sbi.yaml"), "--set perf.0.stop=10200us");

    for (unsigned way = 0; way < 3; way++) {
        SCOPED_TRACE(way);
        const Database d = db(ways[std::to_string(way) + ".way"]);

        near(figure(way, "estimates"), d.real("select count(*) from count"));
        near(figure(way, "mean_error"),
             d.real("select avg(abs(value * 1.0 / truth - 1)) from count"));
        near(figure(way, "wrong_counts"), d.real("select sum(value <> counted) from count"));
        near(figure(way, "samples"), d.real("select sum(samples) - sum(lost) from hart"));
        near(figure(way, "interrupts"), d.real("select sum(interrupts) from hart"));
        near(figure(way, "firmware_calls"), d.real("select sum(sbi_calls) from hart"));
        near(figure(way, "stolen_s"),
             d.real("select sum(kernel + firmware + guest) from hart") / 1e9);
    }
}

TEST_F(Ways, AWayThatFailsLeavesNothing)
{
    temp.write("two.yaml", kTwo);
    // All ways are loaded before the first one runs.
    const Outcome bad = run("run -o out --set ways.1.set.corepmu.counters=99 two.yaml");
    EXPECT_EQ(bad.status, 2);
    EXPECT_TRUE(has(bad.err, "corepmu.counters: 99 is outside")) << bad.err;
    EXPECT_FALSE(temp.has("out"));

    const Outcome unknown = run("run -o out --set way=never two.yaml");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(has(unknown.err, "\"never\" is none of the ways: often, seldom")) << unknown.err;

    ASSERT_EQ(run("run -o out two.yaml").status, 0);
    const Outcome taken = run("run -o out two.yaml");
    EXPECT_EQ(taken.status, 3);
    EXPECT_TRUE(has(taken.err, "exists already")) << taken.err;
}

// An event that has no counter on such a core reads as zero, which is no estimate.
TEST_F(Ways, WhatHasNoCounterIsNeverCounted)
{
    std::string text = kTwo;
    const std::string events = "user_events: \"08 04\"";

    for (size_t at; (at = text.find(events)) != std::string::npos;)
        text.replace(at, events.size(), "user_events: [0x8, 0x4]");
    temp.write("two.yaml", text);
    simulate_ways("two.yaml", "--set corepmu.counters=1");
    EXPECT_EQ(figure(0, "estimates"), 1);
    EXPECT_EQ(figure(0, "never_counted"), 1);
    EXPECT_LT(figure(0, "most_error"), 0.5);
}

TEST_F(Ways, HartsHaveTheErrorOfFunctionShares)
{
    ASSERT_EQ(run("new riscv-sampling -o r.yaml").status, 0);
    std::string text = temp.read("r.yaml");
    temp.write("w.yaml",
               text + "\nways:\n  - {name: a, set: {seed: 1}}\n  - {name: b, set: {seed: 2}}\n");
    simulate_ways("w.yaml");
    for (unsigned way : {0u, 1u}) {
        const Database d = db(way == 0 ? "a" : "b");

        EXPECT_GT(figure(way, "share_error"), 0);
        EXPECT_LT(figure(way, "share_error"), 0.2);
        EXPECT_GT(figure(way, "samples"), 50);
    }
}
