# SPDX-License-Identifier: Apache-2.0
"""Faults in the designs of the tests of compare-unit. All of a design's are in the same files, which are
verilated once: the environment says which of them is there, and otherwise none is.
"""
import os
import pathlib
import re

from unit_case import CACHE, COLLECTOR, CORE, EXAMPLES, HART, IOMMU, MONITOR, POSTER, SAMPLER

# By design: its files, and what is changed in them: file, what it says once, and what it says instead. There
# FAULT_name is whether that fault is there.
DESIGNS = {
    "hart": (HART, [
        ("hpm_lcofi.sv", "write_mip ? wdata_i : mip;", "write_mip ? wdata_i : FAULT_pending ? mip_q : mip;"),
        ("hpm_window.sv", "(index_o == 5'd1) ||", "(index_o == (FAULT_index ? 5'd3 : 5'd1)) ||"),
        ("hpm_counter.sv", "    if (!rst_ni) begin\n      event_q  <= '0;\n",
         "    if (!rst_ni) begin\n      if (!FAULT_reset) event_q <= '0;\n"),
        # Made by somebody who had not seen the programs, as those of the core and the monitor below.
        ("hpm_counter.sv", "carries(value_q, add(value_q, inc_i), mask)) begin",
         "carries(value_q, add(value_q, FAULT_carry ? {1'b0, inc_i[2:0]} : inc_i), mask)) begin"),
        ("hpm_counter.sv", "            of_q      <= 1'b1;",
         "            of_q      <= !(FAULT_beside && write_setup_i[1]) || wdata_i[63];"),
        ("hpm.sv", "inhibit_q <= (inhibit_q & ~delegated) |",
         "inhibit_q <= (FAULT_others ? 32'd0 : inhibit_q & ~delegated) |"),
        ("hpm_counter.sv", "virt ? !filter[0] : !filter[2];",
         "virt ? !(filter[0] || (FAULT_uinh && filter[2])) : !filter[2];"),
        ("hpm.sv", "if (halves[1]) cde_q", "if (halves[1] || FAULT_low) cde_q"),
        ("hpm_lcofi.sv", "way[latency_i];",
         "way[(FAULT_longest && (latency_i == 5'd31)) ? 5'd30 : latency_i];"),
        ("hpm.sv", "v_i ? time_i + htimedelta_q : time_i;",
         "v_i ? (FAULT_time ? {time_i[63:32] + htimedelta_q[63:32],\n"
         "                     time_i[31:0] + htimedelta_q[31:0]} : time_i + htimedelta_q) : time_i;"),
    ]),
    "core": (CORE, [
        ("corepmu.sv", "    if (!rst_ni) begin\n      enable_q     <= '0;\n",
         "    if (!rst_ni) begin\n      if (!FAULT_reset) enable_q <= '0;\n"),
        ("corepmu.sv", "    end else if (offline_i) begin\n      enable_q     <= '0;\n      int_enable_q <= '0;",
         "    end else if (offline_i) begin\n      enable_q     <= '0;\n"
         "      if (!FAULT_offline) int_enable_q <= '0;"),
        ("corepmu.sv", "{NrCounter{wdata[1]}} & visible[NrCounter-1:0]};",
         "{NrCounter{wdata[1]}} & (FAULT_guest ? exists[NrCounter-1:0] : visible[NrCounter-1:0])};"),
        ("corepmu.sv", "assign capture_o = read && at_pmpcsr;",
         "assign capture_o = (read || (FAULT_refused && reg_en_i && !reg_write_i && locked_i)) && at_pmpcsr;"),
        ("corepmu_counters.sv", "(high[49*n +: 49] == '1)",
         "((high[49*n +: 48] == '1) && (FAULT_wide || high[49*n+48]))"),
    ]),
    "sampler": (SAMPLER, [
        ("pmcu_engine.sv", "bresp_i != 2'd0", "FAULT_response ? bresp_i == 2'd3 : bresp_i != 2'd0"),
        ("pmcu_regs.sv", "(int_stat_q & ~int_clr) | {broken_i, done_i};",
         "FAULT_interrupt ? (int_stat_q | {broken_i, done_i}) & ~int_clr\n"
         "                                    : (int_stat_q & ~int_clr) | {broken_i, done_i};"),
        ("pmcu_regs.sv", "      event_base_q <= '0;\n      kill_base_q  <= '0;\n",
         "      event_base_q <= '0;\n      if (!FAULT_reset) kill_base_q <= '0;\n"),
        ("pmcu_regs.sv", "      wait_cnt_q   <= pmcu_regs_pkg::WAIT_CNT_RESET;\n      comp_q       <= 1'b0;\n",
         "      wait_cnt_q   <= pmcu_regs_pkg::WAIT_CNT_RESET;\n      if (!FAULT_second) comp_q <= 1'b0;\n"),
        ("pmcu_regs.sv", "  logic        comp_q;", "  logic        comp_q;\n  initial if (FAULT_second) comp_q = '0;"),
    ]),
    "monitor": (MONITOR, [
        ("uncore_counter.sv", "if (overflow_o)        flag_q",
         "if (overflow_o && !(FAULT_flag && flag_clear_i)) flag_q"),
        ("uncore_counter.sv", "wdata_i[63:32] & mask_i[63:32]",
         "FAULT_width ? wdata_i[63:32] : wdata_i[63:32] & mask_i[63:32]"),
        ("uncore_counter.sv", "      value_q <= '0;\n      flag_q  <= 1'b0;\n",
         "      value_q <= '0;\n      if (!FAULT_reset) flag_q <= 1'b0;\n"),
        ("uncore.sv", "if (freeze_q && (overflow != '0))",
         "if (freeze_q && !(FAULT_freeze && write_ctl) && (overflow != '0))"),
        ("uncore.sv", "write[half] && exists[n] && (register == Mask",
         "(FAULT_half ? write[0] : write[half]) && exists[n] && (register == Mask"),
        ("uncore.sv", "      freeze_q <= 1'b0;\n      ie_q     <= '0;\n",
         "      freeze_q <= 1'b0;\n      if (!FAULT_second) ie_q <= '0;\n"),
        ("uncore.sv", "ie_q, on_q, flags;", "ie_q, on_q, flags;\n  initial if (FAULT_second) ie_q = '0;"),
        ("uncore.sv", "(overflow != '0)) en_q", "((overflow & ~(FAULT_again ? flags : '0)) != '0)) en_q"),
        ("uncore.sv", "wdata[NrCounter-1:0] & exists;",
         "wdata[NrCounter-1:0] & (exists | {NrCounter{FAULT_absent}});"),
        ("uncore.sv", "if (write[0] && exists[n] && (register == Select",
         "if ((write[0] || (FAULT_high && write[1])) && exists[n] && (register == Select"),
    ]),
    "iommu": (IOMMU, [
        ("iommu_hpm_filter.sv", "~(did_gscid_i ^ (did_gscid_i + 24'd1))",
         "~((did_gscid_i ^ (did_gscid_i + 24'd1)) >> FAULT_dmask)"),
        ("iommu_hpm_filter.sv", "idt_i ? gscv_i[r] : 1'b1;", "(idt_i && !FAULT_guest) ? gscv_i[r] : 1'b1;"),
        ("iommu_hpm_filter.sv", "(event_i == 4'd7) || (event_i == 4'd8);",
         "(event_i == 4'd7) || (event_i == 4'd8) || (FAULT_event && (event_i == 4'd5));"),
        ("iommu_hpm.sv", "if ((wrap & ~of_q) != '0)",
         "if (((wrap & ~(of_q & ~{NrCounter+1{FAULT_sticky}})) != '0))"),
        ("iommu_hpm.sv", "(register == OvfInh)) inhibit_q", "(register == OvfInh) && !(FAULT_inhibit && pmip_q)) inhibit_q"),
    ]),
    "collector": (COLLECTOR, [
        ("imc_window.sv", "thread_q <= event_vtid_i & last_thread;",
         "thread_q <= FAULT_thread ? event_vtid_i : event_vtid_i & last_thread;"),
        ("imc_cpmc.sv", ">= 5'd16", ">= (FAULT_carry ? 5'd17 : 5'd16)"),
        ("imc_cpmc.sv", "if (zero_i && !trace_i)", "if (zero_i && (!trace_i || FAULT_zero))"),
        ("imc_trace.sv", "assign dropped_o = put_i && waits_q && !take_i;",
         "assign dropped_o = put_i && waits_q && (!take_i || FAULT_dropped);"),
        ("imc_trace.sv", "if (put_data_i[62]) index_q", "if (FAULT_index ? put_data_i[63] : put_data_i[62]) index_q"),
        ("imc_post.sv", "{1'b0, nr_thread_i[2:1]});",
         "(FAULT_split ? {2'd0, nr_thread_i[2]} : {1'b0, nr_thread_i[2:1]}));"),
        ("imc_post.sv", "assign load   = end_i && empty;", "assign load   = end_i && (empty || FAULT_load);"),
        ("imc_writer.sv", "(2'(t) >= next_q)", "(FAULT_next ? 2'(t) > next_q : 2'(t) >= next_q)"),
        ("imc_core.sv", "if (post_lost)   ", "if (post_lost && !(FAULT_timeout && write))   "),
        ("imc_core.sv", "reg_wdata_i[FirAckDead]", "reg_wdata_i[FAULT_fir ? FirAddrErr : FirAckDead]"),
        ("imc_writer.sv", "      next_q   <= '0;\n      number_q <= '0;\n",
         "      next_q   <= '0;\n      if (!FAULT_reset && !FAULT_second) number_q <= '0;\n"),
        ("imc_writer.sv", "[NrThread*32-1:0] number_q;",
         "[NrThread*32-1:0] number_q;\n  initial if (FAULT_second) number_q = '0;"),
    ]),
    "poster": (POSTER, [
        ("nest_control.sv", "    if (speed_fails)       status_of", "    if (FAULT_status ? mode_fails : speed_fails) status_of"),
        ("nest_control.sv", "    else if (mode_fails)   status_of",
         "    else if (FAULT_status ? speed_fails : mode_fails) status_of"),
        ("nest_control.sv", "assign forget_o       = decide_i && pause;",
         "assign forget_o       = decide_i && pause && !FAULT_forget;"),
        ("nest_control.sv", "(epoch4_q == 2'd2)", "(epoch4_q == (FAULT_epoch ? 2'd1 : 2'd2))"),
        ("nest_control.sv", "kind == 3'd6, kind == 3'd7}", "kind == 3'd6, FAULT_kind ? kind >= 3'd6 : kind == 3'd7}"),
        ("nest_ticker.sv", "if (take_i && !comes) ", "if (take_i && (!comes || FAULT_tick)) "),
        ("nest_counter.sv", "value_q <= (value_q & Lower) + Bits'(inc_i);",
         "value_q <= (value_q & Lower) + (FAULT_step ? '0 : Bits'(inc_i));"),
        ("nest_engine.sv", "(burst_q == LastClean) ? ShortBeats", "(burst_q == (FAULT_burst ? 5'd13 : LastClean)) ? ShortBeats"),
        ("nest_control.sv", "      ring_q         <= '0;\n      delay_q        <= '0;\n",
         "      ring_q         <= '0;\n      if (!FAULT_reset && !FAULT_second) delay_q <= '0;\n"),
        ("nest_control.sv", "[27:0] delay_q;", "[27:0] delay_q;\n  initial if (FAULT_second) delay_q = '0;"),
    ]),
    "listed_events": ([EXAMPLES / "listed_events.sv"], [
        ("listed_events.sv", "assign listed = (csr_wdata[15:6] == '0) && Listed[csr_wdata[5:0]];",
         "assign listed = ((csr_wdata[15:6] == '0) || FAULT_high) && Listed[csr_wdata[5:0]] &&\n"
         "                  !(FAULT_two && (csr_wdata[5:0] == 6'd2));"), # event 64 is event 0; event 2 is none
        ("listed_events.sv", "not_in_m[n] <= csr_wdata[62];", "if (listed || !FAULT_mode) not_in_m[n] <= csr_wdata[62];"),
        ("listed_events.sv", "(carry[n] && !overflow[n])", "(carry[n] && !overflow[n] && !(FAULT_carry && csr_we))"),
    ]),
    "event_sums": ([EXAMPLES / "event_sums.sv"], [
        ("event_sums.sv", "if (chosen[n-1]) sum", "if (chosen[n-1] && !(FAULT_last && (n == 10))) sum"),
        ("event_sums.sv", "carry = sum[24] &&", "carry = sum[24] && !(FAULT_carry && happens[10][3]) &&"),
    ]),
}
# By design: made by somebody who had not seen the programs.
UNSEEN = {"hart": ("carry", "beside", "others", "uinh", "low", "longest", "time"),
          "core": ("guest", "refused", "wide"), "monitor": ("again", "absent", "high")}
