#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Uses the installed package in an empty folder, as tools/clean-room.sh --deb does: try-package.sh [--dies]
# With --dies also what needs Verilator.
set -eu

shared=/usr/share/countersink
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

countersink -V
countersink run -o run "$shared/configs/pmcu/pmcu_lockstep_basic.yaml" | grep -q 'files: run'
countersink decode run/samples.aux >decoded.txt
test -s decoded.txt
countersink report -o page.html run
grep -q 'Apache License' page.html
countersink trace --format perf -o out.data "$shared/configs/riscv/riscv_sample.yaml"
countersink check out.data
countersink compare "$shared/configs/pmcu/pmcu_lockstep_basic.yaml"
zcat /usr/share/man/man1/countersink-run.1.gz | grep -q 'Nm countersink-run'
if [ "${1:-}" = --dies ]; then
    countersink compare --exact-die --die-cache cache "$shared/configs/riscv/riscv_lockstep_count.yaml"
    test -n "$(find cache -name '*.so')"
fi
echo "the package works"
