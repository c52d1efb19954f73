// SPDX-License-Identifier: Apache-2.0
// What holds of the timebase (docs/hw/imc.md, "Timebase").
module imc_timebase_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] tb_start_i,
  input logic [15:0] tb_num_i,
  input logic [15:0] tb_den_i,
  input logic [63:0] tb_o,
  input logic        tb_tick_o,
  input logic        first_q,
  input logic [15:0] phase_q,
  input logic        tick
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  always_ff @(posedge clk_i) begin
    used:
      assume ((tb_num_i <= tb_den_i) && (tb_den_i != 16'd0));
    if (past_q) assume ((tb_num_i == $past(tb_num_i)) && (tb_den_i == $past(tb_den_i)));

    if (live) begin
      // The phase stays below the divisor.
      // fault: sum >= {1'b0, tb_den_i} => sum > {1'b0, tb_den_i}
      phase_in_bounds:
        assert (phase_q < tb_den_i);
      // It goes up by at most one, and a tick says so.
      // fault: tick_q  <= tick; => tick_q  <= tick && !first_q;
      tick_says:
        assert (tb_o == $past(tb_o) + {63'd0, tb_tick_o});
      // What a tick takes from the phase is the divisor.
      // fault: tick ? sum - {1'b0, tb_den_i} : sum; => tick ? 17'd0 : sum;
      no_lost_phase:
        assert ({1'b0, phase_q} + ($past(tick) ? {1'b0, tb_den_i} : 17'd0) ==
                {1'b0, $past(phase_q)} + {1'b0, tb_num_i});
    end
  end

endmodule
