#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast RISC-V guests of `boot` are: instructions per second of the host's processor time.

    tools/setup.sh linux-riscv
    bench/linux_riscv.py build/countersink [SCENARIO..]

Without names: a profile, counts, four harts, and caches. Others may use the machine, which the wall time shows
and the processor time mostly does not. It is no test.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

LINUX = pathlib.Path(__file__).resolve().parents[1] / "configs/linux_riscv"
NAMES = ("sample", "stat", "harts", "caches")


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command, name):
    """Instructions, processor time and wall time of a boot, its script included."""
    with tempfile.TemporaryDirectory() as temp:
        run = pathlib.Path(temp) / "run"
        began, used = time.monotonic(), spent()
        done = subprocess.run([command, "boot", LINUX / f"linux_riscv_{name}.yaml", "-o", run, "--set",
                               "guest.limit_s=3600"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"linux_riscv: {name}: {done.stderr}")
        summary = json.loads((run / "summary.json").read_text())
        return summary["guest_instructions"], spent() - used, time.monotonic() - began


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| scenario | instructions | processor time | M instructions per second of it | wall time |")
    print("|---|---|---|---|---|")
    for name in sys.argv[2:] or NAMES:
        instructions, used, wall = measure(sys.argv[1], name)
        print(f"| `{name}` | {instructions:,} | {used:.1f} s | {instructions / used / 1e6:.0f} | {wall:.0f} s |",
              flush=True)


if __name__ == "__main__":
    main()
