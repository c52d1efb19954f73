#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# The same program under perf, by the core's own counters and by trace mode: how many interrupts?
told() { echo "$1: $(grep PMI: /proc/interrupts)" >> interrupts.txt; }
told "before                                        "
perf record -q -c 100000 -e cycles -o pmu.data work > said.txt 2>&1 || { cat said.txt; exit 1; }
told "after perf record -e cycles                   "
perf record -q -c 1 -e trace_imc/trace_cycles/ -o perf.data work || exit 1
told "after perf record -e trace_imc/trace_cycles/  "
put interrupts.txt < interrupts.txt
put perf.data < perf.data
