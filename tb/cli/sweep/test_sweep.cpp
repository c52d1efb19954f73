// SPDX-License-Identifier: Apache-2.0
// Sweeps, from outside: the rows against runs of each point's own.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include <sqlite3.h>
#include <unistd.h>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

const char *const kSweep = R"(sweep: periods
text: how often, and with which clock
scenario: small.yaml
vary:
  - pmcu_driver.sample_period_ticks: [60, 90]
  - bus.clock_mhz: [500, 1000]
    seed: [1, 2]
)";

struct Sweep : Command {
    void SetUp() override
    {
        Command::SetUp();
        temp.write("sweep.yaml", kSweep);
    }
    void refused(const std::string &text, const std::string &place, const std::string &why)
    {
        temp.write("bad.yaml", text);
        const Outcome o = run("sweep bad.yaml");

        EXPECT_EQ(o.status, 2) << text;
        EXPECT_TRUE(has(o.err, "bad.yaml:" + place)) << o.err;
        EXPECT_TRUE(has(o.err, why)) << o.err;
        EXPECT_FALSE(temp.has("periods.sqlite"));
    }
    std::string cell(const std::string &sql)
    {
        return Database(temp.file("periods.sqlite")).one(sql);
    }
    void is_clean()
    {
        for (const std::string &name : temp.tree())
            EXPECT_TRUE(name.rfind(".", 0) != 0) << name << " was left";
    }
};

std::string head(const std::string &vary)
{
    return "sweep: periods\nscenario: small.yaml\nvary: " + vary + "\n";
}

} // namespace

TEST_F(Sweep, EachRowIsWhatARunOfItsOwnSays)
{
    const Outcome o = run("sweep -j 3 --runs kept sweep.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(cell("SELECT count(*) FROM point WHERE error IS NULL"), "4");
    for (int point = 0; point < 4; point++) {
        const std::string ticks = point / 2 ? "90" : "60", clock = point % 2 ? "1000" : "500";
        const std::string folder = "alone" + std::to_string(point);
        const std::string where = " FROM point WHERE point=" + std::to_string(point) +
                                  " AND \"pmcu_driver.sample_period_ticks\"=" + ticks +
                                  " AND \"bus.clock_mhz\"=" + clock +
                                  " AND seed=" + (point % 2 ? "2" : "1");

        simulate(folder, "--set pmcu_driver.sample_period_ticks=" + ticks +
                             " --set bus.clock_mhz=" + clock +
                             " --set seed=" + (point % 2 ? "2" : "1"));
        auto alone = json_flat(temp.file(folder + "/summary.json"));
        for (const char *figure : {"subsamples", "simulated_ns", "bus_transactions", "blind_ns"})
            EXPECT_EQ(cell(std::string("SELECT CAST(") + figure + " AS INTEGER)" + where),
                      alone[figure])
                << figure;
        EXPECT_NEAR(std::stod(cell("SELECT blind_fraction" + where)),
                    std::stod(alone["blind_fraction"]), 1e-6); // six places in summary.json
        EXPECT_EQ(temp.read(folder + "/samples.aux"),
                  temp.read("kept/" + std::to_string(point) + "/samples.aux"));
    }
    is_clean();
}

TEST_F(Sweep, NoRunFolderUnlessAsked)
{
    ASSERT_EQ(run("sweep sweep.yaml").status, 0);
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"periods.sqlite", "small.yaml", "sweep.yaml"}));
}

TEST_F(Sweep, TheTableAndTheCsvHaveTheRows)
{
    const Outcome o = run("sweep --csv - sweep.yaml");
    std::string line = o.out.substr(0, o.out.find('\n'));

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(
        line.rfind("point,error,wall_s,pmcu_driver.sample_period_ticks,bus.clock_mhz,seed,", 0), 0u)
        << line;
    EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 5);
    const Outcome again = run("sweep sweep.yaml");
    EXPECT_TRUE(has(again.err, "4 of 4 points were in periods.sqlite already")) << again.err;
    EXPECT_TRUE(has(again.out, "mean_error")) << again.out;
    EXPECT_TRUE(has(again.out, "blind_fraction")) << again.out;
}

