#!/usr/bin/env bash
# Makes build/npm with the npm packages of tools/npm.lock, unpacked, once for each state of that file.
# No script of a package is run. Needs Debian's npm (tools/setup.sh test).
set -euo pipefail
cd "$(dirname "$0")/.."

lock=tools/npm.lock
made=build/npm
if cmp -s "$lock" "$made/npm.lock"; then
    exit 0
fi

echo "npm: fetching what is in $lock into $made"
rm -rf "$made"
mkdir -p "$made"
while read -r name version sum; do
    if ! (cd "$made" && npm pack --ignore-scripts "$name@$version") >"$made/log" 2>&1 </dev/null; then
        tail -n 12 "$made/log" >&2
        echo "npm: $name could not be fetched" >&2
        exit 1
    fi
    if ! echo "$sum  $made/$name-$version.tgz" | sha512sum --check --status; then
        echo "npm: $name-$version.tgz has another checksum than $lock" >&2
        exit 1
    fi
    mkdir "$made/$name"
    tar -C "$made/$name" --strip-components=1 --no-same-owner -xzf "$made/$name-$version.tgz"
done < <(grep -v '^#' "$lock")
cp "$lock" "$made/npm.lock"
