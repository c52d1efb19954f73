// SPDX-License-Identifier: Apache-2.0
// `check` of what a guest's perf has recorded: a file is that of its own events, whatever else the guest
// has counted and sampled.
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "check/check.h"
#include "formats/perf/write/data.h"
#include "support/temp_folder.hpp"

namespace
{

constexpr uint32_t kTrace = 11, kCore = 10, kCycles = 0;

const char kTables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value);"
    "INSERT INTO run VALUES('clock_mhz',1000),('samples_truth',1);"
    "CREATE TABLE guest_record(number INTEGER PRIMARY KEY, ip INTEGER, cpu INTEGER, process "
    "INTEGER, file TEXT, function TEXT, event INTEGER);"
    "CREATE TABLE guest_taken(seq INTEGER PRIMARY KEY, record INTEGER, process INTEGER, event "
    "INTEGER);"
    "CREATE TABLE guest_count(file TEXT, name TEXT, mode INTEGER, counted_by TEXT, event INTEGER, "
    "count INTEGER, "
    "cycles INTEGER);"
    "CREATE TABLE guest_told(file TEXT, event TEXT, cpu INTEGER, round INTEGER, count INTEGER, "
    "scale REAL, counted INTEGER, cycle INTEGER, id INTEGER);";

// Of a guest of RISC-V.
const char kHarts[] =
    "INSERT INTO run VALUES('guest','riscv64');"
    "CREATE TABLE guest_overflow(number INTEGER PRIMARY KEY, cycle INTEGER, ip INTEGER, mode "
    "INTEGER, "
    "cpu INTEGER, process INTEGER, file TEXT, function TEXT, counter INTEGER, excess INTEGER, "
    "event "
    "INTEGER, takes INTEGER);"
    "CREATE TABLE guest_interrupt(overflow INTEGER PRIMARY KEY, skid INTEGER, cause INTEGER);"
    "CREATE TABLE guest_stopped(overflow INTEGER PRIMARY KEY);"
    "CREATE TABLE guest_stale(record INTEGER PRIMARY KEY);"
    "CREATE TABLE guest_outcome(what TEXT, file TEXT, name TEXT, mode INTEGER, event INTEGER, "
    "count "
    "INTEGER)";

struct GuestCheck : testing::Test {
    cs_test::TempFolder temp;
    cs_perf_data_file file = {nullptr, "perf.data"};
    cs_perf_data_writer *writer = nullptr;
    std::string rows;
    unsigned records = 0, taken = 0;

    GuestCheck()
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

    static uint64_t ip_of(unsigned record)
    {
        return 0x10000000 + 4 * record;
    }

    // The hardware writes so many records on a CPU for an event, all in that function; the driver takes
    // the last `of` them.
    void record(unsigned cpu, unsigned event, unsigned count, unsigned of,
                const char *function = "f")
    {
        std::string all;

        for (unsigned i = 0; i < count; i++) {
            const std::string number = std::to_string(++records);

            all += "INSERT INTO guest_record VALUES(" + number + "," +
                   std::to_string(ip_of(records)) + "," + std::to_string(cpu) + ",7,'work','" +
                   function + "'," + std::to_string(event) + ");";
            if (i + of >= count)
                all += "INSERT INTO guest_taken VALUES(" + std::to_string(++taken) + "," + number +
                       ",7," + std::to_string(event) + ");";
        }
        sql("BEGIN;" + all + "COMMIT");
    }

    void begin(uint32_t type, const char *name, const std::vector<uint64_t> &ids,
               uint64_t config = 0, uint64_t sampled = CS_PERF_SAMPLE_CPU)
    {
        const cs_perf_data_sink sink = cs_perf_data_to_file(&file);
        cs_perf_data_event event = {};

        event.attr.type = type;
        event.attr.sample_period = 1;
        event.attr.config = config;
        event.attr.flags = CS_PERF_ATTR_EXCLUDE_KERNEL;
        event.attr.sample_type = CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | sampled;
        event.name = name;
        event.ids = ids.data();
        event.nr_ids = ids.size();
        file.stream = fopen(temp.file("perf.data").c_str(), "wb");
        ASSERT_NE(file.stream, nullptr);
        ASSERT_EQ(cs_perf_data_create(&sink, &event, 1, &writer, nullptr), CS_OK);
    }

