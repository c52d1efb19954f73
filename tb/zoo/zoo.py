#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The zoo: published bugs of counters, put into a copy of our RTL one at a time, and `countersink compare-unit`
with its default settings looks for each (docs/uses/zoo.md).

    zoo.py COUNTERSINK SOURCES CACHE [NAME..]       tries all, or these
    zoo.py .. --page PAGE [--write]                 tries all, and compares the table of the page, or writes it
    zoo.py .. NAME --show [--waves FILE]            prints the difference, and writes its waves
    zoo.py .. --list                                prints them, and tries none

Without a bug no difference may be found; with it, one must be. Seconds are of the processor, and printed only.
Exit status: 0 as it should be, 1 not, 2 an entry or an argument that is wrong.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "foreign"))
import faulty # noqa: E402
from unit_case import CACHE, COMMAND, CORE, EXAMPLES, HART, MONITOR, SOURCES # noqa: E402

PLACE = pathlib.Path(__file__).resolve().parent
# By unit: its RTL, what is around it, the top and its MAP.
DESIGNS = {
    "hpm": (HART, [EXAMPLES / "hart_counters.sv"], "hart_counters", "hart_counters.yaml"),
    "corepmu": (CORE, [], "corepmu", "core_pmu.yaml"),
    "uncore": (MONITOR, [EXAMPLES / "link_monitor.sv"], "link_monitor", "link_monitor.yaml"),
}
THREAD = re.compile(r"([\w.-]+)/([\w.-]+)#(\d+)")
BEGIN, END = "<!-- made by tb/zoo/zoo.py -->\n", "<!-- end -->\n"
MEASURED = re.compile(r" [\d.]+ \|$", re.M) # the last column, which another run has otherwise


class BadEntry(Exception):
    pass


@dataclasses.dataclass
class Bug:
    unit: str
    name: str
    place: str
    number: int = 0 # in its design
    threads: list = dataclasses.field(default_factory=list)
    rule: str = ""
    says: str = ""
    changes: list = dataclasses.field(default_factory=list) # [file, old, new]

    def check(self):
        """What is missing or wrong in it, or None."""
        page = (SOURCES / "docs/hw" / f"{self.unit}.md").read_text()
        if not self.threads or not all(THREAD.fullmatch(t) for t in self.threads):
            return "expected 'thread OWNER/PROJECT#NUMBER'"
        if not self.rule or not re.search(rf"^## {re.escape(self.rule)}( |$)", page, re.M):
            return f"expected 'rule HEADING' of docs/hw/{self.unit}.md, found '{self.rule}'"
        if not self.says:
            return "expected 'says SENTENCE'"
        if not self.changes or not all(old and new for _, old, new in self.changes):
            return "expected 'file', lines '-' and lines '+'"
        if not any("FAULT" in new for _, _, new in self.changes):
            return "expected FAULT in a line '+'"
        return None


def read_bugs(path):
    """The bugs of a unit's file; each is complete."""
    bugs = []

    def wrong(place, text):
        raise BadEntry(f"{place}: {text}")

    for nr, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path.name}:{nr}"
        word, _, rest = line.partition(" ")
        if not line.strip() or word.startswith("#"):
            continue
        if word != "bug" and (not bugs or word in ("-", "+") and not bugs[-1].changes):
            wrong(place, f"found '{word}', expected 'bug NAME', and 'file' before '-' and '+'")
        elif word == "bug":
            bugs.append(Bug(path.stem, rest, place, len(bugs) + 1))
        elif word == "thread":
            bugs[-1].threads.append(rest)
        elif word in ("rule", "says"):
            setattr(bugs[-1], word, rest)
        elif word == "file":
            bugs[-1].changes.append([rest, "", ""])
        elif word in ("-", "+"):
            change = bugs[-1].changes[-1]
            at = 1 if word == "-" else 2
            change[at] += ("\n" if change[at] else "") + rest
        else:
            wrong(place, f"found '{word}', expected bug, thread, rule, says, file, - or +")
    for bug in bugs:
        trouble = bug.check()
        if trouble:
            wrong(bug.place, trouble)
    return bugs


def design_of(unit, bugs):
    """The unit's RTL with all its bugs in it, which the environment chooses from."""
    files, around, _, _ = DESIGNS[unit]
    texts = {pathlib.Path(file).name: pathlib.Path(file).read_text() for file in files}
    changed = set()
    for bug in bugs:
        for name, old, new in bug.changes:
            if name not in texts:
                raise BadEntry(f"{bug.place}: there is no {name} in the RTL of {unit}")
            if texts[name].count(old) != 1:
                raise BadEntry(f"{bug.place}: '{old}' is {texts[name].count(old)} times in {name}, expected once")
            texts[name] = texts[name].replace(old, new.replace("FAULT", f"(cs_fault == {bug.number})"))
            changed.add(name)
    out = []
    for file in map(pathlib.Path, files):
        text = texts[file.name]
        if file.name in changed:
            at = text.index(faulty.HEADER_ENDS) + len(faulty.HEADER_ENDS) - 1
            file = faulty.put(CACHE / "zoo" / unit / file.name, text[:at] + faulty.DECLARATION + text[at:])
        out.append(file)
    return out + around


