# SPDX-License-Identifier: Apache-2.0
"""The jobs: a title, and the commands of countersink that a side runs in an empty folder. All that
they print and write there is compared. A job's commands come one by one, each with the exit status of
the one before, so that a later one can depend on what is there then."""
import pathlib
import re
from dataclasses import dataclass
from typing import Callable

HERE = pathlib.Path(__file__).parent


@dataclass
class Job:
    part: str
    name: str
    commands: Callable  # (side, folder) -> iterator of argument lists

    @property
    def title(self):
        return f"{self.part} {self.name}"


def cuts():
    lines = (line.split() for line in (HERE / "cuts.txt").read_text().splitlines())
    return {words[0]: words[1] for words in lines if words and words[0] != "#"}


def run_jobs(sides, names):
    for name in names:
        def commands(side, folder, name=name):
            yield ["run", "-o", "run", side.scenarios[name]]
        yield Job("run", name, commands)


# What `decode` has to be told, by what `trace` calls the format, or once called it.
AS = {"aux": "pmcu-aux", "imc": "imc-trace", "core-imc": "imc-core", "thread-imc": "imc-thread",
      "nest-imc": "imc-nest", "snapshot": "sbi-snapshot"}


def decode_options(form, truth):
    """What `decode` has to be told of a trace, out of the run folder beside it."""
    kind = AS.get(form, form)
    options = ["--as", kind] if kind in AS.values() else []
    if kind == "pmcu-aux":
        slots = re.search(r"\bslots: *(\d+)", (truth / "scenario.yaml").read_text())
        options += ["--slots", slots.group(1)] if slots else []
    if kind in ("imc-core", "imc-thread", "imc-nest"):
        options += ["--catalog", next(truth.glob("*.dts"))]
    return options


def trace(folder, form, options, scenario):
    """Writes a trace, and reads it; whether there is one."""
    if (yield ["trace", "--format", form, *options, "-o", "trace", scenario]) != 0:
        return False
    told = [o.relative_to(folder) if isinstance(o, pathlib.Path) else o
            for o in decode_options(form, folder / "trace.truth")]
    yield ["decode", *told, "trace"]
    yield ["check", "trace"]
    return True


def trace_jobs(formats, sides, names):
    variants = [[form] + (["--flavour", flavour] if flavour else []) for form, flavour in formats]
    variants += [[form, "--switch-events"] for form, flavour in formats
                 if form in ("perf", "perf-data") and flavour == "stock"]
    cut = cuts()
    for name in names:
        ways = sides[0].ways(name) or [None]
        for way in ways:
            sets = ["--set", f"way={way}"] if way else []
            sets += ["--set", f"limit_cycles={cut[name]}"] if name in cut else []
            for form, *options in variants:
                def commands(side, folder, name=name, form=form, options=(*options, *sets)):
                    yield from trace(folder, form, options, side.scenarios[name])
                yield Job("trace", " ".join([name, form, *options, *sets]), commands)


def golden_jobs(sides):
    for name in sides[0].golden.keys() & sides[1].golden.keys():
        for line in sides[0].golden[name].read_text().splitlines():
            def commands(side, folder, name=name, line=line):
                file, form, *options = line.split()
                there = side.golden[name].parent
                if not (yield from trace(folder, form, options, there / "scenario.yaml")):
                    return
                told = decode_options(form, folder / "trace.truth")
                for out in ("text", "csv", "json"):
                    yield ["decode", *told, "--format", out, there / file]
                if (there / file).is_dir():
                    return
                kind = ["--as", AS.get(form, form)] if AS.get(form, form) in AS.values() else []
                yield ["damage", *kind, "--kind", "all", "-o", "damaged", there / file]
                for damaged in sorted((folder / "damaged").iterdir()):
                    yield ["decode", *told, damaged.relative_to(folder)]
            yield Job("golden", f"{name}: {line}", commands)


def list_jobs(sides):
    def job(name, *options):
        def commands(side, folder):
            yield ["list", *(o(side) if callable(o) else o for o in options)]
        return Job("list", name, commands)

    for section in ("--units", "--scenario", "--registers", "--events"):
        yield job(section, section)
    for form in ("text", "csv", "json"):
        for name in sides[0].catalogs.keys() & sides[1].catalogs.keys():
            yield job(f"{name}.dts {form}", "--catalog", lambda s, n=name: s.catalogs[n],
                      "--format", form)
        yield job(f"--pmus {form}", "--pmus", lambda s: s.scenarios["uncore_rack"],
                  "--format", form)


def compare_jobs(sides, names):
    for name in names:
        if "_lockstep" in name:
            def commands(side, folder, name=name):
                yield ["compare", side.scenarios[name]]
            yield Job("compare", name, commands)


def all_jobs(sides, parts, formats):
    """`formats`: what both can write."""
    names = sorted(sides[0].scenarios.keys() & sides[1].scenarios.keys())
    made = {
        "run": lambda: run_jobs(sides, names),
        "trace": lambda: trace_jobs(formats, sides, names),
        "golden": lambda: golden_jobs(sides),
        "list": lambda: list_jobs(sides),
        "compare": lambda: compare_jobs(sides, names),
    }
    return [job for part, make in made.items() if part in parts for job in make()]
