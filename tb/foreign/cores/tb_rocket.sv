// SPDX-License-Identifier: Apache-2.0
// Rocket (the LiteX configuration for Linux, RV64IMAC), followed at instructions: what leaves its last stage, in which CSRs are
// read and written. Its boot ROM jumps to 0x1000_0000, where this memory is; nothing is cached there.
module tb_rocket;

  logic clk, rst_n, ended;

  bench_clock #(.ResetEnds (201)) u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  logic        aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
  logic        ar_valid, ar_ready, r_valid, r_ready, r_last;
  logic [3:0]  aw_id, ar_id, b_id, r_id;
  logic [30:0] aw_addr, ar_addr;
  logic [7:0]  aw_len, ar_len, w_strb;
  logic [2:0]  aw_size, ar_size;
  logic [1:0]  aw_burst, ar_burst;
  logic [63:0] w_data, r_data;

  axi_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .aw_valid_i (aw_valid), .aw_ready_o (aw_ready), .aw_id_i (aw_id), .aw_addr_i ({1'b0, aw_addr}),
    .aw_len_i (aw_len), .aw_size_i (aw_size), .aw_burst_i (aw_burst), .w_valid_i (w_valid),
    .w_ready_o (w_ready), .w_data_i (w_data), .w_strb_i (w_strb), .w_last_i (w_last),
    .b_valid_o (b_valid), .b_ready_i (b_ready), .b_id_o (b_id), .ar_valid_i (ar_valid),
    .ar_ready_o (ar_ready), .ar_id_i (ar_id), .ar_addr_i ({1'b0, ar_addr}), .ar_len_i (ar_len),
    .ar_size_i (ar_size), .ar_burst_i (ar_burst), .r_valid_o (r_valid), .r_ready_i (r_ready),
    .r_id_o (r_id), .r_data_o (r_data), .r_last_o (r_last), .ended_o (ended)
  );

  // Inputs that are not named here are 0: no other memory, interrupts or debugger.
  ExampleRocketSystem u_system (
    .clock (clk), .reset (!rst_n), .debug_clock (clk), .debug_reset (!rst_n),
    .mmio_axi4_0_aw_ready (aw_ready), .mmio_axi4_0_aw_valid (aw_valid),
    .mmio_axi4_0_aw_bits_id (aw_id), .mmio_axi4_0_aw_bits_addr (aw_addr),
    .mmio_axi4_0_aw_bits_len (aw_len), .mmio_axi4_0_aw_bits_size (aw_size),
    .mmio_axi4_0_aw_bits_burst (aw_burst), .mmio_axi4_0_w_ready (w_ready),
    .mmio_axi4_0_w_valid (w_valid), .mmio_axi4_0_w_bits_data (w_data),
    .mmio_axi4_0_w_bits_strb (w_strb), .mmio_axi4_0_w_bits_last (w_last),
    .mmio_axi4_0_b_ready (b_ready), .mmio_axi4_0_b_valid (b_valid), .mmio_axi4_0_b_bits_id (b_id),
    .mmio_axi4_0_b_bits_resp (2'd0), .mmio_axi4_0_ar_ready (ar_ready),
    .mmio_axi4_0_ar_valid (ar_valid), .mmio_axi4_0_ar_bits_id (ar_id),
    .mmio_axi4_0_ar_bits_addr (ar_addr), .mmio_axi4_0_ar_bits_len (ar_len),
    .mmio_axi4_0_ar_bits_size (ar_size), .mmio_axi4_0_ar_bits_burst (ar_burst),
    .mmio_axi4_0_r_ready (r_ready), .mmio_axi4_0_r_valid (r_valid), .mmio_axi4_0_r_bits_id (r_id),
    .mmio_axi4_0_r_bits_data (r_data), .mmio_axi4_0_r_bits_resp (2'd0),
    .mmio_axi4_0_r_bits_last (r_last)
  );

  // ecall and ebreak are executed as CSR instructions, and trap there.
`define CSR u_system.tile_prci_domain.tile_reset_domain_tile.core.csr
  logic        works, valid, trap;
  logic [63:0] order = '0;
  assign works = rst_n && !`CSR.reset;
  assign valid = works && `CSR.io_trace_0_valid;
  assign trap  = `CSR.io_trace_0_exception;
  always @(posedge clk) if (valid) order <= order + 64'd1;

  rvfi_watch #(
    .NrEvent (1), .Xlen (64), .Lag (0)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (works), .ended_i (ended),
    .settings_i ("xlen=64 modes=2 counters=0 width=64"), .inhibit_i ('0), .events_i ('0),
    .valid_i (valid), .order_i (order), .insn_i (`CSR.io_trace_0_insn),
    .pc_i (64'(`CSR.io_trace_0_iaddr)), .mode_i (`CSR.io_status_prv), .trap_i (trap),
    .rs1_i (`CSR.io_rw_wdata), .rd_i (`CSR.io_rw_rdata)
  );
`undef CSR

endmodule
