// SPDX-License-Identifier: Apache-2.0
// `check` of what a RISC-V guest's perf stat has printed: which command's it is, and what it should say.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "check/check.h"
#include "support/temp_folder.hpp"

namespace
{

const char kTables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value);"
    "INSERT INTO run VALUES('clock_mhz',1000),('guest','riscv64');"
    "CREATE TABLE guest_event(event INTEGER PRIMARY KEY, process INTEGER, type INTEGER, config "
    "INTEGER, period INTEGER, flags INTEGER, opened INTEGER, last INTEGER);"
    "CREATE TABLE guest_asked(event INTEGER, round INTEGER, count INTEGER);"
    "CREATE TABLE guest_counted(event INTEGER, cpu INTEGER, count INTEGER, times INTEGER);"
    "CREATE TABLE guest_put(file TEXT, last INTEGER);";

constexpr unsigned kUser = 0x62; // flags: the kernel excluded

struct TextCheck : testing::Test {
    cs_test::TempFolder temp;
    std::string rows;

    TextCheck()
    {
        sql(kTables);
    }

    void sql(const std::string &text)
    {
        sqlite3 *db = nullptr;

        ASSERT_EQ(sqlite3_open(temp.file("truth.sqlite").c_str(), &db), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(db) << "\n"
            << text;
        sqlite3_close(db);
    }

    // A process has opened instructions, and that is what had been counted at each reading.
    void event(unsigned id, unsigned process, unsigned config, unsigned flags, unsigned last,
               std::initializer_list<unsigned> asked)
    {
        unsigned round = 0;

        sql("INSERT INTO guest_event VALUES(" + std::to_string(id) + "," + std::to_string(process) +
            ",0," + std::to_string(config) + ",0," + std::to_string(flags) + ",1," +
            std::to_string(last) + ")");
        for (const unsigned count : asked)
            sql("INSERT INTO guest_asked VALUES(" + std::to_string(id) + "," +
                std::to_string(++round) + "," + std::to_string(count) + ")");
    }

    cs_status check(const std::string &name, const std::string &text)
    {
        const std::string path = temp.file(name), truth = temp.path().string();
        cs_check_request request = {};
        cs_diag diag = {};

        std::ofstream(path) << text;
        request.path = path.c_str();
        request.truth = truth.c_str();
        request.format = CS_TABLE_CSV;
        rows.clear();
        const cs_text_sink sink = {take, &rows};
        const cs_status status = cs_check_trace(&request, &sink, &diag);

        if (status != CS_OK)
            rows += diag.text;
        return status;
    }

    static cs_status take(void *ctx, const char *text, size_t length)
    {
        static_cast<std::string *>(ctx)->append(text, length);
        return CS_OK;
    }

    bool has(const std::string &text) const
    {
        return rows.find(text) != std::string::npos;
    }
};

} // namespace

TEST_F(TextCheck, CountsAreExact)
{
    event(7, 60, 1, kUser, 10, {1000});
    event(8, 60, 0, 0, 10, {2000});
    const std::string head = "# started on Thu Jan  1 00:00:00 2026\n\n";
    const std::string cycles = "2000,,cycles,500,100.00,,\n";

    EXPECT_EQ(
        check("a.csv", head + "1000,,instructions:u,500,100.00,0.50,insn per cycle\n" + cycles),
        CS_OK)
        << rows;
    EXPECT_TRUE(has("counts,instructions:u,,1000,1000,0,exact,agrees")) << rows;
    EXPECT_TRUE(has("counts,cycles,,2000,2000,0,exact,agrees")) << rows;
    EXPECT_EQ(
        check("a.csv", head + "1001,,instructions:u,500,100.00,0.50,insn per cycle\n" + cycles),
        CS_ERR_DIFFERENCE)
        << rows;
    EXPECT_TRUE(has("1001 instead of 1000")) << rows;
}

// perf prints L1-dcache-loads:u as L1-dcache-loads.
TEST_F(TextCheck, AnEventOfCachesHasTheModesOfTheLastOne)
{
    const std::string line = "90,,L1-dcache-load-misses,500,100.00,,\n";

    event(7, 60, 0x10000, kUser, 10, {90});
    sql("UPDATE guest_event SET type=3");
    EXPECT_EQ(check("a.csv", line), CS_OK) << rows;
    EXPECT_TRUE(has("counts,L1-dcache-load-misses,,90,90,0,exact,agrees")) << rows;
    event(8, 61, 0x10000, 0, 20, {80});
    sql("UPDATE guest_event SET type=3");
    EXPECT_EQ(check("a.csv", line), CS_ERR_UNDECIDED) << rows; // which of the two, it does not say
    sql("INSERT INTO guest_put VALUES('a.csv',15),('b.csv',25)");
    EXPECT_EQ(check("a.csv", line), CS_OK) << rows;
    EXPECT_EQ(check("b.csv", line), CS_ERR_DIFFERENCE) << rows;
}

