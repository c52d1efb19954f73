#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tree against the rules of tools/house.txt: which folder includes which, how long files are,
# how full folders, and how many files name a unit outside its own places. Each figure is printed;
# one that is above its limit names the files. Exit status: 0 good, 1 not, 2 bad rules.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 tools/check_house.py "$@"
