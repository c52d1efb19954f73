#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published bugs of readers (readers.txt), each put into a copy of ours: what it decodes of the golden traces, or of one
with LOST records, has to differ from what the reader without it decodes. The page has a table of them.

    readers.py COUNTERSINK SOURCES BUILD PAGE [--write]

One file is compiled anew per bug, and linked before the library that has it. Needs a build by Ninja.
Exit status: 0 all are found, 1 not.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

COMMAND, SOURCES, BUILD, PAGE = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
HERE = pathlib.Path(__file__).resolve().parent
LOST = "lost.data"
BEGIN, END = "<!-- made by tb/zoo/readers.py -->\n", "<!-- end of readers -->\n"


def bugs():
    """Of the file: what is said of each, and the text that it replaces."""
    for block in re.findall(r"^bug .*(?:\n.+)*", (HERE / "readers.txt").read_text(), re.M):
        yield {**dict(line.split(" ", 1) for line in block.splitlines() if line[0].isalpha()),
               "old": re.search(r"^- (.*)", block, re.M)[1], "new": re.search(r"^\+ (.*)", block, re.M)[1]}


def ninja_commands(target):
    text = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True,
                          check=True).stdout
    return text.splitlines()


def spoiled(bug, folder):
    """The command with the bug."""
    source = SOURCES / bug["file"]
    text = source.read_text()
    if text.count(bug["old"]) != 1:
        sys.exit(f"{bug['bug']}: the line is not once in {bug['file']}: {bug['old']}")
    copy, thing, command = folder / source.name, folder / "reader.o", folder / "countersink"
    copy.write_text(text.replace(bug["old"], bug["new"]))
    commands = ninja_commands("countersink")
    compiling = shlex.split(next(line for line in commands if line.endswith(f"-c {source}")))
    compiling[compiling.index("-o") + 1] = str(thing)
    compiling[compiling.index("-MF") + 1] = str(folder / "reader.d")
    compiling[-1] = str(copy)
    linking = commands[-1].replace("-o countersink ", f"-o {command} {thing} ", 1)
    for words in (shlex.join(compiling), linking):
        subprocess.run(words, cwd=BUILD, shell=True, check=True, stderr=subprocess.PIPE, text=True)
    return command


def inputs(folder):
    """Arguments of decode: the golden ones, and one that none of these is like, with a ring that is too small."""
    lost = ("configs/riscv/riscv_sample.yaml", "--set", "riscv.driver.ring_bytes=4 KiB", "--set",
            "riscv.driver.wakeup_bytes=0")
    subprocess.run([COMMAND, "trace", "-f", "perf", "-o", folder / LOST, *lost], cwd=SOURCES, capture_output=True,
                   check=True)
    lines = (SOURCES / "tb/traces/golden_decodes.txt").read_text().splitlines()
    return [tuple(words[1:]) for words in map(str.split, lines) if len(words) > 1 and words[1].endswith(".data")] + [
        (LOST,)]


def decoded(command, words, folder):
    path = folder / LOST if words[0] == LOST else words[0]
    done = subprocess.run([command, "decode", *words[1:], path], cwd=SOURCES, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def row(bug, found, nr):
    project, number = bug["thread"].split("#")
    return (f"| `{bug['bug']}` | {bug['says']} | [{project.split('/')[1]}#{number}]"
            f"(https://github.com/{project}/issues/{number}) | `{found[0][0]}`, {len(found)} of {nr} |\n")


def main():
    with tempfile.TemporaryDirectory() as name:
        return compare(pathlib.Path(name))


def compare(folder):
    true = {words: decoded(COMMAND, words, folder) for words in inputs(folder)}
    table = "| bug | what is wrong | published in | found by |\n|---|---|---|---|\n"
    missed = []
    for bug in bugs():
        command = spoiled(bug, folder)
        found = [words for words, said in true.items() if decoded(command, words, folder) != said]
        if found:
            table += row(bug, found, len(true))
        else:
            missed.append(bug["bug"])
    print(f"{table.count(chr(10)) - 2} found, not found: {', '.join(missed) or 'none'}")
    head, _, rest = PAGE.read_text().partition(BEGIN)
    have, _, tail = rest.partition(END)
    if "--write" in sys.argv:
        PAGE.write_text(head + BEGIN + "\n" + table + "\n" + END + tail)
    elif have.strip() != table.strip():
        sys.exit(f"{PAGE}: its table of readers is another one; --write makes it")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
