// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{
using RunCommand = Command;
using Rows = std::vector<std::string>;
} // namespace

TEST_F(RunCommand, LeavesAWholeRunFolder)
{
    const Outcome o = simulate("out");
    auto tree = temp.tree("out");

    for (const char *file :
         {"scenario.yaml", "samples.aux", "summary.json", "summary.txt", "truth.sqlite"})
        EXPECT_EQ(tree.count(file), 1u) << file;
    EXPECT_EQ(tree.count("memory"), 1u);
    EXPECT_EQ(tree.count("probe.csv"), 0u);
    EXPECT_TRUE(has(o.out, "files: out")) << o.out;
    EXPECT_EQ(temp.read("out/scenario.yaml"), kScenario);
    for (const auto &entry : std::filesystem::directory_iterator(temp.path()))
        EXPECT_FALSE(has(entry.path().filename(), "partial")) << entry.path();
}

// It has the way to the schema from where the scenario was.
TEST_F(RunCommand, TheLineForEditorsDoesNotComeAlong)
{
    temp.write("e.yaml", "# yaml-language-server: $schema=../scenario.schema.json\n" +
                             std::string(kScenario));
    ASSERT_EQ(run("run -o out e.yaml").status, 0);
    EXPECT_EQ(temp.read("out/scenario.yaml"), kScenario);
}

TEST_F(RunCommand, SaysAtTheStartWhatIsEffective)
{
    const Outcome o = simulate("out", "--set pmcu.lanes=2");

    for (const char *part : {"small: bus ", "2 clusters x 2 slots", "3 of 4 CPUs online",
                             "8 counters (ext32)", "2 lanes", "10 events, 4 samples, 60 ticks"})
        EXPECT_TRUE(has(o.out, part)) << part << " in\n" << o.out;
}

// CPU 3 is offline, and the hardware says so; what is lost on the way to another one is news.
TEST_F(RunCommand, SlotsThatCannotAnswerAreNoWarning)
{
    EXPECT_FALSE(has(simulate("out").err, "FSM_STATUS"));
    const Outcome lost = run("run -o lost --set 'memory.faults=[{base: 0x20000000, size: 64 KiB, "
                             "access: write, nth: 3, count: 1, action: error}]' small.yaml");
    EXPECT_TRUE(has(lost.err, "the hardware reported in FSM_STATUS: CORE_ERR")) << lost.err;
}

TEST_F(RunCommand, EveryValueWithAWindowIsItsTruth)
{
    simulate("out");
    Database db(temp.file("out/truth.sqlite"));

    EXPECT_EQ(db.number("SELECT count(*) FROM subsample"), 8);
    EXPECT_EQ(db.number("SELECT count(*) FROM window"), 8 * 3);
    EXPECT_EQ(db.number("SELECT count(*) FROM sample"), 8 * 9 * 4);
    EXPECT_EQ(db.number("SELECT count(*) FROM sample s JOIN window w USING (subsample, cpu) "
                        "WHERE s.value = s.truth"),
              8 * 9 * 3);
    EXPECT_GT(db.number("SELECT sum(value > 0) FROM sample"), 8 * 4 * 3);
    EXPECT_EQ(db.number("SELECT count(*) FROM sample WHERE cpu = 3 AND value != 0"), 0);
    EXPECT_EQ(db.one("SELECT state FROM cpu WHERE cpu = 3"), "offline");
}

