// SPDX-License-Identifier: Apache-2.0
// What rvfi_watch needs of a core with an RVVI-TRACE port: that port tells which registers an instruction writes, and
// not what it reads. The operand is the last value of its source; what is read is the value of its destination.
module rvvi_registers #(
  parameter int Xlen     = 32,
  parameter int NrRetire = 1   // instructions per cycle, in their order
) (
  input  logic                                clk_i,
  input  logic [NrRetire-1:0]                 valid_i,
  input  logic [NrRetire-1:0][31:0]           insn_i,
  input  logic [NrRetire-1:0][31:0]           x_wb_i,    // which registers are written
  input  logic [NrRetire-1:0][31:0][Xlen-1:0] x_wdata_i,
  output logic [NrRetire-1:0][Xlen-1:0]       rs1_o,
  output logic [NrRetire-1:0][Xlen-1:0]       rd_o
);

  logic [31:0][Xlen-1:0] x_q = '0, x_d;

  always_comb begin
    x_d = x_q;
    for (int port = 0; port < NrRetire; port++) begin
      rs1_o[port] = x_d[insn_i[port][19:15]];
      rd_o[port]  = x_wdata_i[port][insn_i[port][11:7]];
      for (int n = 1; n < 32; n++) begin
        if (valid_i[port] && x_wb_i[port][n]) x_d[n] = x_wdata_i[port][n];
      end
    end
  end

  always_ff @(posedge clk_i) x_q <= x_d;

endmodule
