// SPDX-License-Identifier: Apache-2.0
/* Those of POWER's IMC, and of its nest. */

FIGURES.push([30, "Trace records", [
    ["imc_records", "records written", "Records that the hardware wrote into memory.", "imc_records"],
    ["imc_lost", "samples lost by hardware", "Samples for which the hardware had no place.", "imc_records"],
    ["imc_failed", "failed writes", "Records whose transfer ended in an error.", "imc_records"],
    ["imc_wrong", "records with a wrong PC", "Records whose PC is not where the thread was.", "imc_records"],
    ["dumps", "scans of buffers", "How often perf looked through the buffers of trace records.", "dumps"],
]]);

FIGURES.push([31, "Windows in memory", [
    ["imc_windows", "windows counted", "Windows that IMC hardware counted and posted.", "imc_windows"],
    ["imc_windows_lost", "windows lost", "Windows that the hardware did not post.", "imc_windows"],
    ["imc_posts_failed", "posts that failed", "Posts whose transfer ended in an error.", "imc_windows"],
    ["nest_postings", "nest postings", "How often a nest unit wrote its counters into memory.", "nest_postings"],
]]);

FIGURES.push([32, "perf on POWER", [
    ["pmi", "interrupts (PMI)", "Performance monitor interrupts.", "pmi"],
    ["handler_ns", "in interrupt handlers", "CPU time in their handlers.", "pmi"],
    ["perf_samples", "samples in perf", "Samples that reached perf.", "perf_samples"],
    ["perf_lost", "samples not in perf", "Samples that were made and did not reach perf.", "perf_samples"],
    ["perf_ticks", "ticks", "Timer ticks in which perf looked at its events.", "perf_ticks"],
    ["perf_tick_ns", "CPU time in ticks", "CPU time that these ticks took.", "perf_ticks"],
    ["imc_switches", "switches with events", "Process switches at which events were changed.", "imc_switches"],
    ["imc_swaps", "switches within a command", "Switches between processes of one command, whose events stayed.", "imc_switches"],
    ["imc_waits", "waits for another CPU", "How often a CPU waited for another one at a switch.", "imc_waits"],
    ["imc_waited_ns", "waited for processes", "How long CPUs waited at switches.", "imc_waits"],
    ["opal_calls", "OPAL calls", "Calls of the firmware.", "opal_calls"],
    ["opal_errors", "OPAL calls that failed", "Calls of the firmware that it refused.", "opal_calls"],
    ["read_errors", "reads that failed", "Reads of counters that failed.", "opal_calls"],
    ["software_late_ns", "latest turn of a CPU", "The longest wait of a CPU for its turn at the one port of software.", "software_late_ns"],
]]);

MISSED.push((s) => lostOf(s.perf_samples, s.perf_lost, "samples"),
    (s) => s.nest_postings > 0 && {value: exact(s.nest_postings), name: "nest postings", more: ""});
