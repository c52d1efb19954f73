#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts the whole system while two programs run: all CPUs added up, each, and every 20 ms.
events=instructions:u,cycles,r20:u
perf stat record -a -o wide.data -e $events sh -c 'work & work & wait' || exit 1
put wide.data < wide.data
perf stat -a -x, -o wide.csv -e $events sh -c 'work & work & wait' || exit 1
put wide.csv < wide.csv
perf stat -a -A -x, -o cpus.csv -e $events sh -c 'work & work & wait' || exit 1
put cpus.csv < cpus.csv
perf stat -a -x, -I 20 -o every.csv -e $events sh -c 'work & work & wait' || exit 1
put every.csv < every.csv
