#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts what core 0 does, every half second, while a program works.
events=core_imc/CPM_CCYC/,core_imc/CPM_INST/,core_imc/CPM_CS_INST_USER/
events=$events,core_imc/CPM_CS_INST_KERNEL/,core_imc/CPM_CS_FROM_MEM_LDATA/
perf stat record -e "$events" -C 0 -I 500 -o stat.data work > stat.txt 2>&1 || { cat stat.txt; exit 1; }
put stat.data < stat.data
put stat.txt < stat.txt
