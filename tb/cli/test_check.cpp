// SPDX-License-Identifier: Apache-2.0
// countersink check: what trace and run write agrees with their truth, and one changed number in it
// does not.
#include <algorithm>

#include "cli/check.hpp"
#include "support/database.hpp"

using namespace check_command;
using namespace cs_test;

namespace
{

TEST_F(Check, Counts)
{
    trace("f", "imc_nest.yaml");
    agrees("f");
    // header 8, id 8, cpu and thread 8, value
    change("f", "off", place("f", "stat", 9) + 24, 1);
    disagrees("-t f.truth off", "a count off by one");
    EXPECT_TRUE(has(run("check -t f.truth off").out, "instead of "));
    run("damage --kind drop:3 -o lost f");
    trace("g", "riscv_count.yaml");
    agrees("g");
    change("g", "goff", place("g", "stat", 16) + 24, -1);
    disagrees("-t g.truth goff", "a count off by one");
    disagrees("-t f.truth g", "the truth of another run");
}

// Files of a run folder, and those in a folder of it, are compared with its truth.
TEST_F(Check, FilesOfARunFolder)
{
    ASSERT_EQ(run("run -o out small.yaml").status, 0);
    agrees("out/samples.aux");
    change("out/samples.aux", "out/off", 0x800, 1, 1);
    disagrees("out/off", "a value off by one");
    ASSERT_EQ(run("run -o riscv '" + config_path("riscv_sample.yaml") + "'").status, 0);
    agrees("riscv/records/hart0.ring");
    // A trace's own truth goes first.
    ASSERT_EQ(run("trace --format perf -o out/f small.yaml").status, 0);
    std::filesystem::remove(temp.file("out/truth.sqlite"));
    agrees("out/f");
}

// What the driver took anew when its CPU went, perf did not get twice.
TEST_F(Check, ATriggerThatWasTakenAnew)
{
    trace("f", "pmcu_hotplug.yaml");
    agrees("f");
    Database db(temp.file("f.truth/truth.sqlite"));
    EXPECT_EQ(db.ask("SELECT * FROM overwritten"), (std::vector<std::string>{"0|0|11"}));
    ASSERT_EQ(run("trace --format pmcu-aux -o a '" + config_path("pmcu_hotplug.yaml") + "'").status,
              0);
    agrees("a");
    change("a", "off", 0x800, 1, 1);
    disagrees("-t a.truth off", "a value off by one");
}

// Every unit has a group of its own.
TEST_F(Check, TwoOwnersOnOneTimeline)
{
    ASSERT_EQ(run("trace --format perfetto -o f '" + config_path("pmcu_arm_pmu.yaml") + "'").status,
              0);
    agrees("f");
}

// Value, enabled and running of events that had counters in turns: header 8, id 8, cpu and thread 8.
TEST_F(Check, RotatedCounts)
{
    const struct {
        const char *scenario, *options, *check;
    } cases[] = {
        {"uncore_lockstep_perf.yaml", "", ""},
        {"uncore_lockstep_perf.yaml", "--command uncore_driver.perf.0 ",
         "--command uncore_driver.perf.0 "},
        {"multiplex_demo.yaml", "--set perf.0.interval=60ms ", ""},
        {"multiplex_demo.yaml", "--set bus.clock_mhz=1250 ", "--command arm_pmu.perf.0 "},
    };
    unsigned number = 0;

    for (const auto &c : cases) {
        const std::string f = "f" + std::to_string(number++), t = c.check + ("-t " + f + ".truth ");

        trace(f, c.scenario, c.options);
        agrees(t + f);
        const size_t at = place(f, "stat", 5);
        const struct {
            const char *what, *row;
            size_t byte;
        } numbers[] = {
            {"value", "counts", 24}, {"enabled", "enabled", 32}, {"running", "running", 40}};
        for (const auto &n : numbers) {
            const std::string name = f + n.what;

            change(f, name, at + n.byte, 1);
            disagrees(t + name, n.what);
            const std::string out = run("check -f csv " + t + name).out;
            EXPECT_EQ(out.find("DISAGREES"), out.rfind("DISAGREES")) << "one row only: " << out;
            const size_t row = out.rfind('\n', out.find("DISAGREES")) + 1;
            EXPECT_EQ(out.compare(row, std::string(n.row).size(), n.row), 0) << out;
            EXPECT_TRUE(has(out, "byte " + std::to_string(at) + ": ")) << out;
        }
        change(f, f + "cpu", at + 16, 1, 4);
        disagrees(t + f + "cpu", "another CPU");
        change(f, f + "id", at + 8, 4);
        disagrees(t + f + "id", "another event");
        for (const char *kind : {"drop", "duplicate"})
            for (unsigned seed = 1; seed <= 6; seed++) {
                const Outcome o = run("damage --kind " + std::string(kind) + ":" +
                                      std::to_string(seed) + " -o damaged " + f);

                ASSERT_EQ(o.status, 0) << o.err;
                if (records("stat", "damaged") != records("stat", f))
                    disagrees(t + "damaged", kind);
                std::filesystem::remove(temp.path() / "damaged");
            }
    }
    disagrees("-t f0.truth f1", "one command of two");
    disagrees("-t f1.truth f2", "the truth of another run");
    const Outcome o = run("check --command uncore_driver.perf -t f1.truth f1");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "found 'uncore_driver.perf', expected pmcu_driver, arm_pmu.perf.N, "
                           "riscv.perf.N, imc_driver.perf.N, pmi, uncore_driver.perf.N or "
                           "iommu_driver.perf.N"))
        << o.err;
}

