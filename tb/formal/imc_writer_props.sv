// SPDX-License-Identifier: Apache-2.0
// What holds of a core's bus port (docs/hw/imc.md, "Writer"; docs/hw/bus.md).
module imc_writer_props #(
  parameter int NrThread = 4
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       hold_i,
  input logic                       core_waits_i,
  input logic                       thread_waits_i,
  input logic [NrThread-1:0]        record_waits_i,
  input logic                       take_core_o,
  input logic                       take_thread_o,
  input logic [NrThread-1:0]        take_record_o,
  input logic                       busy_q,
  input logic                       aw_q,
  input logic                       w_q,
  input logic                       done,
  input logic                       record_q,
  input logic [1:0]                 thread_q,
  input logic [NrThread*32-1:0]     number_q,
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

  logic [NrThread+1:0] takes;
  assign takes = {take_core_o, take_thread_o, take_record_o};

  always_ff @(posedge clk_i) begin
    // The fabric obeys.
    assume (!broken[2] && !broken[4] && (broken[15:10] == 6'd0));

    if (live) begin
      // VALID stays, with its payload, until it is taken: AW.
      // fault: if (awready) aw_q <= 1'b0; => if (wready) aw_q <= 1'b0;
      aw_stays:
        assert (!broken[0]);
      // VALID stays, with its payload, until it is taken: W.
      // fault: if (w_q && wready) data_q => if (w_q) data_q
      w_stays:
        assert (!broken[1]);
      // One write at most is outstanding.
      // fault: assign idle = !busy_q && !hold_i; => assign idle = !aw_q && !w_q && !hold_i;
      one_at_a_time:
        assert (!broken[5]);
      // A burst has as many beats as it said.
      // fault: take_record ? 3'd7 : 3'd3; => take_record ? 3'd7 : 3'd4;
      beats_as_said:
        assert (!broken[9]);
      // One thing at most is taken in a cycle, and only what waits.
      // fault: assign take_thread_o = idle && !core_waits_i && thread_waits_i; => assign take_thread_o = idle && thread_waits_i;
      one_is_taken:
        assert (((takes & (takes - 1'b1)) == '0) &&
                ((takes & ~{core_waits_i, thread_waits_i, record_waits_i}) == '0));
      // Whatever waits is not left waiting while the port is idle.
      // fault: && (record_waits_i != '0); => && record_waits_i[0];
      nobody_forgotten:
        assert (busy_q || hold_i || ({core_waits_i, thread_waits_i, record_waits_i} == '0) ||
                (takes != '0));
      // Each record that is written counts once.
      // fault: if (done && record_q && (thread_q == 2'(t))) begin => if (done && (thread_q == 2'(t))) begin
      no_lost_number:
        assert (number_q[31:0] == $past(number_q[31:0]) +
                {31'd0, $past(done && record_q && (thread_q == 2'd0))});
    end
  end

endmodule
