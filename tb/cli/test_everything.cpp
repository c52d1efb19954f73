// SPDX-License-Identifier: Apache-2.0
// configs/all/everything.yaml: all units on one bus and in one memory, and each one's samples read back on their own.
#include <map>
#include <set>
#include <sstream>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Row = std::map<std::string, std::string>;

struct Everything : Command {
    static std::string config(const std::string &name)
    {
        return "'" + config_path(name) + "'";
    }
    void SetUp() override
    {
        const Outcome o = run("run -o out " + config("everything.yaml"));

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, "");
    }
    Database db() const
    {
        return Database(temp.file("out/truth.sqlite"));
    }
    // The rows that decode prints.
    std::vector<Row> decode(const std::string &arguments)
    {
        const Outcome o = run("decode --format csv " + arguments);
        std::vector<std::string> names;
        std::vector<Row> rows;
        std::istringstream lines(o.out);

        EXPECT_EQ(o.status, 0) << arguments << ": " << o.err;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream cells(line);
            Row row;
            size_t i = 0;

            for (std::string cell; std::getline(cells, cell, ','); i++) {
                if (rows.empty() && row.empty() && names.size() == i && names_are_open)
                    names.push_back(cell);
                else
                    row[i < names.size() ? names[i] : std::to_string(i)] = cell;
            }
            names_are_open = false;
            if (!row.empty())
                rows.push_back(row);
        }
        names_are_open = true;
        return rows;
    }

  private:
    bool names_are_open = true;
};

} // namespace

TEST_F(Everything, AllSoftwareEndsAndNobodyCountsWrongly)
{
    auto j = json_flat(temp.file("out/summary.json"));

    EXPECT_EQ(j["ended"], "all software has ended");
    EXPECT_EQ(j["wrong_counts"], "0");
    EXPECT_EQ(j["imc_wrong"], "0");
    EXPECT_EQ(j["imc_failed"], "0");
    EXPECT_EQ(j["never_counted"], "0");
    for (const char *some :
         {"subsamples", "imc_records", "nest_postings", "hart_samples", "rotations"})
        EXPECT_GE(std::stoul(j[some]), 20u) << some;
    // They contended: every kind of manager had to wait.
    for (const char *manager : {"cpu", "pmcu lane 0", "imc core 0", "nest", "hart 0"}) {
        uint64_t waited = 0;

        for (unsigned i = 0; j.count("managers." + std::to_string(i) + ".manager") != 0; i++) {
            const std::string at = "managers." + std::to_string(i) + ".";

            if (j[at + "manager"] == manager)
                waited = std::stoul(j[at + "wait_cycles"]) - std::stoul(j[at + "transactions"]);
            EXPECT_EQ(j[at + "errors"], "0") << j[at + "manager"];
        }
        EXPECT_GT(waited, 0u) << manager;
    }
}

TEST_F(Everything, TheSamplesOfThePmcu)
{
    const auto rows = decode("--as pmcu-aux --slots 4 out/samples.aux");
    const auto values = db().ask("select value from sample order by subsample, position, cpu");

    ASSERT_EQ(rows.size(), values.size());
    ASSERT_GT(rows.size(), 500u);
    EXPECT_EQ(db().number("select count(*) from sample where value <> truth"), 0);
    std::multiset<std::string> of_file, of_truth(values.begin(), values.end());
    for (const Row &row : rows)
        of_file.insert(row.at("count"));
    EXPECT_EQ(of_file, of_truth);
}

TEST_F(Everything, TheRecordsOfTraceMode)
{
    uint64_t records = 0;

    for (const char *cpu : {"12", "13", "14", "15"}) {
        const auto rows = decode(std::string("--as imc-trace out/records/cpu") + cpu + ".imc");
        const auto truth =
            db().ask(std::string("select printf('0x%016x', pc) from record where cpu = ") + cpu +
                     " and response = 'OKAY' order by snapshot");

        ASSERT_EQ(rows.size(), truth.size()) << cpu;
        for (size_t i = 0; i < rows.size(); i++)
            ASSERT_EQ(rows[i].at("ip"), truth[i]) << cpu << " record " << i;
        records += rows.size();
    }
    EXPECT_GT(records, 500u);
}

TEST_F(Everything, TheRingsOfTheHarts)
{
    for (unsigned hart = 0; hart < 4; hart++) {
        const auto rows =
            decode("--as riscv-ring out/records/hart" + std::to_string(hart) + ".ring");
        const auto truth = db().ask("select printf('0x%016x', ip) || ' ' || time from hart_sample "
                                    "where not lost and cpu = " +
                                    std::to_string(16 + hart) + " order by trap");
        std::vector<std::string> samples;

        for (const Row &row : rows)
            if (row.at("type") == "sample")
                samples.push_back(row.at("ip") + " " + row.at("time"));
        ASSERT_EQ(samples, truth) << hart;
        EXPECT_GT(samples.size(), 50u);
    }
}

TEST_F(Everything, TheCountsOfACoreInMemory)
{
    // Core 0's image: 8 KiB from imc_driver.buffers_base on. perf read the counter in its course, and the engine went on.
    const auto rows = decode("--as imc-core --length 8192 --catalog " + config("power9_small.dts") +
                             " out/memory/0x000084000000.bin");
    const int64_t counted = db().number("select sum(raw) from count where event = 'CPM_CS_INST'");
    uint64_t raw = 0;

    for (const Row &row : rows)
        if (row.at("event") == "CPM_CS_INST")
            raw = std::stoul(row.at("raw"));
    EXPECT_GT(counted, 0);
    EXPECT_GE(raw, static_cast<uint64_t>(counted));
}

TEST_F(Everything, TheCountsOfTheNestInMemory)
{
    ASSERT_EQ(run("trace --format nest-imc -o nest.imc " + config("everything.yaml")).status, 0);
    const auto rows = decode("--as imc-nest --catalog " + config("power9_small.dts") + " nest.imc");

    for (const char *event : {"PM_PB_CYC", "PM_MCS01_128B_RD_DISP_PORT01"}) {
        const std::string counted =
            db().one(std::string("select raw from count where event = '") + event + "'");
        std::string raw;

        for (const Row &row : rows)
            if (row.at("event") == event)
                raw = row.at("raw");
        EXPECT_EQ(raw, counted) << event << ": the nest was stopped when perf had read it";
    }
}

TEST_F(Everything, WhatPerfSaysOfUncoreUnits)
{
    EXPECT_EQ(db().number("select count(*) from rotated join unit on pmu = unit.name where final"),
              9);
    EXPECT_EQ(db().number("select count(*) from rotated where final and truth > 0 and "
                          "abs(scaled / truth - 1) > 0.05"),
              0);
    EXPECT_EQ(
        db().one("select group_concat(distinct pmu || ' on ' || rotated.cpu) from rotated join "
                 "unit on pmu = unit.name"),
        "mc0 on 0,link0 on 0,mc1 on 1");
}

TEST_F(Everything, WhatPerfSaysOfTheIommu)
{
    // All five are on counters all the time, and something of each has happened.
    EXPECT_EQ(db().number("select count(*) from rotated join iommu on pmu = iommu.name where final "
                          "and cpu = 0 and raw > 0 and running > 0.999 * enabled"),
              5);
    EXPECT_EQ(db().one("select wrong || ' of ' || (accesses > 20) from iommu"), "0 of 1");
}
