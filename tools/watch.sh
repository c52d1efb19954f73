#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs lockstep scenarios on RTL that watches its own properties (tb/formal/), and what their proofs
# assume.
#
#   tools/watch.sh --die small --die harts
#   tools/watch.sh --die uncore --fault uncore_counter.no_lost_increment
#   tools/watch.sh --help
#
# Needs a release build (tools/build.sh release).
set -euo pipefail
cd "$(dirname "$0")/.."

exec python3 tools/prove/watch.py "$@"
