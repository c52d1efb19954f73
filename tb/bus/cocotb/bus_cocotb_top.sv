// SPDX-License-Identifier: Apache-2.0
// The fabric between AXI partners that others wrote (docs/hw/bus.md): two managers, memory as a
// port, and register bridges as targets 1 and 2. Port names are those that cocotbext-axi asks for.
module bus_cocotb_top (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        shared_i,
  input  logic [7:0]  forward_cycles_i,
  input  logic [7:0]  return_cycles_i,
  input  logic [7:0]  access_cycles_i,

  input  logic [3:0]  m0_axi_awid,
  input  logic [63:0] m0_axi_awaddr,
  input  logic [7:0]  m0_axi_awlen,
  input  logic [2:0]  m0_axi_awsize,
  input  logic [1:0]  m0_axi_awburst,
  input  logic        m0_axi_awvalid,
  output logic        m0_axi_awready,
  input  logic [63:0] m0_axi_wdata,
  input  logic [7:0]  m0_axi_wstrb,
  input  logic        m0_axi_wlast,
  input  logic        m0_axi_wvalid,
  output logic        m0_axi_wready,
  output logic [3:0]  m0_axi_bid,
  output logic [1:0]  m0_axi_bresp,
  output logic        m0_axi_bvalid,
  input  logic        m0_axi_bready,
  input  logic [3:0]  m0_axi_arid,
  input  logic [63:0] m0_axi_araddr,
  input  logic [7:0]  m0_axi_arlen,
  input  logic [2:0]  m0_axi_arsize,
  input  logic [1:0]  m0_axi_arburst,
  input  logic        m0_axi_arvalid,
  output logic        m0_axi_arready,
  output logic [3:0]  m0_axi_rid,
  output logic [63:0] m0_axi_rdata,
  output logic [1:0]  m0_axi_rresp,
  output logic        m0_axi_rlast,
  output logic        m0_axi_rvalid,
  input  logic        m0_axi_rready,

  input  logic [3:0]  m1_axi_awid,
  input  logic [63:0] m1_axi_awaddr,
  input  logic [7:0]  m1_axi_awlen,
  input  logic [2:0]  m1_axi_awsize,
  input  logic [1:0]  m1_axi_awburst,
  input  logic        m1_axi_awvalid,
  output logic        m1_axi_awready,
  input  logic [63:0] m1_axi_wdata,
  input  logic [7:0]  m1_axi_wstrb,
  input  logic        m1_axi_wlast,
  input  logic        m1_axi_wvalid,
  output logic        m1_axi_wready,
  output logic [3:0]  m1_axi_bid,
  output logic [1:0]  m1_axi_bresp,
  output logic        m1_axi_bvalid,
  input  logic        m1_axi_bready,
  input  logic [3:0]  m1_axi_arid,
  input  logic [63:0] m1_axi_araddr,
  input  logic [7:0]  m1_axi_arlen,
  input  logic [2:0]  m1_axi_arsize,
  input  logic [1:0]  m1_axi_arburst,
  input  logic        m1_axi_arvalid,
  output logic        m1_axi_arready,
  output logic [3:0]  m1_axi_rid,
  output logic [63:0] m1_axi_rdata,
  output logic [1:0]  m1_axi_rresp,
  output logic        m1_axi_rlast,
  output logic        m1_axi_rvalid,
  input  logic        m1_axi_rready,

  output logic [3:0]  ram_axi_awid,
  output logic [63:0] ram_axi_awaddr,
  output logic [7:0]  ram_axi_awlen,
  output logic [2:0]  ram_axi_awsize,
  output logic [1:0]  ram_axi_awburst,
  output logic        ram_axi_awvalid,
  input  logic        ram_axi_awready,
  output logic [63:0] ram_axi_wdata,
  output logic [7:0]  ram_axi_wstrb,
  output logic        ram_axi_wlast,
  output logic        ram_axi_wvalid,
  input  logic        ram_axi_wready,
  input  logic [3:0]  ram_axi_bid,
  input  logic [1:0]  ram_axi_bresp,
  input  logic        ram_axi_bvalid,
  output logic        ram_axi_bready,
  output logic [3:0]  ram_axi_arid,
  output logic [63:0] ram_axi_araddr,
  output logic [7:0]  ram_axi_arlen,
  output logic [2:0]  ram_axi_arsize,
  output logic [1:0]  ram_axi_arburst,
  output logic        ram_axi_arvalid,
  input  logic        ram_axi_arready,
  input  logic [3:0]  ram_axi_rid,
  input  logic [63:0] ram_axi_rdata,
  input  logic [1:0]  ram_axi_rresp,
  input  logic        ram_axi_rlast,
  input  logic        ram_axi_rvalid,
  output logic        ram_axi_rready,

  // axi_checker's bits: managers 0, 1, targets 0, 1, 2.
  output logic [79:0] violation_o
);

  logic [2*bus_pkg::ReqBits-1:0] m_req;
  logic [2*bus_pkg::RspBits-1:0] m_rsp;
  logic [3*bus_pkg::ReqBits-1:0] t_req;
  logic [3*bus_pkg::RspBits-1:0] t_rsp;

  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwId +: 4] = m0_axi_awid;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwAddr +: 64] = m0_axi_awaddr;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwLen +: 8] = m0_axi_awlen;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwSize +: 3] = m0_axi_awsize;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwBurst +: 2] = m0_axi_awburst;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqAwValid] = m0_axi_awvalid;
  assign m0_axi_awready = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspAwReady];
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqWData +: 64] = m0_axi_wdata;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqWStrb +: 8] = m0_axi_wstrb;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqWLast] = m0_axi_wlast;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqWValid] = m0_axi_wvalid;
  assign m0_axi_wready = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspWReady];
  assign m0_axi_bid = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspBId +: 4];
  assign m0_axi_bresp = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspBResp +: 2];
  assign m0_axi_bvalid = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspBValid];
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqBReady] = m0_axi_bready;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArId +: 4] = m0_axi_arid;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArAddr +: 64] = m0_axi_araddr;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArLen +: 8] = m0_axi_arlen;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArSize +: 3] = m0_axi_arsize;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArBurst +: 2] = m0_axi_arburst;
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqArValid] = m0_axi_arvalid;
  assign m0_axi_arready = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspArReady];
  assign m0_axi_rid = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspRId +: 4];
  assign m0_axi_rdata = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspRData +: 64];
  assign m0_axi_rresp = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspRResp +: 2];
  assign m0_axi_rlast = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspRLast];
  assign m0_axi_rvalid = m_rsp[bus_pkg::RspBits*0 + bus_pkg::RspRValid];
  assign m_req[bus_pkg::ReqBits*0 + bus_pkg::ReqRReady] = m0_axi_rready;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwId +: 4] = m1_axi_awid;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwAddr +: 64] = m1_axi_awaddr;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwLen +: 8] = m1_axi_awlen;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwSize +: 3] = m1_axi_awsize;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwBurst +: 2] = m1_axi_awburst;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqAwValid] = m1_axi_awvalid;
  assign m1_axi_awready = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspAwReady];
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqWData +: 64] = m1_axi_wdata;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqWStrb +: 8] = m1_axi_wstrb;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqWLast] = m1_axi_wlast;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqWValid] = m1_axi_wvalid;
  assign m1_axi_wready = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspWReady];
  assign m1_axi_bid = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspBId +: 4];
  assign m1_axi_bresp = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspBResp +: 2];
  assign m1_axi_bvalid = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspBValid];
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqBReady] = m1_axi_bready;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArId +: 4] = m1_axi_arid;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArAddr +: 64] = m1_axi_araddr;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArLen +: 8] = m1_axi_arlen;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArSize +: 3] = m1_axi_arsize;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArBurst +: 2] = m1_axi_arburst;
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqArValid] = m1_axi_arvalid;
  assign m1_axi_arready = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspArReady];
  assign m1_axi_rid = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspRId +: 4];
  assign m1_axi_rdata = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspRData +: 64];
  assign m1_axi_rresp = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspRResp +: 2];
  assign m1_axi_rlast = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspRLast];
  assign m1_axi_rvalid = m_rsp[bus_pkg::RspBits*1 + bus_pkg::RspRValid];
  assign m_req[bus_pkg::ReqBits*1 + bus_pkg::ReqRReady] = m1_axi_rready;
  assign ram_axi_awid = t_req[bus_pkg::ReqAwId +: 4];
  assign ram_axi_awaddr = t_req[bus_pkg::ReqAwAddr +: 64];
  assign ram_axi_awlen = t_req[bus_pkg::ReqAwLen +: 8];
  assign ram_axi_awsize = t_req[bus_pkg::ReqAwSize +: 3];
  assign ram_axi_awburst = t_req[bus_pkg::ReqAwBurst +: 2];
  assign ram_axi_awvalid = t_req[bus_pkg::ReqAwValid];
  assign t_rsp[bus_pkg::RspAwReady] = ram_axi_awready;
  assign ram_axi_wdata = t_req[bus_pkg::ReqWData +: 64];
  assign ram_axi_wstrb = t_req[bus_pkg::ReqWStrb +: 8];
  assign ram_axi_wlast = t_req[bus_pkg::ReqWLast];
  assign ram_axi_wvalid = t_req[bus_pkg::ReqWValid];
  assign t_rsp[bus_pkg::RspWReady] = ram_axi_wready;
  assign t_rsp[bus_pkg::RspBId +: 4] = ram_axi_bid;
  assign t_rsp[bus_pkg::RspBResp +: 2] = ram_axi_bresp;
  assign t_rsp[bus_pkg::RspBValid] = ram_axi_bvalid;
  assign ram_axi_bready = t_req[bus_pkg::ReqBReady];
  assign ram_axi_arid = t_req[bus_pkg::ReqArId +: 4];
  assign ram_axi_araddr = t_req[bus_pkg::ReqArAddr +: 64];
  assign ram_axi_arlen = t_req[bus_pkg::ReqArLen +: 8];
  assign ram_axi_arsize = t_req[bus_pkg::ReqArSize +: 3];
  assign ram_axi_arburst = t_req[bus_pkg::ReqArBurst +: 2];
  assign ram_axi_arvalid = t_req[bus_pkg::ReqArValid];
  assign t_rsp[bus_pkg::RspArReady] = ram_axi_arready;
  assign t_rsp[bus_pkg::RspRId +: 4] = ram_axi_rid;
  assign t_rsp[bus_pkg::RspRData +: 64] = ram_axi_rdata;
  assign t_rsp[bus_pkg::RspRResp +: 2] = ram_axi_rresp;
  assign t_rsp[bus_pkg::RspRLast] = ram_axi_rlast;
  assign t_rsp[bus_pkg::RspRValid] = ram_axi_rvalid;
  assign ram_axi_rready = t_req[bus_pkg::ReqRReady];

  logic [3:0]   unused_chk_valid, unused_chk_write;
  logic [255:0] unused_chk_addr;
  logic [31:0]  unused_chk_bytes;

  bus_fabric #(
    .NrManager (2),
    .NrTarget  (3)
  ) u_fabric (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .shared_i         (shared_i),
    .forward_cycles_i (forward_cycles_i),
    .return_cycles_i  (return_cycles_i),
    .adds_i           (1'b1),
    .t_base_i         ({64'h2000_0000, 64'h1000_0000, 64'h8000_0000}),
    .t_size_i         ({64'h10_0000, 64'h1_0000, 64'h1_0000}),
    .m_req_i          (m_req),
    .m_rsp_o          (m_rsp),
    .t_req_o          (t_req),
    .t_rsp_i          (t_rsp),
    .chk_valid_o      (unused_chk_valid),
    .chk_write_o      (unused_chk_write),
    .chk_addr_o       (unused_chk_addr),
    .chk_bytes_o      (unused_chk_bytes),
    .chk_error_i      (4'd0),
    .chk_stall_i      (64'd0)
  );

  for (genvar g = 1; g < 3; g++) begin : g_bridge
    logic        reg_en, reg_write, reg_wide, reg_err;
    logic [15:0] reg_addr;
    logic [63:0] reg_wdata, reg_rdata;
    logic [reg_bus_pkg::AccBits-1:0] unused_acc;

    axi_reg_bridge #(
      .NrSlot  (1),
      .OneSlot (g == 1)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (access_cycles_i),
      .present_i       (1'b1),
      .req_i           (t_req[bus_pkg::ReqBits*g +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp[bus_pkg::RspBits*g +: bus_pkg::RspBits]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_o           (unused_acc)
    );

    reg_slot u_slot (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .reg_en_i    (reg_en),
      .reg_write_i (reg_write),
      .reg_addr_i  (reg_addr),
      .reg_wide_i  (reg_wide),
      .reg_wdata_i (reg_wdata),
      .reg_rdata_o (reg_rdata),
      .reg_err_o   (reg_err)
    );
  end

  for (genvar p = 0; p < 2; p++) begin : g_check_manager
    axi_checker #(
      .Strict (1'b0)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .req_i       (m_req[bus_pkg::ReqBits*p +: bus_pkg::ReqBits]),
      .rsp_i       (m_rsp[bus_pkg::RspBits*p +: bus_pkg::RspBits]),
      .violation_o (violation_o[16*(0+p) +: 16])
    );
  end

  for (genvar p = 0; p < 3; p++) begin : g_check_target
    axi_checker #(
      .Strict (1'b1)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .req_i       (t_req[bus_pkg::ReqBits*p +: bus_pkg::ReqBits]),
      .rsp_i       (t_rsp[bus_pkg::RspBits*p +: bus_pkg::RspBits]),
      .violation_o (violation_o[16*(2+p) +: 16])
    );
  end

endmodule