// IMC and uncore units on one die: a file of one command, with the truth of all.
TEST_F(Check, CountsOfOneCommandAmongOthers)
{
    for (const char *command : {"uncore_driver.perf.0", "imc_driver.perf.0", "imc_driver.perf.1"}) {
        const std::string option = std::string("--command ") + command + " ";

        trace("f", "everything.yaml", option);
        agrees(option + "f");
        disagrees("-t f.truth f", "all commands");
        change("f", "off", place("f", "stat", 1) + 24, 1);
        disagrees(option + "-t f.truth off", "a count off by one");
        std::filesystem::remove_all(temp.path() / "f");
        std::filesystem::remove_all(temp.path() / "f.truth");
    }
}

// Intervals that the truth has not kept: the last round is held against the whole.
TEST_F(Check, RotatedCountsWithoutIntervalsInTheTruth)
{
    trace("f", "multiplex_demo.yaml", "--set perf.0.interval=60ms --set keep.samples_truth=false");
    agrees("f");
    change("f", "early", place("f", "stat", 5) + 24, 1);
    agrees("-t f.truth early");
    const Outcome rows = run("decode -f csv --only stat f");
    const unsigned records =
        static_cast<unsigned>(std::count(rows.out.begin(), rows.out.end(), '\n') - 1);
    ASSERT_EQ(records, 4 * 48u);
    change("f", "late", place("f", "stat", records - 1) + 24, 1);
    disagrees("-t f.truth late", "the last count");
}

TEST_F(Check, ThePmcu)
{
    trace("stock", "pmcu_demo.yaml");
    trace("faithful", "pmcu_demo.yaml", "--flavour faithful");
    agrees("stock");
    agrees("--command pmcu_driver -t stock.truth stock");
    agrees("faithful");
    agrees("-t stock.truth stock.truth/samples.aux");
    EXPECT_EQ(run("decode --aux faithful").out, run("decode faithful.truth/samples.aux").out);
    // The first sample has the bytes: raw behind a period at 48; field 1 is the first counter.
    const size_t raw = place("stock", "sample", 0) + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8;
    change("stock", "bytes", raw + 4 + 8 * 8, 1);
    disagrees("-t stock.truth bytes", "a value in the bytes");
    change("stock", "count", place("stock", "sample", 40) + 48, 1);
    disagrees("-t stock.truth count", "a count off by one");
    const std::string aux = "stock.truth/samples.aux";
    change(aux, "values.aux", 80 + 5 * 8 * 8, 1);
    disagrees("-t stock.truth values.aux", "a value of the dump");
    change(aux, "top.aux", 80 + 5 * 8 * 8, INT64_MIN); // the highest bit
    const std::string top = run("check -t stock.truth top.aux").out;
    EXPECT_TRUE(has(top, ": 9223372036854") && has(top, " instead of ")) << top;
    change(aux, "ids.aux", 80 + 8, 1, 4);
    disagrees("-t stock.truth ids.aux", "a context id");
    run("damage --kind drop:2 -o lost.aux " + aux);
    disagrees("-t stock.truth lost.aux", "a lost sample");
    const Outcome cut = run("damage --kind truncate:4 -o cut.aux " + aux);
    EXPECT_EQ(run("check -t stock.truth cut.aux").status, 2) << cut.out;
}

