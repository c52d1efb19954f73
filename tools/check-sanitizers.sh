#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C code under ASan and UBSan, with every warning an error, in build-asan/, and its tests. Arguments go to
# ctest; .ci/run leaves out slow tests, .ci/nightly has all.
# The output of ctest goes to build-asan/ctest.log; it is shown when a test fails.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh asan
log=build-asan/ctest.log
if ! ctest --preset asan "$@" >"$log" 2>&1; then
    cat "$log" >&2
    echo "check-sanitizers: failed" >&2
    exit 1
fi
echo "check-sanitizers: $(grep -E 'tests passed' "$log")"
