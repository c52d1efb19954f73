#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes build/npm with the npm packages of tools/npm/tests.lock, unpacked, once for each state of that
# file. Needs Debian's npm (tools/setup.sh all).
set -euo pipefail
cd "$(dirname "$0")/../.."

lock=tools/npm/tests.lock
made=build/npm
if cmp -s "$lock" "$made/tests.lock"; then
    exit 0
fi
rm -rf "$made"
mkdir -p "$made"
tools/npm/unpack.sh "$lock" "$made"
cp "$lock" "$made/tests.lock"
