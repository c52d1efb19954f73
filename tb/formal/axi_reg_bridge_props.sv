// SPDX-License-Identifier: Apache-2.0
// What holds of a register bridge (docs/hw/bus.md, "Register bridge").
module axi_reg_bridge_props #(
  parameter int NrSlot     = 8,
  parameter int CycleWidth = 8
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [NrSlot-1:0]    present_i,
  input logic [NrSlot-1:0]    reg_en_o,
  input logic                 reg_write_o,
  input logic                 burst_q,
  input logic                 effect,
  input logic [1:0]           state_q,
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

  // How long the access has lasted.
  logic [CycleWidth:0] lasts_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lasts_q <= '0;
    else         lasts_q <= (state_q == 2'd2) ? lasts_q + 1'b1 : '0;
  end

  always_ff @(posedge clk_i) begin
    // The fabric obeys, and sends W behind AW.
    assume (!broken[0] && !broken[1] && !broken[3] && !broken[5] && !broken[6] && !broken[9]);

    if (live) begin
      // VALID stays, with its payload, until it is taken: B and R.
      // fault: if (write_q ? bready : rready) begin => if (write_q || rready) begin
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
      // A transfer takes effect at most once.
      // fault: assign effect = (state_q == BridgeAccess) && (wait_q == '0); => assign effect = ((state_q == BridgeAccess) && (wait_q == '0)) || (state_q == BridgeRespond);
      one_effect:
        assert (!$past(reg_en_o != '0) || (reg_en_o == '0));
      // Units that are not there, and bursts, have no effect.
      // fault: select[s] = legal && present_i[s] && => select[s] = legal &&
      no_effect_outside:
        assert (((reg_en_o & ~present_i) == '0) && ((reg_en_o == '0) || !burst_q));
      // No deadlock: an access ends within its cycles.
      // fault: wait_d = wait_q - One; => wait_d = wait_q;
      access_ends:
        assert (lasts_q <= (CycleWidth+1)'(1 << CycleWidth));
    end
  end

endmodule
