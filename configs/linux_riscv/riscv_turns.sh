#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# More events than counters: they take turns, and perf scales.
events=instructions:u,cycles:u,branches:u,r20:u,r21:u,r22:u,r23:u,r26:u,r20:k
perf stat record -o turns.data -e $events work || exit 1
put turns.data < turns.data
perf stat -x, -o turns.csv -e $events work || exit 1
put turns.csv < turns.csv
