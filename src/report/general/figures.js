// SPDX-License-Identifier: Apache-2.0
/* What every run has. */

FIGURES.push([0, "The run", [
    ["ended", "ended", "Why the simulation ended."],
    ["simulated_ns", "simulated", "How much time passed in the simulated machine."],
    ["clock_mhz", "bus clock", "One bus cycle is the unit of time of the whole simulation."],
    ["seed", "seed", "All that is random follows from it: the same seed gives the same run."],
]]);

FIGURES.push([90, "What it cost", [
    ["software_ns", "CPU time of software", "Time that CPUs spent in handlers, drivers, firmware and perf instead of their workload, all CPUs together."],
    ["software_fraction", "share of one CPU", "The same as a part of the time of one CPU."],
    ["refill_ns", "of it, to refill caches", "Time that workloads lost because handlers displaced their cache lines.", "refill_ns"],
    ["kernel_ns", "in the driver", "CPU time in the kernel's driver.", "kernel_ns"],
    ["firmware_ns", "in the firmware", "CPU time in the firmware.", "firmware_ns"],
    ["guest_ns", "in the guest's driver", "CPU time in the driver of a guest.", "guest_ns"],
    ["bus_transactions", "bus transactions", "Transfers of all managers on the bus."],
    ["bus_busy", "bus paths busy", "Part of the time in which a transfer held a path of the bus."],
]]);
