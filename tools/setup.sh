#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the Debian packages that the project needs.
#
#   tools/setup.sh          what a build needs
#   tools/setup.sh test     what ./test.sh needs
#   tools/setup.sh all      what ./test.sh --all and .ci/run need
#   tools/setup.sh package  what tools/package.sh needs
#   tools/setup.sh hosts    what tools/hosts/check.sh needs
#   tools/setup.sh --list [SET]   prints the packages, does nothing
#   tools/setup.sh linux    something else: fetches a Linux for POWER, and a QEMU, into a folder of
#                           yours, and installs nothing (tools/linux/fetch.sh; --help tells more). What
#                           is built already gets its plugin of QEMU, which needs what was fetched.
#   tools/setup.sh linux-riscv  the same for RISC-V
#   tools/setup.sh programs     fetches programs that tests run under `countersink pmu`: perf of three
#                           Debians, PAPI's tests and others
#
# As root it installs, else with sudo; where neither is possible it prints the one command
# to run and exits 3. With nothing missing it does nothing.
set -euo pipefail
if [[ ${1:-} == linux || ${1:-} == linux-riscv || ${1:-} == programs ]]; then
    set=$1 more=()
    shift
    caches=${XDG_CACHE_HOME:-${HOME:?}/.cache}/countersink
    case $set in
        linux-riscv)
            more=(--lock "$(dirname "$0")/linux/riscv.lock" --cache "${CS_LINUX_RISCV:-$caches/linux-riscv}")
            ;;
        programs)
            more=(--lock "$(dirname "$0")/linux/programs.lock" --cache "${CS_PROGRAMS:-$caches/programs}")
            ;;
    esac
    "$(dirname "$0")/linux/fetch.sh" "${more[@]}" "$@"
    cd "$(dirname "$0")/.."
    if [[ $set == linux* && $# -eq 0 && -x build/countersink && ! -e build/guest_riscv.so ]]; then
        tools/build.sh release cs_guest_plugin cs_guest_riscv_plugin > /dev/null
        echo "setup $set: built the plugins of QEMU, build/guest_power.so and build/guest_riscv.so"
    fi
    exit 0
fi
cd "$(dirname "$0")/.."

list_only=false
sets="build"
for argument in "$@"; do
    case $argument in
        --list) list_only=true ;;
        build) ;;
        test) sets="$sets test" ;;
        all) sets="$sets test all" ;;
        package) sets="$sets package" ;;
        hosts) sets="$sets hosts" ;;
        *)
            sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
            exit 2
            ;;
    esac
done

# What names packages of this machine: 12, 13; what is newer is taken for 13.
release=$(sed -nE 's/^VERSION_ID="?([0-9]+).*/\1/p' /etc/os-release 2>/dev/null) || true
case $release in
    12 | 12.*) release=12 ;;
    *) release=13 ;;
esac

wanted() {
    local set package purpose
    while read -r set package purpose; do
        if [[ $set == *@* && ${set#*@} != "$release" ]]; then
            continue
        fi
        if [[ $set != \#* && -n $purpose && " $sets " == *" ${set%@*} "* ]]; then
            echo "$package"
        fi
    done < tools/packages.txt
}

# A package, or the command that it is wanted for, from wherever it comes.
declare -A commands=([npm]=npm [golang-go]=go [cargo]=cargo)
is_installed() {
    local state
    if [[ -n ${commands[$1]:-} ]] && command -v "${commands[$1]}" >/dev/null; then
        return 0
    fi
    state=$(dpkg-query -W -f='${db:Status-Status} ' "$1" 2>/dev/null) || return 1
    [[ $state == *"installed "* && $state != *"not-installed "* ]]
}

mapfile -t packages < <(wanted)
if $list_only; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian. Countersink is built and tested on Debian 12 and 13 with:" >&2
    echo "  ${packages[*]}" >&2
    exit 3
fi

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
    exit 0
fi

install="apt-get install -y --no-install-recommends ${missing[*]}"
command="apt-get update && $install"
if [[ $(id -u) -eq 0 ]]; then
    as_root=()
elif command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
else
    echo "setup: ${#missing[@]} Debian packages are missing. As root, run this, then call me again:" >&2
    echo "  $command" >&2
    exit 3
fi

echo "setup: installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "setup: that failed; the command was: $command" >&2
    exit 3
fi
