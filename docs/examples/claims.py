#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/claims.md to what it says: the command of each row that has one (in the second column, in
backquotes) is run, and what stands in backquotes in the third column must be in what it prints. Spaces
between words may be more. A row with a command that shows nothing is an error, and so is a command that
ends with an error. The commands run one after the other in one folder, as a reader would type them; those
that stand in several rows run once.

    claims.py COUNTERSINK PAGE [--breaks FILE]

With --breaks the rows that FILE names run with more options, by which what they claim is no longer so:
each command has to end well all the same, and to print something else. A line of FILE is the beginning of
a row's first column, ": ", and options of `countersink run`, `trace` or `compare`.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = ("countersink", "sqlite3", "cat", "perf")


def rows(page):
    """(number of the line, claim, command, texts that its output has)"""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 3:
            continue
        commands, seen = (re.findall(r"`([^`]+)`", c) for c in cells[1:])
        if commands:
            yield number, cells[0], commands[0].replace("\\|", "|"), [s.replace("\\|", "|") for s in seen]


class Folder:
    """An empty one, with what commands of the page begin their paths with."""

    def __init__(self, countersink, project):
        self.place = tempfile.TemporaryDirectory()
        self.environment = dict(os.environ, PATH=f"{countersink.parent}:{os.environ['PATH']}", LC_ALL="C")
        for name in ("configs", "docs", "traces"):
            os.symlink(project / name, pathlib.Path(self.place.name) / name)

    def printed(self, command):
        """What it prints, and its status."""
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.place.name,
                              env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.stdout, done.returncode


def missing(seen, text):
    return [s for s in seen if re.search(r"\s+".join(re.escape(word) for word in s.split()), text) is None]


def hold(page, folder):
    """What is wrong with the page."""
    bad, ran = [], {}
    claims = list(rows(page))
    for number, _, command, seen in claims:
        where = f"{page.name}:{number}: {command}"
        if command.split()[0] not in TOOLS or not seen:
            bad.append(f"{where}\n  a row shows something that one of {', '.join(TOOLS)} prints")
            continue
        if command in ran and " -o " in command:
            bad.append(f"{where}\n  writes what another row writes")
        if command not in ran:
            ran[command] = folder.printed(command)
        text, status = ran[command]
        lacks = missing(seen, text)
        if lacks or status != 0:
            bad.append(f"{where}\n  ended with {status}; not in what it prints: {', '.join(lacks) or 'nothing'}"
                       "\n    " + "\n    ".join(text.split("\n")[:40]))
    if not claims:
        bad.append(f"{page.name}: no row has a command")
    print(f"{len(claims)} claims, {len(ran)} commands", flush=True)
    return bad


def broken(command, options):
    """With the options behind each run."""
    return re.sub(r"countersink (run|trace|compare) ((?! && ).)*", lambda run: f"{run[0]} {options}", command)


def break_all(page, breaks, folder):
    """Which rows are not noticed to be wrong."""
    bad, count = [], 0
    for number, line in enumerate(breaks.read_text().split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        claim, _, options = line.partition(": ")
        count += 1
        found = [row for row in rows(page) if row[1].startswith(claim)]
        where = f"{breaks.name}:{number}: {claim}"
        if len(found) != 1 or not options:
            bad.append(f"{where}: names {len(found)} rows of {page.name}, expected one, and options")
            continue
        _, _, command, seen = found[0]
        text, status = folder().printed(broken(command, options))
        if status != 0:
            bad.append(f"{where}: ended with {status}\n    " + "\n    ".join(text.split("\n")[:10]))
        elif not missing(seen, text):
            bad.append(f"{where}: prints what it printed before")
    print(f"{count} rows broken", flush=True)
    return bad if count else [f"{breaks.name}: names no row"]


def main():
    words = sys.argv[1:]
    breaks = pathlib.Path(words.pop()) if words[-2:-1] == ["--breaks"] else None
    countersink, page = (pathlib.Path(a).resolve() for a in words[:2])

    def folder():
        return Folder(countersink, page.parent.parent)

    sys.exit("\n".join(break_all(page, breaks, folder) if breaks else hold(page, folder())) or 0)


main()
