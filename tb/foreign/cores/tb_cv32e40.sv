// SPDX-License-Identifier: Apache-2.0
// CV32E40X, and with -DCV32E40S that core, followed at instructions: what leaves the last stage. (Verilator 5.006 does
// not take the module that makes RVFI of that.) A CSR is read in the stage before the one in which it is written, so a
// read may lack what its counter counts in the cycle between. CV32E40S has mcycle and minstret alone, and puts dummy
// instructions between those of the program, which no counter may count.
`ifdef CV32E40S
`define CORE cv32e40s_core #(.LFSR0_CFG (Random), .LFSR1_CFG (Random), .LFSR2_CFG (Random))
`define DUMMY u_core.wb_stage_i.ex_wb_pipe_i.instr_meta.dummy
`define SETTINGS "xlen=32 modes=1 counters=0 width=64"
`define NR_EVENT 1
`define EVENTS '0
`else
`define CORE cv32e40x_core #(.NUM_MHPMCOUNTERS (10))
`define DUMMY 1'b0
`define SETTINGS "xlen=32 modes=0 counters=0x1ff8 width=64 event_set=2"
`define NR_EVENT 14
`define EVENTS u_core.cs_registers_i.hpm_events[15:2]
`endif

module tb_cv32e40;

`include "obi_bench.svh"

`ifdef CV32E40S
  localparam cv32e40s_pkg::lfsr_cfg_t Random = '{coeffs: 32'h8000_0057, default_seed: 32'hACE1_1234};
`else
  if_xif no_extension ();
`endif

  `CORE u_core (
`ifdef CV32E40S
    .instr_reqpar_o (), .instr_gntpar_i (!instr_gnt), .instr_rvalidpar_i (!instr_rvalid), .instr_achk_o (),
    .instr_rchk_i ('0), .data_reqpar_o (), .data_gntpar_i (!data_gnt), .data_rvalidpar_i (!data_rvalid),
    .data_achk_o (), .data_rchk_i ('0), .alert_minor_o (), .alert_major_o (),
`else
    .data_atop_o (), .data_exokay_i (1'b0),
    .xif_compressed_if (no_extension), .xif_issue_if (no_extension), .xif_commit_if (no_extension),
    .xif_mem_if (no_extension), .xif_mem_result_if (no_extension), .xif_result_if (no_extension),
`endif
    .clk_i (clk), .rst_ni (rst_n), .scan_cg_en_i (1'b0), .boot_addr_i (32'h80), .mtvec_addr_i ('0),
    .dm_halt_addr_i ('0), .mhartid_i ('0), .mimpid_patch_i ('0), .dm_exception_addr_i ('0),
    .instr_req_o (instr_req), .instr_gnt_i (instr_gnt), .instr_rvalid_i (instr_rvalid),
    .instr_addr_o (instr_addr), .instr_memtype_o (), .instr_prot_o (), .instr_dbg_o (),
    .instr_rdata_i (instr_rdata), .instr_err_i (1'b0),
    .data_req_o (data_req), .data_gnt_i (data_gnt), .data_rvalid_i (data_rvalid),
    .data_we_o (data_we), .data_be_o (data_be), .data_addr_o (data_addr), .data_memtype_o (),
    .data_prot_o (), .data_dbg_o (), .data_wdata_o (data_wdata), .data_rdata_i (data_rdata),
    .data_err_i (1'b0), .mcycle_o (),
    .irq_i ('0), .wu_wfe_i (1'b0), .clic_irq_i (1'b0), .clic_irq_id_i ('0),
    .clic_irq_level_i ('0), .clic_irq_priv_i ('0), .clic_irq_shv_i (1'b0),
    .fencei_flush_req_o (), .fencei_flush_ack_i (1'b1), .debug_req_i (1'b0),
    .debug_havereset_o (), .debug_running_o (), .debug_halted_o (), .fetch_enable_i (1'b1),
    .core_sleep_o ()
  );

  // The last stage; its instruction, also one that is compressed, with the operand of a CSR instruction.
  logic        valid;
  logic [63:0] order = '0;
  assign valid = u_core.wb_stage_i.wb_valid_o && !`DUMMY &&
                 (u_core.wb_stage_i.last_op_o || u_core.wb_stage_i.abort_op_o);
  always @(posedge clk) if (valid) order <= order + 64'd1;

  rvfi_watch #(
    .NrEvent (`NR_EVENT), .Lag (0), .Behind (1)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended), .settings_i (`SETTINGS),
    .inhibit_i (u_core.cs_registers_i.mcountinhibit_q), .events_i (`EVENTS),
    .valid_i (valid), .order_i (order),
    .insn_i (u_core.wb_stage_i.ex_wb_pipe_i.instr.bus_resp.rdata),
    .pc_i (u_core.wb_stage_i.ex_wb_pipe_i.pc), .mode_i (2'd3), .trap_i (1'b0),
    .rs1_i (u_core.wb_stage_i.ex_wb_pipe_i.csr_wdata), .rd_i (u_core.wb_stage_i.rf_wdata_wb_o)
  );

endmodule
