// What holds of a counter of a core PMU (docs/hw/corepmu.md, "Counting").
module corepmu_counter_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        offline_i,
  input logic        enable_i,
  input logic [5:0]  filter_i,
  input logic        no_el2_i,
  input logic        no_el3_i,
  input logic        wide_i,
  input logic [1:0]  mode_i,
  input logic [7:0]  inc_i,
  input logic        clear_i,
  input logic [1:0]  write_i,
  input logic        flag_set_i,
  input logic        flag_clear_i,
  input logic [63:0] value_q,
  input logic        flag_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  // P U NSK NSU NSH M: bits 5 to 0.
  logic        seen, counts, overflows;
  logic [64:0] sum;
  logic [32:0] low_sum;
  assign seen      = (mode_i == 2'd0) ? (filter_i[4] == filter_i[2]) :
                     (mode_i == 2'd1) ? (filter_i[5] == filter_i[3]) :
                     (mode_i == 2'd2) ? (filter_i[1] && !no_el2_i) :
                                        ((filter_i[0] == filter_i[5]) && !no_el3_i);
  assign counts    = enable_i && seen && !offline_i && !clear_i && (write_i == 2'b00);
  assign sum       = {1'b0, value_q} + {57'd0, inc_i};
  assign low_sum   = {1'b0, value_q[31:0]} + {25'd0, inc_i};
  assign overflows = counts && (wide_i ? sum[64] : low_sum[32]);

  always_ff @(posedge clk_i) begin
    if (live) begin
      // No increment is lost.
      // fault: add = count + {56'd0, inc}; => add = count + {57'd0, inc[6:0]};
      no_lost_increment:
        assert (!$past(counts) || (value_q == $past(sum[63:0])));
      // What is off, or filtered out, does not count.
      // fault: passes = filter[1] && !no_el2; => passes = filter[1];
      no_other_increment:
        assert ($past(counts || clear_i || offline_i || (write_i != 2'b00)) ||
                (value_q == $past(value_q)));
      // An overflow is never lost, whatever is cleared in its cycle.
      // fault: carries(value_q, add(value_q, inc_i), wide_i)) => carries(value_q, add(value_q, inc_i), wide_i) && !flag_clear_i)
      no_lost_overflow:
        assert (!$past(overflows) || flag_q);
      // A flag stays until it is cleared, or the power goes.
      // fault: if (flag_clear_i) flag_q <= 1'b0; => if (flag_clear_i || clear_i) flag_q <= 1'b0;
      flag_stays:
        assert (!$past(flag_q && !flag_clear_i && !offline_i) || flag_q);
      // A flag has a cause.
      // fault: (sum[31:0] < count[31:0]) => (sum[31:0] <= count[31:0])
      flag_has_a_cause:
        assert (!flag_q || $past(flag_q || overflows || flag_set_i));
      // Without power nothing is kept.
      // fault: end else if (offline_i) begin\n      value_q <= '0;\n      flag_q  <= 1'b0; => end else if (offline_i) begin\n      value_q <= '0;
      no_power_no_state:
        assert (!$past(offline_i) || ((value_q == 64'd0) && !flag_q));
    end
  end

endmodule
