#!/usr/bin/env bash
# Makes build/venv with the Python packages of tools/requirements.txt, once for each state of
# that file, and build/npm (tools/npm.sh). Needs Debian's python3-venv (tools/setup.sh test).
set -euo pipefail
cd "$(dirname "$0")/.."

venv=build/venv
stamp=$venv/requirements.txt
tools/npm.sh
if cmp -s tools/requirements.txt "$stamp"; then
    exit 0
fi

# Debian's own Python: cocotb needs the shared library that belongs to it.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

echo "venv: installing tools/requirements.txt into $venv"
mkdir -p build
log=build/venv.log
if ! { "$python" -m venv --clear "$venv" &&
    "$venv/bin/python" -m pip install --disable-pip-version-check -r tools/requirements.txt; } \
    >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "venv: that failed, all of it is in $log" >&2
    exit 1
fi
cp tools/requirements.txt "$stamp"
