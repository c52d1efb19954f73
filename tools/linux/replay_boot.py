#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives the RTL of the counters with a whole boot of Linux, from the first instruction to the last, in windows
(docs/uses/linux_riscv.md, "The RTL and the boot").

usage: replay_boot.py COUNTERSINK REPLAY_PINS [--scenario FILE] [--step CYCLES] [--windows N] [-j N]

Each window is recorded by a boot of its own, replayed and deleted: it takes a byte per instruction. The last
one is where the guest, of one hart, ends, or number N. Exit status: 0 the RTL did the same throughout, 1 it did
not, 3 a guest has failed.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCENARIO = SOURCE / "configs/linux_riscv/linux_riscv_sample.yaml"
MILLION = 1000000


def boot(given, folder, begin, cycles):
    """The run folder of a boot that records these cycles."""
    run = pathlib.Path(folder) / "run"
    sets = (f"guest.pins.from={begin}", f"guest.pins.cycles={cycles}", "guest.limit_s=36000")
    done = subprocess.run([given.command, "boot", "-o", run, given.scenario,
                           *(word for each in sets for word in ("--set", each))],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"replay_boot: cycle {begin}: {done.stderr}")
    return run


def length(given):
    """How many cycles the guest's one hart takes, at 1000 MHz."""
    with tempfile.TemporaryDirectory() as temp:
        summary = json.loads((boot(given, temp, 0, 0) / "summary.json").read_text())
    return summary["simulated_ns"]


def window(given, begin):
    """Whether the RTL has done the same, and what the replay says."""
    with tempfile.TemporaryDirectory() as temp:
        run = boot(given, temp, begin, given.step)
        done = subprocess.run([given.replay, run / "pins"], capture_output=True, text=True, check=False)
    print(f"from cycle {begin}: {(done.stdout + done.stderr).strip()}", flush=True)
    figures = [int(number) for number in re.findall(r"\d+", done.stdout)]
    return done.returncode == 0, figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("replay")
    parser.add_argument("--scenario", default=SCENARIO)
    parser.add_argument("--step", type=int, default=200 * MILLION)
    parser.add_argument("--windows", type=int)
    parser.add_argument("-j", type=int, default=1)
    given = parser.parse_args()
    end = given.windows * given.step if given.windows else length(given)
    begins = range(0, end, given.step)
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        windows = list(pool.map(lambda begin: window(given, begin), begins))
    if not all(same for same, _ in windows):
        return 1
    instructions, cycles, accesses, edges = (sum(figures[i] for _, figures in windows) for i in range(4))
    print(f"{len(windows)} windows: {instructions} instructions in {cycles} cycles, {accesses} accesses, "
          f"{edges} edges of lcofi_o: the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