TEST_F(Sweep, GoesOnAfterItWasKilled)
{
    temp.write("long.yaml", head("[{seed: {random: 60, from: 1, to: 1000000}}]"));
    const std::string command = "cd '" + temp.path().string() +
                                "' && exec '" CS_COMMAND
                                "' sweep -j 2 -o periods.sqlite long.yaml >.out 2>.err";
    // The file grows by pages: one that has more than this has some more rows.
    ASSERT_EQ(run("sweep --part 0/60 -o one.sqlite long.yaml").status, 0);
    const auto with_one = std::filesystem::file_size(temp.path() / "one.sqlite");
    const pid_t child = fork();

    ASSERT_GE(child, 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    EXPECT_TRUE(until(child, [&] {
        return temp.has("periods.sqlite") &&
               std::filesystem::file_size(temp.path() / "periods.sqlite") > with_one;
    }));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const Outcome o = run("sweep -o periods.sqlite long.yaml");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.err, " of 60 points were in periods.sqlite already")) << o.err;
    const std::string killed = Database(temp.file("periods.sqlite"))
                                   .one("SELECT group_concat(seed || ':' || mean_error) FROM "
                                        "(SELECT * FROM point ORDER BY point)");
    ASSERT_EQ(run("sweep -o whole.sqlite long.yaml").status, 0);
    EXPECT_EQ(killed, Database(temp.file("whole.sqlite"))
                          .one("SELECT group_concat(seed || ':' || mean_error) FROM "
                               "(SELECT * FROM point ORDER BY point)"));
    is_clean();
}

// Ends a process however the test does.
struct Child {
    const pid_t pid;

    ~Child()
    {
        kill(pid, SIGTERM);
        waitpid(pid, nullptr, 0);
    }
};

// What a reader asks, who waits no longer than this for the writer.
constexpr int kReaderMs = 60000;

struct Reader {
    sqlite3 *db = nullptr;

    explicit Reader(const std::string &path)
    {
        sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
        sqlite3_busy_timeout(db, kReaderMs);
    }
    ~Reader()
    {
        sqlite3_close(db);
    }
    long rows()
    {
        sqlite3_stmt *query = nullptr;
        const bool good = sqlite3_prepare_v2(db, "SELECT count(*) FROM point", -1, &query,
                                             nullptr) == SQLITE_OK &&
                          sqlite3_step(query) == SQLITE_ROW;
        const long found = good ? static_cast<long>(sqlite3_column_int64(query, 0)) : -1;

        sqlite3_finalize(query);
        return found;
    }
};

// Whoever reads keeps a row waiting at most, and fails no sweep; a second writer is refused.
TEST_F(Sweep, IsReadWhileItRuns)
{
    temp.write("long.yaml", head("[{seed: {from: 1, to: 100000, step: 1}}]"));
    const std::string path = temp.file("periods.sqlite");
    const std::string command = "cd '" + temp.path().string() +
                                "' && exec '" CS_COMMAND
                                "' sweep -j 2 -o periods.sqlite long.yaml >.out 2>.err";
    const pid_t pid = fork();

    ASSERT_GE(pid, 0);
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    {
        const Child child{pid};
        // Its tables are there, whoever may see them.
        ASSERT_TRUE(until(pid, [&] {
            return temp.has("periods.sqlite") && std::filesystem::file_size(path) > 0;
        }));
        Reader reader(path);
        ASSERT_GE(reader.rows(), 0) << sqlite3_errmsg(reader.db);
        ASSERT_TRUE(until(pid, [&] { return reader.rows() > 0; })) << "nothing was seen of it";

        // One that has not read to its end.
        sqlite3_stmt *reading = nullptr;
        ASSERT_EQ(sqlite3_prepare_v2(reader.db, "SELECT point FROM point", -1, &reading, nullptr),
                  SQLITE_OK);
        ASSERT_EQ(sqlite3_step(reading), SQLITE_ROW) << sqlite3_errmsg(reader.db);
        const Outcome second = run("sweep -o periods.sqlite long.yaml");
        EXPECT_EQ(second.status, 3);
        EXPECT_TRUE(has(second.err, "periods.sqlite: is being made by another process"))
            << second.err;
        sqlite3_finalize(reading);

        const long before = reader.rows();
        EXPECT_TRUE(until(pid, [&] { return reader.rows() > before; }))
            << "the reader has ended it";
    }
    EXPECT_EQ(temp.read(".err").find("SQLite"), std::string::npos) << temp.read(".err");
    EXPECT_EQ(cell("PRAGMA integrity_check"), "ok");
}

