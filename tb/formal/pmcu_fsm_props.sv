// SPDX-License-Identifier: Apache-2.0
// What holds of the PMCU's state machine (docs/hw/pmcu.md, "States").
module pmcu_fsm_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        trigger_i,
  input logic        brk_i,
  input logic        begins,
  input logic [5:0]  errors_o,
  input logic        done_o,
  input logic        broken_o,
  input logic [3:0]  state_q,
  input logic [3:0]  state_d,
  input logic        first_q,
  input logic        brk_q,
  input logic        lanes_busy_i,
  input logic        engine_busy_i,
  input logic [47:0] wait_q,
  input logic [31:0] number_q,
  input logic        store_o,
  input logic        fetch_o,
  input logic        go_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic calm;
  assign calm = !first_q && !lanes_busy_i && !engine_busy_i;

  always_ff @(posedge clk_i) begin
    if (live) begin
      // No deadlock: where nothing is busy, the state changes, but for waiting and being idle.
      // fault: pmcu_pkg::StStop:    if (left) => pmcu_pkg::StStop:    if (left && !trigger_i)
      moves_on:
        assert (!$past(calm) || (state_q != $past(state_q)) || (state_q == pmcu_pkg::StIdle) ||
                ((state_q == pmcu_pkg::StWait) && ($past(wait_q) != 48'd0)));
      // Waiting comes to an end.
      // fault: (wait_q == 48'd0) ? 48'd0 : wait_q - 48'd1 => (wait_q == 48'd0) ? 48'd0 : wait_q - {47'd0, !trigger_i}
      wait_ends:
        assert (!($past((state_q == pmcu_pkg::StWait) && !first_q && (wait_q != 48'd0)) &&
                  (state_q == pmcu_pkg::StWait)) || (wait_q == $past(wait_q) - 48'd1));
      // A BRK that has come stays until it is carried out.
      // fault: brk_q   <= brk_i || (brk_q && !brk_ends); => brk_q   <= brk_i || (brk_q && !brk_ends && !trigger_i);
      no_lost_break:
        assert (!$past(brk_q) || brk_q || (state_q == pmcu_pkg::StBreak) || $past(broken_o));
      // After a BRK, nothing new is fetched or stored.
      // fault: fetch_o = first_q && !brk_q; => fetch_o = first_q;
      break_starts_nothing:
        assert (!brk_q || (state_q == pmcu_pkg::StIdle) || !(fetch_o || store_o));
      // A trigger in a run is told as lost.
      // fault: {trigger_i && (state_q != pmcu_pkg::StIdle), => {trigger_i && (state_q == pmcu_pkg::StInit),
      no_silent_trigger:
        assert (!(trigger_i && (state_q != pmcu_pkg::StIdle)) || errors_o[5]);
      // A run that ends says so, and a trigger that is refused.
      // fault: done_o   = accepted && !legal; => done_o   = 1'b0;
      end_is_told:
        assert (!(trigger_i && (state_q == pmcu_pkg::StIdle) && !begins) || done_o);
      // Samples are counted one by one.
      // fault: if (state_q == pmcu_pkg::StSwitch) begin => if (state_q == pmcu_pkg::StFetch) begin
      no_lost_sample:
        assert ($past(begins) || (number_q == $past(number_q) +
                {31'd0, $past(state_q == pmcu_pkg::StSwitch)}));
      // There are no other states.
      // fault: if (begins) state_d = pmcu_pkg::StInit; => if (begins) state_d = 4'd15;
      known_states:
        assert (state_q <= pmcu_pkg::StBreak);
    end
  end

endmodule
