#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples a program in trace mode, and says by the guest's own clock how long it takes.
perf record -q -c 1 -e trace_imc/trace_cycles/ -o perf.data work || exit 1
put perf.data < perf.data
perf report --stdio -i perf.data 2>/dev/null | put report.txt
perf stat -x ' ' -e task-clock -o time.txt work || exit 1
put time.txt < time.txt
