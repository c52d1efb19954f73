#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts faults into a copy of the RTL, one at a time, and tells which of them random scenarios find, and
# how soon (docs/verification.md, "Random scenarios").
#
#   tools/faults.sh                        all faults of tools/faults/faults.txt
#   tools/faults.sh --unit hpm --time 20   those of a unit, 20 seconds each
#   tools/faults.sh --help
#
# Exit status: 0 all were found, 1 not all, 2 it could not be tried. Needs a release build.
set -euo pipefail
cd "$(dirname "$0")/.."

exec python3 tools/faults/faults.py "$@"
