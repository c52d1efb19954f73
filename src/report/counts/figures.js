// SPDX-License-Identifier: Apache-2.0
/* Those of events that take turns, whoever's they are. */

FIGURES.push([50, "Counting in turns", [
    ["rotated_events", "events in turns", "Events that shared counters with others.", "rotated_events"],
    ["never_counted", "never counted", "Events that never had a counter.", "rotated_events"],
    ["pinned_in_error", "pinned, in error", "Pinned events that found no counter.", "rotated_events"],
    ["least_share", "time on a counter, least", "Of the event that was counted the shortest time.", "rotated_events"],
    ["most_share", "time on a counter, most", "Of the event that was counted the longest time.", "rotated_events"],
    ["jain", "fairness (Jain)", "1 where all events were counted equally long.", "rotated_events"],
    ["mean_error", "error of estimates, mean", "|estimate / truth - 1|, over all estimates.", "rotated_events"],
    ["most_error", "error of estimates, largest", "The same, of the worst estimate.", "rotated_events"],
    ["ticks", "ticks", "Timer ticks in which events could take turns.", "rotated_events"],
    ["rotations", "rotations", "Ticks in which events did take turns.", "rotated_events"],
    ["late_ticks", "late ticks", "Ticks that came late and were merged.", "late_ticks"],
    ["rotating_ns", "CPU time for it", "CPU time that the turns took.", "rotated_events"],
    ["register_accesses", "register accesses", "Accesses to counters' registers.", "rotated_events"],
    ["rotating_bus_ns", "waiting for the bus", "Time in which these accesses were under way.", "rotating_bus_ns"],
    ["rotating_interrupts", "interrupts of counters", "Interrupts of counters that overflowed.", "rotating_interrupts"],
    ["overdue_reads", "overdue reads", "Counters that were read after they could have wrapped.", "overdue_reads"],
    ["failed_accesses", "failed accesses", "Accesses to registers that ended in an error.", "failed_accesses"],
]]);

MISSED.push((s) => s.rotated_events > 0 && {value: percent(s.least_share, 3), name: "of the time on a counter, at least",
    more: `${exact(s.rotated_events)} events took turns`});
