#!/usr/bin/env bash
# Sets up, builds and runs the first scenario. Called again, it does only what is not done yet.
set -euo pipefail
cd "$(dirname "$0")"

scenario=configs/pmcu/pmcu_demo.yaml
folder=runs/demo
printed=$folder/printed.txt

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
    cp "$out" "$printed"
else
    cat "$printed"
    echo "(from before: nothing has changed since)"
fi

echo
echo "The scenario is $scenario; the samples, the truth and the summary are in $folder/:"
find "$folder" -type f ! -name printed.txt -printf '  %P (%s bytes)\n' | sort
echo "Next: build/countersink report -o demo.html $folder makes a page of it for a browser;"
echo "build/countersink --help, and README.md."
