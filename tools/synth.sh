#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Synthesizes the RTL of each unit with Yosys, in several sizes, and prints a table: cells, registers,
# an estimate of the area and of the longest path. A latch, a wire with several drivers or a part
# that cannot be synthesized is an error.
#
#   tools/synth.sh [UNIT...]            all units of the table below when none is named
#   tools/synth.sh --rtl TOP FILE...    a module of your own
#
# Area: of gates as the least two-input NAND is, by the table in tools/synth/gates.txt; a register
# is six of them. Path: gates one after the other between registers (Yosys' ltp), after abc has
# mapped all to gates of two inputs and multiplexers. A memory stays one: its bits are a column of
# their own, and no part of the area. What the same Yosys made of the same sources before is not made
# again: its log is kept in the cache folder.
set -euo pipefail
cd "$(dirname "$0")/.."

# Unit, top, size, parameters.
rows() {
    cat <<'ROWS'
hpm hpm no_counters NrHpm=0
hpm hpm 6_counters NrHpm=6
hpm hpm 29_counters NrHpm=29
corepmu corepmu 6_counters NrCounter=6
corepmu corepmu 31_counters NrCounter=31
pmcu pmcu 1_lane NrLane=1
pmcu pmcu 4_lanes NrLane=4
nest nest default
uncore uncore default
iommu_hpm iommu_hpm 7_counters NrCounter=7
iommu_hpm iommu_hpm 31_counters NrCounter=31
imc imc_core default
ROWS
}

if [[ ${1:-} == --rtl ]]; then
    if [[ $# -lt 3 ]]; then
        sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
        exit 2
    fi
    yours=$2
    sources=("${@:3}")
    rows() { echo "$yours $yours default"; }
    set --
fi

# shellcheck disable=SC2046 # patterns are to be expanded
[[ -v yours ]] || mapfile -t sources < <(printf '%s\n' $(cat src/rtl/sources.txt) | awk '!seen[$0]++')
made=$(mktemp -d)
kept_logs=${XDG_CACHE_HOME:-$HOME/.cache}/countersink/synth
[[ ! -v yours ]] || kept_logs=$made/kept_logs
trap 'rm -rf "$made"' EXIT
failed=0

# synthesize TOP PARAMETER...: what Yosys says is in $made/log; false: it refuses.
synthesize() {
    local top=$1 parameter chparam=""
    shift
    for parameter in "$@"; do
        chparam+=" -chparam ${parameter/=/ }"
    done
    # Latches are looked for where they would be: after proc, and again after mapping.
    # As a file: yosys -p of 0.52 takes a comma for the end of a command.
    cat >"$made/script" <<SCRIPT
read_verilog -sv ${sources[*]}
hierarchy -check -top $top$chparam
proc
check -assert
select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr
flatten
opt -full
stat
memory -nomap
opt -fast -full
opt -undriven -fine
techmap
opt -fast
abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX
opt_clean
check -assert
select -assert-none t:\$_DLATCH*
stat
ltp -noff
SCRIPT
    local kept
    kept=$kept_logs/$({ cat "$made/script" "${sources[@]}" && yosys -V; } | sha256sum | cut -c1-32)
    if [[ ! -e $kept ]]; then
        yosys -s "$made/script" >"$made/log" 2>&1 || return
        mkdir -p "$kept_logs"
        cp "$made/log" "$made/kept"
        mv "$made/kept" "$kept"
    fi
    cp "$kept" "$made/log"
}

printf '| %-8s | %-12s | %7s | %9s | %7s | %6s | %6s |\n' unit size cells registers area path memory
printf '|---|---|---|---|---|---|---|\n'
while read -r unit top size parameters; do
    if [[ $# -gt 0 && " $* " != *" $unit "* ]]; then
        continue
    fi
    read -ra list <<<"$parameters"
    if ! synthesize "$top" "${list[@]}"; then
        echo "synth: $unit, $size:" >&2
        grep -E "ERROR|Warning: multiple|Latch inferred" "$made/log" | head -n 5 >&2 ||
            tail -n 5 "$made/log" >&2
        failed=1
        continue
    fi
    awk -v unit="$unit" -v size="${size/_/ }" '
        FNR == NR { if ($1 !~ /^#/ && NF == 2) area[$1] = $2; next }
        /Number of memory bits:/ { if (memory < $NF) memory = $NF }
        /Number of cells:/ { cells = $NF; registers = 0; total = 0; delete unknown }
        $1 ~ /^\$_/ {
            kind = $1
            if (kind ~ /^\$_(S?DFF|ALDFF)/) { registers += $2; kind = "register" }
            if (!(kind in area)) { print "synth: no area for " $1 > "/dev/stderr"; exit 1 }
            total += $2 * area[kind]
        }
        /Longest topological path/ { match($0, /length=[0-9]+/); path = substr($0, RSTART + 7, RLENGTH - 7) }
        END { printf "| %-8s | %-12s | %7d | %9d | %7d | %6d | %6d |\n", unit, size, cells, registers, total, path, memory }
    ' tools/synth/gates.txt "$made/log" || failed=1
done < <(rows)

exit "$failed"
