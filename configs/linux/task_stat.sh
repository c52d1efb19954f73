#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf counts what one task does: first it is alone, then another works on the same CPU.
events=thread_imc/CPM_CS_INST_USER/,thread_imc/CPM_CS_PCYC_USER/,thread_imc/CPM_CS_32MHZ_CYC_USER/
count() { # NAME
    perf stat record -e "$events" -o "$1.data" work > "$1.txt" 2>&1 || { cat "$1.txt"; exit 1; }
    put "$1.data" < "$1.data"
    put "$1.txt" < "$1.txt"
}
count alone
yes > /dev/null &
count beside
