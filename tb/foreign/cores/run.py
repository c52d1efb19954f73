#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Foreign cores run random programs, and the golden counter block predicts their counters. Then once
more with a fault in the core, which has to be found.

    run.py SOURCES LIBRARY_FOLDER WORK CORE [PROGRAMS [COUNTERSINK]]
    run.py SOURCES LIBRARY_FOLDER WORK CORE --waves

CORE is one of cores.py. .._rvfi, .._rvvi: at instructions, by what the core reports of them. With COUNTERSINK `follow` reads
the same from a file, and has to find the same. --waves: the directed program alone, its differences, and its waves in
WORK/CORE/0.fst.

The RTL comes from Python packages, pythondata-cpu-ibex and so on. Each core's differences are those of
differences.txt and no others; docs/yours/cores.md tells what they are.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES, LIBRARY, WORK = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
NAME = sys.argv[4]
RVFI = NAME.endswith(("_rvfi", "_rvvi"))
WAVES = sys.argv[5:6] == ["--waves"]
PROGRAMS = int(sys.argv[5]) if len(sys.argv) > 5 and not WAVES else 20
COMMAND = sys.argv[6] if len(sys.argv) > 6 else None
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from cores import CORES  # noqa: E402
from program import Program  # noqa: E402

CORE = CORES[NAME]

HEADER_ENDS = ");\n"
DECLARATION = '  int cs_fault; initial if (!$value$plusargs("fault=%d", cs_fault)) cs_fault = 0;\n'


def declared(module):
    if "(cs_fault == " not in module:
        return module
    at = module.index(HEADER_ENDS) + len(HEADER_ENDS)
    return module[:at] + DECLARATION + module[at:]


def within(text, module):
    """Where a module begins and ends; of none: the whole text."""
    if module is None:
        return 0, len(text)
    begins = text.index(f"module {module} (")
    return begins, text.index("\nendmodule", begins)


def spoiled(arguments, work):
    """The core with its faults, so that it is built once for all."""
    out = []
    for argument in arguments:
        name = pathlib.Path(argument).name
        faults = [(n, old, new, *module) for n, (file, old, new, *module) in enumerate(CORE.faults, 1) if file == name]
        if faults:
            text = argument.read_text()
            argument = work / name
            for number, old, new, *module in faults:
                begins, ends = within(text, *module or [None])
                if text.count(old, begins, ends) != 1:
                    sys.exit(f"{name}: the place of fault {number} is not there once")
                at = text.index(old, begins)
                text = text[:at] + new.replace("FAULT", f"(cs_fault == {number})") + text[at + len(old):]
            argument.write_text("".join(map(declared, re.split(r"(?m)^(?=module )", text))))
        out.append(argument)
    return out


