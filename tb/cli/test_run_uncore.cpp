// SPDX-License-Identifier: Apache-2.0
// `countersink run` with perf on uncore units: what the files say, against each other.
#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Cells = std::vector<std::string>;

struct RunUncore : Command {
    // The warning has `warned`; empty: there is none.
    void simulate(const std::string &arguments, const std::string &warned = "")
    {
        const Outcome o = run("run -o out " + arguments);

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err.empty(), warned.empty()) << o.err;
        EXPECT_TRUE(has(o.err, warned)) << o.err;
        text = o.out;
        json = json_flat(temp.file("out/summary.json"));
    }
    Cells ask(const std::string &sql)
    {
        return Database(temp.file("out/truth.sqlite")).ask(sql);
    }
    std::string text;
    std::map<std::string, std::string> json;
};

} // namespace

TEST_F(RunUncore, OneListStarves)
{
    simulate("--set way=global " + config_path("uncore_rotation.yaml"));

    EXPECT_EQ(json["uncore_wrong"], "0");
    EXPECT_LT(std::stod(json["least_share"]), 0.17);
    EXPECT_GT(std::stod(json["most_error"]), 0.9) << "of the one in bursts";
    EXPECT_EQ(ask("SELECT count(*), sum(running <= enabled), count(scaled) FROM rotated"),
              Cells{"12|12|12"});
    EXPECT_EQ(ask("SELECT name, cpu, why FROM unit"), (Cells{"A|2|near", "B|2|near", "C|2|near"}));
    EXPECT_EQ(ask("SELECT sum(accesses) FROM unit"), Cells{json["register_accesses"]});
    // On each unit never more than its two counters' time.
    EXPECT_EQ(ask("SELECT count(*) FROM (SELECT sum(running) AS r, max(enabled) AS e FROM rotated "
                  "GROUP BY unit HAVING r > 2 * e)"),
              Cells{"0"});
}

TEST_F(RunUncore, AListAUnitIsFair)
{
    simulate("--set way=per_pmu " + config_path("uncore_rotation.yaml"));

    EXPECT_EQ(json["uncore_wrong"], "0");
    EXPECT_LT(std::stod(json["most_error"]), 0.01);
    for (unsigned i = 0; i < 3; i++)
        EXPECT_GT(std::stod(json["rotated_commands." + std::to_string(i) + ".jain"]), 0.9999);
    EXPECT_TRUE(has(text, "chosen because"));
    EXPECT_TRUE(has(text, "fairness (Jain)"));
    EXPECT_FALSE(has(text, "subsamples committed")) << "nobody drives the PMCU";
}

TEST_F(RunUncore, ThrottlingSavesTime)
{
    simulate("--set way=every_tick " + config_path("uncore_throttle.yaml"));
    const double every = std::stod(json["rotating_ns"]);
    EXPECT_GT(every, 5e8);
    EXPECT_EQ(json["uncore_wrong"], "0");

    EXPECT_EQ(run("run -o two --set way=adaptive " + config_path("uncore_throttle.yaml")).status,
              0);
    auto adaptive = json_flat(temp.file("two/summary.json"));
    EXPECT_LT(std::stod(adaptive["rotating_ns"]), every / 20);
    EXPECT_EQ(adaptive["uncore_wrong"], "0");
    EXPECT_EQ(Database(temp.file("two/truth.sqlite"))
                  .ask("SELECT path FROM unit WHERE cpu IS NOT NULL ORDER BY unit"),
              (Cells{"rack0/blade0/chip0/memctl0", "rack1/switch0"}));
}

// Counters that wrap faster than they are read: told by the software, and by the truth.
TEST_F(RunUncore, ReadsThatAreOverdue)
{
    temp.write("narrow.yaml", R"(
pmcu: {clusters: 1, slots: 1}
uncore:
  bridges: [{}]
  units: [{name: mc, width: 10}]
software: {kind: uncore}
perf: [{stat: [uncore/event=0/], stop: 900us}]
)");
    simulate("narrow.yaml", "warning: 1 counts of uncore units are wrong: their counters wrapped");
    EXPECT_GT(std::stoul(json["overdue_reads"]), 50u);
    EXPECT_EQ(json["uncore_wrong"], "1");
    EXPECT_EQ(ask("SELECT wrong FROM unit"), Cells{"1"});
    EXPECT_TRUE(has(text, "overdue reads "));

    EXPECT_EQ(run("run -o two narrow.yaml --set uncore.units.0.width=24").status, 0);
    EXPECT_EQ(json_flat(temp.file("two/summary.json"))["uncore_wrong"], "0");
}

// By interrupts nothing wraps unseen; what handlers lose is a figure of its own, and all that is missing.
TEST_F(RunUncore, OverflowInterrupts)
{
    temp.write("wrap.yaml", R"(
pmcu: {clusters: 1, slots: 1}
uncore:
  bridges: [{}]
  units: [{name: mc, width: 20}]
software: {kind: uncore}
uncore_driver: {wrap: interrupt}
perf: [{stat: [uncore/event=0/], stop: 9ms}]
)");
    simulate("wrap.yaml");
    EXPECT_EQ(json["uncore_wrong"], "0");
    EXPECT_EQ(json["rotating_interrupts"], "17");
    const long lost = std::stol(json["uncore_lost"]);
    EXPECT_GE(lost, 17 * 5);
    EXPECT_NEAR(std::stol(ask("SELECT raw + " + json["uncore_lost"] + " FROM rotated")[0]), 8999000,
                2000)
        << "the clock of 9 ms, but for the beginning and the end";
    EXPECT_EQ(run("run -o timer wrap.yaml --set uncore_driver.wrap=timer").status, 0);
    const auto timer = json_flat(temp.file("timer/summary.json"));
    EXPECT_EQ(timer.at("rotating_interrupts"), "0");
    EXPECT_EQ(timer.count("uncore_lost"), 0u);
}

// The die has a PMCU, but nobody asks it.
TEST_F(RunUncore, AScriptOfUnitsLeavesThePmcuOut)
{
    simulate(config_path("uncore_lockstep_script.yaml"));
    EXPECT_FALSE(has(text, "subsamples committed")) << text;
    EXPECT_EQ(json.count("samples"), 0u);
    EXPECT_FALSE(temp.has("out/samples.aux"));
}

// A run that is cut has told nothing yet: no count is wrong.
TEST_F(RunUncore, Cut)
{
    simulate("--set way=global --set limit_cycles=3000000 " + config_path("uncore_rotation.yaml"));
    EXPECT_EQ(json["uncore_wrong"], "0");
    EXPECT_EQ(json["rotated_events"], "0");
    EXPECT_GT(std::stoul(json["register_accesses"]), 10u);
}
