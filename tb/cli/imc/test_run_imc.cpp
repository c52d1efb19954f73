// SPDX-License-Identifier: Apache-2.0
// POWER's scenarios of configs/, from outside: what a run leaves, against its own truth and against
// what docs/hw/imc.md, docs/hw/nest.md and docs/drivers/imc_driver.md predict.
#include "cli/imc/run_imc.hpp"

using namespace run_imc;
using namespace cs_test;

// ---- trace mode ----

TEST_F(TraceRun, EveryRecordIsTheTruth)
{
    simulate("imc_trace");
    check_records();
    check_perf_samples();
    check_shares();
    uint64_t lost = 0;
    for (unsigned cpu = 0; cpu < 5; cpu++)
        lost += check_dumps(cpu, 3);
    EXPECT_EQ(lost, 0u) << "nothing wraps";
    EXPECT_LT(figure("perf_lost"), figure("imc_records") / 100);
    // 251 ticks of 32 MHz, 7.84 us, from 100 us to 60.1 ms; a dump stops only one's own thread.
    EXPECT_NEAR(static_cast<double>(figure("imc_records")), 5 * 60000 / 7.84375, 600);
}

// The page: "what lies behind the pointer after a wrap, the older part of the buffer".
TEST_F(TraceRun, AWrapLosesTheOlderPart)
{
    simulate("imc_wrap", "", "24576 of 38292 trace records never came to perf");
    check_records();
    check_perf_samples();
    uint64_t lost = 0;

    for (unsigned cpu = 0; cpu < 2; cpu++) {
        const uint64_t mine = check_dumps(cpu, 3);

        // 50 ms are 6375 records: one lap of 4096 and a part, three times.
        EXPECT_EQ(mine, 3 * kRecords);
        lost += mine;
        // The last thing a dump does: the first record's timebase is gone, the rest of it is left.
        const std::string first =
            memory(static_cast<uint64_t>(db().number(
                       "SELECT min(address) FROM record WHERE cpu = " + std::to_string(cpu))),
                   64);
        EXPECT_EQ(first.substr(0, 8), std::string(8, '\0')) << cpu;
        EXPECT_NE(first.substr(8, 8), std::string(8, '\0')) << cpu;
        EXPECT_NE(first.substr(56), std::string(8, '\0')) << cpu;
    }
    EXPECT_EQ(figure("perf_lost"), lost);
    EXPECT_EQ(figure("perf_samples"), figure("imc_records") - 6 * kRecords);
}

// Dumps that are as frequent as the buffer is long lose nothing to wraps; rarer ones whole laps.
TEST_F(TraceRun, TheIntervalDecidesWhatIsLost)
{
    const struct {
        const char *interval;
        size_t dumps;
        uint64_t laps; // lost, of each CPU
    } cases[] = {{"30000", 5, 0}, {"75000", 2, 2 * 2}, {"0", 1, 4}};

    for (const auto &c : cases) {
        std::filesystem::remove_all(temp.path() / "out");
        simulate("imc_wrap", std::string("--set perf.0.interval=") + c.interval + "us",
                 c.laps != 0 ? "never came to perf" : "");
        for (unsigned cpu = 0; cpu < 2; cpu++)
            EXPECT_EQ(check_dumps(cpu, c.dumps), c.laps * kRecords) << c.interval;
    }
}

// The pair of Documentation/powerpc/imc.rst of Linux: the same program with interrupts and without.
TEST_F(TraceRun, ThePairTrace)
{
    simulate("imc_pair_trace");
    check_records();
    check_perf_samples();
    check_shares();
    for (unsigned cpu = 0; cpu < 4; cpu++)
        EXPECT_EQ(check_dumps(cpu, 3), 0u);
    EXPECT_EQ(figure("handler_ns"), 0u);
    // The software takes imc_driver.record_cycles for each record, and reads.
    EXPECT_GT(figure("software_ns"), 60 * figure("perf_samples"));
}

TEST_F(TraceRun, ThePairInterrupts)
{
    simulate("imc_pair_pmi");
    const uint64_t interrupts = figure("pmi");
    const double handler =
        static_cast<double>(figure("handler_ns")) / static_cast<double>(interrupts);
    uint64_t valid = 0;

    EXPECT_EQ(figure("imc_records"), 0u);
    EXPECT_EQ(figure("perf_samples"), interrupts);
    // A period of 1000000 cycles of 3.8 GHz, then a handler, or up to four that stand in a row.
    EXPECT_LE(interrupts, static_cast<uint64_t>(4 * 60100e3 / (1e6 / 3.8 + handler)) + 4);
    EXPECT_GE(interrupts, static_cast<uint64_t>(4 * 60100e3 / (1e6 / 3.8 + 4 * handler)) - 4);
    EXPECT_GE(handler, 3650.0);
    EXPECT_LE(handler, 3850.0) << "entry, pmi.handler_cycles, one burst of 8 beats, and exit";
    EXPECT_EQ(figure("software_ns"), figure("handler_ns"));
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        temp.write("ring.bin", memory(kBuffers + 0x40000 * cpu, 0x40000));
        for (const Cells &row : decode("--as imc-trace", "ring.bin"))
            valid += row[13] == "valid";
    }
    EXPECT_EQ(valid, interrupts) << "every sample is in its ring";
}

