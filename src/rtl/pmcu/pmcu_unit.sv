// SPDX-License-Identifier: Apache-2.0
// The PMCU of each die with what it walks: its registers, and the register bridges and core PMUs of
// the clusters. Managers are the lanes, those of a die after those of another; targets the registers
// of each PMCU, then the bridges of all clusters (NrDie + k).
module pmcu_unit #(
  parameter int NrDie     = 1,
  // Clusters of all dies: those of a die after those of another.
  parameter int NrCluster = 2,
  parameter int NrSlot    = 4,
  parameter int NrCounter = 8,
  parameter int NrLane    = 2
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Straps. Dies are alike.
  input  logic [7:0]                        strap_access_cycles_i,
  input  logic [7:0]                        strap_core_access_cycles_i,
  input  logic [4:0]                        strap_core_ratio_i,
  input  logic [3:0]                        strap_core_posted_i,
  input  logic [4:0]                        strap_nr_cluster_i,
  input  logic [3:0]                        strap_nr_slot_i,
  input  logic [2:0]                        strap_nr_lane_i,
  input  logic                              strap_broadcast_i,
  input  logic                              strap_prefetch_i,
  input  logic [1:0]                        strap_order_i,
  input  logic                              strap_ext64_i,
  input  logic [15:0]                       strap_tick_cycles_i,
  input  logic [4:0]                        strap_nr_counter_i,
  // A bit, or a field, a core: number slot + NrSlot * cluster.
  input  logic [NrCluster*NrSlot-1:0]       strap_present_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_hpme_i,
  input  logic [NrCluster*NrSlot*5-1:0]     strap_hpmn_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_hpmd_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_spme_i,

  // Power and OS lock of the cores.
  input  logic [NrCluster*NrSlot-1:0]       offline_i,
  input  logic [NrCluster*NrSlot-1:0]       locked_i,

  // What the cores do.
  output logic [NrCluster*NrSlot-1:0]       counting_o,
  output logic [NrCluster*NrSlot*NrCounter*16-1:0] event_o,
  input  logic [NrCluster*NrSlot*NrCounter*8-1:0] clocked_inc_i,
  input  logic [NrCluster*NrSlot*8-1:0]     clocked_cycle_inc_i,
  input  logic [NrCluster*NrSlot*2-1:0]     mode_i,
  output logic [NrCluster*NrSlot-1:0]       capture_o,
  input  logic [NrCluster*NrSlot*64-1:0]    pc_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid1_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid2_i,

  // The cores' own accesses to their PMUs, and overflow interrupts.
  input  logic [NrCluster*NrSlot-1:0]       sys_en_i,
  input  logic [NrCluster*NrSlot-1:0]       sys_write_i,
  input  logic [NrCluster*NrSlot-1:0]       sys_guest_i,
  input  logic [NrCluster*NrSlot*12-1:0]    sys_addr_i,
  input  logic [NrCluster*NrSlot*64-1:0]    sys_wdata_i,
  output logic [NrCluster*NrSlot-1:0]       sys_ready_o,
  output logic [NrCluster*NrSlot*64-1:0]    sys_rdata_o,
  output logic [NrCluster*NrSlot-1:0]       overflow_o,

  // The lanes.
  output logic [NrDie*NrLane*bus_pkg::ReqBits-1:0] m_req_o,
  input  logic [NrDie*NrLane*bus_pkg::RspBits-1:0] m_rsp_i,

  // The bridges.
  input  logic [(NrDie+NrCluster)*bus_pkg::ReqBits-1:0] t_req_i,
  output logic [(NrDie+NrCluster)*bus_pkg::RspBits-1:0] t_rsp_o,

  // The PMCUs, as an observer sees them: a field a die.
  output logic [NrDie-1:0]                  irq_o,
  output logic [NrDie*4-1:0]                state_o,
  output logic [NrDie-1:0]                  sample_valid_o,
  output logic [NrDie*64-1:0]               sample_addr_o,
  output logic [NrDie*32-1:0]               sample_number_o,
  output logic [NrDie*16-1:0]               sample_bytes_o,

  // Register accesses as they take effect.
  output logic [(NrDie+NrCluster)*reg_bus_pkg::AccBits-1:0] acc_o
);

  for (genvar d = 0; d < NrDie; d++) begin : g_die
    logic        pmcu_en, pmcu_write, pmcu_wide, pmcu_err;
    logic [15:0] pmcu_addr;
    logic [63:0] pmcu_wdata, pmcu_rdata;

    pmcu #(
      .NrLane (NrLane)
    ) u_pmcu (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .die_i           (2'(d)),
      .nr_cluster_i    (strap_nr_cluster_i),
      .nr_slot_i       (strap_nr_slot_i),
      .nr_lane_i       (strap_nr_lane_i),
      .broadcast_i     (strap_broadcast_i),
      .prefetch_i      (strap_prefetch_i),
      .order_i         (strap_order_i),
      .ext64_i         (strap_ext64_i),
      .posted_i        (strap_core_posted_i != 4'd0),
      .tick_cycles_i   (strap_tick_cycles_i),
      .reg_en_i        (pmcu_en),
      .reg_write_i     (pmcu_write),
      .reg_addr_i      (pmcu_addr),
      .reg_wide_i      (pmcu_wide),
      .reg_wdata_i     (pmcu_wdata),
      .reg_rdata_o     (pmcu_rdata),
      .reg_err_o       (pmcu_err),
      .req_o           (m_req_o[bus_pkg::ReqBits*NrLane*d +: bus_pkg::ReqBits*NrLane]),
      .rsp_i           (m_rsp_i[bus_pkg::RspBits*NrLane*d +: bus_pkg::RspBits*NrLane]),
      .irq_o           (irq_o[d]),
      .state_o         (state_o[4*d +: 4]),
      .sample_valid_o  (sample_valid_o[d]),
      .sample_addr_o   (sample_addr_o[64*d +: 64]),
      .sample_number_o (sample_number_o[32*d +: 32]),
      .sample_bytes_o  (sample_bytes_o[16*d +: 16])
    );

    axi_reg_bridge #(
      .NrSlot  (1),
      .OneSlot (1'b1)
    ) u_pmcu_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (strap_access_cycles_i),
      .present_i       (1'b1),
      .req_i           (t_req_i[bus_pkg::ReqBits*d +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp_o[bus_pkg::RspBits*d +: bus_pkg::RspBits]),
      .reg_en_o        (pmcu_en),
      .reg_write_o     (pmcu_write),
      .reg_addr_o      (pmcu_addr),
      .reg_wide_o      (pmcu_wide),
      .reg_wdata_o     (pmcu_wdata),
      .reg_rdata_i     (pmcu_rdata),
      .reg_err_i       (pmcu_err),
      .acc_o           (acc_o[reg_bus_pkg::AccBits*d +: reg_bus_pkg::AccBits])
    );
  end

  for (genvar k = 0; k < NrCluster; k++) begin : g_cluster
    logic [NrSlot-1:0]    reg_en, reg_err;
    logic                 reg_write, reg_wide;
    logic [15:0]          reg_addr;
    logic [63:0]          reg_wdata;
    logic [NrSlot*64-1:0] reg_rdata;

    axi_debug_bridge #(
      .NrSlot (NrSlot)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (strap_core_access_cycles_i),
      .ratio_i         (strap_core_ratio_i),
      .posted_i        (strap_core_posted_i),
      .present_i       (strap_present_i[NrSlot*k +: NrSlot]),
      .req_i           (t_req_i[bus_pkg::ReqBits*(NrDie+k) +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp_o[bus_pkg::RspBits*(NrDie+k) +: bus_pkg::RspBits]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_o           (acc_o[reg_bus_pkg::AccBits*(NrDie+k) +: reg_bus_pkg::AccBits])
    );

    for (genvar c = 0; c < NrSlot; c++) begin : g_core
      localparam int Core = NrSlot * k + c;

      // Of those that count.
      logic [16*NrCounter-1:0] core_event;
      always_comb begin
        event_o[16*NrCounter*Core +: 16*NrCounter] = '0;
        if (counting_o[Core]) event_o[16*NrCounter*Core +: 16*NrCounter] = core_event;
      end

      corepmu #(
        .NrCounter (NrCounter)
      ) u_corepmu (
        .clk_i        (clk_i),
        .rst_ni       (rst_ni),
        .nr_counter_i (strap_nr_counter_i),
        .ext64_i      (strap_ext64_i),
        .hpmn_i       (strap_hpmn_i[5*Core +: 5]),
        .hpme_i       (strap_hpme_i[Core]),
        .hpmd_i       (strap_hpmd_i[Core]),
        .spme_i       (strap_spme_i[Core]),
        .offline_i    (offline_i[Core]),
        .locked_i     (locked_i[Core]),
        .reg_en_i     (reg_en[c]),
        .reg_write_i  (reg_write),
        .reg_addr_i   (reg_addr),
        .reg_wide_i   (reg_wide),
        .reg_wdata_i  (reg_wdata),
        .reg_rdata_o  (reg_rdata[64*c +: 64]),
        .reg_err_o    (reg_err[c]),
        .sys_en_i     (sys_en_i[Core]),
        .sys_write_i  (sys_write_i[Core]),
        .sys_guest_i  (sys_guest_i[Core]),
        .sys_addr_i   (sys_addr_i[12*Core +: 12]),
        .sys_wdata_i  (sys_wdata_i[64*Core +: 64]),
        .sys_ready_o  (sys_ready_o[Core]),
        .sys_rdata_o  (sys_rdata_o[64*Core +: 64]),
        .irq_o        (overflow_o[Core]),
        .counting_o   (counting_o[Core]),
        .event_o      (core_event),
        .mode_i       (mode_i[2*Core +: 2]),
        .inc_i        (clocked_inc_i[8*NrCounter*Core +: 8*NrCounter]),
        .cycle_inc_i  (clocked_cycle_inc_i[8*Core +: 8]),
        .capture_o    (capture_o[Core]),
        .pc_i         (pc_i[64*Core +: 64]),
        .cid1_i       (cid1_i[32*Core +: 32]),
        .cid2_i       (cid2_i[32*Core +: 32])
      );
    end
  end

endmodule
