// SPDX-License-Identifier: Apache-2.0
// CVA6 (its 32-bit configuration without MMU), followed at instructions: what its commit stage commits, two in a cycle.
// A CSR instruction commits alone, in the cycle in which it reads and writes its CSR.
module tb_cva6;
  import ariane_pkg::*;

  logic clk, rst_n, ended;

  bench_clock u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  ariane_axi::req_t  request;
  ariane_axi::resp_t answer;

  always_comb begin
    answer.b.resp = '0;
    answer.b.user = '0;
    answer.r.resp = '0;
    answer.r.user = '0;
  end

  axi_memory #(
    .IdWidth (ariane_axi::IdWidth)
  ) u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .aw_valid_i (request.aw_valid), .aw_ready_o (answer.aw_ready), .aw_id_i (request.aw.id),
    .aw_addr_i (request.aw.addr[31:0]), .aw_len_i (request.aw.len), .aw_size_i (request.aw.size),
    .aw_burst_i (request.aw.burst), .w_valid_i (request.w_valid), .w_ready_o (answer.w_ready),
    .w_data_i (request.w.data), .w_strb_i (request.w.strb), .w_last_i (request.w.last),
    .b_valid_o (answer.b_valid), .b_ready_i (request.b_ready), .b_id_o (answer.b.id),
    .ar_valid_i (request.ar_valid), .ar_ready_o (answer.ar_ready), .ar_id_i (request.ar.id),
    .ar_addr_i (request.ar.addr[31:0]), .ar_len_i (request.ar.len), .ar_size_i (request.ar.size),
    .ar_burst_i (request.ar.burst), .r_valid_o (answer.r_valid), .r_ready_i (request.r_ready),
    .r_id_o (answer.r.id), .r_data_o (answer.r.data), .r_last_o (answer.r.last),
    .ended_o (ended)
  );

  cva6 u_core (
    .clk_i (clk), .rst_ni (rst_n), .boot_addr_i (riscv::VLEN'(32'h8000_0080)), .hart_id_i ('0),
    .irq_i ('0), .ipi_i (1'b0), .time_irq_i (1'b0), .debug_req_i (1'b0),
    .cvxif_req_o (), .cvxif_resp_i ('0), .axi_req_o (request), .axi_resp_i (answer)
  );

  // What commits; an instruction that traps stands at the first port alone.
  logic [1:0]       valid, trap;
  logic [1:0][31:0] insn, pc;
  logic [1:0][63:0] order;
  logic [63:0]      order_q = '0;
  always_comb begin
    trap = {1'b0, u_core.ex_commit.valid};
    for (int i = 0; i < 2; i++) begin
      valid[i] = trap[i] || (u_core.commit_ack[i] && !u_core.ex_commit.valid);
      insn[i]  = u_core.commit_instr_id_commit[i].ex.tval[31:0];
      pc[i]    = 32'(u_core.commit_instr_id_commit[i].pc);
      order[i] = order_q + ((i == 1) ? 64'd1 : 64'd0);
    end
  end
  always @(posedge clk) order_q <= order_q + 64'(valid[0]) + 64'(valid[1]);

  // Counter 3 + n counts counts[n], and no other event.
  logic [1:0] loads, stores, branches, calls, returns;
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      loads[i]    = u_core.commit_ack[i] && (u_core.commit_instr_id_commit[i].fu == LOAD);
      stores[i]   = u_core.commit_ack[i] && (u_core.commit_instr_id_commit[i].fu == STORE);
      branches[i] = u_core.commit_ack[i] && (u_core.commit_instr_id_commit[i].fu == CTRL_FLOW);
      // jal is decoded as an addition
      calls[i]    = branches[i] && ((u_core.commit_instr_id_commit[i].op == ADD) ||
                                    (u_core.commit_instr_id_commit[i].op == JALR)) &&
                    ((u_core.commit_instr_id_commit[i].rd == 6'd1) ||
                     (u_core.commit_instr_id_commit[i].rd == 6'd5));
      returns[i]  = branches[i] && (u_core.commit_instr_id_commit[i].op == JALR) &&
                    (u_core.commit_instr_id_commit[i].rd == 6'd0);
    end
  end

  logic [13:0][1:0] counts;
  assign counts = {
    1'b0, u_core.i_perf_counters.if_empty_i, 1'b0, u_core.i_perf_counters.sb_full_i,
    1'b0, u_core.resolved_branch.valid && u_core.resolved_branch.is_mispredict,
    2'($countones(returns)), 2'($countones(calls)), 2'($countones(branches)),
    1'b0, u_core.eret, 1'b0, u_core.ex_commit.valid,
    2'($countones(stores)), 2'($countones(loads)),
    1'b0, u_core.i_perf_counters.dtlb_miss_i, 1'b0, u_core.i_perf_counters.itlb_miss_i,
    1'b0, u_core.i_perf_counters.l1_dcache_miss_i, 1'b0, u_core.i_perf_counters.l1_icache_miss_i};

  rvfi_watch #(
    .NrEvent (14), .EventBits (2), .NrRetire (2), .Lag (0)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=2 counters=0x1fff8 width=32"), .inhibit_i ('0),
    .events_i (counts), .valid_i (valid), .order_i (order), .insn_i (insn), .pc_i (pc),
    .mode_i ({2{u_core.priv_lvl}}), .trap_i (trap), .rs1_i ({2{u_core.csr_wdata_commit_csr}}),
    .rd_i (u_core.wdata_commit_id)
  );

endmodule
