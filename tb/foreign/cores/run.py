#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Foreign cores run random programs, and the golden counter block predicts their counters. Then once
more with a fault in the core, which has to be found.

    run.py SOURCES LIBRARY_FOLDER WORK (ibex | ibex_writeback | ibex_rvfi | cv32e40p | cv32e40x_rvfi)
        [PROGRAMS [COUNTERSINK]]

.._rvfi: at instructions, by what the core reports of them. With COUNTERSINK `follow` reads the same from a file, and
has to find the same.

The RTL comes from the Python packages pythondata-cpu-ibex, -cv32e40p and -cv32e40x. Each core's
differences are those of differences.txt and no others; docs/verification.md tells what they are.
"""
import importlib.util
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES, LIBRARY, WORK = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
CORE = sys.argv[4]
RVFI = CORE.endswith("_rvfi")
PROGRAMS = int(sys.argv[5]) if len(sys.argv) > 5 else 20
COMMAND = sys.argv[6] if len(sys.argv) > 6 else None
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from program import Program  # noqa: E402

IBEX = ("alu compressed_decoder controller counter csr cs_registers decoder ex_block id_stage "
        "if_stage load_store_unit multdiv_slow multdiv_fast prefetch_buffer fetch_fifo wb_stage "
        "pmp branch_predict dummy_instr icache core").split()
CV32E40P = ("if_stage cs_registers register_file_ff load_store_unit id_stage aligner decoder "
            "compressed_decoder fifo prefetch_buffer hwloop_regs mult int_controller ex_stage "
            "alu_div alu ff_one popcnt apu_disp controller obi_interface prefetch_controller "
            "sleep_unit core top").split()


def package(name):
    spec = importlib.util.find_spec(name)
    if spec is None:
        sys.exit(f"{name} is not installed: tools/venv.sh")
    return pathlib.Path(spec.origin).parent / "system_verilog"


def ibex(writeback, *more):
    root = package("pythondata_cpu_ibex")
    ip = root / "vendor/lowrisc_ip"
    return ["--top-module", "tb_ibex", f"-GWritebackStage={writeback}", "-DSYNTHESIS", *more,
            f"-I{ip}/dv/sv/dv_utils", f"-I{ip}/ip/prim/rtl", root / "rtl/ibex_pkg.sv",
            ip / "ip/prim/rtl/prim_ram_1p_pkg.sv", ip / "ip/prim/rtl/prim_secded_pkg.sv",
            ip / "ip/prim/rtl/prim_cipher_pkg.sv", ip / "ip/prim_generic/rtl/prim_generic_buf.sv",
            root / "dv/uvm/core_ibex/common/prim/prim_pkg.sv",
            root / "dv/uvm/core_ibex/common/prim/prim_buf.sv",
            *(root / f"rtl/ibex_{name}.sv" for name in IBEX), HERE / "tb_ibex.sv"]


def cv32e40p():
    root = package("pythondata_cpu_cv32e40p")
    return ["--top-module", "tb_cv32e40p", f"-I{root}/rtl/include",
            *(root / f"rtl/include/cv32e40p_{name}_pkg.sv" for name in ("apu_core", "fpu")),
            root / "rtl/include/cv32e40p_pkg.sv",
            *(root / f"rtl/cv32e40p_{name}.sv" for name in CV32E40P),
            root / "bhv/cv32e40p_sim_clock_gate.sv", HERE / "tb_cv32e40p.sv"]


def cv32e40x():
    """The RTL in the order of its manifest, and the cell that gates its clock."""
    root = package("pythondata_cpu_cv32e40x")
    names = [line.split("/", 1)[1] for line in (root / "cv32e40x_manifest.flist").read_text().splitlines()
             if line.startswith("${") and "/../" not in line]
    return ["--top-module", "tb_cv32e40x", "-DCOREV_ASSERT_OFF", f"-I{root}/rtl/include",
            *(root / "rtl" / name for name in names), root / "bhv/cv32e40x_sim_clock_gate.sv",
            HERE / "tb_cv32e40x.sv"]


CORES = {
    "ibex": (lambda: ibex(0), {}),
    "ibex_writeback": (lambda: ibex(1), None),  # the directed program alone
    "ibex_rvfi": (lambda: ibex(0, "-DRVFI"), {}),
    "cv32e40p": (cv32e40p, {"events": 16}),
    "cv32e40x_rvfi": (cv32e40x, {"events": 16}),
}


# By core: file, what stands there, and what stands there instead; there FAULT is whether the program is told
# +fault=N, with its place in the list, from 1 on.
SKIPS = ("ibex_counter.sv", "end else if (counter_inc_i) begin",
         "end else if (counter_inc_i && !(FAULT && (counter == 64'd77))) begin")
FAULTS = {
    "ibex": [SKIPS],
    "ibex_rvfi": [
        SKIPS,
        ("ibex_counter.sv", "counter_load[31:0]  = counter[31:0];", "counter_load[31:0]  = FAULT ? '0 : counter[31:0];"),
        ("ibex_cs_registers.sv", "mhpmcounter_incr[9]  = branch_taken_i;",
         "mhpmcounter_incr[9]  = FAULT ? branch_i : branch_taken_i;"),
        ("ibex_cs_registers.sv", ".counter_inc_i(mhpmcounter_incr[2] & ~mcountinhibit[2]),",
         ".counter_inc_i(mhpmcounter_incr[2] & ~(mcountinhibit[2] & !FAULT)),"),
        ("ibex_cs_registers.sv", "1'b0, csr_wdata_int[0]};", "FAULT & csr_wdata_int[1], csr_wdata_int[0]};"),
    ],
    "cv32e40x_rvfi": [
        ("cv32e40x_cs_registers.sv", "mhpmcounter_n[nxt_gidx] = mhpmcounter_increment[nxt_gidx];",
         "mhpmcounter_n[nxt_gidx] = (FAULT && (mhpmcounter_rdata[nxt_gidx] == 64'd77)) ?\n"
         "  mhpmcounter_rdata[nxt_gidx] : mhpmcounter_increment[nxt_gidx];"),
        ("cv32e40x_cs_registers.sv", "hpm_events[1];", "hpm_events[1] && !(FAULT && hpm_events[2]);"),
        ("cv32e40x_cs_registers.sv", "mhpmcounter_n[nxt_gidx][63:32] = csr_wdata_int;",
         "begin\n  mhpmcounter_n[nxt_gidx][63:32] = csr_wdata_int;\n"
         "  if (FAULT) mhpmcounter_we[nxt_gidx][0] = 1'b1;\n"
         "  if (FAULT) mhpmcounter_n[nxt_gidx][31:0] = '0;\n end"),
        ("cv32e40x_cs_registers.sv", "mhpmevent_n[csr_waddr[4:0]] = csr_wdata_int;",
         "mhpmevent_n[csr_waddr[4:0]] = csr_wdata_int & ~(FAULT ? 32'h10 : 32'h0);"),
        ("cv32e40x_cs_registers.sv", "mcountinhibit_n = csr_wdata_int & MCOUNTINHIBIT_MASK;",
         "mcountinhibit_n = csr_wdata_int & (MCOUNTINHIBIT_MASK | {30'd0, FAULT, 1'b0});"),
    ],
    "cv32e40p": [("cv32e40p_cs_registers.sv", "mhpmcounter_q[cnt_gidx][63:32] <= csr_wdata_int;",
                  "begin\n if (FAULT) mhpmcounter_q[cnt_gidx] <= {csr_wdata_int, 32'd0};\n"
                  " else mhpmcounter_q[cnt_gidx][63:32] <= csr_wdata_int;\n end")],
}
HEADER_ENDS = "\n);\n"
DECLARATION = '  int cs_fault; initial if (!$value$plusargs("fault=%d", cs_fault)) cs_fault = 0;\n'


def spoiled(arguments, work):
    """The core with its faults, so that it is built once for all."""
    out = []
    for argument in arguments:
        name = pathlib.Path(argument).name
        faults = [(n, old, new) for n, (file, old, new) in enumerate(FAULTS.get(CORE, []), 1) if file == name]
        if faults:
            text = argument.read_text()
            argument = work / name
            for number, old, new in faults:
                if text.count(old) != 1:
                    sys.exit(f"{name}: the place of fault {number} is not there once")
                text = text.replace(old, new.replace("FAULT", f"(cs_fault == {number})"))
            at = text.index(HEADER_ENDS) + len(HEADER_ENDS)
            argument.write_text(text[:at] + DECLARATION + text[at:])
        out.append(argument)
    return out


def build(work):
    work.mkdir(parents=True, exist_ok=True)
    arguments = spoiled(CORES[CORE][0](), work)
    command = ["verilator", "--binary", "--timing", "-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style",
               "-Wno-UNOPTFLAT", "-Wno-BLKANDNBLK", "--x-assign", "0", "--x-initial", "0", "-Mdir", work / "obj",
               SOURCES / "src/golden/hpm/countersink_golden_pkg.sv", *arguments,
               HERE / "core_memory.sv", HERE / f"{'rvfi' if RVFI else 'golden'}_watch.sv", "-LDFLAGS",
               f"-L{LIBRARY} -lcountersink_golden -Wl,-rpath,{LIBRARY}", "-MAKEFLAGS",
               "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "-o", "tb"]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if result.returncode != 0:
        lines = (result.stdout + result.stderr).splitlines()
        sys.exit("\n".join([line for line in lines if "rror" in line][:20]))
    return work / "obj/tb"


def wanted():
    """What differs, and why: rows of what, after what, which CSRs, reason."""
    rows = []
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            core, what, after, pattern, reason = line.split(None, 4)
            if core == CORE:
                rows.append((what, after, re.compile(pattern), reason))
    return rows


def run(program, name, *more):
    """The figures of a program, and its lines of differences."""
    result = subprocess.run([program, f"+program={name}", *(["+fixed"] if "events" not in (CORES[CORE][1] or {}) else []), *more], capture_output=True, text=True)
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
    what, number, after = re.search(r": (\w+) (0x\w+) after ([\w ]*): core", line).groups()
    for row in rows:
        if (row[0], row[1]) == (what, after.replace(" ", "") or "nothing") and row[2].fullmatch(number):
            return row[3]
    return None


def main():
    work = WORK / CORE
    program = build(work)
    rows, met, totals = wanted(), {}, [0, 0, 0]
    directed = CORES[CORE][1] is None
    programs = 1 if directed else PROGRAMS
    for seed in range(programs + 1):  # the first one is the directed program
        name = work / f"{seed}.hex"
        name.write_text(Program(seed, **(CORES[CORE][1] or {})).text(directed=directed or seed == 0))
        figures, lines = run(program, name)
        totals = [a + b for a, b in zip(totals, figures)]
        for line in lines:
            reason = reason_of(line, rows)
            if reason is None:
                sys.exit(f"program {seed}, which is not in differences.txt: {line}")
            met[reason] = met.get(reason, 0) + 1
    print(f"{CORE}: {programs + 1} programs, {totals[0]} {'instructions' if RVFI else 'cycles'}, {totals[1]} CSR instructions, "
          f"{totals[2]} differences")
    for reason, count in met.items():
        print(f"  {count} times: {reason}")
    for row in rows:
        if row[3] not in met:
            sys.exit(f"a row of differences.txt is not met: {row[3]}")
    for number, (file, _, new) in enumerate(FAULTS.get(CORE, []), 1):
        seeds = range(1, 6)
        found = [lines for seed in seeds if (lines := run(program, work / f"{seed}.hex", f"+fault={number}")[1])]
        if not found:
            sys.exit(f"fault {number} in the core is not found: {file}: {new}")
        print(f"  with fault {number} in {file}: differences in {len(found)} of {len(seeds)} programs: {found[0][0]}")
        if COMMAND:
            hold_command(program, work / "1.hex", number)
    if COMMAND:
        hold_command(program, work / "1.hex", 0)


main()
