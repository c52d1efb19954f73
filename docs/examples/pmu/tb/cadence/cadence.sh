#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# perf of the distribution on a cadence; what it prints and records against the truth: cadence.sh COUNTERSINK
set -euo pipefail
machine=$(cd "$(dirname "$0")/../.." && pwd)/configs/pmu/cadence.yaml
command=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# agrees FILE PERF...: what this perf command writes into FILE is what happened.
agrees() {
    local file=$1 checked
    shift
    "$command" pmu --truth "$file.sqlite" "$machine" -- perf "$@" -- ls -R /usr/lib >/dev/null 2>perf.txt
    checked=$("$command" check --truth "$file.sqlite" "$file")
    echo "$checked"
    [[ $checked == *agrees* && $checked != *"cannot say"* ]]
}

agrees stat.csv stat -x, -o stat.csv -e cycles,cadence/loads/,instructions:u
[[ $(grep -c ',100.00,' stat.csv) -eq 3 ]]
agrees turns.csv stat -x, -o turns.csv -e cycles,instructions,branches,cadence/loads/,cadence/stores/
[[ $(grep -c ',100.00,' turns.csv) -lt 3 ]] # five events take turns on three counters
agrees perf.data record -o perf.data -c 100000 -e cadence/loads/
[[ $(perf script -i perf.data 2>/dev/null | wc -l) -gt 10 ]]
