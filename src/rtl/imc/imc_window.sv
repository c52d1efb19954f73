// SPDX-License-Identifier: Apache-2.0
// Which slot of which thread is counted, and STATE (docs/hw/imc.md, "Counters and states",
// "Accumulation").
module imc_window (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,        // no power: reset state in the next cycle

  input  logic [2:0]  nr_thread_i,
  input  logic [4:0]  tap_log2_i,
  input  logic [63:0] tb_i,
  input  logic        tb_tick_i,

  input  logic        on_i,
  input  logic        freeze_i,
  input  logic [2:0]  ic_tap_i,
  input  logic        disable_wrap_i,
  input  logic        one_event_i,
  input  logic [1:0]  event_vtid_i,
  input  logic [4:0]  event_select_i,

  output logic [2:0]  state_o,
  output logic        end_o,          // a window ends with this cycle
  output logic [6:0]  slot_o,
  output logic [1:0]  thread_o
);

  logic       synced_q, done_q;
  logic [6:0] slot_q;
  logic [1:0] thread_q;

  always_comb begin
    if (!on_i)         state_o = imc_pkg::StateOff;
    else if (freeze_i) state_o = imc_pkg::StateFrozen;
    else if (done_q)   state_o = imc_pkg::StateDone;
    else if (synced_q) state_o = imc_pkg::StateRun;
    else               state_o = imc_pkg::StateSync;
  end

  // --- boundary: a tick after which the low k bits are zero ---
  logic [3:0]  tap;
  logic [5:0]  k;
  logic [63:0] below;                 // the bits from k up, inverted
  logic        boundary;
  assign tap      = (ic_tap_i == 3'd0) ? 4'd0 : {ic_tap_i, 1'b0} - 4'd1;
  assign k        = {1'b0, tap_log2_i} + {2'd0, tap};
  assign below    = ~(64'hffff_ffff_ffff_ffff << k);
  assign boundary = tb_tick_i && ((tb_i & below) == 64'd0);

  logic sync_ends;
  assign sync_ends = boundary && (state_o == imc_pkg::StateSync);
  assign end_o     = boundary && (state_o == imc_pkg::StateRun);

  logic [1:0] last_thread;
  logic       round_ends;
  assign last_thread = nr_thread_i[1:0] - 2'd1; // 4 threads: 3
  assign round_ends  = (thread_q == last_thread) && (slot_q == 7'd127);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      synced_q <= 1'b0;
      done_q   <= 1'b0;
      slot_q   <= '0;
      thread_q <= '0;
    end else if (clear_i || !on_i) begin
      synced_q <= 1'b0;
      done_q   <= 1'b0;
      slot_q   <= '0;
      thread_q <= '0;
    end else if (sync_ends || end_o) begin
      synced_q <= 1'b1;
      if (one_event_i) begin
        slot_q   <= {2'd0, event_select_i};
        thread_q <= event_vtid_i & last_thread;
      end else if (sync_ends) begin
        slot_q   <= '0;
        thread_q <= '0;
      end else if (thread_q == last_thread) begin
        slot_q   <= slot_q + 7'd1;
        thread_q <= '0;
        done_q   <= round_ends && disable_wrap_i;
      end else begin
        thread_q <= thread_q + 2'd1;
      end
    end
  end

  assign slot_o   = slot_q;
  assign thread_o = thread_q;

  logic unused_bit;
  assign unused_bit = nr_thread_i[2];

endmodule
