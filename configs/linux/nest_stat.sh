#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts what the chip's memory controller does, while a file in memory is copied.
events=nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/,nest_mcs01_imc/PM_MCS01_128B_WR_DISP_PORT01/
events=$events,nest_powerbus0_imc/PM_PB_CYC/
dd if=/dev/zero of=/tmp/from bs=1M count=32 2> /dev/null
echo "for i in \$(seq 40); do cp /tmp/from /tmp/to; done" > copy.sh
perf stat record -a --per-socket -e "$events" -I 100 -o nest.data \
    sh copy.sh > nest.txt 2>&1 || { cat nest.txt; exit 1; }
put nest.data < nest.data
put nest.txt < nest.txt
