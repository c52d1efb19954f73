#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes build/venv with the Python packages of tools/requirements.txt, in the versions and with the
# checksums of tools/requirements.lock, once for each state of that file, and build/npm
# (tools/npm/tests.sh). Needs Debian's python3-venv (tools/setup.sh all).
#
#   tools/venv.sh
#   tools/venv.sh --lock   writes tools/requirements.lock anew, after a change of requirements.txt
set -euo pipefail
cd "$(dirname "$0")/.."

lock=tools/requirements.lock
venv=build/venv
stamp=$venv/requirements.lock
log=build/venv.log

# Debian's own Python: cocotb needs the shared library that belongs to it.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

make_venv() {
    mkdir -p build
    if ! { "$python" -m venv --clear "$1" &&
        "$1/bin/python" -m pip install --disable-pip-version-check "${@:2}"; } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        echo "venv: that failed, all of it is in $log" >&2
        exit 1
    fi
}

# For all Pythons from Debian 12's on, and all machines.
if [[ ${1:-} == --lock ]]; then
    new=$(mktemp -d)
    trap 'rm -rf "$new"' EXIT
    make_venv "$new/venv" uv
    "$new/venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-header tools/requirements.txt --output-file "$new/lock"
    { sed -n '/^#/p;/^#/!q' "$lock" && cat "$new/lock"; } >"$new/whole"
    cp "$new/whole" "$lock"
    exit 0
fi
if [[ $# -gt 0 ]]; then
    sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

tools/npm/tests.sh
if cmp -s "$lock" "$stamp"; then
    exit 0
fi
echo "venv: installing tools/requirements.txt into $venv"
# Wheels only: what a build would fetch has no checksum.
make_venv "$venv" --only-binary :all: --require-hashes -r "$lock"
cp "$lock" "$stamp"
