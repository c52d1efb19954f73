// SPDX-License-Identifier: Apache-2.0
// Ibex with its counters under the eye of the golden block.
module tb_ibex #(
  parameter bit WritebackStage = 1'b0
);

`include "obi_bench.svh"

  // The register file stands outside the core.
  logic [31:0] registers [32];
  logic [4:0]  raddr_a, raddr_b, waddr;
  logic        we;
  logic [31:0] wdata;
  always_ff @(posedge clk) if (we) registers[waddr] <= wdata;

  logic [21:0] no_tag [2];
  logic [63:0] no_line [2];
  assign no_tag  = '{default: '0};
  assign no_line = '{default: '0};

  ibex_core #(
    .MHPMCounterNum   (10),
    .MHPMCounterWidth (40),
    .WritebackStage   (WritebackStage)
  ) u_core (
    .clk_i (clk), .rst_ni (rst_n), .hart_id_i ('0), .boot_addr_i ('0),
    .instr_req_o (instr_req), .instr_gnt_i (instr_gnt), .instr_rvalid_i (instr_rvalid),
    .instr_addr_o (instr_addr), .instr_rdata_i (instr_rdata), .instr_err_i (1'b0),
    .data_req_o (data_req), .data_gnt_i (data_gnt), .data_rvalid_i (data_rvalid),
    .data_we_o (data_we), .data_be_o (data_be), .data_addr_o (data_addr),
    .data_wdata_o (data_wdata), .data_rdata_i (data_rdata), .data_err_i (1'b0),
    .rf_raddr_a_o (raddr_a), .rf_raddr_b_o (raddr_b), .rf_waddr_wb_o (waddr), .rf_we_wb_o (we),
    .rf_wdata_wb_ecc_o (wdata),
    .rf_rdata_a_ecc_i (raddr_a == '0 ? '0 : registers[raddr_a]),
    .rf_rdata_b_ecc_i (raddr_b == '0 ? '0 : registers[raddr_b]),
    .ic_tag_rdata_i (no_tag), .ic_data_rdata_i (no_line), .ic_scr_key_valid_i (1'b0),
    .irq_software_i (1'b0), .irq_timer_i (1'b0), .irq_external_i (1'b0), .irq_fast_i ('0),
    .irq_nm_i (1'b0), .debug_req_i (1'b0), .fetch_enable_i (ibex_pkg::IbexMuBiOn)
  );

  // Counter 3 + n counts event n, whatever software says: mhpmevent is read-only.
  logic [64*13-1:0] value;
  always_comb begin
    for (int n = 0; n < 13; n++) value[64*n +: 64] = u_core.cs_registers_i.mhpmcounter[n];
  end

  // With the writeback stage an instruction is counted a cycle or more after it was in the stage in
  // which CSRs are read and written. To software it retires there, in order: that is what the golden
  // block is told, and what CSR instructions read is compared.
  logic retired, compressed;
  assign retired    = WritebackStage ? u_core.wb_stage_i.en_wb_i && u_core.instr_perf_count_id
                                     : u_core.cs_registers_i.instr_ret_i;
  assign compressed = WritebackStage ? retired && u_core.instr_is_compressed_id
                                     : u_core.cs_registers_i.instr_ret_compressed_i;

  logic [9:0] counts; // counter 3 + n has the event of bit n
  assign counts = {u_core.cs_registers_i.div_wait_i, u_core.cs_registers_i.mul_wait_i,
              compressed, u_core.cs_registers_i.branch_taken_i,
              u_core.cs_registers_i.branch_i, u_core.cs_registers_i.jump_i,
              u_core.cs_registers_i.mem_store_i, u_core.cs_registers_i.mem_load_i,
              u_core.cs_registers_i.iside_wait_i, u_core.cs_registers_i.dside_wait_i};

`ifdef RVFI
  // An instruction is reported a cycle after the one in which its CSR is read and written.
  rvfi_watch u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=1 counters=0x1ff8 width=40"),
    .inhibit_i (u_core.cs_registers_i.mcountinhibit), .events_i (counts),
    .valid_i (u_core.rvfi_valid), .order_i (u_core.rvfi_order), .insn_i (u_core.rvfi_insn),
    .pc_i (u_core.rvfi_pc_rdata), .mode_i (u_core.rvfi_mode), .trap_i (u_core.rvfi_trap),
    .rs1_i (u_core.rvfi_rs1_rdata), .rd_i (u_core.rvfi_rd_wdata)
  );
`else
  golden_watch #(
    .Reads (WritebackStage)
  ) u_watch (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .retired_i (retired),
    .counts_i (counts),
    .csr_valid_i (u_core.cs_registers_i.csr_op_en_i && !u_core.cs_registers_i.illegal_csr_insn_o),
    .csr_addr_i (u_core.cs_registers_i.csr_addr_i),
    .csr_op_i (u_core.cs_registers_i.csr_op_i),
    .csr_operand_i (u_core.cs_registers_i.csr_wdata_i),
    .csr_rdata_i (u_core.cs_registers_i.csr_rdata_o),
    .value_i (value),
    .inhibit_i (u_core.cs_registers_i.mcountinhibit)
  );
`endif

endmodule