// More samples in a tick than are allowed: the event stops until the next tick, and perf.data says so.
TEST_F(TraceRun, ThrottlesAreInPerfData)
{
    const std::string few = "--set way=interrupts --set pmi.max_samples_per_tick=10 ";

    simulate("imc_frequency", few);
    const uint64_t throttled = figure("perf_throttled");
    EXPECT_GE(throttled, 4u * 18);
    EXPECT_EQ(static_cast<uint64_t>(db().number("SELECT count(*) FROM throttle WHERE stopped")),
              throttled);
    // Eleven samples a tick and CPU, and a tick that ends each stop.
    EXPECT_EQ(
        db().number("SELECT count(*) FROM throttle WHERE NOT stopped AND cycle/4000000*4000000"
                    "+300<>cycle"),
        0);
    ASSERT_EQ(run("trace --format perf -o t.data " + few + config("imc_frequency.yaml")).status, 0);
    const Outcome checked = run("check t.data");
    EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
    EXPECT_NE(checked.out.find("throttles"), std::string::npos) << checked.out;
    uint64_t found = 0;
    for (const std::string &line : split(run("decode -f csv t.data").out, '\n'))
        found += line.find(",THROTTLE,") != std::string::npos;
    EXPECT_EQ(found, throttled);

    // With a fixed period: 3.8 samples a millisecond; the fifth in a tick of 2 ms stops it.
    std::filesystem::remove_all(temp.path() / "out");
    const std::string fixed = "--set way=interrupts_c --set pmi.max_samples_per_tick=4 "
                              "--set pmi.tick_us=2000 --set perf.0.stop=20ms ";
    simulate("imc_frequency", fixed);
    EXPECT_EQ(figure("perf_throttled"), 4u * 10);
    EXPECT_EQ(figure("perf_samples"), 4u * 10 * 5);
    EXPECT_EQ(db().number("SELECT count(*) FROM throttle WHERE NOT stopped"), 4 * 9);
    ASSERT_EQ(run("trace --format perf -o f.data " + fixed + config("imc_frequency.yaml")).status,
              0);
    EXPECT_NE(run("check f.data").out.find("throttles"), std::string::npos);
}

// perf record without -c. What perf is told of each sample is in the truth; and where ticks stop
// trace mode, each scan that finds anything is of a round's beginning.
TEST_F(TraceRun, FrequencyMode)
{
    simulate("imc_frequency", "--set way=interrupts");
    EXPECT_EQ(db().number("SELECT count(*) FROM perf_period"),
              static_cast<int64_t>(figure("perf_samples")));
    EXPECT_NEAR(static_cast<double>(figure("perf_samples")), 4 * 4000 * 0.08, 100);
    EXPECT_EQ(db().number("SELECT max(period) FROM perf_period WHERE sample<=8"), 1);
    EXPECT_EQ(db().number("SELECT count(*) FROM interrupts"), 4);
    EXPECT_EQ(db().number("SELECT sum(pmi) FROM interrupts"), static_cast<int64_t>(figure("pmi")));
    EXPECT_EQ(figure("perf_ticks"), 4u * 19);

    std::filesystem::remove_all(temp.path() / "out");
    simulate("imc_frequency", "--set way=trace", "never came to perf");
    EXPECT_EQ(db().number("SELECT sum(pmi) FROM interrupts"), 0);
    EXPECT_EQ(db().number("SELECT sum(samples) FROM interrupts"),
              static_cast<int64_t>(figure("perf_samples")));
    EXPECT_EQ(db().number("SELECT sum(records) FROM interrupts"),
              static_cast<int64_t>(figure("imc_records")));
    EXPECT_EQ(figure("perf_ticks"), 4u * 19);
    EXPECT_EQ(figure("dumps"), 4u * 20);
    EXPECT_LT(figure("perf_samples"), figure("imc_records") / 4);
    EXPECT_EQ(db().number("SELECT count(*) FROM sqlite_master WHERE name='perf_period'"), 1);

    std::filesystem::remove_all(temp.path() / "out");
    simulate("imc_trace");
    EXPECT_EQ(db().number("SELECT count(*) FROM sqlite_master WHERE name='perf_period'"), 0);
}

