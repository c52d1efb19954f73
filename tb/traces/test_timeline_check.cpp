// SPDX-License-Identifier: Apache-2.0
// check and decode of timelines and tables: they agree with the truth of their run, and one changed
// number, one dropped event, or one changed time in them does not.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/proto.hpp"

using namespace cs_test;

namespace
{

const std::string kScenarios = CS_SOURCE_DIR "/traces/";

struct TimelineCheck : Command {
    void make(const std::string &name, const std::string &format, const std::string &scenario)
    {
        const Outcome o = run("trace --format " + format + " -o " + name + " " + kScenarios +
                              scenario + "/scenario.yaml");

        ASSERT_EQ(o.status, 0) << o.err;
    }
    size_t lines(const std::string &command)
    {
        const std::string out = run(command).out;

        return static_cast<size_t>(std::count(out.begin(), out.end(), '\n'));
    }
    void write(const std::string &name, const std::string &text)
    {
        std::ofstream(temp.file(name), std::ios::binary) << text;
    }
    void agrees(const std::string &file, const std::vector<std::string> &what)
    {
        const Outcome o = run("check " + file);

        EXPECT_EQ(o.status, 0) << o.out << o.err;
        EXPECT_FALSE(has(o.out, "DISAGREES")) << o.out;
        for (const std::string &w : what)
            EXPECT_TRUE(has(o.out, "\n" + w)) << w << " in " << o.out;
    }
    // The file with one piece of text replaced.
    void disagrees(const std::string &name, const std::string &from, const std::string &to,
                   const std::string &first)
    {
        const std::string good = temp.read(name);
        const size_t at = good.find(from);
        std::string bad = good;

        ASSERT_NE(at, std::string::npos) << from;
        bad.replace(at, from.size(), to);
        write(name, bad);
        const std::string file = name.substr(0, name.find('/'));
        const Outcome o = run("check " + file);
        EXPECT_EQ(o.status, 1) << from << o.out << o.err;
        EXPECT_TRUE(has(o.out, "DISAGREES")) << from;
        EXPECT_TRUE(has(o.out, first)) << from << ": " << first << " in " << o.out;
        write(name, good);
    }
};

std::string little(uint64_t value)
{
    std::string bytes;

    for (unsigned i = 0; i < 8; i++)
        bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

} // namespace

// Perfetto's counters are doubles: of a count above 2^53 it is the nearest one that is compared.
TEST_F(TimelineCheck, LargeCountsOfPerfetto)
{
    write("large.yaml",
          "pmcu: {clusters: 1, slots: 2}\n"
          "workloads: [{segments: [{cycles: 900, events: [{event: INST_RETIRED, rate: 1}]}]}]\n"
          "pmcu_driver: {user_events: \"08\", nr_sample: 4, sample_period_ticks: 6000}\n"
          "software: {kind: [pmcu_driver, script]}\n"
          "script:\n  - delay: 30000\n"
          "  - write: {at: 0x200000fc, size: 4, value: 0x80000000}\n" // PMCCNTR, its upper half
          "  - write: {at: 0x200100fc, size: 4, value: 0x00300000}\n");
    for (const std::string flavour : {"json", "proto"}) {
        SCOPED_TRACE(flavour);
        const Outcome o =
            run("trace --format perfetto --flavour " + flavour + " -o " + flavour + " large.yaml");

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(Database(temp.file(flavour + ".truth/truth.sqlite"))
                      .one("SELECT sum(value < 0) || ' ' || sum(value >= 1 << 53) FROM sample"),
                  "1 1");
        agrees(
            flavour,
            {"counts            cycle counter                0               8               8"});
    }
    const std::string text = temp.read("json");
    const size_t at = text.find("\"count\":1351");

    ASSERT_NE(at, std::string::npos) << "0x30000000000000 and some more";
    disagrees("json", text.substr(at, 24), text.substr(at, 23) + (text[at + 23] == '1' ? "2" : "1"),
              "DISAGREES");
}

TEST_F(TimelineCheck, AgreesWithEveryKindOfTruth)
{
    static const struct {
        const char *scenario;
        std::vector<std::string> timeline, table;
    } cases[] = {
        {"pmcu", {"windows", "counts", "transfers", "software ns"}, {"samples"}},
        {"imc", {"records", "transfers", "software ns"}, {"samples", "names"}},
        {"riscv", {"samples", "software", "transfers"}, {"samples", "names"}},
    };
    const std::string proto = "perfetto --flavour proto";

    for (const auto &c : cases) {
        const std::string name = c.scenario;

        make(name + ".t", "ctf", name);
        make(name + ".j", "perfetto", name);
        make(name + ".p", proto, name);
        make(name + ".c", "csv", name);
        make(name + ".b", "json", name);
        agrees(name + ".t", c.timeline);
        agrees(name + ".j", c.timeline);
        agrees(name + ".p", c.timeline);
        EXPECT_EQ(run("check " + name + ".p").out, run("check " + name + ".j").out);
        agrees(name + ".c", c.table);
        agrees(name + ".b", c.table);
    }
    make("counts", "csv --command riscv.perf.1", "riscv");
    agrees("--command riscv.perf.1 counts", {"counts"});
}

// Arm gives not every number a name: 240 events, of which some have none.
// What begins in the window is there, whole, and nothing else; a file without one is missed in it.
TEST_F(TimelineCheck, AgreesInAWindow)
{
    const std::string windows[][3] = {{"pmcu", "100:200", "perfetto"},
                                      {"pmcu", "100:200", "ctf"},
                                      {"imc", "100:400", "perfetto"},
                                      {"riscv", "200:600", "perfetto --flavour proto"}};

    for (const auto &[scenario, window, format] : windows) {
        SCOPED_TRACE(scenario + " " + format);
        const std::string path = kScenarios + scenario + "/scenario.yaml";
        const std::string make = "trace --format " + format + " -o ";
        ASSERT_EQ(run(make + "w --window " + window + " " + path).status, 0);
        ASSERT_EQ(run(make + "all " + path).status, 0);
        agrees("w", {});
        const size_t few = lines("decode -f csv w"), many = lines("decode -f csv all");
        EXPECT_GT(few, 10u);
        EXPECT_LT(few, many / 2);
        EXPECT_EQ(run("check --truth w.truth all").status, 1);
        EXPECT_EQ(run("check --truth all.truth w").status, 1);
        for (const char *name : {"w", "w.truth", "all", "all.truth"})
            std::filesystem::remove_all(temp.file(name));
    }
}

TEST_F(TimelineCheck, AgreesOnEventsWithoutNames)
{
    for (const char *how : {"ctf", "perfetto", "perfetto --flavour proto"}) {
        const Outcome o = run("trace --format " + std::string(how) +
                              " -o t --set keep.samples_truth=true --set limit_cycles=12000000 " +
                              CS_SOURCE_DIR "/configs/pmcu/pmcu_headline.yaml");
        ASSERT_EQ(o.status, 0) << o.err;
        agrees("t", {"counts            0x0049"});
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

TEST_F(TimelineCheck, FindsWhatWasChangedInCtf)
{
    make("t", "ctf", "pmcu");
    const std::string windows = "t/cpu_0.windows";

    // the count of a counter; the length of a window; the number of its subsample
    disagrees(windows, little(83991), little(83992), "count 83992 is not in the truth");
    disagrees(windows, little(20162), little(20163), "cycles 20163 is not in the truth");
    // a transfer's bytes
    disagrees("t/bus.cpu", little(0x80001028) + std::string("\x80", 1),
              little(0x80001028) + std::string("\x81", 1), "bytes 1129");
    // a stream that is missing
    ASSERT_EQ(std::remove(temp.file("t/cpu_1.windows").c_str()), 0);
    const Outcome o = run("check t");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(o.out, "missing: subsample 0 time 2845 cycles 20162")) << o.out;
}

TEST_F(TimelineCheck, FindsWhatWasChangedInTraceEvents)
{
    make("t", "perfetto", "pmcu");
    const std::string window = "\"name\":\"window\",\"ts\":2.825,\"dur\":20.162";

    disagrees("t", "\"args\":{\"count\":83991}", "\"args\":{\"count\":83992}",
              "count 83992 is not in the truth");
    disagrees("t", window, "\"name\":\"window\",\"ts\":2.826,\"dur\":20.162",
              "missing: subsample 0 time 2825 cycles 20162");
    disagrees("t", "\"name\":\"window\"", "\"name\":\"other\"", "missing: subsample 0");
    disagrees("t", "\"direction\":\"write\",\"addr\":\"0x10000200\",\"bytes\":4",
              "\"direction\":\"write\",\"addr\":\"0x10000200\",\"bytes\":5", "bytes 1129");
    // A file that breaks off is compared as far as it goes.
    write("t", temp.read("t").substr(0, 300000));
    const Outcome o = run("check t");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "byte 0x493e0: the file ends")) << o.err;
    EXPECT_TRUE(has(o.out, "DISAGREES"));
}

