#!/usr/bin/env bash
# Builds the house with the tally of docs/examples/unit/ in it, and compares: unit.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
house=$1/house

tools/join.sh docs/examples/unit "$house"
lines=$(find docs/examples/unit -type f -print0 | xargs -0 cat | wc -l)
echo "the example has $lines lines, and joins $(wc -l <docs/examples/unit/rows.txt) lists"
if [[ $lines -ge 400 || $(wc -l <docs/examples/unit/rows.txt) -gt 6 ]]; then
    echo "unit.sh: fewer than 400 lines and at most 6 rows are expected" >&2
    exit 1
fi
cmake -S "$house" -B "$house/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCS_BENCH=OFF >/dev/null
cmake --build "$house/build" --target countersink test_tally
"$house/build/tb/tally/test_tally"
"$house/build/countersink" list --scenario | grep '^tally\.present'
compared=$("$house/build/countersink" compare --die-cache "$1/dies" "$house/configs/tally/tally_lockstep.yaml")
echo "$compared"
[[ $compared == EQUAL* ]]
