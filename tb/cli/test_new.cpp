// SPDX-License-Identifier: Apache-2.0
// new, check-scenario, explain: from nothing to a scenario of one's own.
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

using New = Command;

std::vector<std::string> purposes(const std::string &list)
{
    std::istringstream lines(list);
    std::vector<std::string> names;

    for (std::string line; std::getline(lines, line);)
        if (line.size() > 3 && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

// The first line is for editors, and names a file; the rest stays.
void names_the_schema(std::string &text)
{
    const std::string modeline = "# yaml-language-server: $schema=";
    const std::string line = text.substr(0, text.find('\n'));

    ASSERT_EQ(line.rfind(modeline, 0), 0u) << text;
    EXPECT_TRUE(std::filesystem::exists(line.substr(modeline.size()))) << line;
    text.erase(0, line.size() + 1);
}

} // namespace

TEST_F(New, EachPurposeRunsAndSamplesOrCounts)
{
    const auto names = purposes(run("new --list").out);

    ASSERT_GE(names.size(), 5u);
    for (const std::string &name : names) {
        const Outcome made = run("new " + name + " -o " + name + ".yaml");
        ASSERT_EQ(made.status, 0) << made.err;
        std::string text = temp.read(name + ".yaml");
        names_the_schema(text);
        EXPECT_EQ(text.substr(0, 2), "# ");
        EXPECT_FALSE(has(text, CS_SOURCE_DIR)) << "works elsewhere, too";
        EXPECT_FALSE(has(text, ", a cycle")) << "whose cycle?";
        const Outcome good = run("check-scenario --strict " + name + ".yaml");
        EXPECT_EQ(good.status, 0) << name;
        EXPECT_EQ(good.err, "") << "no remark";
        const Outcome ran = run("run -o " + name + " " + name + ".yaml");
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_EQ(ran.err, "") << name;
        EXPECT_FALSE(has(ran.out, "limit_cycles")) << ran.out;
    }
}

// A scenario may name a file that comes with the command, wherever it lies.
TEST_F(New, FilesThatComeWithTheCommand)
{
    ASSERT_EQ(run("new imc-trace -o t.yaml").status, 0);
    std::filesystem::create_directory(temp.path() / "far");
    std::filesystem::rename(temp.path() / "t.yaml", temp.path() / "far/t.yaml");
    EXPECT_EQ(run("check-scenario far/t.yaml").status, 0);
    EXPECT_EQ(run("check-scenario far/t.yaml --set catalog='<riscv/riscv_pmu.dts>'").status, 2);
    const Outcome o = run("check-scenario far/t.yaml --set catalog='<imc/nowhere.dts>'");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "<imc/nowhere.dts>: ")) << o.err;
    EXPECT_TRUE(has(o.err, "No such file")) << o.err;
}

// What a scenario says is said of the copy, too, but for its name; files are found from anywhere.
TEST_F(New, FromAShippedScenario)
{
    std::ifstream in(CS_SOURCE_DIR "/configs/sbi/riscv_find.yaml");
    const std::string original{std::istreambuf_iterator<char>(in), {}};
    const std::string map = "\"" CS_SOURCE_DIR "/configs/riscv/riscv_pmu.dts\"";
    ASSERT_EQ(run("new --from configs/sbi/riscv_find.yaml -o far.yaml").status, 0);
    std::string copy = temp.read("far.yaml");

    names_the_schema(copy);
    std::istringstream lines(original);
    std::string expected;
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("# yaml-language-server:", 0) != 0 && line.rfind("name:", 0) != 0) {
            const size_t at = line[0] != '#' ? line.find("../riscv/riscv_pmu.dts") : line.npos;
            expected += (at != line.npos ? line.replace(at, 22, map) : line) + "\n";
        }
    EXPECT_TRUE(has(expected, map));
    EXPECT_EQ(copy, expected);
    EXPECT_EQ(run("check-scenario far.yaml").status, 0);
    const Outcome ran = run("run -o out --set limit_cycles=1000 --set way=boolean far.yaml");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(has(temp.read("out/summary.json"), "\"far\"")) << temp.read("out/summary.json");
}

