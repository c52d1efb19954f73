// SPDX-License-Identifier: Apache-2.0
// What holds of a counter of an IOMMU's monitor (docs/hw/iommu_hpm.md, "Counting").
module iommu_hpm_counter_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] mask_i,
  input logic        count_i,
  input logic [7:0]  inc_i,
  input logic [1:0]  write_i,
  input logic [63:0] value_q,
  input logic        wrap_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic        counts;
  logic [64:0] sum;
  assign counts = count_i && (write_i == 2'b00);
  assign sum    = {1'b0, value_q} + {57'd0, inc_i};

  always_ff @(posedge clk_i) begin
    // The width is a strap, of 32 bits at least.
    used:
      assume (mask_i[31]);
    assume ((mask_i & (mask_i + 64'd1)) == 64'd0);
    if (past_q) assume (mask_i == $past(mask_i));

    if (live) begin
      // No increment is lost.
      // fault: {56'd0, inc_i} => {57'd0, inc_i[6:0]}
      no_lost_increment:
        assert (!$past(counts) || (value_q == ($past(sum[63:0]) & mask_i)));
      // Nothing but an increment or a write changes a count.
      // fault: end else if (count_i) begin => end else begin
      nothing_else_counts:
        assert ($past(count_i || (write_i != 2'b00)) || (value_q == $past(value_q)));
      // A wrap is one, and none is missed.
      // fault: (sum < value_q)); => (sum <= value_q));
      wrap_is_exact:
        assert (wrap_o == (counts && (sum > {1'b0, mask_i})));
      // A count has the bits of its width only.
      // fault: value_q[63:32] <= wdata_i[63:32] & mask_i[63:32]; => value_q[63:32] <= wdata_i[63:32];
      fits:
        assert ((value_q & ~mask_i) == 64'd0);
    end
  end

endmodule
