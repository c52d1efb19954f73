// SPDX-License-Identifier: Apache-2.0
// What holds of the memory controller (docs/hw/bus.md, "Memory controller").
module axi_mem_ctrl_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        w_taken,
  input logic [63:0] addr_q,
  input logic        mem_write_o,
  input logic [63:0] mem_waddr_o,
  input logic        mem_commit_o,
  input logic [bus_pkg::ReqBits-1:0] req_i,
  input logic [bus_pkg::RspBits-1:0] rsp_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic [15:0] broken;
  axi_checker u_axi (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i), .rsp_i(rsp_o),
                     .violation_o(broken));

  always_ff @(posedge clk_i) begin
    // The fabric obeys: one transfer at a time.
    assume (!broken[0] && !broken[1] && !broken[3] && !broken[5] && !broken[6] && !broken[9]);

    if (live) begin
      // VALID stays, with its payload, until it is taken: B and R.
      // fault: if (read && ((state_q != MemBeat) || rready)) begin => if (read) begin
      answers_stay:
        assert (!broken[2] && !broken[4]);
      // One answer to each request, and none without; R has as many beats as were asked for.
      // fault: beats_d = arlen; => beats_d = arlen + 8'd1;
      one_answer:
        assert (!broken[10] && !broken[12] && !broken[13]);
      // An answer has the request's ID.
      // fault: id_d    = awid; => id_d    = arid;
      own_id:
        assert (!broken[11] && !broken[14]);
      // Each beat is written once, where it belongs, and nothing else is.
      // fault: waddr_q <= addr_q; => waddr_q <= addr_d;
      no_lost_beat:
        assert ((mem_write_o == $past(w_taken)) &&
                (!mem_write_o || (mem_waddr_o == $past(addr_q))));
      // The beats of a burst follow each other.
      // fault: if (w_taken) begin\n          addr_d  = addr_q + 64'd8; => if (w_taken) begin\n          addr_d  = addr_q + 64'd16;
      in_order:
        assert (!$past(w_taken) || (addr_q == $past(addr_q) + 64'd8));
    end
  end

endmodule
