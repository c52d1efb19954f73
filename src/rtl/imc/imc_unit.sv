// SPDX-License-Identifier: Apache-2.0
// POWER's IMC cores with their bridges. Managers are the cores, which only write; targets the SPR
// bridge (0) and the chips' SCOM bridges (from 1 on).
module imc_unit #(
  parameter int NrChip = 1,
  parameter int NrCore = 2,
  parameter int NrThread  = 4
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Straps.
  input  logic [7:0]                        strap_access_cycles_i,
  input  logic                              strap_power10_i,
  input  logic [4:0]                        strap_nr_core_i,
  input  logic [4:0]                        strap_chip_cores_i,
  input  logic [2:0]                        strap_nr_thread_i,
  input  logic [4:0]                        strap_tap_log2_i,
  input  logic [63:0]                       strap_tb_start_i,
  input  logic [15:0]                       strap_tb_num_i,
  input  logic [15:0]                       strap_tb_den_i,

  // What the cores do: a bit, or a field, a thread: number thread + NrThread * core.
  input  logic [NrCore-1:0]              power_i,
  output logic [NrCore*NrThread-1:0]     active_o,
  output logic [NrCore*NrThread*7-1:0]   code1_o,
  output logic [NrCore*NrThread*7-1:0]   code2_o,
  input  logic [NrCore*NrThread*4-1:0]   inc1_i,
  input  logic [NrCore*NrThread*4-1:0]   inc2_i,
  input  logic [NrCore*NrThread*4-1:0]   inc3_i,
  input  logic [NrCore*NrThread*4-1:0]   inc4_i,
  input  logic [NrCore*NrThread*2-1:0]   mode_i,
  output logic [NrCore*NrThread-1:0]     capture_o,
  input  logic [NrCore*NrThread*64-1:0]  pc_i,
  input  logic [NrCore*NrThread*32-1:0]  pid_i,
  input  logic [NrCore*NrThread*32-1:0]  lpid_i,

  // The cores' ports.
  output logic [NrCore*bus_pkg::ReqBits-1:0] m_req_o,
  input  logic [NrCore*bus_pkg::RspBits-1:0] m_rsp_i,

  // The bridges.
  input  logic [(1+NrChip)*bus_pkg::ReqBits-1:0] t_req_i,
  output logic [(1+NrChip)*bus_pkg::RspBits-1:0] t_rsp_o,

  // The cores, as an observer sees them.
  output logic [NrCore*3-1:0]            state_o,
  output logic [NrCore-1:0]              sample_valid_o,
  output logic [NrCore*2-1:0]            sample_thread_o,
  output logic [NrCore*64-1:0]           sample_addr_o,
  output logic [NrCore*2-1:0]            sample_resp_o,
  output logic [NrCore*64-1:0]           sample_snap_o,
  output logic [NrCore*32-1:0]           sample_number_o,
  output logic [NrCore*NrThread-1:0]     lost_o,
  output logic [NrCore*NrThread-1:0]     dropped_o,
  output logic [NrCore*NrThread*64-1:0]  dropped_addr_o,
  output logic [NrCore*NrThread*64-1:0]  dropped_snap_o,

  // Register accesses as they take effect: 0 SPR (offset in the window), then SCOM (bytes in it).
  output logic [(1+NrChip)*reg_bus_pkg::AccBits-1:0] acc_o
);

  logic [63:0] tb;
  logic        tb_tick;

  imc_timebase u_timebase (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .tb_start_i (strap_tb_start_i),
    .tb_num_i   (strap_tb_num_i),
    .tb_den_i   (strap_tb_den_i),
    .tb_o       (tb),
    .tb_tick_o  (tb_tick)
  );

  logic        spr_en, spr_write, spr_wide, spr_err;
  logic [63:0] spr_wdata, spr_rdata;
  logic [19:0] spr_addr;

  logic [NrChip-1:0]    scom_en, scom_write, scom_wide, scom_err;
  logic [NrChip*64-1:0] scom_wdata, scom_rdata;
  logic [NrChip*32-1:0] scom_addr;

  axi_reg_bridge #(
    .NrSlot    (1),
    .OneSlot   (1'b1),
    .AddrWidth (20),
    .RegWidth  (20)
  ) u_spr_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (strap_access_cycles_i),
    .present_i       (1'b1),
    .req_i           (t_req_i[bus_pkg::ReqBits*0 +: bus_pkg::ReqBits]),
    .rsp_o           (t_rsp_o[bus_pkg::RspBits*0 +: bus_pkg::RspBits]),
    .reg_en_o        (spr_en),
    .reg_write_o     (spr_write),
    .reg_addr_o      (spr_addr),
    .reg_wide_o      (spr_wide),
    .reg_wdata_o     (spr_wdata),
    .reg_rdata_i     (spr_rdata),
    .reg_err_i       (spr_err),
    .acc_o           (acc_o[reg_bus_pkg::AccBits*0 +: reg_bus_pkg::AccBits])
  );

  for (genvar g = 0; g < NrChip; g++) begin : g_scom
    logic [32:0] addr;

    axi_reg_bridge #(
      .NrSlot    (1),
      .OneSlot   (1'b1),
      .AddrWidth (33),
      .RegWidth  (33)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (strap_access_cycles_i),
      .present_i       (1'b1),
      .req_i           (t_req_i[bus_pkg::ReqBits*(1+g) +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp_o[bus_pkg::RspBits*(1+g) +: bus_pkg::RspBits]),
      .reg_en_o        (scom_en[g]),
      .reg_write_o     (scom_write[g]),
      .reg_addr_o      (addr),
      .reg_wide_o      (scom_wide[g]),
      .reg_wdata_o     (scom_wdata[64*g +: 64]),
      .reg_rdata_i     (scom_rdata[64*g +: 64]),
      .reg_err_i       (scom_err[g]),
      .acc_o           (acc_o[reg_bus_pkg::AccBits*(1+g) +: reg_bus_pkg::AccBits])
    );
    assign scom_addr[32*g +: 32] = {2'd0, addr[32:3]};

    logic unused_low;
    assign unused_low = ^addr[2:0];
  end

  logic [NrCore-1:0]          reg_err, ldbar_err;
  logic [NrChip*NrCore-1:0]   chip_en;
  logic [NrChip-1:0]          chip_write;
  logic [NrChip*4-1:0]        chip_sel;
  logic [NrChip*64-1:0]       chip_wdata;
  logic                       ldbar_write;
  logic [63:0]                ldbar_wdata;
  logic [NrCore*64-1:0]       reg_rdata, ldbar_rdata;
  logic [NrCore*NrThread-1:0] ldbar_en;

  imc_scom #(
    .NrChip   (NrChip),
    .NrCore   (NrCore),
    .NrThread (NrThread)
  ) u_scom (
    .power10_i     (strap_power10_i),
    .nr_core_i     (strap_nr_core_i),
    .chip_cores_i  (strap_chip_cores_i),
    .scom_en_i     (scom_en),
    .scom_write_i  (scom_write),
    .scom_addr_i   (scom_addr),
    .scom_wide_i   (scom_wide),
    .scom_wdata_i  (scom_wdata),
    .scom_rdata_o  (scom_rdata),
    .scom_err_o    (scom_err),
    .spr_en_i      (spr_en),
    .spr_write_i   (spr_write),
    .spr_addr_i    (spr_addr),
    .spr_wide_i    (spr_wide),
    .spr_wdata_i   (spr_wdata),
    .spr_rdata_o   (spr_rdata),
    .spr_err_o     (spr_err),
    .reg_en_o      (chip_en),
    .reg_write_o   (chip_write),
    .reg_sel_o     (chip_sel),
    .reg_wdata_o   (chip_wdata),
    .reg_rdata_i   (reg_rdata),
    .reg_err_i     (reg_err),
    .ldbar_en_o    (ldbar_en),
    .ldbar_write_o (ldbar_write),
    .ldbar_wdata_o (ldbar_wdata),
    .ldbar_rdata_i (ldbar_rdata),
    .ldbar_err_i   (ldbar_err)
  );

  for (genvar c = 0; c < NrCore; c++) begin : g_core
    // A core is reached by its own chip alone.
    logic        reg_en, reg_write;
    logic [3:0]  reg_sel;
    logic [63:0] reg_wdata;
    always_comb begin
      reg_en    = 1'b0;
      reg_write = 1'b0;
      reg_sel   = '0;
      reg_wdata = '0;
      for (int g = 0; g < NrChip; g++) begin
        if (chip_en[NrCore*g+c]) begin
          reg_en    = 1'b1;
          reg_write = chip_write[g];
          reg_sel   = chip_sel[4*g +: 4];
          reg_wdata = chip_wdata[64*g +: 64];
        end
      end
    end

    imc_core #(
      .NrThread (NrThread)
    ) u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .power10_i   (strap_power10_i),
      .nr_thread_i (strap_nr_thread_i),
      .tap_log2_i  (strap_tap_log2_i),
      .tb_i        (tb),
      .tb_tick_i   (tb_tick),
      .power_i     (power_i[c]),
      .reg_en_i (reg_en),
      .reg_write_i (reg_write),
      .reg_sel_i (reg_sel),
      .reg_wdata_i (reg_wdata),
      .reg_rdata_o (reg_rdata[64*c +: 64]),
      .reg_err_o (reg_err[c]),
      .ldbar_en_i (ldbar_en[NrThread*c +: NrThread]),
      .ldbar_write_i (ldbar_write),
      .ldbar_wdata_i (ldbar_wdata),
      .ldbar_rdata_o (ldbar_rdata[64*c +: 64]),
      .ldbar_err_o (ldbar_err[c]),
      .active_o (active_o[NrThread*c +: NrThread]),
      .code1_o (code1_o[7*NrThread*c +: 7*NrThread]),
      .code2_o (code2_o[7*NrThread*c +: 7*NrThread]),
      .inc1_i (inc1_i[4*NrThread*c +: 4*NrThread]),
      .inc2_i (inc2_i[4*NrThread*c +: 4*NrThread]),
      .inc3_i (inc3_i[4*NrThread*c +: 4*NrThread]),
      .inc4_i (inc4_i[4*NrThread*c +: 4*NrThread]),
      .mode_i (mode_i[2*NrThread*c +: 2*NrThread]),
      .capture_o (capture_o[NrThread*c +: NrThread]),
      .pc_i (pc_i[64*NrThread*c +: 64*NrThread]),
      .pid_i (pid_i[32*NrThread*c +: 32*NrThread]),
      .lpid_i (lpid_i[32*NrThread*c +: 32*NrThread]),
      .req_o  (m_req_o[bus_pkg::ReqBits*c +: bus_pkg::ReqBits]),
      .rsp_i  (m_rsp_i[bus_pkg::RspBits*c +: bus_pkg::RspBits]),
      .state_o (state_o[3*c +: 3]),
      .sample_valid_o (sample_valid_o[c]),
      .sample_thread_o (sample_thread_o[2*c +: 2]),
      .sample_addr_o (sample_addr_o[64*c +: 64]),
      .sample_resp_o (sample_resp_o[2*c +: 2]),
      .sample_snap_o (sample_snap_o[64*c +: 64]),
      .sample_number_o (sample_number_o[32*c +: 32]),
      .lost_o (lost_o[NrThread*c +: NrThread]),
      .dropped_o (dropped_o[NrThread*c +: NrThread]),
      .dropped_addr_o (dropped_addr_o[64*NrThread*c +: 64*NrThread]),
      .dropped_snap_o (dropped_snap_o[64*NrThread*c +: 64*NrThread])
    );
  end

endmodule
