#!/usr/bin/env bash
# Compares all lockstep scenarios, and requires that they reach every point that docs/hw/points/
# declares (docs/verification.md, "Coverage").
#   tools/coverage.sh [-j N] [-o FOLDER] [COMMAND]
# FOLDER (build/coverage) gets points, report.txt, report.json and report.html. Exit status: 0 all
# points were reached, 1 not all, or a comparison differs.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
folder=build/coverage
while getopts j:o: option; do
    case $option in
        j) jobs=$OPTARG ;;
        o) folder=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
command=${1:-build/countersink}

mkdir -p "$folder"
rm -f "$folder/points"
status=0
# The variables are the inner shell's.
# shellcheck disable=SC2016
find configs -name '*_lockstep_*.yaml' | sort | xargs -P "$jobs" -I{} sh -c '
        "$1" compare --coverage "$2/points" "$3" > "$2/$(basename "$3").txt" 2>&1 ||
        { echo "$3:"; cat "$2/$(basename "$3").txt"; exit 1; }' - "$command" "$folder" {} || status=1
for format in text json html; do
    "$command" coverage --format "$format" "$folder/points" > "$folder/report.${format/text/txt}"
done
"$command" coverage --require "$folder/points" > /dev/null || status=1
grep -E '^(all|[a-z]+ \()|not reached|only:' "$folder/report.txt"
exit $status