TEST_F(Sweep, PartsMakeTheWhole)
{
    ASSERT_EQ(run("sweep --part 0/2 sweep.yaml").status, 0);
    EXPECT_EQ(cell("SELECT group_concat(point) FROM point"), "0,2");
    ASSERT_EQ(run("sweep --part 1/2 sweep.yaml").status, 0);
    EXPECT_EQ(cell("SELECT count(*) FROM point"), "4");
}

TEST_F(Sweep, AnotherSweepsFileIsLeftAlone)
{
    ASSERT_EQ(run("sweep sweep.yaml").status, 0);
    const std::string before = temp.read("periods.sqlite");
    Outcome o = run("sweep --set pmcu_driver.nr_sample=3 sweep.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "it holds another sweep")) << o.err;
    temp.write("text", "this is a text of some length, and no database");
    o = run("sweep -o text sweep.yaml");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "is not the file of a sweep")) << o.err;
    EXPECT_EQ(temp.read("text"), "this is a text of some length, and no database");
    EXPECT_EQ(temp.read("periods.sqlite"), before);
}

// Alone each value is good; together they are not.
TEST_F(Sweep, ARefusedPointIsARow)
{
    temp.write("some.yaml", "sweep: periods\nscenario: small.yaml\nvary:\n"
                            "  - pmcu.slots: [2, 1]\n  - corepmu.offline: [[1], [2]]\n");
    const Outcome o = run("sweep some.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "of 1 of 4 points were refused (column error); the first, point 3"))
        << o.err;
    EXPECT_EQ(cell("SELECT group_concat(point) FROM point WHERE error IS NULL"), "0,1,2");
}

TEST_F(Sweep, Values)
{
    temp.write("values.yaml",
               "sweep: v\nscenario: small.yaml\nseed: 3\nvary:\n"
               "  - bus.clock_mhz: {from: 100, to: 1000, step: 300}\n"
               "  - pmcu_driver.nr_sample: {from: 1, to: 100, count: 3, scale: log}\n"
               "  - seed: {random: 2, from: 5, to: 6}\n");
    const Outcome o = run("sweep --list values.yaml");
    std::set<std::string> seeds;

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 24);
    for (const char *clock : {"100", "400", "700", "1000"})
        for (const char *samples : {"1", "10", "100"})
            EXPECT_TRUE(has(o.out, std::string("bus.clock_mhz=") + clock +
                                       " pmcu_driver.nr_sample=" + samples + " seed="))
                << o.out;
    EXPECT_EQ(run("sweep --list values.yaml").out, o.out);
}

