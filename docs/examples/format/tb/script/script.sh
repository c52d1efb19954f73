#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traces as `script`, reads it back, and compares with the samples of `csv`: script.sh COUNTERSINK
set -euo pipefail
countersink=$(realpath "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for scenario in imc/imc_trace riscv/riscv_sample; do
    t=$work/${scenario#*/}
    for format in script csv; do
        "$countersink" trace --format "$format" -o "$t.$format" "configs/$scenario.yaml" >/dev/null
    done
    "$countersink" decode --format csv "$t.script" >"$work/found"
    awk -F, -v OFS=, '{ print $1, $3, $4, $6, $7, $2 }' "$t.csv" | cmp - "$work/found"
    echo "$scenario: $(wc -l <"$work/found") lines"
done
# fails LINE WORDS: `decode` of the file with that line spoilt says so.
fails() {
    sed "$1s/.*/2001 [000] 0.1: 5 cycles: 10/" "$t.script" >"$work/bad"
    if "$countersink" decode --as script "$work/bad" >/dev/null 2>"$work/said"; then exit 1; fi
    grep -F "bad:$1:1: expected '$2" "$work/said"
}
fails 1 '# perf script'
fails 3 'PID [CPU]'
"$countersink" damage --kind drop --as script -o "$work/less" "$t.script" | grep "^drop .* record"
"$countersink" decode --help | grep '^ *script '
"$countersink" trace --formats | grep '^ *script '
