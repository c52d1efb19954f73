// SPDX-License-Identifier: Apache-2.0
// Exit statuses and messages: 2 bad use or input, 3 I/O (docs/reference.md).
#include <regex>
#include <sstream>
#include <unistd.h>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

using Errors = Command;

struct Case {
    const char *arguments;
    int status;
    const char *message; // within standard error
};

} // namespace

TEST_F(Errors, BadUse)
{
    const Case cases[] = {
        {"", 2, "usage: countersink COMMAND"},
        {"fly", 2, "there is no command 'fly'\n"},
        {"rnu", 2, "there is no command 'rnu'; did you mean 'run'?"},
        {"run --ouptut x small.yaml", 2, "unknown option --ouptut; did you mean --output?"},
        {"decode --solts=3 x", 2, "unknown option --solts=3; did you mean --slots?"},
        {"list --pnus x", 2, "unknown option --pnus; did you mean --pmus?"},
        {"run", 2, "expected at least one scenario, found 0"},
        {"compare small.yaml small.yaml", 2, "expected at most one scenario, found 2"},
        {"run --bogus small.yaml", 2, "unknown option --bogus"},
        {"run -x small.yaml", 2, "unknown option -x"},
        {"run -xy small.yaml", 2, "unknown option -x"},
        {"run small.yaml -xy", 2, "unknown option -x"},
        {"run small.yaml -o", 2, "-o needs a value"},
        {"run small.yaml --set", 2, "--set needs a value"},
        {"compare", 2, "expected one scenario, found 0"},
        {"compare --bogus small.yaml", 2, "unknown option --bogus"},
        {"compare -nq small.yaml", 2, "unknown option -n"},
        {"compare --limit-cycles 0 small.yaml", 2, "expected a number of cycles above 0"},
        {"compare --limit-cycles ten small.yaml", 2, "found 'ten'"},
        {"compare --limit-cycles -5 small.yaml", 2, "found '-5'"},
        {"decode", 2, "expected one file, found 0"},
        {"decode --format xml x", 2, "expected text, csv or json"},
        {"decode --slots 9 x", 2, "found '9', expected 1..8"},
        {"decode --slots 0 x", 2, "found '0', expected 1..8"},
        {"decode -q x", 2, "unknown option -q"},
        {"list --bogus", 2, "unknown option --bogus"},
        {"list keys", 2, "expected no argument, found 'keys'"},
    };

    for (const Case &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << "countersink " << c.arguments;
        EXPECT_TRUE(has(o.err, c.message)) << "countersink " << c.arguments << ":\n" << o.err;
        EXPECT_TRUE(has(o.err, "usage: countersink")) << o.err;
        EXPECT_EQ(o.out, "");
    }
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"});
}

// A search may take hours before it has something to keep.
TEST_F(Errors, AFolderToKeepThingsInMustBeThere)
{
    const Outcome none = run("compare --random 1 --keep none");
    const Outcome file = run("compare --shrink small.yaml --keep small.yaml");

    EXPECT_EQ(none.status, 3);
    EXPECT_EQ(file.status, 3);
    EXPECT_EQ(
        none.err,
        "countersink: none: cannot write into this folder (--keep): No such file or directory\n");
    EXPECT_EQ(file.err,
              "countersink: small.yaml: cannot write into this folder (--keep): Not a directory\n");
}

TEST_F(Errors, ABadScenarioHasItsPlace)
{
    temp.write("key.yaml", "name: x\nbogus: 1\n");
    temp.write("range.yaml", std::string(kScenario) + "bus:\n  clock_mhz: 1\n");
    temp.write("yaml.yaml", "name: x\npmcu: {clusters: 2\n");
    const Case cases[] = {
        {"key.yaml", 2, "countersink: key.yaml:2:1: bogus"},
        {"range.yaml", 2, "countersink: range.yaml:29:14: bus.clock_mhz"},
        {"yaml.yaml", 2, "countersink: yaml.yaml:"},
        {"--set pmcu.lanes=9 small.yaml", 2, "--set pmcu.lanes=9: pmcu.lanes: 9"},
        {"--set lanes small.yaml", 2, "--set lanes"},
        {"nowhere.yaml", 3, "nowhere.yaml"},
        {".", 3, "."},
    };

    for (const char *command : {"run", "compare"})
        for (const Case &c : cases) {
            const Outcome o = run(std::string(command) + " " + c.arguments);

            EXPECT_EQ(o.status, c.status) << command << " " << c.arguments;
            EXPECT_TRUE(has(o.err, c.message)) << command << " " << c.arguments << ":\n" << o.err;
        }
    EXPECT_FALSE(temp.has("runs"));
}

