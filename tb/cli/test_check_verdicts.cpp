// SPDX-License-Identifier: Apache-2.0
// countersink check: agrees, disagrees, cannot say; and what is no verdict.
#include <filesystem>

#include <sqlite3.h>

#include "cli/check.hpp"

using namespace check_command;
using namespace cs_test;

namespace
{

struct Verdicts : Check {
    void write(const std::string &name, const std::string &scenario, const std::string &options)
    {
        const Outcome o =
            run("trace -o '" + name + "' " + options + " '" + config_path(scenario) + "'");

        ASSERT_EQ(o.status, 0) << scenario << options << o.err;
    }
    void sql(const std::string &truth, const std::string &statement)
    {
        sqlite3 *db = nullptr;

        ASSERT_EQ(sqlite3_open((temp.path() / truth / "truth.sqlite").c_str(), &db), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(db);
        sqlite3_close(db);
    }
    void is_no_verdict(const std::string &arguments, int status, const std::string &message)
    {
        const Outcome o = run("check " + arguments);

        EXPECT_EQ(o.status, status) << o.out << o.err;
        EXPECT_TRUE(has(o.err, message)) << o.err;
        EXPECT_FALSE(has(o.out, "DISAGREES")) << o.out;
    }
};

// The user stopped perf before anything was handed over.
TEST_F(Verdicts, NothingWasHandedOver)
{
    const char *const options[] = {"--format pmcu-aux", "--format csv", "--format json",
                                   "--format perf-data",
                                   "--format perf-data --flavour faithful --set pmcu.slots=8"};
    unsigned number = 0;

    for (const char *option : options) {
        const std::string f = "f" + std::to_string(number++);

        write(f, "pmcu_lockstep_break.yaml", option);
        const Outcome o = run("check -f csv " + f);
        EXPECT_EQ(o.status, 4) << option << o.out << o.err;
        EXPECT_TRUE(has(o.out, "not handed over,,,") &&
                    has(o.out, ",0,,none: run ended early,cannot say,"))
            << o.out;
        EXPECT_FALSE(has(o.out, "agrees")) << o.out;
        EXPECT_TRUE(has(o.err, f + ": cannot say: none of ")) << o.err;
        EXPECT_TRUE(has(run("check -f json " + f).out, "\"differ\": null")) << option;
    }
    write("g", "pmcu_demo.yaml", "--format csv");
    disagrees("-t f1.truth g", "samples that were never handed over");
    disagrees("-t g.truth f1", "none of the samples that were");
}

// A run that ended early: what was handed over must be there.
TEST_F(Verdicts, WhatWasHandedOverMustBeThere)
{
    write("f", "pmcu_faults.yaml", "--format csv");
    agrees("f");
    EXPECT_TRUE(has(run("check -f csv f").out, "not handed over,,,12,10,,"));
    std::string text = temp.read("f");
    text.erase(text.rfind('\n', text.size() - 2) + 1);
    temp.write("short", text);
    disagrees("-t f.truth short", "the last sample is missing");
}

TEST_F(Verdicts, OfAScriptPerfGetsNothing)
{
    for (const char *format : {"csv", "json"}) {
        write(format, "everything_lockstep.yaml", std::string("--format ") + format);
        agrees(format);
    }
}

// A stay of software that the cut left without a cycle.
TEST_F(Verdicts, ARunThatIsCutAtOnce)
{
    for (const char *cycles : {"1", "1000"})
        for (const char *format : {"ctf", "perfetto"}) {
            const std::string f = std::string(format) + cycles;

            write(f, "riscv_sample.yaml",
                  std::string("--set limit_cycles=") + cycles + " --format " + format);
            agrees(f);
        }
}

TEST_F(Verdicts, NobodyCanJudgeAnEstimate)
{
    write("f", "multiplex_demo.yaml", "--format perf-data --set perf.0.interval=60ms");
    agrees("f");
    const std::string out = run("check -f csv f").out;
    const size_t row = out.find("truth of counts");
    ASSERT_NE(row, std::string::npos) << out;
    EXPECT_TRUE(has(out.substr(row, out.find('\n', row) - row), ",,none: off by ")) << out;
    EXPECT_TRUE(has(out.substr(row, out.find('\n', row) - row), ",cannot say,")) << out;
}

TEST_F(Verdicts, NothingToCompare)
{
    write("f", "riscv_sample.yaml", "--format csv --set limit_cycles=1");
    const Outcome o = run("check f");
    EXPECT_EQ(o.status, 4) << o.out << o.err;
    EXPECT_TRUE(has(o.err, "cannot say: nothing to compare: the truth in f.truth")) << o.err;
}

// 38,531 rows; each is looked up, not looked for, which would take 10^9 steps of the database and more.
TEST_F(Verdicts, LongTablesTakeNoLonger)
{
    const auto check = [&](const std::string &steps) {
        return run("check f", preload(CS_STEPS) + " CS_STEPS=" + steps);
    };

    write("f", "imc_trace.yaml", "--format csv");
    const Outcome o = check("100000000"), counted = check("1000000");
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_TRUE(has(o.out, "agrees")) << o.out;
    EXPECT_FALSE(has(o.out, "DISAGREES")) << o.out;
    EXPECT_TRUE(has(counted.err, "interrupted")) << "the steps are not counted: " << counted.err;
}

// SQLite would take such a name for a URI.
TEST_F(Verdicts, AFileCalledAsAUri)
{
    std::filesystem::create_directory(temp.path() / "file:d%3f");
    for (const char *name : {"file:a%3fb", "file:d%3f/c"}) {
        write(name, "pmcu_demo.yaml", "--format csv");
        agrees(std::string("'") + name + "'");
    }
}

TEST_F(Verdicts, ABrokenTruthIsNone)
{
    write("f", "imc_trace.yaml", "--format perf-data");
    agrees("f");
    std::string scenario = temp.read("f.truth/scenario.yaml");
    const size_t base = scenario.find("base: 0x");
    ASSERT_NE(base, std::string::npos);
    scenario.replace(base, scenario.find(',', base) - base, "base: [1, 2]");
    const std::string whole = temp.read("f.truth/scenario.yaml");
    temp.write("f.truth/scenario.yaml", scenario);
    is_no_verdict("f", 2, "base");
    temp.write("f.truth/scenario.yaml", whole);

    std::filesystem::rename(temp.path() / "f.truth/summary.json", temp.path() / "away");
    is_no_verdict("f", 3, "f.truth/summary.json: cannot open");
    std::filesystem::rename(temp.path() / "away", temp.path() / "f.truth/summary.json");
    agrees("f");

    temp.write("f.truth/trace.json", "{\"command\": ");
    is_no_verdict("f", 2, "f.truth/trace.json");
    std::filesystem::remove(temp.path() / "f.truth/trace.json");
    agrees("f");

    sql("f.truth", "DROP TABLE perf_sample");
    is_no_verdict("f", 2, "no such table");
}

TEST_F(Verdicts, ATruthWithoutAClock)
{
    const struct {
        const char *scenario, *options;
    } cases[] = {{"riscv_sample.yaml", "--format csv"},
                 {"riscv_count.yaml", "--format csv"},
                 {"multiplex_demo.yaml", "--format csv"},
                 {"multiplex_demo.yaml", "--format perf-data"},
                 {"pmcu_demo.yaml", "--format perfetto"}};
    unsigned number = 0;

    for (const auto &c : cases) {
        const std::string f = "f" + std::to_string(number++);

        write(f, c.scenario, c.options);
        sql(f + ".truth", "UPDATE run SET value=0 WHERE key='clock_mhz'");
        is_no_verdict(f, 2, "a clock of 0 MHz");
    }
}

#ifdef CS_STARVE
// One allocation fails: then the check has no verdict, or the one that it has otherwise.
TEST_F(Verdicts, WithoutMemoryThereIsNone)
{
    const struct {
        const char *scenario, *options;
        int status;
    } cases[] = {{"pmcu_demo.yaml", "--format csv --set perf.0.record.0.nr_sample=1", 0},
                 {"riscv_lockstep_sample.yaml", "--format csv", 0},
                 {"riscv_lockstep_sample.yaml", "--format perf-data --command riscv.perf.0", 0},
                 {"riscv_lockstep_callchain.yaml", "--format perf-data", 0},
                 {"riscv_sample.yaml", "--format ctf --set limit_cycles=20000", 0},
                 {"riscv_sample.yaml", "--format perfetto --set limit_cycles=20000", 0},
                 {"pmcu_lockstep_break.yaml", "--format csv", 4}};
    unsigned file = 0;

    for (const auto &c : cases) {
        const std::string f = "f" + std::to_string(file++);

        write(f, c.scenario, c.options);
        const Outcome all = run("check " + f, "CS_STARVE_COUNT=count LD_PRELOAD=" CS_STARVE);
        ASSERT_EQ(all.status, c.status) << f << all.out << all.err;
        const unsigned long number = std::stoul(temp.read("count"));
        ASSERT_GT(number, 200u);
        for (unsigned long at = 1; at <= number; at += at < 40 ? 1 : 1 + number / 60) {
            const Outcome o =
                run("check " + f, "CS_STARVE_AT=" + std::to_string(at) + " LD_PRELOAD=" CS_STARVE);

            if (has(o.err, "std::bad_alloc")) // before main: that is of C++'s libraries
                continue;
            EXPECT_TRUE(o.status == c.status ? o.out == all.out : o.status == 2 || o.status == 3)
                << c.scenario << c.options << " allocation " << at << " of " << number << ": "
                << o.status << o.out << o.err;
        }
    }
}
#endif

} // namespace
