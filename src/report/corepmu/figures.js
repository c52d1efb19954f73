// SPDX-License-Identifier: Apache-2.0
/* perf's, of the core PMUs. */

FIGURES.push([20, "perf on the core PMUs", [
    ["perf_counts", "counts", "Counts that perf stat printed.", "perf_counts"],
    ["perf_wrong", "wrong counts", "Counts that are not what happened in the time in which they were taken.", "perf_counts"],
    ["perf_worst", "worst error", "The largest error of one of these counts.", "perf_counts"],
    ["perf_interrupts", "overflow interrupts", "Interrupts of core PMUs.", "perf_interrupts"],
    ["perf_spurious", "interrupts without overflow", "Interrupts of core PMUs for which no counter had overflowed.", "perf_interrupts"],
    ["perf_accesses", "system register accesses", "Accesses of perf to the core PMUs' registers.", "perf_accesses"],
    ["perf_switches", "process switches", "Switches of the process at which perf changed counters.", "perf_switches"],
    ["perf_yields", "CPUs that gave up counters", "CPUs on which perf left its counters to the PMCU.", "perf_yields"],
    ["claim_ns", "the PMCU waited", "How long the PMCU waited for these counters.", "perf_yields"],
    ["perf_throttled", "times throttled", "How often the kernel stopped an event because it interrupted too often.", "perf_throttled"],
]]);
