// SPDX-License-Identifier: Apache-2.0
// One counter of an IOMMU's monitor: up to 64 bits, an increment of 0..255 a cycle
// (docs/hw/iommu_hpm.md, "Counting"). A write of either half beats the increment of its cycle.
module iommu_hpm_counter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] mask_i,    // ones in the bits that the counter has
  input  logic        count_i,
  input  logic [7:0]  inc_i,
  input  logic [1:0]  write_i,   // low half, high half
  input  logic [63:0] wdata_i,
  output logic [63:0] value_o,
  output logic        wrap_o     // the increment of this cycle goes past the width
);

  logic [63:0] value_q;

  // An increment is small: past bit 63, the sum is the smaller one.
  logic [63:0] sum;
  assign sum    = value_q + {56'd0, inc_i};
  assign wrap_o = count_i && (write_i == 2'b00) &&
                  (((sum & ~mask_i) != 64'd0) || (sum < value_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (write_i != 2'b00) begin
      if (write_i[0]) value_q[31:0]  <= wdata_i[31:0] & mask_i[31:0];
      if (write_i[1]) value_q[63:32] <= wdata_i[63:32] & mask_i[63:32];
    end else if (count_i) begin
      value_q <= sum & mask_i;
    end
  end

  assign value_o = value_q;

endmodule