TEST_F(TimelineCheck, FindsWhatWasChangedInProtocolBuffers)
{
    make("t", "perfetto --flavour proto", "pmcu");
    const std::string good = temp.read("t");
    // The bytes of the first packet that decode prints so: its head, and two bytes of its time.
    const auto packet_of = [&](const std::string &row) {
        const std::string rows = run("decode --format csv t").out;
        const size_t line = rows.rfind('\n', rows.find(row)) + 1;

        EXPECT_NE(rows.find(row), std::string::npos) << row;
        return good.substr(std::stoull(rows.substr(line, rows.find(',', line) - line), nullptr, 16),
                           16);
    };
    const auto changed = [](std::string bytes, size_t at, char by) {
        bytes[at] = static_cast<char>(bytes[at] ^ by);
        return bytes;
    };
    const std::string begin = packet_of(",begin,cpu 0,windows,window,,,,cycles=20162 ");
    const std::string end = packet_of(",end,cpu 0,windows,window,,20162,");

    // a counter's value, a slice's argument, begin, end and name
    disagrees("t", real(44, 83991), real(44, 83992), "count 83992 is not in the truth");
    disagrees("t", num(3, 20162), num(3, 20163), "cycles 20163 ends 22987 is not in the truth");
    ASSERT_EQ(begin[2], '\x40'); // timestamp
    disagrees("t", begin, changed(begin, 3, 4), "missing: subsample 0 time 2825 cycles 20162");
    disagrees("t", end, changed(end, 3, 1), "ends 22986 is not in the truth");
    disagrees("t", sub(2, "window"), sub(2, "winter"), "missing: subsample 0");
    // the bytes of a transfer
    const size_t addr = good.find(num(7, 0x10000200)), bytes = good.find(num(3, 4), addr);
    disagrees("t", good.substr(addr, bytes + 2 - addr), good.substr(addr, bytes - addr) + num(3, 5),
              "bytes 1129");
    // a file that breaks off
    write("t", good.substr(0, 200000));
    const Outcome o = run("check t");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "the file ends at byte 0x30d40")) << o.err;
    EXPECT_TRUE(has(o.out, "DISAGREES"));
    // a packet's head that lies: the file is told by --as
    write("t", "\x0b" + good.substr(1));
    EXPECT_TRUE(has(run("check --as perfetto t").err, "byte 0x0: field 1 has wire type 3"));
    EXPECT_TRUE(has(run("decode --as perfetto t").err, "byte 0x0: field 1 has wire type 3"));
}

