#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A copy of the house with some things more in it: tools/join.sh HOUSE EXAMPLE...
#
# An EXAMPLE is a folder whose files lie as they will in the house, and its rows.txt: a line for each
# row that joins it to a list, as FILE, the beginning of the row that stands before it, and the row,
# with two blanks or more between them. What has not changed since the last time is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
house=${1:?usage: join.sh HOUSE EXAMPLE...}
shift
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

git ls-files -z --cached --others --exclude-standard CMakeLists.txt cmake include src tb tools configs docs bench third_party |
    xargs -0 cp --parents -Pp -t "$new"

# A row of the example's rows.txt, behind the row that it names.
join_row() {
    local file before row
    IFS=$'\t' read -r file before row <<<"$(sed -E 's/ {2,}/\t/g' <<<"$1")"
    awk -v before="$before" -v row="$row" '
        { print }
        !done && index($0, before) && sub(/^ */, "&") {
            match($0, /^ */)
            printf "%s%s\n", substr($0, 1, RLENGTH), row
            done = 1
        }
        END { exit !done }' "$new/$file" >"$new/row" || {
        echo "join: $file: there is no row '$before'" >&2
        exit 1
    }
    mv "$new/row" "$new/$file"
}

for example in "$@"; do
    (cd "$example" && find . -type f ! -name rows.txt -print0 | xargs -0 cp --parents -p -t "$new")
    while IFS= read -r line; do
        join_row "$line"
    done <"$example/rows.txt"
done

mkdir -p "$house/build" build/venv
ln -sfn "$PWD/build/venv" "$house/build/venv"
build/venv/bin/python "$new/tools/regs/generate.py" >/dev/null

# What is the same keeps its time, so that only what changed is built again.
while IFS= read -r -d '' file; do
    if ! cmp -s "$new/$file" "$house/$file"; then
        mkdir -p "$house/$(dirname "$file")"
        cp -P "$new/$file" "$house/$file"
    fi
done < <(cd "$new" && find . -mindepth 1 ! -type d ! -name row -print0)
while IFS= read -r -d '' file; do
    [[ -e $new/$file || -L $new/$file ]] || rm "$house/$file"
done < <(cd "$house" && find . -path ./build -prune -o ! -type d -print0)
