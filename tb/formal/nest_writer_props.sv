// SPDX-License-Identifier: Apache-2.0
// What holds of the nest's bus port (docs/hw/nest.md, "Transfer"; docs/hw/bus.md).
module nest_writer_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic        write_i,
  input logic [4:0]  beats_i,
  input logic [63:0] word_i,
  input logic        busy_q,
  input logic        write_q,
  input logic        ar_q,
  input logic        aw_q,
  input logic        w_q,
  input logic [3:0]  beat_q,
  input logic [3:0]  last_q,
  input logic        done_o,
  input logic        word_en_o,
  input logic [bus_pkg::ReqBits-1:0] req_o,
  input logic [bus_pkg::RspBits-1:0] rsp_i
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic [15:0] broken;
  axi_checker u_axi (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_o), .rsp_i(rsp_i),
                     .violation_o(broken));

  always_ff @(posedge clk_i) begin
    // The engine asks when nothing is on its way, and holds the word until it is taken.
    assume (!(start_i && busy_q));
    assume (!start_i || ((beats_i != 5'd0) && (beats_i <= 5'd16)));
    if (past_q && $past(w_q && !rsp_i[bus_pkg::RspWReady])) assume (word_i == $past(word_i));
    // The fabric obeys.
    assume (!broken[2] && !broken[4] && (broken[15:10] == 6'd0));

    if (live) begin
      // VALID stays, with its payload, until it is taken: AW.
      // fault: if (awready) aw_q <= 1'b0; => if (wready) aw_q <= 1'b0;
      aw_stays:
        assert (!broken[0]);
      // VALID stays, with its payload, until it is taken: W.
      // fault: if (w_q && wready) begin => if (w_q) begin
      w_stays:
        assert (!broken[1]);
      // VALID stays, with its payload, until it is taken: AR.
      // fault: if (arready) ar_q <= 1'b0; => ar_q <= 1'b0;
      ar_stays:
        assert (!broken[3]);
      // One write and one read at most are outstanding.
      // fault: if (awready) aw_q <= 1'b0; => if (awready && !w_q) aw_q <= 1'b0;
      one_at_a_time:
        assert (!broken[5] && !broken[6]);
      // A burst has as many beats as it said.
      // fault: if (beat_q == last_q) w_q => if (beat_q + 4'd1 == last_q) w_q
      beats_as_said:
        assert (!broken[9]);
      // No request outside of a transfer.
      // fault: if (done_o) busy_q <= 1'b0; => if (done_o || (aw_q && awready)) busy_q <= 1'b0;
      no_stray_request:
        assert (busy_q || (!ar_q && !aw_q && !w_q));
      // It counts no beat past the last.
      // fault: beat_q   <= '0; => beat_q   <= 4'd1;
      beats_in_bounds:
        assert (!w_q || (beat_q <= last_q));
    end
  end

endmodule