TEST_F(TextCheck, JsonToo)
{
    event(7, 60, 1, kUser, 10, {1000});
    const std::string rest = ".000000\", \"unit\" : \"\", \"event\" : \"instructions:u\", "
                             "\"event-runtime\" : 500, \"pcnt-running\" : 100.00, \"metric-value\" "
                             ": \"0.500000\", \"metric-unit\" : \"insn per cycle\"}\n";

    EXPECT_EQ(check("a.json", "{\"counter-value\" : \"1000" + rest), CS_OK) << rows;
    EXPECT_EQ(check("a.json", "{\"counter-value\" : \"999" + rest), CS_ERR_DIFFERENCE) << rows;
}

TEST_F(TextCheck, OfIntervalsEachIsCompared)
{
    event(7, 60, 1, kUser, 10, {300, 300, 1000});
    const auto lines = [](const char *second, const char *third) {
        return std::string("     0.005000001,300,,instructions:u,5,100.00,,\n"
                           "     0.010000001,") +
               second + ",,instructions:u,5,100.00,,\n     0.015000001," + third +
               ",,instructions:u,5,100.00,,\n";
    };

    EXPECT_EQ(check("a.csv", lines("0", "700")), CS_OK) << rows;
    EXPECT_TRUE(has("counts,instructions:u,,1000,1000,0,\"exact, 3 rounds\",agrees")) << rows;
    EXPECT_EQ(check("a.csv", lines("1", "699")), CS_ERR_DIFFERENCE) << rows;
    EXPECT_TRUE(has(",1000,1000,2,\"exact, 3 rounds\",DISAGREES")) << rows;
    // perf reads once more in the end.
    sql("INSERT INTO guest_asked VALUES(7,4,1000)");
    EXPECT_EQ(check("a.csv", lines("0", "700")), CS_OK) << rows;
    EXPECT_EQ(check("a.csv", lines("1", "699")), CS_ERR_DIFFERENCE) << rows;
    sql("UPDATE guest_asked SET count=1005 WHERE round=4"); // and does not print that
    EXPECT_EQ(check("a.csv", lines("0", "700")), CS_OK) << rows;
    sql("INSERT INTO guest_asked VALUES(7,5,1005)");
    EXPECT_EQ(check("a.csv", lines("0", "700")), CS_ERR_UNDECIDED) << rows;
    EXPECT_TRUE(has("not read it as often as it has printed it, 3 times")) << rows;
}

TEST_F(TextCheck, ANameMayHaveItsPmu)
{
    event(7, 60, 1, 0x52, 10, {1000}); // the user excluded
    EXPECT_EQ(check("a.csv", "CPU0,1000,,instructions:k [cpu],5,100.00,,\n"), CS_OK) << rows;
}

TEST_F(TextCheck, WhatIsScaledIsAsExactAsItsPercentage)
{
    event(7, 60, 1, kUser, 10, {1000000});

    // 1000000 in 40 %, which perf rounds down: 2439024 to 2500000.
    for (const char *good : {"2500000", "2470000", "2439024"})
        EXPECT_EQ(check("a.csv", std::string(good) + ",,instructions:u,5,40.00,,\n"), CS_OK)
            << rows;
    for (const char *bad : {"2439000", "2500400", "1000000"})
        EXPECT_EQ(check("a.csv", std::string(bad) + ",,instructions:u,5,40.00,,\n"),
                  CS_ERR_DIFFERENCE)
            << rows;
}

TEST_F(TextCheck, AllThatIsScaledHasOneEnabledTime)
{
    event(7, 60, 1, kUser, 10, {1000000});
    event(8, 60, 0, kUser, 10, {2000000});
    const std::string first = "2500000,,instructions:u,400000,40.00,,\n"; // of 1000000 ns

    EXPECT_EQ(check("a.csv", first + "4000000,,cycles:u,500000,50.00,,\n"), CS_OK) << rows;
    EXPECT_TRUE(has("scaled,2 counts,,")) << rows;
    EXPECT_EQ(check("a.csv", first + "4000020,,cycles:u,500000,49.00,,\n"), CS_ERR_DIFFERENCE)
        << rows;
    EXPECT_TRUE(has("not those of the others")) << rows;
}

