#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilator, Icarus and Yosys read the RTL; each has to be content. A top that is elaborated
# has all modules below it, so there are few: the die, in each ready-made shape and in others.
#
# No warning of Verilator's -Wall is turned off here. One that is wrong is waived on its own
# line in the source, with the reason beside it.
#
# What was good once is not read again by the same tools: its checksum is kept in the cache folder.
set -euo pipefail
cd "$(dirname "$0")/.."

# The files that the patterns mean, each once, in their order.
# shellcheck disable=SC2046 # patterns are to be expanded
mapfile -t sources < <(printf '%s\n' $(cat src/rtl/sources.txt) | awk '!seen[$0]++')
read_here=(tools/lint-rtl.sh src/rtl/*.txt docs/hw/hpm.md src/lockstep/die/*.[ch] src/regs/gen/*_pkg.sv)
key=$({ sha256sum "${sources[@]}" "${read_here[@]}" && verilator --version && iverilog -V && yosys -V; } |
    sha256sum | cut -c1-32)
good=${XDG_CACHE_HOME:-$HOME/.cache}/countersink/lint/$key
if [[ -e $good ]]; then
    echo "lint-rtl: good before, and nothing has changed"
    exit 0
fi
made=$(mktemp -d) # sources that are made here, what was printed, and `failed` where something is wrong
trap 'rm -rf "$made"' EXIT

cc -std=c17 -Iinclude -Isrc -o "$made/make_die" src/lockstep/die/{build,kept,make_die,plain,tool,top,tree,unit_file}.c \
    src/base/{diag,require,bus/die_shape}.c src/base/files/*.c

# judge WHAT COMMAND...: without a word when the command succeeds without a warning. As many at a time as
# there are processors.
judge() {
    local what=$1
    shift
    while (($(jobs -rp | wc -l) >= $(nproc))); do
        wait -n || true
    done
    {
        log=$made/log.$BASHPID
        if ! "$@" >"$log" 2>&1 || grep -qiE '(^|: )%?(warning|error)' "$log"; then
            { echo "lint-rtl: $what" && head -n 60 "$log"; } >&2
            touch "$made/failed"
        fi
    } &
}

# lint TOP [-P:NAME=VALUE...]: a top by all three, with these parameters.
lint() {
    local top=$1 parameter
    local for_verilator=() for_icarus=() for_yosys=""
    shift
    for parameter in "$@"; do
        for_verilator+=("-G$parameter")
        for_icarus+=("-P$top.$parameter")
        for_yosys+=" -chparam ${parameter/=/ }"
    done
    judge "Verilator on $top $*" verilator --lint-only -Wall --top-module "$top" \
        "${for_verilator[@]}" "${sources[@]}"
    judge "Icarus on $top $*" iverilog -g2012 -tnull -s "$top" "${for_icarus[@]}" "${sources[@]}"
    judge "Yosys on $top $*" yosys -q -p \
        "read_verilog -sv ${sources[*]}; hierarchy -check -top $top$for_yosys; proc; check -assert"
}

# lint_example PAGE TOP: the SystemVerilog that a page shows, above the RTL that it is for.
lint_example() {
    local page=$1 top=$2
    awk '/^```/ { shown = $0 == "```systemverilog"; next } shown' "$page" >"$made/$top.sv"
    local sources=("${sources[@]}" "$made/$top.sv")
    lint "$top"
}

# lint_die SHAPE...: the top that is made for a die of this shape.
lint_die() {
    local folder
    folder=$(mktemp -d "$made/XXXXXX")
    local sources=("${sources[@]}" "$folder/die.sv")
    "$made/make_die" --top . "$@" >"$folder/die.sv"
    lint die
}

lint hpm
lint hpm NrHpm=0
lint uncore
lint uncore NrCounter=1
lint iommu_hpm
lint iommu_hpm NrCounter=1 NrRecord=16
lint_example docs/hw/hpm.md hart_counters
while read -ra row; do
    lint_die "${row[@]:1}"
done < src/rtl/dies.txt
lint_die pmcu.NrCluster=1 pmcu.NrSlot=1 pmcu.NrCounter=31 pmcu.NrLane=1
lint_die pmcu.NrCluster=16 pmcu.NrSlot=8 pmcu.NrCounter=6 pmcu.NrLane=4
lint_die imc.NrCore=1 imc.NrThread=1
lint_die hpm.NrHart=1 hpm.NrCounter=0 uncore.NrBridge=1 uncore.NrUnit=1

# Waivers: off and on again on one line, with a reason after it; none over a file.
while IFS=: read -r file line text; do
    if [[ $file == *.vlt || ! $text =~ lint_off\ ([A-Z]+).*lint_on\ [A-Z]+.*//\ .+ ]]; then
        echo "lint-rtl: $file:$line: expected a waiver of one line with its reason, as in" >&2
        echo "  /* verilator lint_off WIDTH */ CODE /* verilator lint_on WIDTH */ // reason" >&2
        touch "$made/failed"
    fi
done < <(grep -rnE 'lint_off' --include='*.sv' --include='*.vlt' src/rtl src/regs/gen || true)

wait
[[ ! -e $made/failed ]]
mkdir -p "${good%/*}"
touch "$good"
