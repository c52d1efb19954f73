// SPDX-License-Identifier: Apache-2.0
// Runs of POWER's scenarios that do not show what they seem to: what is said of it.
#include "cli/imc/run_imc.hpp"

using namespace run_imc;

namespace
{

struct TroubleRun : RunImc {
    // A run that succeeds, and what it says on standard error.
    std::string troubled(const std::string &scenario, const std::string &options = "")
    {
        const Outcome o = run("run -o out " + options + " " + config(scenario + ".yaml"));

        EXPECT_EQ(o.status, 0) << o.err;
        said = o.out;
        json = json_flat(temp.file("out/summary.json"));
        return o.err;
    }
    // Those commands of perf, on a core whose threads do the same all the time.
    std::string scripted(const std::string &commands)
    {
        temp.write("script.yaml",
                   "name: script\ncatalog: <imc/power9_small.dts>\n"
                   "imc: {cores: 1, threads: 4, tap_log2: 6}\ncorepmu: {clock_mhz: 1000}\n"
                   "workloads:\n  - name: w\n    cpus: all\n    segments:\n"
                   "      - {mode: host_user, cid1: 11, functions: [{name: f, base: 0x10001000, "
                   "size: 0x800}], events: [{event: CPM_INST, rate: 1.5}, {event: CPM_CS_INST, "
                   "rate: 1.5}]}\n"
                   "software: {kind: imc, cpu: 3}\nimc_driver:\n  perf: " +
                       commands + "\n");
        const Outcome o = run("run -o out script.yaml");

        EXPECT_EQ(o.status, 0) << o.err;
        return o.err;
    }
    static bool has(const std::string &text, const std::string &part)
    {
        return text.find(part) != std::string::npos;
    }
};

TEST_F(TroubleRun, CountsOfFewerThreadsAreTold)
{
    const std::string err = troubled("imc_lockstep_thread");

    EXPECT_TRUE(has(err, "counts of core_imc and thread_imc come out 2 times as large")) << err;
}

// A dump every 100 us of five threads: the last one's turn is late by more than a tenth of it.
TEST_F(TroubleRun, ALateTurnIsTold)
{
    const std::string err = troubled("imc_trace", "--set perf.0.interval=100us");

    EXPECT_TRUE(has(err, "imc_driver.perf.0: CPU ")) << err;
    EXPECT_TRUE(has(err, " us late: one CPU port carries out one thing at a time")) << err;
    EXPECT_GT(figure("software_late_ns"), 10000u);
    EXPECT_EQ(figure("dumps"), 5u * 600);
}

// No sample at all is a figure, too.
TEST_F(TroubleRun, NoSamplesAreZeroAndNotNothing)
{
    const std::string err = troubled("imc_trace", "--set perf.0.privileged=false");

    EXPECT_TRUE(has(err, "EACCES, needs perfmon_capable")) << err;
    for (const char *line : {"\n  trace records written                     0\n",
                             "\n  samples lost by hardware                  0\n",
                             "\n  samples in perf                           0\n",
                             "\n  scans of trace buffers                    0\n"})
        EXPECT_TRUE(has(said, line)) << line << "\n" << said;
}

TEST_F(TroubleRun, SamplesWithoutAnAddressAreTold)
{
    const std::string err = troubled("imc_trace", "--set 'handler.functions=[]'");

    EXPECT_TRUE(has(err, "samples have the address 0, because what ran has no functions")) << err;
}

// The bus refuses HTM_MODE of core 0 from its third write on: START.
TEST_F(TroubleRun, AStartThatFailsIsTold)
{
    const std::string err = troubled(
        "imc_core", "--set 'memory.faults=[{base: 0x603fc80091000, size: 8, access: write, "
                    "nth: 3, count: 9, action: error}]'");

    EXPECT_TRUE(has(err, "could not start the engine for CPU 0 (OPAL_HARDWARE)")) << err;
    EXPECT_EQ(figure("opal_errors"), 1u);
    EXPECT_TRUE(has(said, "\n  OPAL calls that failed                    1\n")) << said;
    EXPECT_EQ(db().number("SELECT count(*) FROM count WHERE cpu = 0"), 0);
    EXPECT_GT(db().number("SELECT count(*) FROM count WHERE cpu = 4"), 0);
}

TEST_F(TroubleRun, ReadsThatFailAreTold)
{
    troubled("imc_core",
             "--set 'memory.faults=[{base: 0x81000000, size: 8 KiB, access: read, nth: 2, "
             "count: 3, action: error}]'");
    EXPECT_EQ(figure("read_errors"), 3u);
    EXPECT_TRUE(has(said, "failed counter reads ")) << said;
}

// Off for most of the time: the truth is off, too, and the windows that there were are near it.
TEST_F(TroubleRun, ACoreThatIsOffIsOffInTheTruth)
{
    const std::string err =
        troubled("imc_core", "--set 'imc.deep_stops=[{core: 0, at_us: 100000, for_us: 800000}]' "
                             "--set imc_driver.restore=htm_mode");
    const double off = db().number("SELECT sum(truth) FROM count WHERE cpu = 0 AND event = "
                                   "'CPM_NON_IDLE_PCYC'");
    const double span = db().number("SELECT sum(stop - start) FROM count WHERE cpu = 0 AND event = "
                                    "'CPM_NON_IDLE_PCYC'");

    EXPECT_EQ(
        err, "warning: perf command 0: core_imc/CPM_CS_INST_KERNEL/ on CPU 0 counts 0 of 484463500 "
             "(table `count`)\n");
    EXPECT_NEAR(off, 4 * 3.8 * (span - 800e6), 4 * 3.8 * 1e5);
}

TEST_F(TroubleRun, ADeepStopThatEndsACountIsTold)
{
    const std::string err =
        troubled("imc_core", "--set 'imc.deep_stops=[{core: 0, at_us: 100000, for_us: 10}]'");

    EXPECT_TRUE(has(err, "imc_driver.perf.0: the core of CPU 0 lost HTM_MODE in a deep stop"))
        << err;
    EXPECT_LT(db().number("SELECT max(value / truth) FROM count WHERE cpu = 0"), 0.2);
}

// Windows that are shorter than their posts take: what is lost is a figure.
TEST_F(TroubleRun, LostWindowsAreAFigure)
{
    troubled("imc_lockstep_core", "--set imc.tap_log2=2 --set memory.write_cycles=40");
    const double windows = static_cast<double>(figure("imc_windows"));
    const double lost = static_cast<double>(figure("imc_windows_lost"));

    EXPECT_GT(lost / windows, 0.3);
    EXPECT_TRUE(has(said, "windows lost by hardware ")) << said;
}

// The kernel leaves LDBAR in trace mode: of the core's four threads one is missing afterwards.
TEST_F(TroubleRun, ACoreWhoseThreadIsLeftInTraceModeIsTold)
{
    const std::string err = scripted(
        "[{pmu: core, cpus: [0], events: [CPM_INST], start_us: 100, stop_us: 2148},"
        "{pmu: trace, cpus: [1], events: [trace_cycles], sample_period: 1, start_us: 3000, "
        "stop_us: 4000},"
        "{pmu: core, cpus: [0], events: [CPM_INST], start_us: 5000, stop_us: 7048}]");

    EXPECT_FALSE(has(err, "imc_driver.perf.0: ")) << err;
    EXPECT_TRUE(has(err, "imc_driver.perf.2: CPU 1 is still in trace mode, as the kernel leaves it "
                         "(LDBAR): core_imc counts nothing of it"))
        << err;
    EXPECT_TRUE(has(err, "began it anew")) << err;
    EXPECT_NEAR(static_cast<double>(
                    db().number("SELECT 1000 * value / truth FROM count WHERE command = 2")),
                750, 50);
}

// When it is all of them nothing is counted, and that is no estimate.
TEST_F(TroubleRun, ACountOfNothingDisagreesWithTheTruth)
{
    scripted(
        "[{pmu: trace, cpus: [0, 1, 2, 3], events: [trace_cycles], sample_period: 1, start_us: "
        "100, stop_us: 400},"
        "{pmu: core, cpus: [0], events: [CPM_INST], start_us: 500, stop_us: 2548}]");
    ASSERT_EQ(run("trace --format perf --command imc_driver.perf.1 -o t.data script.yaml").status,
              0);
    const Outcome o = run("check t.data");

    EXPECT_EQ(o.status, 1) << o.out;
    EXPECT_TRUE(has(o.out, "more than 0")) << o.out;
}

// Two commands count a thread; the first to end takes ENABLE out of its LDBAR.
TEST_F(TroubleRun, AThreadThatAnotherCommandHasSwitchedOffIsTold)
{
    const std::string stat = "pmu: thread, task: true, cpus: [0], events: [CPM_CS_INST_USER]";
    const std::string err = scripted("[{" + stat + ", start_us: 100, stop_us: 2148},{" + stat +
                                     ", start_us: 1000, stop_us: 9000, interval_us: 4000}]");

    EXPECT_TRUE(has(err, "imc_driver.perf.1: another command of thread_imc has ended on CPU 0"))
        << err;
    EXPECT_FALSE(has(err, "imc_driver.perf.0: another")) << err;
    EXPECT_EQ(db().number("SELECT min(raw) FROM count WHERE command = 1"), 0);
}

TEST_F(TroubleRun, ANestThatIsNotThereYetIsTold)
{
    const std::string err = troubled("imc_nest", "--set imc_driver.boot_cycles=0");

    EXPECT_TRUE(has(err, "the nest's engine had not begun when OPAL came to pause it")) << err;
    EXPECT_TRUE(has(err, "ENODEV, OPAL could not pause the nest's engine")) << err;
}

} // namespace
