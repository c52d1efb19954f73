// SPDX-License-Identifier: Apache-2.0
// The CPU ports beside the first one (docs/hw/cpu.md, "A port a CPU"): software is outside, each port
// is a manager.
module ports_unit #(
  parameter int NrPort = 1
) (
  // What the software asks for; what it hears is m_rsp of the die.
  input  logic [NrPort*bus_pkg::ReqBits-1:0] req_i,

  output logic [NrPort*bus_pkg::ReqBits-1:0] m_req_o,
  input  logic [NrPort*bus_pkg::RspBits-1:0] m_rsp_i
);

  assign m_req_o = req_i;

  logic unused_rsp;
  assign unused_rsp = ^m_rsp_i;

endmodule
