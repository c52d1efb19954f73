#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command that a page shows, in its order, in a folder of its own: each must end well.

    commands.py BUILD PAGE

A command is a line of a block that begins with one of the words below, or such a code span that names a
file. One that is a
pattern ("FILE", "...") cannot be run. What another test runs, or what no test may do, stands in LEFT_OUT.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"(?:\$ )?((?:build/)?countersink |sqlite3 |perf (?:script|report) |babeltrace2 |tools/|\./)")
PATTERN = re.compile(r"\.\.\.|\bsmall\.yaml|(?<!')\b(?!SAMPLE|LOST)[A-Z]{3,}\b(?![_='])|/shared/|\bmy\b|\bmy_")
# What a command begins with, and why it is not run here.
LEFT_OUT = (
    ("./demo.sh", "installs; tools/clean-room.sh"),
    ("./test.sh", "is what runs this"),
    ("tools/", "takes minutes, or changes the tree; each has a test, or is part of .ci/run"),
    ("build/countersink boot", "needs tools/setup.sh linux; test guest_trace"),
    ("build/countersink check runs/trace/perf.data", "of what boot leaves"),
    ("build/countersink check runs/riscv/perf.data", "of what boot leaves"),
    ("build/countersink check runs/text/", "of what boot leaves"),
    ("build/countersink check runs/caches/", "of what boot leaves; test guest_riscv_scenarios"),
    ("build/countersink report runs/trace", "of what boot leaves; test guest_trace"),
    ("build/countersink report runs/riscv", "of what boot leaves; test guest_riscv"),
    ("perf report --symfs runs/trace/", "of what boot leaves; test guest_trace"),
    ("perf report --symfs runs/riscv/", "of what boot leaves; test guest_riscv"),
    ("countersink check --truth good.aux.truth bad.aux", "finds the damage, so it ends with 1; test page_tutorial"),
    ("build/countersink compare-unit", "takes a minute; tests foreign_*"),
    ("build/countersink zoo", "verilates; tests zoo_designs, zoo_all"),
    ("build/countersink follow docs/examples/retirement/wrong.trace", "shows a difference; test cli.Follow"),
    ("./first_program", "is compiled first; test example_first_program"),
    ("build/countersink compare --random", "takes minutes; tests RandomScenarios"),
    ("countersink compare --rtl", "verilates, and shows a difference; test page_verification_engineer"),
    ("build/countersink compare --waves", "verilates; test cli_waves"),
    ("build/countersink compare configs/pmcu/pmcu_die_8x4.yaml", "verilates for minutes"),
)


def quoted(text):
    """Whether a quotation mark is open at its end."""
    return len(re.findall(r"(?<!')'(?!')", re.sub(r'"[^"]*"', "", text))) % 2 == 1 or \
        re.sub(r"'[^']*'", "", text).count('"') % 2 == 1


def commands(text):
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        line, start = lines[i], i + 1
        if line.startswith("    "):
            line = line.strip()
            if SHOWN.match(line):
                while line.endswith("\\") or quoted(line):
                    i += 1
                    line = line.removesuffix("\\") + ("" if line.endswith("\\") else "\n") + lines[i].strip()
                yield start, line.removeprefix("$ ")
        else:
            # A span may go on in the next line.
            both = line + " " + (lines[i + 1] if i + 1 < len(lines) else "")
            for span in re.finditer(r"`([^`]+)`", both):
                if span.start() < len(line) and SHOWN.match(span[1]) and "/" in span[1][6:] \
                        and both[:span.start()].count("`") % 2 == 0:
                    yield start, span[1]
        i += 1


def main():
    build, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    done, bad, said = set(), [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("configs", "docs", "traces", "sweeps", "src"):
            os.symlink(ROOT / name, pathlib.Path(folder) / name)
        os.symlink(build, pathlib.Path(folder) / "build")
        environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", LC_ALL="C")
        for number, command in commands(page.read_text()):
            reason = next((why for begin, why in LEFT_OUT if command.startswith(begin)), None)
            if command in done:
                continue
            done.add(command)
            if PATTERN.search(command) or reason:
                said.append(f"{number}: not run ({reason or 'a pattern'}): {command}")
                continue
            ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, text=True,
                                   env=environment, stdin=subprocess.DEVNULL, capture_output=True)
            said.append(f"{number}: {ended.returncode}: {command}")
            if ended.returncode != 0:
                bad.append(f"{page.relative_to(ROOT)}:{number}: {command}\n  status "
                           f"{ended.returncode}\n{ended.stdout[-400:]}{ended.stderr[-800:]}")
    print("\n".join(said))
    sys.exit("\n".join(bad) if bad else 0)


main()
