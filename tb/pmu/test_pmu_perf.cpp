// SPDX-License-Identifier: Apache-2.0
// Linux's own perf under the command.
#include <cstring>
#include <string>

#include <sqlite3.h>

#include "cli/shell.hpp"
#include "support/perf_tool.hpp"

using namespace cs_test;

namespace
{

struct PmuPerf : Command {
    void change(const std::string &file, const std::string &sql)
    {
        sqlite3 *db = nullptr;

        ASSERT_EQ(sqlite3_open((temp.path() / file).c_str(), &db), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(db);
    }
    Outcome perf_under(const std::string &arguments, const std::string &options = "")
    {
        return run("pmu " + options + " -- env HOME=. LC_ALL=C perf --buildid-dir . " + arguments);
    }
};

// The counts of `perf stat -x,` by event.
long count_in(const std::string &text, const std::string &event)
{
    for (const std::string &line : lines_of(text))
        if (has(line, "," + event))
            return std::strtol(line.c_str(), nullptr, 10);
    return -1;
}

enum class Change { Doubled, Missing, Changed };

uint64_t word(const std::string &file, size_t at)
{
    uint64_t value;

    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
}

void add_to(std::string &file, size_t at, uint64_t more)
{
    const uint64_t value = word(file, at) + more;

    std::memcpy(&file[at], &value, sizeof value);
}

// The twentieth sample of a perf.data file; the header is followed by where the data is, and this by tables of
// what comes after it (docs/perf_data.md).
std::string with_sample(std::string file, Change change)
{
    constexpr size_t kDataOffset = 40, kDataBytes = 48, kFeatures = 72, kSample = 9, kIp = 8;
    size_t at = word(file, kDataOffset), bytes = 0;

    for (unsigned nr = 0; at < word(file, kDataOffset) + word(file, kDataBytes); at += bytes) {
        bytes = word(file, at) >> 48;
        nr += static_cast<uint32_t>(word(file, at)) == kSample;
        if (nr == 20)
            break;
    }
    if (change == Change::Changed) {
        add_to(file, at + kIp, 4);
        return file;
    }
    const uint64_t more = change == Change::Doubled ? bytes : -bytes;
    const unsigned tables = static_cast<unsigned>(__builtin_popcountll(word(file, kFeatures)));

    for (unsigned i = 0; i < tables; i++)
        add_to(file, word(file, kDataOffset) + word(file, kDataBytes) + i * 16, more);
    add_to(file, kDataBytes, more);
    return change == Change::Doubled ? file.insert(at, file.substr(at, bytes))
                                     : file.erase(at, bytes);
}

} // namespace

TEST_F(PmuPerf, Stat)
{
    const Outcome o =
        perf_under("stat -x, -e cycles,instructions,branches -- " CS_EVENTS " sleeps");
    const Outcome plain = perf_under("stat -e cycles,instructions -- true");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GT(count_in(o.err, "cycles"), 0) << o.err;
    EXPECT_GT(count_in(o.err, "instructions"), 0) << o.err;
    EXPECT_GT(count_in(o.err, "branches"), 0) << o.err;
    EXPECT_FALSE(has(o.err, "not supported")) << o.err;
    EXPECT_TRUE(has(plain.err, "insn per cycle")) << plain.err;
}

// Six events on two counters and one for cycles: most have run for a part of the time. How often they take turns
// depends on how often the thread is interrupted, as under Linux; that each does is tested without a clock.
TEST_F(PmuPerf, StatTakesTurns)
{
    const Outcome o = perf_under("stat -e cycles,instructions,branches,branch-misses,"
                                 "cache-references,cache-misses -- " CS_EVENTS " works",
                                 "--counters 2");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GE(count_of(o.err, "%)"), 1u) << o.err;
    EXPECT_FALSE(has(o.err, "not supported")) << o.err;
}

TEST_F(PmuPerf, RecordAndReport)
{
    const Outcome o = perf_under("record -o p.data -c 1000000 -e cycles -- " CS_EVENTS " works");
    const Outcome report = perf_under("report -i p.data --stdio");
    const Outcome script = perf_under("script -i p.data -F comm,period,sym");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_TRUE(has(report.out, "pmu_events")) << report.out;
    /* 60 ms and more of 2.5 GHz */
    EXPECT_GE(count_of(script.out, "1000000"), 150u) << script.out;
    /* Where it really was is asked of the kernel now and then, more seldom on a busy machine. */
    EXPECT_TRUE(has(report.out, "pmu_events")) << report.out;
}

// A memory controller: 0.0825 reads in each of 2.5 cycles of a nanosecond.
TEST_F(PmuPerf, StatOfAnUncoreUnit)
{
    const std::string kunpeng = CS_SOURCE_DIR "/configs/pmu/kunpeng.yaml";
    const Outcome o =
        perf_under("stat -x, -a -e hisi_sccl1_ddrc0/flux_rd/,hisi_sccl1_l3c1/config=0x20/ "
                   "-- sleep 0.05",
                   kunpeng);
    const Outcome list = perf_under("list hisi_sccl1", kunpeng);

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GE(count_in(o.err, "hisi_sccl1_ddrc0"), 10300000) << o.err;
    EXPECT_LT(count_in(o.err, "hisi_sccl1_ddrc0"), 10 * 10300000) << o.err;
    EXPECT_GE(count_in(o.err, "hisi_sccl1_l3c1"), 37000000) << o.err;
    EXPECT_TRUE(has(list.out, "hisi_sccl1_hha0/sdir-home-migrate/")) << list.out;
}

TEST_F(PmuPerf, AnUncoreUnitTakesNoSamples)
{
    const Outcome o = perf_under("record -o p.data -a -e hisi_sccl1_ddrc0/flux_rd/ -- true",
                                 CS_SOURCE_DIR "/configs/pmu/kunpeng.yaml");

    EXPECT_NE(o.status, 0);
    EXPECT_TRUE(has(o.err, "doesn't support sampling")) << o.err;
}

// 0.158 reads in each of 2 cycles of a nanosecond, posted each millisecond, scaled by perf itself.
TEST_F(PmuPerf, StatOfANest)
{
    const std::string power9 = CS_SOURCE_DIR "/configs/pmu/power9.yaml";
    const Outcome o = perf_under("stat -x, -a -e nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01/ "
                                 "-- sleep 0.1",
                                 power9);

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GE(count_in(o.err, "nest_mcs01_imc"), 31200000) << o.err;
    EXPECT_EQ(count_in(o.err, "nest_mcs01_imc") % 256, 0) << o.err;
}

// Records of 64 bytes that the hardware wrote, one for each 7.8 us in which a thread ran. The buffer holds
// 32 ms, and begins anew then. An event of a thread is dumped when that leaves its CPU, as its samples.
TEST_F(PmuPerf, RecordOfTraceImc)
{
    const std::string power9 = CS_SOURCE_DIR "/configs/pmu/power9.yaml";
    const Outcome o = perf_under(
        "record -o p.data -c 1 -e trace_imc/trace_cycles/ -- " CS_EVENTS " works", power9);
    const Outcome script = perf_under("script -i p.data -F comm,ip,sym");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GE(lines_of(script.out).size(), 500u) << o.err;
    EXPECT_TRUE(has(script.out, "pmu_events")) << script.out;
}

// perf without the patches maps no AUX area, so the PMCU never starts.
TEST_F(PmuPerf, OpensThePmcuAndGetsNothing)
{
    const Outcome o = perf_under("record -o p.data -a -e hisi_pmcu_sccl0// -- sleep 0.05",
                                 CS_SOURCE_DIR "/configs/pmu/kunpeng.yaml");
    const Outcome script = perf_under("script -i p.data");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(script.out, "");
}

// A round of the engine's windows in half a millisecond: an estimate within a third of 1.6 cycles in
// each of 60,000,000 nanoseconds and more.
TEST_F(PmuPerf, StatOfThreadImc)
{
    const std::string power9 = CS_SOURCE_DIR "/configs/pmu/power9.yaml --set imc.tap_log2=9";
    const Outcome o =
        perf_under("stat -x, -e thread_imc/CPM_CS_PCYC_USER/ -- " CS_EVENTS " works", power9);

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GE(count_in(o.err, "thread_imc"), 60000000) << o.err;
    EXPECT_EQ(count_in(o.err, "thread_imc") % 512, 0) << o.err;
}

// Every sample of the file was an overflow, and every overflow that the small ring had room for is there. A wrong
// truth is found out.
TEST_F(PmuPerf, CheckComparesSamplesWithTheTruth)
{
    const Outcome o = perf_under("record -o p.data -m 1 -c 5000 -e cycles -- " CS_EVENTS " works",
                                 "--truth t.sqlite");
    const Outcome good = run("check --truth t.sqlite p.data");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(good.status, 0) << good.out << good.err;
    EXPECT_TRUE(has(good.out, "samples")) << good.out;
    EXPECT_FALSE(has(good.out, "DISAGREES")) << good.out;

    change("t.sqlite", "UPDATE sample SET ip=ip+4");
    EXPECT_EQ(run("check --truth t.sqlite p.data").status, 1);
}

// What a child has done is the event's that it was inherited from.
TEST_F(PmuPerf, CheckKnowsTheSamplesOfChildren)
{
    const Outcome o = perf_under("record -o p.data -c 500000 -e cycles -- sh -c '" CS_EVENTS
                                 " works; " CS_EVENTS " works'",
                                 "--truth t.sqlite");
    const Outcome good = run("check --truth t.sqlite p.data");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(good.status, 0) << good.out << good.err;
    EXPECT_EQ(count_of(good.out, "agrees"), 1u) << good.out;
}

// The kernel's page faults and our cycles, in one ring and one file, in whichever order they are opened.
TEST_F(PmuPerf, RecordsWhatTheKernelCountsBesideCycles)
{
    for (const char *events : {"cycles/period=500000/u,page-faults/period=1/",
                               "page-faults/period=1/,cycles/period=500000/u"}) {
        const Outcome o =
            perf_under(std::string("record -o p.data -e ") + events + " -- " CS_EVENTS " works",
                       "--truth t.sqlite");
        const Outcome good = run("check --truth t.sqlite p.data");

        ASSERT_EQ(o.status, 0) << events << o.err;
        EXPECT_EQ(good.status, 0) << events << good.out << good.err;
        EXPECT_EQ(count_of(good.out, "agrees"), 1u) << good.out;
        EXPECT_EQ(count_of(good.out, "none: the kernel counted them"), 1u) << good.out;
        std::filesystem::remove(temp.path() / "t.sqlite");
        std::filesystem::remove(temp.path() / "p.data");
    }
}

TEST_F(PmuPerf, CheckFindsASampleThatIsDoubledMissingOrChanged)
{
    const Outcome o = perf_under("record -o p.data -c 500000 -e cycles -- " CS_EVENTS " works",
                                 "--truth t.sqlite");
    const std::string good = temp.read("p.data");
    const struct {
        const char *what;
        std::string file;
        const char *says;
    } cases[] = {
        {"doubled", with_sample(good, Change::Doubled), "at byte"},
        {"missing", with_sample(good, Change::Missing), "none at"},
        {"changed", with_sample(good, Change::Changed), "at byte"},
    };

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(run("check --truth t.sqlite p.data").status, 0);
    for (const auto &c : cases) {
        temp.write("p.data", c.file);
        const Outcome bad = run("check --truth t.sqlite p.data");

        EXPECT_EQ(bad.status, 1) << c.what << bad.out << bad.err;
        EXPECT_TRUE(has(bad.out, c.says)) << c.what << bad.out;
    }
}

TEST_F(PmuPerf, CheckComparesCountsWithTheTruth)
{
    const Outcome o = perf_under("stat record -o s.data -e cycles,instructions,branches,"
                                 "cache-misses -- " CS_EVENTS " works",
                                 "--counters 2 --truth t.sqlite");
    const Outcome good = run("check --truth t.sqlite s.data");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(good.status, 0) << good.out << good.err;
    EXPECT_EQ(count_of(good.out, "agrees"), 4u) << good.out;
    EXPECT_TRUE(has(good.out, "really ")) << good.out;
    change("t.sqlite", "UPDATE reading SET value=value+1");
    EXPECT_EQ(run("check --truth t.sqlite s.data").status, 1);
}

TEST_F(PmuPerf, CheckComparesWhatPerfPrints)
{
    for (const std::string form : {"-x, ", "-j "}) {
        const std::string events = "-e cycles,instructions,branches,cache-misses ";
        const Outcome o = perf_under("stat " + form + events + "-o s.txt -- " CS_EVENTS " works",
                                     "--counters 2 --truth t.sqlite");
        const Outcome good = run("check --truth t.sqlite s.txt");

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(good.status, 0) << good.out << good.err << temp.read("s.txt");
        EXPECT_EQ(count_of(good.out, "agrees"), 4u) << good.out;
        EXPECT_TRUE(has(good.out, "really ")) << good.out;
        change("t.sqlite", "UPDATE reading SET value=value+value/100+9");
        EXPECT_EQ(run("check --truth t.sqlite s.txt").status, 1);
        std::filesystem::remove(temp.path() / "t.sqlite");
    }
}

// check knows a core's events by the words of its PMU, one that is there twice, those of each CPU, and
// intervals; and says so where a word is none of the PMU's.
TEST_F(PmuPerf, CheckKnowsWordsOfAPmu)
{
    const std::string arm = CS_SOURCE_DIR "/configs/pmu/arm_server.yaml";
    const struct {
        std::string options, machine;
        unsigned agree;
    } cases[] = {
        {"-e armv8_pmuv3_0/ld_retired/,r06,armv8_pmuv3_0/event=0x6/u,armv8_pmuv3_0/config=0x8/k ",
         arm, 4},
        {"-e cpu/cache-misses/,cpu/event=0xc0,umask=0x1/,cpu/instructions/u ", "", 3},
        {"-e branches,cycles,instructions,branches,branch-misses,branches ", "--counters 2", 6},
        {"-a -A -e cycles,instructions,cycles ", "", 0}, // 3 of each CPU
        {"-a -I 10 -e cycles,instructions,branches,branches ", "--counters 1", 4},
    };

    for (const auto &c : cases) {
        const Outcome o = perf_under("stat -x, " + c.options + "-o s.txt -- " CS_EVENTS " works",
                                     "--truth t.sqlite " + c.machine);
        const Outcome good = run("check --truth t.sqlite s.txt");
        const size_t lines = count_of(temp.read("s.txt"), ",100.00,");

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(good.status, 0) << c.options << good.out << good.err;
        EXPECT_EQ(count_of(good.out, "agrees"), c.agree != 0 ? c.agree : lines) << good.out;
        EXPECT_FALSE(has(good.out, "cannot say")) << good.out;
        change("t.sqlite", "UPDATE reading SET value=value+value/100+9");
        EXPECT_EQ(run("check --truth t.sqlite s.txt").status, 1) << c.options;
        std::filesystem::remove(temp.path() / "t.sqlite");
    }
    // Of several runs perf 6.1 prints the last one's counts, as if they were the mean.
    perf_under("stat -r 3 -x, -o s.txt -e cycles -- " CS_EVENTS " works", "--truth t.sqlite");
    const Outcome mean = run("check --truth t.sqlite s.txt");
    EXPECT_TRUE(mean.status == 0 ||
                has(mean.out, "DISAGREES   it is of the last run, not the mean"))
        << mean.out;
    EXPECT_FALSE(has(mean.out, "cannot say")) << mean.out;
    std::filesystem::remove(temp.path() / "t.sqlite");
    perf_under("stat -x, -o s.txt -e cycles -- true", "--truth t.sqlite");
    temp.write("s.txt", "1,,cpu/nothing=1/,20000000,100.00,,\n");
    const Outcome unknown = run("check --truth t.sqlite s.txt");
    EXPECT_TRUE(has(unknown.out, "no such event was read")) << unknown.out;
    change("t.sqlite", "DROP TABLE format"); // of a former version
    EXPECT_TRUE(has(run("check --truth t.sqlite s.txt").out, "no such event was read"));
}

// check knows a unit's events by name, and perf's scale.
TEST_F(PmuPerf, CountsOfUnitsAreChecked)
{
    const std::string configs = CS_SOURCE_DIR "/configs/pmu/";

    perf_under(
        "stat -x, -o nest.txt -a -e nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01/ -- sleep 0.02",
        "--truth nest.sqlite " + configs + "power9.yaml");
    perf_under("stat -x, -o unit.txt -a -e hisi_sccl1_ddrc0/flux_rd/ -- sleep 0.02",
               "--truth unit.sqlite " + configs + "kunpeng.yaml");
    const Outcome nest = run("check --truth nest.sqlite nest.txt");
    const Outcome unit = run("check --truth unit.sqlite unit.txt");

    EXPECT_EQ(nest.status, 0) << nest.err;
    EXPECT_TRUE(has(nest.out, "agrees")) << nest.out;
    EXPECT_EQ(unit.status, 0) << unit.err;
    EXPECT_TRUE(has(unit.out, "agrees")) << unit.out;
    temp.write("unit.txt", "1,,hisi_sccl1_ddrc0/flux_rd/,20000000,100.00,,\n");
    EXPECT_EQ(run("check --truth unit.sqlite unit.txt").status, 1);
}
