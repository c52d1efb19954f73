// SPDX-License-Identifier: Apache-2.0
// A unit of 32 words of 64 bits for tests of the register bridge (docs/hw/bus.md, "Register
// port"). Offsets from 0xE000 on answer with an error and hold nothing.
module reg_slot (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_en_i,
  input  logic        reg_write_i,
  input  logic [15:0] reg_addr_i,
  input  logic        reg_wide_i,
  input  logic [63:0] reg_wdata_i,
  output logic [63:0] reg_rdata_o,
  output logic        reg_err_o
);

  logic [32*64-1:0] words_q;
  logic [10:0]      lsb;
  logic [63:0]      word;
  assign lsb       = {reg_addr_i[7:3], 6'd0};
  assign word      = words_q[lsb +: 64];
  assign reg_err_o = reg_addr_i[15:12] >= 4'hE;

  always_comb begin
    if (reg_wide_i)         reg_rdata_o = word;
    else if (reg_addr_i[2]) reg_rdata_o = {32'd0, word[63:32]};
    else                    reg_rdata_o = {32'd0, word[31:0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else if (reg_en_i && reg_write_i && !reg_err_o) begin
      if (reg_wide_i)         words_q[lsb +: 64]             <= reg_wdata_i;
      else if (reg_addr_i[2]) words_q[lsb + 11'd32 +: 32]    <= reg_wdata_i[31:0];
      else                    words_q[lsb +: 32]             <= reg_wdata_i[31:0];
    end
  end

  logic unused_addr;
  assign unused_addr = ^{reg_addr_i[11:8], reg_addr_i[1:0]};

endmodule
