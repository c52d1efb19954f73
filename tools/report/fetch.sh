#!/usr/bin/env bash
# Fetches the plotting library that `countersink report` puts into its pages: Apache ECharts.
#
#   tools/setup.sh report [--cache DIR] [--files DIR] [--lock FILE]
#
#   --cache DIR    where it goes (default: report/ in $COUNTERSINK_CACHE, else ~/.cache/countersink)
#   --files DIR    takes the tarballs NAME-VERSION.tgz from there, for machines without a network
#   --lock FILE    what to fetch (default: tools/report/packages.lock)
#
# tools/npm/unpack.sh fetches. What is there, in whole, is not fetched again.
# Needs 13 MB to be fetched, keeps 1.2 MB. Exit status: 0 all is there, 2 bad use, 3 it is not.
set -euo pipefail

base=${COUNTERSINK_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/countersink}
cache=$base/report
lock=$(dirname "$0")/packages.lock
files=
while [[ $# -gt 0 ]]; do
    case $1 in
        --cache | --files | --lock)
            [[ $# -ge 2 ]] || { echo "setup report: $1 needs a value" >&2; exit 2; } ;;&
        --cache) cache=$2 ;;
        --files) files=$2 ;;
        --lock) lock=$2 ;;
        *)
            sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
            exit 2
            ;;
    esac
    shift 2
done

fail() {
    echo "setup report: $1" >&2
    exit 3
}

[[ -r $lock ]] || fail "$lock: cannot be read"
if cmp -s "$lock" "$cache/packages.lock"; then
    exit 0
fi
mkdir -p "$cache" || fail "$cache: cannot be made"
new=$(mktemp -d "$cache/new.XXXXXX") || fail "$cache: cannot be written to"
trap 'rm -rf "$new"' EXIT

if ! "$(dirname "$0")/../npm/unpack.sh" "$lock" "$new" "$files" 2>"$new/why"; then
    fail "$(<"$new/why")"
fi

# The first holds the code; licences are those of all.
: >"$new/licences.txt"
while read -r name version _; do
    for text in NOTICE LICENSE licenses/LICENSE-d3; do
        if [[ -f $new/$name/$text ]]; then
            {
                printf '==== %s %s: %s ====\n\n' "$name" "$version" "$text"
                cat "$new/$name/$text"
                echo
            } >>"$new/licences.txt"
        fi
    done
done < <(grep -v '^#' "$lock")
cp "$new/echarts/dist/echarts.min.js" "$new/echarts.min.js"

rm -f "$cache/packages.lock"
mv "$new/echarts.min.js" "$new/licences.txt" "$cache/"
cp "$lock" "$new/packages.lock"
mv "$new/packages.lock" "$cache/packages.lock"
echo "setup report: it is in $cache"
