#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds two builds of countersink against each other: nothing that a user sees may differ.
#
#   tools/compare-builds.sh [OPTION]... OLD NEW
#
#   OLD, NEW        build folders (with the command countersink); beside each of them, in the
#                   folder above, are its configs/, tb/scenarios/ and traces/
#   --old-tree DIR  where those of OLD are, if not above it; also --new-tree
#   --rules FILE    names that may have changed: lines of `FILES s/OLD/NEW/`, where FILES says
#                   in which files, as scenario.yaml or *.json (printed output: *.out, *.err).
#                   It is what OLD says that is rewritten; with = before FILES, what both say, as
#                   `=scenario.yaml s/^#.*\n//` (comments). `format OLD NEW`: a format that has
#                   another name now. Nothing else may differ.
#   --only PART,..  run, trace, golden, list, compare, cost (default: all)
#   --match REGEX   only jobs whose title has it
#   --jobs N        at once (default: one a processor)
#   --keep DIR      where the files of both are made, and stay when they differ
#
# run      every scenario of configs/ and tb/scenarios/: the whole run folder and what is printed
# trace    every format and flavour of every scenario, then `decode` and `check` of it; what
#          takes long is cut as tools/compare_builds/cuts.txt says
# golden   the traces of traces/, made anew, decoded, checked and damaged
# list     what `list` prints
# compare  every lockstep scenario: equal, with the same cycles and records
# cost     instructions of three runs, by callgrind (valgrind): at most 1 % more
#
# Exit status: 0 the same, 1 something differs, 2 bad use.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
    "" | -h | --help)
        sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"
        [[ $# -gt 0 ]] || exit 2
        exit 0
        ;;
esac
exec python3 "$here/compare_builds" "$@"