TEST_F(New, FromAScenarioOfOnesOwn)
{
    std::filesystem::create_directory(temp.path() / "a b");
    std::filesystem::copy(CS_SOURCE_DIR "/configs/imc/power9_small.dts",
                          temp.path() / "a b/t\".dts");
    temp.write("a b/own.yaml", "catalog: 't\".dts' # not 't\".dts'\nimc: {cores: 1, threads: 1}\n"
                               "software: {kind: none}\nlimit_cycles: 10\n");
    ASSERT_EQ(run("new --from 'a b/own.yaml' -o here.yaml").status, 0);
    EXPECT_TRUE(has(temp.read("here.yaml"), "/a b/t\\\".dts\" # not 't\".dts'\n"))
        << temp.read("here.yaml");
    EXPECT_EQ(run("check-scenario here.yaml").status, 0);
    std::filesystem::remove(temp.path() / "here.yaml");
    temp.write("bad.yaml", "pmcu: {clusterz: 2}\n");
    EXPECT_EQ(run("new --from bad.yaml -o here.yaml").status, 2);
    const Outcome none = run("new --from configs/pmcu/nowhere.yaml -o here.yaml");
    EXPECT_EQ(none.status, 3);
    EXPECT_TRUE(has(none.err, "configs/pmcu/nowhere.yaml: there is no such file")) << none.err;
    EXPECT_TRUE(has(none.err, "list --examples")) << none.err;
    EXPECT_EQ(run("new pmcu-sampling --from small.yaml").status, 2);
    EXPECT_EQ(run("new --from small.yaml -o bad.yaml").status, 3); // nothing is replaced
    EXPECT_FALSE(temp.has("here.yaml"));
}

TEST_F(New, BadUse)
{
    EXPECT_TRUE(has(run("new pmcu-samplng").err, "did you mean 'pmcu-sampling'?"));
    EXPECT_EQ(run("new").status, 2);
    EXPECT_EQ(run("new pmcu-sampling -o small.yaml").status, 3); // nothing is replaced
    EXPECT_EQ(temp.read("small.yaml"), kScenario);
    EXPECT_TRUE(has(run("new pmcu-sampling").out, "pmcu_driver:"));
}

TEST_F(New, CheckScenarioRemarksWhatNobodyBelieves)
{
    temp.write("odd.yaml", "pmcu: {clusters: 1}\nsoftware: {kind: script}\nscript: [{delay: 1}]\n"
                           "workloads: [{segments: [{events: [{event: INST_RETIRED, rate: 1}, "
                           "{event: BR_RETIRED, rate: 2}]}]}]\n");
    const Outcome odd = run("check-scenario --strict odd.yaml");

    EXPECT_EQ(odd.status, 0) << "it is no warning";
    EXPECT_EQ(odd.err, "remark: odd.yaml: workloads.0.segments.0: more branches than instructions "
                       "(BR_RETIRED counts 2 in a core cycle, INST_RETIRED 1)\n");
    EXPECT_EQ(run("check-scenario --quiet odd.yaml").err, "");
}

TEST_F(New, CheckScenarioSaysWhatIsWrongAndRunsNothing)
{
    temp.write("bad.yaml", "pmcu: {clusterz: 2}\n");
    const Outcome bad = run("check-scenario small.yaml bad.yaml");

    EXPECT_EQ(bad.status, 2);
    EXPECT_TRUE(has(bad.out, "small.yaml: good\n")) << bad.out;
    EXPECT_TRUE(has(bad.err, "bad.yaml:1:8: ")) << bad.err;
    EXPECT_TRUE(has(bad.err, "clusters")) << bad.err;
    EXPECT_EQ(run("check-scenario --quiet small.yaml").out, "");
    EXPECT_EQ(run("check-scenario nowhere.yaml").status, 3);
    EXPECT_EQ(run("check-scenario --set pmcu.slots=99 small.yaml").status, 2);
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"bad.yaml", "small.yaml"}));
}

TEST_F(New, CheckScenarioAsATable)
{
    temp.write("bad.yaml", "pmcu: {clusterz: 2}\nbus: {clock_mhz: 1}\n");
    const Outcome o = run("check-scenario -f csv small.yaml bad.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out.rfind("scenario,way,kind,text\n", 0), 0u) << o.out;
    EXPECT_TRUE(has(o.out, "\nsmall.yaml,,remark,handler: ")) << o.out;
    EXPECT_TRUE(has(o.out, "\nsmall.yaml,,good,\nbad.yaml,,error,bad.yaml:1:8: pmcu.clusterz: "))
        << o.out;
    EXPECT_TRUE(has(o.out, "\nbad.yaml,,error,bad.yaml:2:18: bus.clock_mhz: ")) << o.out;
    EXPECT_TRUE(has(run("check-scenario -f json bad.yaml").out, "\"kind\": \"error\""));
    EXPECT_EQ(run("check-scenario -f xml small.yaml").status, 2);
}

// A way that is bad is found though the first one is good.
TEST_F(New, CheckScenarioTriesAllWays)
{
    temp.write("ways.yaml", std::string(kScenario) +
                                "ways:\n  - {name: a, set: {}}\n"
                                "  - {name: b, set: {pmcu_driver: {nr_sample: -1}}}\n");
    EXPECT_EQ(run("check-scenario ways.yaml").status, 2);
}

TEST_F(New, ExplainTellsAllOfAKey)
{
    const Outcome o = run("explain bus.clock_mhz");

    EXPECT_EQ(o.status, 0) << o.err;
    for (const char *part :
         {"50..10000 MHz", "default   1000", "unit      MHz", "page ", "used by"})
        EXPECT_TRUE(has(o.out, part)) << part << ": " << o.out;
    EXPECT_TRUE(has(run("explain uncore.units.0.counters").out, "uncore.units[].counters\n"));
    EXPECT_TRUE(has(run("explain arbitration").out, "per_target "));
    EXPECT_TRUE(has(run("explain pmcu").out, "Below it:\n"));
    EXPECT_TRUE(has(run("explain bus.clok_mhz").err, "did you mean 'bus.clock_mhz'?"));
    EXPECT_TRUE(has(run("explain pmcu.slotz").err, "did you mean 'pmcu.slots'?"));
    EXPECT_TRUE(has(run("explain nr_sampel").err, "did you mean 'pmcu_driver.nr_sample'?"));
    EXPECT_EQ(run("explain nothing_like_it").status, 2);
    EXPECT_TRUE(has(run("explain pmcu.slots_per_cluster").err, "did you mean 'pmcu.slots'?"));
    const Outcome several = run("explain nothing_like_it pmcu.slots nothing_else");
    EXPECT_EQ(several.status, 2);
    EXPECT_TRUE(has(several.out, "pmcu.slots\n")) << several.out;
    EXPECT_TRUE(has(several.err, "nothing_else")) << several.err;
}

// A shape that stands in several places: its keys are explained in each.
TEST_F(New, ExplainKnowsAKeyInEachOfItsPlaces)
{
    const Outcome o = run("explain nest.segments.0.cycles");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "nest.segments[].cycles\n")) << o.out;
    EXPECT_TRUE(has(run("explain workloads.0.segments.0.cycles").out, "bus cycles"));
    EXPECT_EQ(run("explain 'nest.segments[0]'").status, 0);
}