// docs/traces/truth.md, "A sample and its event": also where a counter counts CPU_CYCLES, too.
TEST_F(RunCommand, EverySampleHasItsEvent)
{
    simulate("out");
    Database db(temp.file("out/truth.sqlite"));

    EXPECT_EQ(db.one("SELECT count(*) || ' ' || sum(n = subsamples * 4) || ' ' || sum(v = sampled) "
                     "FROM (SELECT e.*, count(*) AS n, sum(s.value) AS v FROM sample s JOIN event "
                     "e ON e.id = s.event GROUP BY e.id)"),
              "11 11 11");
    EXPECT_EQ(db.ask("SELECT name FROM event WHERE number = 17 ORDER BY id"),
              (Rows{"CPU_CYCLES", "cycles"}));
    EXPECT_EQ(db.ask("SELECT DISTINCT event FROM sample WHERE event NOT IN (SELECT id FROM event)"),
              Rows{"49152"});
    EXPECT_EQ(db.one("SELECT count(*) FROM total WHERE event NOT IN (SELECT id FROM event)"), "0");
}

TEST_F(RunCommand, EveryValueIsItsTruthInEachWayOfCounting)
{
    const char *const ways[] = {
        "--set pmcu.lanes=2",
        "--set pmcu.broadcast=true",
        "--set pmcu.prefetch=true",
        "--set corepmu.map=ext64",
        "--set pmcu_driver.comp=true --set corepmu.hpmn=3",
        "--set bus.arbitration=per_target",
        "--set corepmu.clock_mhz=1000",
        "--set software.cpu=2",
    };
    int n = 0;

    for (const char *way : ways) {
        const std::string folder = "out-" + std::to_string(n++);
        const Outcome o = run("run -o " + folder + " " + way + " small.yaml");

        ASSERT_EQ(o.status, 0) << way << ": " << o.err;
        Database db(temp.file(folder + "/truth.sqlite"));
        EXPECT_EQ(db.number("SELECT count(*) FROM sample s JOIN window w USING (subsample, cpu) "
                            "WHERE s.value != s.truth"),
                  0)
            << way;
        EXPECT_GT(db.number("SELECT count(*) FROM window"), 0) << way;
    }
}

TEST_F(RunCommand, TheSummaryAgreesWithTheDatabase)
{
    simulate("out");
    Database db(temp.file("out/truth.sqlite"));
    auto json = json_flat(temp.file("out/summary.json"));

    EXPECT_EQ(json["subsamples"], db.one("SELECT count(*) FROM subsample"));
    EXPECT_EQ(json["cpus"], "3");
    EXPECT_EQ(json["triggers"], "1");
    EXPECT_EQ(json["aux_bytes"],
              std::to_string(std::filesystem::file_size(temp.path() / "out/samples.aux")));
    Rows told;
    for (size_t i = 0; i < 11; i++) {
        const std::string at = "events." + std::to_string(i) + ".";

        told.push_back(json[at + "event"] + "|" + json[at + "name"] + "|" + json[at + "truth"] +
                       "|" + json[at + "sampled"] + "|" + json[at + "subsamples"]);
    }
    EXPECT_EQ(told, db.ask("SELECT number, name, truth, sampled, subsamples FROM event "
                           "ORDER BY rowid"));
}

static std::string without_wall_time(const std::string &text)
{
    return std::regex_replace(text, std::regex("[^\n]*(wall_ns|wall time)[^\n]*\n"), "");
}

TEST_F(RunCommand, TheSameScenarioAndSeedGiveTheSameBytes)
{
    simulate("a", "--set keep.probe=true");
    simulate("b", "--set keep.probe=true");

    ASSERT_EQ(temp.tree("a"), temp.tree("b"));
    for (const auto &file : temp.tree("a")) {
        if (std::filesystem::is_directory(temp.path() / "a" / file))
            continue;
        const std::string a = temp.read("a/" + file);
        const std::string b = temp.read("b/" + file);

        EXPECT_FALSE(a.empty()) << file;
        if (file == "summary.json" || file == "summary.txt")
            EXPECT_EQ(without_wall_time(a), without_wall_time(b));
        else
            EXPECT_TRUE(a == b) << file;
    }
    EXPECT_NE(without_wall_time(temp.read("a/summary.txt")), temp.read("a/summary.txt"));
}

