#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory stays flat as simulated time grows: memory.py COMMAND CONFIGS [--long]

Each scenario is run for a time, and for many times that. --long: an hour of the nest, and so on.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

MOST_KB = 32 * 1024
MORE_KB = 3 * 1024  # pages that are touched once more, lists that are kept up to a bound

# Scenario, what sets its end, and seconds: short, longer, and for --long.
CASES = [
    ("imc/imc_nest.yaml", ["perf.0.stop"], [1, 20, 3600]),
    ("riscv/riscv_sample.yaml", ["perf.0.stop", "perf.1.stop"], [0.5, 2, 10]),
    ("riscv/riscv_count.yaml", ["perf.0.stop", "perf.1.stop"], [0.5, 3, 100]),
    ("imc/imc_trace.yaml", ["perf.0.stop"], [0.06, 0.5, 10]),
    ("corepmu/multiplex_demo.yaml", ["perf.0.stop"], [0.2, 5, 100]),
]


def peak_kb(command, folder, scenario, ends, seconds):
    sets = [word for key in ends for word in ("--set", f"{key}={int(seconds * 1e6)}us")]
    process = subprocess.Popen([command, "run", "-o", folder, *sets, scenario],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"memory: {scenario} fails")
    return usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=os.path.abspath)
    parser.add_argument("configs", type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    asked = parser.parse_args()
    bad = False
    for scenario, ends, times in CASES:
        times = [times[0], times[2 if asked.long else 1]]
        with tempfile.TemporaryDirectory() as temp:
            peaks = [peak_kb(asked.command, f"{temp}/{n}", asked.configs / scenario, ends, seconds)
                     for n, seconds in enumerate(times)]
        good = peaks[1] <= MOST_KB and peaks[1] <= peaks[0] + MORE_KB
        bad |= not good
        print(f"{scenario}: {times[0]} s {peaks[0]} KB, {times[1]} s {peaks[1]} KB"
              + ("" if good else ": NOT GOOD"))
    return bad


if __name__ == "__main__":
    sys.exit(main())
