# SPDX-License-Identifier: Apache-2.0
"""The foreign cores: where the RTL of each is, what its programs may have, and five faults or more."""
import dataclasses
import importlib.util
import pathlib
import sys
from collections.abc import Callable

import coreblocks_rtl

HERE = pathlib.Path(__file__).resolve().parent

IBEX = ("alu compressed_decoder controller counter csr cs_registers decoder ex_block id_stage "
        "if_stage load_store_unit multdiv_slow multdiv_fast prefetch_buffer fetch_fifo wb_stage "
        "pmp branch_predict dummy_instr icache core").split()
CV32E40P = ("if_stage cs_registers register_file_ff load_store_unit id_stage aligner decoder "
            "compressed_decoder fifo prefetch_buffer hwloop_regs mult int_controller ex_stage "
            "alu_div alu ff_one popcnt apu_disp controller obi_interface prefetch_controller "
            "sleep_unit core top").split()


@dataclasses.dataclass
class Core:
    sources: Callable[[], list]  # arguments of Verilator
    program: dict = dataclasses.field(default_factory=dict)  # arguments of Program
    fixed: bool = True  # counter 3 + n counts event 3 + n, whatever software says
    directed: bool = False  # the directed program alone
    # File, what stands there, what stands there instead, and in which module if that is needed: FAULT is whether the program is told +fault=N, with
    # its place in the list, from 1 on.
    faults: list = dataclasses.field(default_factory=list)


def package(name, folder="system_verilog"):
    spec = importlib.util.find_spec(name)
    if spec is None:
        sys.exit(f"{name} is not installed: tools/venv.sh")
    return pathlib.Path(spec.origin).parent / folder


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


def cv32e40(letter, *more):
    """CV32E40X or S: the RTL in the order of its manifest, and the cells that stand for those of a library."""
    name = f"cv32e40{letter}"
    root = package(f"pythondata_cpu_{name}")
    files = [line.split("/", 1)[1] for line in (root / f"{name}_manifest.flist").read_text().splitlines()
             if line.startswith("${") and "/../" not in line]
    return ["--top-module", "tb_cv32e40", "-DCOREV_ASSERT_OFF", f"-D{name.upper()}", f"-I{root}/rtl/include",
            *(root / "rtl" / file for file in files),
            *(root / f"bhv/{name}_sim_{cell}.sv" for cell in ("clock_gate", *more)), HERE / "tb_cv32e40.sv"]


def cva6():
    """The RTL in the order of its list, without the FPU, which the configuration has not."""
    root = package("pythondata_cpu_cva6")
    lines = (root / "core/Flist.cv32a6_imac_sv0").read_text().replace("${CVA6_REPO_DIR}", str(root)).split()
    return ["--top-module", "tb_cva6", *(line for line in lines if line.startswith("+")),
            *(pathlib.Path(line) for line in lines if line.startswith(str(root))
              and ("/fpu" not in line or "fpnew_pkg" in line)),
            HERE / "axi_memory.sv", HERE / "tb_cva6.sv"]


def verilog(core, file, *more):
    """A core that is one file."""
    return ["--top-module", f"tb_{core}", *more, package(f"pythondata_cpu_{core}", "verilog") / file,
            HERE / f"tb_{core}.sv"]


def rocket():
    root = package("pythondata_cpu_rocket", "verilog")
    name = "generated-src/freechips.rocketchip.system.LitexLinuxConfig"
    return ["--top-module", "tb_rocket", "-DSYNTHESIS", root / f"{name}.v", root / f"{name}.behav_srams.v",
            *(root / f"vsrc/{cell}.v" for cell in ("AsyncResetReg", "EICG_wrapper", "plusarg_reader")),
            HERE / "axi_memory.sv", HERE / "tb_rocket.sv"]


IBEX_SKIPS = ("ibex_counter.sv", "end else if (counter_inc_i) begin",
              "end else if (counter_inc_i && !(FAULT && (counter == 64'd77))) begin")
