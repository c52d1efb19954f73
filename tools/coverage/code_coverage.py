# SPDX-License-Identifier: Apache-2.0
"""What counts: dies that Verilator has put counters into, a command with models that gcc has; and what they
have counted, as groups of a report."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import report

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "prove"))
import dies # noqa: E402

ROOT = dies.ROOT
# At the end of a simulation its counts go to where the environment says.
WRITES = """
  final $c("if (const char *to = std::getenv(\\"CS_CODE_COVERAGE\\")) ",
           "vlSymsp->_vm_contextp__->coveragep()->write(to);");
"""
LEFT_OUT = ("large",) # more of what `small` has: its counters are 150 MB of C++
OBJECTS = "CMakeFiles/cs_counting_models.dir" # of a build (cmake/CsCoverage.cmake)
HOLDER = "src/rtl/bus/bus_fabric.sv" # a module that each die has once
# Bundles of the bus are wider than 64 bits; their parts have names, and are looked at under these. Compiling
# costs about as much as running: it is optimised a little. Where Verilator 5.006 splits a process, what counts
# a branch may ask a function's value before it is there; where not, it warns of speed only.
VERILATOR = """#!/bin/sh
exec {verilator} --coverage-line --coverage-toggle --coverage-max-width 64 --output-split 100000 "$@" \\
    -fno-split -Wno-fatal -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
