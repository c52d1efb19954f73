// SPDX-License-Identifier: Apache-2.0
// Runs of harts: samples of known streams, and the ring.
#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- samples of known streams ----

// Nothing is lost while the handler runs: the n-th sample is that of the n-th period of the workload.
TEST_F(RunRiscv, EachPeriodIsExact)
{
    for (const char *more : {"", "  driver: {snapshot: true}\n", "  driver: {kind: delegated}\n",
                             "  firmware: {form: proposal_v3}\n"})
        for (const char *xlen : {"--set harts.xlen=64", "--set harts.xlen=32"}) {
            SCOPED_TRACE(std::string(more) + xlen);
            known(more + std::string(
                             "  perf: [{events: [r40], sample_period: 7000, stop_us: 5000}]\n"),
                  xlen);
            check_counts();
            check_cycles();
            check_samples();
            check_ring("out/records/hart0.ring", "1");
            EXPECT_EQ(figure("hart_samples"), count(0, "r40") / 7000);
            EXPECT_GE(figure("hart_samples"), 550);
            EXPECT_EQ(figure("hart_interrupts"), figure("hart_samples"));
            EXPECT_EQ(figure("hart_spurious"), 0);
            EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE period <> 7000 OR "
                          "true_period <> 7000 OR lost <> 0"),
                      0);
            EXPECT_EQ(ask("SELECT count(DISTINCT skid) FROM hart_sample"), 1);
            EXPECT_EQ(json["period_error"], "0");
        }
}

// What is to be sampled and is on a counter without overflow is told: once an event and hart.
TEST_F(RunRiscv, WhatCannotOverflowIsTold)
{
    const struct {
        std::string riscv, options;
        int warnings;
        const char *says;
    } cases[] = {
        {"  perf: [{events: [cycles], sample_period: 7000, stop_us: 500}]\n",
         "--set harts.counters=0", 1,
         "riscv.perf.0: on hart 0 cycles gets mcycle, which cannot overflow: no samples\n"},
        {"  perf: [{events: [instructions], freq: 4000, stop_us: 500}]\n",
         "--set harts.counters=0 --set harts.count=2", 2,
         "riscv.perf.0: on hart 1 instructions gets minstret, which cannot overflow: no samples\n"},
        {"  perf: [{events: [fw_set_timer], sample_period: 7, stop_us: 500}]\n", "", 1,
         "on hart 0 fw_set_timer gets a firmware counter, which cannot overflow: no samples\n"},
        {"  driver: {mux_us: 50}\n  perf: [{events: [cycles, r40], sample_period: 7000, stop_us: "
         "900}, {events: [r41], stop_us: 900}]\n",
         "--set harts.counters=1", 1,
         "cycles gets mcycle in some turns, which cannot overflow: no samples then\n"},
        {"  perf: [{events: [cycles], stop_us: 500}]\n", "--set harts.counters=0", 0, ""},
        {"  perf: [{events: [cycles], sample_period: 7000, stop_us: 500}]\n", "", 0, ""},
    };

    for (const auto &c : cases) {
        SCOPED_TRACE(c.riscv + c.options);
        temp.write("known.yaml", kKnown + c.riscv);
        simulate("known.yaml", c.options);
        EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), c.warnings) << warnings;
        EXPECT_TRUE(has(warnings, c.says)) << warnings;
        std::string kept; // for those who look at the run later
        for (int i = 0; i <= c.warnings; i++)
            kept += "warning: " + json["warnings." + std::to_string(i)] + "\n";
        EXPECT_EQ(without_former(kept), warnings);
        EXPECT_EQ(has(temp.read("out/summary.txt"), "\n  samples taken "),
                  has(c.riscv, "sample_period") || has(c.riscv, "freq"));
    }
}

// A guest of kvm samples by virtual counters, all of which overflow.
TEST_F(RunRiscv, AGuestOfKvmSamplesCycles)
{
    temp.write("known.yaml",
               std::string(kGuest) +
                   "  hypervisor: kvm\n  guest: {snapshot: true}\n"
                   "  perf: [{guest: true, events: [cycles, instructions], exclude_kernel: true, "
                   "sample_period: 9000, stop_us: 900}]\n");
    simulate("known.yaml", "--set harts.aia=true");
    EXPECT_EQ(warnings, "");
    EXPECT_GT(ask("SELECT count(*) FROM hart_sample WHERE event = 0"), 10);
}

