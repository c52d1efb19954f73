#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python package as a user has it: test.sh SOURCE BUILD
#
# Its wheel is made and installed into a fresh venv, and used outside the tree. pandas and pyarrow are
# those of build/venv. Its types are looked at by mypy, and the example of the page is run.
set -euo pipefail
source=$(realpath "$1")
build=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

COUNTERSINK_BUILD=$build "$source/tools/wheel.sh" "$work/wheel" >/dev/null
python=$source/build/venv/bin/python
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --disable-pip-version-check --no-index --no-deps --quiet \
    "$work"/wheel/countersink-*.whl
"$python" -c 'import site; print(site.getsitepackages()[0])' \
    >"$("$work/venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')/judges.pth"

cd "$work"
unset COUNTERSINK
PATH=/usr/bin:/bin "$work/venv/bin/python" "$source/python/tests/test_package.py" "$source"
"$work/venv/bin/python" "$source/python/examples/flat_profile.py" "$source/configs" >example.out
grep -q '^AnalyzeImplicitConversions' example.out
PATH=/usr/bin:/bin "$work/venv/bin/python" "$source/python/tests/test_pmcu.py"
PATH=/usr/bin:/bin "$work/venv/bin/python" "$source/python/examples/pmcu_by_hand.py" >example.out
grep -q "^4 lane(s): .*'READ'" example.out
cd "$source/python"
"$python" -m mypy --strict --cache-dir "$work/mypy" countersink examples/pmcu_by_hand.py

# With types of pandas, what a table gives is a DataFrame to mypy.
# pandas itself has no types, and its stubs are a package that users choose: two names stand for them.
# Errors of what is imported are found by the line above; here one type is of interest.
mkdir -p "$work/stubs/pandas"
printf 'class DataFrame: ...\nclass Series: ...\n' >"$work/stubs/pandas/__init__.pyi"
echo 'import countersink; reveal_type(countersink.open_run("x").table("y").pandas())' >"$work/typed.py"
MYPYPATH=$work/stubs:. "$python" -m mypy --cache-dir "$work/mypy_typed" --follow-imports silent \
    "$work/typed.py" >"$work/typed.out"
grep -q 'Revealed type is "pandas.DataFrame"' "$work/typed.out"