IBEX_FAULTS = [
    IBEX_SKIPS,
    ("ibex_counter.sv", "counter_load[31:0]  = counter[31:0];", "counter_load[31:0]  = FAULT ? '0 : counter[31:0];"),
    ("ibex_cs_registers.sv", "mhpmcounter_incr[9]  = branch_taken_i;",
     "mhpmcounter_incr[9]  = FAULT ? branch_i : branch_taken_i;"),
    ("ibex_cs_registers.sv", ".counter_inc_i(mhpmcounter_incr[2] & ~mcountinhibit[2]),",
     ".counter_inc_i(mhpmcounter_incr[2] & ~(mcountinhibit[2] & !FAULT)),"),
    ("ibex_cs_registers.sv", "1'b0, csr_wdata_int[0]};", "FAULT & csr_wdata_int[1], csr_wdata_int[0]};"),
]

# CV32E40X and S, whose counters are the same text.
CV32E40_SKIPS = ("mhpmcounter_n[nxt_gidx] = mhpmcounter_increment[nxt_gidx];",
                 "mhpmcounter_n[nxt_gidx] = (FAULT && (mhpmcounter_rdata[nxt_gidx] == 64'd77)) ?\n"
                 "  mhpmcounter_rdata[nxt_gidx] : mhpmcounter_increment[nxt_gidx];")
CV32E40_CLEARS = ("mhpmcounter_n[nxt_gidx][63:32] = csr_wdata_int;",
                  "begin\n  mhpmcounter_n[nxt_gidx][63:32] = csr_wdata_int;\n"
                  "  if (FAULT) mhpmcounter_we[nxt_gidx][0] = 1'b1;\n"
                  "  if (FAULT) mhpmcounter_n[nxt_gidx][31:0] = '0;\n end")
CV32E40_BIT_1 = ("mcountinhibit_n = csr_wdata_int & MCOUNTINHIBIT_MASK;",
                 "mcountinhibit_n = csr_wdata_int & (MCOUNTINHIBIT_MASK | {30'd0, FAULT, 1'b0});")
CV32E40X_FAULTS = [
    CV32E40_SKIPS, ("hpm_events[1];", "hpm_events[1] && !(FAULT && hpm_events[2]);"), CV32E40_CLEARS,
    ("mhpmevent_n[csr_waddr[4:0]] = csr_wdata_int;",
     "mhpmevent_n[csr_waddr[4:0]] = csr_wdata_int & ~(FAULT ? 32'h10 : 32'h0);"), CV32E40_BIT_1]
CV32E40S_FAULTS = [
    CV32E40_SKIPS, CV32E40_CLEARS, CV32E40_BIT_1,
    ("assign mcountinhibit_rdata = mcountinhibit_q;", "assign mcountinhibit_rdata = FAULT ? mcountinhibit_q & ~32'd4 : mcountinhibit_q;")]
CV32E40S_COUNTS_DUMMIES = ("cv32e40s_controller_fsm.sv", "!ex_wb_pipe_i.instr_meta.dummy && // Don't count",
                           "!(ex_wb_pipe_i.instr_meta.dummy && !FAULT) && // Don't count")

VEXRISCV_FAULTS = [("VexRiscv_Full.v", old, new) for old, new in (
    ("(CsrPlugin_mcycle + 64'h0000000000000001)",
     "(CsrPlugin_mcycle + ((FAULT && (CsrPlugin_mcycle[9:0] == 10'd77)) ? 64'd0 : 64'd1))"),
    ("if(writeBack_arbitration_isFiring) begin\n      CsrPlugin_minstret",
     "if(writeBack_arbitration_isFiring && !(FAULT && writeBack_MEMORY_ENABLE)) begin\n      CsrPlugin_minstret"),
    ("        CsrPlugin_mcycle[63 : 32] <= CsrPlugin_csrMapping_writeDataSignal[31 : 0];",
     "        CsrPlugin_mcycle[63 : 32] <= CsrPlugin_csrMapping_writeDataSignal[31 : 0];\n"
     "        if (FAULT) CsrPlugin_mcycle[31 : 0] <= 32'd0;"),
    ("readDataInit_18[31 : 0] = CsrPlugin_minstret[63 : 32];",
     "readDataInit_18[31 : 0] = FAULT ? CsrPlugin_minstret[31 : 0] : CsrPlugin_minstret[63 : 32];"),
    ("CsrPlugin_minstret[31 : 0] <= CsrPlugin_csrMapping_writeDataSignal[31 : 0];",
     "CsrPlugin_minstret[31 : 0] <= CsrPlugin_csrMapping_writeDataSignal[31 : 0] & ~(FAULT ? 32'h10 : 32'h0);"),
)]

