#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generates what comes from src/regs/*.rdl and src/regs/nest_rows.txt; with --check it only
# tells what is not current.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/venv.sh
build/venv/bin/python tools/regs/generate.py "$@"
build/venv/bin/python tools/regs/nest_rows.py "$@"
