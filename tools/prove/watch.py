#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs lockstep scenarios on dies whose RTL watches its own properties: those that tools/prove.sh proves,
and what the proofs assume of the other side (docs/verification.md, "Proofs").

A die is made of a copy of the RTL in which each module of tb/formal/proofs.txt has its properties inside;
one that does not hold ends the simulation with its name."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import sys

import dies
import prove

ROOT = prove.ROOT
# As few and as small as hold the lockstep scenarios (large is none of them: it takes minutes). A row as of
# src/rtl/dies.txt, smallest first; the last one is asked for by name alone.
DIES = """
harts hpm.NrHart=2 hpm.NrCounter=8 iommu_hpm.NrUnit=2 iommu_hpm.NrCounter=12 iommu_hpm.NrRecord=4
small pmcu.NrCluster=2 pmcu.NrSlot=4 pmcu.NrCounter=8 pmcu.NrLane=2
imc ports.NrPort=3 imc.NrChip=2 imc.NrCore=2 imc.NrThread=4 nest.NrChip=2
dies pmcu.NrDie=2 pmcu.NrCluster=4 pmcu.NrSlot=2 pmcu.NrCounter=8 pmcu.NrLane=2
imc10 imc.NrChip=2 imc.NrCore=2 imc.NrThread=1 nest10.NrChip=2
all ports.NrPort=3 pmcu.NrCluster=2 pmcu.NrSlot=4 pmcu.NrCounter=8 pmcu.NrLane=2 imc.NrCore=1 \
imc.NrThread=2 nest hpm.NrHart=2 hpm.NrCounter=6 uncore.NrBridge=2 uncore.NrUnit=2 uncore.NrTag=1 \
iommu_hpm.NrUnit=1 iommu_hpm.NrCounter=4 iommu_hpm.NrRecord=2
block pmcu.NrCluster=1 pmcu.NrSlot=1 pmcu.NrCounter=8 pmcu.NrLane=1 uncore.NrBridge=1 uncore.NrUnit=1
"""
# What $past is of is copied at the begin of each cycle. Where that is an array, Verilator 5.006 makes a
# loop of the copies, and leaves out the declaration of its variable. A die runs for seconds: what the
# compiler needs for more than a little optimisation does not come back, nor what it needs to read the
# same headers for many small files.
VERILATOR = """#!/bin/sh
exec {verilator} "$@" -fno-reloop --output-split 60000 \\
    -MAKEFLAGS "OPT_FAST=-Og OPT_SLOW=-O0 OPT_GLOBAL=-O0"
"""
CLAIM = re.compile(r"(?:(\w+):\s*)?\b(assert|assume)\s*\(")


def closing(text, at):
    """Where the parenthesis that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise prove.Trouble("a parenthesis that is not closed")


def watching(module, text):
    """The properties as statements that end a simulation, which Verilator keeps without assertions. What
    is assumed begins with the end of the reset. The assumption `used` tells when the module is: nothing
    is asked of one that is not."""
    code = re.sub(r"//.*", lambda m: " " * len(m[0]), text)
    claims = [(c, closing(code, c.end() - 1) + 1) for c in CLAIM.finditer(code)]
    used = "".join(f"{text[c.end() - 1:end]} && " for c, end in claims if c[1] == "used")
    out, at = [], 0
    for claim, end in claims:
        condition = text[claim.end() - 1:end]
        what, when = claim[1], used
        if claim[2] == "assume":
            what = f"assumption of line {text.count(chr(10), 0, claim.start()) + 1}"
            when += "rst_ni && "
        # The statement's own semicolon ends it.
        out += [text[at:claim.start()],
                f'if ({when}!{condition}) $fatal(1, "{module}: {what} does not hold")']
        at = end
    return "".join(out) + text[at:]


def make_tree(place, fault):
    """The RTL with its properties; `fault`: (module, property) whose fault is put in."""
    tree = place / "tree"
    dies.copy_rtl(tree)
    modules = sorted({proof.module for proof in prove.read_proofs()})
    helper = False
    for module in modules:
        source = tree / prove.source_of(module).relative_to(ROOT)
        text = source.read_text()
        if fault is not None and fault[0] == module:
            old, new = next((c.fault for c in prove.properties(module) if c.name == fault[1]), (None, None))
            if old is None or old not in text:
                raise prove.Trouble(f"{module} has no property '{fault[1]}'")
            text = text.replace(old, new)
        at = text.rindex("endmodule")
        source.write_text(text[:at] + prove.instance(module, "  ") + "\n" + text[at:])
        props = prove.props_file(module).read_text()
        helper = helper or "axi_checker" in props
        (source.parent / f"{module}_props.sv").write_text(watching(module, props))
    if helper:
        shutil.copy(prove.CHECKER, tree / "src" / "rtl" / "bus")
    return tree


def few_programs(place):
    """A PATH without Verilator: what the dies do not hold is left alone."""
    folder = place / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    dtc = shutil.which("dtc")
    if dtc is not None:
        (folder / "dtc").symlink_to(dtc)
    return dict(os.environ, PATH=str(folder))


def compare(command, scenario, environment):
    """The last words of a comparison, and its status; None: no die of these holds it."""
    ended = dies.call([command, "compare", scenario], env=environment)
    if "is not in PATH, but is needed to build a die" in ended.stdout:
        return None
    return ended.returncode, ended.stdout


def main():
    own = dies.rows(DIES)
    parser = argparse.ArgumentParser(prog="tools/watch.sh", description=__doc__)
    parser.add_argument("--die", action="append", metavar="NAME",
                        help=f"of src/rtl/dies.txt, or of {', '.join(own)}; otherwise these but the last")
    parser.add_argument("--fault", metavar="MODULE.PROPERTY",
                        help="put this property's fault in: a scenario has to end with it")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--place", default=None, help="default: BUILD/watch")
    parser.add_argument("scenario", nargs="*", help="default: all lockstep scenarios of configs/ and tb/scenarios/")
    asked = parser.parse_args()
    build = pathlib.Path(asked.build).resolve()
    place = pathlib.Path(asked.place).resolve() if asked.place else build / "watch"
    fault = tuple(asked.fault.split(".")) if asked.fault else None
    names = asked.die or list(own)[:-1]
    scenarios = [pathlib.Path(s) for s in asked.scenario] or \
        dies.lockstep_scenarios()

    place.mkdir(parents=True, exist_ok=True)
    path = dies.verilator(place / "verilator", VERILATOR)
    command = dies.make(make_tree(place, fault), build, names, environment=dict(os.environ, PATH=path),
                        known={**own, **dies.rows(), **own}, kept=dies.keeping(VERILATOR))
    environment = few_programs(place)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        results = list(zip(scenarios, pool.map(lambda s: compare(command, s, environment), scenarios)))
    ran = [(s, r) for s, r in results if r is not None]
    broken = [(s, r) for s, r in ran if "does not hold" in r[1]]
    wrong = [(s, r) for s, r in ran if r[0] != 0]
    for scenario, result in broken if fault else wrong:
        print(f"{scenario.name}:\n{result[1][-600:]}")
    print(f"{len(ran)} scenarios ran on {len(names)} dies ({len(results) - len(ran)} fit none of them): "
          f"a property did not hold in {len(broken)}, {len(wrong)} did not end well")
    if not ran:
        return 1
    return int(not broken) if fault else int(bool(wrong))


try:
    sys.exit(main())
except (prove.Trouble, dies.NoDie) as trouble:
    sys.exit(f"watch: {trouble}")
