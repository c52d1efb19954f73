#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Breaks what rows of docs/claims.md claim, and sees that each of them notices.
#
#   tools/claims/break.sh [COMMAND]
#
# A row breaks by an option of its command, after which what it claims is no longer so
# (tools/claims/breaks.txt). COMMAND is build/countersink. Exit status: 0 all rows noticed, 1 not all.
set -euo pipefail
cd "$(dirname "$0")/../.."

exec python3 docs/examples/claims.py "${1:-build/countersink}" docs/claims.md --breaks tools/claims/breaks.txt
