#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the slowest build steps and tests of the last run, and tests whose cost does not fit their tier
# (CONTRIBUTING.md, "Tiers"): tools/slowest.sh [-n ROWS] [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."

rows=15
if [[ ${1:-} == -n && ${2:-} =~ ^[0-9]+$ ]]; then
    rows=$2
    shift 2
fi
build=${1:-build}
if [[ $# -gt 1 || ! -d $build ]]; then
    sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

# Ninja's log has a row for each step: begin and end in ms, a time, what was made, a hash. A run's ends
# increase, so the last run begins after the last end that is smaller than the one before. A step that
# makes several things has several rows.
if [[ -r $build/.ninja_log ]]; then
    awk -F '\t' '!/^#/ {
            if ($2 < last) { split("", steps); split("", names) }
            last = $2
            steps[$1 " " $2 " " $5] = ($2 - $1) / 1000
            names[$1 " " $2 " " $5] = $4
        }
        END { for (step in steps) { sum += steps[step]; printf "%9.1f s  %s\n", steps[step], names[step] }
              printf "%9.1f s  all %d steps of the last build\n", sum, length(steps) }' \
        "$build/.ninja_log" | sort -rn | sed -n "s|$PWD/||;1,$((rows + 1))p"
fi

# test.sh has CTest write tests.xml, with a line for each test of the last run, and what it printed.
if [[ -r $build/tests.xml ]]; then
    slow=$(mktemp)
    trap 'rm -f "$slow"' EXIT
    ctest --test-dir "$build" --show-only --label-regex slow | sed -n 's/^ *Test *#[0-9]*: //p' >"$slow"
    echo
    awk -v slow="$slow" '
        BEGIN { while ((getline name <slow) > 0) is_slow[name] = 1 }
        /<testcase name=/ { split($0, part, "\""); sum[part[2] in is_slow] += part[6]; nr[part[2] in is_slow]++
            why = part[2] in is_slow ? "slow" : part[6] > 5 ? "quick, but takes more than 5 s: make it slow" : "quick"
            printf "%9.1f s  %s (%s)\n", part[6], part[2], why }
        END { printf "%9.1f s  all %d tests of the last run, %.1f s the %d quick ones among them\n",
                  sum[0] + sum[1], nr[0] + nr[1], sum[0], nr[0] }' "$build/tests.xml" |
        sort -rn | sed -n "1,$((rows + 1))p"
fi
