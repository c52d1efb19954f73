#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs nobody here wrote, unmodified, under `countersink pmu`; what each of their tests comes to has to be
what outcomes.txt says.

    run.py COUNTERSINK WORK PROGRAM [TEST...] [--write]

PROGRAM is a module beside this file: its tests(pmu) yields names, and functions that return an outcome (pass, fail,
skip) and what was printed.
WORK is a folder for what is compiled, kept for the next time. With TESTs only these are looked at. --write: outcomes.txt is
written anew for this program.
"""
import importlib
import pathlib
import sys

sys.dont_write_bytecode = True

import outcomes  # noqa: E402
from harness import Pmu  # noqa: E402


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    command, work, program, *only = words
    module, _, variant = program.partition("-")
    pmu = Pmu(pathlib.Path(command).resolve(), pathlib.Path(work).resolve() / program)
    found = {}
    for test, judge in importlib.import_module(module).tests(pmu, *([variant] if variant else [])):
        if not only or test in only:
            outcome, text = found[test] = judge()
            print(f"{outcome:5} {test}", flush=True)
            if only:
                print(text)
    if only:
        return
    if "--write" in sys.argv:
        outcomes.written(program, found)
    problems = list(outcomes.surprises(program, found))
    sys.exit("\n".join(problems) if problems or not found else 0)


if __name__ == "__main__":
    main()
