#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples all that runs, on all CPUs: busybox's own commands, a pipe, and a program of ours.
perf record -q -a -c 1 -e trace_imc/trace_cycles/ -o perf.data sh -c '
    work &
    seq 1500 | sort -r | md5sum
    wait' || exit 1
put perf.data < perf.data
perf report --stdio --sort comm,dso -i perf.data 2>/dev/null | put report.txt
