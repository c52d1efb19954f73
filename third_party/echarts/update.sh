#!/usr/bin/env bash
# Writes echarts.min.js and licences.txt anew from the npm packages of packages.lock. Needs npm.
set -euo pipefail
cd "$(dirname "$0")"

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
../../tools/npm/unpack.sh packages.lock "$new"

# The first holds the code; licences are those of all.
while read -r name version _; do
    for text in NOTICE LICENSE licenses/LICENSE-d3; do
        if [[ -f $new/$name/$text ]]; then
            printf '==== %s %s: %s ====\n\n' "$name" "$version" "$text"
            cat "$new/$name/$text"
            echo
        fi
    done
done < <(grep -v '^#' packages.lock) >"$new/licences.txt"
cp "$new/echarts/dist/echarts.min.js" "$new/licences.txt" .
