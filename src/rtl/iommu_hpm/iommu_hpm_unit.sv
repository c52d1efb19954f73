// SPDX-License-Identifier: Apache-2.0
// The monitors of IOMMUs, each behind a register bridge of its own (docs/hw/iommu_hpm.md, "Places").
module iommu_hpm_unit #(
  parameter int NrUnit    = 1,
  parameter int NrCounter = 31,
  parameter int NrRecord  = 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps.
  input  logic [NrUnit*16-1:0]          strap_access_cycles_i,
  input  logic [NrUnit*5-1:0]           strap_counters_i,
  input  logic [NrUnit*7-1:0]           strap_width_i,

  // What the IOMMUs report: record r of unit u is number r + NrRecord * u.
  input  logic [NrUnit*NrRecord-1:0]    valid_i,
  input  logic [NrUnit*NrRecord*32-1:0] inc_i,
  input  logic [NrUnit*NrRecord*24-1:0] did_i,
  input  logic [NrUnit*NrRecord-1:0]    pv_i,
  input  logic [NrUnit*NrRecord*20-1:0] pid_i,
  input  logic [NrUnit*NrRecord-1:0]    gscv_i,
  input  logic [NrUnit*NrRecord*16-1:0] gscid_i,
  input  logic [NrUnit*NrRecord-1:0]    pscv_i,
  input  logic [NrUnit*NrRecord*20-1:0] pscid_i,
  output logic [NrUnit-1:0]             irq_o,

  // The bridges.
  input  logic [NrUnit*bus_pkg::ReqBits-1:0] t_req_i,
  output logic [NrUnit*bus_pkg::RspBits-1:0] t_rsp_o,

  // Accesses as they take effect, a unit each.
  output logic [NrUnit*reg_bus_pkg::AccBits-1:0] acc_o
);

  for (genvar u = 0; u < NrUnit; u++) begin : g_unit
    logic        reg_en, reg_write, reg_wide, reg_err;
    logic [15:0] reg_addr;
    logic [63:0] reg_wdata, reg_rdata;

    axi_reg_bridge #(
      .NrSlot     (1),
      .OneSlot    (1'b1),
      .CycleWidth (16)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (strap_access_cycles_i[16*u +: 16]),
      .present_i       (1'b1),
      .req_i           (t_req_i[bus_pkg::ReqBits*u +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp_o[bus_pkg::RspBits*u +: bus_pkg::RspBits]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_o           (acc_o[reg_bus_pkg::AccBits*u +: reg_bus_pkg::AccBits])
    );

    iommu_hpm #(
      .NrCounter (NrCounter),
      .NrRecord  (NrRecord)
    ) u_iommu_hpm (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .counters_i  (strap_counters_i[5*u +: 5]),
      .width_i     (strap_width_i[7*u +: 7]),
      .reg_en_i    (reg_en),
      .reg_write_i (reg_write),
      .reg_wide_i  (reg_wide),
      .reg_addr_i  (reg_addr),
      .reg_wdata_i (reg_wdata),
      .reg_rdata_o (reg_rdata),
      .reg_err_o   (reg_err),
      .valid_i     (valid_i[NrRecord*u +: NrRecord]),
      .inc_i       (inc_i[32*NrRecord*u +: 32*NrRecord]),
      .did_i       (did_i[24*NrRecord*u +: 24*NrRecord]),
      .pv_i        (pv_i[NrRecord*u +: NrRecord]),
      .pid_i       (pid_i[20*NrRecord*u +: 20*NrRecord]),
      .gscv_i      (gscv_i[NrRecord*u +: NrRecord]),
      .gscid_i     (gscid_i[16*NrRecord*u +: 16*NrRecord]),
      .pscv_i      (pscv_i[NrRecord*u +: NrRecord]),
      .pscid_i     (pscid_i[20*NrRecord*u +: 20*NrRecord]),
      .irq_o       (irq_o[u])
    );
  end

endmodule
