#!/usr/bin/env python3
"""Holds docs/claims.md to what it says: each row of its tables that has a command (in the second column,
in backquotes) is run in a folder of its own, and what stands in backquotes in the third column must be
in what the command prints. Spaces between words may be more. A row with a command that shows nothing is
an error. Commands that stand in several rows run once.

    claims.py COUNTERSINK PAGE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = ("countersink", "sqlite3", "cat", "perf")


def rows(page):
    """(number of the line, command, texts that its output has)"""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 3:
            continue
        commands, seen = (re.findall(r"`([^`]+)`", c) for c in cells[1:])
        if commands:
            yield number, commands[0].replace("\\|", "|"), [s.replace("\\|", "|") for s in seen]


def printed(command, project, environment):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("configs", "docs", "traces"):
            os.symlink(project / name, pathlib.Path(folder) / name)
        return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def pattern(text):
    return r"\s+".join(re.escape(word) for word in text.split())


def main():
    countersink, page = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    environment = dict(os.environ, PATH=f"{countersink.parent}:{os.environ['PATH']}", LC_ALL="C")
    bad, ran, count = [], {}, 0
    for number, command, seen in rows(page):
        count += 1
        where = f"{page.name}:{number}: {command}"
        if command.split()[0] not in TOOLS or not seen:
            bad.append(f"{where}\n  a row shows something that one of {', '.join(TOOLS)} prints")
            continue
        if command not in ran:
            ran[command] = printed(command, page.parent.parent, environment)
        missing = [text for text in seen if re.search(pattern(text), ran[command]) is None]
        if missing:
            bad.append(f"{where}\n  not in what it prints: {', '.join(missing)}\n    "
                       + "\n    ".join(ran[command].split("\n")[:40]))
    if count == 0:
        bad.append(f"{page.name}: no row has a command")
    print(f"{count} claims, {len(ran)} commands", flush=True)
    sys.exit("\n".join(bad) if bad else 0)


main()
