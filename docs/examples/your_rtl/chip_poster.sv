// SPDX-License-Identifier: Apache-2.0
// A nest with its posting engine as somebody else might have it: other names, reset active high,
// increments of six bits, plain AXI whose reads are asked for a cycle later, and a status out of a
// register. Behind it is src/rtl/nest/. chip_poster.yaml and chip_poster10.yaml are its MAPs, of one
// engine and of the other.
module chip_poster #(
  parameter bit SecondGeneration = 1'b0,
  parameter int Counters         = 205
) (
  input  logic                  clock,
  input  logic                  reset,
  input  logic                  scan_enable,
  input  logic [63:0]           window,
  input  logic [31:0]           tick,
  input  logic [Counters*6-1:0] counts,

  output logic                  m_awvalid,
  input  logic                  m_awready,
  output logic [63:0]           m_awaddr,
  output logic [7:0]            m_awlen,
  output logic [2:0]            m_awsize,
  output logic                  m_wvalid,
  input  logic                  m_wready,
  output logic [63:0]           m_wdata,
  output logic [7:0]            m_wstrb,
  output logic                  m_wlast,
  input  logic                  m_bvalid,
  output logic                  m_bready,
  input  logic [1:0]            m_bresp,
  output logic                  m_arvalid,
  input  logic                  m_arready,
  output logic [63:0]           m_araddr,
  output logic [7:0]            m_arlen,
  output logic [2:0]            m_arsize,
  input  logic                  m_rvalid,
  output logic                  m_rready,
  input  logic [63:0]           m_rdata,
  input  logic [1:0]            m_rresp,
  input  logic                  m_rlast,

  output logic [2:0]            phase,
  output logic                  posted,
  output logic [3:0]            posted_group,
  output logic [63:0]           posted_at,
  output logic [31:0]           posted_number,
  output logic [15:0]           posted_bytes,
  output logic [1:0]            posted_how,
  output logic [63:0]           posted_from
);

  logic unused;
  assign unused = scan_enable;

  logic [Counters*4-1:0] inc;
  for (genvar n = 0; n < Counters; n++) begin : g_count
    assign inc[4*n +: 4] = counts[6*n +: 4];
  end

  logic [2:0] status;
  always_ff @(posedge clock) phase <= reset ? 3'd0 : status;

  logic [bus_pkg::ReqBits-1:0] req;
  logic [bus_pkg::RspBits-1:0] rsp;

  // A read is asked for a cycle later.
  logic asked;
  always_ff @(posedge clock) asked <= !reset && req[bus_pkg::ReqArValid] && !(asked && m_arready);

  assign m_awvalid = req[bus_pkg::ReqAwValid];
  assign m_awaddr  = req[bus_pkg::ReqAwAddr +: 64];
  assign m_awlen   = req[bus_pkg::ReqAwLen +: 8];
  assign m_awsize  = req[bus_pkg::ReqAwSize +: 3];
  assign m_wvalid  = req[bus_pkg::ReqWValid];
  assign m_wdata   = req[bus_pkg::ReqWData +: 64];
  assign m_wstrb   = req[bus_pkg::ReqWStrb +: 8];
  assign m_wlast   = req[bus_pkg::ReqWLast];
  assign m_bready  = req[bus_pkg::ReqBReady];
  assign m_arvalid = req[bus_pkg::ReqArValid] && asked;
  assign m_araddr  = req[bus_pkg::ReqArAddr +: 64];
  assign m_arlen   = req[bus_pkg::ReqArLen +: 8];
  assign m_arsize  = req[bus_pkg::ReqArSize +: 3];
  assign m_rready  = req[bus_pkg::ReqRReady];

  assign rsp = {
    m_arready && asked, m_wready, m_awready, m_bvalid, m_rvalid, m_rlast, m_bresp, m_rresp, 8'd0,
    m_rdata
  };

  nest #(
    .Power10   (SecondGeneration),
    .NrCounter (Counters)
  ) u_nest (
    .clk_i           (clock),
    .rst_ni          (!reset),
    .base_i          (window),
    .tick_cycles_i   (tick),
    .inc_i           (inc),
    .req_o           (req),
    .rsp_i           (rsp),
    .status_o        (status),
    .sample_valid_o  (posted),
    .sample_group_o  (posted_group),
    .sample_addr_o   (posted_at),
    .sample_number_o (posted_number),
    .sample_bytes_o  (posted_bytes),
    .sample_resp_o   (posted_how),
    .sample_start_o  (posted_from)
  );

endmodule
