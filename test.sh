#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs the tests. Called again, it does only what is not done yet, but for the tests
# themselves.
#
#   ./test.sh            the quick tests: every unit, format, driver and message, a few minutes
#   ./test.sh --all      also the slow ones: other dies, other simulators, guests, tools, examples and packages
#   ./test.sh --nightly  also programs and cores of others and series of guests, which take longest
#   ./test.sh --list     builds everything, then lists all tests with their tier; runs none
#
# Other arguments go to ctest, as in: ./test.sh -R pmcu
set -euo pipefail
cd "$(dirname "$0")"

tier=quick
arguments=()
for argument in "$@"; do
    case $argument in
        --all | --nightly | --list) tier=${argument#--} ;;
        -h | --help)
            sed -n '3,/^set /s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) arguments+=("$argument") ;;
    esac
done

if [[ $tier == quick ]]; then
    tools/setup.sh test
    tools/build.sh release quick_tests
    ctest --preset release --output-junit tests.xml --label-exclude slow "${arguments[@]}"
    echo "Not run: the $(ctest --preset release --label-regex slow --show-only | sed -n 's/^Total Tests: //p') slow tests. ./test.sh --all runs them, too."
    exit 0
fi

tools/setup.sh all
tools/venv.sh
tools/setup.sh linux
tools/setup.sh linux-riscv
if [[ $tier != all ]]; then
    tools/setup.sh programs
fi
tools/build.sh release
if [[ $tier == list ]]; then
    shown() { ctest --preset release "$@" "${arguments[@]}" --show-only | sed -n "s/^ *Test *#[0-9]*: /$tier  /p"; }
    tier=quick shown --label-exclude slow
    tier=slow shown --label-regex slow --label-exclude nightly
    tier=nightly shown --label-regex nightly
    exit 0
fi
if [[ $tier == nightly ]]; then
    exec ctest --preset release --output-junit tests.xml "${arguments[@]}"
fi
ctest --preset release --output-junit tests.xml --label-exclude nightly "${arguments[@]}"
echo "Not run: the $(ctest --preset release --label-regex nightly --show-only | sed -n 's/^Total Tests: //p') nightly tests. ./test.sh --nightly runs them, too."
