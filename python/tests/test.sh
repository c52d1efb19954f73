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

# The fixture, found by pytest itself; and what it adds to the report of a test that fails.
cc -o counts "$source/docs/examples/pmu_in_ci/counts.c"
COUNTS=$work/counts "$work/venv/bin/python" -m pytest -q -p no:cacheprovider \
    "$source/docs/examples/pmu_in_ci/test_counts.py" >pytest.out || { cat pytest.out; exit 1; }
grep -q '^3 passed' pytest.out
printf 'def test_wrong(pmu):\n    assert pmu(["./counts"]).status == 1\n' >test_wrong.py
if "$work/venv/bin/python" -m pytest -q -p no:cacheprovider test_wrong.py >pytest.out; then exit 1; fi
grep -q -- '- countersink pmu -' pytest.out
grep -q '^./counts: exit status 0' pytest.out
grep -q '^0 1 [1-9]' pytest.out
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
