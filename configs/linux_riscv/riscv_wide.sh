#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples all harts while two programs run, and counts more events than there are counters.
perf record -q -a -c 20011 -e instructions -o perf.data sh -c 'work & work & wait' || exit 1
put perf.data < perf.data
perf report --stdio --sort cpu,sym -i perf.data 2>/dev/null | put report.txt
perf stat record -o stat.data -e instructions:u,cycles:u,branches:u,r20:u,r21:u,r22:u,r23:u work || exit 1
put stat.data < stat.data
perf stat report -i stat.data 2>&1 | put stat.txt
