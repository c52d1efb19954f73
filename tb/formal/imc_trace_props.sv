// SPDX-License-Identifier: Apache-2.0
// What holds of a thread's records (docs/hw/imc.md, "Trace mode").
module imc_trace_props (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic [2:0]   buffersize_i,
  input logic         put_i,
  input logic         capture_i,
  input logic         take_i,
  input logic         lost_o,
  input logic         waits_q,
  input logic [63:0]  ldbar_q,
  input logic [15:0]  index_q,
  input logic [16:0]  limit,
  input logic [55:0]  addr_q,
  input logic [511:0] record_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  always_ff @(posedge clk_i) begin
    // Only what waits is taken.
    assume (!take_i || waits_q);

    if (live) begin
      // No record is written outside the thread's window.
      // fault: + (in_limit ? => - (in_limit ?
      in_window:
        assert (!$past(capture_i && !waits_q) ||
                (addr_q - {$past(ldbar_q[55:13]), 13'd0} < {33'd0, $past(limit), 6'd0}));
      // A record that waits is neither lost nor changed until it is taken.
      // fault: end else if (capture_i && !waits_q) begin\n      addr_q => end else if (capture_i) begin\n      addr_q
      record_stays:
        assert (!$past(waits_q && !take_i && !put_i && !clear_i) ||
                (waits_q && (addr_q == $past(addr_q)) && (record_o == $past(record_o))));
      // A snapshot becomes a record, or is told as lost.
      // fault: lost_o    = capture_i && !clear_i && (waits_q || put_i) => lost_o    = capture_i && !clear_i && put_i
      no_silent_loss:
        assert (!$past(capture_i && !clear_i && !lost_o) || waits_q);
    end
  end

endmodule