// Behind a virtual counter is one of the host's, and where that cannot overflow the guest gets no samples.
TEST_F(RunRiscv, AGuestOfKvmOnMcycleIsTold)
{
    for (const std::string turns : {"", " in some turns"}) {
        const std::string lost = turns + ", which cannot overflow: no samples";

        SCOPED_TRACE(turns);
        temp.write("known.yaml",
                   std::string(kGuest) + "  hypervisor: kvm\n  guest: {snapshot: true}\n" +
                       (turns.empty() ? "" : "  driver: {mux_us: 50}\n") +
                       "  perf: [{guest: true, events: [r40, cycles, instructions], "
                       "exclude_kernel: true, sample_period: 9000, start_us: 50, stop_us: 900}]\n");
        simulate("known.yaml", "--set harts.aia=true --set harts.counters=1");
        EXPECT_TRUE(has(warnings, "riscv.perf.0: on hart 0 cycles gets a virtual counter on the "
                                  "host's mcycle" +
                                      lost))
            << warnings;
        EXPECT_TRUE(
            has(warnings, "instructions gets a virtual counter on the host's minstret" + lost))
            << warnings;
        EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 2) << warnings;
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE event > 0"), 0);
        EXPECT_GT(ask("SELECT count(*) FROM hart_sample WHERE event = 0"), 0);
    }
}

// Mode, program counter and time of a sample, where overflows are in the middle of a segment.
TEST_F(RunRiscv, ASampleIsOfItsSegment)
{
    known("  perf: [{events: [r41], sample_period: 10000, stop_us: 2000},\n"
          "         {events: [r42], sample_period: 2500, start_us: 2100, stop_us: 4000}]\n");
    check_counts();
    EXPECT_GE(ask("SELECT count(*) FROM hart_sample WHERE command = 0"), 100);
    EXPECT_GE(ask("SELECT count(*) FROM hart_sample WHERE command = 1"), 100);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE command = 0 AND NOT "
                  "(true_mode = 0 AND true_ip = 4096)"),
              0);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE command = 1 AND NOT "
                  "(true_mode = 1 AND true_ip = 8192)"),
              0);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE misc = 2 AND (ip <> 4096 OR pid <> 77)"),
              0);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE misc = 1 AND (ip <> 8192 OR pid <> 78)"),
              0);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE misc NOT IN (1, 2)"), 0);
    // mtime has 10 MHz; a handler takes a few microseconds.
    EXPECT_EQ(
        ask("SELECT count(*) FROM hart_sample WHERE time < trap / 100 OR time > trap / 100 + 40"),
        0);
}

// The way from the overflow to the trap, and what makes it longer.
TEST_F(RunRiscv, SkidIsTheLatencyOfTheInterrupt)
{
    const std::string perf = "  perf: [{events: [r40], sample_period: 20000, stop_us: 1000}]\n";
    const struct {
        const char *options;
        int64_t more;
    } cases[] = {
        {"--set harts.lcofi_latency=9", 9},
        {"--set harts.irq_latency_cycles=104", 100},
        {"--set harts.irq_latency_cycles=0 --set harts.lcofi_latency=31", 31 - 4},
        {"--set harts.trap_cycles=400", 0},
    };

    known(perf);
    // LCOFIP is 1 in the cycle after the overflow; 4 cycles after it, the trap begins (docs/hw/hart.md).
    const int64_t skid = 1 + 4 + 1;
    EXPECT_EQ(db().ask("SELECT DISTINCT skid FROM hart_sample"), Cells{std::to_string(skid)});
    for (const auto &c : cases) {
        known(perf, c.options);
        EXPECT_EQ(db().ask("SELECT DISTINCT skid FROM hart_sample"),
                  Cells{std::to_string(skid + c.more)})
            << c.options;
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE true_period <> 20000"), 0);
    }
}

// A period as short as the handler's own way.
TEST_F(RunRiscv, TwoEventsOverflowTogether)
{
    known("  perf: [{events: [r40, r41, instructions], sample_period: 3000, stop_us: 2000},\n"
          "         {events: [r42], stop_us: 1900}]\n");
    check_counts();
    check_samples();
    check_ring("out/records/hart0.ring", "1");
    for (unsigned event = 0; event < 2; event++)
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE event = " + std::to_string(event)),
                  count(0, event == 0 ? "r40" : "r41") / 3000);
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE event = 2"), 0) << "it never happens";
    EXPECT_LE(figure("hart_interrupts"), figure("hart_samples"));
}

TEST_F(RunRiscv, DelegatedMakesNoCallsWhileItSamples)
{
    const std::string perf = "  perf: [{events: [r40], sample_period: 5000, stop_us: ";
    int64_t calls[2][2], interrupts[2][2];

    for (int delegated = 0; delegated < 2; delegated++)
        for (int longer = 0; longer < 2; longer++) {
            known((delegated ? "  driver: {kind: delegated}\n" : "") + perf +
                  (longer ? "4000}]\n" : "1000}]\n"));
            calls[delegated][longer] = figure("sbi_calls");
            interrupts[delegated][longer] = figure("hart_interrupts");
        }
    EXPECT_GE(interrupts[1][1], interrupts[1][0] + 500);
    EXPECT_EQ(calls[1][1], calls[1][0]);
    EXPECT_EQ(calls[0][1] - calls[0][0], 3 * (interrupts[0][1] - interrupts[0][0]))
        << "STOP of all, START of those that had not overflowed, and of the one that had";
}