def call(unit, files, number, *more, **how):
    """compare-unit, with the bug of that number; 0: with none."""
    _, _, top, map_file = DESIGNS[unit]
    words = [COMMAND, "compare-unit", unit, "--rtl", *files, "--top", top, "--map", EXAMPLES / map_file, *more]
    return subprocess.run(list(map(str, words)), text=True, **how,
                          env={**os.environ, "COUNTERSINK_CACHE": str(CACHE), faulty.VARIABLE: str(number)})


def compare(unit, files, number):
    """(what compare-unit says, processor seconds)"""
    before = os.times()
    result = call(unit, files, number, "--json", capture_output=True)
    after = os.times()
    if result.returncode not in (0, 1):
        raise BadEntry(f"{unit}: {result.stderr}")
    return json.loads(result.stdout), (after.children_user + after.children_system -
                                       before.children_user - before.children_system)


def link(thread):
    owner, project, number = THREAD.fullmatch(thread).groups()
    return f"[{project}#{number}](https://github.com/{owner}/{project}/issues/{number})"


def row(bug, said, seconds):
    programs = said["programs"] if said["outcome"] == "different" else "not found"
    return (f"| `{bug.name}` | {bug.says} | {', '.join(map(link, bug.threads))} | "
            f"[{bug.unit}](../hw/{bug.unit}.md), {bug.rule} | {programs} | {seconds:.1f} |")


def table(rows):
    return ("| bug | what is wrong | published in | rule | programs | s |\n|---|---|---|---|---|---|\n" +
            "".join(line + "\n" for line in rows))


def claim(bugs):
    """What pages say of all of them."""
    projects = {THREAD.fullmatch(thread)[2] for bug in bugs for thread in bug.threads}
    return f"{len(bugs)} published bugs of {len(projects)} projects"


def hold_claim(bugs):
    """True: pages say how many there are."""
    missing = [page for page in ("README.md", "docs/uses/zoo.md", "docs/verification.md")
               if claim(bugs) not in " ".join((SOURCES / page).read_text().split())]
    for page in missing:
        print(f"{page}: '{claim(bugs)}' is not in it", file=sys.stderr)
    return not missing


def hold_page(path, made, write):
    """True: the page has this table, whatever it says of seconds."""
    text = path.read_text()
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if write:
        path.write_text(head + BEGIN + "\n" + made + "\n" + END + tail)
        return True
    have = rest.partition(END)[0].strip()
    good = MEASURED.sub("", have) == MEASURED.sub("", made.strip())
    if not good:
        print(f"{path}: its table is another one; --write makes it", file=sys.stderr)
    return good


def try_unit(unit, bugs, chosen):
    """(the rows, whether all is as it should be)"""
    files = design_of(unit, bugs)
    good, rows = True, []
    said, _ = compare(unit, files, 0)
    if said["outcome"] != "equal":
        print(f"{unit}: without a bug it is {said['outcome']}", file=sys.stderr)
        good = False
    for bug in chosen:
        said, seconds = compare(unit, files, bug.number)
        good = good and said["outcome"] == "different"
        rows.append(row(bug, said, seconds))
        print(rows[-1], flush=True)
    return rows, good


def show(bug, bugs, waves):
    """One bug as a user sees it. The status is this program's."""
    print(f"{', '.join(bug.threads)}: {bug.says}")
    for name, old, new in bug.changes:
        print(f"in {name}", *(f"- {line}" for line in old.splitlines()),
              *(f"+ {line}" for line in new.splitlines()), sep="\n", flush=True)
    more = ["--waves", waves] if waves else []
    return {1: 0, 0: 1}.get(call(bug.unit, design_of(bug.unit, bugs), bug.number, *more).returncode, 2)


def main():
    parser = argparse.ArgumentParser(prog="zoo.py", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--waves")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(sys.argv[4:])
    bugs = {unit: read_bugs(PLACE / f"{unit}.txt") for unit in DESIGNS}
    every = [bug for of_unit in bugs.values() for bug in of_unit]
    names = [bug.name for bug in every]
    unknown = [name for name in asked.names if name not in names]
    if unknown or len(set(names)) != len(names):
        raise BadEntry(f"there is no bug '{unknown[0]}'" if unknown else "two bugs have one name")
    if asked.list:
        print("".join(f"{bug.name:38} {bug.unit:8} {' '.join(bug.threads)}\n" for bug in every), end="")
        return 0
    if asked.show:
        if len(asked.names) != 1:
            raise BadEntry(f"--show is for one bug, found {len(asked.names)}")
        bug = every[names.index(asked.names[0])]
        return show(bug, bugs[bug.unit], asked.waves)
    rows, good = [], True
    for unit, of_unit in bugs.items():
        chosen = [bug for bug in of_unit if not asked.names or bug.name in asked.names]
        if chosen:
            more, as_should_be = try_unit(unit, of_unit, chosen)
            rows += more
            good = good and as_should_be
    if asked.page:
        good = hold_page(asked.page, table(rows), asked.write) and hold_claim(every) and good
    return int(not good)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadEntry as trouble:
        print(f"zoo: {trouble}", file=sys.stderr)
        sys.exit(2)
