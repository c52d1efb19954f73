#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of docs/yours/testbench.md, as they are and with a fault in the design.

    run.py SOURCES LIBRARY_FOLDER (vpi | dpi | cocotb | icarus) [PREFIX]

With PREFIX the examples, and what they include, are those that are installed there. `icarus`: our own RTL of the counter block under Icarus, against the golden one.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCES, LIBRARY = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
PREFIX = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
EXAMPLES = (PREFIX / "share/doc/countersink" if PREFIX else SOURCES / "docs") / "examples/your_testbench"
GOLDEN = PREFIX / "share/countersink/golden" if PREFIX else SOURCES / "src/golden/hpm"
COUNTER = SOURCES / "src/rtl/hpm/hpm_counter.sv"
# What is right, and a fault in it. Of the first: writes of the upper half take the increment away;
# here the lower half counts on.
FAULT = ("else if (write && (csr == 12'hB82)) minstret[63:32] <= operand;",
         "else if (write && (csr == 12'hB82)) minstret <= {operand, minstret[31:0] + 32'd1};")
COUNTER_FAULT = ("if (has_of_i && !of_q && carries(", "if (has_of_i && carries(")


def call(folder, *command):
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)


def built(result):
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)


# A call that cannot be ends the simulation, and says why.
WRONG = {"$cs_golden_event(golden, 7, 16);": "event 7, increment 16",
         "$cs_golden_event(golden, 7, nothing);": "$cs_golden_event: found X or Z"}


def vpi_refuses(folder):
    for call_, said in WRONG.items():
        text = f"""module wrong;
  reg [63:0] golden;
  reg [3:0]  nothing;
  initial begin
    golden = $cs_golden_create("counters=0x8");
    {call_}
    $cs_golden_step(golden);
    #1 $display("went on");
  end
endmodule
"""
        (folder / "wrong.sv").write_text(text)
        built(call(folder, "iverilog", "-g2012", "-L", LIBRARY, "-mcountersink_golden", "-o",
                   "wrong.vvp", "wrong.sv"))
        found = call(folder, "vvp", "-M", LIBRARY, "-mcountersink_golden", "wrong.vvp").stdout
        if said not in found or "went on" in found:
            sys.exit(f"{call_}: {found}")


# Of the package: a call, and what is said of it; "": it is taken.
UNKNOWN = {"cs_golden_event(0, 7, 4'bx)": "cs_golden_event", "cs_golden_event(0, 7, 4'bz)": "cs_golden_event",
           "cs_golden_mode(0, {30'd0, 2'b1x})": "cs_golden_mode", "cs_golden_time(0, {63'd0, 1'bx})": "cs_golden_time",
           "value = cs_golden_access(0, 12'hb00, 2'bx0, 0)": "cs_golden_access",
           "value = cs_golden_predict(0, 12'bx)": "cs_golden_predict", "cs_follow_event(0, 7, 1'bx)": "cs_follow_event",
           "cs_follow_irq(0, 3'b1x0)": "cs_follow_irq", "cs_follow_mode(0, 2'bx)": "cs_follow_mode",
           "cs_follow_retire(0, 1, 32'bx, 4, 3, 0, 0, 0)": "cs_follow_retire",
           "cs_follow_retire(0, 1, 32'hb0351573, 4, 3, 0, 64'bx, 0)": "cs_follow_retire, rs1",
           "cs_follow_retire(0, 1, 32'hb0302573, 4, 3, 0, 0, 64'bx)": "cs_follow_retire, rd",
           "cs_follow_retire(0, 1, 32'h00a12023, 4, 3, 0, 64'bx, 64'bx)": "",  # a store
           "cs_follow_retire(0, 1, 32'hb0302573, 4, 3, 0, 64'bx, 7)": "", "cs_golden_event(0, 7, 15)": ""}


def dpi_refuses(folder):
    """Verilator knows no X, and Icarus no DPI: what is imported is empty here."""
    package = (GOLDEN / "countersink_golden_pkg.sv").read_text()
    package = re.sub(r'import "DPI-C"(?: \w+ =)? (function [^;]*;)', r"\1 endfunction", package)
    functions = re.search(r"package \w+;\n(.*)endpackage", package, re.S)[1].replace("chandle", "longint")
    functions = re.sub(r"^ *cs_\w+_to_\w+\([^;]*;", "", functions, flags=re.M) # Icarus 11 takes no function as a statement
    functions = re.sub(r"^    if \(cs_golden_try_step.*", "", functions, flags=re.M)
    for call_, name in UNKNOWN.items():
        (folder / "wrong.sv").write_text(f"module wrong;\n{functions}\n  longint unsigned value;\n  initial begin\n    {call_};\n"
                                         '    $display("went on");\n  end\nendmodule\n')
        built(call(folder, "iverilog", "-g2012", "-o", "wrong.vvp", "wrong.sv"))
        found = call(folder, "vvp", "wrong.vvp").stdout
        if ("went on" in found) != (name == "") or name != "" and f"{name}: found X or Z, expected numbers" not in found:
            sys.exit(f"{call_}: {found}")


