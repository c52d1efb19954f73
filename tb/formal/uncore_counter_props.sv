// SPDX-License-Identifier: Apache-2.0
// What holds of a counter of an uncore block (docs/hw/uncore.md, "Counting").
module uncore_counter_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] mask_i,
  input logic        count_i,
  input logic [3:0]  inc_i,
  input logic        clear_i,
  input logic [1:0]  write_i,
  input logic        flag_clear_i,
  input logic [63:0] value_q,
  input logic        flag_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic        counts;
  logic [64:0] sum;
  assign counts = count_i && !clear_i && (write_i == 2'b00);
  assign sum    = {1'b0, value_q} + {61'd0, inc_i};

  always_ff @(posedge clk_i) begin
    // The width is a strap.
    assume ((mask_i & (mask_i + 64'd1)) == 64'd0);
    if (past_q) assume (mask_i == $past(mask_i));

    if (live) begin
      // No increment is lost.
      // fault: {60'd0, inc_i} => {61'd0, inc_i[2:0]}
      no_lost_increment:
        assert (!$past(counts) || (value_q == ($past(sum[63:0]) & mask_i)));
      // Nothing but an increment, a write or a clear changes a count.
      // fault: end else if (count_i) begin => end else begin
      nothing_else_counts:
        assert ($past(count_i || clear_i || (write_i != 2'b00)) || (value_q == $past(value_q)));
      // An overflow is never lost: its flag rises, whatever is cleared in that cycle.
      // fault: if (overflow_o)        flag_q <= 1'b1; => if (overflow_o && !flag_clear_i) flag_q <= 1'b1;
      no_lost_overflow:
        assert (!$past(counts && (sum > {1'b0, mask_i})) || flag_q);
      // A flag stays until it is cleared.
      // fault: else if (flag_clear_i) flag_q => else if (flag_clear_i || clear_i) flag_q
      flag_stays:
        assert (!$past(flag_q && !flag_clear_i) || flag_q);
      // A flag rises by an overflow only.
      // fault: (sum < value_q); => (sum <= value_q);
      flag_has_a_cause:
        assert (!flag_q || $past(flag_q) || $past(counts && (sum > {1'b0, mask_i})));
      // A count has the bits of its width only.
      // fault: value_q[31:0]  <= wdata_i[31:0] & mask_i[31:0]; => value_q[31:0]  <= wdata_i[31:0];
      fits:
        assert ((value_q & ~mask_i) == 64'd0);
    end
  end

endmodule
