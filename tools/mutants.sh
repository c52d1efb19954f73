#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes small faults in the sources, in a copy of the tree, and tells which tests notice them
# (docs/verification.md, "Mutants"). Nothing of the project is changed. What was tried is kept in
# build/mutants/: a run that was interrupted goes on.
#
#   tools/mutants.sh --unit uncore --sample 100        a hundred of each kind of source
#   tools/mutants.sh --unit uncore --report            what is known
#   tools/mutants.sh --help
set -euo pipefail
cd "$(dirname "$0")/.."

tools/venv.sh
exec build/venv/bin/python tools/mutants/mutants.py "$@"
