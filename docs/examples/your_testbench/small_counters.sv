// SPDX-License-Identifier: Apache-2.0
// Stands for the design under test: mcycle, minstret and mhpmcounter3 of 40 bits with one event (7,
// loads), RV32, M mode.
module small_counters (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        retired,
  input  logic        load,
  input  logic        csr_valid,
  input  logic [11:0] csr,
  input  logic        csr_write,   // csrrw; else a read
  input  logic [31:0] operand,
  output logic [31:0] old_value
);

  logic [63:0] mcycle, minstret;
  logic [39:0] counter3;
  logic        loads, inhibit0, inhibit2, inhibit3;

  always_comb begin
    case (csr)
      12'hB00: old_value = mcycle[31:0];
      12'hB80: old_value = mcycle[63:32];
      12'hB02: old_value = minstret[31:0];
      12'hB82: old_value = minstret[63:32];
      12'hB03: old_value = counter3[31:0];
      12'hB83: old_value = {24'd0, counter3[39:32]};
      12'h323: old_value = loads ? 32'd7 : 32'd0;
      12'h320: old_value = {28'd0, inhibit3, inhibit2, 1'b0, inhibit0};
      default: old_value = 32'd0;
    endcase
  end

  logic write;
  assign write = csr_valid && csr_write;

  // A write of either half drops the increment of the cycle.
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      mcycle   <= '0;
      minstret <= '0;
      counter3 <= '0;
      loads    <= 1'b0;
      inhibit0 <= 1'b0;
      inhibit2 <= 1'b0;
      inhibit3 <= 1'b0;
    end else begin
      if (write && (csr == 12'hB00))      mcycle[31:0]  <= operand;
      else if (write && (csr == 12'hB80)) mcycle[63:32] <= operand;
      else if (!inhibit0)                 mcycle        <= mcycle + 64'd1;
      if (write && (csr == 12'hB02))      minstret[31:0]  <= operand;
      else if (write && (csr == 12'hB82)) minstret[63:32] <= operand;
      else if (!inhibit2)                 minstret        <= minstret + {63'd0, retired};
      if (write && (csr == 12'hB03))      counter3[31:0]  <= operand;
      else if (write && (csr == 12'hB83)) counter3[39:32] <= operand[7:0];
      else if (!inhibit3 && loads)        counter3        <= counter3 + {39'd0, load};
      if (write && (csr == 12'h323))      loads <= operand[2:0] == 3'd7;
      if (write && (csr == 12'h320)) begin
        inhibit0 <= operand[0];
        inhibit2 <= operand[2];
        inhibit3 <= operand[3];
      end
    end
  end

endmodule
