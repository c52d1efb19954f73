// SPDX-License-Identifier: Apache-2.0
// The bridge of a cluster alone, with three units behind it and the checker on its port
// (docs/hw/bus.md, "The bridge of a cluster").
module debug_bridge_tb_top #(
  parameter int NrSlot = 3
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        access_cycles_i,
  input  logic [4:0]        ratio_i,
  input  logic [3:0]        posted_i,
  input  logic [NrSlot-1:0] present_i,

  input  logic [3:0]        awid_i,
  input  logic [63:0]       awaddr_i,
  input  logic [7:0]        awlen_i,
  input  logic [2:0]        awsize_i,
  input  logic              awvalid_i,
  output logic              awready_o,
  input  logic [63:0]       wdata_i,
  input  logic [7:0]        wstrb_i,
  input  logic              wlast_i,
  input  logic              wvalid_i,
  output logic              wready_o,
  output logic [3:0]        bid_o,
  output logic [1:0]        bresp_o,
  output logic              bvalid_o,
  input  logic              bready_i,
  input  logic [3:0]        arid_i,
  input  logic [63:0]       araddr_i,
  input  logic [7:0]        arlen_i,
  input  logic [2:0]        arsize_i,
  input  logic              arvalid_i,
  output logic              arready_o,
  output logic [3:0]        rid_o,
  output logic [63:0]       rdata_o,
  output logic [1:0]        rresp_o,
  output logic              rlast_o,
  output logic              rvalid_o,
  input  logic              rready_i,

  output logic [NrSlot-1:0] reg_en_o,
  output logic              reg_write_o,
  output logic [15:0]       reg_addr_o,
  output logic              reg_wide_o,
  output logic [63:0]       reg_wdata_o,
  output logic              acc_valid_o,
  output logic              acc_write_o,
  output logic [35:0]       acc_addr_o,
  output logic              acc_wide_o,
  output logic [63:0]       acc_wdata_o,
  output logic [63:0]       acc_rdata_o,
  output logic              acc_err_o,

  output logic [15:0]       violation_o
);

  logic [bus_pkg::ReqBits-1:0] req;
  logic [bus_pkg::RspBits-1:0] rsp;

  assign req[bus_pkg::ReqAwId +: 4]    = awid_i;
  assign req[bus_pkg::ReqAwAddr +: 64] = awaddr_i;
  assign req[bus_pkg::ReqAwLen +: 8]   = awlen_i;
  assign req[bus_pkg::ReqAwSize +: 3]  = awsize_i;
  assign req[bus_pkg::ReqAwBurst +: 2] = 2'd1;
  assign req[bus_pkg::ReqAwValid]      = awvalid_i;
  assign req[bus_pkg::ReqWData +: 64]  = wdata_i;
  assign req[bus_pkg::ReqWStrb +: 8]   = wstrb_i;
  assign req[bus_pkg::ReqWLast]        = wlast_i;
  assign req[bus_pkg::ReqWValid]       = wvalid_i;
  assign req[bus_pkg::ReqBReady]       = bready_i;
  assign req[bus_pkg::ReqArId +: 4]    = arid_i;
  assign req[bus_pkg::ReqArAddr +: 64] = araddr_i;
  assign req[bus_pkg::ReqArLen +: 8]   = arlen_i;
  assign req[bus_pkg::ReqArSize +: 3]  = arsize_i;
  assign req[bus_pkg::ReqArBurst +: 2] = 2'd1;
  assign req[bus_pkg::ReqArValid]      = arvalid_i;
  assign req[bus_pkg::ReqRReady]       = rready_i;

  assign awready_o = rsp[bus_pkg::RspAwReady];
  assign wready_o  = rsp[bus_pkg::RspWReady];
  assign bid_o     = rsp[bus_pkg::RspBId +: 4];
  assign bresp_o   = rsp[bus_pkg::RspBResp +: 2];
  assign bvalid_o  = rsp[bus_pkg::RspBValid];
  assign arready_o = rsp[bus_pkg::RspArReady];
  assign rid_o     = rsp[bus_pkg::RspRId +: 4];
  assign rdata_o   = rsp[bus_pkg::RspRData +: 64];
  assign rresp_o   = rsp[bus_pkg::RspRResp +: 2];
  assign rlast_o   = rsp[bus_pkg::RspRLast];
  assign rvalid_o  = rsp[bus_pkg::RspRValid];

  logic [reg_bus_pkg::AccBits-1:0] acc;
  assign acc_valid_o = acc[reg_bus_pkg::AccValid];
  assign acc_write_o = acc[reg_bus_pkg::AccWrite];
  assign acc_addr_o  = acc[reg_bus_pkg::AccAddr +: 36];
  assign acc_wide_o  = acc[reg_bus_pkg::AccWide];
  assign acc_wdata_o = acc[reg_bus_pkg::AccWData +: 64];
  assign acc_rdata_o = acc[reg_bus_pkg::AccRData +: 64];
  assign acc_err_o   = acc[reg_bus_pkg::AccErr];

  logic [NrSlot*64-1:0] reg_rdata;
  logic [NrSlot-1:0]    reg_err;

  axi_debug_bridge #(
    .NrSlot (NrSlot)
  ) u_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (access_cycles_i),
    .ratio_i         (ratio_i),
    .posted_i        (posted_i),
    .present_i       (present_i),
    .req_i           (req),
    .rsp_o           (rsp),
    .reg_en_o        (reg_en_o),
    .reg_write_o     (reg_write_o),
    .reg_addr_o      (reg_addr_o),
    .reg_wide_o      (reg_wide_o),
    .reg_wdata_o     (reg_wdata_o),
    .reg_rdata_i     (reg_rdata),
    .reg_err_i       (reg_err),
    .acc_o           (acc)
  );

  for (genvar s = 0; s < NrSlot; s++) begin : g_slot
    reg_slot u_slot (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .reg_en_i    (reg_en_o[s]),
      .reg_write_i (reg_write_o),
      .reg_addr_i  (reg_addr_o),
      .reg_wide_i  (reg_wide_o),
      .reg_wdata_i (reg_wdata_o),
      .reg_rdata_o (reg_rdata[64*s +: 64]),
      .reg_err_o   (reg_err[s])
    );
  end

  axi_checker #(
    .Strict (1'b1)
  ) u_checker (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_i       (req),
    .rsp_i       (rsp),
    .violation_o (violation_o)
  );

endmodule
