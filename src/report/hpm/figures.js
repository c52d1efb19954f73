// SPDX-License-Identifier: Apache-2.0
/* Those of harts. */

FIGURES.push([40, "Harts", [
    ["wrong_counts", "counts that are wrong", "Counts that are not what their counter counted, because of a fault or a bug."],
    ["hart_interrupts", "overflow interrupts", "Interrupts of counters that overflowed.", "hart_interrupts"],
    ["hart_spurious", "interrupts without overflow", "Interrupts for which no counter had overflowed.", "hart_interrupts"],
    ["hart_sse", "by software events", "Overflows that arrived as SBI supervisor software events.", "hart_sse"],
    ["hart_samples", "samples", "Samples that reached perf.", "hart_samples"],
    ["hart_lost", "samples lost", "Samples for which perf's buffer had no place.", "hart_samples"],
    ["hart_throttled", "times throttled", "How often the kernel stopped an event because it interrupted too often.", "hart_throttled"],
    ["skid_ns", "skid, mean", "From the overflow to the trap.", "hart_samples"],
    ["most_skid_ns", "skid, largest", "The longest way from an overflow to its trap.", "hart_samples"],
    ["same_pc", "samples at the very PC", "Samples whose PC is that of the overflow.", "hart_samples"],
    ["in_software", "of the kernel's software", "Samples that fell into the kernel's own sampling.", "in_software"],
    ["irqs_off", "overflows with interrupts off", "Overflows while interrupts were disabled.", "irqs_off"],
    ["irqs_off_there", "of them sampled there", "Such overflows whose sample shows where they happened.", "irqs_off"],
    ["period_error", "period error, mean", "How far what happened between two samples is from the period that the sample claims.", "hart_samples"],
    ["most_period_error", "period error, largest", "The same, of the worst sample.", "hart_samples"],
    ["sbi_calls", "SBI calls", "Calls of the firmware.", "sbi_calls"],
    ["sbi_errors", "SBI calls refused", "Calls of the firmware that it refused.", "sbi_calls"],
    ["guest_exits", "exits of the guest", "How often the guest left to its hypervisor.", "guest_exits"],
    ["guest_calls", "exits: SBI calls", "Exits of the guest for a call of the firmware.", "guest_exits"],
    ["guest_reads", "exits: reads", "Exits of the guest for a read of a counter.", "guest_exits"],
    ["guest_interrupts", "exits: interrupts", "Exits of the guest for an interrupt.", "guest_exits"],
    ["injections", "overflows injected", "Overflows that the hypervisor handed to the guest.", "guest_exits"],
    ["without_counter", "starts without a counter", "Events of the guest for which the hypervisor had no counter.", "without_counter"],
]]);

MISSED.push((s) => lostOf(s.hart_samples, s.hart_lost, "samples"));