TEST_F(TimelineCheck, FindsAnyBitOfProtocolBuffersThatMatters)
{
    make("t", "perfetto --flavour proto", "pmcu");
    const std::string good = temp.read("t");
    std::mt19937 random(5);
    unsigned found = 0;
    const unsigned flips = 50;

    for (unsigned i = 0; i < flips; i++) {
        std::string bad = good;
        const size_t at = random() % bad.size();

        bad[at] = static_cast<char>(bad[at] ^ 1 << random() % 8);
        write("t", bad);
        const Outcome o = run("check --as perfetto t");
        EXPECT_LE(o.status, 2) << at << o.err;
        found += o.status != 0;
    }
    // what is not found are sequence flags, the order of tracks, a state's other name
    EXPECT_GE(found, flips * 9 / 10);
}

TEST_F(TimelineCheck, FindsWhatWasChangedInTables)
{
    make("t", "csv", "riscv");
    const std::string row = "551900,instructions,0,5000,user,0x20284,10000\n";

    disagrees("t", row, "", "missing: time 551900 pid 5000 mode 2");
    disagrees("t", row, row + row, "is there 2 times");
    disagrees("t", row, "551901,instructions,0,5000,user,0x20284,10000\n", "time 551901");
    disagrees("t", row, "551900,instructions,0,5000,user,0x20284,10001\n", "period 10001");
    disagrees("t", row, "551900,cycles,0,5000,user,0x20284,10000\n", ": cycles");
    make("u", "json --command riscv.perf.1", "riscv");
    const std::string all = run("check --command riscv.perf.1 u").out;
    EXPECT_FALSE(has(all, "DISAGREES")) << all;
    make("r", "csv", "uncore");
    agrees("r", {"counts"});
    disagrees("r", ",92556,150000,94632,", ",92556,150000,94633,", "running 94633");
    disagrees("u", "\"raw\": 7432", "\"raw\": 7433", "raw 7433");
}

