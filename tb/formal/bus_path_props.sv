// SPDX-License-Identifier: Apache-2.0
// What holds of a path of the fabric (docs/hw/bus.md, "Paths").
module bus_path_props #(
  parameter int NrManager = 2
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [2*NrManager-1:0] req_i,
  input logic [2*NrManager-1:0] grant_o,
  input logic [NrManager-1:0]   owner_o,
  input logic [2:0]             state_q,
  input logic [16:0]            wait_q,
  input logic                   write,
  input logic                   error_q,
  input logic                   hole,
  input logic                   malformed,
  input logic [63:0]            t_addr_o,
  input logic [7:0]             t_len_o,
  input logic [2:0]             t_size_o,
  input logic                   t_awvalid_o,
  input logic                   t_arvalid_o,
  input logic                   t_awready_i,
  input logic                   t_arready_i,
  input logic                   t_wvalid_o,
  input logic                   m_bvalid_o,
  input logic                   m_rvalid_o,
  input logic                   own_bready
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  // PathIdle, PathGrant, PathForward, PathAddress are 0, 1, 3, 4.
  logic asks;
  assign asks = t_awvalid_o || t_arvalid_o;

  always_ff @(posedge clk_i) begin
    // A manager asks until it is heard.
    if (past_q) assume (($past(req_i & ~grant_o) & ~req_i) == '0);

    if (live) begin
      // One requester at most is granted, and one that asks.
      // fault: grant_o[i] = owner_q == ReqWidth'(i); => grant_o[i] = 1'b1;
      one_grant:
        assert (((grant_o & (grant_o - 1'b1)) == '0) && ((grant_o & ~req_i) == '0));
      // One manager owns the path.
      // fault: if ((owner_q >> 1) == ReqWidth'(m)) begin => if ((owner_q >> 1) <= ReqWidth'(m)) begin
      one_owner:
        assert ((owner_o & (owner_o - 1'b1)) == '0);
      // What is malformed, or of the hole, reaches no target.
      // fault: error_d = hole || malformed || chk_error_i; => error_d = hole || chk_error_i;
      no_write_outside:
        assert (!asks || (!error_q && !hole && !malformed));
      // A target sees bursts within a page, of 16 beats at most.
      // fault: (len_q > 8'd15) || => (len_q > 8'd127) ||
      bursts_are_legal:
        assert (!asks || ((t_len_o <= 8'd15) && (t_size_o <= 3'd3) &&
                ({1'b0, t_addr_o[11:0]} + ({5'd0, t_len_o} + 13'd1 << t_size_o) <= 13'h1000)));
      // VALID stays, with its payload, until it is taken.
      // fault: if (write ? t_awready_i : t_arready_i) begin => if (t_awready_i || t_arready_i) begin
      valid_stays:
        assert (!$past((t_awvalid_o && !t_awready_i) || (t_arvalid_o && !t_arready_i)) ||
                (asks && (t_addr_o == $past(t_addr_o)) && (t_len_o == $past(t_len_o))));
      // No deadlock: who asks an idle path owns it in the next cycle.
      // fault: if (req_i[i] && !pick_valid) begin => if (req_i[i] && !pick_valid && (ReqWidth'(i) != owner_q)) begin
      idle_serves:
        assert (!$past((state_q == 3'd0) && (req_i != '0)) || (state_q == 3'd1));
      // No deadlock: FORWARD ends in its cycles.
      // fault: wait_d = wait_q - 17'd1; => wait_d = wait_q;
      forward_ends:
        assert (!$past(state_q == 3'd3) || (state_q != 3'd3) ||
                (wait_q == $past(wait_q) - 17'd1));
      // An answer goes to the one who asked, and never both kinds at once.
      // fault: end else if (write) begin\n          m_bvalid_o => end else if (beats_q == 8'd0) begin\n          m_bvalid_o
      own_answer:
        assert (!(m_bvalid_o && !write) && !(m_rvalid_o && write));
    end
  end

endmodule
