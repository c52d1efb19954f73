// SPDX-License-Identifier: Apache-2.0
/* Those of uncore units. */

FIGURES.push([60, "Uncore units", [
    ["uncore_wrong", "wrong counts", "Counts of units that are not what their counters counted."],
    ["uncore_lost", "counts lost in handlers", "What units counted between a handler's read of a counter and its write.", "uncore_lost"],
    ["unit_moves", "units that moved", "How often the CPU that manages a unit went offline and another one took over.", "unit_moves"],
    ["unit_moves_ns", "not counting for that", "How long units stood still in these moves.", "unit_moves"],
    ["unit_opens_refused", "PMUs that could not be opened", "Units that no CPU managed when perf opened them.", "unit_opens_refused"],
]]);