TEST_F(TimelineCheck, DecodePrintsThemAsTheyAre)
{
    const std::string pmcu = kScenarios + "pmcu/";
    static const struct {
        std::string file, first;
    } cases[] = {
        {"timeline.ctf", ",cpu_0.windows,0x"},
        {"timeline.json", ",X,3.303,window,20162,cycles=20162 subsample=0"},
        {"samples.csv", ",24737,INST_RETIRED,0,8000,,0x0,83991"},
        {"timeline.pftrace", ",begin,cpu 0,windows,window,,,,cycles=20162 subsample=0\n"},
        {"timeline.pftrace", ",counter,cpu 0,INST_RETIRED,INST_RETIRED,,,83991,unit=count\n"},
    };

    for (const auto &c : cases) {
        const Outcome o = run("decode --format csv " + pmcu + c.file);

        EXPECT_EQ(o.status, 0) << c.file << o.err;
        EXPECT_TRUE(has(o.out, c.first)) << c.file;
    }
    const Outcome o = run("decode --offset 1 " + pmcu + "timeline.ctf");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "this is a folder")) << o.err;
}

// A file is read as a stream, which is quick; what comes by a pipe cannot be read twice, and becomes a
// table. They say the same, of files that agree and of those that do not.
TEST_F(TimelineCheck, SaysTheSameOfAFileAndOfAPipe)
{
    for (const std::string name : {"pmcu", "imc", "riscv", "uncore"}) {
        make("t", "perfetto", name);
        const std::string good = temp.read("t");
        const auto same = [&](const std::string &text, int status) {
            write("t", text);
            const Outcome file = run("check --truth t.truth t");
            const Outcome pipe = run("check --truth t.truth p",
                                     "rm -f p && mkfifo p && (timeout 600 cat t > p &) ;");

            EXPECT_EQ(file.status, status) << name << file.out << file.err;
            EXPECT_EQ(pipe.status, status) << name << pipe.err;
            EXPECT_EQ(file.out, pipe.out) << name;
        };
        const auto changed = [&](const std::string &from, const std::string &to) {
            std::string bad = good;
            const size_t at = bad.find(from);

            EXPECT_NE(at, std::string::npos) << from;
            return at != std::string::npos ? bad.replace(at, from.size(), to) : bad;
        };
        same(good, 0);
        same(changed("\"resp\":\"OKAY\"", "\"resp\":\"SLVERR\""), 1);
        same(changed("\"thread_name\",\"args\":{\"name\":\"",
                     "\"thread_name\",\"args\":{\"name\":\"x"),
             1);
        same(changed("\"cycles\":", "\"circles\":"), 1);
        same(good.substr(0, good.size() / 2), 2);
        std::filesystem::remove_all(temp.path() / "t.truth");
        std::filesystem::remove(temp.path() / "t");
    }
}

// Names of tracks may stand behind their events: then only all of the file tells them.
TEST_F(TimelineCheck, AgreesWhereNamesOfTracksComeLast)
{
    make("t", "perfetto", "pmcu");
    std::istringstream lines(temp.read("t"));
    std::string line, events, names;

    while (std::getline(lines, line) && !has(line, "traceEvents")) {
    }
    const std::string head = line + "\n";
    while (std::getline(lines, line) && line[0] == '{') {
        line.resize(line.find_last_of('}') + 1);
        (has(line, "\"ph\":\"M\"") ? names : events) += line + ",\n";
    }
    const std::string before = run("check t").out;
    names.resize(names.size() - 2);
    write("t", head + events + names + "\n]}\n");
    const Outcome o = run("check t");
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_EQ(o.out, before);
}

// docs/traces/traces_check.md: what reaches for a uncore unit is the CPU that the truth says has it.
TEST_F(TimelineCheck, WhoManagedAUnit)
{
    const std::string scenario = CS_SOURCE_DIR "/tb/scenarios/uncore/uncore_lockstep_managers.yaml";

    for (const char *format : {"ctf", "perfetto"}) {
        const std::string name = std::string("managers.") + format;
        const Outcome made =
            run(std::string("trace --format ") + format + " -o " + name + " " + scenario);
        ASSERT_EQ(made.status, 0) << made.err;
        agrees(name, {"accesses of managers"});

        sqlite3 *db = nullptr;
        ASSERT_EQ(sqlite3_open(temp.file(name + ".truth/truth.sqlite").c_str(), &db), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(db, "UPDATE unit_move SET new_cpu=1-new_cpu WHERE new_cpu<2",
                               nullptr, nullptr, nullptr),
                  SQLITE_OK);
        EXPECT_GT(sqlite3_changes(db), 0);
        sqlite3_close(db);
        const Outcome o = run("check " + name);
        EXPECT_EQ(o.status, 1) << o.out;
        EXPECT_TRUE(has(o.out, "accesses of managers")) << o.out;
    }
}
