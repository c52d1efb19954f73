// The nest's place on the die: one manager.
module nest_unit (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  input  logic [63:0]                           strap_base_i,
  // 0 is 2^32: a nest that nobody uses does not tick in a run's time.
  input  logic [31:0]                           strap_tick_cycles_i,

  // Increments of the counters, in the order of the rows.
  input  logic [4*nest_rows_pkg::NrCounter-1:0] inc_i,

  output logic [1*bus_pkg::ReqBits-1:0]         m_req_o,
  input  logic [1*bus_pkg::RspBits-1:0]         m_rsp_i,

  // The engine, as an observer sees it.
  output logic [2:0]                            status_o,
  output logic                                  sample_valid_o,
  output logic [2:0]                            sample_group_o,
  output logic [63:0]                           sample_addr_o,
  output logic [31:0]                           sample_number_o,
  output logic [15:0]                           sample_bytes_o,
  output logic [1:0]                            sample_resp_o,
  output logic [63:0]                           sample_start_o
);

  nest u_nest (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .base_i          (strap_base_i),
    .tick_cycles_i   (strap_tick_cycles_i),
    .inc_i           (inc_i),
    .req_o           (m_req_o),
    .rsp_i           (m_rsp_i),
    .status_o        (status_o),
    .sample_valid_o  (sample_valid_o),
    .sample_group_o  (sample_group_o),
    .sample_addr_o   (sample_addr_o),
    .sample_number_o (sample_number_o),
    .sample_bytes_o  (sample_bytes_o),
    .sample_resp_o   (sample_resp_o),
    .sample_start_o  (sample_start_o)
  );

endmodule
