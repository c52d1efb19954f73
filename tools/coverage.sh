#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the lockstep scenarios and reports what they reach (docs/verification.md, "Coverage"): the
# points that docs/hw/points/ declares, all of which are required.
#
#   tools/coverage.sh                       declared points, some seconds
#   tools/coverage.sh --code                with lines and bits of the RTL, and lines of the models
#   tools/coverage.sh --code --die harts    likewise, what one die holds
#   tools/coverage.sh --help
#
# build/coverage/ gets report.txt, report.json and report.html. Needs a release build.
set -euo pipefail
cd "$(dirname "$0")/.."

exec python3 tools/coverage/coverage.py "$@"
