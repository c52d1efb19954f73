#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ends commands at many moments: ends.py COMMAND CONFIGS [--moments N | --all] [--seed N]

Whatever the moment and the signal, nothing is left that the next run does not clear away: no hidden
folder, no process, no output that is not whole. A signal that can be caught clears by itself.

Each command is ended by each signal, at N moments, one in each N-th of the time that it takes: 1 when
nothing is said, 10 with --all. --seed draws others. For a long search: --moments 100 --seed 7.
"""
import argparse
import itertools
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 600  # seconds: what takes longer hangs, however busy the machine is
SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]
# What is made, and what must be there once it is.
WHOLE = {"run": ["out/summary.json"], "numbered": ["runs/pmcu_demo-1/summary.json"],
         "trace": ["t", "t.truth/trace.json"], "folder": ["t/metadata", "t.truth/trace.json"],
         "damaged": ["t", "t.truth/damage.json"], "ways": ["out/ways.json"],
         "several": ["runs/pmcu_demo-3/summary.json"], "damage": ["d"], "damages": ["d/flip"]}


def commands(command, configs):
    demo, ways = f"{configs}/pmcu/pmcu_demo.yaml", f"{configs}/imc/offload_vs_perf_imc.yaml"
    trace = [command, "trace", "-o", "t"]
    return {
        "run": [command, "run", "-o", "out", demo],
        "numbered": [command, "run", demo],
        "trace": [*trace, "--format", "perf", demo],
        "folder": [*trace, "--format", "ctf", demo],
        "damaged": [*trace, "--format", "csv", "--damage", "flip:3", demo],
        "ways": [command, "run", "-o", "out", "--set", "limit_cycles=4000000", ways],
        "several": [command, "run", "-j", "2", demo, demo, demo],
        "damage": [command, "damage", "--kind", "drop", "-o", "d", "whole"],
        "damages": [command, "damage", "--kind", "all", "-o", "d", "whole"],
    }


def of_session(session):
    """The processes of a session that are not dead."""
    alive = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            alive.append(stat.parent.name)
    return alive


class Trials:
    def __init__(self, asked, temp):
        self.asked, self.temp = asked, pathlib.Path(temp)
        self.random = random.Random(asked.seed)
        self.commands = commands(asked.command, asked.configs)
        self.lengths, self.bad, self.ended, self.swept = {}, [], 0, 0
        self.whole = self.temp / "whole"
        made = subprocess.run([asked.command, "trace", "--format", "perf", "-o", self.whole,
                               f"{asked.configs}/pmcu/pmcu_demo.yaml"], capture_output=True)
        if made.returncode != 0:
            sys.exit(made.stderr.decode())

    def fresh(self, name):
        place = self.temp / name
        place.mkdir()
        (place / "whole").symlink_to(self.whole)
        return place

    def start(self, kind, place):
        return subprocess.Popen(self.commands[kind], cwd=place, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                start_new_session=True)

    def length(self, kind):
        if kind not in self.lengths:
            place, begun = self.fresh("length-" + kind), time.monotonic()
            if self.start(kind, place).wait() != 0:
                sys.exit(f"ends: {kind} fails by itself")
            self.lengths[kind] = time.monotonic() - begun
        return self.lengths[kind]

    def hidden(self, place):
        return list(place.rglob(".*"))

    def worth_a_word(self, hidden):
        """An empty folder, of one who was killed before anything was made, goes without a word."""
        return any(not one.is_dir() or any(one.iterdir()) for one in hidden)

    def complain(self, what, trial):
        self.bad.append(f"{what}: {trial}")
        print(f"ends: {what}: {trial}", file=sys.stderr)

    def all(self):
        """Each command with each signal, at its moments."""
        nr = self.asked.moments
        for kind, how in itertools.product(sorted(self.commands), SIGNALS):
            for part in range(nr):
                yield kind, how, 1.05 * (part + self.random.random()) / nr

    def trial(self, nr, kind, how, part):
        moment = part * self.length(kind)
        place = self.fresh(str(nr))
        process = self.start(kind, place)
        time.sleep(moment)
        process.send_signal(how)
        status = process.wait()
        name = f"trial {nr}, {kind}, {how.name} after {moment:.4f} s, status {status}"
        if status not in (0, -how):
            self.complain("unexpected status", name)
        self.ended += status != 0
        deadline = time.monotonic() + PATIENCE
        while of_session(process.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        if of_session(process.pid):
            self.complain("a process is left", name)
        if self.hidden(place):
            self.swept += 1
            # A signal that comes before it is caught ends as a kill does; nothing is made so early.
            if how != signal.SIGKILL:
                self.complain("something hidden is left", name)
            self.next_run(place, name)
        there = [(place / one).exists() for one in WHOLE[kind]]
        if any(there) != all(there) or (status == 0 and not all(there)):
            self.complain("not whole", name)

    def next_run(self, place, name):
        folder = place / "runs" if (place / "runs").exists() else place
        worth = self.worth_a_word(self.hidden(place))
        after = subprocess.run([self.asked.command, "damage", "--kind", "flip", "-o",
                                folder / "next", self.whole], capture_output=True, text=True)
        if after.returncode != 0 or self.hidden(place):
            self.complain("the next run has not cleared", f"{name}: {after.stderr}")
        if ("a killed run had left" in after.stderr) != worth:
            self.complain("the next run has not said so, or of nothing", name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=os.path.abspath)
    parser.add_argument("configs", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moments", type=int, default=1)
    parser.add_argument("--all", dest="moments", action="store_const", const=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temp:
        trials, nr = Trials(asked, temp), 0
        for nr, trial in enumerate(trials.all(), 1):
            trials.trial(nr, *trial)
        print(f"ends: {nr} trials, {trials.ended} ended before they were done, "
              f"{trials.swept} cleared by the next run, {len(trials.bad)} bad")
    return 1 if trials.bad else 0


if __name__ == "__main__":
    sys.exit(main())
