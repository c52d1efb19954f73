// SPDX-License-Identifier: Apache-2.0
// Runs of harts: counts of known streams.
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- counts of known streams ----

// Whatever the software takes: 3 ms more of the workload are 2000 rounds more.
TEST_F(RunRiscv, CountsGrowByWhatTheWorkloadDoes)
{
    const std::string events =
        "{events: [\"hpm:0x40\", r41, r42, cycles], start_us: 100, stop_us: ";

    for (const char *more :
         {"", "  driver: {snapshot: true}\n", "  driver: {kind: delegated}\n",
          "  firmware: {form: proposal_v3}\n", "  driver: {event_info: false}\n",
          "  firmware: {version: v2}\n", "  firmware: {version: v03}\n",
          "  firmware: {deviations: [opensbi_1_1]}\n", "  firmware: {deviations: [opensbi_1_6]}\n",
          "  firmware: {deviations: [opensbi_1_9]}\n", "  firmware: {deviations: [kvm]}\n"})
        for (const char *xlen : {"--set harts.xlen=64", "--set harts.xlen=32"}) {
            SCOPED_TRACE(std::string(more) + xlen);
            const std::string riscv = std::string(more) + "  perf: [" + events;

            known(riscv + "1000}]\n", xlen);
            check_counts();
            const int64_t all = count(0, "hpm:0x40"), user = count(0, "r41"),
                          kernel = count(0, "r42"), cycles = count(0, "cycles");
            known(riscv + "4000}]\n", xlen);
            check_counts();
            check_cycles();
            EXPECT_EQ(count(0, "hpm:0x40") - all, 3000000);
            EXPECT_EQ(count(0, "r41") - user, 2000000);
            EXPECT_EQ(count(0, "r42") - kernel, 500000);
            EXPECT_EQ(count(0, "cycles") - cycles, 3000000);
            EXPECT_LE(all, 900000) << "the software's time is not the workload's";
            EXPECT_GE(all, 890000);
        }
}

// The filters, of three counters with one event.
TEST_F(RunRiscv, ExcludedModesAreNotCounted)
{
    known("  perf:\n"
          "    - {events: [r40], exclude_kernel: true, stop_us: 3100}\n"
          "    - {events: [r40], exclude_user: true, stop_us: 3100}\n"
          "    - {events: [cycles], exclude_user: true, exclude_kernel: true, stop_us: 3100}\n"
          "    - {events: [r40], stop_us: 3100}\n");
    check_counts();
    const int64_t user = count(0, "r40"), kernel = count(1, "r40"), all = count(3, "r40");
    EXPECT_NEAR(static_cast<double>(user), 2e6, 4000);
    EXPECT_NEAR(static_cast<double>(kernel), 1e6, 3000);
    EXPECT_NEAR(static_cast<double>(all), 3e6, 5000);
    EXPECT_LT(count(2, "cycles"), 10000) << "the firmware's only";
    EXPECT_GT(count(2, "cycles"), 100);
}

// perf stat -I: the pieces are one count, and each is that of its window.
TEST_F(RunRiscv, Intervals)
{
    known("  perf: [{events: [r40], start_us: 100, stop_us: 2000, interval_us: 300}]\n");
    check_counts();
    EXPECT_EQ(ask("SELECT count(*) FROM count"), 7);
    EXPECT_EQ(ask("SELECT count(*) FROM count a JOIN count b ON b.rowid = a.rowid + 1 "
                  "WHERE a.stop <> b.start"),
              0);
    EXPECT_TRUE(has(temp.read("out/summary.txt"), "read at, us"));
    const int64_t pieces = ask("SELECT sum(raw) FROM count");
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE rowid BETWEEN 2 AND 6 AND "
                  "abs(stop - start - 300000) > 20"),
              0);
    EXPECT_LE(pieces, 1900000);
    EXPECT_GE(pieces, 1890000);
}

// On the hour: each hart hears its own, and a counter counts while its command runs.
TEST_F(RunRiscv, FirmwareEvents)
{
    known("  firmware_events:\n"
          "    - {event: fw_set_timer, every_us: 100}\n"
          "    - {event: fw_set_timer, every_us: 1000, count: 1000, cpus: 1}\n"
          "    - {event: fw_ipi_sent, every_us: 70, count: 3, cpus: 0}\n"
          "    - {event: \"fw:300\", every_us: 250}\n"
          "  perf:\n"
          "    - {events: [fw_set_timer, fw_ipi_sent, \"fw:300\", fw_illegal_insn], start_us: 150,"
          " stop_us: 2150}\n"
          "    - {events: [fw_set_timer], start_us: 950, stop_us: 1950, interval_us: 400}\n",
          "--set harts.count=2 --set riscv.firmware.specific_events=100");
    check_counts();
    EXPECT_EQ(count(0, "fw_set_timer", 0), 20) << "200 .. 2100";
    EXPECT_EQ(count(0, "fw_set_timer", 1), 2020);
    EXPECT_EQ(count(0, "fw_ipi_sent", 0), 3 * 28) << "210 .. 2100";
    EXPECT_EQ(count(0, "fw_ipi_sent", 1), 0);
    EXPECT_EQ(count(0, "fw:300"), 8) << "250 .. 2000";
    EXPECT_EQ(count(0, "fw_illegal_insn"), 0);
    EXPECT_EQ(db().ask("SELECT raw FROM count WHERE command = 1 AND cpu = 0 ORDER BY rowid"),
              (Cells{"4", "4", "2"}));
    EXPECT_EQ(db().ask("SELECT raw FROM count WHERE command = 1 AND cpu = 1 ORDER BY rowid"),
              (Cells{"1004", "4", "2"}));
}

// Two harts do the same at the same time, each in its own memory.
TEST_F(RunRiscv, HartsAreAlike)
{
    known("  perf:\n"
          "    - {events: [r40], sample_period: 10007, stop_us: 3000}\n"
          "    - {events: [r41], cpus: 2, stop_us: 3000}\n",
          "--set harts.count=3");
    check_counts();
    EXPECT_EQ(ask("SELECT count(DISTINCT cpu) FROM hart_sample"), 3);
    EXPECT_EQ(ask("SELECT count(*) FROM count WHERE command = 1"), 1);
    EXPECT_EQ(ask("SELECT cpu FROM count WHERE command = 1"), 2);
    for (const char *hart : {"0", "1", "2"})
        check_ring(std::string("out/records/hart") + hart + ".ring", std::string("cpu = ") + hart);
}

// Beside cores of a PMCU, which are CPUs 0 and 1.
TEST_F(RunRiscv, HartsBesideOthers)
{
    temp.write("known.yaml", std::string(kKnown) + "  perf: [{events: [r40], sample_period: 10000, "
                                                   "stop_us: 1000}]\n");
    simulate("known.yaml", "--set pmcu.clusters=1 --set pmcu.slots=2 --set software.kind=none "
                           "--set workloads.0.cpus=2");
    EXPECT_EQ(warnings, "") << "nobody drives the PMCU, so nothing is missed";
    check_counts();
    EXPECT_EQ(db().ask("SELECT hart, cpu FROM hart"), Cells{"0|2"});
    EXPECT_EQ(db().ask("SELECT DISTINCT cpu FROM count"), Cells{"2"});
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE cpu <> 2"), 0);
    EXPECT_GE(figure("hart_samples"), 80);
}
