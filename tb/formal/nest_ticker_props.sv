// SPDX-License-Identifier: Apache-2.0
// What holds of the ticks of the nest's controller (docs/hw/nest.md, "Ticks").
module nest_ticker_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] tick_cycles_i,
  input logic        take_i,
  input logic        comes,
  input logic [63:0] cycle_q,
  input logic [31:0] phase_q,
  input logic [7:0]  ticks_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  always_ff @(posedge clk_i) begin
    // What is not there is not taken; the period is a strap.
    assume (!take_i || (ticks_q != 8'd0));
    used:
      assume (tick_cycles_i != 32'd0);
    if (past_q) assume (tick_cycles_i == $past(tick_cycles_i));

    if (live) begin
      // No tick is lost while fewer than 255 wait, and none is taken twice.
      // fault: if (comes && !take_i && (ticks_q => if (comes && (ticks_q
      no_lost_tick:
        assert ({1'b0, ticks_q} == (($past(comes && !take_i) && ($past(ticks_q) == 8'hff)) ? 9'd255
                : {1'b0, $past(ticks_q)} + {8'd0, $past(comes)} - {8'd0, $past(take_i)}));
      // The phase stays below the period.
      // fault: (phase_q == tick_cycles_i - 32'd1) => (phase_q == tick_cycles_i)
      phase_in_period:
        assert (phase_q < tick_cycles_i);
      // No cycle is lost.
      // fault: cycle_q <= cycle_q + 64'd1; => cycle_q <= cycle_q + {63'd0, !take_i};
      no_lost_cycle:
        assert (cycle_q == $past(cycle_q) + 64'd1);
    end
  end

endmodule
