#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C models and a hart for hosts other than this one, and looks whether programs of docs/examples
# print there what their pages say (docs/yours/rely.md, "Hosts"):
#
#   tools/hosts/check.sh [HOST...]     all when none is named: clang arm64 ppc64 musl narrow
#   tools/hosts/check.sh --list        the hosts
#
# clang: this host, another compiler. arm64 and ppc64 (big-endian): cross compilers, run in QEMU. musl: this
# host, another C library. narrow: a compiler without 128 bits, which must refuse with one line. Needs the
# packages of tools/setup.sh hosts. Everything is compiled in a folder of its own, which is removed. Exit
# status 1: a host failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

all=(clang arm64 ppc64 musl narrow)
case ${1:-} in
    --list)
        printf '%s\n' "${all[@]}"
        exit 0
        ;;
    -*)
        sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
(($#)) || set -- "${all[@]}"
tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What runs a program of the host, and its compiler.
declare -A compilers=([clang]=clang [arm64]=aarch64-linux-gnu-gcc [ppc64]=powerpc64-linux-gnu-gcc
    [musl]=musl-gcc [narrow]="gcc -U__SIZEOF_INT128__")
declare -A runners=([arm64]="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    [ppc64]="qemu-ppc64 -L /usr/powerpc64-linux-gnu")

# The sources of countersink::hart and countersink::models (cmake/CsCore.cmake).
sources=(src/base/*.c src/base/{bus,probe,stream}/*.c src/base/files/spill.c src/models/*/*.c
    src/formats/riscv/read/pmu_map.c src/scenario/hpm/sbi_deviation.c src/drivers/perf_frequency.c
    src/drivers/hpm/{hart,hart_alone,hypervisor}.c src/drivers/hpm/{kernel,sbi}/*.c)

# All in one call of the compiler: the names of the sources differ.
compile() { # HOST
    local compiler
    read -ra compiler <<<"${compilers[$1]}"
    mkdir "$work/$1"
    (cd "$work/$1" && "${compiler[@]}" -std=c17 -O1 -w -I"$tree/include" -I"$tree/src" -I"$tree/src/regs/gen" \
        -c "${sources[@]/#/$tree/}")
}

build() { # HOST PROGRAM
    local compiler
    read -ra compiler <<<"${compilers[$1]}"
    "${compiler[@]}" -std=c17 -O1 -Wall -Wextra -Werror -Iinclude "docs/examples/$2.c" "$work/$1"/*.o -o "$work/$2"
}

check() { # HOST
    local program page runner
    read -ra runner <<<"${runners[$1]:-}"
    compile "$1" || return 1
    for program in model_alone:yours/model_alone embedding_hart:yours/embedding_hart \
        own_firmware:yours/embedding_hart first_program:uses/platform_author; do
        page=docs/${program#*:}.md
        program=${program%:*}
        build "$1" "$program" || return 1
        printf '#!/bin/sh\nexec %s %s "$@"\n' "${runner[*]}" "$work/$program" >"$work/run"
        chmod +x "$work/run"
        python3 docs/examples/check_example.py "$work/run" "docs/examples/$program.c" "$page" || return 1
    done
}

# A host that cannot be one: a source says so, and nothing else.
refused() {
    local compiler
    read -ra compiler <<<"${compilers[$1]}"
    ! "${compiler[@]}" -std=c17 -Iinclude -Isrc -fsyntax-only src/base/stream/stream_rate.c 2>"$work/says" &&
        [[ $(grep -c 'error:' "$work/says") == 1 ]] && grep -q '64-bit host' "$work/says"
}

failed=0
for host; do
    if [[ ! ${compilers[$host]:-} ]]; then
        echo "hosts: there is no host '$host'; there are: ${all[*]}" >&2
        exit 2
    fi
    good=1
    if [[ $host == narrow ]]; then
        refused "$host" >"$work/log" 2>&1 || good=0
    else
        check "$host" >"$work/log" 2>&1 || good=0
    fi
    if ((good)); then
        echo "$host: good"
    else
        echo "$host: FAILED"
        tail -n 20 "$work/log"
        failed=1
    fi
done
exit $failed
