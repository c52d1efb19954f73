#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts faults into a copy of the RTL, one at a time, and tells which of them random scenarios find, and
how soon (docs/verification.md, "Random scenarios"). Nothing of the project is changed.

The faults are those of tools/faults/faults.txt. All of them are in the same dies; the environment says
which of them is there."""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "prove"))
import dies # noqa: E402

ROOT = dies.ROOT
TABLE = ROOT / "tools" / "faults" / "faults.txt"
# The die whose scenarios are drawn for a unit: the smallest that has it.
DIES = {"pmcu": "small", "corepmu": "small", "imc": "imc", "nest": "imc", "nest10": "imc10",
        "hpm": "harts", "uncore": "uncore", "iommu_hpm": "iommu"}
DECLARATION = ("\n  /* verilator lint_off BLKSEQ */ int cs_fault; initial cs_fault = $c32("
               "\"(std::getenv(\\\"CS_FAULT\\\") ? std::atoi(std::getenv(\\\"CS_FAULT\\\")) : 0)\");")
HEADER_ENDS = "\n);\n"
DIFFERS = re.compile(r"^scenario (\d+) of seed \d+: (.*)$", re.M)
AGREED = re.compile(r"^(\d+) random scenarios? agrees?", re.M)


class BadTable(Exception):
    pass


@dataclasses.dataclass
class Fault:
    number: int
    units: list
    says: str
    line: int
    path: str = ""
    old: str = ""
    new: str = ""


def read_table(path):
    """The faults; each is complete."""
    faults = []

    def wrong(nr, text):
        raise BadTable(f"{path}:{nr}: {text}")

    for nr, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        word, _, rest = line.partition(" ")
        if not line.strip() or line.startswith("#"):
            continue
        if word == "fault":
            units, colon, says = rest.partition(": ")
            if not colon or not set(units.split()) <= set(DIES) or not units.split():
                wrong(nr, f"expected 'fault UNIT..: SENTENCE', with units of {' '.join(DIES)}")
            faults.append(Fault(len(faults) + 1, units.split(), says, nr))
        elif not faults or word not in ("file", "-", "+"):
            wrong(nr, f"found '{word}', expected fault, file, - or +")
        elif word == "file":
            faults[-1].path = rest
        elif word == "-":
            faults[-1].old += rest + "\n"
        else:
            faults[-1].new += rest + "\n"
    for fault in faults:
        if not (fault.path and fault.old and "FAULT" in fault.new):
            wrong(fault.line, "expected 'file', lines '-', and lines '+' with FAULT")
        fault.old, fault.new = fault.old[:-1], fault.new[:-1]
    return faults


def put_in(tree, faults):
    """Writes the faults into the copy's files."""
    texts = {}
    for fault in faults:
        path = tree / "src" / "rtl" / fault.path
        if path not in texts:
            if not path.is_file():
                raise BadTable(f"{TABLE}:{fault.line}: there is no src/rtl/{fault.path}")
            texts[path] = path.read_text()
        if texts[path].count(fault.old) != 1:
            raise BadTable(f"{TABLE}:{fault.line}: '{fault.old}' is {texts[path].count(fault.old)} "
                           f"times in {fault.path}, expected once")
        texts[path] = texts[path].replace(fault.old,
                                          fault.new.replace("FAULT", f"(cs_fault == {fault.number})"))
    for path, text in texts.items():
        if HEADER_ENDS not in text:
            raise BadTable(f"{path}: no line ');' that ends the module's header")
        at = text.index(HEADER_ENDS) + len(HEADER_ENDS) - 1
        path.write_text(text[:at] + DECLARATION + text[at:])


def state(build):
    """A number of all that the dies are made of."""
    digest = hashlib.sha1(TABLE.read_bytes())
    for path in sorted((ROOT / "src" / "rtl").rglob("*")) + [build / "src/lockstep/cs_make_die"]:
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def prepare(place, build, names, faults):
    """A command beside each of these dies; they are made where they are not there from before."""
    tree, mark = place / "tree", place / "state"
    now = state(build)
    if not mark.is_file() or mark.read_text() != now:
        place.mkdir(parents=True, exist_ok=True)
        mark.unlink(missing_ok=True)
        dies.copy_rtl(tree)
        put_in(tree, faults)
        mark.write_text(now)
    commands = {}
    for name in names:
        commands[name] = tree / name / "countersink"
        if not (tree / name / "dies" / "dies.txt").is_file():
            dies.make(tree, build, [name], name)
        else:
            commands[name].unlink()
            shutil.copy(build / "countersink", tree / name)
    return commands


def call(words, fault, place):
    """(status, what it printed, processor seconds with its children)"""
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen([str(w) for w in words], cwd=place, stdin=subprocess.DEVNULL,
                                   stdout=printed, stderr=subprocess.STDOUT,
                                   env=dict(os.environ, CS_FAULT=str(fault.number)))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        return process.returncode, printed.read(), used.ru_utime + used.ru_stime


def try_one(command, place, unit, fault, seconds, seed):
    """(scenarios before the one that differs, or None: not found; processor seconds)"""
    out = place / f"fault-{fault.number}-{unit}.yaml"
    out.unlink(missing_ok=True)
    words = [command, "compare", "--random", "1000000", "--time", str(seconds), "--unit", unit,
             "--seed", str(seed), "-j", "1", "-o", out]
    status, printed, used = call(words, fault, place)
    found, agreed = DIFFERS.search(printed), AGREED.search(printed)
    if status == 1 and found:
        return int(found[1]), used
    if status == 0 and agreed:
        return None, used
    raise dies.NoDie(f"{' '.join(map(str, words))}:\n{printed}")


def main():
    parser = argparse.ArgumentParser(prog="tools/faults.sh", description=__doc__)
    parser.add_argument("--unit", action="append", choices=DIES, help="only these")
    parser.add_argument("--fault", action="append", metavar="WORDS",
                        help="only those whose sentence has these words")
    parser.add_argument("--time", type=int, default=60, metavar="S",
                        help="seconds for each; 60 when nothing is said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="print the faults, and try none")
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--place", help="where the dies are; otherwise BUILD/faults")
    asked = parser.parse_args()
    build = pathlib.Path(asked.build).resolve()
    place = pathlib.Path(asked.place).resolve() if asked.place else build / "faults"

    faults = read_table(TABLE)
    chosen = [(unit, fault) for unit in DIES for fault in faults
              if unit in fault.units and (not asked.unit or unit in asked.unit) and
              (not asked.fault or any(words in fault.says for words in asked.fault))]
    if asked.list or not chosen:
        for unit, fault in chosen:
            print(f"{unit}: {fault.says} ({fault.path})")
        return int(not chosen)
    names = [name for name in dies.rows() if name in {DIES[unit] for unit, _ in chosen}]
    commands = prepare(place, build, names, faults)
    print("| unit | fault in its RTL | scenarios | s |\n|---|---|---|---|", flush=True)
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        tried = pool.map(lambda c: try_one(commands[DIES[c[0]]], place, c[0], c[1], asked.time, asked.seed), chosen)
        for (unit, fault), (scenarios, used) in zip(chosen, tried):
            missed += scenarios is None
            print(f"| `{unit}` | {fault.says} | {'not found' if scenarios is None else scenarios} | "
                  f"{used:.1f} |", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} faults were found")
    return int(missed != 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BadTable, dies.NoDie) as trouble:
        print(f"faults: {trouble}", file=sys.stderr)
        sys.exit(2)
