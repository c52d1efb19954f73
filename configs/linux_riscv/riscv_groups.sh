#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# Groups: two that fit beside each other, then four of three events, which take turns.
two='{instructions:u,r20:u},{cycles:u,r21:u}'
four='{r20:u,r21:u,branches:u},{r20:k,r21:k,branches:k},{r22:u,r23:u,r24:u},{r25:u,r26:u,r27:u}'
perf stat record -o groups.data -e "$two" work || exit 1
put groups.data < groups.data
perf stat -x, -o groups.csv -e "$two" work || exit 1
put groups.csv < groups.csv
perf stat record -o turns.data -e "$four" work || exit 1
put turns.data < turns.data
perf stat report -i turns.data 2>&1 | put turns.txt
