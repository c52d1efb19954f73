#!/usr/bin/env bash
# What is too long for every commit: all declared points, random scenarios of other seeds, all faults, all
# proofs, properties that watch, fuzzing, a sample of mutants, synthesis
# (docs/verification.md, "Every night").
#
#   tools/nightly.sh [--hours N] [--seed S] [-j N] [STEP...]    all steps when none is named
#   tools/nightly.sh --list                                     the steps
#
# The seed is the day when none is said, so that each night draws others; the log tells it. Every step
# runs, also behind one that fails; logs are build/nightly/STEP.log. Exit status 1: a step failed.
# Needs a release build and tools/venv.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

hours=8
seed=$(date -u +%Y%m%d)
jobs=$(nproc)
chosen=()
list=0
while [[ $# -gt 0 ]]; do
    case $1 in
        --hours) hours=${2:?--hours N}; shift ;;
        --seed) seed=${2:?--seed S}; shift ;;
        -j) jobs=${2:?-j N}; shift ;;
        --list) list=1 ;;
        -h | --help | -*)
            sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
            [[ $1 == -h || $1 == --help ]] && exit 0
            exit 2
            ;;
        *) chosen+=("$1") ;;
    esac
    shift
done
if [[ ! $hours =~ ^[1-9][0-9]*$ || ! $seed =~ ^[0-9]+$ || ! $jobs =~ ^[1-9][0-9]*$ ]]; then
    echo "nightly: --hours, --seed and -j are whole numbers" >&2
    exit 2
fi

# Half of the time is for what goes on as long as it may: random scenarios, fuzzing and mutants.
share=$((hours * 3600 / 6))

points() { tools/coverage.sh -j "$jobs"; }
random() {
    local unit
    for unit in pmcu imc nest nest10 hpm uncore; do
        build/countersink compare --random 1000000 --time $((share / 6)) --unit "$unit" \
            --seed "$seed" -j "$jobs" --keep configs/regressions || return 1
    done
}
faults() { tools/faults.sh -j "$jobs"; }
pins() {
    COUNTERSINK_CACHE=build/die-cache build/countersink compare-unit corepmu \
        --rtl src/regs/gen/corepmu_regs_pkg.sv src/rtl/corepmu/*.sv --top corepmu \
        --map docs/examples/your_rtl/core_pmu.yaml --programs 20000 --seed "$seed"
}
proofs() { tools/prove.sh; }
proof_faults() { tools/prove.sh --faults; }
watch() { tools/watch.sh -j "$jobs"; }
fuzz() { tools/fuzz.sh all $((share / 40)); }
mutants() { tools/mutants.sh --sample 60 --seed "$seed" --seconds "$share" -j "$jobs"; }
synth() { tools/synth.sh; }

steps=(points random faults pins proofs proof_faults watch fuzz mutants synth)
if ((list)); then
    printf '%s\n' "${steps[@]}"
    exit 0
fi
for step in "${chosen[@]}"; do
    if [[ " ${steps[*]} " != *" $step "* ]]; then
        echo "nightly: there is no step '$step'; there are: ${steps[*]}" >&2
        exit 2
    fi
done
((${#chosen[@]})) || chosen=("${steps[@]}")

mkdir -p build/nightly
echo "seed $seed, $hours hours, $jobs jobs"
failed=()
for step in "${chosen[@]}"; do
    begin=$SECONDS
    if "$step" >"build/nightly/$step.log" 2>&1; then
        verdict=good
    else
        verdict=FAILED
        failed+=("$step")
    fi
    printf '%-14s %-6s %6d s  %s\n' "$step" "$verdict" $((SECONDS - begin)) \
        "$(tail -n 1 "build/nightly/$step.log")"
done
if ((${#failed[@]})); then
    echo "failed: ${failed[*]} (build/nightly/)"
    exit 1
fi
