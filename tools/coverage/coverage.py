#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the lockstep scenarios and reports what they have reached: the points that docs/hw/points/
declares; with --code also lines and bits of the RTL and lines of the C models (docs/verification.md,
"Coverage"). Exit status: 0 all is well, 1 a declared point was not reached, a comparison differs, or a line
was not reached and tools/coverage/holes.txt does not say why; 2 it could not be tried."""
import argparse
import concurrent.futures
import os
import pathlib
import sys

import code_coverage
import holes
import pins
import report

ROOT = code_coverage.ROOT


def compare(command, scenario, place, environment):
    """(status, what was printed); None: no die that is there holds it."""
    more = dict(environment, CS_CODE_COVERAGE=str(place / "rtl" / f"{scenario.stem}.dat"))
    ended = code_coverage.dies.call([command, "compare", "--coverage", place / "points", scenario],
                                    env=more)
    (place / f"{scenario.name}.txt").write_text(ended.stdout)
    if "is not in PATH, but is needed to build a die" in ended.stdout:
        return None
    return ended.returncode, ended.stdout


def arguments():
    parser = argparse.ArgumentParser(prog="tools/coverage.sh", description=__doc__)
    parser.add_argument("--code", action="store_true",
                        help="on dies and models that count what runs; they are made first")
    parser.add_argument("--die", action="append", metavar="NAME",
                        help="with --code: only dies of this name, and scenarios that they hold")
    parser.add_argument("--dies", metavar="FILE", default=ROOT / "src" / "rtl" / "dies.txt",
                        help="whose names these are (src/rtl/dies.txt)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", metavar="FOLDER", default=ROOT / "build" / "coverage",
                        help="of report.txt, report.json and report.html (build/coverage)")
    parser.add_argument("--holes", metavar="FILE", default=holes.TABLE,
                        help="lines that nothing reaches, and why (tools/coverage/holes.txt)")
    parser.add_argument("--build", metavar="FOLDER", default=ROOT / "build")
    parser.add_argument("scenario", nargs="*", help="default: all lockstep scenarios of configs/ and tb/scenarios/")
    asked = parser.parse_args()
    if asked.die and not asked.code:
        parser.error("--die is of --code")
    return asked


def main():
    asked = arguments()
    place = pathlib.Path(asked.output).resolve()
    build = pathlib.Path(asked.build).resolve()
    scenarios = [pathlib.Path(s).resolve() for s in asked.scenario] or \
        code_coverage.dies.lockstep_scenarios()
    for folder in ("rtl", "models"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    for old in [place / "points", *place.glob("rtl/*.dat"), *place.glob("models/**/*.gcda")]:
        old.unlink(missing_ok=True)
    reasons = holes.read(asked.holes)

    command, environment = build / "countersink", dict(os.environ)
    if asked.code:
        command, environment, any_die, units = code_coverage.make(place, build, asked.dies, asked.die)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        results = list(zip(scenarios, pool.map(
            lambda s: compare(command, s, place, environment), scenarios)))
    ran = [(s, r) for s, r in results if r is not None]
    wrong = [(s, r) for s, r in ran if r[0] != 0]
    for scenario, (_, text) in wrong:
        print(f"{scenario}:\n{text[-600:]}")
    if not ran:
        raise code_coverage.Trouble("none of the scenarios fits these dies")
    if asked.code and not asked.scenario:
        benches = pins.run(command, any_die, ROOT, place, units)
        for bench, status, text in benches:
            if status != 0:
                wrong.append((bench.unit, (status, text)))
                print(f"programs at the pins of {bench.unit}:\n{text[-600:]}")

    groups = code_coverage.declared(build / "countersink", place / "points")
    if asked.code:
        rtl = code_coverage.verilator(sorted(place.glob("rtl/*.dat")), place / "tree", place / "pins")
        groups += [*rtl, code_coverage.gcov(place / "models", build)]
        if asked.die:
            groups = [code_coverage.of_units(group, rtl[0]) if group not in rtl else group
                      for group in groups]
    groups = [group for group in groups if group.points]
    for group in groups:
        if group.name.endswith("lines"):
            group.explain(reasons)
    return conclude(asked, place, groups, reasons, len(results), len(ran), wrong)


def conclude(asked, place, groups, reasons, nr, ran, wrong):
    """Writes and prints what there is; the exit status. A part of the dies, or of the scenarios, is not asked
    for everything."""
    all_of_them = not asked.die and not asked.scenario
    missing = [hole for group in groups for hole in group.holes
               if group.required and hole.reason is None]
    unused = [row for row in reasons if row.used == 0] if asked.code and all_of_them else []
    report.write(groups, place)
    print(report.summary(groups))
    for hole in missing[:report.SHOWN]:
        print(f"not reached: {hole}")
    for row in unused:
        print(f"explains nothing: {row.where}: {row.place} | {row.text}")
    left = f", {nr - ran} fit no die of these" if ran != nr else ""
    print(f"{ran} scenarios{left}, {len(wrong)} of them did not end well; {place}/report.html")
    return int(bool(wrong) or (all_of_them and bool(missing or unused)))


try:
    sys.exit(main())
except (code_coverage.Trouble, code_coverage.dies.NoDie, holes.BadTable) as trouble:
    print(f"coverage: {trouble}", file=sys.stderr)
    sys.exit(2)
