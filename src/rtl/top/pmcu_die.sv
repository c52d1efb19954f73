// A die: PMCU, fabric, memory controller, register bridges and core PMUs. The CPU port, storage,
// the guard and what the cores do are pins; everything that a scenario can choose is a strap.
module pmcu_die #(
  parameter int NrCluster = 2,
  parameter int NrSlot    = 4,
  parameter int NrCounter = 8,
  parameter int NrLane    = 2
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // Straps.
  input  logic                              shared_i,
  input  logic [7:0]                        forward_cycles_i,
  input  logic [7:0]                        return_cycles_i,
  input  logic [7:0]                        access_cycles_i,
  input  logic [63:0]                       ram_base_i,
  input  logic [63:0]                       ram_size_i,
  input  logic [9:0]                        read_cycles_i,
  input  logic [9:0]                        write_cycles_i,
  input  logic [3:0]                        gap_cycles_i,
  input  logic [4:0]                        nr_cluster_i,
  input  logic [3:0]                        nr_slot_i,
  input  logic [2:0]                        nr_lane_i,
  input  logic                              broadcast_i,
  input  logic                              prefetch_i,
  input  logic                              ext64_i,
  input  logic [15:0]                       tick_cycles_i,
  input  logic [4:0]                        nr_counter_i,
  // A bit, or a field, a core: number slot + NrSlot * cluster.
  input  logic [NrCluster*NrSlot-1:0]       present_i,
  input  logic [NrCluster*NrSlot-1:0]       offline_i,
  input  logic [NrCluster*NrSlot-1:0]       locked_i,
  input  logic [NrCluster*NrSlot-1:0]       hpme_i,
  input  logic [NrCluster*NrSlot*5-1:0]     hpmn_i,

  // What the cores do.
  output logic [NrCluster*NrSlot-1:0]       counting_o,
  output logic [NrCluster*NrSlot*NrCounter*16-1:0] event_o,
  input  logic [NrCluster*NrSlot*NrCounter*4-1:0]  inc_i,
  input  logic [NrCluster*NrSlot*4-1:0]     cycle_inc_i,
  input  logic [NrCluster*NrSlot*2-1:0]     mode_i,
  output logic [NrCluster*NrSlot-1:0]       capture_o,
  input  logic [NrCluster*NrSlot*64-1:0]    pc_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid1_i,
  input  logic [NrCluster*NrSlot*32-1:0]    cid2_i,

  // The CPU port: AXI4, manager 0.
  input  logic [3:0]                               cpu_awid_i,
  input  logic [63:0]                              cpu_awaddr_i,
  input  logic [7:0]                               cpu_awlen_i,
  input  logic [2:0]                               cpu_awsize_i,
  input  logic [1:0]                               cpu_awburst_i,
  input  logic                                     cpu_awvalid_i,
  output logic                                     cpu_awready_o,
  input  logic [63:0]                              cpu_wdata_i,
  input  logic [7:0]                               cpu_wstrb_i,
  input  logic                                     cpu_wlast_i,
  input  logic                                     cpu_wvalid_i,
  output logic                                     cpu_wready_o,
  output logic [3:0]                               cpu_bid_o,
  output logic [1:0]                               cpu_bresp_o,
  output logic                                     cpu_bvalid_o,
  input  logic                                     cpu_bready_i,
  input  logic [3:0]                               cpu_arid_i,
  input  logic [63:0]                              cpu_araddr_i,
  input  logic [7:0]                               cpu_arlen_i,
  input  logic [2:0]                               cpu_arsize_i,
  input  logic [1:0]                               cpu_arburst_i,
  input  logic                                     cpu_arvalid_i,
  output logic                                     cpu_arready_o,
  output logic [3:0]                               cpu_rid_o,
  output logic [63:0]                              cpu_rdata_o,
  output logic [1:0]                               cpu_rresp_o,
  output logic                                     cpu_rlast_o,
  output logic                                     cpu_rvalid_o,
  input  logic                                     cpu_rready_i,

  // Storage.
  output logic                              mem_read_o,
  output logic [63:0]                       mem_raddr_o,
  input  logic [63:0]                       mem_rdata_i,
  output logic                              mem_write_o,
  output logic [63:0]                       mem_waddr_o,
  output logic [63:0]                       mem_wdata_o,
  output logic [7:0]                        mem_wstrb_o,
  output logic                              mem_commit_o,

  // Guard, a set a path.
  output logic [NrCluster+2:0]              chk_valid_o,
  output logic [NrCluster+2:0]              chk_write_o,
  output logic [(NrCluster+3)*64-1:0]       chk_addr_o,
  output logic [(NrCluster+3)*8-1:0]        chk_bytes_o,
  input  logic [NrCluster+2:0]              chk_error_i,
  input  logic [(NrCluster+3)*16-1:0]       chk_stall_i,

  // The unit, as an observer sees it.
  output logic                              irq_o,
  output logic [3:0]                        state_o,
  output logic                              sample_valid_o,
  output logic [63:0]                       sample_addr_o,
  output logic [31:0]                       sample_number_o,
  output logic [15:0]                       sample_bytes_o,

  // Register accesses as they take effect: bridge 0 the PMCU's, 1 + k cluster k's.
  output logic [NrCluster:0]                acc_valid_o,
  output logic [NrCluster:0]                acc_write_o,
  output logic [(NrCluster+1)*20-1:0]       acc_addr_o,
  output logic [NrCluster:0]                acc_wide_o,
  output logic [(NrCluster+1)*64-1:0]       acc_wdata_o,
  output logic [(NrCluster+1)*64-1:0]       acc_rdata_o,
  output logic [NrCluster:0]                acc_err_o,

  // The managers' channels: manager 0 the CPU, 1 + l lane l.
  output logic [(NrLane+1)*64-1:0]                 mon_awaddr_o,
  output logic [(NrLane+1)*8-1:0]                  mon_awlen_o,
  output logic [(NrLane+1)*3-1:0]                  mon_awsize_o,
  output logic [(NrLane+1)-1:0]                    mon_awvalid_o,
  output logic [(NrLane+1)-1:0]                    mon_awready_o,
  output logic [(NrLane+1)*64-1:0]                 mon_wdata_o,
  output logic [(NrLane+1)*8-1:0]                  mon_wstrb_o,
  output logic [(NrLane+1)-1:0]                    mon_wlast_o,
  output logic [(NrLane+1)-1:0]                    mon_wvalid_o,
  output logic [(NrLane+1)-1:0]                    mon_wready_o,
  output logic [(NrLane+1)*2-1:0]                  mon_bresp_o,
  output logic [(NrLane+1)-1:0]                    mon_bvalid_o,
  output logic [(NrLane+1)-1:0]                    mon_bready_o,
  output logic [(NrLane+1)*64-1:0]                 mon_araddr_o,
  output logic [(NrLane+1)*8-1:0]                  mon_arlen_o,
  output logic [(NrLane+1)*3-1:0]                  mon_arsize_o,
  output logic [(NrLane+1)-1:0]                    mon_arvalid_o,
  output logic [(NrLane+1)-1:0]                    mon_arready_o,
  output logic [(NrLane+1)*64-1:0]                 mon_rdata_o,
  output logic [(NrLane+1)*2-1:0]                  mon_rresp_o,
  output logic [(NrLane+1)-1:0]                    mon_rlast_o,
  output logic [(NrLane+1)-1:0]                    mon_rvalid_o,
  output logic [(NrLane+1)-1:0]                    mon_rready_o
);

  localparam int NrManager = NrLane + 1;
  localparam int NrTarget  = NrCluster + 2;

  // Straps are registered: they hold still anyway, and what they select is no path from a pin.
  logic                              shared_q;
  logic [7:0]                        forward_cycles_q;
  logic [7:0]                        return_cycles_q;
  logic [7:0]                        access_cycles_q;
  logic [63:0]                       ram_base_q;
  logic [63:0]                       ram_size_q;
  logic [9:0]                        read_cycles_q;
  logic [9:0]                        write_cycles_q;
  logic [3:0]                        gap_cycles_q;
  logic [4:0]                        nr_cluster_q;
  logic [3:0]                        nr_slot_q;
  logic [2:0]                        nr_lane_q;
  logic                              broadcast_q;
  logic                              prefetch_q;
  logic                              ext64_q;
  logic [15:0]                       tick_cycles_q;
  logic [4:0]                        nr_counter_q;
  logic [NrCluster*NrSlot-1:0]       present_q;
  logic [NrCluster*NrSlot-1:0]       offline_q;
  logic [NrCluster*NrSlot-1:0]       locked_q;
  logic [NrCluster*NrSlot-1:0]       hpme_q;
  logic [NrCluster*NrSlot*5-1:0]     hpmn_q;
  always_ff @(posedge clk_i) begin
    shared_q <= shared_i;
    forward_cycles_q <= forward_cycles_i;
    return_cycles_q <= return_cycles_i;
    access_cycles_q <= access_cycles_i;
    ram_base_q <= ram_base_i;
    ram_size_q <= ram_size_i;
    read_cycles_q <= read_cycles_i;
    write_cycles_q <= write_cycles_i;
    gap_cycles_q <= gap_cycles_i;
    nr_cluster_q <= nr_cluster_i;
    nr_slot_q <= nr_slot_i;
    nr_lane_q <= nr_lane_i;
    broadcast_q <= broadcast_i;
    prefetch_q <= prefetch_i;
    ext64_q <= ext64_i;
    tick_cycles_q <= tick_cycles_i;
    nr_counter_q <= nr_counter_i;
    present_q <= present_i;
    offline_q <= offline_i;
    locked_q <= locked_i;
    hpme_q <= hpme_i;
    hpmn_q <= hpmn_i;
  end

  // Managers and targets, as the fabric packs them.
  logic [NrManager*4-1:0]      m_awid;
  logic [NrManager*64-1:0]     m_awaddr;
  logic [NrManager*8-1:0]      m_awlen;
  logic [NrManager*3-1:0]      m_awsize;
  logic [NrManager*2-1:0]      m_awburst;
  logic [NrManager-1:0]        m_awvalid;
  logic [NrManager-1:0]        m_awready;
  logic [NrManager*64-1:0]     m_wdata;
  logic [NrManager*8-1:0]      m_wstrb;
  logic [NrManager-1:0]        m_wlast;
  logic [NrManager-1:0]        m_wvalid;
  logic [NrManager-1:0]        m_wready;
  logic [NrManager*4-1:0]      m_bid;
  logic [NrManager*2-1:0]      m_bresp;
  logic [NrManager-1:0]        m_bvalid;
  logic [NrManager-1:0]        m_bready;
  logic [NrManager*4-1:0]      m_arid;
  logic [NrManager*64-1:0]     m_araddr;
  logic [NrManager*8-1:0]      m_arlen;
  logic [NrManager*3-1:0]      m_arsize;
  logic [NrManager*2-1:0]      m_arburst;
  logic [NrManager-1:0]        m_arvalid;
  logic [NrManager-1:0]        m_arready;
  logic [NrManager*4-1:0]      m_rid;
  logic [NrManager*64-1:0]     m_rdata;
  logic [NrManager*2-1:0]      m_rresp;
  logic [NrManager-1:0]        m_rlast;
  logic [NrManager-1:0]        m_rvalid;
  logic [NrManager-1:0]        m_rready;
  logic [NrTarget*4-1:0]       t_awid;
  logic [NrTarget*64-1:0]      t_awaddr;
  logic [NrTarget*8-1:0]       t_awlen;
  logic [NrTarget*3-1:0]       t_awsize;
  logic [NrTarget*2-1:0]       t_awburst;
  logic [NrTarget-1:0]         t_awvalid;
  logic [NrTarget-1:0]         t_awready;
  logic [NrTarget*64-1:0]      t_wdata;
  logic [NrTarget*8-1:0]       t_wstrb;
  logic [NrTarget-1:0]         t_wlast;
  logic [NrTarget-1:0]         t_wvalid;
  logic [NrTarget-1:0]         t_wready;
  logic [NrTarget*4-1:0]       t_bid;
  logic [NrTarget*2-1:0]       t_bresp;
  logic [NrTarget-1:0]         t_bvalid;
  logic [NrTarget-1:0]         t_bready;
  logic [NrTarget*4-1:0]       t_arid;
  logic [NrTarget*64-1:0]      t_araddr;
  logic [NrTarget*8-1:0]       t_arlen;
  logic [NrTarget*3-1:0]       t_arsize;
  logic [NrTarget*2-1:0]       t_arburst;
  logic [NrTarget-1:0]         t_arvalid;
  logic [NrTarget-1:0]         t_arready;
  logic [NrTarget*4-1:0]       t_rid;
  logic [NrTarget*64-1:0]      t_rdata;
  logic [NrTarget*2-1:0]       t_rresp;
  logic [NrTarget-1:0]         t_rlast;
  logic [NrTarget-1:0]         t_rvalid;
  logic [NrTarget-1:0]         t_rready;

  // Manager 0 is the CPU.
  assign m_awid[3:0] = cpu_awid_i;
  assign m_awaddr[63:0] = cpu_awaddr_i;
  assign m_awlen[7:0] = cpu_awlen_i;
  assign m_awsize[2:0] = cpu_awsize_i;
  assign m_awburst[1:0] = cpu_awburst_i;
  assign m_awvalid[0] = cpu_awvalid_i;
  assign cpu_awready_o = m_awready[0];
  assign m_wdata[63:0] = cpu_wdata_i;
  assign m_wstrb[7:0] = cpu_wstrb_i;
  assign m_wlast[0] = cpu_wlast_i;
  assign m_wvalid[0] = cpu_wvalid_i;
  assign cpu_wready_o = m_wready[0];
  assign cpu_bid_o = m_bid[3:0];
  assign cpu_bresp_o = m_bresp[1:0];
  assign cpu_bvalid_o = m_bvalid[0];
  assign m_bready[0] = cpu_bready_i;
  assign m_arid[3:0] = cpu_arid_i;
  assign m_araddr[63:0] = cpu_araddr_i;
  assign m_arlen[7:0] = cpu_arlen_i;
  assign m_arsize[2:0] = cpu_arsize_i;
  assign m_arburst[1:0] = cpu_arburst_i;
  assign m_arvalid[0] = cpu_arvalid_i;
  assign cpu_arready_o = m_arready[0];
  assign cpu_rid_o = m_rid[3:0];
  assign cpu_rdata_o = m_rdata[63:0];
  assign cpu_rresp_o = m_rresp[1:0];
  assign cpu_rlast_o = m_rlast[0];
  assign cpu_rvalid_o = m_rvalid[0];
  assign m_rready[0] = cpu_rready_i;

  assign mon_awaddr_o = m_awaddr;
  assign mon_awlen_o = m_awlen;
  assign mon_awsize_o = m_awsize;
  assign mon_awvalid_o = m_awvalid;
  assign mon_awready_o = m_awready;
  assign mon_wdata_o = m_wdata;
  assign mon_wstrb_o = m_wstrb;
  assign mon_wlast_o = m_wlast;
  assign mon_wvalid_o = m_wvalid;
  assign mon_wready_o = m_wready;
  assign mon_bresp_o = m_bresp;
  assign mon_bvalid_o = m_bvalid;
  assign mon_bready_o = m_bready;
  assign mon_araddr_o = m_araddr;
  assign mon_arlen_o = m_arlen;
  assign mon_arsize_o = m_arsize;
  assign mon_arvalid_o = m_arvalid;
  assign mon_arready_o = m_arready;
  assign mon_rdata_o = m_rdata;
  assign mon_rresp_o = m_rresp;
  assign mon_rlast_o = m_rlast;
  assign mon_rvalid_o = m_rvalid;
  assign mon_rready_o = m_rready;

  // --- PMCU ---
  logic        pmcu_en, pmcu_write, pmcu_wide, pmcu_err;
  logic [15:0] pmcu_addr;
  logic [63:0] pmcu_wdata, pmcu_rdata;

  pmcu #(
    .NrLane (NrLane)
  ) u_pmcu (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .nr_cluster_i    (nr_cluster_q),
    .nr_slot_i       (nr_slot_q),
    .nr_lane_i       (nr_lane_q),
    .broadcast_i     (broadcast_q),
    .prefetch_i      (prefetch_q),
    .ext64_i         (ext64_q),
    .tick_cycles_i   (tick_cycles_q),
    .reg_en_i        (pmcu_en),
    .reg_write_i     (pmcu_write),
    .reg_addr_i      (pmcu_addr),
    .reg_wide_i      (pmcu_wide),
    .reg_wdata_i     (pmcu_wdata),
    .reg_rdata_o     (pmcu_rdata),
    .reg_err_o       (pmcu_err),
    .awid_o      (m_awid[NrManager*4-1:4]),
    .awaddr_o    (m_awaddr[NrManager*64-1:64]),
    .awlen_o     (m_awlen[NrManager*8-1:8]),
    .awsize_o    (m_awsize[NrManager*3-1:3]),
    .awburst_o   (m_awburst[NrManager*2-1:2]),
    .awvalid_o   (m_awvalid[NrLane:1]),
    .awready_i   (m_awready[NrLane:1]),
    .wdata_o     (m_wdata[NrManager*64-1:64]),
    .wstrb_o     (m_wstrb[NrManager*8-1:8]),
    .wlast_o     (m_wlast[NrLane:1]),
    .wvalid_o    (m_wvalid[NrLane:1]),
    .wready_i    (m_wready[NrLane:1]),
    .bid_i       (m_bid[NrManager*4-1:4]),
    .bresp_i     (m_bresp[NrManager*2-1:2]),
    .bvalid_i    (m_bvalid[NrLane:1]),
    .bready_o    (m_bready[NrLane:1]),
    .arid_o      (m_arid[NrManager*4-1:4]),
    .araddr_o    (m_araddr[NrManager*64-1:64]),
    .arlen_o     (m_arlen[NrManager*8-1:8]),
    .arsize_o    (m_arsize[NrManager*3-1:3]),
    .arburst_o   (m_arburst[NrManager*2-1:2]),
    .arvalid_o   (m_arvalid[NrLane:1]),
    .arready_i   (m_arready[NrLane:1]),
    .rid_i       (m_rid[NrManager*4-1:4]),
    .rdata_i     (m_rdata[NrManager*64-1:64]),
    .rresp_i     (m_rresp[NrManager*2-1:2]),
    .rlast_i     (m_rlast[NrLane:1]),
    .rvalid_i    (m_rvalid[NrLane:1]),
    .rready_o    (m_rready[NrLane:1]),
    .irq_o           (irq_o),
    .state_o         (state_o),
    .sample_valid_o  (sample_valid_o),
    .sample_addr_o   (sample_addr_o),
    .sample_number_o (sample_number_o),
    .sample_bytes_o  (sample_bytes_o)
  );

  // --- fabric ---
  bus_fabric #(
    .NrManager (NrManager),
    .NrTarget  (NrTarget)
  ) u_fabric (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .shared_i         (shared_q),
    .forward_cycles_i (forward_cycles_q),
    .return_cycles_i  (return_cycles_q),
    .ram_base_i       (ram_base_q),
    .ram_size_i       (ram_size_q),
    .nr_cluster_i     (nr_cluster_q),
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
    .chk_valid_o (chk_valid_o),
    .chk_write_o (chk_write_o),
    .chk_addr_o  (chk_addr_o),
    .chk_bytes_o (chk_bytes_o),
    .chk_error_i (chk_error_i),
    .chk_stall_i (chk_stall_i)
  );

  // --- target 0: memory ---
  axi_mem_ctrl u_mem_ctrl (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .read_cycles_i  (read_cycles_q),
    .write_cycles_i (write_cycles_q),
    .gap_cycles_i   (gap_cycles_q),
    .awid_i (t_awid[3:0]),
    .awaddr_i (t_awaddr[63:0]),
    .awlen_i (t_awlen[7:0]),
    .awsize_i (t_awsize[2:0]),
    .awburst_i (t_awburst[1:0]),
    .awvalid_i (t_awvalid[0]),
    .awready_o (t_awready[0]),
    .wdata_i (t_wdata[63:0]),
    .wstrb_i (t_wstrb[7:0]),
    .wlast_i (t_wlast[0]),
    .wvalid_i (t_wvalid[0]),
    .wready_o (t_wready[0]),
    .bid_o (t_bid[3:0]),
    .bresp_o (t_bresp[1:0]),
    .bvalid_o (t_bvalid[0]),
    .bready_i (t_bready[0]),
    .arid_i (t_arid[3:0]),
    .araddr_i (t_araddr[63:0]),
    .arlen_i (t_arlen[7:0]),
    .arsize_i (t_arsize[2:0]),
    .arburst_i (t_arburst[1:0]),
    .arvalid_i (t_arvalid[0]),
    .arready_o (t_arready[0]),
    .rid_o (t_rid[3:0]),
    .rdata_o (t_rdata[63:0]),
    .rresp_o (t_rresp[1:0]),
    .rlast_o (t_rlast[0]),
    .rvalid_o (t_rvalid[0]),
    .rready_i (t_rready[0]),
    .mem_read_o     (mem_read_o),
    .mem_raddr_o    (mem_raddr_o),
    .mem_rdata_i    (mem_rdata_i),
    .mem_write_o    (mem_write_o),
    .mem_waddr_o    (mem_waddr_o),
    .mem_wdata_o    (mem_wdata_o),
    .mem_wstrb_o    (mem_wstrb_o),
    .mem_commit_o   (mem_commit_o)
  );

  // --- target 1: the PMCU's registers ---
  axi_reg_bridge #(
    .NrSlot  (1),
    .OneSlot (1'b1)
  ) u_pmcu_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (access_cycles_q),
    .present_i       (1'b1),
    .awid_i (t_awid[4 +: 4]),
    .awaddr_i (t_awaddr[64 +: 64]),
    .awlen_i (t_awlen[8 +: 8]),
    .awsize_i (t_awsize[3 +: 3]),
    .awburst_i (t_awburst[2 +: 2]),
    .awvalid_i (t_awvalid[1]),
    .awready_o (t_awready[1]),
    .wdata_i (t_wdata[64 +: 64]),
    .wstrb_i (t_wstrb[8 +: 8]),
    .wlast_i (t_wlast[1]),
    .wvalid_i (t_wvalid[1]),
    .wready_o (t_wready[1]),
    .bid_o (t_bid[4 +: 4]),
    .bresp_o (t_bresp[2 +: 2]),
    .bvalid_o (t_bvalid[1]),
    .bready_i (t_bready[1]),
    .arid_i (t_arid[4 +: 4]),
    .araddr_i (t_araddr[64 +: 64]),
    .arlen_i (t_arlen[8 +: 8]),
    .arsize_i (t_arsize[3 +: 3]),
    .arburst_i (t_arburst[2 +: 2]),
    .arvalid_i (t_arvalid[1]),
    .arready_o (t_arready[1]),
    .rid_o (t_rid[4 +: 4]),
    .rdata_o (t_rdata[64 +: 64]),
    .rresp_o (t_rresp[2 +: 2]),
    .rlast_o (t_rlast[1]),
    .rvalid_o (t_rvalid[1]),
    .rready_i (t_rready[1]),
    .reg_en_o        (pmcu_en),
    .reg_write_o     (pmcu_write),
    .reg_addr_o      (pmcu_addr),
    .reg_wide_o      (pmcu_wide),
    .reg_wdata_o     (pmcu_wdata),
    .reg_rdata_i     (pmcu_rdata),
    .reg_err_i       (pmcu_err),
    .acc_valid_o     (acc_valid_o[0]),
    .acc_write_o     (acc_write_o[0]),
    .acc_addr_o      (acc_addr_o[19:0]),
    .acc_wide_o      (acc_wide_o[0]),
    .acc_wdata_o     (acc_wdata_o[63:0]),
    .acc_rdata_o     (acc_rdata_o[63:0]),
    .acc_err_o       (acc_err_o[0])
  );

  // --- targets 2 + k: the clusters ---
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
      .access_cycles_i (access_cycles_q),
      .present_i       (present_q[NrSlot*k +: NrSlot]),
      .awid_i (t_awid[4*(k+2) +: 4]),
      .awaddr_i (t_awaddr[64*(k+2) +: 64]),
      .awlen_i (t_awlen[8*(k+2) +: 8]),
      .awsize_i (t_awsize[3*(k+2) +: 3]),
      .awburst_i (t_awburst[2*(k+2) +: 2]),
      .awvalid_i (t_awvalid[k+2]),
      .awready_o (t_awready[k+2]),
      .wdata_i (t_wdata[64*(k+2) +: 64]),
      .wstrb_i (t_wstrb[8*(k+2) +: 8]),
      .wlast_i (t_wlast[k+2]),
      .wvalid_i (t_wvalid[k+2]),
      .wready_o (t_wready[k+2]),
      .bid_o (t_bid[4*(k+2) +: 4]),
      .bresp_o (t_bresp[2*(k+2) +: 2]),
      .bvalid_o (t_bvalid[k+2]),
      .bready_i (t_bready[k+2]),
      .arid_i (t_arid[4*(k+2) +: 4]),
      .araddr_i (t_araddr[64*(k+2) +: 64]),
      .arlen_i (t_arlen[8*(k+2) +: 8]),
      .arsize_i (t_arsize[3*(k+2) +: 3]),
      .arburst_i (t_arburst[2*(k+2) +: 2]),
      .arvalid_i (t_arvalid[k+2]),
      .arready_o (t_arready[k+2]),
      .rid_o (t_rid[4*(k+2) +: 4]),
      .rdata_o (t_rdata[64*(k+2) +: 64]),
      .rresp_o (t_rresp[2*(k+2) +: 2]),
      .rlast_o (t_rlast[k+2]),
      .rvalid_o (t_rvalid[k+2]),
      .rready_i (t_rready[k+2]),
      .reg_en_o        (reg_en),
      .reg_write_o     (reg_write),
      .reg_addr_o      (reg_addr),
      .reg_wide_o      (reg_wide),
      .reg_wdata_o     (reg_wdata),
      .reg_rdata_i     (reg_rdata),
      .reg_err_i       (reg_err),
      .acc_valid_o     (acc_valid_o[k+1]),
      .acc_write_o     (acc_write_o[k+1]),
      .acc_addr_o      (acc_addr_o[20*(k+1) +: 20]),
      .acc_wide_o      (acc_wide_o[k+1]),
      .acc_wdata_o     (acc_wdata_o[64*(k+1) +: 64]),
      .acc_rdata_o     (acc_rdata_o[64*(k+1) +: 64]),
      .acc_err_o       (acc_err_o[k+1])
    );

    for (genvar c = 0; c < NrSlot; c++) begin : g_core
      localparam int Core = NrSlot * k + c;

      corepmu #(
        .NrCounter (NrCounter)
      ) u_corepmu (
        .clk_i        (clk_i),
        .rst_ni       (rst_ni),
        .nr_counter_i (nr_counter_q),
        .ext64_i      (ext64_q),
        .hpmn_i       (hpmn_q[5*Core +: 5]),
        .hpme_i       (hpme_q[Core]),
        .offline_i    (offline_q[Core]),
        .locked_i     (locked_q[Core]),
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
        .inc_i        (inc_i[4*NrCounter*Core +: 4*NrCounter]),
        .cycle_inc_i  (cycle_inc_i[4*Core +: 4]),
        .capture_o    (capture_o[Core]),
        .pc_i         (pc_i[64*Core +: 64]),
        .cid1_i       (cid1_i[32*Core +: 32]),
        .cid2_i       (cid2_i[32*Core +: 32])
      );
    end
  end


endmodule
