#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts a program of three functions: instructions, cycles, branches, loads (r20), stores (r21).
perf stat record -o stat.data -e instructions:u,cycles:u,instructions,branches:u,r20:u,r21:u work || exit 1
put stat.data < stat.data
perf stat report -i stat.data 2>&1 | put stat.txt