TEST_F(Sweep, Refusals)
{
    refused("scenario: small.yaml\nvary: [{seed: [1]}]\n", "1", "sweep: missing");
    refused("sweep: periods\nscenario: small.yaml\nvayr: [{seed: [1]}]\n", "3",
            "did you mean vary?");
    refused(head("[{seed: 3}]"), "3", "a list of values is expected");
    refused(head("[{seed: []}]"), "3", "the list is empty");
    refused(head("[]"), "3", "a list is expected");
    refused(head("[{seed: [1]}, {seed: [2]}]"), "3", "seed varies twice");
    refused(head("[{seed: [1, 2], bus.clock_mhz: [500]}]"), "3",
            "bus.clock_mhz has 1 values, seed beside it has 2");
    refused(head("[{seed: {from: 1, to: 3}}]"), "3", "one of step, count and random");
    refused(head("[{seed: {from: 3, to: 1, step: 1}}]"), "3", "to is less than from");
    refused(head("[{seed: {from: 1, to: 3, steps: 1}}]"), "3", "a range has from, to, step");
    refused(head("[{seed: {from: 0, to: 3, count: 2, scale: log}}]"), "3", "begins above 0");
    refused(head("[{seed: {from: 1, to: 3, step: 0}}]"), "3", "step is a number above 0");
    refused(head("[{seed: {random: 2000, from: 1, to: 9}}, {bus.clock_mhz: {from: 1, to: 5000, "
                 "step: 1}}]"),
            "3", "more than 1000000 points");
    Outcome o = run("sweep missing.yaml");
    EXPECT_EQ(o.status, 3);
    EXPECT_TRUE(has(o.err, "missing.yaml: cannot be opened")) << o.err;
    temp.write("key.yaml", head("[{pmcu_driver.sample_period_tick: [60]}]"));
    o = run("sweep key.yaml");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "did you mean sample_period_ticks?")) << o.err;
    o = run("sweep -j 0 sweep.yaml");
    EXPECT_EQ(o.status, 2);
    o = run("sweep --part 2/2 sweep.yaml");
    EXPECT_EQ(o.status, 2);
    EXPECT_FALSE(temp.has("periods.sqlite"));
}

TEST_F(Sweep, FiguresThatNoPointHasAreTold)
{
    temp.write("f.yaml", std::string(kSweep) + "figures: [meen_error, subsamples]\n");
    const Outcome o = run("sweep f.yaml");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.err, "no point has a figure meen_error; did you mean mean_error?")) << o.err;
}

TEST_F(Sweep, AScenarioWithWaysNeedsOne)
{
    temp.write("ways.yaml", std::string(kScenario) + "ways:\n  - {name: a, set: {seed: 1}}\n"
                                                     "  - {name: b, set: {seed: 2}}\n");
    temp.write("w.yaml", "sweep: periods\nscenario: ways.yaml\nvary: [{bus.clock_mhz: [500]}]\n");
    Outcome o = run("sweep w.yaml");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "the scenario has ways")) << o.err;
    temp.write("w.yaml", "sweep: periods\nscenario: ways.yaml\nvary: [{way: [a, b]}]\n");
    o = run("sweep w.yaml");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(cell("SELECT group_concat(way) FROM point"), "a,b");
}

TEST_F(Sweep, OtherFiguresKeepTheResults)
{
    ASSERT_EQ(run("sweep sweep.yaml").status, 0);
    temp.write("sweep.yaml", "# said otherwise\n" + std::string(kSweep) + "figures: [bus_busy]\n");
    const Outcome o = run("sweep sweep.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.err, "4 of 4 points were in periods.sqlite already")) << o.err;
    EXPECT_TRUE(has(o.out, "bus_busy")) << o.out;
    EXPECT_TRUE(has(cell("SELECT file FROM sweep"), "figures: [bus_busy]"));
    const Outcome csv = run("sweep --csv - --figures skew_s,subsamples sweep.yaml");
    ASSERT_EQ(csv.status, 0) << csv.err;
    EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')),
              "point,pmcu_driver.sample_period_ticks,bus.clock_mhz,seed,skew_s,subsamples");
    EXPECT_EQ(run("sweep --figures , sweep.yaml").status, 2);
    EXPECT_EQ(run("sweep").status, 2);
}

