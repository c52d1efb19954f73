#!/usr/bin/env bash
# Sets up, builds and runs every test. Called again, it does only what is not done yet, but for
# the tests themselves. Arguments go to ctest, as in: ./test.sh -R pmcu
set -euo pipefail
cd "$(dirname "$0")"

tools/setup.sh test
tools/venv.sh
tools/setup.sh linux
tools/build.sh release
ctest --preset release "$@"
