// SPDX-License-Identifier: Apache-2.0
// Runs of harts: refusals, deviations and bugs; a run twice, and what it keeps.
#include <algorithm>

#include "cli/riscv/run_riscv.hpp"

using namespace run_riscv;
using namespace cs_test;

// ---- refusals, deviations, bugs ----

TEST_F(RunRiscv, WhatTheKernelRefusesIsAWarning)
{
    const struct {
        const char *event, *options, *error;
    } cases[] = {
        {"r40", "--set harts.sscofpmf=false --set riscv.perf.0.sample_period=9",
         "Operation not supported"},
        {"r40", "--set harts.sscofpmf=false --set riscv.perf.0.exclude_user=true",
         "Invalid argument"},
        {"\"r4000000000000000\"", "", "No such file or directory"},
        {"r40", "--set harts.counters=0", "Operation not supported"},
        {"fw_ipi_sent", "--set riscv.firmware.counters=0", "Operation not supported"},
        {"LLC-loads", "--set 'riscv.driver.kind=legacy'", "Operation not supported"},
    };

    for (const auto &c : cases) {
        SCOPED_TRACE(c.event + std::string(" ") + c.options);
        temp.write("known.yaml",
                   std::string(kKnown) + "  perf: [{events: [" + c.event + "], stop_us: 200}]\n");
        simulate("known.yaml", c.options);
        EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 1) << warnings;
        EXPECT_TRUE(has(warnings, "warning: riscv.perf.0: the kernel refuses ")) << warnings;
        EXPECT_TRUE(has(warnings, std::string(" on hart 0: ") + c.error + "\n")) << warnings;
        EXPECT_EQ(ask("SELECT count(*) FROM count"), 0);
        check_cycles();
    }
}

// Of two events the one that can be counted is.
TEST_F(RunRiscv, TheOthersOfACommandGoOn)
{
    temp.write("known.yaml",
               std::string(kKnown) +
                   "  perf: [{events: [\"r4000000000000000\", r40], stop_us: 1100}]\n");
    simulate("known.yaml");
    check_counts();
    EXPECT_EQ(db().ask("SELECT event FROM count"), Cells{"r40"});
    EXPECT_GE(count(0, "r40"), 990000);
}

TEST_F(RunRiscv, EveryDeviationAndBugRuns)
{
    const std::string perf = "  perf:\n"
                             "    - {events: [r40, cycles, fw_set_timer], stop_us: 400}\n"
                             "    - {events: [r41], sample_period: 9000, stop_us: 390}\n"
                             "  firmware_events: [{event: fw_set_timer, every_us: 50}]\n"
                             "  driver: {snapshot: true, max_samples_per_tick: 2, tick_us: 50}\n";
    const Cells deviations = {"fixed_running",
                              "boot_writes",
                              "scounteren_open",
                              "fixed_have_event",
                              "contiguous_only",
                              "uniform_width",
                              "first_width",
                              "sets_shift",
                              "base_wraps",
                              "empty_sets",
                              "unconfigured_skipped",
                              "holes_have_info",
                              "all_have_info",
                              "info_index_short",
                              "fw_index_short",
                              "events_unchecked",
                              "unknown_event_invalid",
                              "high_bits_unchecked",
                              "high_bits_ignored",
                              "standard_fw_only",
                              "reserved_unchecked",
                              "mapped_taken",
                              "rows_in_order",
                              "map_needs_all",
                              "highest_first",
                              "fixed_from_outside",
                              "fixed_always",
                              "fixed_unfiltered",
                              "fixed_no_filter",
                              "minh_implied",
                              "of_preset",
                              "skip_needs_event",
                              "skip_takes_base",
                              "skip_fails",
                              "general_only",
                              "fw_relative",
                              "start_rewrites",
                              "filters_lost",
                              "of_waits",
                              "value_late",
                              "last_result",
                              "one_by_one",
                              "fixed_keep_event",
                              "fw_width_xlen",
                              "fw_first_only",
                              "fw_per_event",
                              "fw_never_already",
                              "fw_reset_event",
                              "fw_read_nothing",
                              "fw_read_hardware",
                              "hi_any_index",
                              "hi_unconfigured",
                              "hi_never",
                              "no_snapshot",
                              "page_anywhere",
                              "page_whole",
                              "error_sticks",
                              "bitmap_sticks",
                              "info_early",
                              "info_by_table",
                              "info_by_host",
                              "info_some",
                              "opensbi_1_1",
                              "opensbi_1_6",
                              "opensbi_1_9",
                              "kvm"};
    const Cells bugs = {"rv32_shift",       "rv32_masks",     "snapshot_base",
                        "spurious_stops",   "stale_overflow", "torn_read",
                        "throttle_ignored", "rv32_delta",     "starts_stopped"};

    temp.write("known.yaml", kKnown + perf);
    for (const std::string &name : deviations) {
        SCOPED_TRACE(name);
        simulate("known.yaml", "--set 'riscv.firmware.deviations=[" + name + "]'");
        check_cycles();
        check_warnings();
        EXPECT_EQ(count(0, "fw_set_timer"), 6) << "150 .. 400";
    }
    for (const std::string &name : bugs)
        for (const char *xlen : {"--set harts.xlen=64", "--set harts.xlen=32"}) {
            SCOPED_TRACE(name + xlen);
            known(perf, "--set 'riscv.driver.bugs=[" + name + "]' " + xlen);
            check_cycles();
        }
}