TEST_F(Check, RecordsOfARun)
{
    ASSERT_EQ(
        run("run -o imc --set perf.0.stop=8100us '" + config_path("imc_trace.yaml") + "'").status,
        0);
    ASSERT_EQ(run("run -o hart '" + config_path("riscv_delegated.yaml") + "'").status, 0);
    agrees("-t imc imc/records/cpu2.imc");
    agrees("-t imc --as imc-trace --cpu 2 imc/records/cpu2.imc");
    agrees("-t hart hart/records/hart0.ring");
    disagrees("-t imc --cpu 1 imc/records/cpu2.imc", "another thread");
    // Word 1 of record 5 is its PC, big endian: its last byte.
    change("imc/records/cpu2.imc", "cpu2.imc", 5 * 64 + 15, 1, 1);
    disagrees("-t imc cpu2.imc", "a changed PC");
    EXPECT_TRUE(has(run("check -t imc cpu2.imc").out, "byte 320: ip 0x"));
    for (const char *kind : {"drop", "duplicate", "reorder"}) {
        run("damage --kind " + std::string(kind) + ":7 -o cpu2.imc imc/records/cpu2.imc");
        disagrees("-t imc cpu2.imc", kind);
        run("damage --kind " + std::string(kind) + ":7 -o ring hart/records/hart0.ring");
        disagrees("-t hart ring", kind);
    }
}

// What the buffers hold at the end: all of it, or where they wrapped what was written last.
TEST_F(Check, BuffersOfImc)
{
    for (const char *scenario : {"configs/imc/imc_trace.yaml", "configs/imc/imc_wrap.yaml",
                                 "configs/imc/imc_power10.yaml", "traces/imc/scenario.yaml"}) {
        const Outcome o =
            run("trace --format imc -o b --set keep.samples_truth=true '" CS_SOURCE_DIR "/" +
                std::string(scenario) + "'");
        ASSERT_EQ(o.status, 0) << o.err;
        agrees("b");
        agrees("--as imc b");
        change("b", "pc", 9 * 64 + 15, 1, 1);
        disagrees("-t b.truth pc", scenario);
        change("b", "pid", 9 * 64 + 23, 1, 1);
        disagrees("-t b.truth pid", scenario);
        run("damage --as imc-trace --kind duplicate:3 -o twice b");
        disagrees("-t b.truth --as imc-trace twice", scenario);
        std::filesystem::remove_all(temp.path() / "b.truth");
        std::filesystem::remove(temp.path() / "b");
    }
}

