// SPDX-License-Identifier: Apache-2.0
// The command itself: what it refuses, and that it leaves nothing behind then.
#include <algorithm>
#include <gtest/gtest.h>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

struct TraceCommand : Trace {
    // Nothing but what was there.
    void expect_nothing_left()
    {
        EXPECT_EQ(temp.tree(), (std::set<std::string>{"script.yaml", "small.yaml"}));
    }
    void SetUp() override
    {
        Trace::SetUp();
        temp.write("script.yaml", "name: script\npmcu: {clusters: 1, slots: 1}\nworkloads: []\n"
                                  "software: {kind: script}\nscript:\n  - {delay: 10}\n");
    }
};

} // namespace

TEST_F(TraceCommand, BadUseIsRefusedBeforeAnythingIsSimulated)
{
    const struct {
        const char *arguments;
        int status;
        const char *text;
    } cases[] = {
        {"-o t small.yaml", 2, "--format is missing"},
        {"--format perf small.yaml", 2, "-o is missing"},
        {"--format perf -o t", 2, "expected one scenario, found 0"},
        {"--format wrong -o t small.yaml", 2, "there is no format 'wrong'; there are: perf"},
        {"--format perf --flavour sour -o t small.yaml", 2,
         "format perf-data has no flavour 'sour'; it has: stock, faithful"},
        {"--format perf --command riscv.perf.7 -o t " CS_SOURCE_DIR
         "/configs/riscv/riscv_sample.yaml",
         2, "the scenario has no perf command 'riscv.perf.7'; it has: riscv.perf.0, riscv.perf.1"},
        {"--format perf -o t script.yaml", 2,
         "script.yaml: the scenario has no perf command (imc_driver.perf, riscv.perf, "
         "uncore_driver.perf, iommu_driver.perf, arm_pmu.perf, pmcu_driver or pmi): there is "
         "nothing for "
         "a "
         "perf.data "
         "file"},
        {"--format perf --switch-events -o t " CS_SOURCE_DIR "/configs/riscv/riscv_count.yaml", 2,
         "--switch-events is for samples, and no perf command of riscv_count samples"},
        {"--format perf --flavour faithful -o t " CS_SOURCE_DIR "/configs/riscv/riscv_sample.yaml",
         2, "flavour faithful is for the PMCU, which no perf command of riscv_sample uses"},
        {"--format ctf --switch-events -o t small.yaml", 2,
         "format ctf has no switches of processes (--switch-events)"},
        {"--format perf -o t missing.yaml", 3, "missing.yaml: cannot be opened"},
        {"--format perf -o missing/t " CS_SOURCE_DIR "/configs/riscv/riscv_sample.yaml", 3,
         "missing/t: cannot make the file"},
    };

    for (const auto &c : cases) {
        const Outcome outcome = run("trace " + std::string(c.arguments));

        EXPECT_EQ(outcome.status, c.status) << c.arguments << "\n" << outcome.err;
        EXPECT_NE(outcome.err.find(c.text), std::string::npos) << c.arguments << "\n"
                                                               << outcome.err;
        expect_nothing_left();
    }
}

// perf record makes no file when it can open none of its events.
TEST_F(TraceCommand, WithoutAnyEventThereIsNoFile)
{
    for (const char *format : {"perf", "csv", "json"}) {
        const Outcome o = run("trace --format " + std::string(format) +
                              " -o t " CS_SOURCE_DIR "/configs/riscv/riscv_legacy.yaml");

        EXPECT_EQ(o.status, 2) << o.err;
        EXPECT_NE(o.err.find("the kernel refuses every event that was to sample (riscv.perf.1: "
                             "Operation not supported)"),
                  std::string::npos)
            << o.err;
        expect_nothing_left();
    }
    EXPECT_EQ(run("trace --format perf --command riscv.perf.0 -o t " CS_SOURCE_DIR
                  "/configs/riscv/riscv_legacy.yaml")
                  .status,
              0);
}

TEST_F(TraceCommand, WhatIsThereIsNotTouched)
{
    temp.write("t", "precious");
    Outcome outcome =
        run("trace --format perf -o t " CS_SOURCE_DIR "/configs/riscv/riscv_guest.yaml");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(outcome.err.find("t: exists already"), std::string::npos) << outcome.err;
    EXPECT_EQ(temp.read("t"), "precious");
    EXPECT_FALSE(temp.has("t.truth"));
    std::filesystem::remove(temp.path() / "t");

    std::filesystem::create_directory(temp.path() / "t.truth");
    temp.write("t.truth/mine", "precious");
    outcome = run("trace --format perf -o t " CS_SOURCE_DIR "/configs/riscv/riscv_guest.yaml");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(outcome.err.find("t.truth: exists already"), std::string::npos) << outcome.err;
    EXPECT_FALSE(temp.has("t"));
    EXPECT_EQ(temp.read("t.truth/mine"), "precious");
}

// Of two that want the same name one makes it, and the other touches nothing.
TEST_F(TraceCommand, TwoOfOneName)
{
    const std::string trace =
        "trace --format perf -o t " CS_SOURCE_DIR "/configs/riscv/riscv_guest.yaml";

    run(trace + " >/dev/null 2>first & '" CS_COMMAND "' " + trace + " >/dev/null 2>second; wait",
        "true;");
    const std::string refused = temp.read("first") + temp.read("second");
    EXPECT_EQ(std::count(refused.begin(), refused.end(), '\n'), 1) << refused;
    EXPECT_TRUE(refused.find("t: is being made by another process") != std::string::npos ||
                refused.find("t: exists already") != std::string::npos)
        << refused;
    EXPECT_EQ(run("check t").status, 0);
}

// The truth's tables as CSV are the database's, row by row.
TEST_F(TraceCommand, TablesOfTheTruthAreThereAsCsv)
{
    trace("riscv_guest");
    const Database db = truth();
    unsigned tables = 0;

    for (const std::string &table : db.ask("SELECT name FROM sqlite_master WHERE type='table'")) {
        const int64_t rows = db.number("SELECT count(*) FROM \"" + table + "\"");
        const std::string file = "t.truth/csv/" + table + ".csv";

        ASSERT_EQ(temp.has(file), rows != 0) << table;
        if (rows == 0)
            continue;
        const std::vector<std::string> lines = lines_of(temp.read(file));
        std::string names, first;
        for (const std::string &column :
             db.ask("SELECT name FROM pragma_table_info('" + table + "')"))
            names += (names.empty() ? "" : ",") + column;
        ASSERT_EQ(lines.size(), static_cast<size_t>(rows) + 1) << table;
        EXPECT_EQ(lines[0], names);
        first = db.ask("SELECT * FROM \"" + table + "\" LIMIT 1")[0];
        for (size_t at; (at = first.find("NULL")) != std::string::npos;)
            first.erase(at, 4);
        std::replace(first.begin(), first.end(), '|', ',');
        EXPECT_EQ(lines[1], first) << table;
        tables++;
    }
    EXPECT_GE(tables, 5u);
}

TEST_F(TraceCommand, FormatsAreListed)
{
    const Outcome outcome = run("trace --formats");

    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.find("perf-data    perf.data: "), 0u) << outcome.out;
    EXPECT_NE(outcome.out.find("flavours: stock, faithful\n"), std::string::npos);
}
