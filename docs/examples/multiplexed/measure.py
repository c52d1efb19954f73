#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How wrong are multiplexed counts? Runs stock perf stat under `countersink pmu`, with more and more events
on four counters, and compares what perf prints with what really happened (--truth). Prints the tables of
docs/uses/multiplexed.md and draws its pictures.

    measure.py COUNTERSINK [PICTURE.svg]
    measure.py --tools COUNTERSINK [PICTURE.svg]    PAPI and toplev instead, of build/venv (tools/venv.sh)
    measure.py --check COUNTERSINK       few runs: is what has its counter all the while exact, and the rest near?
    measure.py --check-tools COUNTERSINK
"""
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MACHINES = {"one phase": (ROOT / "configs/pmu/x86.yaml",),
            "two phases": (HERE / "phases.yaml",),
            "two phases, turns of 1 ms": ("--set", "pmu.mux_us=1000", HERE / "phases.yaml")}
DRAWN = {"one phase": "a program of one phase", "two phases": "a program of two phases"}
NO_PERF = 77
LENGTHS_MS = (10, 30, 100, 300, 1000)
EVENTS = ("instructions", "branches", "branch-misses", "L1-dcache-loads", "L1-dcache-load-misses",
          "LLC-loads", "LLC-load-misses", "dTLB-load-misses", "L1-dcache-stores", "r10d1", "r83d0", "r4f2e")
NUMBERS = (4, 5, 8, 12)
REPEATS = 5
SPIN = "import time\nwhile time.process_time() < {}: pass"


def printed(text):
    """What `perf stat -x,` has printed: a count, or None where it says <not counted>."""
    rows = [line.split(",") for line in text.splitlines() if line and line[0] != "#"]
    return [None if row[0].startswith("<") else float(row[0]) for row in rows]


def true(path):
    """How often each event really happened, in the order in which they were opened."""
    with sqlite3.connect(path) as truth:
        return [row[0] for row in truth.execute(
            "SELECT max(truth) FROM reading GROUP BY id ORDER BY id")]


def run(countersink, machine, number, length_ms, folder):
    """(printed, true) of each event."""
    truth, counts = folder / "t.sqlite", folder / "counts.csv"
    for file in (truth, counts):
        file.unlink(missing_ok=True)
    subprocess.run([countersink, "pmu", "--truth", truth, *machine, "--", "perf", "stat", "-x,", "-o", counts,
                    "-e", ",".join(EVENTS[:number]), "--", sys.executable, "-S", "-c",
                    SPIN.format(length_ms / 1000)], check=True)
    return list(zip(printed(counts.read_text()), true(truth)))


def errors(runs):
    """Of the pairs of all runs: by how much what was printed is wrong, in percent, and how many were not counted."""
    pairs = [pair for some in runs for pair in some]
    wrong = [abs(said / real - 1) * 100 for said, real in pairs if said is not None and real]
    return wrong, sum(said is None for said, _ in pairs) / len(pairs) * 100


def cell(wrong_and_uncounted):
    wrong, uncounted = wrong_and_uncounted
    return statistics.median(wrong or [0]), max(wrong or [0]), uncounted


def measure(countersink):
    """{(machine, number, length): (median, worst, uncounted)}"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, machine in MACHINES.items():
            for number in NUMBERS:
                for length in LENGTHS_MS:
                    found[name, number, length] = cell(errors(
                        run(countersink, machine, number, length, pathlib.Path(folder)) for _ in range(REPEATS)))
                    print(f"{name} {number:2} events {length:5} ms: {found[name, number, length]}", file=sys.stderr)
    return found


def percent(value):
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def table(found, head="events on 4 counters"):
    print(f"| {head} | " + " | ".join(f"{length} ms" for length in LENGTHS_MS) + " |")
    print("|---|" + "---|" * len(LENGTHS_MS))
    for name in dict.fromkeys(key[0] for key in found):
        for number in dict.fromkeys(key[1] for key in found if key[0] == name):
            cells = []
            for length in LENGTHS_MS:
                median, worst, uncounted = found[name, number, length]
                cells.append(f"{percent(median)}, {percent(worst)}" + (f" ({uncounted:.0f})" if uncounted else ""))
            print(f"| {number}, {name} | " + " | ".join(cells) + " |")


def check(countersink):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for said, real in run(countersink, MACHINES["two phases"], 4, 30, folder):
            if said != real:
                sys.exit(f"four events: perf prints {said}, and it was {real}")
        for said, real in run(countersink, MACHINES["one phase"], 8, 300, folder):
            if said is None or abs(said / real - 1) > 0.1:
                sys.exit(f"eight events: perf prints {said}, and it was {real}")


def main(arguments):
    if arguments[0] == "--check":
        if shutil.which("perf") is None:
            sys.exit(NO_PERF)
        check(pathlib.Path(arguments[1]).resolve())
        return
    if arguments[0] == "--check-tools":
        import tools
        tools.check(pathlib.Path(arguments[1]).resolve())
        return
    import picture
    if arguments[0] == "--tools":
        import tools
        arguments = arguments[1:]
        found = tools.measure(pathlib.Path(arguments[0]).resolve())
        table(found, "events, tool")
        drawn = tools.DRAWN
    else:
        found = measure(pathlib.Path(arguments[0]).resolve())
        table(found)
        drawn = DRAWN
    if len(arguments) > 1:
        pathlib.Path(arguments[1]).write_text(picture.draw(found, drawn, NUMBERS, LENGTHS_MS))


if __name__ == "__main__":
    main(sys.argv[1:])
