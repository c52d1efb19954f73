// SPDX-License-Identifier: Apache-2.0
// One counter of an uncore block and its overflow flag: 8 to 64 bits, an increment of 0..15 a
// cycle (docs/hw/uncore.md, "Counting"). A write of either half, or a reset, beats the increment
// of its cycle; an overflow beats a clear of the flag.
module uncore_counter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] mask_i,        // ones in the bits that the counter has
  input  logic        count_i,
  input  logic [3:0]  inc_i,
  input  logic        clear_i,
  input  logic [1:0]  write_i,       // low half, high half
  input  logic [63:0] wdata_i,
  input  logic        flag_clear_i,
  output logic [63:0] value_o,
  output logic        flag_o,
  output logic        overflow_o     // the increment of this cycle goes past the width
);

  logic [63:0] value_q;
  logic        flag_q;

  // An increment is small: past bit 63, the sum is the smaller one.
  logic        kept, past_width;
  logic [63:0] sum;
  assign kept       = count_i && !clear_i && (write_i == 2'b00);
  assign sum        = value_q + {60'd0, inc_i};
  assign past_width = ((sum & ~mask_i) != 64'd0) || (sum < value_q);
  assign overflow_o = kept && past_width;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
      flag_q  <= 1'b0;
    end else begin
      if (clear_i) begin
        value_q <= '0;
      end else if (write_i != 2'b00) begin
        if (write_i[0]) value_q[31:0]  <= wdata_i[31:0] & mask_i[31:0];
        if (write_i[1]) value_q[63:32] <= wdata_i[63:32] & mask_i[63:32];
      end else if (count_i) begin
        value_q <= sum & mask_i;
      end
      if (overflow_o)        flag_q <= 1'b1;
      else if (flag_clear_i) flag_q <= 1'b0;
    end
  end

  assign value_o = value_q;
  assign flag_o  = flag_q;

endmodule
