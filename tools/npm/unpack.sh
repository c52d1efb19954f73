#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks npm packages: tools/npm/unpack.sh LOCK FOLDER
#
# LOCK has a package a line: name, version, sha512 of its tarball; `#` begins a comment. Each is unpacked
# into FOLDER/NAME. npm fetches them (Debian's package npm), from the registry that the machine's own
# configuration names. Nothing is installed, no script of a package is run. Exit status: 0 all are there, 3
# they are not.
set -euo pipefail

lock=$1
folder=$2

fail() {
    echo "$1" >&2
    exit 3
}

[[ -r $lock ]] || fail "$lock: cannot be read"
command -v npm >/dev/null ||
    fail "npm is missing; as root: apt-get install --no-install-recommends npm"
mapfile -t names < <(grep -v '^#' "$lock" | awk '{print $1 "@" $2}')
echo "npm: fetching ${names[*]}"
if ! (cd "$folder" && npm pack --ignore-scripts "${names[@]}") >"$folder/log" 2>&1 </dev/null; then
    tail -n 12 "$folder/log" >&2
    fail "npm could not fetch them"
fi
while read -r name version sum; do
    file=$folder/$name-$version.tgz
    [[ -f $file ]] || fail "$file is not there"
    echo "$sum  $file" | sha512sum --check --status || fail "$file: its checksum is wrong"
    mkdir "$folder/$name"
    tar -C "$folder/$name" --strip-components=1 --no-same-owner -xzf "$file" ||
        fail "$file: cannot be unpacked"
done < <(grep -v '^#' "$lock")
