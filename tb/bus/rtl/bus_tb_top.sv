// SPDX-License-Identifier: Apache-2.0
// Fabric, memory controller and register bridges as a die has them, with every pin out, and the
// checker on every port (docs/hw/bus.md). Bridge 0 is the PMCU window, bridge 1+k cluster k.
module bus_tb_top #(
  parameter int NrManager = 3,
  parameter int NrCluster = 2,
  parameter int NrSlot    = 3
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        shared_i,
  input  logic [7:0]                  forward_cycles_i,
  input  logic [7:0]                  return_cycles_i,
  input  logic [9:0]                  read_cycles_i,
  input  logic [9:0]                  write_cycles_i,
  input  logic [3:0]                  gap_cycles_i,
  input  logic [7:0]                  access_cycles_i,
  input  logic [63:0]                 ram_base_i,
  input  logic [63:0]                 ram_size_i,
  input  logic [4:0]                  nr_cluster_i,
  input  logic [NrCluster*NrSlot-1:0] present_i,

  input  logic [NrManager*4-1:0]      m_awid_i,
  input  logic [NrManager*64-1:0]     m_awaddr_i,
  input  logic [NrManager*8-1:0]      m_awlen_i,
  input  logic [NrManager*3-1:0]      m_awsize_i,
  input  logic [NrManager*2-1:0]      m_awburst_i,
  input  logic [NrManager-1:0]        m_awvalid_i,
  output logic [NrManager-1:0]        m_awready_o,
  input  logic [NrManager*64-1:0]     m_wdata_i,
  input  logic [NrManager*8-1:0]      m_wstrb_i,
  input  logic [NrManager-1:0]        m_wlast_i,
  input  logic [NrManager-1:0]        m_wvalid_i,
  output logic [NrManager-1:0]        m_wready_o,
  output logic [NrManager*4-1:0]      m_bid_o,
  output logic [NrManager*2-1:0]      m_bresp_o,
  output logic [NrManager-1:0]        m_bvalid_o,
  input  logic [NrManager-1:0]        m_bready_i,
  input  logic [NrManager*4-1:0]      m_arid_i,
  input  logic [NrManager*64-1:0]     m_araddr_i,
  input  logic [NrManager*8-1:0]      m_arlen_i,
  input  logic [NrManager*3-1:0]      m_arsize_i,
  input  logic [NrManager*2-1:0]      m_arburst_i,
  input  logic [NrManager-1:0]        m_arvalid_i,
  output logic [NrManager-1:0]        m_arready_o,
  output logic [NrManager*4-1:0]      m_rid_o,
  output logic [NrManager*64-1:0]     m_rdata_o,
  output logic [NrManager*2-1:0]      m_rresp_o,
  output logic [NrManager-1:0]        m_rlast_o,
  output logic [NrManager-1:0]        m_rvalid_o,
  input  logic [NrManager-1:0]        m_rready_i,

  // Targets: memory, PMCU, clusters.
  output logic [NrCluster+1:0]        t_awvalid_o,
  output logic [NrCluster+1:0]        t_awready_o,
  output logic [NrCluster+1:0]        t_wvalid_o,
  output logic [NrCluster+1:0]        t_wready_o,
  output logic [NrCluster+1:0]        t_bvalid_o,
  output logic [NrCluster+1:0]        t_bready_o,
  output logic [NrCluster+1:0]        t_arvalid_o,
  output logic [NrCluster+1:0]        t_arready_o,
  output logic [NrCluster+1:0]        t_rvalid_o,
  output logic [NrCluster+1:0]        t_rready_o,

  output logic [NrCluster+2:0]        chk_valid_o,
  output logic [NrCluster+2:0]        chk_write_o,
  output logic [(NrCluster+3)*64-1:0] chk_addr_o,
  output logic [(NrCluster+3)*8-1:0]  chk_bytes_o,
  input  logic [NrCluster+2:0]        chk_error_i,
  input  logic [(NrCluster+3)*16-1:0] chk_stall_i,

  output logic                        mem_read_o,
  output logic [63:0]                 mem_raddr_o,
  input  logic [63:0]                 mem_rdata_i,
  output logic                        mem_write_o,
  output logic [63:0]                 mem_waddr_o,
  output logic [63:0]                 mem_wdata_o,
  output logic [7:0]                  mem_wstrb_o,
  output logic                        mem_commit_o,

  // Bit 0: the PMCU's slot; 1 + NrSlot * k + s: slot s of cluster k.
  output logic [NrCluster*NrSlot:0]   reg_en_o,
  output logic [NrCluster:0]          acc_valid_o,
  output logic [NrCluster:0]          acc_write_o,
  output logic [(NrCluster+1)*20-1:0] acc_addr_o,
  output logic [NrCluster:0]          acc_wide_o,
  output logic [(NrCluster+1)*64-1:0] acc_wdata_o,
  output logic [(NrCluster+1)*64-1:0] acc_rdata_o,
  output logic [NrCluster:0]          acc_err_o,

  // axi_checker's bits of the managers' ports, then of the targets'.
  output logic [(NrManager+NrCluster+2)*16-1:0] violation_o
);

  localparam int NrTarget = NrCluster + 2;

  logic [NrManager*bus_pkg::ReqBits-1:0] m_req;
  logic [NrManager*bus_pkg::RspBits-1:0] m_rsp;
  logic [NrTarget*bus_pkg::ReqBits-1:0]  t_req;
  logic [NrTarget*bus_pkg::RspBits-1:0]  t_rsp;

  for (genvar m = 0; m < NrManager; m++) begin : g_names
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwId +: 4] = m_awid_i[4*m +: 4];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwAddr +: 64] = m_awaddr_i[64*m +: 64];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwLen +: 8] = m_awlen_i[8*m +: 8];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwSize +: 3] = m_awsize_i[3*m +: 3];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwBurst +: 2] = m_awburst_i[2*m +: 2];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqAwValid] = m_awvalid_i[m];
    assign m_awready_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspAwReady];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqWData +: 64] = m_wdata_i[64*m +: 64];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqWStrb +: 8] = m_wstrb_i[8*m +: 8];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqWLast] = m_wlast_i[m];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqWValid] = m_wvalid_i[m];
    assign m_wready_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspWReady];
    assign m_bid_o[4*m +: 4] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspBId +: 4];
    assign m_bresp_o[2*m +: 2] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspBResp +: 2];
    assign m_bvalid_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspBValid];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqBReady] = m_bready_i[m];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArId +: 4] = m_arid_i[4*m +: 4];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArAddr +: 64] = m_araddr_i[64*m +: 64];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArLen +: 8] = m_arlen_i[8*m +: 8];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArSize +: 3] = m_arsize_i[3*m +: 3];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArBurst +: 2] = m_arburst_i[2*m +: 2];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqArValid] = m_arvalid_i[m];
    assign m_arready_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspArReady];
    assign m_rid_o[4*m +: 4] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspRId +: 4];
    assign m_rdata_o[64*m +: 64] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspRData +: 64];
    assign m_rresp_o[2*m +: 2] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspRResp +: 2];
    assign m_rlast_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspRLast];
    assign m_rvalid_o[m] = m_rsp[bus_pkg::RspBits*m + bus_pkg::RspRValid];
    assign m_req[bus_pkg::ReqBits*m + bus_pkg::ReqRReady] = m_rready_i[m];
  end
  for (genvar t = 0; t < NrTarget; t++) begin : g_target_names
    assign t_awvalid_o[t] = t_req[bus_pkg::ReqBits*t + bus_pkg::ReqAwValid];
    assign t_awready_o[t] = t_rsp[bus_pkg::RspBits*t + bus_pkg::RspAwReady];
    assign t_wvalid_o[t] = t_req[bus_pkg::ReqBits*t + bus_pkg::ReqWValid];
    assign t_wready_o[t] = t_rsp[bus_pkg::RspBits*t + bus_pkg::RspWReady];
    assign t_bvalid_o[t] = t_rsp[bus_pkg::RspBits*t + bus_pkg::RspBValid];
    assign t_bready_o[t] = t_req[bus_pkg::ReqBits*t + bus_pkg::ReqBReady];
    assign t_arvalid_o[t] = t_req[bus_pkg::ReqBits*t + bus_pkg::ReqArValid];
    assign t_arready_o[t] = t_rsp[bus_pkg::RspBits*t + bus_pkg::RspArReady];
    assign t_rvalid_o[t] = t_rsp[bus_pkg::RspBits*t + bus_pkg::RspRValid];
    assign t_rready_o[t] = t_req[bus_pkg::ReqBits*t + bus_pkg::ReqRReady];
  end

  logic [NrTarget*64-1:0] t_base, t_size;
  assign t_base[63:0]   = ram_base_i;
  assign t_size[63:0]   = ram_size_i;
  assign t_base[127:64] = 64'h1000_0000;
  assign t_size[127:64] = 64'h1_0000;
  for (genvar k = 0; k < NrCluster; k++) begin : g_window
    assign t_base[64*(k+2) +: 64] = 64'h2000_0000 + 64'(k) * 64'h10_0000;
    assign t_size[64*(k+2) +: 64] = (5'(k) < nr_cluster_i) ? 64'h10_0000 : 64'd0;
  end

  bus_fabric #(
    .NrManager (NrManager),
    .NrTarget  (NrTarget)
  ) u_fabric (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .shared_i         (shared_i),
    .forward_cycles_i (forward_cycles_i),
    .return_cycles_i  (return_cycles_i),
    .adds_i           (1'b1),
    .t_base_i         (t_base),
    .t_size_i         (t_size),
    .m_req_i          (m_req),
    .m_rsp_o          (m_rsp),
    .t_req_o          (t_req),
    .t_rsp_i          (t_rsp),
    .chk_valid_o      (chk_valid_o),
    .chk_write_o      (chk_write_o),
    .chk_addr_o       (chk_addr_o),
    .chk_bytes_o      (chk_bytes_o),
    .chk_error_i      (chk_error_i),
    .chk_stall_i      (chk_stall_i)
  );

  axi_mem_ctrl u_mem_ctrl (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .read_cycles_i  (read_cycles_i),
    .write_cycles_i (write_cycles_i),
    .gap_cycles_i   (gap_cycles_i),
    .adds_i         (1'b1),
    .req_i          (t_req[bus_pkg::ReqBits-1:0]),
    .rsp_o          (t_rsp[bus_pkg::RspBits-1:0]),
    .mem_read_o     (mem_read_o),
    .mem_raddr_o    (mem_raddr_o),
    .mem_rdata_i    (mem_rdata_i),
    .mem_write_o    (mem_write_o),
    .mem_waddr_o    (mem_waddr_o),
    .mem_wdata_o    (mem_wdata_o),
    .mem_wstrb_o    (mem_wstrb_o),
    .mem_commit_o   (mem_commit_o)
  );

  for (genvar g = 0; g <= NrCluster; g++) begin : g_bridge
    localparam bit OneSlot = g == 0;
    localparam int Slots   = OneSlot ? 1 : NrSlot;
    localparam int First   = OneSlot ? 0 : 1 + NrSlot * (g - 1);

    logic [Slots-1:0]    present, reg_en, reg_err;
    logic                reg_write, reg_wide;
    logic [15:0]         reg_addr;
    logic [63:0]         reg_wdata;
    logic [Slots*64-1:0] reg_rdata;

    if (OneSlot) begin : g_pmcu
      assign present = 1'b1;
    end else begin : g_cluster
      assign present = present_i[First-1 +: Slots];
    end
    assign reg_en_o[First +: Slots] = reg_en;

    logic [reg_bus_pkg::AccBits-1:0] acc;
    assign acc_valid_o[g]           = acc[reg_bus_pkg::AccValid];
    assign acc_write_o[g]           = acc[reg_bus_pkg::AccWrite];
    assign acc_addr_o[20*g +: 20]   = acc[reg_bus_pkg::AccAddr +: 20];
    assign acc_wide_o[g]            = acc[reg_bus_pkg::AccWide];
    assign acc_wdata_o[64*g +: 64]  = acc[reg_bus_pkg::AccWData +: 64];
    assign acc_rdata_o[64*g +: 64]  = acc[reg_bus_pkg::AccRData +: 64];
    assign acc_err_o[g]             = acc[reg_bus_pkg::AccErr];
    logic unused_acc;
    assign unused_acc = ^acc[reg_bus_pkg::AccAddr + 20 +: 16];

    axi_reg_bridge #(
      .NrSlot  (Slots),
      .OneSlot (OneSlot)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (access_cycles_i),
      .present_i       (present),
      .req_i           (t_req[bus_pkg::ReqBits*(g+1) +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp[bus_pkg::RspBits*(g+1) +: bus_pkg::RspBits]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_o           (acc)
    );

    for (genvar s = 0; s < Slots; s++) begin : g_slot
      reg_slot u_slot (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .reg_en_i    (reg_en[s]),
        .reg_write_i (reg_write),
        .reg_addr_i  (reg_addr),
        .reg_wide_i  (reg_wide),
        .reg_wdata_i (reg_wdata),
        .reg_rdata_o (reg_rdata[64*s +: 64]),
        .reg_err_o   (reg_err[s])
      );
    end
  end

  for (genvar m = 0; m < NrManager; m++) begin : g_check_manager
    axi_checker #(
      .Strict (1'b0)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .req_i       (m_req[bus_pkg::ReqBits*m +: bus_pkg::ReqBits]),
      .rsp_i       (m_rsp[bus_pkg::RspBits*m +: bus_pkg::RspBits]),
      .violation_o (violation_o[16*m +: 16])
    );
  end

  for (genvar t = 0; t < NrTarget; t++) begin : g_check_target
    axi_checker #(
      .Strict (1'b1)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .req_i       (t_req[bus_pkg::ReqBits*t +: bus_pkg::ReqBits]),
      .rsp_i       (t_rsp[bus_pkg::RspBits*t +: bus_pkg::RspBits]),
      .violation_o (violation_o[16*(NrManager+t) +: 16])
    );
  end

endmodule
