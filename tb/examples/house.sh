#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the house with all examples of docs/examples/ in it, for the tests of each: house.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
house=$1/house

# few EXAMPLE LINES ROWS: fewer lines, licences left out, and at most ROWS rows are promised.
few() {
    local lines rows
    lines=$(find "$1" -type f -print0 | xargs -0 cat | grep -vc SPDX-License-Identifier)
    rows=$(wc -l <"$1/rows.txt")
    echo "$1 has $lines lines, and joins $rows lists"
    if [[ $lines -ge $2 || $rows -gt $3 ]]; then
        echo "house.sh: fewer than $2 lines and at most $3 rows are expected" >&2
        exit 1
    fi
}
few docs/examples/unit 400 6
few docs/examples/format 300 2
few docs/examples/pmu 400 4
tools/join.sh "$house" docs/examples/unit docs/examples/format docs/examples/pmu
# As the project itself is built, so that ccache has what did not change.
cmake -S "$house" -B "$house/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCS_BENCH=OFF >/dev/null
cmake --build "$house/build" --target countersink test_tally
