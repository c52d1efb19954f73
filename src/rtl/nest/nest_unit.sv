// SPDX-License-Identifier: Apache-2.0
// The place of nests on the die: one manager a chip.
module nest_unit #(
  parameter int NrChip = 1
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  // Straps, and all that follows: a slice a chip.
  input  logic [NrChip*64-1:0]                         strap_base_i,
  // 0 is 2^32: a nest that nobody uses does not tick in a run's time.
  input  logic [NrChip*32-1:0]                         strap_tick_cycles_i,

  // Increments of the counters, in the order of the rows.
  input  logic [NrChip*4*nest_rows_pkg::NrCounter-1:0] inc_i,

  output logic [NrChip*bus_pkg::ReqBits-1:0]           m_req_o,
  input  logic [NrChip*bus_pkg::RspBits-1:0]           m_rsp_i,

  // The engines, as an observer sees them.
  output logic [NrChip*3-1:0]                          status_o,
  output logic [NrChip-1:0]                            sample_valid_o,
  output logic [NrChip*4-1:0]                          sample_group_o,
  output logic [NrChip*64-1:0]                         sample_addr_o,
  output logic [NrChip*32-1:0]                         sample_number_o,
  output logic [NrChip*16-1:0]                         sample_bytes_o,
  output logic [NrChip*2-1:0]                          sample_resp_o,
  output logic [NrChip*64-1:0]                         sample_start_o
);

  for (genvar c = 0; c < NrChip; c++) begin : g_chip
    nest u_nest (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .base_i          (strap_base_i[64*c +: 64]),
      .tick_cycles_i   (strap_tick_cycles_i[32*c +: 32]),
      .inc_i           (inc_i[4*nest_rows_pkg::NrCounter*c +: 4*nest_rows_pkg::NrCounter]),
      .req_o           (m_req_o[bus_pkg::ReqBits*c +: bus_pkg::ReqBits]),
      .rsp_i           (m_rsp_i[bus_pkg::RspBits*c +: bus_pkg::RspBits]),
      .status_o        (status_o[3*c +: 3]),
      .sample_valid_o  (sample_valid_o[c]),
      .sample_group_o  (sample_group_o[4*c +: 4]),
      .sample_addr_o   (sample_addr_o[64*c +: 64]),
      .sample_number_o (sample_number_o[32*c +: 32]),
      .sample_bytes_o  (sample_bytes_o[16*c +: 16]),
      .sample_resp_o   (sample_resp_o[2*c +: 2]),
      .sample_start_o  (sample_start_o[64*c +: 64])
    );
  end

endmodule
