// SPDX-License-Identifier: Apache-2.0
// CV32E40S, followed at instructions: what leaves its last stage, as with CV32E40X. It has mcycle and minstret alone,
// and puts dummy instructions between those of the program, which no counter may count.
module tb_cv32e40s;

  logic clk = 1'b0, rst_n = 1'b1;
  logic ended;

  initial begin
    #1 rst_n = 1'b0;
    #9 rst_n = 1'b1;
  end
  always #5 clk = !clk;

  int late = 0;
  always @(posedge clk) begin
    late <= ended ? late + 1 : 0;
    if (late == 4) $finish;
  end

  logic        instr_req, instr_gnt, instr_rvalid, data_req, data_gnt, data_rvalid, data_we;
  logic [31:0] instr_addr, instr_rdata, data_addr, data_wdata, data_rdata;
  logic [3:0]  data_be;

  core_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .instr_req_i (instr_req), .instr_gnt_o (instr_gnt), .instr_rvalid_o (instr_rvalid),
    .instr_addr_i (instr_addr), .instr_rdata_o (instr_rdata),
    .data_req_i (data_req), .data_gnt_o (data_gnt), .data_rvalid_o (data_rvalid),
    .data_we_i (data_we), .data_be_i (data_be), .data_addr_i (data_addr),
    .data_wdata_i (data_wdata), .data_rdata_o (data_rdata), .ended_o (ended)
  );

  localparam cv32e40s_pkg::lfsr_cfg_t Random = '{coeffs: 32'h8000_0057, default_seed: 32'hACE1_1234};

  cv32e40s_core #(
    .LFSR0_CFG (Random), .LFSR1_CFG (Random), .LFSR2_CFG (Random)
  ) u_core (
    .clk_i (clk), .rst_ni (rst_n), .scan_cg_en_i (1'b0),
    .boot_addr_i (32'h80), .mtvec_addr_i ('0), .dm_halt_addr_i ('0), .mhartid_i ('0),
    .mimpid_patch_i ('0), .dm_exception_addr_i ('0),
    .instr_req_o (instr_req), .instr_gnt_i (instr_gnt), .instr_rvalid_i (instr_rvalid),
    .instr_addr_o (instr_addr), .instr_memtype_o (), .instr_prot_o (), .instr_dbg_o (),
    .instr_rdata_i (instr_rdata), .instr_err_i (1'b0), .instr_reqpar_o (),
    .instr_gntpar_i (!instr_gnt), .instr_rvalidpar_i (!instr_rvalid), .instr_achk_o (),
    .instr_rchk_i ('0),
    .data_req_o (data_req), .data_gnt_i (data_gnt), .data_rvalid_i (data_rvalid),
    .data_we_o (data_we), .data_be_o (data_be), .data_addr_o (data_addr), .data_memtype_o (),
    .data_prot_o (), .data_dbg_o (), .data_wdata_o (data_wdata), .data_rdata_i (data_rdata),
    .data_err_i (1'b0), .data_reqpar_o (), .data_gntpar_i (!data_gnt),
    .data_rvalidpar_i (!data_rvalid), .data_achk_o (), .data_rchk_i ('0), .mcycle_o (),
    .alert_minor_o (), .alert_major_o (),
    .irq_i ('0), .wu_wfe_i (1'b0), .clic_irq_i (1'b0), .clic_irq_id_i ('0),
    .clic_irq_level_i ('0), .clic_irq_priv_i ('0), .clic_irq_shv_i (1'b0),
    .fencei_flush_req_o (), .fencei_flush_ack_i (1'b1), .debug_req_i (1'b0),
    .debug_havereset_o (), .debug_running_o (), .debug_halted_o (), .fetch_enable_i (1'b1),
    .core_sleep_o ()
  );

  // The last stage; its instruction, also one that is compressed, with the operand of a CSR instruction.
  logic        valid;
  logic [63:0] order = '0;
  assign valid = u_core.wb_stage_i.wb_valid_o && !u_core.wb_stage_i.ex_wb_pipe_i.instr_meta.dummy &&
                 (u_core.wb_stage_i.last_op_o || u_core.wb_stage_i.abort_op_o);
  always @(posedge clk) if (valid) order <= order + 64'd1;

  rvfi_watch #(
    .NrEvent (1), .Lag (0), .Behind (1)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=1 counters=0 width=64"),
    .inhibit_i (u_core.cs_registers_i.mcountinhibit_q),
    .events_i ('0),
    .valid_i (valid), .order_i (order),
    .insn_i (u_core.wb_stage_i.ex_wb_pipe_i.instr.bus_resp.rdata),
    .pc_i (u_core.wb_stage_i.ex_wb_pipe_i.pc), .mode_i (2'd3), .trap_i (1'b0),
    .rs1_i (u_core.wb_stage_i.ex_wb_pipe_i.csr_wdata), .rd_i (u_core.wb_stage_i.rf_wdata_wb_o)
  );

endmodule
