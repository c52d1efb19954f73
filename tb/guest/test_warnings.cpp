// SPDX-License-Identifier: Apache-2.0
// What `boot` warns of: what a guest's perf cannot have seen, by the truth.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "guest/warnings.h"

namespace
{

const char kTables[] =
    "CREATE TABLE guest_record(number INTEGER PRIMARY KEY, cpu INTEGER);"
    "CREATE TABLE guest_taken(record INTEGER);"
    "CREATE TABLE guest_session(session INTEGER);"
    "CREATE TABLE guest_overflow(number INTEGER PRIMARY KEY, cpu INTEGER, event INTEGER);"
    "CREATE TABLE guest_stopped(overflow INTEGER PRIMARY KEY);"
    "CREATE TABLE guest_count(counted_by TEXT, count INTEGER);"
    "CREATE TABLE guest_told(file TEXT, event TEXT, cpu INTEGER, count INTEGER, scale REAL, "
    "counted INTEGER, cycle INTEGER);";

std::vector<std::string> warnings_of(const std::string &sql, const char *tables = kTables)
{
    const std::unique_ptr<cs_guest_result> result{new cs_guest_result()};
    std::vector<std::string> all;
    sqlite3 *db = nullptr;

    EXPECT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, tables, nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    cs_guest_warn(db, result.get());
    sqlite3_close(db);
    for (unsigned i = 0; i < result->nr_warnings; i++)
        all.push_back(result->warnings[i]);
    return all;
}

using Lines = std::vector<std::string>;

} // namespace

TEST(GuestWarnings, ABootThatHasSeenEverythingHasNone)
{
    EXPECT_EQ(warnings_of(""), Lines{});
    EXPECT_EQ(warnings_of("INSERT INTO guest_session VALUES(1);"
                          "INSERT INTO guest_record VALUES(1,0);INSERT INTO guest_taken VALUES(1);"
                          "INSERT INTO guest_overflow VALUES(1,0,5);"
                          "INSERT INTO guest_count VALUES('core',7)"),
              Lines{});
    EXPECT_EQ(warnings_of("", "CREATE TABLE guest_count(counted_by TEXT, count INTEGER)"), Lines{});
}

TEST(GuestWarnings, OfCpusThatPerfLeftInTraceMode)
{
    EXPECT_EQ(warnings_of("INSERT INTO guest_count VALUES('left',5),('left',6),('trace',7)"),
              Lines{"core_imc counts nothing of 11 instructions: perf has left their CPUs in trace "
                    "mode (guest_count, counted_by 'left')"});
}

// An event of each CPU once, by the last round; of what is rare perf's unit may not be full.
TEST(GuestWarnings, OfCountsThatAreZero)
{
    EXPECT_EQ(
        warnings_of("INSERT INTO guest_told VALUES('a','core_imc/X/',0,0,512,5120,10),"
                    "('a','core_imc/X/',0,0,512,5120,NULL),('a','core_imc/X/',4,0,512,9999,NULL),"
                    "('a','core_imc/Y/',0,0,512,5119,NULL),('a','core_imc/Z/',0,1,512,9000,NULL),"
                    "('b','thread_imc/X/',-1,0,1,10,NULL)"),
        (Lines{"core_imc/X on CPU 0 counts 0 of 5120 (guest_told, file a)",
               "core_imc/X on CPU 4 counts 0 of 9999 (guest_told, file a)",
               "thread_imc/X counts 0 of 10 (guest_told, file b)"}));
}

// A tenth may be lost; RISC-V's samples have no sessions.
TEST(GuestWarnings, OfRecordsThatDoNotComeToPerf)
{
    std::string sql = "INSERT INTO guest_record VALUES(1,1)";

    for (int i = 2; i <= 40; i++) // 20 of each CPU
        sql += ",(" + std::to_string(i) + "," + std::to_string(i % 2) + ")";
    sql += ";INSERT INTO guest_taken SELECT number FROM guest_record WHERE number>4";
    EXPECT_EQ(warnings_of(sql + ";DELETE FROM guest_taken"), Lines{});
    sql += ";INSERT INTO guest_session VALUES(1)";
    EXPECT_EQ(warnings_of(sql), Lines{});
    EXPECT_EQ(warnings_of(sql + ";DELETE FROM guest_taken WHERE record=6"),
              Lines{"3 of 20 records of CPU 0 never came to perf: the hardware had overwritten "
                    "them, or nobody looked (guest_taken)"});
}

TEST(GuestWarnings, OfOverflowsWithoutASample)
{
    EXPECT_EQ(
        warnings_of("INSERT INTO guest_overflow VALUES(1,0,5),(2,0,5),(3,1,5),(4,0,6),(5,0,0);"
                    "INSERT INTO guest_stopped VALUES(2),(5)"),
        Lines{"1 of 2 overflows of event 5 on CPU 0 have no sample: the driver had stopped the "
              "counter before (guest_stopped)"});
}

TEST(GuestWarnings, AreNotWithoutEnd)
{
    std::string sql = "INSERT INTO guest_told VALUES('a','e',0,0,1,10,NULL)";

    for (int i = 1; i < 40; i++)
        sql += ",('a','e'," + std::to_string(i) + ",0,1,10,NULL)";
    EXPECT_EQ(warnings_of(sql).size(), CS_GUEST_WARNINGS);
}