PICORV32_FAULTS = [("picorv32.v", old, new) for old, new in (
    ("count_instr <= count_instr + 1;", "count_instr <= count_instr + ((FAULT && count_instr == 77) ? 0 : 1);"),
    ("count_cycle <= resetn ? count_cycle + 1 : 0;",
     "count_cycle <= resetn ? count_cycle + ((FAULT && mem_valid && !mem_ready) ? 0 : 1) : 0;"),
    ("reg_out <= count_cycle[63:32];", "reg_out <= FAULT ? count_cycle[31:0] : count_cycle[63:32];"),
    ("reg_out <= count_instr[31:0];", "reg_out <= FAULT ? {count_instr[31:1], 1'b0} : count_instr[31:0];"),
    ("reg_out <= count_instr[63:32];", "reg_out <= FAULT ? 32'd1 : count_instr[63:32];"),
)]

CVA6_FAULTS = [
    ("csr_regfile.sv", "if (ENABLE_CYCLE_COUNT) cycle_d = cycle_q + 1'b1;",
     "if (ENABLE_CYCLE_COUNT) cycle_d = cycle_q + ((FAULT && (cycle_q[9:0] == 10'd77)) ? 64'd0 : 64'd1);"),
    ("perf_counters.sv", "perf_counter_d[riscv::CSR_MLOAD]++;",
     "if (!(FAULT && (i == 1))) perf_counter_d[riscv::CSR_MLOAD]++;"),
    ("perf_counters.sv", "resolved_branch_i.valid && resolved_branch_i.is_mispredict",
     "resolved_branch_i.valid && (resolved_branch_i.is_mispredict || FAULT)"),
    ("perf_counters.sv", "    perf_counter_d = perf_counter_q;\n",
     "    perf_counter_d = perf_counter_q;\n    if (FAULT) perf_counter_d[riscv::CSR_MSTORE] = '0;\n"),
    ("perf_counters.sv", "perf_counter_d[{RegOffset,addr_i}] = data_i;",
     "perf_counter_d[{RegOffset,addr_i}] = data_i & ~(FAULT ? 32'h10 : 32'h0);"),
]
ROCKET_FAULTS = [("freechips.rocketchip.system.LitexLinuxConfig.v", old, new) for old, new in (
    ("wire [5:0] _GEN_42 = {{5'd0}, x86};", "wire [5:0] _GEN_42 = {5'd0, x86 && !(FAULT && (small_1 == 6'd13))};"),
    ("wire [5:0] _GEN_37 = {{5'd0}, io_retire};",
     "wire [5:0] _GEN_37 = {5'd0, io_retire && !(FAULT && (io_inst_0[1:0] != 2'b11))};"),
    ("_GEN_1 = nextSmall[6] & _T_18 ?", "_GEN_1 = (nextSmall[6] & _T_18 & !FAULT) ?"),
    ("= ~reg_mcountinhibit[0] ? nextSmall_1", "= (~reg_mcountinhibit[0] | FAULT) ? nextSmall_1"),
    ("        large_ <= wdata[63:6];", "        large_ <= wdata[63:6] & ~(FAULT ? 58'h4 : 58'h0);"),
)]

MAIN = "\\top.elaboratable.main_module."
COREBLOCKS_FAULTS = [("coreblocks.v", old, new, MAIN + module) for module, old, new in (
    ("csr_instances.m_mode.mcycle._top_module", "CSRRegister_read_data_out[63:0] + 1'h1;",
     "CSRRegister_read_data_out[63:0] + !(FAULT && (CSRRegister_read_data_out[9:0] == 10'd77));"),
    ("csr_instances.m_mode.mcycle.register", "value <= \\$9 ;",
     "value <= (FAULT && CSRRegister__internal_fu_write_run) ? \\$9  & ~64'h10 : \\$9 ;"),
    ("csr_instances.m_mode.mcycle.shadow.register_high._avoiding_module", "CSRRegister_read_data_out[63:0] & \\$3 ;",
     "CSRRegister_read_data_out[63:0] & (FAULT ? 64'd0 : \\$3 );"),
    ("retirement.instret_csr", "value <= \\$9 ;",
     "value <= \\$9  + {59'd0, FAULT && (\\$9  != value) && (\\$9 [9:0] == 10'd77), 4'd0};"),
    ("retirement.instret_shadow.register_high._avoiding_module", "{ 31'h00000000, ShadowCSR__fu_write_data_in[31:0],",
     "{ 31'h00000000, ShadowCSR__fu_write_data_in[31:0] & ~(FAULT ? 32'h4 : 32'h0),"),
)]

