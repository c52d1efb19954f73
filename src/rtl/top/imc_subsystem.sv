// POWER's IMC cores with their bridges. Managers are the cores, which only write; targets the SPR
// bridge (0) and the SCOM bridge (1).
module imc_subsystem #(
  parameter int NrImcCore = 2,
  parameter int NrThread  = 4
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Straps.
  input  logic [7:0]                        access_cycles_i,
  input  logic                              power10_i,
  input  logic [4:0]                        nr_core_i,
  input  logic [2:0]                        nr_thread_i,
  input  logic [4:0]                        tap_log2_i,
  input  logic [63:0]                       tb_start_i,
  input  logic [15:0]                       tb_num_i,
  input  logic [15:0]                       tb_den_i,

  // What the cores do: a bit, or a field, a thread: number thread + NrThread * core.
  input  logic [NrImcCore-1:0]              power_i,
  output logic [NrImcCore*NrThread-1:0]     active_o,
  output logic [NrImcCore*NrThread*7-1:0]   code1_o,
  output logic [NrImcCore*NrThread*7-1:0]   code2_o,
  input  logic [NrImcCore*NrThread*4-1:0]   inc1_i,
  input  logic [NrImcCore*NrThread*4-1:0]   inc2_i,
  input  logic [NrImcCore*NrThread*4-1:0]   inc3_i,
  input  logic [NrImcCore*NrThread*4-1:0]   inc4_i,
  input  logic [NrImcCore*NrThread*2-1:0]   mode_i,
  output logic [NrImcCore*NrThread-1:0]     capture_o,
  input  logic [NrImcCore*NrThread*64-1:0]  pc_i,
  input  logic [NrImcCore*NrThread*32-1:0]  pid_i,
  input  logic [NrImcCore*NrThread*32-1:0]  lpid_i,

  // The cores' ports.
  output logic [NrImcCore*4-1:0]            m_awid_o,
  output logic [NrImcCore*64-1:0]           m_awaddr_o,
  output logic [NrImcCore*8-1:0]            m_awlen_o,
  output logic [NrImcCore*3-1:0]            m_awsize_o,
  output logic [NrImcCore*2-1:0]            m_awburst_o,
  output logic [NrImcCore-1:0]              m_awvalid_o,
  input  logic [NrImcCore-1:0]              m_awready_i,
  output logic [NrImcCore*64-1:0]           m_wdata_o,
  output logic [NrImcCore*8-1:0]            m_wstrb_o,
  output logic [NrImcCore-1:0]              m_wlast_o,
  output logic [NrImcCore-1:0]              m_wvalid_o,
  input  logic [NrImcCore-1:0]              m_wready_i,
  input  logic [NrImcCore*4-1:0]            m_bid_i,
  input  logic [NrImcCore*2-1:0]            m_bresp_i,
  input  logic [NrImcCore-1:0]              m_bvalid_i,
  output logic [NrImcCore-1:0]              m_bready_o,

  // The bridges.
  input  logic [2*4-1:0]                    t_awid_i,
  input  logic [2*64-1:0]                   t_awaddr_i,
  input  logic [2*8-1:0]                    t_awlen_i,
  input  logic [2*3-1:0]                    t_awsize_i,
  input  logic [2*2-1:0]                    t_awburst_i,
  input  logic [2-1:0]                      t_awvalid_i,
  output logic [2-1:0]                      t_awready_o,
  input  logic [2*64-1:0]                   t_wdata_i,
  input  logic [2*8-1:0]                    t_wstrb_i,
  input  logic [2-1:0]                      t_wlast_i,
  input  logic [2-1:0]                      t_wvalid_i,
  output logic [2-1:0]                      t_wready_o,
  output logic [2*4-1:0]                    t_bid_o,
  output logic [2*2-1:0]                    t_bresp_o,
  output logic [2-1:0]                      t_bvalid_o,
  input  logic [2-1:0]                      t_bready_i,
  input  logic [2*4-1:0]                    t_arid_i,
  input  logic [2*64-1:0]                   t_araddr_i,
  input  logic [2*8-1:0]                    t_arlen_i,
  input  logic [2*3-1:0]                    t_arsize_i,
  input  logic [2*2-1:0]                    t_arburst_i,
  input  logic [2-1:0]                      t_arvalid_i,
  output logic [2-1:0]                      t_arready_o,
  output logic [2*4-1:0]                    t_rid_o,
  output logic [2*64-1:0]                   t_rdata_o,
  output logic [2*2-1:0]                    t_rresp_o,
  output logic [2-1:0]                      t_rlast_o,
  output logic [2-1:0]                      t_rvalid_o,
  input  logic [2-1:0]                      t_rready_i,

  // The cores, as an observer sees them.
  output logic [NrImcCore*3-1:0]            state_o,
  output logic [NrImcCore-1:0]              sample_valid_o,
  output logic [NrImcCore*2-1:0]            sample_thread_o,
  output logic [NrImcCore*64-1:0]           sample_addr_o,
  output logic [NrImcCore*2-1:0]            sample_resp_o,
  output logic [NrImcCore*64-1:0]           sample_snap_o,
  output logic [NrImcCore*32-1:0]           sample_number_o,
  output logic [NrImcCore*NrThread-1:0]     lost_o,
  output logic [NrImcCore*NrThread-1:0]     dropped_o,
  output logic [NrImcCore*NrThread*64-1:0]  dropped_addr_o,
  output logic [NrImcCore*NrThread*64-1:0]  dropped_snap_o,

  // Register accesses as they take effect: 0 SPR (offset in the window), 1 SCOM (bytes in it).
  output logic [1:0]                        acc_valid_o,
  output logic [1:0]                        acc_write_o,
  output logic [2*33-1:0]                   acc_addr_o,
  output logic [1:0]                        acc_wide_o,
  output logic [127:0]                      acc_wdata_o,
  output logic [127:0]                      acc_rdata_o,
  output logic [1:0]                        acc_err_o
);

  logic [63:0] tb;
  logic        tb_tick;

  imc_timebase u_timebase (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .tb_start_i (tb_start_i),
    .tb_num_i   (tb_num_i),
    .tb_den_i   (tb_den_i),
    .tb_o       (tb),
    .tb_tick_o  (tb_tick)
  );

  logic        spr_en, spr_write, spr_wide, spr_err;
  logic        scom_en, scom_write, scom_wide, scom_err;
  logic [63:0] spr_wdata, spr_rdata, scom_wdata, scom_rdata;
  logic [19:0] spr_addr;
  logic [32:0] scom_addr;
  logic [15:0] spr_low, scom_low;
  assign acc_addr_o = {scom_addr, 13'd0, spr_addr};

  axi_reg_bridge #(
    .NrSlot    (1),
    .OneSlot   (1'b1),
    .AddrWidth (20)
  ) u_spr_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (access_cycles_i),
    .present_i       (1'b1),
    .awid_i (t_awid_i[4*(0) +: 4]),
    .awaddr_i (t_awaddr_i[64*(0) +: 64]),
    .awlen_i (t_awlen_i[8*(0) +: 8]),
    .awsize_i (t_awsize_i[3*(0) +: 3]),
    .awburst_i (t_awburst_i[2*(0) +: 2]),
    .awvalid_i (t_awvalid_i[0]),
    .awready_o (t_awready_o[0]),
    .wdata_i (t_wdata_i[64*(0) +: 64]),
    .wstrb_i (t_wstrb_i[8*(0) +: 8]),
    .wlast_i (t_wlast_i[0]),
    .wvalid_i (t_wvalid_i[0]),
    .wready_o (t_wready_o[0]),
    .bid_o (t_bid_o[4*(0) +: 4]),
    .bresp_o (t_bresp_o[2*(0) +: 2]),
    .bvalid_o (t_bvalid_o[0]),
    .bready_i (t_bready_i[0]),
    .arid_i (t_arid_i[4*(0) +: 4]),
    .araddr_i (t_araddr_i[64*(0) +: 64]),
    .arlen_i (t_arlen_i[8*(0) +: 8]),
    .arsize_i (t_arsize_i[3*(0) +: 3]),
    .arburst_i (t_arburst_i[2*(0) +: 2]),
    .arvalid_i (t_arvalid_i[0]),
    .arready_o (t_arready_o[0]),
    .rid_o (t_rid_o[4*(0) +: 4]),
    .rdata_o (t_rdata_o[64*(0) +: 64]),
    .rresp_o (t_rresp_o[2*(0) +: 2]),
    .rlast_o (t_rlast_o[0]),
    .rvalid_o (t_rvalid_o[0]),
    .rready_i (t_rready_i[0]),
    .reg_en_o        (spr_en),
    .reg_write_o     (spr_write),
    .reg_addr_o      (spr_low),
    .reg_wide_o      (spr_wide),
    .reg_wdata_o     (spr_wdata),
    .reg_rdata_i     (spr_rdata),
    .reg_err_i       (spr_err),
    .acc_valid_o     (acc_valid_o[0]),
    .acc_write_o     (acc_write_o[0]),
    .acc_addr_o      (spr_addr),
    .acc_wide_o      (acc_wide_o[0]),
    .acc_wdata_o     (acc_wdata_o[64*0 +: 64]),
    .acc_rdata_o     (acc_rdata_o[64*0 +: 64]),
    .acc_err_o       (acc_err_o[0])
  );

  axi_reg_bridge #(
    .NrSlot    (1),
    .OneSlot   (1'b1),
    .AddrWidth (33)
  ) u_scom_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (access_cycles_i),
    .present_i       (1'b1),
    .awid_i (t_awid_i[4*(1) +: 4]),
    .awaddr_i (t_awaddr_i[64*(1) +: 64]),
    .awlen_i (t_awlen_i[8*(1) +: 8]),
    .awsize_i (t_awsize_i[3*(1) +: 3]),
    .awburst_i (t_awburst_i[2*(1) +: 2]),
    .awvalid_i (t_awvalid_i[1]),
    .awready_o (t_awready_o[1]),
    .wdata_i (t_wdata_i[64*(1) +: 64]),
    .wstrb_i (t_wstrb_i[8*(1) +: 8]),
    .wlast_i (t_wlast_i[1]),
    .wvalid_i (t_wvalid_i[1]),
    .wready_o (t_wready_o[1]),
    .bid_o (t_bid_o[4*(1) +: 4]),
    .bresp_o (t_bresp_o[2*(1) +: 2]),
    .bvalid_o (t_bvalid_o[1]),
    .bready_i (t_bready_i[1]),
    .arid_i (t_arid_i[4*(1) +: 4]),
    .araddr_i (t_araddr_i[64*(1) +: 64]),
    .arlen_i (t_arlen_i[8*(1) +: 8]),
    .arsize_i (t_arsize_i[3*(1) +: 3]),
    .arburst_i (t_arburst_i[2*(1) +: 2]),
    .arvalid_i (t_arvalid_i[1]),
    .arready_o (t_arready_o[1]),
    .rid_o (t_rid_o[4*(1) +: 4]),
    .rdata_o (t_rdata_o[64*(1) +: 64]),
    .rresp_o (t_rresp_o[2*(1) +: 2]),
    .rlast_o (t_rlast_o[1]),
    .rvalid_o (t_rvalid_o[1]),
    .rready_i (t_rready_i[1]),
    .reg_en_o        (scom_en),
    .reg_write_o     (scom_write),
    .reg_addr_o      (scom_low),
    .reg_wide_o      (scom_wide),
    .reg_wdata_o     (scom_wdata),
    .reg_rdata_i     (scom_rdata),
    .reg_err_i       (scom_err),
    .acc_valid_o     (acc_valid_o[1]),
    .acc_write_o     (acc_write_o[1]),
    .acc_addr_o      (scom_addr),
    .acc_wide_o      (acc_wide_o[1]),
    .acc_wdata_o     (acc_wdata_o[64*1 +: 64]),
    .acc_rdata_o     (acc_rdata_o[64*1 +: 64]),
    .acc_err_o       (acc_err_o[1])
  );

  logic [NrImcCore-1:0]          reg_en, reg_err, ldbar_err;
  logic                          reg_write, ldbar_write;
  logic [3:0]                    reg_sel;
  logic [63:0]                   reg_wdata, ldbar_wdata;
  logic [NrImcCore*64-1:0]       reg_rdata, ldbar_rdata;
  logic [NrImcCore*NrThread-1:0] ldbar_en;

  imc_scom #(
    .NrCore   (NrImcCore),
    .NrThread (NrThread)
  ) u_scom (
    .power10_i     (power10_i),
    .nr_core_i     (nr_core_i),
    .scom_en_i     (scom_en),
    .scom_write_i  (scom_write),
    .scom_addr_i   ({2'd0, scom_addr[32:3]}),
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
    .reg_en_o      (reg_en),
    .reg_write_o   (reg_write),
    .reg_sel_o     (reg_sel),
    .reg_wdata_o   (reg_wdata),
    .reg_rdata_i   (reg_rdata),
    .reg_err_i     (reg_err),
    .ldbar_en_o    (ldbar_en),
    .ldbar_write_o (ldbar_write),
    .ldbar_wdata_o (ldbar_wdata),
    .ldbar_rdata_i (ldbar_rdata),
    .ldbar_err_i   (ldbar_err)
  );

  for (genvar c = 0; c < NrImcCore; c++) begin : g_core
    imc_core #(
      .NrThread (NrThread)
    ) u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .power10_i   (power10_i),
      .nr_thread_i (nr_thread_i),
      .tap_log2_i  (tap_log2_i),
      .tb_i        (tb),
      .tb_tick_i   (tb_tick),
      .power_i     (power_i[c]),
      .reg_en_i (reg_en[c]),
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
      .awid_o (m_awid_o[4*(c) +: 4]),
      .awaddr_o (m_awaddr_o[64*(c) +: 64]),
      .awlen_o (m_awlen_o[8*(c) +: 8]),
      .awsize_o (m_awsize_o[3*(c) +: 3]),
      .awburst_o (m_awburst_o[2*(c) +: 2]),
      .awvalid_o (m_awvalid_o[c]),
      .awready_i (m_awready_i[c]),
      .wdata_o (m_wdata_o[64*(c) +: 64]),
      .wstrb_o (m_wstrb_o[8*(c) +: 8]),
      .wlast_o (m_wlast_o[c]),
      .wvalid_o (m_wvalid_o[c]),
      .wready_i (m_wready_i[c]),
      .bid_i (m_bid_i[4*(c) +: 4]),
      .bresp_i (m_bresp_i[2*(c) +: 2]),
      .bvalid_i (m_bvalid_i[c]),
      .bready_o (m_bready_o[c]),
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

  logic unused_low;
  assign unused_low = ^{spr_low, scom_low, scom_addr[2:0]};

endmodule