"""
COUNT = re.compile(r"^C '(.*)' (\d+)$")
WAYS = {"else": "else of: ", "if": "then of: ", "elsif": "then of: "} # Verilator's words for a branch
BIT = re.compile(r"^(.*)\[(\d+)\]$")


class Trouble(Exception):
    pass


def make(place, build, file, names):
    """The command, its models and its dies counting; the environment in which it is called, which makes no
    other die; one that does; and the units of the dies that were named (None: none was)."""
    command = build / "countersink_counting"
    if not command.is_file():
        raise Trouble(f"{command} is not there: tools/build.sh release")
    with_wrapper = dies.verilator(place / "programs", VERILATOR)

    tree = place / "tree"
    dies.copy_rtl(tree)
    holder = tree / HOLDER
    text = holder.read_text()
    at = text.rindex("endmodule")
    holder.write_text(text[:at] + WRITES + text[at:])
    rows = {row.split()[0]: row for row in pathlib.Path(file).read_text().splitlines()}
    for name in names or ():
        if name not in rows:
            raise Trouble(f"there is no die '{name}': {' '.join(rows)}")
    rows = {name: row for name, row in rows.items()
            if (name in names if names else name not in LEFT_OUT)}
    folder = tree / "bin" / "dies"
    folder.mkdir(parents=True)
    maker = build / "src" / "lockstep" / "cs_make_die"
    for row in rows.values():
        make_die(tree, maker, folder, row, place / "cache", dict(os.environ, PATH=with_wrapper))
    (folder / "dies.txt").write_text("".join(f"{row}\n" for row in rows.values()))
    shutil.copy(command, tree / "bin" / "countersink")

    # No other die is made: there is no Verilator in the PATH.
    few = place / "few"
    shutil.rmtree(few, ignore_errors=True)
    few.mkdir()
    dtc = shutil.which("dtc")
    if dtc is not None:
        (few / "dtc").symlink_to(dtc)
    any_die = dict(
        os.environ, PATH=with_wrapper, GCOV_PREFIX=str(place / "models"),
        COUNTERSINK_CACHE=str(place / "cache" / hashlib.sha256(VERILATOR.encode()).hexdigest()[:8]))
    units = {word.split(".")[0] for row in rows.values() for word in row.split()[1:]}
    return (tree / "bin" / "countersink", dict(any_die, PATH=str(few)), any_die,
            units if names else None)


def make_die(tree, maker, folder, row, cache, environment):
    """Once for a state of the RTL, of what makes it, and of what counts."""
    state = hashlib.sha256((row + VERILATOR).encode() + maker.read_bytes())
    for source in sorted(tree.glob("src/**/*")):
        state.update(source.read_bytes() if source.is_file() else b"")
    name, *shape = row.split()
    kept = cache / f"{name}-{state.hexdigest()[:16]}.so"
    if not kept.is_file():
        cache.mkdir(exist_ok=True)
        for old in cache.glob(f"{name}-*.so"):
            old.unlink()
        ended = dies.call([maker, tree, kept, *shape], env=environment)
        if ended.returncode != 0:
            raise dies.NoDie(ended.stdout)
    shutil.copy(kept, folder / f"{name}.so")


def declared(command, points):
    """A group for each group of declared points; what counts is reached by model and RTL."""
    ended = subprocess.run([str(command), "coverage", "--format", "json", str(points)],
                           capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Trouble(f"countersink coverage: {ended.stderr}")
    groups = {}
    for point in json.loads(ended.stdout)["points"]:
        if point["verdict"] == "excluded":
            continue
        group = groups.setdefault(point["group"], report.Group(f"declared: {point['group']}"))
        group.add(point["unit"], point["name"], min(point["model"], point["rtl"]))
    return list(groups.values())


def source_text(path, line):
    """The text of a line, to name what is there."""
    lines = (ROOT / path).read_text().splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def of_units(group, rtl):
    """Without what belongs to units of which no RTL is there. (A folder may begin with another's name.)"""
    folders = {place.split("/")[2] for place, *_ in rtl.points}
    kept = report.Group(group.name)
    kept.points.update({point: count for point, count in group.points.items()
                        if any(f.startswith(point[0].removeprefix("src/models/").split("/")[0])
                               for f in folders)})
    return kept


def verilator(files, *trees):
    """Lines and bits of the RTL, over all instances and all dies; `trees` have copies of it."""
    lines, bits = report.Group("RTL: lines"), report.Group("RTL: bits")
    for path in files:
        for row in path.read_text(errors="replace").splitlines():
            match = COUNT.match(row)
            if not match:
                continue
            about = dict(part.split("\2", 1) for part in match[1].split("\1") if "\2" in part)
            source = pathlib.Path(about.get("f", ""))
            tree = next((t for t in trees if source.is_relative_to(t / "src" / "rtl")), None)
            if tree is None:
                continue # what connects the units, made for this shape of a die
            place, line = str(source.relative_to(tree)), int(about["l"])
            if about["page"].startswith("v_toggle"):
                signal = BIT.match(about["o"])
                name, bit = (signal[1], int(signal[2])) if signal else (about["o"], None)
                bits.add(place, name, int(match[2]), line=line, bit=bit)
            else:
                source_line = source_text(place, line)
                if source_line: # not what was added
                    lines.add(place, WAYS.get(about["o"], "") + source_line, int(match[2]), line=line)
    if not lines.points:
        raise Trouble("the dies have counted nothing")
    return [lines, bits]


def gcov(folder, build):
    """Lines of the C models. All of them write counts, also those in which nothing ran."""
    group = report.Group("models: lines")
    for notes in sorted(build.glob(f"{OBJECTS}/src/models/*/*.gcno")):
        place = folder / notes.relative_to("/").parent
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(notes, place)
        ended = subprocess.run(["gcov", "--json-format", "--stdout", str(place / notes.name)],
                               cwd=build, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Trouble(f"gcov {notes}: {ended.stderr}")
        for file in json.loads(ended.stdout)["files"]:
            source = (build / file["file"]).resolve()
            if not source.is_relative_to(ROOT / "src" / "models") or not file["lines"]:
                continue
            if not (place / notes.with_suffix(".gcda").name).is_file():
                raise Trouble(f"{source} has counted nothing")
            name = str(source.relative_to(ROOT))
            for line in file["lines"]:
                number = line["line_number"]
                what = f"{line.get('function_name', '')}: {source_text(name, number)}"
                group.add(name, what, line["count"], line=number)
    if not group.points:
        raise Trouble("the models have counted nothing")
    return group
