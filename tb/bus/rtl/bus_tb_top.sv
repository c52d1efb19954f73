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

  logic [NrTarget*4-1:0]   t_awid;
  logic [NrTarget*64-1:0]  t_awaddr;
  logic [NrTarget*8-1:0]   t_awlen;
  logic [NrTarget*3-1:0]   t_awsize;
  logic [NrTarget*2-1:0]   t_awburst;
  logic [NrTarget-1:0]     t_awvalid;
  logic [NrTarget-1:0]     t_awready;
  logic [NrTarget*64-1:0]  t_wdata;
  logic [NrTarget*8-1:0]   t_wstrb;
  logic [NrTarget-1:0]     t_wlast;
  logic [NrTarget-1:0]     t_wvalid;
  logic [NrTarget-1:0]     t_wready;
  logic [NrTarget*4-1:0]   t_bid;
  logic [NrTarget*2-1:0]   t_bresp;
  logic [NrTarget-1:0]     t_bvalid;
  logic [NrTarget-1:0]     t_bready;
  logic [NrTarget*4-1:0]   t_arid;
  logic [NrTarget*64-1:0]  t_araddr;
  logic [NrTarget*8-1:0]   t_arlen;
  logic [NrTarget*3-1:0]   t_arsize;
  logic [NrTarget*2-1:0]   t_arburst;
  logic [NrTarget-1:0]     t_arvalid;
  logic [NrTarget-1:0]     t_arready;
  logic [NrTarget*4-1:0]   t_rid;
  logic [NrTarget*64-1:0]  t_rdata;
  logic [NrTarget*2-1:0]   t_rresp;
  logic [NrTarget-1:0]     t_rlast;
  logic [NrTarget-1:0]     t_rvalid;
  logic [NrTarget-1:0]     t_rready;

  assign t_awvalid_o = t_awvalid;
  assign t_awready_o = t_awready;
  assign t_wvalid_o = t_wvalid;
  assign t_wready_o = t_wready;
  assign t_bvalid_o = t_bvalid;
  assign t_bready_o = t_bready;
  assign t_arvalid_o = t_arvalid;
  assign t_arready_o = t_arready;
  assign t_rvalid_o = t_rvalid;
  assign t_rready_o = t_rready;

  logic [NrTarget*64-1:0] t_base, t_size;
  assign t_base[63:0]   = ram_base_i;
  assign t_size[63:0]   = ram_size_i;
  assign t_base[127:64] = bus_pkg::PmcuBase;
  assign t_size[127:64] = bus_pkg::PmcuBytes;
  for (genvar k = 0; k < NrCluster; k++) begin : g_window
    assign t_base[64*(k+2) +: 64] = bus_pkg::ClusterBase + 64'(k) * bus_pkg::ClusterBytes;
    assign t_size[64*(k+2) +: 64] = (5'(k) < nr_cluster_i) ? bus_pkg::ClusterBytes : 64'd0;
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
    .m_awid_i         (m_awid_i),
    .m_awaddr_i       (m_awaddr_i),
    .m_awlen_i        (m_awlen_i),
    .m_awsize_i       (m_awsize_i),
    .m_awburst_i      (m_awburst_i),
    .m_awvalid_i      (m_awvalid_i),
    .m_awready_o      (m_awready_o),
    .m_wdata_i        (m_wdata_i),
    .m_wstrb_i        (m_wstrb_i),
    .m_wlast_i        (m_wlast_i),
    .m_wvalid_i       (m_wvalid_i),
    .m_wready_o       (m_wready_o),
    .m_bid_o          (m_bid_o),
    .m_bresp_o        (m_bresp_o),
    .m_bvalid_o       (m_bvalid_o),
    .m_bready_i       (m_bready_i),
    .m_arid_i         (m_arid_i),
    .m_araddr_i       (m_araddr_i),
    .m_arlen_i        (m_arlen_i),
    .m_arsize_i       (m_arsize_i),
    .m_arburst_i      (m_arburst_i),
    .m_arvalid_i      (m_arvalid_i),
    .m_arready_o      (m_arready_o),
    .m_rid_o          (m_rid_o),
    .m_rdata_o        (m_rdata_o),
    .m_rresp_o        (m_rresp_o),
    .m_rlast_o        (m_rlast_o),
    .m_rvalid_o       (m_rvalid_o),
    .m_rready_i       (m_rready_i),
    .t_awid_o         (t_awid),
    .t_awaddr_o       (t_awaddr),
    .t_awlen_o        (t_awlen),
    .t_awsize_o       (t_awsize),
    .t_awburst_o      (t_awburst),
    .t_awvalid_o      (t_awvalid),
    .t_awready_i      (t_awready),
    .t_wdata_o        (t_wdata),
    .t_wstrb_o        (t_wstrb),
    .t_wlast_o        (t_wlast),
    .t_wvalid_o       (t_wvalid),
    .t_wready_i       (t_wready),
    .t_bid_i          (t_bid),
    .t_bresp_i        (t_bresp),
    .t_bvalid_i       (t_bvalid),
    .t_bready_o       (t_bready),
    .t_arid_o         (t_arid),
    .t_araddr_o       (t_araddr),
    .t_arlen_o        (t_arlen),
    .t_arsize_o       (t_arsize),
    .t_arburst_o      (t_arburst),
    .t_arvalid_o      (t_arvalid),
    .t_arready_i      (t_arready),
    .t_rid_i          (t_rid),
    .t_rdata_i        (t_rdata),
    .t_rresp_i        (t_rresp),
    .t_rlast_i        (t_rlast),
    .t_rvalid_i       (t_rvalid),
    .t_rready_o       (t_rready),
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
    .awid_i         (t_awid[4*0 +: 4]),
    .awaddr_i       (t_awaddr[64*0 +: 64]),
    .awlen_i        (t_awlen[8*0 +: 8]),
    .awsize_i       (t_awsize[3*0 +: 3]),
    .awburst_i      (t_awburst[2*0 +: 2]),
    .awvalid_i      (t_awvalid[0]),
    .awready_o      (t_awready[0]),
    .wdata_i        (t_wdata[64*0 +: 64]),
    .wstrb_i        (t_wstrb[8*0 +: 8]),
    .wlast_i        (t_wlast[0]),
    .wvalid_i       (t_wvalid[0]),
    .wready_o       (t_wready[0]),
    .bid_o          (t_bid[4*0 +: 4]),
    .bresp_o        (t_bresp[2*0 +: 2]),
    .bvalid_o       (t_bvalid[0]),
    .bready_i       (t_bready[0]),
    .arid_i         (t_arid[4*0 +: 4]),
    .araddr_i       (t_araddr[64*0 +: 64]),
    .arlen_i        (t_arlen[8*0 +: 8]),
    .arsize_i       (t_arsize[3*0 +: 3]),
    .arburst_i      (t_arburst[2*0 +: 2]),
    .arvalid_i      (t_arvalid[0]),
    .arready_o      (t_arready[0]),
    .rid_o          (t_rid[4*0 +: 4]),
    .rdata_o        (t_rdata[64*0 +: 64]),
    .rresp_o        (t_rresp[2*0 +: 2]),
    .rlast_o        (t_rlast[0]),
    .rvalid_o       (t_rvalid[0]),
    .rready_i       (t_rready[0]),
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

    axi_reg_bridge #(
      .NrSlot  (Slots),
      .OneSlot (OneSlot)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (access_cycles_i),
      .present_i       (present),
      .awid_i         (t_awid[4*(g+1) +: 4]),
      .awaddr_i       (t_awaddr[64*(g+1) +: 64]),
      .awlen_i        (t_awlen[8*(g+1) +: 8]),
      .awsize_i       (t_awsize[3*(g+1) +: 3]),
      .awburst_i      (t_awburst[2*(g+1) +: 2]),
      .awvalid_i      (t_awvalid[(g+1)]),
      .awready_o      (t_awready[(g+1)]),
      .wdata_i        (t_wdata[64*(g+1) +: 64]),
      .wstrb_i        (t_wstrb[8*(g+1) +: 8]),
      .wlast_i        (t_wlast[(g+1)]),
      .wvalid_i       (t_wvalid[(g+1)]),
      .wready_o       (t_wready[(g+1)]),
      .bid_o          (t_bid[4*(g+1) +: 4]),
      .bresp_o        (t_bresp[2*(g+1) +: 2]),
      .bvalid_o       (t_bvalid[(g+1)]),
      .bready_i       (t_bready[(g+1)]),
      .arid_i         (t_arid[4*(g+1) +: 4]),
      .araddr_i       (t_araddr[64*(g+1) +: 64]),
      .arlen_i        (t_arlen[8*(g+1) +: 8]),
      .arsize_i       (t_arsize[3*(g+1) +: 3]),
      .arburst_i      (t_arburst[2*(g+1) +: 2]),
      .arvalid_i      (t_arvalid[(g+1)]),
      .arready_o      (t_arready[(g+1)]),
      .rid_o          (t_rid[4*(g+1) +: 4]),
      .rdata_o        (t_rdata[64*(g+1) +: 64]),
      .rresp_o        (t_rresp[2*(g+1) +: 2]),
      .rlast_o        (t_rlast[(g+1)]),
      .rvalid_o       (t_rvalid[(g+1)]),
      .rready_i       (t_rready[(g+1)]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_valid_o     (acc_valid_o[g]),
      .acc_write_o     (acc_write_o[g]),
      .acc_addr_o      (acc_addr_o[20*g +: 20]),
      .acc_wide_o      (acc_wide_o[g]),
      .acc_wdata_o     (acc_wdata_o[64*g +: 64]),
      .acc_rdata_o     (acc_rdata_o[64*g +: 64]),
      .acc_err_o       (acc_err_o[g])
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
      .awid_i      (m_awid_i[4*m +: 4]),
      .awaddr_i    (m_awaddr_i[64*m +: 64]),
      .awlen_i     (m_awlen_i[8*m +: 8]),
      .awsize_i    (m_awsize_i[3*m +: 3]),
      .awburst_i   (m_awburst_i[2*m +: 2]),
      .awvalid_i   (m_awvalid_i[m]),
      .awready_i   (m_awready_o[m]),
      .wdata_i     (m_wdata_i[64*m +: 64]),
      .wstrb_i     (m_wstrb_i[8*m +: 8]),
      .wlast_i     (m_wlast_i[m]),
      .wvalid_i    (m_wvalid_i[m]),
      .wready_i    (m_wready_o[m]),
      .bid_i       (m_bid_o[4*m +: 4]),
      .bresp_i     (m_bresp_o[2*m +: 2]),
      .bvalid_i    (m_bvalid_o[m]),
      .bready_i    (m_bready_i[m]),
      .arid_i      (m_arid_i[4*m +: 4]),
      .araddr_i    (m_araddr_i[64*m +: 64]),
      .arlen_i     (m_arlen_i[8*m +: 8]),
      .arsize_i    (m_arsize_i[3*m +: 3]),
      .arburst_i   (m_arburst_i[2*m +: 2]),
      .arvalid_i   (m_arvalid_i[m]),
      .arready_i   (m_arready_o[m]),
      .rid_i       (m_rid_o[4*m +: 4]),
      .rdata_i     (m_rdata_o[64*m +: 64]),
      .rresp_i     (m_rresp_o[2*m +: 2]),
      .rlast_i     (m_rlast_o[m]),
      .rvalid_i    (m_rvalid_o[m]),
      .rready_i    (m_rready_i[m]),
      .violation_o (violation_o[16*m +: 16])
    );
  end

  for (genvar t = 0; t < NrTarget; t++) begin : g_check_target
    axi_checker #(
      .Strict (1'b1)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .awid_i      (t_awid[4*t +: 4]),
      .awaddr_i    (t_awaddr[64*t +: 64]),
      .awlen_i     (t_awlen[8*t +: 8]),
      .awsize_i    (t_awsize[3*t +: 3]),
      .awburst_i   (t_awburst[2*t +: 2]),
      .awvalid_i   (t_awvalid[t]),
      .awready_i   (t_awready[t]),
      .wdata_i     (t_wdata[64*t +: 64]),
      .wstrb_i     (t_wstrb[8*t +: 8]),
      .wlast_i     (t_wlast[t]),
      .wvalid_i    (t_wvalid[t]),
      .wready_i    (t_wready[t]),
      .bid_i       (t_bid[4*t +: 4]),
      .bresp_i     (t_bresp[2*t +: 2]),
      .bvalid_i    (t_bvalid[t]),
      .bready_i    (t_bready[t]),
      .arid_i      (t_arid[4*t +: 4]),
      .araddr_i    (t_araddr[64*t +: 64]),
      .arlen_i     (t_arlen[8*t +: 8]),
      .arsize_i    (t_arsize[3*t +: 3]),
      .arburst_i   (t_arburst[2*t +: 2]),
      .arvalid_i   (t_arvalid[t]),
      .arready_i   (t_arready[t]),
      .rid_i       (t_rid[4*t +: 4]),
      .rdata_i     (t_rdata[64*t +: 64]),
      .rresp_i     (t_rresp[2*t +: 2]),
      .rlast_i     (t_rlast[t]),
      .rvalid_i    (t_rvalid[t]),
      .rready_i    (t_rready[t]),
      .violation_o (violation_o[16*(NrManager+t) +: 16])
    );
  end

endmodule
