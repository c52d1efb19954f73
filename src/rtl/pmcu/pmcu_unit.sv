// The PMCU with what it walks: its registers, and the register bridges and core PMUs of the
// clusters. Managers are its lanes, targets its registers (0) and the clusters' bridges (1 + k).
module pmcu_unit #(
  parameter int NrCluster = 2,
  parameter int NrSlot    = 4,
  parameter int NrCounter = 8,
  parameter int NrLane    = 2
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Straps.
  input  logic [7:0]                        strap_access_cycles_i,
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
  input  logic [NrCluster*NrSlot-1:0]       strap_offline_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_locked_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_hpme_i,
  input  logic [NrCluster*NrSlot*5-1:0]     strap_hpmn_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_hpmd_i,
  input  logic [NrCluster*NrSlot-1:0]       strap_spme_i,

  // What the cores do.
  output logic [NrCluster*NrSlot-1:0]       counting_o,
  output logic [NrCluster*NrSlot*NrCounter*16-1:0] event_o,
  input  logic [NrCluster*NrSlot*NrCounter*8-1:0] inc_i,
  input  logic [NrCluster*NrSlot*8-1:0]     cycle_inc_i,
  input  logic [NrCluster*NrSlot*2-1:0]     mode_i,
  output logic [NrCluster*NrSlot-1:0]       capture_o,
  input  logic [NrCluster*NrSlot*64-1:0]    pc_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid1_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid2_i,

  // The lanes.
  output logic [NrLane*bus_pkg::ReqBits-1:0] m_req_o,
  input  logic [NrLane*bus_pkg::RspBits-1:0] m_rsp_i,

  // The bridges.
  input  logic [(NrCluster+1)*bus_pkg::ReqBits-1:0] t_req_i,
  output logic [(NrCluster+1)*bus_pkg::RspBits-1:0] t_rsp_o,

  // The unit, as an observer sees it.
  output logic                              irq_o,
  output logic [3:0]                        state_o,
  output logic                              sample_valid_o,
  output logic [63:0]                       sample_addr_o,
  output logic [31:0]                       sample_number_o,
  output logic [15:0]                       sample_bytes_o,

  // Register accesses as they take effect.
  output logic [(NrCluster+1)*reg_bus_pkg::AccBits-1:0] acc_o
);

  logic        pmcu_en, pmcu_write, pmcu_wide, pmcu_err;
  logic [15:0] pmcu_addr;
  logic [63:0] pmcu_wdata, pmcu_rdata;

  pmcu #(
    .NrLane (NrLane)
  ) u_pmcu (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .nr_cluster_i    (strap_nr_cluster_i),
    .nr_slot_i       (strap_nr_slot_i),
    .nr_lane_i       (strap_nr_lane_i),
    .broadcast_i     (strap_broadcast_i),
    .prefetch_i      (strap_prefetch_i),
    .order_i         (strap_order_i),
    .ext64_i         (strap_ext64_i),
    .tick_cycles_i   (strap_tick_cycles_i),
    .reg_en_i        (pmcu_en),
    .reg_write_i     (pmcu_write),
    .reg_addr_i      (pmcu_addr),
    .reg_wide_i      (pmcu_wide),
    .reg_wdata_i     (pmcu_wdata),
    .reg_rdata_o     (pmcu_rdata),
    .reg_err_o       (pmcu_err),
    .req_o           (m_req_o),
    .rsp_i           (m_rsp_i),
    .irq_o           (irq_o),
    .state_o         (state_o),
    .sample_valid_o  (sample_valid_o),
    .sample_addr_o   (sample_addr_o),
    .sample_number_o (sample_number_o),
    .sample_bytes_o  (sample_bytes_o)
  );

  axi_reg_bridge #(
    .NrSlot  (1),
    .OneSlot (1'b1)
  ) u_pmcu_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (strap_access_cycles_i),
    .present_i       (1'b1),
    .req_i           (t_req_i[bus_pkg::ReqBits*0 +: bus_pkg::ReqBits]),
    .rsp_o           (t_rsp_o[bus_pkg::RspBits*0 +: bus_pkg::RspBits]),
    .reg_en_o        (pmcu_en),
    .reg_write_o     (pmcu_write),
    .reg_addr_o      (pmcu_addr),
    .reg_wide_o      (pmcu_wide),
    .reg_wdata_o     (pmcu_wdata),
    .reg_rdata_i     (pmcu_rdata),
    .reg_err_i       (pmcu_err),
    .acc_o           (acc_o[reg_bus_pkg::AccBits*0 +: reg_bus_pkg::AccBits])
  );

  for (genvar k = 0; k < NrCluster; k++) begin : g_cluster
    logic [NrSlot-1:0]    reg_en, reg_err;
    logic                 reg_write, reg_wide;
    logic [15:0]          reg_addr;
    logic [63:0]          reg_wdata;
    logic [NrSlot*64-1:0] reg_rdata;

    axi_reg_bridge #(
      .NrSlot (NrSlot)
    ) u_bridge (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .access_cycles_i (strap_access_cycles_i),
      .present_i       (strap_present_i[NrSlot*k +: NrSlot]),
      .req_i           (t_req_i[bus_pkg::ReqBits*(k+1) +: bus_pkg::ReqBits]),
      .rsp_o           (t_rsp_o[bus_pkg::RspBits*(k+1) +: bus_pkg::RspBits]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_o           (acc_o[reg_bus_pkg::AccBits*(k+1) +: reg_bus_pkg::AccBits])
    );

    for (genvar c = 0; c < NrSlot; c++) begin : g_core
      localparam int Core = NrSlot * k + c;

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
        .offline_i    (strap_offline_i[Core]),
        .locked_i     (strap_locked_i[Core]),
        .reg_en_i     (reg_en[c]),
        .reg_write_i  (reg_write),
        .reg_addr_i   (reg_addr),
        .reg_wide_i   (reg_wide),
        .reg_wdata_i  (reg_wdata),
        .reg_rdata_o  (reg_rdata[64*c +: 64]),
        .reg_err_o    (reg_err[c]),
        .counting_o   (counting_o[Core]),
        .event_o      (event_o[16*NrCounter*Core +: 16*NrCounter]),
        .mode_i       (mode_i[2*Core +: 2]),
        .inc_i        (inc_i[8*NrCounter*Core +: 8*NrCounter]),
        .cycle_inc_i  (cycle_inc_i[8*Core +: 8]),
        .capture_o    (capture_o[Core]),
        .pc_i         (pc_i[64*Core +: 64]),
        .cid1_i       (cid1_i[32*Core +: 32]),
        .cid2_i       (cid2_i[32*Core +: 32])
      );
    end
  end

endmodule