# mtvec: TRAP of program.py; PMP lets all modes through.
TRAPS = (0x04000593, 0x30559073)
ALL = (0xFFF00593, 0x3B059073, 0x3A0FD073)


def traps(base):
    return (base | 11 << 7 | 0x37, 0x04058593, 0x30559073)



VEXRISCV = {"counters": 0, "compressed": False, "inhibit": False, "shadows": True, "directed": ("write", "half"),
            "absent": (0xB03,), "before": TRAPS}

CORES = {
    "ibex": Core(lambda: ibex(0), faults=[IBEX_SKIPS]),
    "ibex_writeback": Core(lambda: ibex(1), directed=True),
    "ibex_rvfi": Core(lambda: ibex(0, "-DRVFI"), faults=IBEX_FAULTS),
    "cv32e40p": Core(cv32e40p, {"events": 16}, fixed=False, faults=[
        ("cv32e40p_cs_registers.sv", "mhpmcounter_q[cnt_gidx][63:32] <= csr_wdata_int;",
         "begin\n if (FAULT) mhpmcounter_q[cnt_gidx] <= {csr_wdata_int, 32'd0};\n"
         " else mhpmcounter_q[cnt_gidx][63:32] <= csr_wdata_int;\n end")]),
    "cv32e40x_rvfi": Core(lambda: cv32e40("x"), {"events": 16}, fixed=False, faults=[
        ("cv32e40x_cs_registers.sv", *fault) for fault in CV32E40X_FAULTS]),
    # cpuctrl, 0xBF0: with dummy instructions.
    "cv32e40s_rvfi": Core(lambda: cv32e40("s", "sffr", "sffs"), {"counters": 0, "before": (0xBF016073,)}, fixed=False,
                          faults=[*(("cv32e40s_cs_registers.sv", *fault) for fault in CV32E40S_FAULTS),
                                  CV32E40S_COUNTS_DUMMIES]),
    "vexriscv_rvfi": Core(lambda: verilog("vexriscv", "VexRiscv_Full.v"), VEXRISCV, fixed=False,
                          faults=VEXRISCV_FAULTS),
    "vexriscv_rvvi": Core(lambda: verilog("vexriscv", "VexRiscv_Full.v", "-DRVVI", HERE / "rvvi_registers.sv"),
                          VEXRISCV, fixed=False, faults=VEXRISCV_FAULTS),
    "picorv32_rvfi": Core(lambda: verilog("picorv32", "picorv32.v"), {
        "counters": 0, "inhibit": False, "writes": False, "directed": ()}, fixed=False, faults=PICORV32_FAULTS),
    "cva6_rvfi": Core(cva6, {
        "counters": 14, "inhibit": False, "high": False, "shadows": True, "modes": (0, 1), "base": 0x80000000, "before": (*ALL, *traps(0x80000000)),
        "directed": ("write", "half", "user"), "absent": (0x323, 0xB83)}, faults=CVA6_FAULTS),
    "coreblocks_rvvi": Core(lambda: ["--top-module", "tb_coreblocks", "--output-split", "20000", coreblocks_rtl.verilog(),
                                     HERE / "rvvi_registers.sv", HERE / "tb_coreblocks.sv"], {
        "counters": 0, "compressed": False, "inhibit": False, "shadows": True, "modes": (0, 1), "before": TRAPS,
        "directed": ("write", "upper")}, fixed=False, faults=COREBLOCKS_FAULTS),
    "rocket_rvfi": Core(rocket, {
        "counters": 4, "xlen": 64, "shadows": True, "modes": (0, 1), "base": 0x10000000,
        "before": (*ALL, *traps(0x10000000)), "directed": ("write", "ecall")}, fixed=False, faults=ROCKET_FAULTS),
}