// A bug is seen: after the snapshot's counters stay stopped, nothing counts.
TEST_F(RunRiscv, ABugOfAKernelCostsItsSamples)
{
    const std::string perf = "  perf: [{events: [r40], sample_period: 9000, stop_us: 1000}]\n";

    known("  driver: {snapshot: true}\n" + perf);
    EXPECT_EQ(figure("hart_samples"), count(0, "r40") / 9000);
    EXPECT_GE(figure("hart_samples"), 80);
    known("  driver: {snapshot: true, bugs: [snapshot_base]}\n" + perf);
    EXPECT_EQ(figure("hart_samples"), 1) << "the counters stay stopped";
}

// A throttled event goes on as soon as another one overflows.
TEST_F(RunRiscv, AHandlerThatStartsStoppedCounters)
{
    const std::string perf = "  perf:\n"
                             "    - {events: [r40], sample_period: 2000, stop_us: 1000}\n"
                             "    - {events: [r41], sample_period: 30000, stop_us: 1000}\n";
    const std::string driver = "  driver: {max_samples_per_tick: 3, tick_us: 200";
    const std::string throttled = "SELECT count(*) FROM hart_sample WHERE command = 0";

    known(driver + "}\n" + perf);
    const int64_t few = ask(throttled);
    EXPECT_LE(few, 5 * 4) << "a tick's share, and the one that was too many";
    temp.write("known.yaml", kKnown + driver + ", bugs: [starts_stopped]}\n" + perf);
    simulate("known.yaml");
    EXPECT_GE(ask(throttled), few + 15) << "r41 overflows 20 times";
}

// ---- twice ----

TEST_F(RunRiscv, TwoRunsAreOne)
{
    for (const char *name : {"riscv_lockstep_sample", "riscv_guest", "riscv_lockstep_rv32"}) {
        std::string seen[2][3];

        for (auto &s : seen) {
            config(name);
            json.erase("wall_ns");
            for (const auto &[key, value] : json)
                s[0] += key + "=" + value + "\n";
            for (const char *table : {"count", "hart", "hart_sample"})
                for (const std::string &row : db().ask(std::string("SELECT * FROM ") + table))
                    s[1] += row + "\n";
            for (const std::string &file : temp.tree("out"))
                if (has(file, ".ring") || has(file, "memory/"))
                    s[2] += file + temp.read("out/" + file);
        }
        EXPECT_TRUE(seen[0][0] == seen[1][0]) << name;
        EXPECT_TRUE(seen[0][1] == seen[1][1]) << name;
        EXPECT_TRUE(seen[0][2] == seen[1][2]) << name;
        EXPECT_FALSE(seen[0][1].empty());
    }
}

TEST_F(RunRiscv, WhatIsNotToBeKeptIsNot)
{
    known("  perf: [{events: [r40], sample_period: 9000, stop_us: 1000}]\n",
          "--set keep.records=false --set keep.samples_truth=false");
    check_counts();
    EXPECT_FALSE(temp.has("out/records/hart0.ring"));
    EXPECT_EQ(ask("SELECT count(*) FROM hart_sample"), 0);
    EXPECT_GE(figure("hart_samples"), 80);
}
