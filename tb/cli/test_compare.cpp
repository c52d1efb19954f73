#include <regex>

#include "cli/shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;

namespace
{

using Compare = Command;

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
                          "[0-9]+ KiB of memory\n$")))
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

TEST_F(Compare, ADieThatNoRtlHolds)
{
    const Outcome o = run("compare --set pmcu.clusters=16 small.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "16 clusters x 2 slots")) << o.err;
    EXPECT_TRUE(has(o.err, "small (2 x 4")) << o.err;
    EXPECT_TRUE(has(o.err, "large (4 x 8")) << o.err;
    EXPECT_EQ(o.out, "");
}

TEST_F(Compare, TheHeadlineIsTooLongAndSaysSo)
{
    const std::string headline = config("pmcu_headline.yaml");
    const Outcome o = run("compare " + headline);

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "million cycles")) << o.err;
    EXPECT_TRUE(std::regex_search(o.err, std::regex("about [0-9]+ minutes"))) << o.err;
    EXPECT_TRUE(has(o.err, "--limit-cycles")) << o.err;
    EXPECT_TRUE(has(o.err, "--no-time-limit")) << o.err;

    const Outcome cut = run("compare --limit-cycles 4000 " + headline);
    EXPECT_EQ(cut.status, 0) << cut.err;
    EXPECT_TRUE(has(cut.out, "EQUAL: 4000 cycles")) << cut.out;
}

TEST_F(Compare, PowersScenariosAgree)
{
    for (const char *name : {"imc_lockstep_trace.yaml", "imc_lockstep_nest.yaml"}) {
        const Outcome o = run("compare " + config(name));

        EXPECT_EQ(o.status, 0) << o.err << o.out;
        EXPECT_TRUE(std::regex_search(
            o.out, std::regex("^EQUAL: [0-9]+ cycles, [0-9]+ records \\([0-9]+ transfers, [0-9]+ "
                              "register accesses, [0-9]+ states, 0 interrupt edges, [1-9][0-9]* "
                              "samples\\), [1-9][0-9]* KiB of memory\n$")))
            << name << ": " << o.out;
        EXPECT_EQ(o.err, "");
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
                              "edges, 0 samples\\), [1-9][0-9]* KiB of memory\n$")))
            << name << ": " << o.out;
        EXPECT_EQ(o.err, "");
    }
}

TEST_F(Compare, ADieOfPowersThatNoRtlHolds)
{
    const struct {
        const char *options, *wanted;
    } cases[] = {
        {"--set imc.cores=3 ", "holds a die of 3 IMC cores x 4 threads; there is: small (2 x 4"},
        {"--set pmcu.clusters=1 --set workloads.0.cpus=8-15 --set imc_driver.perf.0.cpus=8-9 ",
         "holds a die of 1 clusters x 8 slots, 8 counters, 1 lanes; 2 IMC cores x 4 threads; "
         "there"},
    };

    for (const auto &c : cases) {
        const Outcome o =
            run(std::string("compare ") + c.options + config("imc_lockstep_trace.yaml"));

        EXPECT_EQ(o.status, 2);
        EXPECT_TRUE(has(o.err, c.wanted)) << o.err;
        EXPECT_TRUE(has(o.err, "imc (2 IMC cores x 4 threads, nest)")) << o.err;
        EXPECT_EQ(o.out, "");
    }
    const Outcome nest = run("compare --set nest.present=true --set pmcu.clusters=3 small.yaml");
    EXPECT_EQ(nest.status, 2);
    EXPECT_TRUE(has(nest.err, "holds a die of 3 clusters x 2 slots, 8 counters, 1 lanes, nest;"))
        << nest.err;
}
