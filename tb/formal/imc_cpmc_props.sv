// SPDX-License-Identifier: Apache-2.0
// What holds of a thread's counters (docs/hw/imc.md, "Accumulation", "Trace mode").
module imc_cpmc_props (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic         active_i,
  input logic         trace_i,
  input logic         zero_i,
  input logic [3:0]   filter_i,
  input logic [1:0]   mode_i,
  input logic [15:0]  inc_i,
  input logic [1:0]   sampsel_i,
  input logic [31:0]  load_i,
  input logic         put_i,
  input logic         put_trace_i,
  input logic [127:0] value_q,
  input logic         capture_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic        quiet, counts;
  logic [32:0] sampled;
  assign quiet   = !clear_i && !(put_i && (put_trace_i || trace_i)) && !(zero_i && !trace_i);
  assign counts  = quiet && active_i && (trace_i || filter_i[mode_i]);
  assign sampled = {1'b0, value_q[32*sampsel_i +: 32]} + {29'd0, inc_i[4*sampsel_i +: 4]};

  always_ff @(posedge clk_i) begin
    if (live) begin
      // No increment of CPMC1 is lost, but where its overflow loads it anew.
      // fault: {28'd0, inc_i[4*n +: 4]} => {28'd0, inc_i[4*n +: 4] & 4'd7}
      no_lost_increment:
        assert (!$past(counts && !(trace_i && (sampsel_i == 2'd0) && sampled[32])) ||
                (value_q[31:0] == $past(value_q[31:0]) + {28'd0, $past(inc_i[3:0])}));
      // The same of CPMC4.
      // fault: for (int n = 0; n < 4; n++) begin => for (int n = 0; n < 3; n++) begin
      no_lost_increment_of_last:
        assert (!$past(counts && !(trace_i && (sampsel_i == 2'd3) && sampled[32])) ||
                (value_q[127:96] == $past(value_q[127:96]) + {28'd0, $past(inc_i[15:12])}));
      // Every overflow of the sampled counter takes a snapshot.
      // fault: (&addend[31:4]) => (&addend[31:3])
      no_lost_snapshot:
        assert (!$past(counts && trace_i && sampled[32]) || capture_q);
      // A snapshot has an overflow.
      // fault: >= 5'd16) => >= 5'd15)
      snapshot_has_a_cause:
        assert (!capture_q || $past(counts && trace_i && sampled[32]));
      // Outside of windows and traces nothing counts.
      // fault: if (active_i && (trace_i || filter_i[mode_i])) => if (trace_i || filter_i[mode_i])
      no_other_increment:
        assert (!$past(quiet && !active_i) || (value_q == $past(value_q)));
    end
  end

endmodule
