#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes the readers, the scenario loader and `check`: tools/fuzz.sh [TARGET|all] [SECONDS] [SEED]
#
# Each target runs for so long (default: all, 20 seconds each), one on each processor at a time. The
# first inputs are made of our own scenarios (tb/fuzz/corpus.py). What is found on the way stays in
# build-fuzz/corpus/, and an input that breaks something is build-fuzz/found/TARGET-*. To see it again:
#
#   tools/fuzz.sh TARGET INPUT
#
# With a SEED the inputs are the same each time, as far as time allows: what a change is held to must
# not depend on luck. Without one they are new each time.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-all}
seconds=${2:-20}
export FUZZ_SEED=${3:-0}
made=$PWD/build-fuzz/made
found=$PWD/build-fuzz/found
program=$PWD/build-fuzz/tb/fuzz/cs_fuzz

CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL
# Its words only when it fails.
quietly() {
    local said
    said=$("$@" 2>&1) || {
        printf '%s\n' "$said" >&2
        return 1
    }
}
quietly tools/build.sh release countersink
quietly tools/build.sh fuzz cs_fuzz
python3 tb/fuzz/corpus.py build/countersink . "$made"
mkdir -p "$found"

export FUZZ_MADE=$made FUZZ_CONFIGS=$PWD/configs
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$PWD/tb/fuzz/leaks.txt:print_suppressions=0

if [[ -f $seconds ]]; then
    FUZZ_TARGET=$target exec "$program" "$seconds"
fi

fuzz_one() {
    local target=$1 seconds=$2 made=$3 found=$4 program=$5
    local own=build-fuzz/corpus/$target log=build-fuzz/$target.log
    mkdir -p "$own" "$made/corpus/$target"
    if ! FUZZ_TARGET=$target "$program" -seed="$FUZZ_SEED" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -artifact_prefix="$found/$target-" -close_fd_mask=1 \
        "$own" "$made/corpus/$target" >"$log" 2>&1; then
        grep -vE '^#[0-9]+[[:space:]]' "$log" | tail -n 60 >&2
        echo "fuzz: $target: FAILED (build-fuzz/$target.log)" >&2
        return 1
    fi
    echo "fuzz: $target: $(grep -E '^Done' "$log" | head -n 1)"
}
export -f fuzz_one

if [[ $target == all ]]; then
    targets=$(FUZZ_TARGET=list "$program")
else
    targets=$target
fi
xargs -P "$(nproc)" -I{} bash -c 'fuzz_one "$@"' _ {} "$seconds" "$made" "$found" "$program" \
    <<<"$targets"
