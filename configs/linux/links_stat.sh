#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# Which IMC events this system has, as the kernel shows them: PMU, event, value, scale, unit. Then perf
# counts what the chip's links and its memory controllers do, while nobody works.
first() { [ ! -e "$1" ] || cat "$1"; }
for pmu in /sys/bus/event_source/devices/*_imc; do
    for event in "$pmu"/events/*; do
        case $event in
            *.scale | *.unit | *.snapshot | *.per-pkg) ;;
            *) echo "${pmu##*/},${event##*/},$(cat "$event"),$(first "$event.scale"),$(first "$event.unit")" ;;
        esac
    done
done > catalog.txt
put catalog.txt < catalog.txt

events=nest_xlink0_imc/PM_XLINK0_OUT_ODD_DATA/,nest_xlink2_imc/PM_XLINK2_OUT_ODD_DATA/
events=$events,nest_mba0_imc/PM_MBA0_READ_BYTES/,nest_phb1_imc/PM_PHB1_DMA_RD/
events=$events,nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/
perf stat record -a --per-socket -e "$events" -I 100 -o links.data sleep 1 > links.txt 2>&1 ||
    { cat links.txt; exit 1; }
put links.data < links.data
put links.txt < links.txt
