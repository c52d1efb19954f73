#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel of the Python package (python/), with the command of this tree in it:
#
#   tools/wheel.sh [FOLDER]    into FOLDER (default: build/wheel)
#
# The command has been built before (tools/build.sh release countersink countersink_golden). It needs
# the libraries that it was built with, so a wheel is for machines of this kind; it is for every Python
# from 3.11 on (py3-none-linux_x86_64). Nothing is fetched: what makes it is in build/venv
# (tools/venv.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/wheel}
build=${COUNTERSINK_BUILD:-$PWD/build}
python=$PWD/build/venv/bin/python
[[ -x $python ]] || {
    echo "wheel: build/venv is missing (tools/venv.sh)" >&2
    exit 3
}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r python/countersink python/pyproject.toml python/setup.py python/README.md "$work/"
if ! COUNTERSINK_BUILD=$build "$python" -m pip wheel --disable-pip-version-check --no-deps \
    --no-build-isolation --no-index -w "$folder" "$work" >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    echo "wheel: that failed" >&2
    exit 1
fi
ls "$folder"/countersink-*.whl
