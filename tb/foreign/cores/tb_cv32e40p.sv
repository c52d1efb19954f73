// SPDX-License-Identifier: Apache-2.0
// CV32E40P with its counters under the eye of the golden block.
module tb_cv32e40p;

`include "obi_bench.svh"

  cv32e40p_top #(
    .NUM_MHPMCOUNTERS (10)
  ) u_core (
    .clk_i (clk), .rst_ni (rst_n), .pulp_clock_en_i (1'b1), .scan_cg_en_i (1'b0),
    .boot_addr_i (32'h80), .mtvec_addr_i ('0), .dm_halt_addr_i ('0), .hart_id_i ('0),
    .dm_exception_addr_i ('0),
    .instr_req_o (instr_req), .instr_gnt_i (instr_gnt), .instr_rvalid_i (instr_rvalid),
    .instr_addr_o (instr_addr), .instr_rdata_i (instr_rdata),
    .data_req_o (data_req), .data_gnt_i (data_gnt), .data_rvalid_i (data_rvalid),
    .data_we_o (data_we), .data_be_o (data_be), .data_addr_o (data_addr),
    .data_wdata_o (data_wdata), .data_rdata_i (data_rdata),
    .irq_i ('0), .irq_ack_o (), .irq_id_o (), .debug_req_i (1'b0), .debug_havereset_o (),
    .debug_running_o (), .debug_halted_o (), .fetch_enable_i (1'b1), .core_sleep_o ()
  );

  logic [64*13-1:0] value;
  always_comb begin
    for (int n = 0; n < 13; n++) begin
      value[64*n +: 64] = u_core.core_i.cs_registers_i.mhpmcounter_q[n];
    end
  end

  golden_watch #(
    .Width (64), .Sets (1'b1), .NrEvent (16)
  ) u_watch (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .retired_i (u_core.core_i.cs_registers_i.mhpmevent_minstret_i),
    .counts_i (u_core.core_i.cs_registers_i.hpm_events),
    .csr_valid_i (u_core.core_i.csr_access_ex && u_core.core_i.id_stage_i.id_valid_q &&
                  ((u_core.core_i.csr_op_ex != cv32e40p_pkg::CSR_OP_READ) ||
                   u_core.core_i.regfile_alu_we_ex)),
    .csr_addr_i (u_core.core_i.cs_registers_i.csr_addr_i),
    .csr_op_i (u_core.core_i.cs_registers_i.csr_op_i),
    .csr_operand_i (u_core.core_i.cs_registers_i.csr_wdata_i),
    .csr_rdata_i (u_core.core_i.cs_registers_i.csr_rdata_o),
    .value_i (value),
    .inhibit_i (u_core.core_i.cs_registers_i.mcountinhibit_q)
  );

endmodule
