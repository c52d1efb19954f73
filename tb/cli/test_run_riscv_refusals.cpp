// Runs of harts: refusals, deviations and bugs; a run twice, and what it keeps.
#include "cli/run_riscv.hpp"

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
                              "uniform_width",
                              "unknown_event_invalid",
                              "skip_needs_event",
                              "minh_implied",
                              "mapped_taken",
                              "of_preset",
                              "of_waits",
                              "unconfigured_skipped",
                              "last_result",
                              "one_by_one",
                              "reserved_unchecked",
                              "no_snapshot",
                              "fixed_keep_event",
                              "fixed_from_outside",
                              "fw_first_only",
                              "fw_reset_event",
                              "info_by_table",
                              "skip_fails",
                              "page_whole",
                              "error_sticks",
                              "bitmap_sticks",
                              "fw_per_event",
                              "highest_first",
                              "value_late",
                              "general_only",
                              "fixed_unfiltered",
                              "holes_have_info",
                              "fw_never_already",
                              "hi_any_index",
                              "filters_lost",
                              "opensbi",
                              "opensbi_old",
                              "kvm"};
    const Cells bugs = {"rv32_shift",     "rv32_masks", "snapshot_base",   "spurious_stops",
                        "stale_overflow", "torn_read",  "throttle_ignored"};

    temp.write("known.yaml", kKnown + perf);
    for (const std::string &name : deviations) {
        SCOPED_TRACE(name);
        simulate("known.yaml", "--set 'riscv.firmware.deviations=[" + name + "]'");
        check_cycles();
        if (name == "holes_have_info" || name == "opensbi_old") { // 1 is in the driver's sets then
            EXPECT_TRUE(has(warnings, "refuses r40 on hart 0: Invalid argument\n")) << warnings;
            continue;
        }
        EXPECT_EQ(warnings, "");
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
