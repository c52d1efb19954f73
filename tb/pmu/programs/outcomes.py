# SPDX-License-Identifier: Apache-2.0
"""outcomes.txt: what each test of each program is known to come to."""
import pathlib

FILE = pathlib.Path(__file__).resolve().parent / "outcomes.txt"
HEAD = """\
# What programs nobody here wrote come to under `countersink pmu`, a test a line: program test outcome why.
#   pass, fail, skip
#   same     does not pass without the command either
#   varies   passes or fails, by how busy the machine is, or by which it is
# `run.py ... --write` writes the rows of a program anew, and keeps what stands under why.
"""


def read():
    """{program: {test: (outcome, why)}}"""
    table = {}
    for line in FILE.read_text().splitlines() if FILE.exists() else []:
        if line and line[0] != "#":
            program, test, outcome, *why = line.split("\t")
            table.setdefault(program, {})[test] = (outcome, "".join(why))
    return table


def write(table):
    rows = ["\t".join((program, test, outcome, *([why] if why else []))) for program, tests in sorted(table.items())
            for test, (outcome, why) in tests.items()]
    FILE.write_text(HEAD + "".join(f"{row}\n" for row in rows))


def written(program, found):
    """The table with what a program came to now. A test that varies still does; a pass needs no reason."""
    table = read()
    known = table.get(program, {})
    table[program] = {}
    for test, (outcome, _) in found.items():
        before, why = known.get(test, ("", ""))
        if before == "varies":
            outcome = before
        table[program][test] = (outcome, "" if outcome == "pass" else why)
    write(table)


def surprises(program, found):
    """A line for each test that came to something else than is known."""
    known = read().get(program, {})
    for test in known.keys() - found.keys():
        yield f"{program} {test}: expected {known[test][0]}, found: there is no such test any more"
    for test, (outcome, text) in found.items():
        expected, _ = known.get(test, ("nothing", ""))
        if expected not in (outcome, "varies") and {expected, outcome} != {"same", "pass"}:
            yield f"{program} {test}: expected {expected}, found {outcome}\n{text[-3000:]}"