// ---- what a run says, keeps and refuses ----

TEST_F(TraceRun, TheSameBytesAgain)
{
    simulate("imc_power10");
    std::filesystem::rename(temp.path() / "out", temp.path() / "first");
    simulate("imc_power10");

    ASSERT_EQ(temp.tree("first"), temp.tree("out"));
    for (const auto &file : temp.tree("out"))
        if (!std::filesystem::is_directory(temp.path() / "out" / file) && !has(file, "summary")) {
            EXPECT_TRUE(temp.read("first/" + file) == temp.read("out/" + file)) << file;
        }
}

TEST_F(TraceRun, WhatIsKeptIsTheScenariosChoice)
{
    simulate("imc_pair_trace",
             "--set keep.records=false --set keep.samples_truth=false --set keep.memory=false");

    EXPECT_FALSE(temp.has("out/records"));
    EXPECT_FALSE(temp.has("out/memory"));
    EXPECT_EQ(db().number("SELECT count(*) FROM record"), 0);
    EXPECT_EQ(db().number("SELECT count(*) FROM perf_sample"), 0);
    EXPECT_EQ(db().number("SELECT count(*) FROM function"), 3);
    EXPECT_GT(figure("imc_records"), 30000u) << "they are counted all the same";
    EXPECT_GT(figure("perf_samples"), 30000u);
}

TEST_F(TraceRun, SaysAtTheStartWhatIsEffective)
{
    simulate("imc_nest");
    EXPECT_TRUE(has(said, "1 POWER9 core x 4 threads at 3800 MHz, nest")) << said;
    std::filesystem::remove_all(temp.path() / "out");
    simulate("imc_power10");
    EXPECT_TRUE(has(said, "2 POWER10 cores x 4 threads at 4000 MHz\n")) << said;
}

// What the kernel does not open is told, and the rest of the run goes on.
TEST_F(RunImc, ARefusedCommandIsAWarning)
{
    const struct {
        const char *scenario, *set, *warning;
    } cases[] = {
        {"imc_core",
         "perf.0={record: [core_imc/CPM_CS_INST/], cpus: 0, period: 5, start: 1ms, stop: 9ms}",
         "EINVAL, counts only, cannot sample"},
        {"imc_core", "perf.0.task=true", "EINVAL, counts CPUs, not tasks"},
        {"imc_core", "perf.0.exclude=user", "EINVAL, IMC cannot exclude modes"},
        {"imc_trace", "perf.0={stat: [trace_imc/trace_cycles/], cpus: 0, start: 100us, stop: 9ms}",
         "ENOENT, samples only, cannot count"},
        {"imc_trace", "perf.0.privileged=false", "EACCES, needs perfmon_capable"},
        {"imc_thread", "perf.0.task=false", "EINVAL, counts tasks, not CPUs"},
    };

    for (const auto &c : cases) {
        std::filesystem::remove_all(temp.path() / "out");
        const Outcome o = run(std::string("run -o out --set '") + c.set + "' " +
                              config(std::string(c.scenario) + ".yaml"));

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, std::string("warning: imc_driver.perf.0: the kernel refuses it: ") +
                             c.warning + "\n");
        EXPECT_EQ(
            db().number("SELECT (SELECT count(*) FROM count) + (SELECT count(*) FROM record)"), 0)
            << c.set;
    }
}

TEST_F(RunImc, ASecondCommandThatComesTooEarlyIsRefused)
{
    const Outcome o = run("run -o out --set perf.1.start=10000us " + config("imc_power10.yaml"));

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err,
              "warning: imc_driver.perf.1: the kernel refuses it: EBUSY, another of core, thread "
              "and trace is in use\n");
    EXPECT_EQ(db().number("SELECT count(*) FROM count"), 4) << "the first goes on";
    EXPECT_EQ(db().number("SELECT count(*) FROM record"), 0);
}

TEST_F(RunImc, ALimitCutsAndSaysSo)
{
    const Outcome o = run("run -o out --set limit_cycles=30000000 " + config("imc_trace.yaml"));
    auto figures = json_flat(temp.file("out/summary.json"));

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(figures["ended"], "cut at limit_cycles");
    EXPECT_EQ(figures["simulated_ns"], "30000000");
    EXPECT_GT(std::stoull(figures["imc_records"]), 15000u);
    EXPECT_EQ(std::filesystem::file_size(temp.path() / "out/records/cpu4.imc"),
              64u * static_cast<uint64_t>(db().number(
                        "SELECT count(*) FROM record WHERE cpu = 4 AND response = 'OKAY'")));
}