TEST_F(TextCheck, WhatIsNotCountedMustBeNothing)
{
    event(7, 60, 1, kUser, 10, {0});
    EXPECT_EQ(check("a.csv", "<not counted>,,instructions:u,0,0.00,,\n"), CS_OK) << rows;
    event(8, 60, 0, kUser, 10, {5});
    EXPECT_EQ(check("a.csv", "<not counted>,,instructions:u,0,0.00,,\n"
                             "<not counted>,,cycles:u,0,0.00,,\n"),
              CS_ERR_DIFFERENCE)
        << rows;
}

TEST_F(TextCheck, ATextIsOfTheLastSuchCommandBeforeItWasPutOut)
{
    event(7, 60, 1, kUser, 10, {1000});
    event(8, 61, 1, kUser, 20, {1100});
    event(9, 62, 1, kUser, 40, {1200});
    event(10, 63, 0, kUser, 25, {7}); // of another kind
    sql("INSERT INTO guest_put VALUES('a.csv',30)");
    EXPECT_EQ(check("a.csv", "1100,,instructions:u,5,100.00,,\n"), CS_OK) << rows;
    EXPECT_EQ(check("a.csv", "1200,,instructions:u,5,100.00,,\n"), CS_ERR_DIFFERENCE) << rows;
    // By another name nobody knows which it is.
    EXPECT_EQ(check("b.csv", "1100,,instructions:u,5,100.00,,\n"), CS_ERR_UNDECIDED) << rows;
    EXPECT_TRUE(has("several commands counted such events")) << rows;
    EXPECT_EQ(check("b.csv", "7,,cycles:u,5,100.00,,\n"), CS_OK) << rows;
    EXPECT_EQ(check("b.csv", "7,,branches:u,5,100.00,,\n"), CS_ERR_UNDECIDED) << rows;
}

TEST_F(TextCheck, SamplingIsNoCounting)
{
    event(7, 60, 1, kUser, 10, {1000});
    event(8, 61, 1, kUser, 20, {5});
    sql("UPDATE guest_event SET period=10007 WHERE event=8;"
        "INSERT INTO guest_put VALUES('a.csv',30)");
    EXPECT_EQ(check("a.csv", "1000,,instructions:u,5,100.00,,\n"), CS_OK) << rows;
}

TEST_F(TextCheck, TwoOfOneKindAreInTheirOrder)
{
    // Of two CPUs: perf opens all of a CPU before those of the next.
    event(7, 60, 1, 0, 10, {100});
    event(8, 60, 1, 0, 10, {200});
    event(9, 60, 1, 0, 10, {1000});
    event(10, 60, 1, 0, 10, {2000});
    EXPECT_EQ(check("a.csv", "1100,,instructions,5,100.00,,\n2200,,instructions,5,100.00,,\n"),
              CS_OK)
        << rows;
    EXPECT_TRUE(has("counts,instructions (2),,2200,2200,0,exact,agrees")) << rows;
    EXPECT_EQ(check("a.csv",
                    "CPU0,100,,instructions,5,100.00,,\nCPU1,1000,,instructions,5,100.00,,\n"
                    "CPU0,200,,instructions,5,100.00,,\nCPU1,2000,,instructions,5,100.00,,\n"),
              CS_OK)
        << rows;
    EXPECT_TRUE(has("counts,instructions (2),1,2000,2000,0,exact,agrees")) << rows;
}

TEST_F(TextCheck, NobodySaysWhatIsOfNoHart)
{
    event(7, 60, 1, kUser, 10, {1000});
    EXPECT_EQ(check("a.csv",
                    "1000,,instructions:u,5,100.00,,\n12.50,msec,task-clock,12500000,100.00,,\n"),
              CS_OK)
        << rows;
    EXPECT_TRUE(has("it is no event of hpm")) << rows;
}

TEST_F(TextCheck, OfAnotherTruthItIsNotJudged)
{
    sql("DROP TABLE guest_asked");
    EXPECT_EQ(check("a.csv", "7,,cycles:u,5,100.00,,\n"), CS_ERR_UNDECIDED) << rows;
    EXPECT_TRUE(has("is of no RISC-V guest")) << rows;
}
