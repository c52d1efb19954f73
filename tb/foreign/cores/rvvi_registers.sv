// SPDX-License-Identifier: Apache-2.0
// What rvfi_watch needs of a core with an RVVI-TRACE port: that port tells which registers an instruction writes, and
// not what it reads. The operand is the last value of its source; what is read is the value of its destination.
module rvvi_registers #(
  parameter int Xlen = 32
) (
  input  logic                  clk_i,
  input  logic                  valid_i,
  input  logic [31:0]           insn_i,
  input  logic [31:0]           x_wb_i,    // which registers are written
  input  logic [31:0][Xlen-1:0] x_wdata_i,
  output logic [Xlen-1:0]       rs1_o,
  output logic [Xlen-1:0]       rd_o
);

  logic [31:0][Xlen-1:0] x_q = '0;

  assign rs1_o = (insn_i[19:15] == 5'd0) ? '0 : x_q[insn_i[19:15]];
  assign rd_o  = x_wdata_i[insn_i[11:7]];

  always_ff @(posedge clk_i) begin
    for (int n = 1; n < 32; n++) if (valid_i && x_wb_i[n]) x_q[n] <= x_wdata_i[n];
  end

endmodule
