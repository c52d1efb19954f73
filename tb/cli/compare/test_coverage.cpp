// SPDX-License-Identifier: Apache-2.0
// `compare --coverage` and `coverage`: which declared points were reached.
#include "cli/shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;

namespace
{

struct Coverage : Command {
    // Comparisons into one file.
    void compared(const std::string &arguments)
    {
        const Outcome o = run("compare --coverage c " + arguments);

        EXPECT_EQ(o.status, 0) << o.err << o.out;
    }
};

} // namespace

TEST_F(Coverage, WithoutAFileItSaysWhatThereIsToReach)
{
    const Outcome o = run("coverage --unit pmcu --group arcs --require");

    EXPECT_EQ(o.status, 1) << "nothing was reached";
    EXPECT_TRUE(has(o.out, "pmcu (docs/hw/pmcu.md): 0 of 24\n  arcs       0 of 24\n")) << o.out;
    EXPECT_TRUE(has(o.out, "    not reached: IDLE -> INIT\n")) << o.out;
    EXPECT_FALSE(has(o.out, "imc")) << o.out;
}

TEST_F(Coverage, ARunReachesPointsOnBothSides)
{
    compared("small.yaml");

    const Outcome o = run("coverage --unit pmcu --all c");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "    reached: SWITCH -> FETCH (model 7, RTL 7)\n")) << o.out;
    EXPECT_TRUE(has(o.out, "    not reached: BRK in WAIT\n")) << o.out;
    EXPECT_TRUE(has(o.out, "    reached: the interrupt rises (model 1, RTL 1)\n")) << o.out;
    EXPECT_TRUE(has(o.out, "    reached: write FSM_CFG.NR_PMU = 8 (")) << o.out;
}

TEST_F(Coverage, RunsAreAddedUp)
{
    compared("small.yaml");
    compared("small.yaml");
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"c", "small.yaml"})) << "no lock stays";

    const Outcome twice = run("coverage --unit pmcu --group arcs --all c");
    EXPECT_TRUE(has(twice.out, "SWITCH -> FETCH (model 14, RTL 14)")) << twice.out;
    const Outcome files = run("coverage --unit pmcu --group arcs --all c c");
    EXPECT_TRUE(has(files.out, "SWITCH -> FETCH (model 28, RTL 28)")) << files.out;
}

// A state belongs to the whole cycle: the write is in the state that begins with it.
TEST_F(Coverage, CrossingsKnowTheState)
{
    compared("'" + config_path("pmcu_lockstep_break.yaml") + "'");

    const Outcome o = run("coverage --unit pmcu --group crossings --all c");
    EXPECT_TRUE(has(o.out, "    reached: BRK in WAIT (")) << o.out;
    EXPECT_TRUE(has(o.out, "    not reached: BRK in SWITCH\n")) << o.out;
}

TEST_F(Coverage, AsJsonAndHtml)
{
    compared("small.yaml");

    const Outcome json = run("coverage --format json c");
    temp.write("c.json", json.out);
    const std::string program =
        "import json; d = json.load(open('c.json')); p = d['points']; "
        "assert sum(x['verdict'] == 'reached' for x in p) == d['reached'] > 50; "
        "assert d['declared'] == sum('reason' not in x for x in p); "
        "assert {x['unit'] for x in p} >= {'pmcu', 'corepmu', 'imc', 'nest', 'hpm', 'uncore'}";
    const std::string line = "cd '" + temp.path().string() + "' && python3 -c \"" + program + "\"";
    EXPECT_EQ(std::system(line.c_str()), 0) << json.out;

    const Outcome html = run("coverage -f html c");
    EXPECT_TRUE(has(html.out, "<tr class=\"yes\"><td>arcs</td><td>SWITCH -&gt; FETCH</td>"))
        << html.out;
    EXPECT_TRUE(has(html.out, "</table>\n</body></html>\n"));
}

TEST_F(Coverage, WhatIsNoCoverageFileIsRefused)
{
    temp.write("bad", "hello\n");
    temp.write("worse", "countersink coverage 1\npmcu\tarcs\tIDLE -> INIT\t1\n");
    const Outcome bad = run("coverage bad");
    const Outcome worse = run("coverage worse");
    const Outcome into = run("compare --coverage bad small.yaml");
    const Outcome none = run("coverage nowhere");

    EXPECT_EQ(bad.status, 2);
    EXPECT_TRUE(has(bad.err, "bad:1:1: found 'hello', expected 'countersink coverage 1'"))
        << bad.err;
    EXPECT_EQ(worse.status, 2);
    EXPECT_TRUE(has(worse.err, "worse:2:1: ")) << worse.err;
    EXPECT_EQ(into.status, 2) << into.out;
    EXPECT_EQ(temp.read("bad"), "hello\n");
    EXPECT_EQ(none.status, 3);
}

TEST_F(Coverage, APointOfAnotherVersionIsDropped)
{
    temp.write("c",
               "countersink coverage 1\npmcu\tarcs\tIDLE -> INIT\t1\t2\npmcu\tarcs\tA\t1\t1\n");
    const Outcome o = run("coverage --unit pmcu --group arcs --all c");

    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(has(o.err, "warning: c: this version does not know 1 of the points")) << o.err;
    EXPECT_TRUE(has(o.out, "reached: IDLE -> INIT (model 1, RTL 2)")) << o.out;
}
