#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces every scenario in every format, and holds each trace against its truth.

usage: check_all.py COMMAND FOLDER... [--list] [--word WORD]...

`check` must agree (0) with what `trace` has just written, or say that it cannot judge, and why (4).
`trace` may refuse a format that has nothing of the scenario (2), but not every one. What does
otherwise is a row of check_all.txt, with its reason; a row that is not so any more is an error,
too. --list prints what is found as such rows. With --word only scenarios that have one of the words
in their name.
"""
import argparse
import fnmatch
import pathlib
import subprocess
import sys
import tempfile

FORMATS = ["perf", "faithful", "pmcu-aux", "csv", "json", "folded", "pprof", "speedscope",
           "firefox", "perfetto", "proto", "ctf"]
OPTIONS = {"faithful": ["--format", "perf", "--flavour", "faithful"],
           "proto": ["--format", "perfetto", "--flavour", "proto"]}
PATIENCE = 1800  # seconds: what takes longer hangs, however busy the machine is


GOOD = ("check 0", "check 4", "trace 2")


class Rows:
    """What is not good: `check N`, or `skip`."""

    def __init__(self, path):
        self.rows = []
        for line in path.read_text().splitlines():
            words = line.split("#", 1)[0].split()
            if words:
                self.rows.append((words[0].split(","), words[1], " ".join(words[2:]), line))
        self.used = set()

    def wanted(self, kind, name):
        for number, (kinds, pattern, what, _) in enumerate(self.rows):
            if (kind in kinds or kinds == ["*"]) and fnmatch.fnmatch(name, pattern):
                self.used.add(number)
                return what
        return None

    def unused(self):
        return [row[3] for number, row in enumerate(self.rows) if number not in self.used]


def run(command, folder):
    """Status and last line of what it says."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, errors="replace")
    return done.returncode, (done.stderr.splitlines() or [""])[-1]


def tried(command, scenario, kind):
    """What comes of it, and why."""
    with tempfile.TemporaryDirectory() as folder:
        options = OPTIONS.get(kind, ["--format", kind])
        status, said = run([command, "trace", *options, "-o", "t", str(scenario)], folder)
        if status != 0:
            return f"trace {status}", said
        status, said = run([command, "check", "t"], folder)
        return f"check {status}", said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folders", nargs="+", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--word", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    rows = Rows(pathlib.Path(__file__).with_suffix(".txt"))
    scenarios = [(str(path.relative_to(folder).with_suffix("")), path)
                 for folder in asked.folders for path in sorted(folder.rglob("*.yaml"))
                 if not asked.word or any(word in path.stem for word in asked.word)]
    bad, counts = [], {}

    if not scenarios:
        sys.exit("check_all: no scenario")
    for name, scenario in scenarios:
        judged = False
        for kind in FORMATS:
            wanted = rows.wanted(kind, name)
            found, said = ("skip", "") if wanted == "skip" else tried(asked.command, scenario, kind)
            counts[found] = counts.get(found, 0) + 1
            judged |= found == "check 0"
            if asked.list and found not in GOOD + ("skip",):
                print(f"{kind} {name} {found} # {said}", flush=True)
            if found != wanted and (wanted is not None or found not in GOOD):
                bad.append(f"{kind} {name}: {found}, expected {wanted or 'check 0'}: {said}")
        if not judged and rows.wanted("none", name) is None:
            bad.append(f"{name}: no trace of it agrees with its truth")
    if not asked.word:
        bad += [f"check_all.txt: nothing is so any more: {row}" for row in rows.unused()]
    print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    if bad and not asked.list:
        sys.exit("\n".join(bad))


if __name__ == "__main__":
    main()
