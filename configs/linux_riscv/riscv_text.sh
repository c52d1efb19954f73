#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf prints counts for programs: as CSV, as JSON, at the end and every 5 ms.
events=instructions:u,cycles:u,instructions,branches:u,r20:u,r21:u,r20:k
perf stat -x, -o stat.csv -e $events work || exit 1
put stat.csv < stat.csv
perf stat -j -o stat.json -e $events work || exit 1
put stat.json < stat.json
perf stat -x, -I 5 -o every.csv -e $events work || exit 1
put every.csv < every.csv
perf stat -j -I 5 -o every.json -e $events work || exit 1
put every.json < every.json
