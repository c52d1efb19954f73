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

  logic [7:0] m_awid;
  logic [127:0] m_awaddr;
  logic [15:0] m_awlen;
  logic [5:0] m_awsize;
  logic [3:0] m_awburst;
  logic [1:0] m_awvalid;
  logic [1:0] m_awready;
  logic [127:0] m_wdata;
  logic [15:0] m_wstrb;
  logic [1:0] m_wlast;
  logic [1:0] m_wvalid;
  logic [1:0] m_wready;
  logic [7:0] m_bid;
  logic [3:0] m_bresp;
  logic [1:0] m_bvalid;
  logic [1:0] m_bready;
  logic [7:0] m_arid;
  logic [127:0] m_araddr;
  logic [15:0] m_arlen;
  logic [5:0] m_arsize;
  logic [3:0] m_arburst;
  logic [1:0] m_arvalid;
  logic [1:0] m_arready;
  logic [7:0] m_rid;
  logic [127:0] m_rdata;
  logic [3:0] m_rresp;
  logic [1:0] m_rlast;
  logic [1:0] m_rvalid;
  logic [1:0] m_rready;
  logic [11:0] t_awid;
  logic [191:0] t_awaddr;
  logic [23:0] t_awlen;
  logic [8:0] t_awsize;
  logic [5:0] t_awburst;
  logic [2:0] t_awvalid;
  logic [2:0] t_awready;
  logic [191:0] t_wdata;
  logic [23:0] t_wstrb;
  logic [2:0] t_wlast;
  logic [2:0] t_wvalid;
  logic [2:0] t_wready;
  logic [11:0] t_bid;
  logic [5:0] t_bresp;
  logic [2:0] t_bvalid;
  logic [2:0] t_bready;
  logic [11:0] t_arid;
  logic [191:0] t_araddr;
  logic [23:0] t_arlen;
  logic [8:0] t_arsize;
  logic [5:0] t_arburst;
  logic [2:0] t_arvalid;
  logic [2:0] t_arready;
  logic [11:0] t_rid;
  logic [191:0] t_rdata;
  logic [5:0] t_rresp;
  logic [2:0] t_rlast;
  logic [2:0] t_rvalid;
  logic [2:0] t_rready;

  assign m_awid = {m1_axi_awid, m0_axi_awid};
  assign m_awaddr = {m1_axi_awaddr, m0_axi_awaddr};
  assign m_awlen = {m1_axi_awlen, m0_axi_awlen};
  assign m_awsize = {m1_axi_awsize, m0_axi_awsize};
  assign m_awburst = {m1_axi_awburst, m0_axi_awburst};
  assign m_awvalid = {m1_axi_awvalid, m0_axi_awvalid};
  assign m0_axi_awready = m_awready[0];
  assign m1_axi_awready = m_awready[1];
  assign m_wdata = {m1_axi_wdata, m0_axi_wdata};
  assign m_wstrb = {m1_axi_wstrb, m0_axi_wstrb};
  assign m_wlast = {m1_axi_wlast, m0_axi_wlast};
  assign m_wvalid = {m1_axi_wvalid, m0_axi_wvalid};
  assign m0_axi_wready = m_wready[0];
  assign m1_axi_wready = m_wready[1];
  assign m0_axi_bid = m_bid[4*0 +: 4];
  assign m1_axi_bid = m_bid[4*1 +: 4];
  assign m0_axi_bresp = m_bresp[2*0 +: 2];
  assign m1_axi_bresp = m_bresp[2*1 +: 2];
  assign m0_axi_bvalid = m_bvalid[0];
  assign m1_axi_bvalid = m_bvalid[1];
  assign m_bready = {m1_axi_bready, m0_axi_bready};
  assign m_arid = {m1_axi_arid, m0_axi_arid};
  assign m_araddr = {m1_axi_araddr, m0_axi_araddr};
  assign m_arlen = {m1_axi_arlen, m0_axi_arlen};
  assign m_arsize = {m1_axi_arsize, m0_axi_arsize};
  assign m_arburst = {m1_axi_arburst, m0_axi_arburst};
  assign m_arvalid = {m1_axi_arvalid, m0_axi_arvalid};
  assign m0_axi_arready = m_arready[0];
  assign m1_axi_arready = m_arready[1];
  assign m0_axi_rid = m_rid[4*0 +: 4];
  assign m1_axi_rid = m_rid[4*1 +: 4];
  assign m0_axi_rdata = m_rdata[64*0 +: 64];
  assign m1_axi_rdata = m_rdata[64*1 +: 64];
  assign m0_axi_rresp = m_rresp[2*0 +: 2];
  assign m1_axi_rresp = m_rresp[2*1 +: 2];
  assign m0_axi_rlast = m_rlast[0];
  assign m1_axi_rlast = m_rlast[1];
  assign m0_axi_rvalid = m_rvalid[0];
  assign m1_axi_rvalid = m_rvalid[1];
  assign m_rready = {m1_axi_rready, m0_axi_rready};
  assign ram_axi_awid = t_awid[4*0 +: 4];
  assign ram_axi_awaddr = t_awaddr[64*0 +: 64];
  assign ram_axi_awlen = t_awlen[8*0 +: 8];
  assign ram_axi_awsize = t_awsize[3*0 +: 3];
  assign ram_axi_awburst = t_awburst[2*0 +: 2];
  assign ram_axi_awvalid = t_awvalid[0];
  assign t_awready[0] = ram_axi_awready;
  assign ram_axi_wdata = t_wdata[64*0 +: 64];
  assign ram_axi_wstrb = t_wstrb[8*0 +: 8];
  assign ram_axi_wlast = t_wlast[0];
  assign ram_axi_wvalid = t_wvalid[0];
  assign t_wready[0] = ram_axi_wready;
  assign t_bid[4*0 +: 4] = ram_axi_bid;
  assign t_bresp[2*0 +: 2] = ram_axi_bresp;
  assign t_bvalid[0] = ram_axi_bvalid;
  assign ram_axi_bready = t_bready[0];
  assign ram_axi_arid = t_arid[4*0 +: 4];
  assign ram_axi_araddr = t_araddr[64*0 +: 64];
  assign ram_axi_arlen = t_arlen[8*0 +: 8];
  assign ram_axi_arsize = t_arsize[3*0 +: 3];
  assign ram_axi_arburst = t_arburst[2*0 +: 2];
  assign ram_axi_arvalid = t_arvalid[0];
  assign t_arready[0] = ram_axi_arready;
  assign t_rid[4*0 +: 4] = ram_axi_rid;
  assign t_rdata[64*0 +: 64] = ram_axi_rdata;
  assign t_rresp[2*0 +: 2] = ram_axi_rresp;
  assign t_rlast[0] = ram_axi_rlast;
  assign t_rvalid[0] = ram_axi_rvalid;
  assign ram_axi_rready = t_rready[0];

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
    .t_base_i         ({bus_pkg::ClusterBase, bus_pkg::PmcuBase, 64'h8000_0000}),
    .t_size_i         ({bus_pkg::ClusterBytes, bus_pkg::PmcuBytes, 64'h1_0000}),
    .m_awid_i (m_awid),
    .m_awaddr_i (m_awaddr),
    .m_awlen_i (m_awlen),
    .m_awsize_i (m_awsize),
    .m_awburst_i (m_awburst),
    .m_awvalid_i (m_awvalid),
    .m_awready_o (m_awready),
    .m_wdata_i (m_wdata),
    .m_wstrb_i (m_wstrb),
    .m_wlast_i (m_wlast),
    .m_wvalid_i (m_wvalid),
    .m_wready_o (m_wready),
    .m_bid_o (m_bid),
    .m_bresp_o (m_bresp),
    .m_bvalid_o (m_bvalid),
    .m_bready_i (m_bready),
    .m_arid_i (m_arid),
    .m_araddr_i (m_araddr),
    .m_arlen_i (m_arlen),
    .m_arsize_i (m_arsize),
    .m_arburst_i (m_arburst),
    .m_arvalid_i (m_arvalid),
    .m_arready_o (m_arready),
    .m_rid_o (m_rid),
    .m_rdata_o (m_rdata),
    .m_rresp_o (m_rresp),
    .m_rlast_o (m_rlast),
    .m_rvalid_o (m_rvalid),
    .m_rready_i (m_rready),
    .t_awid_o (t_awid),
    .t_awaddr_o (t_awaddr),
    .t_awlen_o (t_awlen),
    .t_awsize_o (t_awsize),
    .t_awburst_o (t_awburst),
    .t_awvalid_o (t_awvalid),
    .t_awready_i (t_awready),
    .t_wdata_o (t_wdata),
    .t_wstrb_o (t_wstrb),
    .t_wlast_o (t_wlast),
    .t_wvalid_o (t_wvalid),
    .t_wready_i (t_wready),
    .t_bid_i (t_bid),
    .t_bresp_i (t_bresp),
    .t_bvalid_i (t_bvalid),
    .t_bready_o (t_bready),
    .t_arid_o (t_arid),
    .t_araddr_o (t_araddr),
    .t_arlen_o (t_arlen),
    .t_arsize_o (t_arsize),
    .t_arburst_o (t_arburst),
    .t_arvalid_o (t_arvalid),
    .t_arready_i (t_arready),
    .t_rid_i (t_rid),
    .t_rdata_i (t_rdata),
    .t_rresp_i (t_rresp),
    .t_rlast_i (t_rlast),
    .t_rvalid_i (t_rvalid),
    .t_rready_o (t_rready),
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
    logic        unused_acc_valid, unused_acc_write, unused_acc_wide, unused_acc_err;
    logic [19:0] unused_acc_addr;
    logic [63:0] unused_acc_wdata, unused_acc_rdata;

    axi_reg_bridge #(
      .NrSlot  (1),
      .OneSlot (g == 1)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (access_cycles_i),
      .present_i       (1'b1),
      .awid_i (t_awid[4*g +: 4]),
      .awaddr_i (t_awaddr[64*g +: 64]),
      .awlen_i (t_awlen[8*g +: 8]),
      .awsize_i (t_awsize[3*g +: 3]),
      .awburst_i (t_awburst[2*g +: 2]),
      .awvalid_i (t_awvalid[g]),
      .awready_o (t_awready[g]),
      .wdata_i (t_wdata[64*g +: 64]),
      .wstrb_i (t_wstrb[8*g +: 8]),
      .wlast_i (t_wlast[g]),
      .wvalid_i (t_wvalid[g]),
      .wready_o (t_wready[g]),
      .bid_o (t_bid[4*g +: 4]),
      .bresp_o (t_bresp[2*g +: 2]),
      .bvalid_o (t_bvalid[g]),
      .bready_i (t_bready[g]),
      .arid_i (t_arid[4*g +: 4]),
      .araddr_i (t_araddr[64*g +: 64]),
      .arlen_i (t_arlen[8*g +: 8]),
      .arsize_i (t_arsize[3*g +: 3]),
      .arburst_i (t_arburst[2*g +: 2]),
      .arvalid_i (t_arvalid[g]),
      .arready_o (t_arready[g]),
      .rid_o (t_rid[4*g +: 4]),
      .rdata_o (t_rdata[64*g +: 64]),
      .rresp_o (t_rresp[2*g +: 2]),
      .rlast_o (t_rlast[g]),
      .rvalid_o (t_rvalid[g]),
      .rready_i (t_rready[g]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_valid_o     (unused_acc_valid),
      .acc_write_o     (unused_acc_write),
      .acc_addr_o      (unused_acc_addr),
      .acc_wide_o      (unused_acc_wide),
      .acc_wdata_o     (unused_acc_wdata),
      .acc_rdata_o     (unused_acc_rdata),
      .acc_err_o       (unused_acc_err)
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
      .awid_i (m_awid[4*p +: 4]),
      .awaddr_i (m_awaddr[64*p +: 64]),
      .awlen_i (m_awlen[8*p +: 8]),
      .awsize_i (m_awsize[3*p +: 3]),
      .awburst_i (m_awburst[2*p +: 2]),
      .awvalid_i (m_awvalid[p]),
      .awready_i (m_awready[p]),
      .wdata_i (m_wdata[64*p +: 64]),
      .wstrb_i (m_wstrb[8*p +: 8]),
      .wlast_i (m_wlast[p]),
      .wvalid_i (m_wvalid[p]),
      .wready_i (m_wready[p]),
      .bid_i (m_bid[4*p +: 4]),
      .bresp_i (m_bresp[2*p +: 2]),
      .bvalid_i (m_bvalid[p]),
      .bready_i (m_bready[p]),
      .arid_i (m_arid[4*p +: 4]),
      .araddr_i (m_araddr[64*p +: 64]),
      .arlen_i (m_arlen[8*p +: 8]),
      .arsize_i (m_arsize[3*p +: 3]),
      .arburst_i (m_arburst[2*p +: 2]),
      .arvalid_i (m_arvalid[p]),
      .arready_i (m_arready[p]),
      .rid_i (m_rid[4*p +: 4]),
      .rdata_i (m_rdata[64*p +: 64]),
      .rresp_i (m_rresp[2*p +: 2]),
      .rlast_i (m_rlast[p]),
      .rvalid_i (m_rvalid[p]),
      .rready_i (m_rready[p]),
      .violation_o (violation_o[16*(0+p) +: 16])
    );
  end

  for (genvar p = 0; p < 3; p++) begin : g_check_target
    axi_checker #(
      .Strict (1'b1)
    ) u_checker (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .awid_i (t_awid[4*p +: 4]),
      .awaddr_i (t_awaddr[64*p +: 64]),
      .awlen_i (t_awlen[8*p +: 8]),
      .awsize_i (t_awsize[3*p +: 3]),
      .awburst_i (t_awburst[2*p +: 2]),
      .awvalid_i (t_awvalid[p]),
      .awready_i (t_awready[p]),
      .wdata_i (t_wdata[64*p +: 64]),
      .wstrb_i (t_wstrb[8*p +: 8]),
      .wlast_i (t_wlast[p]),
      .wvalid_i (t_wvalid[p]),
      .wready_i (t_wready[p]),
      .bid_i (t_bid[4*p +: 4]),
      .bresp_i (t_bresp[2*p +: 2]),
      .bvalid_i (t_bvalid[p]),
      .bready_i (t_bready[p]),
      .arid_i (t_arid[4*p +: 4]),
      .araddr_i (t_araddr[64*p +: 64]),
      .arlen_i (t_arlen[8*p +: 8]),
      .arsize_i (t_arsize[3*p +: 3]),
      .arburst_i (t_arburst[2*p +: 2]),
      .arvalid_i (t_arvalid[p]),
      .arready_i (t_arready[p]),
      .rid_i (t_rid[4*p +: 4]),
      .rdata_i (t_rdata[64*p +: 64]),
      .rresp_i (t_rresp[2*p +: 2]),
      .rlast_i (t_rlast[p]),
      .rvalid_i (t_rvalid[p]),
      .rready_i (t_rready[p]),
      .violation_o (violation_o[16*(2+p) +: 16])
    );
  end

endmodule
