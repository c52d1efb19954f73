#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs the first scenario. Called again, it does only what is not done yet.
set -euo pipefail
cd "$(dirname "$0")"

scenario=configs/pmcu/pmcu_demo.yaml
folder=runs/demo
printed=$folder/printed.txt
page=runs/demo.html

echo "demo 1/3: Debian packages that are missing (tools/packages.txt says which are needed)"
tools/setup.sh
echo "demo 2/3: building build/countersink (from nothing about a minute; again some seconds)"
preset="command"
if grep -qs '^CS_TESTS:[A-Z]*=ON' build/CMakeCache.txt; then
    preset=release # the tests that are configured there stay
fi
tools/build.sh "$preset" countersink
echo "demo 3/3: countersink run $scenario (a second)"

if [[ ! -e $printed || build/countersink -nt $printed || $scenario -nt $printed ]]; then
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    out=$(mktemp)
    trap 'rm -f "$out"' EXIT
    build/countersink run --output "$folder" "$scenario" | tee "$out"
    build/countersink report --replace -o "$page" "$folder" >/dev/null
    cp "$out" "$printed"
else
    cat "$printed"
    echo "(from before: nothing has changed since)"
fi

echo
echo "The scenario is $scenario; the samples, the truth and the summary are in $folder/:"
find "$folder" -type f ! -name printed.txt -printf '  %P (%s bytes)\n' | sort
cat <<EOF

The same as an interactive page, for a browser: $PWD/$page
docs/tutorial.md explains what you see, and goes on from there.

Next:
    build/countersink pmu -- perf stat -e cycles,instructions -- ls      # stock perf on a simulated PMU
    build/countersink new pmcu-sampling >runs/mine.yaml      # a scenario of your own, with comments
    build/countersink trace --format perf -o runs/perf.data configs/riscv/riscv_sample.yaml      # for perf report
    build/countersink compare configs/pmcu/pmcu_lockstep_basic.yaml      # RTL and model, cycle by cycle
EOF
