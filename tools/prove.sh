#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves properties of the RTL (tb/formal/proofs.txt) with Yosys and its ABC. What is proven is kept in
# build/proofs/ until its sources change.
#
#   tools/prove.sh --unit uncore             the modules of a unit
#   tools/prove.sh --unit uncore --faults    each property fails when its fault is put in
#   tools/prove.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."

exec python3 tools/prove/prove.py "$@"
