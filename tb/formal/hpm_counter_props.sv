// SPDX-License-Identifier: Apache-2.0
// What holds of a counter of a hart (docs/hw/hpm.md, 3, 6 and 8).
module hpm_counter_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        there_i,
  input logic [6:0]  width_i,
  input logic        has_of_i,
  input logic        inhibit_i,
  input logic [1:0]  mode_i,
  input logic        v_i,
  input logic [3:0]  inc_i,
  input logic [1:0]  write_value_i,
  input logic [1:0]  write_setup_i,
  input logic        counting_o,
  input logic [63:0] mask,
  input logic [63:0] value_q,
  input logic [4:0]  filter_q,
  input logic        of_q,
  input logic        request_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic        hidden, counts, overflows;
  logic [64:0] sum;
  assign hidden    = (mode_i == 2'd3) ? filter_q[4] :
                     (mode_i == 2'd1) ? (v_i ? filter_q[1] : filter_q[3]) :
                     (mode_i == 2'd0) ? (v_i ? filter_q[0] : filter_q[2]) : filter_q[4];
  assign counts    = counting_o && !hidden && (write_value_i == 2'b00);
  assign sum       = {1'b0, value_q} + {61'd0, inc_i};
  assign overflows = counts && (sum > {1'b0, mask});

  always_ff @(posedge clk_i) begin
    // The size is a strap.
    used:
      assume ((width_i >= 7'd1) && (width_i <= 7'd64));
    if (past_q) assume ((width_i == $past(width_i)) && (there_i == $past(there_i)) &&
                        (has_of_i == $past(has_of_i)));

    if (live) begin
      // No increment is lost.
      // fault: add = count + {60'd0, inc}; => add = count + {61'd0, inc[2:0]};
      no_lost_increment:
        assert (!$past(counts) || (value_q == ($past(sum[63:0]) & mask)));
      // What is inhibited, or hidden from its mode, does not count.
      // fault: ModeS: passes = virt ? !filter[1] : !filter[3]; => ModeS: passes = virt ? !filter[1] : 1'b1;
      no_other_increment:
        assert ($past(counts || (write_value_i != 2'b00)) || (value_q == $past(value_q)));
      // An inhibited counter stands still.
      // fault: there_i && !inhibit_i && => there_i &&
      inhibited:
        assert (!inhibit_i || !counting_o);
      // An overflow asks for the interrupt once, unless OF is set.
      // fault: request_q <= 1'b1; => request_q <= of_q;
      no_lost_request:
        assert (request_q == $past(overflows && has_of_i && !of_q));
      // An overflow sets OF, whatever is written to it.
      // fault: of_q      <= 1'b1; => of_q      <= (write_setup_i == 2'b00);
      no_lost_overflow:
        assert (!$past(overflows && has_of_i) || of_q || $past(of_q));
      // OF stays until it is written.
      // fault: request_q <= 1'b0;\n      if (write_setup_i[1] => request_q <= 1'b0;\n      if (write_value_i[1]) of_q <= 1'b0;\n      if (write_setup_i[1]
      of_stays:
        assert (!$past(of_q && !write_setup_i[1]) || of_q);
      // A count has the bits of its width only.
      // fault: value_q[31:0]  <= wdata_i[31:0] & mask[31:0]; => value_q[31:0]  <= wdata_i[31:0];
      fits:
        assert ((value_q & ~mask) == 64'd0);
    end
  end

endmodule