    // Samples of records from one on.
    void samples(unsigned cpu, unsigned first, unsigned count, unsigned process = 7)
    {
        for (unsigned i = 0; i < count; i++) {
            cs_perf_data_sample s = {};

            s.where.pid = s.where.tid = process;
            s.where.cpu = cpu;
            s.misc = CS_PERF_MISC_USER;
            s.ip = ip_of(first + i);
            EXPECT_EQ(cs_perf_data_put_sample(writer, &s), CS_OK);
        }
    }

    void count(unsigned cpu, uint64_t value)
    {
        cs_perf_data_count c = {};

        c.cpu = cpu;
        c.value = value;
        EXPECT_EQ(cs_perf_data_put_stat(writer, &c), CS_OK);
    }

    cs_status check(bool stat = false)
    {
        static const cs_perf_data_pmu pmus[] = {
            {kCycles, "cpu"}, {kCore, "core_imc"}, {kTrace, "trace_imc"}};
        cs_perf_data_features features = {};
        cs_check_request request = {};
        const std::string path = temp.file("perf.data"), truth = temp.path().string();
        cs_diag diag = {};

        features.pmus = pmus;
        features.nr_pmus = 3;
        features.stat = stat;
        EXPECT_EQ(cs_perf_data_finish(writer, &features, nullptr), CS_OK);
        fclose(file.stream);
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

TEST_F(GuestCheck, OfTwoProfilesOneAfterTheOtherEachHasItsOwn)
{
    record(0, 5, 20, 20);
    record(0, 6, 30, 30);
    begin(kTrace, "trace_imc/trace_cycles/", {6});
    samples(0, 21, 30);
    EXPECT_EQ(check(), CS_OK) << rows;
    EXPECT_TRUE(has("samples,trace_imc,,30,30,0,exact,agrees")) << rows;
}

TEST_F(GuestCheck, OfTwoSideBySideToo)
{
    // They take turns on one CPU; ids are those of all CPUs.
    for (const unsigned event : {5, 8, 5, 8})
        record(0, event, 10, 10);
    begin(kTrace, "trace_imc/trace_cycles/", {5, 6, 7});
    samples(0, 1, 10);
    samples(0, 21, 10);
    EXPECT_EQ(check(), CS_OK) << rows;
    // And a sample of the other's is not among them.
    begin(kTrace, "trace_imc/trace_cycles/", {8});
    samples(0, 11, 10);
    samples(0, 21, 1);
    samples(0, 32, 9);
    EXPECT_EQ(check(), CS_ERR_DIFFERENCE) << rows;
}

TEST_F(GuestCheck, AProfileOfNothingThatWasTakenIsMissed)
{
    record(0, 5, 20, 20);
    record(1, 6, 20, 20);
    begin(kTrace, "trace_imc/trace_cycles/", {5, 6});
    samples(0, 1, 20);
    EXPECT_EQ(check(), CS_ERR_DIFFERENCE) << rows;
    EXPECT_TRUE(has("samples,trace_imc,1,20,0,20,exact,DISAGREES")) << rows;
}

TEST_F(GuestCheck, SharesAreOfWhatWasExecutedForTheFilesEvents)
{
    record(0, 5, 50, 50, "f");
    record(0, 5, 50, 50, "g");
    sql("INSERT INTO guest_count VALUES('work','f',1,'trace',5,1000,1000),"
        "('work','g',1,'trace',5,1000,1000),"
        "('work','g',1,'trace',6,90000,90000)," // another profile,
        "('work','g',1,'left',0,90000,90000)"); // and the trace mode that nobody ended
    begin(kTrace, "trace_imc/trace_cycles/", {5});
    samples(0, 1, 100);
    EXPECT_EQ(check(), CS_OK) << rows;
    EXPECT_TRUE(has("share,f,,50,50,0,4 sigma,agrees")) << rows;
    EXPECT_TRUE(has("share,g,,50,50,0,4 sigma,agrees")) << rows;
}

TEST_F(GuestCheck, WhereMostRecordsWereLostSharesAreAFindingAndNoFault)
{
    record(0, 5, 900, 20, "f");
    record(0, 5, 100, 100, "g");
    sql("INSERT INTO guest_count VALUES('work','f',1,'trace',5,9000,9000),"
        "('work','g',1,'trace',5,1000,1000)");
    begin(kTrace, "trace_imc/trace_cycles/", {5});
    samples(0, 881, 120);
    EXPECT_EQ(check(), CS_OK) << rows;
    EXPECT_TRUE(has("none: off by -81.5 %, as 880 of 1000 records were lost\",cannot say")) << rows;
}

TEST_F(GuestCheck, AFewThatWereLostWidenTheBoundByThemselves)
{
    record(0, 5, 60, 58, "f");
    record(0, 5, 40, 40, "g");
    sql("INSERT INTO guest_count VALUES('work','f',1,'trace',5,1000,1000),"
        "('work','g',1,'trace',5,9000,9000)");
    begin(kTrace, "trace_imc/trace_cycles/", {5});
    samples(0, 3, 98);
    EXPECT_EQ(check(), CS_ERR_DIFFERENCE) << rows;
    EXPECT_TRUE(has("share,g,,88,40,1,\"4 sigma, and 2 lost\",DISAGREES")) << rows;
}

// Two processes are at the same place, each on a hart of its own.
TEST_F(GuestCheck, WithoutNamesOfHartsSamplesAreThoseOfTheirProcesses)
{
    sql(kHarts);
    record(0, 20, 1, 1);
    record(1, 20, 1, 1);
    sql("UPDATE guest_record SET ip=0x10000004; UPDATE guest_taken SET process=6+record");
    begin(kCycles, "instructions:u", {20}, 1, 0);
    samples(0, 1, 1, 8);
    samples(0, 1, 1, 7);
    check();
    EXPECT_TRUE(has("processes,hpm,,2,2,0,exact,agrees")) << rows;
}

TEST_F(GuestCheck, SharesOfMissesAreOfWhatWasMissed)
{
    sql(kHarts);
    sql("INSERT INTO guest_outcome VALUES('l1d load misses','work','f',1,20,3000),('l1d "
        "load misses','work','g',1,20,1000),"
        "('dtlb misses','work','g',1,20,9000),('l1d load misses','work','g',0,20,9000)");
    record(0, 20, 30, 30);
    record(0, 20, 10, 10, "g");
    begin(kCycles, "cache-misses:u", {20}, 3);
    samples(0, 1, 40);
    check();
    EXPECT_TRUE(has("share,f,,30,30,0,4 sigma,agrees,75.00 % of 3000 l1d load misses")) << rows;
    EXPECT_TRUE(has("share,g,,10,10,0,4 sigma,agrees,25.00 % of 1000 l1d load misses")) << rows;
}

TEST_F(GuestCheck, ASampleOfNoOverflowIsTheFirmwaresWhereItHasLeftOfSet)
{
    sql(kHarts);
    record(0, 20, 2, 2);
    begin(kCycles, "instructions:u", {20}, 1);
    samples(0, 1, 2);
    sql("ALTER TABLE guest_record ADD COLUMN session INTEGER DEFAULT 0");
    sql("INSERT INTO guest_stale VALUES(1)");
    check();
    EXPECT_TRUE(has("overflows,hpm,,0,2,1,\"exact, but for 1 of counters that the firmware started "
                    "with OF set\",DISAGREES,\"sample 2, at 0x10000008, is of no overflow\""))
        << rows;
}

TEST_F(GuestCheck, AProfileByInterruptsIsNoneOfTraceMode)
{
    record(0, 5, 20, 20);
    begin(kCycles, "cycles", {9});
    samples(0, 1, 5);
    EXPECT_EQ(check(), CS_ERR_UNDECIDED) << rows;
    EXPECT_TRUE(has("none: it is not of trace_imc")) << rows;
}

TEST_F(GuestCheck, OfAKernelWhoseEventsAreNotKnownNothingIsSaid)
{
    record(0, 0, 20, 20);
    begin(kTrace, "trace_imc/trace_cycles/", {5});
    samples(0, 1, 20);
    EXPECT_EQ(check(), CS_ERR_UNDECIDED) << rows;
}

TEST_F(GuestCheck, ACountOfNothingIsNoEstimate)
{
    sql("INSERT INTO guest_told VALUES('perf.data','core_imc/CPM_INST/',0,1,0,512,5120,NULL,0);"
        "INSERT INTO guest_count VALUES('work','f',1,'left',0,5120,5120)");
    begin(kCore, "core_imc/CPM_INST/", {5});
    count(0, 0);
    EXPECT_EQ(check(true), CS_ERR_DIFFERENCE) << rows;
    EXPECT_TRUE(has("counts,core_imc/CPM_INST,,0,0,0,")) << rows;
    EXPECT_TRUE(has("truth of counts,core_imc/CPM_INST,,5120,0,1,more than 0,DISAGREES,5120 "
                    "instructions were executed in trace mode"))
        << rows;
    // One that little was to be counted of may be 0.
    sql("UPDATE guest_told SET counted=5119");
    begin(kCore, "core_imc/CPM_INST/", {5});
    count(0, 0);
    EXPECT_EQ(check(true), CS_OK) << rows;
}

// Whichever of them was put out first, and whatever had been counted until then for the other.
TEST_F(GuestCheck, OfTwoCountsSideBySideEachHasItsOwnEvents)
{
    sql("INSERT INTO guest_told VALUES"
        "('a.data','core_imc/CPM_INST/',0,1,10,1,10,NULL,5),"
        "('perf.data','core_imc/CPM_INST/',0,1,7,1,7,1000,6),"
        "('a.data','core_imc/CPM_INST/',0,2,30,1,30,NULL,6),"
        "('perf.data','core_imc/CPM_CCYC/',0,1,4,1,4,NULL,9)");
    for (const uint64_t wrong : {0, 1}) {
        begin(kCore, "core_imc/CPM_INST/", {6});
        count(0, 7);
        count(0, 30 + wrong);
        EXPECT_EQ(check(true), wrong == 0 ? CS_OK : CS_ERR_DIFFERENCE) << rows;
        EXPECT_TRUE(has("counts,core_imc/CPM_INST,,30," + std::to_string(30 + wrong))) << rows;
        EXPECT_FALSE(has("CPM_CCYC")) << rows;
    }
    begin(kCore, "core_imc/CPM_INST/", {5});
    count(0, 10);
    EXPECT_EQ(check(true), CS_OK) << rows;
}

TEST_F(GuestCheck, ACoreWithoutACpuKeepsItsCount)
{
    // Core 2 is off from before the third round to after the fourth.
    sql("INSERT INTO guest_told VALUES"
        "('perf.data','core_imc/CPM_INST/',0,1,10,1,10,1000,0),"
        "('perf.data','core_imc/CPM_INST/',0,2,20,1,20,2000,0),"
        "('perf.data','core_imc/CPM_INST/',0,3,30,1,30,3000,0),"
        "('perf.data','core_imc/CPM_INST/',0,4,40,1,40,4000,0),"
        "('perf.data','core_imc/CPM_INST/',0,5,50,1,50,5000,0),"
        "('perf.data','core_imc/CPM_INST/',0,6,60,1,60,NULL,0),"
        "('perf.data','core_imc/CPM_INST/',2,1,11,1,11,1010,0),"
        "('perf.data','core_imc/CPM_INST/',2,2,12,1,12,2010,0),"
        "('perf.data','core_imc/CPM_INST/',2,3,13,1,13,5010,0),"
        "('perf.data','core_imc/CPM_INST/',2,4,14,1,14,NULL,0)");
    const uint64_t counts[6][2] = {{10, 11}, {20, 12}, {30, 12}, {40, 12}, {50, 13}, {60, 14}};

    for (const uint64_t wrong : {0, 1}) {
        begin(kCore, "core_imc/CPM_INST/", {5, 6});
        for (const auto &round : counts) {
            count(0, round[0]);
            count(2, round[1] + (round[0] == 40 ? wrong : 0));
        }
        EXPECT_EQ(check(true), wrong == 0 ? CS_OK : CS_ERR_DIFFERENCE) << rows;
        EXPECT_TRUE(has("\"exact, 6 rounds, 2 without a CPU\"")) << rows;
    }
}
