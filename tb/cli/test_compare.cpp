// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <regex>

#include "cli/shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;

namespace
{

using Compare = Command;

// A PATH with nothing but the compiler of device trees.
std::string bare_path(const TempFolder &temp)
{
    const std::string folder = (temp.path() / "bin").string();
    const std::string line =
        "mkdir -p '" + folder + "' && ln -sf \"$(command -v dtc)\" '" + folder + "'";

    EXPECT_EQ(std::system(line.c_str()), 0);
    return "PATH='" + folder + "'";
}

std::string config(const char *name)
{
    return "'" + config_path(name) + "'";
}

} // namespace

TEST_F(Compare, EqualIsStatus0)
{
    const Outcome o = run("compare small.yaml");

    EXPECT_EQ(o.status, 0) << o.err << o.out;
    EXPECT_TRUE(std::regex_search(
        o.out, std::regex("^EQUAL: [0-9]+ cycles, [0-9]+ records \\([0-9]+ transfers, [0-9]+ "
                          "register accesses, [0-9]+ states, 2 interrupt edges, 8 samples\\), "
                          "[0-9]+ KiB of memory\n")))
        << o.out;
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"}) << "compare writes nothing";
}

TEST_F(Compare, ALockstepScenarioOfTheProject)
{
    const Outcome o = run("compare " + config("pmcu_lockstep_offline.yaml"));

    EXPECT_EQ(o.status, 0) << o.err << o.out;
    EXPECT_TRUE(has(o.out, "EQUAL: ")) << o.out;
}

TEST_F(Compare, ALimitComparesTheBeginning)
{
    const Outcome o = run("compare --limit-cycles 3000 small.yaml");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "EQUAL: 3000 cycles")) << o.out;
    EXPECT_TRUE(has(o.out, "memory not compared")) << o.out;
}

// What perf has got are samples, too.
TEST_F(Compare, SamplesOfHarts)
{
    const Outcome o = run("compare " + config("riscv_lockstep_sample.yaml"));

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_TRUE(std::regex_search(o.out, std::regex(", [1-9][0-9]+ samples\\)"))) << o.out;
}

// Both sides agree that nothing was counted: that is said.
TEST_F(Compare, WarnsAsARunDoes)
{
    const std::string scenario = "--set harts.counters=0 " + config("riscv_lockstep_sample.yaml");
    const Outcome compared = run("compare " + scenario);
    const Outcome ran = run("run -o r " + scenario);

    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_TRUE(has(compared.out, "EQUAL: ")) << compared.out;
    EXPECT_TRUE(has(compared.err, "warning: riscv.perf.1: the kernel refuses ")) << compared.err;
    EXPECT_TRUE(has(compared.err, ran.err)) << ran.err;
    EXPECT_NE(ran.err, "");
}

// A folder without programs stands for a machine without Verilator.
TEST_F(Compare, ADieThatNoRtlHoldsAndNoVerilator)
{
    const Outcome o = run("compare --set pmcu.clusters=16 small.yaml", "PATH=/nowhere");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "no ready-made die has pmcu: 16 clusters, 2 slots, 8 counters, 1 lane"))
        << o.err;
    EXPECT_TRUE(has(o.err, "small (pmcu: 2 clusters, 4 slots, ")) << o.err;
    EXPECT_TRUE(has(o.err, "large (pmcu: 4 clusters, 8 slots, ")) << o.err;
    EXPECT_TRUE(has(o.err, "verilator is not in PATH")) << o.err;
    EXPECT_TRUE(has(o.err, "install Verilator 5")) << o.err;
    EXPECT_EQ(o.out, "");

    const Outcome kept =
        run("compare --die-cache dies --set pmcu.clusters=16 small.yaml", "PATH=/nowhere");
    EXPECT_EQ(kept.status, 2);
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"}) << "no lock stays";
}

TEST_F(Compare, ACacheThatCannotBeWritten)
{
    const std::string arguments = "compare --set pmcu.clusters=16 ";
    const Outcome option = run(arguments + "--die-cache /proc/nowhere small.yaml");
    const Outcome variable = run(arguments + "small.yaml", "COUNTERSINK_CACHE=small.yaml");

    EXPECT_EQ(option.status, 3);
    EXPECT_TRUE(has(option.err, "/proc/nowhere: cannot be made")) << option.err;
    EXPECT_EQ(variable.status, 3);
    EXPECT_TRUE(has(variable.err, "small.yaml: ")) << variable.err;
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"});
}

// What is in the cache is executed.
TEST_F(Compare, ACacheThatOthersMayWriteTo)
{
    std::filesystem::create_directory(temp.path() / "cache");
    std::filesystem::permissions(temp.path() / "cache", std::filesystem::perms::all);
    const Outcome o =
        run("compare --die-cache cache --set pmcu.clusters=16 small.yaml", "PATH=/nowhere");

    EXPECT_EQ(o.status, 3);
    EXPECT_TRUE(has(o.err, "cache: others may write to it")) << o.err;
    EXPECT_TRUE(has(o.err, "chmod go-w")) << o.err;
}

TEST_F(Compare, NoThreadForTheDie)
{
    const Outcome o = run("compare small.yaml", preload(CS_THREADS));

    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_TRUE(has(o.err, "no thread for the die: Resource temporarily unavailable")) << o.err;
    EXPECT_EQ(o.out, "");
}

