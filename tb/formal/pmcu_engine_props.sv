// SPDX-License-Identifier: Apache-2.0
// What holds of the PMCU's bursts (docs/hw/pmcu.md, "FETCH", "STORE").
module pmcu_engine_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        load_i,
  input logic [63:0] kill_base_i,
  input logic        fetch_i,
  input logic        store_i,
  input logic        busy_q,
  input logic        write_q,
  input logic [63:0] addr_q,
  input logic [63:0] pointer_q,
  input logic [4:0]  beats_q,
  input logic [4:0]  sent_q,
  input logic        ar_q,
  input logic        aw_q,
  input logic        w_q,
  input logic        plan,
  input logic        planning_store,
  input logic        begin_burst,
  input logic        kill_o,
  input logic        last_b,
  input logic        awready_i,
  input logic        wready_i,
  input logic        arready_i,
  input logic        bvalid_i,
  input logic        rvalid_i
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic [64:0] ends;
  assign ends = {1'b0, addr_q} + {57'd0, beats_q, 3'd0};

  always_ff @(posedge clk_i) begin
    // The state machine starts one thing at a time; KILL_BASE is that of the run.
    assume (!((fetch_i || store_i || load_i) && busy_q));
    assume (!(fetch_i && store_i) && !(load_i && (fetch_i || store_i)));
    // The fabric answers what it has taken.
    assume (!(bvalid_i && (aw_q || w_q)) && !(rvalid_i && ar_q));
    if (past_q && $past(busy_q || store_i)) assume (kill_base_i == $past(kill_base_i));

    if (live) begin
      // No store at or above KILL_BASE.
      // fault: if (planning_store && (room < {56'd0, burst, 3'd0})) => if (store_i && (room < {56'd0, burst, 3'd0}))
      no_write_outside:
        assert (!(busy_q && write_q) || (ends <= {1'b0, kill_base_i}));
      // No burst crosses a page.
      // fault: assign to_page = 10'd512 - => assign to_page = 10'd513 -
      within_page:
        assert (!busy_q || ({1'b0, addr_q[11:0]} + {5'd0, beats_q, 3'd0} <= 13'h1000));
      // A burst has 1 to 16 beats.
      // fault: (burst != 5'd0) && !(done => !(done
      beats_in_bounds:
        assert (!busy_q || ((beats_q != 5'd0) && (beats_q <= 5'd16)));
      // No more beats are sent than were said.
      // fault: if (wlast_o) w_q <= 1'b0; => if (wlast_o && awready_i) w_q <= 1'b0;
      sent_in_bounds:
        assert (!w_q || (sent_q < beats_q));
      // What is asked for stays until it is taken.
      // fault: if (awready_i) aw_q <= 1'b0; => if (wready_i) aw_q <= 1'b0;
      valid_stays:
        assert (!($past(aw_q && !awready_i) && !aw_q) && !($past(ar_q && !arready_i) && !ar_q) &&
                !($past(w_q && !wready_i) && !w_q));
      // The store pointer moves by what was stored, when it is answered.
      // fault: pointer_q <= pointer_q + {56'd0, beats_q, 3'd0}; => pointer_q <= pointer_q + {56'd0, sent_q, 3'd0} + 64'd8;
      pointer_moves:
        assert ($past(load_i) || (pointer_q == $past(pointer_q) +
                ($past(last_b) ? {56'd0, $past(beats_q), 3'd0} : 64'd0)));
      // A burst is planned until it begins, is killed or is broken off.
      // fault: && !(done && stop_i); => && !stop_i;
      no_lost_store:
        assert (!$past(store_i && !kill_o && !(busy_q)) || busy_q);
    end
  end

endmodule