TEST_F(New, ExplainListsKeysThatEndTheSame)
{
    for (const char *word : {"sample_period", "cycles"}) {
        const Outcome o = run(std::string("explain ") + word);

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(has(o.out, "keys have this name:\n")) << o.out;
    }
    const std::string list = run("explain sample_period").out;
    EXPECT_TRUE(has(list, "\n  riscv.perf[].sample_period ")) << list;
    EXPECT_TRUE(has(list, "\n  imc_driver.perf[].sample_period ")) << list;
}

// As summary.json, a sweep and summary.txt call it.
TEST_F(New, ExplainKnowsFigures)
{
    for (const char *name : {"blind_fraction", "'Blind fraction'"}) {
        const Outcome o = run(std::string("explain ") + name);

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(has(o.out, "blind_fraction, a figure of results\n")) << o.out;
        EXPECT_TRUE(has(o.out, "printed   blind fraction\n")) << o.out;
        EXPECT_TRUE(has(o.out, "unit      fraction\n")) << o.out;
    }
    EXPECT_TRUE(has(run("explain blind").out, "\n  blind_fraction "));
    EXPECT_TRUE(has(run("explain skid").out, "\n  most_skid_ns "));
    EXPECT_TRUE(has(run("explain blind_fracton").err, "did you mean 'blind_fraction'?"));
}

// A row per key; the words of one, and what is below it, have rows of their own.
TEST_F(New, ExplainAsATable)
{
    const Outcome word = run("explain -f csv pmcu.order"),
                  list = run("explain -f csv sample_period"),
                  section = run("explain --format json bus"), hits = run("explain -f csv cluster"),
                  none = run("explain -f json pmcu.lanes no_such_key");

    EXPECT_EQ(word.out.rfind("key,allowed,unit,default,text\npmcu.order,", 0), 0u) << word.out;
    EXPECT_TRUE(has(word.out, "\npmcu.order=")) << word.out;
    EXPECT_TRUE(has(list.out, "\nriscv.perf[].sample_period,")) << list.out;
    EXPECT_TRUE(has(section.out, "{\"key\": \"bus.clock_mhz\", \"allowed\": \"50..10000 MHz\", "
                                 "\"unit\": \"MHz\", \"default\": \"1000\", \"text\": \""))
        << section.out;
    EXPECT_TRUE(has(hits.out, "\npmcu.clusters,")) << hits.out;
    EXPECT_TRUE(has(run("explain -f csv blind_fraction").out, "\nblind_fraction,,fraction,,"));
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(has(none.err, "'no_such_key'")) << none.err;
    EXPECT_TRUE(has(none.out, "\"pmcu.lanes\"")) << none.out;
    EXPECT_EQ(run("explain -f xml bus").status, 2);
}

TEST_F(New, ExplainSearchesWords)
{
    const Outcome name = run("explain cluster"), text = run("explain 'CPUs that go off'");

    EXPECT_EQ(name.status, 0) << name.err;
    EXPECT_TRUE(has(name.out, "\n  pmcu.clusters ")) << name.out;
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(has(text.out, "\n  corepmu.outages ")) << text.out;
    EXPECT_EQ(run("explain cLuSter").status, 0);
    EXPECT_EQ(run("explain zz").status, 2);
}