// Memory of the end: what the engines added up, and nothing else; one changed byte is found.
TEST_F(Check, CountersInMemory)
{
    const struct {
        const char *scenario, *format, *event;
        size_t counted; // the last byte of a counter, big endian
        size_t rest;    // a byte that nobody adds to
    } cases[] = {
        {"configs/imc/imc_core.yaml", "core-imc", "core 1", 0x2000 + 0x40 * 127 + 0x1f, 0x2000},
        {"configs/imc/imc_power10.yaml", "core-imc", "core 0", 0x1f, 0x38},
        {"tb/scenarios/imc/imc_lockstep_faults.yaml", "core-imc", "core 0", 0x1f, 0x38},
        {"tb/scenarios/imc/imc_lockstep_deep_stop.yaml", "core-imc", "core 1", 0x2027, 0x2000},
        {"configs/imc/imc_thread.yaml", "thread-imc", "cpu 0", 0x1f, 0x17},
        {"configs/imc/imc_nest.yaml", "nest-imc", "nest", 0x0f, 0x3ffff},
        {"configs/imc/imc_lockstep_nest.yaml", "nest-imc", "nest", 0x47f, 0x770},
        {"configs/imc/imc_power10_nest.yaml", "nest-imc", "nest", 0x17, 0x3ffff},
        {"traces/imc/scenario.yaml", "core-imc", "core 0", 0x5f, 0x1fff},
        {"traces/imc/scenario.yaml", "nest-imc", "nest", 0x7, 0x1000f},
    };

    for (const auto &c : cases) {
        const std::string format = c.format;
        const Outcome made =
            run("trace --format " + format + " -o f '" CS_SOURCE_DIR "/" + c.scenario + "'");
        ASSERT_EQ(made.status, 0) << made.err;
        agrees("f");
        agrees("--as " + format + " f");
        change("f", "count", c.counted, 1, 1);
        disagrees("-t f.truth count", c.scenario);
        const Outcome count = run("check -t f.truth -f csv count");
        EXPECT_TRUE(has(count.out, "\ncounters," + std::string(c.event) + ",")) << count.out;
        EXPECT_TRUE(has(count.out, "byte " + std::to_string(c.counted & ~size_t{7}) + ": "))
            << count.out;
        change("f", "rest", c.rest, 1, 1);
        disagrees("-t f.truth rest", c.scenario);
        EXPECT_TRUE(has(run("check -t f.truth rest").out, "nothing was added there")) << c.scenario;
        std::filesystem::remove_all(temp.path() / "f.truth");
        std::filesystem::remove(temp.path() / "f");
    }
}

// Windows of eight cycles: most posts find the buffer full, and are lost.
TEST_F(Check, CountersOfAnEngineThatIsTooFast)
{
    const Outcome made = run("trace --format core-imc --set imc.tap_log2=2 -o f '" CS_SOURCE_DIR
                             "/traces/imc/scenario.yaml'");

    ASSERT_EQ(made.status, 0) << made.err;
    agrees("f");
}

// The pages as firmware and driver leave them, and in the middle of a run.
TEST_F(Check, SnapshotPages)
{
    const struct {
        const char *scenario, *options;
        size_t at; // the first byte of a word that is not zero
    } cases[] = {
        {"configs/riscv/riscv_snapshot.yaml", "", 32},
        {"configs/riscv/riscv_snapshot.yaml", "--set limit_cycles=13000001", 40},
        {"configs/riscv/riscv_snapshot.yaml", "--set harts.xlen=32", 48},
        {"configs/riscv/riscv_snapshot.yaml", "--set riscv.firmware.deviations=[opensbi_1_9]", 40},
        {"tb/scenarios/riscv/riscv_lockstep_snapshot.yaml", "", 32},
        {"traces/riscv/scenario.yaml", "", 4096 + 48},
        {"traces/riscv/scenario.yaml", "--set limit_cycles=3400123", 4096 + 32},
        {"traces/riscv/scenario.yaml", "--set harts.width=40", 40},
    };

    for (const auto &c : cases) {
        const Outcome made = run("trace --format snapshot " + std::string(c.options) +
                                 " -o f '" CS_SOURCE_DIR "/" + c.scenario + "'");
        ASSERT_EQ(made.status, 0) << made.err;
        agrees("f");
        agrees("--as snapshot f");
        const std::string hart = "\nsnapshot,hart " + std::to_string(c.at / 4096) + ",";
        EXPECT_FALSE(has(run("check f").out, "not known")) << c.scenario << c.options;
        change("f", "slot", c.at, 1);
        disagrees("-t f.truth slot", c.scenario);
        const Outcome slot = run("check -t f.truth -f csv slot");
        EXPECT_TRUE(has(slot.out, hart)) << slot.out;
        EXPECT_TRUE(has(slot.out, "byte " + std::to_string(c.at) + ": ")) << slot.out;
        change("f", "marks", 0, 8);
        disagrees("-t f.truth marks", c.scenario);
        change("f", "rest", 4095, 1, 1);
        disagrees("-t f.truth rest", c.scenario);
        EXPECT_TRUE(has(run("check -t f.truth rest").out, "nothing was written there"));
        std::filesystem::remove_all(temp.path() / "f.truth");
        std::filesystem::remove(temp.path() / "f");
    }
    // Most of such a page is the firmware's own copy: it is said, and not compared.
    run("trace --format snapshot --set riscv.firmware.deviations=[page_whole] -o f '" +
        config_path("riscv_snapshot.yaml") + "'");
    const Outcome whole = run("check -f csv f");
    EXPECT_EQ(whole.status, 0) << whole.err;
    EXPECT_TRUE(has(whole.out, "\nnot known,hart 0,,,65,")) << whole.out;
}