VARIABLE = "CS_FAULT"
HEADER_ENDS = "\n);\n"
# As tools/faults/faults.py has it: a variable, which no optimisation sees through. It is not in waves.
DECLARATION = ("\n  /* verilator tracing_off */ int cs_fault; /* verilator tracing_on */ initial cs_fault = $c32(\"(std::getenv(\\\"" + VARIABLE + "\\\") ? "
               "std::atoi(std::getenv(\\\"" + VARIABLE + "\\\")) : 0)\");")


def names_of(design):
    """The faults, in the order of their numbers, which begin with 1."""
    return list(dict.fromkeys(re.findall(r"FAULT_(\w+)", "".join(new for _, _, new in DESIGNS[design][1]))))


def put(path, text):
    """Where the file is kept: what is verilated has its name in it. Another test may write it, too."""
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text(text)
        part.replace(path)
    return path


def files_of(design):
    """The design with its faults in it."""
    files, changes = DESIGNS[design]
    texts = {pathlib.Path(file): pathlib.Path(file).read_text() for file in files}
    paths = {path.name: path for path in texts}
    numbers = {name: number for number, name in enumerate(names_of(design), 1)}
    for name, old, new in changes:
        path = paths[name]
        if texts[path].count(old) != 1:
            raise ValueError(f"{name}: '{old}' is there {texts[path].count(old)} times")
        texts[path] = texts[path].replace(old, re.sub(
            r"FAULT_(\w+)", lambda match: f"(cs_fault == {numbers[match[1]]})", new))
    changed = {name for name, _, _ in changes}
    out = []
    for path, text in texts.items():
        if path.name in changed:
            at = text.index(HEADER_ENDS) + len(HEADER_ENDS) - 1
            path = put(CACHE / "faulty" / design / path.name, text[:at] + DECLARATION + text[at:])
        out.append(path)
    return out


def environment_of(design, name):
    """In which it has that fault; None: no fault."""
    return {VARIABLE: str(names_of(design).index(name) + 1) if name else "0"}
