#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# Two cores of two threads: a program on each CPU, under core mode, thread mode and trace mode.
cat > each.sh <<'X'
for cpu in 0 1 2 3; do taskset -c $cpu work & done
wait
X
events=core_imc/CPM_INST/,core_imc/CPM_CS_INST_USER/
perf stat record -a -e "$events" -o core.data sh each.sh > core.txt 2>&1 || { cat core.txt; exit 1; }
put core.data < core.data
perf stat report -A -i core.data 2>&1 | put core.txt

perf stat record -e thread_imc/CPM_CS_INST_USER/ -o task.data taskset -c 3 work > task.txt 2>&1 ||
    { cat task.txt; exit 1; }
put task.data < task.data
put task.txt < task.txt

perf record -q --sample-cpu -c 1 -e trace_imc/trace_cycles/ -o perf.data sh each.sh || exit 1
put perf.data < perf.data
perf report --stdio --sort cpu,symbol -i perf.data 2>/dev/null | put report.txt