// All that a key shows by itself, in the order of the file; what may follow from it is not told.
TEST_F(Errors, AllMistakesOfAScenarioAtOnce)
{
    temp.write("bad.yaml", R"(name: x
pmcu: {clusterz: 2, slots: 99}
bus: {arbitration: shard}
workloads:
  - cpus: [40]
    segments:
      - cycels: 100
        events: [{event: INST_RETIRD, rate: 1}, {event: BR_RETIRED, rate: much}]
keep: {memory: maybe}
)");
    const char *const lines[] = {
        "bad.yaml:2:8: pmcu.clusterz: there is no such key; did you mean clusters?",
        "bad.yaml:2:28: pmcu.slots: 99",
        "bad.yaml:3:20: bus.arbitration: \"shard\"",
        "bad.yaml:7:9: workloads.0.segments.0.cycels: there is no such key; did you mean cycles?",
        "bad.yaml:8:26: workloads.0.segments.0.events.0.event: there is no event INST_RETIRD; did "
        "you mean INST_RETIRED?",
        "bad.yaml:8:75: workloads.0.segments.0.events.1.rate: \"much\"",
        "bad.yaml:9:16: keep.memory: \"maybe\"",
    };

    for (const char *command : {"run", "check-scenario", "compare"}) {
        const Outcome o = run(std::string(command) + " bad.yaml");
        std::istringstream told(o.err);
        std::string line;

        EXPECT_EQ(o.status, 2);
        for (const char *expected : lines) {
            std::getline(told, line);
            EXPECT_EQ(line.rfind(std::string("countersink: ") + expected, 0), 0u)
                << expected << "\n"
                << line;
        }
        EXPECT_FALSE(std::getline(told, line)) << line;
    }
    // Too many for a message are counted.
    std::string text = "name: x\n";
    for (int i = 0; i < 40; i++)
        text += "bogus_key_with_a_long_name_" + std::to_string(i) + ": 1\n";
    temp.write("many.yaml", text);
    const std::string many = run("check-scenario many.yaml").err;
    EXPECT_TRUE(std::regex_search(many, std::regex("\ncountersink: and [0-9]+ more mistakes\n$")))
        << many;
}

// A guest is a real system, which is brought up and not simulated.
TEST_F(Errors, AGuestIsForBoot)
{
    const std::string guest = "'" CS_SOURCE_DIR "/configs/linux/linux_power9_trace.yaml'";
    temp.write("sweep.yaml",
               "sweep: s\nscenario: " CS_SOURCE_DIR "/configs/linux/linux_power9_trace.yaml\n"
               "vary: [{seed: [1, 2]}]\n");

    for (const std::string &command :
         {"run " + guest, "run small.yaml " + guest, "compare " + guest,
          "compare --shrink " + guest, "trace --format csv -o out " + guest,
          std::string("sweep sweep.yaml")}) {
        const Outcome o = run(command);

        EXPECT_EQ(o.status, 2) << command;
        EXPECT_EQ(o.out, "") << command;
        EXPECT_TRUE(has(o.err, "linux_power9_trace.yaml: has a guest (guest.kind), which only "
                               "`countersink boot` brings up"))
            << command << ":\n"
            << o.err;
        EXPECT_EQ(temp.tree(), (std::set<std::string>{"small.yaml", "sweep.yaml"})) << command;
    }
    EXPECT_EQ(run("check-scenario --quiet " + guest).status, 0);
}

TEST_F(Errors, ADamagedDumpHasItsPlace)
{
    simulate("out");
    const std::string good = temp.read("out/samples.aux");
    temp.write("cut.aux", good.substr(0, good.size() - 1));
    temp.write("header.aux", good.substr(0, 10));
    temp.write("empty.aux", "");
    temp.write("noise.aux", std::string(5000, '\x5a'));
    const Case cases[] = {
        {"cut.aux", 2, "the data end within sample 3, subsample 1"},
        {"header.aux", 2, "byte 10: the data end within the PMCU AUX header"},
        {"empty.aux", 2, "countersink: empty.aux: byte 0"},
        {"noise.aux", 2, "countersink: noise.aux: byte"},
        {"nowhere.aux", 3, "countersink: nowhere.aux: cannot open"},
        {".", 3, "cannot read"},
    };

    for (const Case &c : cases) {
        const Outcome o = run(std::string("decode --slots 2 ") + c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
    }
    temp.write("alone.aux", good);
    const Outcome o = run("decode alone.aux");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "4 CPUs are not a whole number of clusters of 8 slots")) << o.err;
}

TEST_F(Errors, WhatCameBeforeTheDamageIsPrinted)
{
    simulate("out");
    const std::string whole = run("decode --slots 2 -f csv out/samples.aux").out;
    const std::string good = temp.read("out/samples.aux");
    temp.write("cut.aux", good.substr(0, good.size() - 1));

    const Outcome o = run("decode --slots 2 -f csv cut.aux");

    EXPECT_EQ(o.status, 2);
    EXPECT_GT(o.out.size(), whole.size() / 2);
    EXPECT_EQ(o.out, whole.substr(0, o.out.size()));
}

TEST_F(Errors, AnExistingFolderIsRefusedAndUntouched)
{
    std::filesystem::create_directory(temp.path() / "out");
    temp.write("out/mine", "precious");

    const Outcome o = run("run -o out small.yaml");

    EXPECT_EQ(o.status, 3);
    EXPECT_TRUE(has(o.err, "out: exists already")) << o.err;
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"out", "out/mine", "small.yaml"}));
    EXPECT_EQ(temp.read("out/mine"), "precious");
}

TEST_F(Errors, AFolderThatCannotBeMade)
{
    const Outcome o = run("run -o no/such/place small.yaml");

    EXPECT_EQ(o.status, 3);
    EXPECT_TRUE(has(o.err, "no/such/place: cannot make the folder")) << o.err;
    EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"});
}

TEST_F(Errors, AFullDiskUnderStandardOutput)
{
    if (access("/dev/full", W_OK) != 0)
        FAIL() << "no /dev/full here";
    simulate("out");
    for (const char *arguments : {"list", "run -o out2 small.yaml", "compare small.yaml",
                                  "decode --slots 2 out/samples.aux", "--version", "run --help"}) {
        const std::string line = "cd '" + temp.path().string() + "' && '" CS_COMMAND "' " +
                                 arguments + " >/dev/full 2>.err";
        const int status = std::system(line.c_str());

        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << arguments;
        EXPECT_TRUE(has(temp.read(".err"), "written") || has(temp.read(".err"), "cannot write"))
            << arguments << ": " << temp.read(".err");
    }
}
