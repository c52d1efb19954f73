#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts what a sort misses in caches and TLBs, and samples its misses.
seq 1000 > numbers
perf stat -x, -o stat.csv -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores \
    -e L1-dcache-store-misses,L1-icache-load-misses,dTLB-load-misses,iTLB-load-misses \
    sort -r -o sorted numbers || exit 1
put stat.csv < stat.csv
perf stat record -o stat.data -e instructions:u,cache-references:u,cache-misses:u,L1-icache-loads:u \
    -e L1-icache-load-misses:u,dTLB-loads:u,dTLB-load-misses:u,iTLB-load-misses:u \
    sort -r -o sorted numbers || exit 1
put stat.data < stat.data
perf record -q -c 29 -e cache-misses:u -o misses.data sort -r -o sorted numbers || exit 1
put misses.data < misses.data
perf report --stdio -i misses.data 2>&1 | put report.txt
perf record -q -c 53 -e dTLB-load-misses -e iTLB-load-misses:u -o tlbs.data sort -r -o sorted numbers || exit 1
put tlbs.data < tlbs.data
