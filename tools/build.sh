#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds a preset of CMakePresets.json: tools/build.sh PRESET [TARGET...]
# What is up to date is left alone. CMAKE_BUILD_PARALLEL_LEVEL sets the number of jobs.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:?usage: tools/build.sh PRESET [TARGET...]}
shift

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
# Dies that are kept (CS_KEEP_DIES) go after a month.
find "${XDG_CACHE_HOME:-$HOME/.cache}/countersink/dies" -name 'die-*.so' -mtime +30 -delete 2>/dev/null || true
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
cmake --build --preset "$preset" ${1:+--target "$@"}