// Beside `way` a key of one way alone; where it says ~, it is what the way has.
TEST_F(Sweep, ATildeLeavesTheKeyAsItIs)
{
    temp.write("ways.yaml", std::string(kScenario) + "ways:\n  - {name: a, set: {seed: 1}}\n"
                                                     "  - {name: b, set: {seed: 2}}\n");
    temp.write("w.yaml", "sweep: periods\nscenario: ways.yaml\nvary:\n  - way: [a, a, b]\n"
                         "    pmcu_driver.sample_period_ticks: [60, 90, ~]\n");
    const Outcome o = run("sweep --runs kept w.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(
        cell("SELECT group_concat(way || coalesce(\"pmcu_driver.sample_period_ticks\", 'none')) "
             "FROM point"),
        "a60,a90,bnone");
    ASSERT_EQ(run("run -o alone --set way=b ways.yaml").status, 0);
    EXPECT_EQ(temp.read("alone/samples.aux"), temp.read("kept/2/samples.aux"));
}

TEST_F(Sweep, ASpanHasAsManySamplesAsFit)
{
    temp.write("span.yaml", "sweep: periods\nscenario: small.yaml\nset: {pmcu_driver.span_ms: 1}\n"
                            "vary: [{pmcu_driver.sample_period_ticks: [500, 1000, 5000]}]\n");
    const Outcome o = run("sweep span.yaml");

    ASSERT_EQ(o.status, 0) << o.err; // 1 ms are 50000 ticks
    EXPECT_EQ(cell("SELECT group_concat(CAST(subsamples AS INTEGER)) FROM point"), "100,50,10");
    EXPECT_NE(run("run --set pmcu_driver.span_ms=1 --set pmcu_driver.sample_period_ms=9 small.yaml")
                  .status,
              0);
}

// By the seed a workload begins elsewhere: the same events, at other times.
TEST_F(Sweep, ThePhaseIsTheSeeds)
{
    temp.write("two.yaml", "pmcu: {clusters: 1, slots: 2}\nworkloads:\n  - segments:\n"
                           "      - {cycles: 9000, events: [{event: INST_RETIRED, rate: 1}]}\n"
                           "      - {cycles: 3000, events: [{event: L1D_CACHE, rate: 1}]}\n"
                           "pmcu_driver: {user_events: \"08 04\", nr_sample: 4, "
                           "sample_period_ticks: 60}\n");
    int nr = 0;
    auto first = [&](const std::string &phase, int seed) {
        const std::string folder = "run" + std::to_string(nr++);

        const Outcome o = run("run -o " + folder + " --set workloads.0.phase=" + phase +
                              " --set seed=" + std::to_string(seed) + " two.yaml");
        EXPECT_EQ(o.status, 0) << o.err;
        return temp.read(folder + "/samples.aux");
    };
    EXPECT_EQ(first("start", 1), first("start", 2)); // nothing here is random
    EXPECT_NE(first("seed", 1), first("start", 1));
    EXPECT_NE(first("seed", 1), first("seed", 2));
    EXPECT_NE(first("seed_each", 1), first("seed", 1));
}

TEST_F(Sweep, FiguresAreTold)
{
    const Outcome o = run("sweep --list-figures");

    EXPECT_EQ(o.status, 0) << o.err;
    for (const char *figure : {"stolen_share ", "most_error ", "mean_error ", "blind_fraction ",
                               "skew_s ", "share_error "})
        EXPECT_TRUE(has(o.out, "\n  " + std::string(figure))) << figure;
    ASSERT_EQ(run("sweep sweep.yaml").status, 0);
    EXPECT_EQ(cell("SELECT count(*) FROM pragma_table_info('point') WHERE name='stolen_share'"),
              "1");
}

// What is shipped: its first points run, and have the figures that it shows.
TEST_F(Sweep, ShippedOnes)
{
    unsigned nr = 0;

    for (const auto &entry : std::filesystem::directory_iterator(CS_SOURCE_DIR "/sweeps")) {
        const Outcome o = run("sweep -o out.sqlite --part 0/100 '" + entry.path().string() + "'");

        EXPECT_EQ(o.status, 0) << entry.path() << o.err;
        EXPECT_FALSE(has(o.err, "warning")) << o.err;
        std::filesystem::remove(temp.path() / "out.sqlite");
        nr++;
    }
    EXPECT_GE(nr, 2u);
}