// ---- the ring ----

TEST_F(RunRiscv, AFullRingLosesWhatComesThen)
{
    const std::string driver = "  driver: {ring_bytes: 4 KiB, wakeup_bytes: ";
    const std::string perf = "}\n  perf: [{events: [r40], sample_period: 9000, stop_us: 3000}]\n";

    known(driver + "0" + perf);
    check_counts();
    check_samples();
    check_ring("out/records/hart0.ring", "1");
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE lost = 0"), 73) << "of 56 bytes";
    EXPECT_EQ(ask("SELECT max(rowid) FROM hart_sample WHERE lost = 0"), 73) << "the first";
    EXPECT_EQ(figure("hart_lost"), figure("hart_samples") - 73);
    EXPECT_GE(figure("hart_lost"), 100);
    EXPECT_EQ(temp.read("out/records/hart0.ring").size(), 73u * 56);

    // The reader is woken at the half, and nothing is lost.
    known(driver + "2 KiB" + perf);
    check_ring("out/records/hart0.ring", "1");
    EXPECT_EQ(figure("hart_lost"), 0);
    EXPECT_GE(temp.read("out/records/hart0.ring").size(), 200u * 56);

    // It is woken when there is no room for another.
    known(driver + "4088" + perf);
    check_ring("out/records/hart0.ring", "1");
    EXPECT_EQ(figure("hart_lost"), 0);
    known(driver + "4089" + perf);
    EXPECT_GT(figure("hart_lost"), 0);
}

// The reader comes with the end of another command, and what was lost is told in the ring.
TEST_F(RunRiscv, LostRecordsAreTold)
{
    known("  driver: {ring_bytes: 4 KiB, wakeup_bytes: 0}\n"
          "  perf:\n"
          "    - {events: [r40], sample_period: 9000, stop_us: 3000}\n"
          "    - {events: [r41], sample_period: 900000000, start_us: 200, stop_us: 2500}\n");
    check_counts();
    check_ring("out/records/hart0.ring", "1");
    const auto rows = decode("out/records/hart0.ring");
    int64_t told = 0;

    for (const Cells &c : rows)
        told += c[2] == "lost" ? std::stoll(c[11]) : 0;
    EXPECT_EQ(in_ring("out/records/hart0.ring", "lost"), 1u);
    EXPECT_EQ(told, figure("hart_lost"));
    EXPECT_GE(told, 100);
}

TEST_F(RunRiscv, Throttling)
{
    const std::string perf =
        "  perf: [{events: [r40], sample_period: 8000, start_us: 100, stop_us: 2000}]\n";
    const std::string ring = "out/records/hart0.ring";

    known("  driver: {max_samples_per_tick: 3, tick_us: 100}\n" + perf);
    check_counts();
    check_samples();
    check_ring(ring, "1");
    EXPECT_EQ(
        ask("SELECT max(n) FROM (SELECT count(*) AS n FROM hart_sample GROUP BY trap / 100000)"), 4)
        << "three, and the one that throttles";
    EXPECT_GE(figure("hart_throttled"), 17);
    EXPECT_LE(figure("hart_throttled"), 19);
    EXPECT_EQ(in_ring(ring, "throttle"), static_cast<size_t>(figure("hart_throttled")));
    EXPECT_EQ(in_ring(ring, "unthrottle"), static_cast<size_t>(figure("hart_throttled")) - 1)
        << "the command ends before the tick";
    EXPECT_LT(count(0, "r40"), 1900000 / 2) << "it does not count while it is throttled";
    EXPECT_EQ(count(0, "r40"), ask("SELECT counted FROM count"));

    known("  driver: {max_samples_per_tick: 3, tick_us: 100, bugs: [throttle_ignored]}\n" + perf);
    EXPECT_GE(figure("hart_samples"), 190);

    known("  driver: {max_samples_per_tick: 20, tick_us: 100}\n" + perf);
    EXPECT_EQ(figure("hart_throttled"), 0);
    EXPECT_EQ(in_ring(ring, "throttle"), 0u);
}

// The reader is woken when there is something to read, not with every sample.
TEST_F(RunRiscv, TheReaderSleepsUntilItIsWoken)
{
    const std::string driver = "  driver: {ring_bytes: 64 KiB, wakeup_bytes: ";
    const std::string perf = "}\n  perf: [{events: [r40], sample_period: 9000, stop_us: 3000}]\n";
    int64_t transactions[3];
    unsigned i = 0;

    for (const char *wakeup : {"0", "2 KiB", "56"}) {
        known(driver + wakeup + perf);
        check_ring("out/records/hart0.ring", "1");
        EXPECT_GE(figure("hart_samples"), 250);
        transactions[i++] = figure("bus_transactions");
    }
    EXPECT_LT(transactions[0], transactions[1]);
    EXPECT_LT(transactions[1] + 3 * 200, transactions[2]) << "a head, a record, a tail each time";
}