// All kinds of samples in one file.
TEST_F(Check, Everything)
{
    trace("f", "everything.yaml");
    agrees("f");
    finds_lost_records("f", "f.truth");
}

// What is in a ring, or with the driver, when limit_cycles ends the run never gets to perf.
TEST_F(Check, RunsThatWereCut)
{
    const struct {
        const char *scenario, *options;
        bool left;
        int status; // 4: perf had got nothing yet
    } cases[] = {
        {"riscv_sample.yaml", "--set limit_cycles=7000000", true, 4},
        {"riscv_sample.yaml", "--set limit_cycles=30011117 --set riscv.driver.wakeup_bytes=4096",
         true, 0},
        {"pmcu_demo.yaml", "--set limit_cycles=30011117", true, 4},
        {"imc_pair_pmi.yaml", "--set limit_cycles=30011117", false, 0},
        {"riscv_count.yaml", "--set limit_cycles=15011117", false, 0},
    };

    for (const auto &c : cases)
        for (const char *format : {"perf", "csv", "json"}) {
            trace("f", c.scenario, std::string("--format ") + format + " " + c.options);
            const Outcome o = run("check f");

            EXPECT_EQ(o.status, c.status) << c.scenario << format << o.out << o.err;
            EXPECT_EQ(has(o.out, "not handed over"), c.left) << c.scenario << format << o.out;
            std::filesystem::remove_all(temp.path() / "f");
            std::filesystem::remove_all(temp.path() / "f.truth");
        }
    // of what has come, all must be there
    trace("f", "riscv_sample.yaml",
          "--set limit_cycles=30011117 --set riscv.driver.wakeup_bytes=4096");
    const std::string samples = records("sample", "f");
    EXPECT_GT(std::count(samples.begin(), samples.end(), '\n'), 300);
    std::string file = temp.read("f");
    file[place("f", "sample", 100) + 16] ^= 4;
    temp.write("g", file);
    disagrees("-t f.truth g", "a changed PC");
}

// Events with modifiers, and raw ones.
TEST_F(Check, TablesOfCounts)
{
    for (const char *scenario : {"riscv_count.yaml", "imc_core.yaml", "imc_nest.yaml"})
        for (const char *format : {"csv", "json"}) {
            trace("f", scenario, std::string("--format ") + format);
            agrees("f");
            std::filesystem::remove_all(temp.path() / "f");
            std::filesystem::remove_all(temp.path() / "f.truth");
        }
}

// What a scenario leaves out has the loader's default, for the run as for its check.
TEST_F(Check, DefaultsOfTheScenarioAreTheLoaders)
{
    std::ifstream file(config_path("imc_pair_pmi.yaml"));
    std::string line, scenario;

    while (std::getline(file, line))
        if (!has(line, "  handler_cycles: ") && !has(line, "pmi:"))
            scenario += line + "\n";
    ASSERT_TRUE(has(scenario, "record: [cycles]"));
    temp.write("short.yaml", scenario);
    std::filesystem::copy(config_path("imc/power9_small.dts"), temp.file("power9_small.dts"));
    for (const char *format : {"perf", "csv", "json"}) {
        const Outcome o = run(std::string("trace -o f --format ") + format + " short.yaml");

        ASSERT_EQ(o.status, 0) << o.err;
        agrees("f");
        std::filesystem::remove(temp.file("f"));
        std::filesystem::remove_all(temp.file("f.truth"));
    }
}

