// SPDX-License-Identifier: Apache-2.0
// PicoRV32, followed at instructions. Its RVFI port reports an instruction when the next one begins, whenever that is;
// so an instruction is reported here in the first cycle in which the core is back in its fetch state, one cycle after
// a CSR is read. jal never leaves that state, and is reported a cycle after it began.
module tb_picorv32;

  logic clk, rst_n, ended;

  bench_clock u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  logic        mem_valid, mem_instr, instr_ready, data_ready;
  logic [31:0] mem_addr, mem_wdata, instr_rdata, data_rdata;
  logic [3:0]  mem_wstrb;

  core_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .instr_req_i (mem_valid && mem_instr && !instr_ready), .instr_gnt_o (),
    .instr_rvalid_o (instr_ready), .instr_addr_i (mem_addr), .instr_rdata_o (instr_rdata),
    .data_req_i (mem_valid && !mem_instr && !data_ready), .data_gnt_o (),
    .data_rvalid_o (data_ready), .data_we_i (mem_wstrb != '0), .data_be_i (mem_wstrb),
    .data_addr_i (mem_addr), .data_wdata_i (mem_wdata), .data_rdata_o (data_rdata),
    .ended_o (ended)
  );

  picorv32 #(
    .COMPRESSED_ISA (1), .ENABLE_MUL (1), .ENABLE_DIV (1), .PROGADDR_RESET (32'h80)
  ) u_core (
    .clk (clk), .resetn (rst_n), .trap (),
    .mem_valid (mem_valid), .mem_instr (mem_instr), .mem_ready (instr_ready || data_ready),
    .mem_addr (mem_addr), .mem_wdata (mem_wdata), .mem_wstrb (mem_wstrb),
    .mem_rdata (instr_ready ? instr_rdata : data_rdata),
    .mem_la_read (), .mem_la_write (), .mem_la_addr (), .mem_la_wdata (), .mem_la_wstrb (),
    .pcpi_valid (), .pcpi_insn (), .pcpi_rs1 (), .pcpi_rs2 (), .pcpi_wr (1'b0), .pcpi_rd ('0),
    .pcpi_wait (1'b0), .pcpi_ready (1'b0), .irq ('0), .eoi (), .trace_valid (), .trace_data ()
  );

  logic        fetches, fetched, jumps, valid;
  logic [63:0] order = '0;
  assign fetches = u_core.cpu_state == u_core.cpu_state_fetch;
  assign valid   = (fetches && !fetched) || jumps;
  always @(posedge clk) begin
    fetched <= fetches || !rst_n;
    jumps   <= u_core.launch_next_insn && u_core.instr_jal;
    if (valid) order <= order + 64'd1;
  end

  // Only reads, and no mode but one: its counters are those of Zicntr. The instruction that reads instret is in it.
  rvfi_watch #(
    .NrEvent (1), .Lag (1), .Instret (1)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=0 counters=0 width=64"), .inhibit_i ('0), .events_i ('0),
    .valid_i (valid), .order_i (order), .insn_i (u_core.dbg_insn_opcode),
    .pc_i (u_core.dbg_insn_addr), .mode_i (2'd3), .trap_i (1'b0), .rs1_i ('0),
    .rd_i (u_core.cpuregs_wrdata)
  );

endmodule
