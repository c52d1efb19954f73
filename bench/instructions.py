#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the instructions of small runs against bench/instructions.txt: a guard against what makes
the simulator slower unnoticed.

    instructions.py COMMAND SOURCES [--write]

Valgrind counts them, so that they are the same on a machine that is busy. They belong to one
compiler: with another than the file's there is nothing to compare (exit 77). --write measures anew.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77


def compiler():
    """GCC's version, or None."""
    found = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else None


def measure(command, scenario):
    """The instructions of a run of the scenario, its start and its files included."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", command, "run",
             "-o", f"{folder}/run", scenario], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(f"instructions: {scenario}: it does not run under valgrind:\n{done.stderr}")
    return int(found[1])


def load(path):
    """The comment, the settings and the counts of the file."""
    comment, settings, counts = [], {}, {}
    for line in path.read_text().splitlines():
        words = line.split()
        if line.startswith("#"):
            comment.append(line)
        elif words and words[0] in ("compiler", "tolerance_percent"):
            settings[words[0]] = words[1]
        elif words:
            counts[words[0]] = int(words[1])
    return comment, settings, counts


def write(path, command, sources):
    """The same scenarios, measured now."""
    comment, settings, counts = load(path)
    lines = comment + [f"compiler {compiler()}",
                       f"tolerance_percent {settings['tolerance_percent']}"]
    lines += [f"{name} {measure(command, sources / name)}" for name in counts]
    path.write_text("\n".join(lines) + "\n")


def compare(path, command, sources):
    """Tells each run; returns the exit status."""
    _, settings, counts = load(path)
    if shutil.which("valgrind") is None:
        sys.exit("instructions: valgrind is missing: tools/setup.sh all installs it")
    if compiler() != settings["compiler"]:
        print(f"instructions: the counts are those of gcc {settings['compiler']}, "
              f"this one is {compiler()}")
        return SKIP
    tolerance = float(settings["tolerance_percent"])
    status = 0
    for name, expected in counts.items():
        found = measure(command, sources / name)
        change = 100 * (found / expected - 1)
        print(f"{name}: {found} instructions, expected {expected}, {change:+.2f} %")
        if change > tolerance:
            print(f"  more than {tolerance:g} %: what costs so much? docs/performance.md, \"Guard\"")
            status = 1
        elif change < -tolerance:
            print("  fewer: bench/instructions.py COMMAND SOURCES --write keeps what was won")
    return status


def main():
    parser = argparse.ArgumentParser(description="instructions of small runs")
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    path = args.sources / "bench/instructions.txt"
    if args.write:
        write(path, args.command, args.sources)
        return 0
    return compare(path, args.command, args.sources)


if __name__ == "__main__":
    sys.exit(main())