// A run folder whose scenario cannot be loaded any more says why.
TEST_F(Check, AScenarioThatIsGone)
{
    trace("f", "imc_pair_pmi.yaml");
    std::filesystem::remove(temp.file("f.truth/scenario.yaml"));
    const Outcome o = run("check f");

    EXPECT_EQ(o.status, 3) << o.out;
    EXPECT_TRUE(has(o.err, "f.truth/scenario.yaml: ")) << o.err;
}

TEST_F(Check, OneCommandOfSeveral)
{
    trace("f", "riscv_sample.yaml", "--command riscv.perf.1");
    agrees("--command riscv.perf.1 f");
    agrees("f"); // as f.truth/trace.json says
    EXPECT_TRUE(has(temp.read("f.truth/trace.json"), "\"command\": \"riscv.perf.1\""));
    agrees("--command riscv.perf.1 -t f.truth f");
    disagrees("-t f.truth f", "the other command's samples are missing");
    trace("g", "riscv_sample.yaml");
    agrees("g");
    EXPECT_EQ(temp.read("g.truth/trace.json"),
              "{\"format\": \"perf-data\", \"flavour\": null, \"command\": null, "
              "\"switch_events\": false}\n");
}

TEST_F(Check, BadUse)
{
    trace("f", "riscv_guest.yaml");
    temp.write("noise", "this is no trace at all");
    std::filesystem::create_directory(temp.path() / "empty");
    std::filesystem::create_directory(temp.path() / "odd");
    temp.write("odd/truth.sqlite", "this is no database, but it is a file of some length......");
    const struct {
        const char *arguments;
        int status;
        const char *message;
    } cases[] = {
        {"check", 2, "expected one file, found 0"},
        {"check gone", 3, "gone: cannot open"},
        {"check noise", 2, "noise: has a format that cannot be detected, expected perf-data"},
        {"check --as x f", 2,
         "found 'x', expected perf-data, pprof, speedscope, firefox, csv, json, "
         "perf-stat, perfetto, ctf, folded, "
         "pmcu-aux, riscv-ring, imc-trace, "},
        {"check -t empty f", 3,
         "empty/truth.sqlite: cannot open: No such file or directory; "
         "--truth gives the run folder"},
        {"check -t odd f", 2, "odd/truth.sqlite: SQLite: file is not a database"},
        {"check --cpu x f", 2, "--cpu: found 'x', expected 0..65535"},
        {"check --slots 9 f", 2, "--slots: found '9', expected 1..8"},
        {"check --command perf f", 2,
         "--command: found 'perf', expected pmcu_driver, "
         "arm_pmu.perf.N, riscv.perf.N, imc_driver.perf.N, pmi, uncore_driver.perf.N or "
         "iommu_driver.perf.N"},
        {"check --as imc-trace -t f.truth f", 2, "the data end within record"},
        {"check -f xml f", 2, "--format: format \"xml\": expected text, csv or json"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
    }
    // A file that is cut is compared as far as it goes.
    std::string text = temp.read("f");
    temp.write("cut", text.substr(0, text.size() / 2));
    const Outcome cut = run("check -t f.truth cut");
    EXPECT_EQ(cut.status, 2);
    EXPECT_TRUE(has(cut.err, "cut: byte ")) << cut.err;
    EXPECT_TRUE(has(cut.out, "DISAGREES")) << cut.out;
}

// One that stands twice in a command of counters that take turns is two, and a third in another command.
TEST_F(Check, AnEventTwiceInOneCommand)
{
    trace("f", "riscv_l3_turns.yaml");
    agrees("f");
    EXPECT_TRUE(has(run("check f").out, "l3:1 (3)"));
}

} // namespace
