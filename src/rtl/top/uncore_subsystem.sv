// Uncore units behind their register bridges (docs/hw/uncore.md, "Places"): NrBridge bridges with NrUnit
// units each; unit u of bridge b is number u + NrUnit * b.
module uncore_subsystem #(
  parameter int NrBridge  = 1,
  parameter int NrUnit    = 2,
  parameter int NrCounter = 16
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  // Straps.
  input  logic [NrBridge*16-1:0]          access_cycles_i,
  input  logic [NrBridge*NrUnit-1:0]      present_i,
  input  logic [NrBridge*NrUnit*5-1:0]    counters_i,
  input  logic [NrBridge*NrUnit*7-1:0]    width_i,
  input  logic [NrBridge*NrUnit*16-1:0]   id_i,

  // What the units do.
  output logic [NrBridge*NrUnit*NrCounter*16-1:0] event_o,
  output logic [NrBridge*NrUnit*NrCounter-1:0]    counting_o,
  input  logic [NrBridge*NrUnit*NrCounter*4-1:0]  inc_i,
  output logic [NrBridge*NrUnit-1:0]              irq_o,

  // The bridges.
  input  logic [NrBridge*4-1:0]                 t_awid_i,
  input  logic [NrBridge*64-1:0]                t_awaddr_i,
  input  logic [NrBridge*8-1:0]                 t_awlen_i,
  input  logic [NrBridge*3-1:0]                 t_awsize_i,
  input  logic [NrBridge*2-1:0]                 t_awburst_i,
  input  logic [NrBridge-1:0]                   t_awvalid_i,
  output logic [NrBridge-1:0]                   t_awready_o,
  input  logic [NrBridge*64-1:0]                t_wdata_i,
  input  logic [NrBridge*8-1:0]                 t_wstrb_i,
  input  logic [NrBridge-1:0]                   t_wlast_i,
  input  logic [NrBridge-1:0]                   t_wvalid_i,
  output logic [NrBridge-1:0]                   t_wready_o,
  output logic [NrBridge*4-1:0]                 t_bid_o,
  output logic [NrBridge*2-1:0]                 t_bresp_o,
  output logic [NrBridge-1:0]                   t_bvalid_o,
  input  logic [NrBridge-1:0]                   t_bready_i,
  input  logic [NrBridge*4-1:0]                 t_arid_i,
  input  logic [NrBridge*64-1:0]                t_araddr_i,
  input  logic [NrBridge*8-1:0]                 t_arlen_i,
  input  logic [NrBridge*3-1:0]                 t_arsize_i,
  input  logic [NrBridge*2-1:0]                 t_arburst_i,
  input  logic [NrBridge-1:0]                   t_arvalid_i,
  output logic [NrBridge-1:0]                   t_arready_o,
  output logic [NrBridge*4-1:0]                 t_rid_o,
  output logic [NrBridge*64-1:0]                t_rdata_o,
  output logic [NrBridge*2-1:0]                 t_rresp_o,
  output logic [NrBridge-1:0]                   t_rlast_o,
  output logic [NrBridge-1:0]                   t_rvalid_o,
  input  logic [NrBridge-1:0]                   t_rready_i,

  // Accesses as they take effect, a bridge each.
  output logic [NrBridge-1:0]             acc_valid_o,
  output logic [NrBridge-1:0]             acc_write_o,
  output logic [NrBridge*20-1:0]          acc_addr_o,
  output logic [NrBridge-1:0]             acc_wide_o,
  output logic [NrBridge*64-1:0]          acc_wdata_o,
  output logic [NrBridge*64-1:0]          acc_rdata_o,
  output logic [NrBridge-1:0]             acc_err_o
);

  for (genvar b = 0; b < NrBridge; b++) begin : g_bridge
    logic [NrUnit-1:0]    reg_en, reg_err;
    logic                 reg_write, reg_wide;
    logic [15:0]          reg_addr;
    logic [63:0]          reg_wdata;
    logic [NrUnit*64-1:0] reg_rdata;

    axi_reg_bridge #(
      .NrSlot     (NrUnit),
      .CycleWidth (16)
    ) u_bridge (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .access_cycles_i (access_cycles_i[16*b +: 16]),
      .present_i (present_i[NrUnit*b +: NrUnit]),
      .awid_i (t_awid_i[4*b +: 4]),
      .awaddr_i (t_awaddr_i[64*b +: 64]),
      .awlen_i (t_awlen_i[8*b +: 8]),
      .awsize_i (t_awsize_i[3*b +: 3]),
      .awburst_i (t_awburst_i[2*b +: 2]),
      .awvalid_i (t_awvalid_i[b]),
      .awready_o (t_awready_o[b]),
      .wdata_i (t_wdata_i[64*b +: 64]),
      .wstrb_i (t_wstrb_i[8*b +: 8]),
      .wlast_i (t_wlast_i[b]),
      .wvalid_i (t_wvalid_i[b]),
      .wready_o (t_wready_o[b]),
      .bid_o (t_bid_o[4*b +: 4]),
      .bresp_o (t_bresp_o[2*b +: 2]),
      .bvalid_o (t_bvalid_o[b]),
      .bready_i (t_bready_i[b]),
      .arid_i (t_arid_i[4*b +: 4]),
      .araddr_i (t_araddr_i[64*b +: 64]),
      .arlen_i (t_arlen_i[8*b +: 8]),
      .arsize_i (t_arsize_i[3*b +: 3]),
      .arburst_i (t_arburst_i[2*b +: 2]),
      .arvalid_i (t_arvalid_i[b]),
      .arready_o (t_arready_o[b]),
      .rid_o (t_rid_o[4*b +: 4]),
      .rdata_o (t_rdata_o[64*b +: 64]),
      .rresp_o (t_rresp_o[2*b +: 2]),
      .rlast_o (t_rlast_o[b]),
      .rvalid_o (t_rvalid_o[b]),
      .rready_i (t_rready_i[b]),
      .reg_en_o (reg_en),
      .reg_write_o (reg_write),
      .reg_addr_o (reg_addr),
      .reg_wide_o (reg_wide),
      .reg_wdata_o (reg_wdata),
      .reg_rdata_i (reg_rdata),
      .reg_err_i (reg_err),
      .acc_valid_o (acc_valid_o[b]),
      .acc_write_o (acc_write_o[b]),
      .acc_addr_o (acc_addr_o[20*b +: 20]),
      .acc_wide_o (acc_wide_o[b]),
      .acc_wdata_o (acc_wdata_o[64*b +: 64]),
      .acc_rdata_o (acc_rdata_o[64*b +: 64]),
      .acc_err_o (acc_err_o[b])
    );

    for (genvar u = 0; u < NrUnit; u++) begin : g_unit
      localparam int Unit = u + NrUnit * b;
      uncore #(
        .NrCounter (NrCounter)
      ) u_uncore (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .counters_i (counters_i[5*Unit +: 5]),
        .width_i (width_i[7*Unit +: 7]),
        .id_i (id_i[16*Unit +: 16]),
        .reg_en_i (reg_en[u]),
        .reg_write_i (reg_write),
        .reg_wide_i (reg_wide),
        .reg_addr_i (reg_addr),
        .reg_wdata_i (reg_wdata),
        .reg_rdata_o (reg_rdata[64*u +: 64]),
        .reg_err_o (reg_err[u]),
        .event_o (event_o[16*NrCounter*Unit +: 16*NrCounter]),
        .counting_o (counting_o[NrCounter*Unit +: NrCounter]),
        .inc_i (inc_i[4*NrCounter*Unit +: 4*NrCounter]),
        .irq_o (irq_o[Unit])
      );
    end
  end

endmodule
