// SPDX-License-Identifier: Apache-2.0
/* The PMCU's figures. */

FIGURES.push([10, "The PMCU", [
    ["cpus", "CPUs that counted", "CPUs that the PMCU started and read."],
    ["triggers", "triggers", "How often the driver started a series of subsamples."],
    ["interrupts", "interrupts", "Interrupts of the PMCU that the driver took."],
    ["driver_spurious", "interrupts without a cause", "Interrupts for which the driver found nothing to do.", "driver_spurious"],
    ["samples", "subsamples committed", "Subsamples that are in memory in whole. A sample has one per group of events."],
    ["sample_bytes", "bytes of samples", "What the PMCU wrote into memory."],
    ["aux_bytes", "bytes handed to perf", "What the driver handed on, headers included."],
    ["perf_ns", "copied by perf", "CPU time in which perf copied samples into its file.", "perf_ns"],
    ["driver_moves", "driver moved", "How often the driver went to another CPU, because its own went offline.", "driver_moves"],
]]);

FIGURES.push([11, "How well it counted", [
    ["blind_ns", "blind time", "Time from the first start to the last stop in which a CPU did not count, mean of all CPUs."],
    ["blind_fraction", "blind", "The same as a part of the time from the first start to the last stop."],
    ["start_skew_ns", "start skew, largest", "From the first CPU to the last one that begins a window of the same subsample."],
    ["stop_skew_ns", "stop skew, largest", "From the first CPU to the last one that ends a window of the same subsample."],
    ["window_excess", "windows beyond the period", "By how much windows are longer than the period asked for, mean. A reader who assumes the period overestimates by as much."],
    ["failed_slots", "slots that failed", "Slots of which no counter could be read: the core was off, locked, absent, or a transfer failed."],
    ["off_slots", "failed: off or locked", "Failed slots whose core was off or locked.", "failed_slots"],
    ["lost_slots", "failed without a mark", "Failed slots that the file does not mark as failed.", "failed_slots"],
    ["wrong_values", "values not the truth", "Values in memory that are not what the core did in its window."],
    ["aux_truncated", "buffers all full", "How often all buffers were full, so that sampling stopped.", "aux_truncated"],
    ["aux_full_ns", "not sampling for that", "Time in which sampling stood still because all buffers were full.", "aux_truncated"],
    ["samples_lost", "samples not taken", "Samples that were due while all buffers were full.", "aux_truncated"],
    ["pmcu_wrong", "readings disturbed", "Readings of the PMCU that another owner of the counters spoiled.", "pmcu_wrong"],
]]);

MISSED.push((s) => s.cpus > 0 && {value: percent(s.blind_fraction, 3), name: "of the time not counted (blind)",
    more: `${time(s.blind_ns / 1000, undefined, 3)} per CPU`});