def vpi(folder, design):
    vpi_refuses(folder)
    dpi_refuses(folder)
    built(call(folder, "iverilog", "-g2012", "-L", LIBRARY, "-mcountersink_golden", "-I", EXAMPLES,
               "-s", "tb_vpi", "-o", "tb.vvp", design, EXAMPLES / "tb_vpi.sv"))
    return errors_of(call(folder, "vvp", "-M", LIBRARY, "-mcountersink_golden", "tb.vvp"))


def dpi(folder, design):
    built(call(folder, "verilator", "--binary", "--timing", "-Wno-fatal", "-O0", "-Mdir", "obj",
               "--top-module", "tb_dpi", "-I" + str(EXAMPLES),
               GOLDEN / "countersink_golden_pkg.sv", design, EXAMPLES / "tb_dpi.sv", "-LDFLAGS",
               f"-L{LIBRARY} -lcountersink_golden -Wl,-rpath,{LIBRARY}", "-MAKEFLAGS",
               "OPT_FAST=-O0", "-o", "tb_dpi"))
    return errors_of(call(folder, "obj/tb_dpi"))


def for_icarus(file, folder):
    """A copy with always @*: tb/bus/cocotb/run.py says why."""
    copy = folder / file.name
    copy.write_text(file.read_text().replace("always_comb", "always @*"))
    return copy


def icarus(folder, counter):
    rtl = [counter if f.name == counter.name else f for f in sorted(
        (SOURCES / "src/rtl/hpm").glob("hpm*.sv"), key=lambda f: not f.stem.endswith("_pkg"))
        if f.stem != "hpm_unit"]
    copies = folder / "rtl"
    copies.mkdir()
    built(call(folder, "iverilog", "-g2012", "-L", LIBRARY, "-mcountersink_golden", "-s", "tb_hpm",
               "-o", "tb.vvp", *(for_icarus(f, copies) for f in rtl),
               SOURCES / "tb/golden/tb_hpm.sv"))
    return errors_of(call(folder, "vvp", "-M", LIBRARY, "-mcountersink_golden", "tb.vvp"))


def errors_of(result):
    last = re.search(r"^[23]0000 cycles, (\d+) errors$", result.stdout, re.M)
    if result.returncode != 0 or last is None:
        sys.exit(result.stdout[-2000:] + result.stderr)
    return int(last[1])


def python_refuses():
    """Numbers that ctypes would cut, and a second access in a cycle."""
    from countersink_golden import Golden
    for said, call_ in {"increment is -1": lambda g: g.event(7, -1), "event is 4294967303": lambda g: g.event(2**32 + 7, 1),
                        "csr is 4294968067": lambda g: g.access(2**32 + 0x303), "operand is -1": lambda g: g.access(0xb03, 1, -1),
                        "csr is -1": lambda g: g.predict(-1), "time is -1": lambda g: g.time(-1),
                        "one access per cycle": lambda g: (g.access(0xb03), g.access(0xb03), g.step())}.items():
        try:
            call_(Golden(counters=0x8))
            sys.exit(f"expected '{said}', and nothing was said")
        except ValueError as error:
            if said not in str(error):
                sys.exit(f"expected '{said}', found '{error}'")


def cocotb(folder, design):
    from cocotb.runner import get_results, get_runner

    os.environ["COUNTERSINK_GOLDEN"] = str(LIBRARY / "libcountersink_golden.so")
    sys.path[:0] = [str(EXAMPLES), str(GOLDEN)]
    python_refuses()
    copies = folder / "rtl"
    copies.mkdir()
    copy = for_icarus(design, copies)
    runner = get_runner("icarus")
    runner.build(verilog_sources=[copy], hdl_toplevel="small_counters", build_args=["-g2012"],
                 build_dir=folder, always=True, timescale=("1ns", "1ps"))
    results = runner.test(hdl_toplevel="small_counters", test_module="test_small_counters",
                          build_dir=folder, test_dir=folder)
    tests, failures = get_results(results)
    if tests != 1:
        sys.exit("no test was run")
    return failures


def main():
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    way = {"vpi": vpi, "dpi": dpi, "cocotb": cocotb, "icarus": icarus}[sys.argv[3]]
    design, fault = (COUNTER, COUNTER_FAULT) if way is icarus else (
        EXAMPLES / "small_counters.sv", FAULT)
    with tempfile.TemporaryDirectory() as good, tempfile.TemporaryDirectory() as bad:
        errors = way(pathlib.Path(good), design)
        if errors != 0:
            sys.exit(f"the design is right, and there are {errors} errors")
        spoiled = pathlib.Path(bad) / design.name
        text = design.read_text()
        if fault[0] not in text:
            sys.exit("the line of the fault is not there")
        spoiled.write_text(text.replace(*fault))
        errors = way(pathlib.Path(bad), spoiled)
        if errors == 0:
            sys.exit("a fault in the design is not found")
        print(f"right: 0 errors; with a fault: {errors}")


main()
