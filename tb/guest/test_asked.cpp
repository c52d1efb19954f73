// SPDX-License-Identifier: Apache-2.0
// What the truth has of perf's reading, from lines of the plugin's log.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "guest/hpm/parts.h"

namespace
{

struct Asked : testing::Test {
    sqlite3 *db = nullptr;

    Asked()
    {
        sqlite3_open(":memory:", &db);
    }

    ~Asked() override
    {
        sqlite3_close(db);
    }

    void read(const std::string &log)
    {
        FILE *file = std::tmpfile();
        cs_diag diag = {};

        std::fputs(log.c_str(), file);
        EXPECT_EQ(cs_riscv_write_asked(db, file, &diag), CS_OK) << diag.text;
        std::fclose(file);
    }

    std::string ask(const char *sql)
    {
        std::string all;
        sqlite3_stmt *rows = nullptr;

        EXPECT_EQ(sqlite3_prepare_v2(db, sql, -1, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
        while (sqlite3_step(rows) == SQLITE_ROW)
            for (int i = 0; i < sqlite3_column_count(rows); i++)
                all += std::string(reinterpret_cast<const char *>(sqlite3_column_text(rows, i))) +
                       (i + 1 < sqlite3_column_count(rows) ? "|" : " ");
        sqlite3_finalize(rows);
        return all;
    }
};

const char kRounds[] = "SELECT event, round, count FROM guest_asked ORDER BY 1, 2";

} // namespace

TEST_F(Asked, AReadingIsWhatHasEndedAndWhatCountsStill)
{
    read("V 7 3c 0 1 0 62\n"
         "P 7 0 64\n"   // 100 on hart 0
         "G 7 3c 2\n"   // hart 1 counts,
         "P 7 3 1\n"    // hart 3 has begun only since,
         "Q 7 1 a\n"    // and has 10 where it is read
         "P 7 1 14\n"   // later it has ended with 20
         "G 7 3c 0\n"); // all is over
    EXPECT_EQ(ask(kRounds), "7|1|110 7|2|121 ");
}

TEST_F(Asked, ACounterMayEndBeforeItIsRead)
{
    read("V 7 3c 0 1 0 62\nG 7 3c 1\nP 7 0 a\nP 7 0 5\nQ 7 0 3\n");
    EXPECT_EQ(ask(kRounds), "7|1|10 ");
}

TEST_F(Asked, OnlyItsOwnPerfReadsIt)
{
    read("V 7 3c 0 1 0 62\nP 7 0 5\nG 7 3d 0\nG 8 3c 0\n");
    EXPECT_EQ(ask(kRounds), "");
}

TEST_F(Asked, EventsAreAsPerfHasAskedForThem)
{
    read("V 7 3c 4 20 2717 62\nX\nP 7 0 1\nV 8 3d 0 0 0 0\n");
    EXPECT_EQ(
        ask("SELECT event, process, type, config, period, flags, opened, last FROM guest_event"),
        "7|60|4|32|10007|98|1|3 8|61|0|0|0|0|4|4 ");
}

TEST_F(Asked, AFileIsOutWhenItsLastBytesAre)
{
    read("N a.csv\nU\nX\nU\nN b.csv\nX\nU\n");
    EXPECT_EQ(ask("SELECT file, last FROM guest_put ORDER BY 1"), "a.csv|4 b.csv|7 ");
}
