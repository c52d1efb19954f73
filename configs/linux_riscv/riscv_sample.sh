#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples a program of three functions by its instructions.
perf record -q -c 10007 -e instructions:u -o perf.data work || exit 1
put perf.data < perf.data
perf report --stdio -i perf.data 2>/dev/null | put report.txt
