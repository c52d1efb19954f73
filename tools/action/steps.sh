#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml, which GitHub calls:
#
#   tools/action/steps.sh key       prints key=NAME for the cache: of these sources and this kind of runner
#   tools/action/steps.sh install   puts countersink into the cache folder, unless it is there, and into PATH
#   tools/action/steps.sh run       runs $COUNTERSINK_RUN under it, on $COUNTERSINK_MACHINE, with $COUNTERSINK_OPTIONS
set -euo pipefail
work=$PWD
cd "$(dirname "$0")/../.."
folder=${HOME:?}/.cache/countersink/action

key() {
    local sources
    sources=$(find CMakeLists.txt cmake include src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum)
    echo "key=countersink-${ImageOS:-linux}-$(uname -m)-${sources%% *}"
}

works() { "$folder/countersink" --version >/dev/null 2>&1; }

# A command from the cache may lack a library on a runner that is new.
install() {
    if ! works; then
        tools/setup.sh
    fi
    if ! works; then
        tools/build.sh command countersink
        mkdir -p "$folder"
        cp build/countersink "$folder/"
    fi
    echo "$folder" >>"${GITHUB_PATH:?}"
}

run() {
    local machine=configs/pmu/$COUNTERSINK_MACHINE.yaml options
    machine=$([[ -e $machine ]] && realpath "$machine" || echo "$COUNTERSINK_MACHINE")
    read -r -a options <<<"$COUNTERSINK_OPTIONS"
    cd "$work"
    exec countersink pmu "${options[@]}" "$machine" -- bash --noprofile --norc -eo pipefail -c "$COUNTERSINK_RUN"
}

case ${1:-} in
    key | install | run) "$1" ;;
    *)
        sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
