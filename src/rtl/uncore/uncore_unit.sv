// SPDX-License-Identifier: Apache-2.0
// Uncore units behind their register bridges (docs/hw/uncore.md, "Places"): NrBridge bridges with NrUnit
// units each; unit u of bridge b is number u + NrUnit * b.
module uncore_unit #(
  parameter int NrBridge  = 1,
  parameter int NrUnit    = 2,
  parameter int NrCounter = 16,
  parameter int NrTag = 0
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  // Straps.
  input  logic [NrBridge*16-1:0]          strap_access_cycles_i,
  input  logic [NrBridge*NrUnit-1:0]      strap_present_i,
  input  logic [NrBridge*NrUnit*5-1:0]    strap_counters_i,
  input  logic [NrBridge*NrUnit*7-1:0]    strap_width_i,
  input  logic [NrBridge*NrUnit*16-1:0]   strap_id_i,
  input  logic [NrBridge*NrUnit-1:0]      strap_extended_i,

  // What the units do.
  output logic [NrBridge*NrUnit*NrCounter*16-1:0] event_o,
  output logic [NrBridge*NrUnit*NrCounter*64-1:0] match_o,
  output logic [NrBridge*NrUnit*NrCounter*64-1:0] mask_o,
  output logic [NrBridge*NrUnit*NrCounter-1:0]    counting_o,
  input  logic [NrBridge*NrUnit*NrCounter*4-1:0]  inc_i,
  output logic [NrBridge*NrUnit-1:0]              irq_o,

  // The bridges.
  input  logic [NrBridge*bus_pkg::ReqBits-1:0] t_req_i,
  output logic [NrBridge*bus_pkg::RspBits-1:0] t_rsp_o,

  // Accesses as they take effect, a bridge each.
  output logic [NrBridge*reg_bus_pkg::AccBits-1:0] acc_o
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
      .access_cycles_i (strap_access_cycles_i[16*b +: 16]),
      .present_i (strap_present_i[NrUnit*b +: NrUnit]),
      .req_i     (t_req_i[bus_pkg::ReqBits*b +: bus_pkg::ReqBits]),
      .rsp_o     (t_rsp_o[bus_pkg::RspBits*b +: bus_pkg::RspBits]),
      .reg_en_o (reg_en),
      .reg_write_o (reg_write),
      .reg_addr_o (reg_addr),
      .reg_wide_o (reg_wide),
      .reg_wdata_o (reg_wdata),
      .reg_rdata_i (reg_rdata),
      .reg_err_i (reg_err),
      .acc_o     (acc_o[reg_bus_pkg::AccBits*b +: reg_bus_pkg::AccBits])
    );

    for (genvar u = 0; u < NrUnit; u++) begin : g_unit
      localparam int Unit = u + NrUnit * b;
      uncore #(
        .NrCounter (NrCounter),
        .NrTag (NrTag)
      ) u_uncore (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .counters_i (strap_counters_i[5*Unit +: 5]),
        .width_i (strap_width_i[7*Unit +: 7]),
        .id_i (strap_id_i[16*Unit +: 16]),
        .extended_i (strap_extended_i[Unit]),
        .reg_en_i (reg_en[u]),
        .reg_write_i (reg_write),
        .reg_wide_i (reg_wide),
        .reg_addr_i (reg_addr),
        .reg_wdata_i (reg_wdata),
        .reg_rdata_o (reg_rdata[64*u +: 64]),
        .reg_err_o (reg_err[u]),
        .event_o (event_o[16*NrCounter*Unit +: 16*NrCounter]),
        .match_o (match_o[64*NrCounter*Unit +: 64*NrCounter]),
        .mask_o (mask_o[64*NrCounter*Unit +: 64*NrCounter]),
        .counting_o (counting_o[NrCounter*Unit +: NrCounter]),
        .inc_i (inc_i[4*NrCounter*Unit +: 4*NrCounter]),
        .irq_o (irq_o[Unit])
      );
    end
  end

endmodule