// The die of one core with 31 counters is made once, and taken by all tests that ask for it; also
// where the cache is named from here.
TEST_F(Compare, ADieThatIsMadeOnDemandIsKept)
{
    const std::string cached =
        "COUNTERSINK_CACHE='" +
        std::filesystem::relative(CS_DIE_CACHE, std::filesystem::canonical(temp.path())).string() +
        "'";
    const std::string scenario = config("pmcu_die_one_core.yaml");
    const Outcome first = run("compare --exact-die " + scenario, cached);
    const Outcome second = run("compare " + scenario, cached + " PATH=/nowhere");

    EXPECT_EQ(first.status, 0) << first.err << first.out;
    EXPECT_EQ(second.status, 0) << second.err << second.out;
    EXPECT_TRUE(has(second.out, "EQUAL: ")) << second.out;
    EXPECT_EQ(second.err, "");
}

TEST_F(Compare, TheHeadlineIsTooLongAndSaysSo)
{
    const std::string headline = config("pmcu_headline.yaml");
    const Outcome o = run("compare " + headline);

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "million cycles")) << o.err;
    EXPECT_TRUE(has(o.err, " kcycle/s)")) << o.err;
    EXPECT_FALSE(has(o.err, "e+")) << o.err;
    EXPECT_TRUE(std::regex_search(o.err, std::regex("about [0-9]+ minutes"))) << o.err;
    EXPECT_TRUE(has(o.err, "--limit-cycles")) << o.err;
    EXPECT_TRUE(has(o.err, "--no-time-limit")) << o.err;

    const Outcome cut = run("compare --limit-cycles 4000 " + headline);
    EXPECT_EQ(cut.status, 0) << cut.err;
    EXPECT_TRUE(has(cut.out, "EQUAL: 4000 cycles")) << cut.out;
}

TEST_F(Compare, PowersScenariosAgree)
{
    const struct {
        const char *name, *warning; // as a run has it
    } scenarios[] = {
        {"imc_lockstep_trace.yaml", "warning: imc_driver.perf.0: CPU 4 had its turn "},
        {"imc_lockstep_chips.yaml", "warning: imc_driver.perf.1: the core of CPU 2 lost HTM_MODE"},
        {"imc_lockstep_nest.yaml", ""},
        {"imc_lockstep_power10_nest.yaml", ""}};

    for (const auto &[name, warning] : scenarios) {
        const Outcome o = run("compare " + config(name));

        EXPECT_EQ(o.status, 0) << o.err << o.out;
        EXPECT_TRUE(std::regex_search(
            o.out, std::regex("^EQUAL: [0-9]+ cycles, [0-9]+ records \\([0-9]+ transfers, [0-9]+ "
                              "register accesses, [0-9]+ states, 0 interrupt edges, [1-9][0-9]* "
                              "samples\\), [1-9][0-9]* KiB of memory\n")))
            << name << ": " << o.out;
        EXPECT_EQ(o.err.substr(0, std::string(warning).size()), warning);
        EXPECT_EQ(o.err.empty(), *warning == '\0') << o.err;
    }
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"}) << "compare writes nothing";
}

TEST_F(Compare, HartsScenariosAgree)
{
    for (const char *name : {"riscv_lockstep_sample.yaml", "riscv_lockstep_rv32_delegated.yaml"}) {
        const Outcome o = run("compare " + config(name));

        EXPECT_EQ(o.status, 0) << o.err << o.out;
        EXPECT_TRUE(std::regex_search(
            o.out, std::regex("^EQUAL: [0-9]+ cycles, [0-9]+ records \\([1-9][0-9]* transfers, "
                              "[1-9][0-9]* register accesses, 0 states, [1-9][0-9]* interrupt "
                              "edges, [1-9][0-9]* samples\\), [1-9][0-9]* KiB of memory\n")))
            << name << ": " << o.out;
        EXPECT_EQ(o.err, "");
    }
}

TEST_F(Compare, ADieOfPowersThatNoRtlHolds)
{
    const struct {
        const char *options, *wanted;
    } cases[] = {
        {"--set imc.cores=3 ", "has imc: 3 cores, 4 threads; there are: small (pmcu: 2 clusters"},
        {"--set pmcu.clusters=1 --set workloads.0.cpus=8-15 --set perf.0.cpus=8-9 ",
         "has pmcu: 1 clusters, 8 slots, 8 counters, 1 lanes; imc: 2 cores, 4 threads; there are"},
    };

    for (const auto &c : cases) {
        const Outcome o =
            run(std::string("compare ") + c.options + config("imc_lockstep_trace.yaml"),
                bare_path(temp));

        EXPECT_EQ(o.status, 2);
        EXPECT_TRUE(has(o.err, c.wanted)) << o.err;
        EXPECT_TRUE(has(o.err, "imc (ports: 3 ports; imc: 2 cores, 4 threads; nest)")) << o.err;
        EXPECT_EQ(o.out, "");
    }
    const Outcome nest =
        run("compare --set nest.present=true --set pmcu.clusters=3 small.yaml", "PATH=/nowhere");
    EXPECT_EQ(nest.status, 2);
    EXPECT_TRUE(has(nest.err, "pmcu: 3 clusters, 2 slots, 8 counters, 1 lanes; nest; there"))
        << nest.err;
}