TEST_F(RunCommand, AnotherSeedGivesOtherSamples)
{
    simulate("a");
    simulate("b", "--set seed=8");

    EXPECT_NE(temp.read("a/samples.aux"), temp.read("b/samples.aux"));
}

TEST_F(RunCommand, TheKeptScenarioGivesTheRunAgain)
{
    simulate("a", "--set seed=8 --set pmcu.lanes=2");
    const Outcome o = run("run -o b a/scenario.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(temp.read("a/samples.aux"), temp.read("b/samples.aux"));
    EXPECT_TRUE(temp.read("a/truth.sqlite") == temp.read("b/truth.sqlite"));
}

// Catalogs, recordings and the like come into the run folder: it does not need where it came from.
TEST_F(RunCommand, TheRunFolderHasTheFilesThatTheScenarioNames)
{
    const std::string folder = temp.path().string() + "/from";

    std::filesystem::create_directories(folder + "/catalogs");
    std::filesystem::copy(CS_SOURCE_DIR "/configs/imc/power9_small.dts",
                          folder + "/catalogs/p9.dts");
    std::filesystem::copy(CS_SOURCE_DIR "/configs/imc/imc_core.yaml", folder + "/core.yaml");
    ASSERT_EQ(run("run -o first --set catalog=catalogs/p9.dts from/core.yaml").status, 0);
    std::filesystem::remove_all(folder);
    const Outcome again = run("run -o second first/scenario.yaml");
    ASSERT_EQ(again.status, 0) << again.err;
    auto first = temp.tree("first"), second = temp.tree("second");
    EXPECT_EQ(first.count("catalogs/p9.dts"), 1u);
    for (auto *tree : {&first, &second}) // they have the time that it took
        tree->erase("summary.json"), tree->erase("summary.txt");
    EXPECT_EQ(first, second);
}

TEST_F(RunCommand, AFileAboveTheScenarioComesAlong)
{
    std::filesystem::create_directories(temp.path() / "from");
    std::filesystem::copy(CS_SOURCE_DIR "/configs/imc/power9_small.dts", temp.path() / "p9.dts");
    std::filesystem::copy(CS_SOURCE_DIR "/configs/imc/imc_core.yaml",
                          temp.path() / "from/core.yaml");
    const Outcome o = run("run -o out --set catalog=../from/../p9.dts from/core.yaml");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_FALSE(has(o.err, "is not copied")) << o.err;
    EXPECT_TRUE(has(temp.read("out/scenario.yaml"), "catalog: \"above/from/above/p9.dts\"\n"));

    // from elsewhere it runs, too, and what it has named stays where it is
    std::filesystem::create_directories(temp.path() / "else/where");
    std::filesystem::rename(temp.path() / "out", temp.path() / "else/where/out");
    std::filesystem::remove(temp.path() / "p9.dts");
    const Outcome again = run("run -o second else/where/out/scenario.yaml");
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(temp.read("second/scenario.yaml"), temp.read("else/where/out/scenario.yaml"));
}

TEST_F(RunCommand, AFileWithANameOfTheRunFoldersOwnIsTold)
{
    const char *tree = CS_SOURCE_DIR "/configs/imc/power9_small.dts";

    std::filesystem::copy_file(CS_SOURCE_DIR "/configs/imc/imc_core.yaml",
                               temp.path() / "core.yaml");
    for (const char *name : {"scenario.yaml", "truth.sqlite", "summary.json"}) {
        std::filesystem::copy_file(tree, temp.path() / name);
        for (const std::string before : {"", "./", ".//./"}) {
            const Outcome o = run("run -o out --set catalog=" + before + name + " core.yaml");

            EXPECT_EQ(o.status, 0) << o.err;
            EXPECT_TRUE(has(o.err, before + name + " is not copied into the run folder")) << o.err;
            EXPECT_TRUE(has(temp.read("out/scenario.yaml"), "name: imc_core")) << name;
            std::filesystem::remove_all(temp.path() / "out");
        }
    }
}

TEST_F(RunCommand, WhatIsKeptIsTheScenariosChoice)
{
    simulate("out", "--set keep.memory=false --set keep.probe=true --set keep.samples_truth=false");
    Database db(temp.file("out/truth.sqlite"));

    EXPECT_FALSE(temp.has("out/memory"));
    EXPECT_TRUE(has(temp.read("out/probe.csv"),
                    "cycle,kind,source,index,write,resp,addr,value,bytes,request,grant\n"));
    EXPECT_EQ(db.number("SELECT count(*) FROM sample"), 0);
    EXPECT_EQ(db.number("SELECT count(*) FROM window"), 24);
}

TEST_F(RunCommand, RunsSideBySideHaveAFolderEach)
{
    const Outcome o = run("run small.yaml >1 & '" CS_COMMAND "' run small.yaml >2 & '" CS_COMMAND
                          "' run small.yaml >3 & wait; true",
                          "true;");

    EXPECT_EQ(o.err, "");
    for (const char *folder : {"runs/small-1", "runs/small-2", "runs/small-3"})
        EXPECT_TRUE(temp.has(std::string(folder) + "/summary.json")) << folder;
}

TEST_F(RunCommand, TheDefaultFolderIsNumbered)
{
    for (const char *expected : {"runs/small-1", "runs/small-2"}) {
        const Outcome o = run("run small.yaml");

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(has(o.out, std::string("files: ") + expected)) << o.out;
        EXPECT_TRUE(temp.has(std::string(expected) + "/truth.sqlite"));
    }
}

TEST_F(RunCommand, ALimitCutsAndSaysSo)
{
    const Outcome o = simulate("out", "--set limit_cycles=9000");
    auto json = json_flat(temp.file("out/summary.json"));

    EXPECT_TRUE(has(o.out, "cut at limit_cycles")) << o.out;
    EXPECT_EQ(json["simulated_ns"], "9000");
    EXPECT_GT(std::stoi(json["subsamples"]), 0);
    EXPECT_LT(std::stoi(json["subsamples"]), 8);
}

TEST_F(RunCommand, WhatWaitsForEverIsEnded)
{
    temp.write("waits.yaml", "name: waits\npmcu: {clusters: 1, slots: 1}\n"
                             "software: {kind: script}\nscript:\n  - wait_irq: 0\n");
    temp.write("waits_harts.yaml", "name: waits\nharts: {count: 1}\n"
                                   "software: {kind: script}\nscript:\n  - wait_irq: 0\n");

    for (const char *name : {"waits", "waits_harts"}) {
        const Outcome o = run("run -o waited " + std::string(name) + ".yaml");

        EXPECT_EQ(o.status, 2) << o.err;
        EXPECT_TRUE(has(o.err, "software waits for what never comes")) << o.err;
        EXPECT_FALSE(std::filesystem::exists(temp.path() / "waited"));
    }
    const Outcome cut = run("run -o cut --set limit_cycles=100000 waits.yaml");
    EXPECT_EQ(cut.status, 0) << cut.err;
    EXPECT_TRUE(has(cut.out, "cut at limit_cycles")) << cut.out;
}

TEST_F(RunCommand, SamplesThatPerfDoesNotGetAreTold)
{
    const Outcome o = simulate("out", "--set pmcu_driver.stop_at_cycle=6000");

    EXPECT_TRUE(has(o.err, "warning: perf got ")) << o.err;
    EXPECT_TRUE(has(o.err, "a trigger that did not come to its end")) << o.err;
}

TEST_F(RunCommand, WarnsOfEventsThatNeverOccur)
{
    const Outcome o = simulate("out", "--set 'pmcu_driver.user_events=\"08 99\"'");

    EXPECT_TRUE(has(o.err, "warning: ")) << o.err;
    EXPECT_TRUE(has(o.err, "0x99")) << o.err;
    EXPECT_FALSE(has(o.err, "never occur")) << "it is said once: " << o.err;
}