def build(work):
    work.mkdir(parents=True, exist_ok=True)
    arguments = spoiled(CORE.sources(), work)
    command = ["verilator", "--binary", "--timing", "-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style",
               "-Wno-UNOPTFLAT", "-Wno-BLKANDNBLK", "--x-assign", "0", "--x-initial", "0", *(["--trace-fst"] if WAVES else []),
               "-Mdir", work / ("obj_waves" if WAVES else "obj"), SOURCES / "src/golden/hpm/countersink_golden_pkg.sv", *arguments,
               f"-I{HERE}", HERE / "bench_clock.sv", HERE / "core_memory.sv",
               HERE / f"{'rvfi' if RVFI else 'golden'}_watch.sv", "-LDFLAGS",
               f"-L{LIBRARY} -lcountersink_golden -Wl,-rpath,{LIBRARY}", "-MAKEFLAGS",
               "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "-o", "tb"]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if result.returncode != 0:
        lines = (result.stdout + result.stderr).splitlines()
        sys.exit("\n".join([line for line in lines if "rror" in line][:20]))
    return work / ("obj_waves" if WAVES else "obj") / "tb"


def wanted():
    """What differs, and why: rows of what, after what, which CSRs, reason."""
    rows = []
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            core, what, after, pattern, reason = line.split(None, 4)
            if core == NAME.replace("_rvvi", "_rvfi"):
                rows.append((what, re.compile(after), re.compile(pattern), reason))
    return rows


def run(program, name, *more):
    """The figures of a program, and its lines of differences."""
    result = subprocess.run([program, f"+program={name}", *(["+fixed"] if CORE.fixed else []), *more],
                            capture_output=True, text=True, cwd=name.parent)  # CVA6 leaves a file there
    figures = re.search(r"^(\d+) (?:cycles|instructions), (\d+) CSR instructions [^,]*, (\d+) diff",
                        result.stdout, re.M)
    if result.returncode != 0 or figures is None:
        sys.exit(f"{name}: {result.stdout[-2000:]}{result.stderr}")
    return list(map(int, figures.groups())), re.findall(r"^DIFFERENT .*", result.stdout, re.M)


def hold_command(program, name, number):
    """`follow` says of the file what the golden block has said over DPI."""
    trace = name.with_suffix(".trace")
    _, lines = run(program, name, f"+fault={number}", f"+trace={trace}")
    said = subprocess.run([COMMAND, "follow", "--all", trace], capture_output=True, text=True)
    if said.returncode != bool(lines) or re.findall(r"^DIFFERENT .*", said.stdout, re.M) != lines:
        sys.exit(f"{trace}: follow says otherwise: {said.stdout[-1000:]}{said.stderr}")


def reason_of(line, rows):
    """The row's reason that fits; None: none does."""
    if RVFI:
        number, said, core, golden = re.search(r"of CSR (0x\w+): (.*): core 0x(\w+), golden 0x(\w+)", line).groups()
        what = "read" if "read" in said else "refused" if said == "it was refused" else "allowed"
        after = f"{int(core, 16) - int(golden, 16):+d}" if what == "read" else "-"
    else:
        what, number, after = re.search(r": (\w+) (0x\w+) after ([\w ]*): core", line).groups()
    for row in rows:
        if row[0] == what and row[1].fullmatch(after.replace(" ", "") or "nothing") and row[2].fullmatch(number):
            return row[3]
    return None


def show(program, name):
    name.write_text(Program(0, **CORE.program).text(directed=True))
    for line in run(program, name, f"+waves={name.with_suffix('.fst')}")[1]:
        print(line)
    print(f"waves: {name.with_suffix('.fst')}")


def main():
    work = WORK / NAME
    program = build(work)
    if WAVES:
        show(program, work / "0.hex")
        return
    rows, met, totals = wanted(), {}, [0, 0, 0]
    programs = 1 if CORE.directed else PROGRAMS
    for seed in range(programs + 1):  # the first one is the directed program
        name = work / f"{seed}.hex"
        name.write_text(Program(seed, **CORE.program).text(directed=CORE.directed or seed == 0))
        figures, lines = run(program, name)
        totals = [a + b for a, b in zip(totals, figures)]
        for line in lines:
            reason = reason_of(line, rows)
            if reason is None:
                sys.exit(f"program {seed}, which is not in differences.txt: {line}")
            met[reason] = met.get(reason, 0) + 1
    print(f"{NAME}: {programs + 1} programs, {totals[0]} {'instructions' if RVFI else 'cycles'}, {totals[1]} CSR instructions, "
          f"{totals[2]} differences")
    for reason, count in met.items():
        print(f"  {count} times: {reason}")
    for row in rows:
        if row[3] not in met:
            sys.exit(f"a row of differences.txt is not met: {row[3]}")
    for number, (file, _, new, *_) in enumerate(CORE.faults, 1):
        seeds = range(1, 6)
        found = [unknown for seed in seeds if (unknown := [
            line for line in run(program, work / f"{seed}.hex", f"+fault={number}")[1] if not reason_of(line, rows)])]
        if not found:
            sys.exit(f"fault {number} in the core is not found: {file}: {new}")
        print(f"  with fault {number} in {file}: differences in {len(found)} of {len(seeds)} programs: {found[0][0]}")
        if COMMAND:
            hold_command(program, work / "1.hex", number)
    if COMMAND:
        hold_command(program, work / "1.hex", 0)


main()
