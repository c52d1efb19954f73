#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through a page of docs/: runs the commands that it shows (lines of its blocks that begin with
"$ ") one after the other in a folder of its own, and compares what they print with what the page says. A
line "..." of the page stands for any lines, and " ..." at the end of one for the rest of it; what is printed while a die is built is left out, because
that depends on what was built before. With --write the page gets what they print.

    walk.py COUNTERSINK PAGE [--write]
    walk.py --shell COMMAND PAGE     each command is the last argument of COMMAND, in whatever folder that is
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = "    "
BUILDING = r"^countersink: (?:building a die of .*|the die is built \(\d+ s\))\n"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def steps(lines):
    """(number of the command's line, command, number of the first line after its output)"""
    for i, line in enumerate(lines):
        if not line.startswith(BLOCK + "$ "):
            continue
        end = i + 1
        while end < len(lines) and lines[end].startswith(BLOCK) and lines[end][4:6] != "$ ":
            end += 1
        yield i, line[len(BLOCK) + 2:], end


def runner(arguments, folder):
    """The words before a command, where it runs, and the environment there."""
    if arguments[0] == "--shell":
        return shlex.split(arguments[1]), None, None
    command = pathlib.Path(arguments[0]).resolve()
    for name in ("configs", "docs", "include", "src", "sweeps", "traces"):
        os.symlink(ROOT / name, pathlib.Path(folder) / name)
    os.symlink(command.parent, pathlib.Path(folder) / "build")
    return ["bash", "-c"], folder, dict(os.environ, PATH=f"{command.parent}:{os.environ['PATH']}", LC_ALL="C")


def pattern_of(line):
    if line == "...":
        return r"(?:.*\n)*?"
    if line.endswith(" ..."):
        return re.escape(line.removesuffix("...")) + r".*\n"
    return re.escape(line) + r"\n"


def is_cut(line):
    return line == "..." or line.endswith(" ...")


def same(expected, found):
    return re.fullmatch("".join(map(pattern_of, expected)), found) is not None


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    page = pathlib.Path(arguments[-1]).resolve()
    lines = page.read_text().split("\n")
    bad, out, at = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        words, place, environment = runner(arguments, folder)
        for start, line, end in steps(lines):
            found = subprocess.run([*words, line], cwd=place, env=environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            found = re.sub(BUILDING, "", found, flags=re.M)
            expected = [e[len(BLOCK):] for e in lines[start + 1:end]]
            if not same(expected, found):
                bad.append(f"{page.name}:{start + 1}: {line}\n  expected\n    "
                           + "\n    ".join(expected) + "\n  found\n    "
                           + "\n    ".join(found.split("\n")))
            out += lines[at:start + 1]
            out += (lines[start + 1:end] if any(map(is_cut, expected))
                    else [BLOCK + f for f in found.split("\n")[:-1]])
            at = end
    if "--write" in sys.argv:
        page.write_text("\n".join(out + lines[at:]))
    elif not out:
        sys.exit(f"{page.name}: no commands")
    else:
        sys.exit("\n".join(bad) if bad else 0)


main()
