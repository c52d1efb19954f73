#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts what a program misses in caches and TLBs, and samples its misses.
perf stat -x, -o stat.csv -e L1-dcache-loads:u,L1-dcache-load-misses:u,L1-dcache-stores:u \
    -e L1-dcache-store-misses:u,L1-icache-load-misses:u,dTLB-load-misses:u,iTLB-load-misses:u work || exit 1
put stat.csv < stat.csv
perf stat record -o stat.data -e instructions,cache-references,cache-misses,L1-icache-loads \
    -e L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-load-misses work || exit 1
put stat.data < stat.data
perf record -q -c 53 -e dTLB-load-misses -e iTLB-load-misses:u -o tlbs.data work || exit 1
put tlbs.data < tlbs.data
perf record -q -c 101 -e cache-misses:u -o misses.data work || exit 1
put misses.data < misses.data
perf report --stdio -i misses.data 2>&1 | put report.txt
