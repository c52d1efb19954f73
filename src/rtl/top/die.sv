// A die: fabric, memory controller, and the units that its parameters give it: a PMCU with its
// clusters (NrCluster > 0), IMC cores (NrImcCore > 0), the nest (NrNest = 1), RISC-V harts (NrHart > 0,
// with mhpmcounters 3 .. NrHpm + 2), uncore bridges with NrUnit units each (NrBridge > 0). The ports of software, storage, the guard and what the cores do are pins;
// everything that a scenario can choose is a strap. Pins of units that the die does not have are one element
// wide and idle.
module die #(
  parameter int NrCluster = 2,
  parameter int NrSlot    = 4,
  parameter int NrCounter = 8,
  parameter int NrLane    = 2,
  parameter int NrImcCore = 0,
  parameter int NrThread  = 4,
  parameter int NrNest    = 0,
  parameter int NrHart    = 0,
  parameter int NrHpm     = 29,
  parameter int NrBridge  = 0,
  parameter int NrUnit    = 4,
  // What follows from these; not to be set.
  parameter int HasPmcu   = (NrCluster > 0) ? 1 : 0,
  parameter int HasImc    = (NrImcCore > 0) ? 1 : 0,
  parameter int PinCore   = (HasPmcu != 0) ? NrCluster * NrSlot : 1,
  parameter int PinAccess = (HasPmcu != 0) ? NrCluster + 1 : 1,
  parameter int PinImc    = (HasImc != 0) ? NrImcCore : 1,
  parameter int PinThread = (HasImc != 0) ? NrImcCore * NrThread : 1,
  parameter int PinNest   = (NrNest != 0) ? nest_rows_pkg::NrCounter : 1,
  parameter int PinHart   = (NrHart != 0) ? NrHart : 1,
  parameter int PinBridge = (NrBridge != 0) ? NrBridge : 1,
  parameter int PinUnit   = (NrBridge != 0) ? NrBridge * NrUnit : 1,
  // Ports of software: the CPU, the harts.
  parameter int NrPort    = 1 + NrHart,
  // CPU port, lanes, cores, nest, harts.
  parameter int NrManager = 1 + HasPmcu * NrLane + NrImcCore + NrNest + NrHart,
  // Memory, PMCU, clusters, SPR and SCOM bridge, uncore bridges.
  parameter int NrTarget  = 1 + HasPmcu * (1 + NrCluster) + HasImc * 2 + NrBridge
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Straps.
  input  logic                              shared_i,
  input  logic [7:0]                        forward_cycles_i,
  input  logic [7:0]                        return_cycles_i,
  input  logic [7:0]                        access_cycles_i,
  input  logic                              adds_i,
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
  input  logic [PinCore-1:0]                present_i,
  input  logic [PinCore-1:0]                offline_i,
  input  logic [PinCore-1:0]                locked_i,
  input  logic [PinCore-1:0]                hpme_i,
  input  logic [PinCore*5-1:0]              hpmn_i,
  input  logic                              imc_power10_i,
  input  logic [4:0]                        imc_nr_core_i,
  input  logic [2:0]                        imc_nr_thread_i,
  input  logic [4:0]                        imc_tap_log2_i,
  input  logic [63:0]                       imc_tb_start_i,
  input  logic [15:0]                       imc_tb_num_i,
  input  logic [15:0]                       imc_tb_den_i,
  input  logic [63:0]                       nest_base_i,
  input  logic [31:0]                       nest_tick_cycles_i,
  input  logic                              hart_xlen64_i,
  input  logic [1:0]                        hart_modes_i,
  input  logic [31:0]                       hart_counters_i,
  input  logic [7*32-1:0]                   hart_width_i,
  input  logic                              hart_sscofpmf_i,
  input  logic                              hart_smcntrpmf_i,
  input  logic                              hart_smcdeleg_i,
  input  logic                              hart_aia_i,
  input  logic [4:0]                        hart_lcofi_latency_i,
  input  logic [2:0]                        nr_bridge_i,
  input  logic [PinBridge*16-1:0]           uncore_access_cycles_i,
  input  logic [PinUnit-1:0]                uncore_present_i,
  input  logic [PinUnit*5-1:0]              uncore_counters_i,
  input  logic [PinUnit*7-1:0]              uncore_width_i,
  input  logic [PinUnit*16-1:0]             uncore_id_i,

  // What the PMCU's cores do: number slot + NrSlot * cluster.
  output logic [PinCore-1:0]                counting_o,
  output logic [PinCore*NrCounter*16-1:0]   event_o,
  input  logic [PinCore*NrCounter*4-1:0]    inc_i,
  input  logic [PinCore*4-1:0]              cycle_inc_i,
  input  logic [PinCore*2-1:0]              mode_i,
  output logic [PinCore-1:0]                capture_o,
  input  logic [PinCore*64-1:0]             pc_i,
  input  logic [PinCore*32-1:0]             cid1_i,
  input  logic [PinCore*32-1:0]             cid2_i,

  // What the IMC cores do: number thread + NrThread * core.
  input  logic [PinImc-1:0]                 imc_power_i,
  output logic [PinThread-1:0]              imc_active_o,
  output logic [PinThread*7-1:0]            imc_code1_o,
  output logic [PinThread*7-1:0]            imc_code2_o,
  input  logic [PinThread*4-1:0]            imc_inc1_i,
  input  logic [PinThread*4-1:0]            imc_inc2_i,
  input  logic [PinThread*4-1:0]            imc_inc3_i,
  input  logic [PinThread*4-1:0]            imc_inc4_i,
  input  logic [PinThread*2-1:0]            imc_mode_i,
  output logic [PinThread-1:0]              imc_capture_o,
  input  logic [PinThread*64-1:0]           imc_pc_i,
  input  logic [PinThread*32-1:0]           imc_pid_i,
  input  logic [PinThread*32-1:0]           imc_lpid_i,

  // What the nest does.
  input  logic [PinNest*4-1:0]              nest_inc_i,

  // What the harts do, and their CSR instructions.
  input  logic [63:0]                       hart_time_i,
  input  logic [PinHart*2-1:0]              hart_mode_i,
  input  logic [PinHart-1:0]                hart_v_i,
  input  logic [PinHart*4-1:0]              hart_cycle_inc_i,
  input  logic [PinHart*4-1:0]              hart_instret_inc_i,
  output logic [PinHart*16*32-1:0]          hart_event_o,
  output logic [PinHart*32-1:0]             hart_counting_o,
  input  logic [PinHart*4*32-1:0]           hart_inc_i,
  input  logic [PinHart-1:0]                hart_csr_valid_i,
  input  logic [PinHart*12-1:0]             hart_csr_addr_i,
  input  logic [PinHart*2-1:0]              hart_csr_op_i,
  input  logic [PinHart*64-1:0]             hart_csr_wdata_i,
  output logic [PinHart*64-1:0]             hart_csr_rdata_o,
  output logic [PinHart*2-1:0]              hart_csr_exc_o,
  output logic [PinHart*3-1:0]              hart_lcofi_o,

  // What the uncore units do: number unit + NrUnit * bridge; 16 counters each.
  output logic [PinUnit*16*16-1:0]          uncore_event_o,
  output logic [PinUnit*16-1:0]             uncore_counting_o,
  input  logic [PinUnit*16*4-1:0]           uncore_inc_i,
  output logic [PinUnit-1:0]                uncore_irq_o,
  output logic [PinBridge-1:0]              uncore_acc_valid_o,
  output logic [PinBridge-1:0]              uncore_acc_write_o,
  output logic [PinBridge*20-1:0]           uncore_acc_addr_o,
  output logic [PinBridge-1:0]              uncore_acc_wide_o,
  output logic [PinBridge*64-1:0]           uncore_acc_wdata_o,
  output logic [PinBridge*64-1:0]           uncore_acc_rdata_o,
  output logic [PinBridge-1:0]              uncore_acc_err_o,

  // The ports of software, AXI4: 0 the CPU, 1 + h hart h.
  input  logic [NrPort*4-1:0]                     cpu_awid_i,
  input  logic [NrPort*64-1:0]                    cpu_awaddr_i,
  input  logic [NrPort*8-1:0]                     cpu_awlen_i,
  input  logic [NrPort*3-1:0]                     cpu_awsize_i,
  input  logic [NrPort*2-1:0]                     cpu_awburst_i,
  input  logic [NrPort-1:0]                       cpu_awvalid_i,
  output logic [NrPort-1:0]                       cpu_awready_o,
  input  logic [NrPort*64-1:0]                    cpu_wdata_i,
  input  logic [NrPort*8-1:0]                     cpu_wstrb_i,
  input  logic [NrPort-1:0]                       cpu_wlast_i,
  input  logic [NrPort-1:0]                       cpu_wvalid_i,
  output logic [NrPort-1:0]                       cpu_wready_o,
  output logic [NrPort*4-1:0]                     cpu_bid_o,
  output logic [NrPort*2-1:0]                     cpu_bresp_o,
  output logic [NrPort-1:0]                       cpu_bvalid_o,
  input  logic [NrPort-1:0]                       cpu_bready_i,
  input  logic [NrPort*4-1:0]                     cpu_arid_i,
  input  logic [NrPort*64-1:0]                    cpu_araddr_i,
  input  logic [NrPort*8-1:0]                     cpu_arlen_i,
  input  logic [NrPort*3-1:0]                     cpu_arsize_i,
  input  logic [NrPort*2-1:0]                     cpu_arburst_i,
  input  logic [NrPort-1:0]                       cpu_arvalid_i,
  output logic [NrPort-1:0]                       cpu_arready_o,
  output logic [NrPort*4-1:0]                     cpu_rid_o,
  output logic [NrPort*64-1:0]                    cpu_rdata_o,
  output logic [NrPort*2-1:0]                     cpu_rresp_o,
  output logic [NrPort-1:0]                       cpu_rlast_o,
  output logic [NrPort-1:0]                       cpu_rvalid_o,
  input  logic [NrPort-1:0]                       cpu_rready_i,

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
  output logic [NrTarget:0]                 chk_valid_o,
  output logic [NrTarget:0]                 chk_write_o,
  output logic [(NrTarget+1)*64-1:0]        chk_addr_o,
  output logic [(NrTarget+1)*8-1:0]         chk_bytes_o,
  input  logic [NrTarget:0]                 chk_error_i,
  input  logic [(NrTarget+1)*16-1:0]        chk_stall_i,

  // The PMCU, as an observer sees it.
  output logic                              irq_o,
  output logic [3:0]                        state_o,
  output logic                              sample_valid_o,
  output logic [63:0]                       sample_addr_o,
  output logic [31:0]                       sample_number_o,
  output logic [15:0]                       sample_bytes_o,

  // Register accesses as they take effect: bridge 0 the PMCU's, 1 + k cluster k's.
  output logic [PinAccess-1:0]              acc_valid_o,
  output logic [PinAccess-1:0]              acc_write_o,
  output logic [PinAccess*20-1:0]           acc_addr_o,
  output logic [PinAccess-1:0]              acc_wide_o,
  output logic [PinAccess*64-1:0]           acc_wdata_o,
  output logic [PinAccess*64-1:0]           acc_rdata_o,
  output logic [PinAccess-1:0]              acc_err_o,

  // The IMC cores, and their bridges (0 SPR, 1 SCOM).
  output logic [PinImc*3-1:0]               imc_state_o,
  output logic [PinImc-1:0]                 imc_sample_valid_o,
  output logic [PinImc*2-1:0]               imc_sample_thread_o,
  output logic [PinImc*64-1:0]              imc_sample_addr_o,
  output logic [PinImc*2-1:0]               imc_sample_resp_o,
  output logic [PinImc*64-1:0]              imc_sample_snap_o,
  output logic [PinImc*32-1:0]              imc_sample_number_o,
  output logic [PinThread-1:0]              imc_lost_o,
  output logic [PinThread-1:0]              imc_dropped_o,
  output logic [PinThread*64-1:0]           imc_dropped_addr_o,
  output logic [PinThread*64-1:0]           imc_dropped_snap_o,
  output logic [1:0]                        imc_acc_valid_o,
  output logic [1:0]                        imc_acc_write_o,
  output logic [2*33-1:0]                   imc_acc_addr_o,
  output logic [1:0]                        imc_acc_wide_o,
  output logic [127:0]                      imc_acc_wdata_o,
  output logic [127:0]                      imc_acc_rdata_o,
  output logic [1:0]                        imc_acc_err_o,

  // The nest.
  output logic [2:0]                        nest_status_o,
  output logic                              nest_sample_valid_o,
  output logic [2:0]                        nest_sample_group_o,
  output logic [63:0]                       nest_sample_addr_o,
  output logic [31:0]                       nest_sample_number_o,
  output logic [15:0]                       nest_sample_bytes_o,
  output logic [1:0]                        nest_sample_resp_o,
  output logic [63:0]                       nest_sample_start_o,

  // The managers' channels.
  output logic [NrManager*64-1:0]           mon_awaddr_o,
  output logic [NrManager*8-1:0]            mon_awlen_o,
  output logic [NrManager*3-1:0]            mon_awsize_o,
  output logic [NrManager-1:0]              mon_awvalid_o,
  output logic [NrManager-1:0]              mon_awready_o,
  output logic [NrManager*64-1:0]           mon_wdata_o,
  output logic [NrManager*8-1:0]            mon_wstrb_o,
  output logic [NrManager-1:0]              mon_wlast_o,
  output logic [NrManager-1:0]              mon_wvalid_o,
  output logic [NrManager-1:0]              mon_wready_o,
  output logic [NrManager*2-1:0]            mon_bresp_o,
  output logic [NrManager-1:0]              mon_bvalid_o,
  output logic [NrManager-1:0]              mon_bready_o,
  output logic [NrManager*64-1:0]           mon_araddr_o,
  output logic [NrManager*8-1:0]            mon_arlen_o,
  output logic [NrManager*3-1:0]            mon_arsize_o,
  output logic [NrManager-1:0]              mon_arvalid_o,
  output logic [NrManager-1:0]              mon_arready_o,
  output logic [NrManager*64-1:0]           mon_rdata_o,
  output logic [NrManager*2-1:0]            mon_rresp_o,
  output logic [NrManager-1:0]              mon_rlast_o,
  output logic [NrManager-1:0]              mon_rvalid_o,
  output logic [NrManager-1:0]              mon_rready_o
);

  // Straps are registered: they hold still anyway, and what they select is no path from a pin.
  logic                          shared_q;
  logic [7:0]                    forward_cycles_q;
  logic [7:0]                    return_cycles_q;
  logic [7:0]                    access_cycles_q;
  logic                          adds_q;
  logic [63:0]                   ram_base_q;
  logic [63:0]                   ram_size_q;
  logic [9:0]                    read_cycles_q;
  logic [9:0]                    write_cycles_q;
  logic [3:0]                    gap_cycles_q;
  logic [4:0]                    nr_cluster_q;
  logic [3:0]                    nr_slot_q;
  logic [2:0]                    nr_lane_q;
  logic                          broadcast_q;
  logic                          prefetch_q;
  logic                          ext64_q;
  logic [15:0]                   tick_cycles_q;
  logic [4:0]                    nr_counter_q;
  logic [PinCore-1:0]            present_q;
  logic [PinCore-1:0]            offline_q;
  logic [PinCore-1:0]            locked_q;
  logic [PinCore-1:0]            hpme_q;
  logic [PinCore*5-1:0]          hpmn_q;
  logic                          imc_power10_q;
  logic [4:0]                    imc_nr_core_q;
  logic [2:0]                    imc_nr_thread_q;
  logic [4:0]                    imc_tap_log2_q;
  logic [63:0]                   imc_tb_start_q;
  logic [15:0]                   imc_tb_num_q;
  logic [15:0]                   imc_tb_den_q;
  logic [63:0]                   nest_base_q;
  logic [31:0]                   nest_tick_cycles_q;
  logic                          hart_xlen64_q;
  logic [1:0]                    hart_modes_q;
  logic [31:0]                   hart_counters_q;
  logic [7*32-1:0]               hart_width_q;
  logic                          hart_sscofpmf_q;
  logic                          hart_smcntrpmf_q;
  logic                          hart_smcdeleg_q;
  logic                          hart_aia_q;
  logic [4:0]                    hart_lcofi_latency_q;
  logic [2:0]                    nr_bridge_q;
  logic [PinBridge*16-1:0]       uncore_access_cycles_q;
  logic [PinUnit-1:0]            uncore_present_q;
  logic [PinUnit*5-1:0]          uncore_counters_q;
  logic [PinUnit*7-1:0]          uncore_width_q;
  logic [PinUnit*16-1:0]         uncore_id_q;
  always_ff @(posedge clk_i) begin
    shared_q <= shared_i;
    forward_cycles_q <= forward_cycles_i;
    return_cycles_q <= return_cycles_i;
    access_cycles_q <= access_cycles_i;
    adds_q <= adds_i;
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
    imc_power10_q <= imc_power10_i;
    imc_nr_core_q <= imc_nr_core_i;
    imc_nr_thread_q <= imc_nr_thread_i;
    imc_tap_log2_q <= imc_tap_log2_i;
    imc_tb_start_q <= imc_tb_start_i;
    imc_tb_num_q <= imc_tb_num_i;
    imc_tb_den_q <= imc_tb_den_i;
    nest_base_q <= nest_base_i;
    nest_tick_cycles_q <= nest_tick_cycles_i;
    hart_xlen64_q <= hart_xlen64_i;
    hart_modes_q <= hart_modes_i;
    hart_counters_q <= hart_counters_i;
    hart_width_q <= hart_width_i;
    hart_sscofpmf_q <= hart_sscofpmf_i;
    hart_smcntrpmf_q <= hart_smcntrpmf_i;
    hart_smcdeleg_q <= hart_smcdeleg_i;
    hart_aia_q <= hart_aia_i;
    hart_lcofi_latency_q <= hart_lcofi_latency_i;
    nr_bridge_q <= nr_bridge_i;
    uncore_access_cycles_q <= uncore_access_cycles_i;
    uncore_present_q <= uncore_present_i;
    uncore_counters_q <= uncore_counters_i;
    uncore_width_q <= uncore_width_i;
    uncore_id_q <= uncore_id_i;
  end

  // Managers and targets, as the fabric packs them.
  logic [NrManager*4-1:0]        m_awid;
  logic [NrManager*64-1:0]       m_awaddr;
  logic [NrManager*8-1:0]        m_awlen;
  logic [NrManager*3-1:0]        m_awsize;
  logic [NrManager*2-1:0]        m_awburst;
  logic [NrManager-1:0]          m_awvalid;
  logic [NrManager-1:0]          m_awready;
  logic [NrManager*64-1:0]       m_wdata;
  logic [NrManager*8-1:0]        m_wstrb;
  logic [NrManager-1:0]          m_wlast;
  logic [NrManager-1:0]          m_wvalid;
  logic [NrManager-1:0]          m_wready;
  logic [NrManager*4-1:0]        m_bid;
  logic [NrManager*2-1:0]        m_bresp;
  logic [NrManager-1:0]          m_bvalid;
  logic [NrManager-1:0]          m_bready;
  logic [NrManager*4-1:0]        m_arid;
  logic [NrManager*64-1:0]       m_araddr;
  logic [NrManager*8-1:0]        m_arlen;
  logic [NrManager*3-1:0]        m_arsize;
  logic [NrManager*2-1:0]        m_arburst;
  logic [NrManager-1:0]          m_arvalid;
  logic [NrManager-1:0]          m_arready;
  logic [NrManager*4-1:0]        m_rid;
  logic [NrManager*64-1:0]       m_rdata;
  logic [NrManager*2-1:0]        m_rresp;
  logic [NrManager-1:0]          m_rlast;
  logic [NrManager-1:0]          m_rvalid;
  logic [NrManager-1:0]          m_rready;
  logic [NrTarget*4-1:0]         t_awid;
  logic [NrTarget*64-1:0]        t_awaddr;
  logic [NrTarget*8-1:0]         t_awlen;
  logic [NrTarget*3-1:0]         t_awsize;
  logic [NrTarget*2-1:0]         t_awburst;
  logic [NrTarget-1:0]           t_awvalid;
  logic [NrTarget-1:0]           t_awready;
  logic [NrTarget*64-1:0]        t_wdata;
  logic [NrTarget*8-1:0]         t_wstrb;
  logic [NrTarget-1:0]           t_wlast;
  logic [NrTarget-1:0]           t_wvalid;
  logic [NrTarget-1:0]           t_wready;
  logic [NrTarget*4-1:0]         t_bid;
  logic [NrTarget*2-1:0]         t_bresp;
  logic [NrTarget-1:0]           t_bvalid;
  logic [NrTarget-1:0]           t_bready;
  logic [NrTarget*4-1:0]         t_arid;
  logic [NrTarget*64-1:0]        t_araddr;
  logic [NrTarget*8-1:0]         t_arlen;
  logic [NrTarget*3-1:0]         t_arsize;
  logic [NrTarget*2-1:0]         t_arburst;
  logic [NrTarget-1:0]           t_arvalid;
  logic [NrTarget-1:0]           t_arready;
  logic [NrTarget*4-1:0]         t_rid;
  logic [NrTarget*64-1:0]        t_rdata;
  logic [NrTarget*2-1:0]         t_rresp;
  logic [NrTarget-1:0]           t_rlast;
  logic [NrTarget-1:0]           t_rvalid;
  logic [NrTarget-1:0]           t_rready;

  localparam int ManagerLane = 1;
  localparam int ManagerImc  = ManagerLane + HasPmcu * NrLane;
  localparam int ManagerNest = ManagerImc + NrImcCore;
  localparam int ManagerHart = ManagerNest + NrNest;
  localparam int TargetPmcu  = 1;
  localparam int TargetImc   = TargetPmcu + HasPmcu * (1 + NrCluster);
  localparam int TargetUncore = TargetImc + HasImc * 2;

  // --- software ---
  for (genvar p = 0; p < NrPort; p++) begin : g_port
    localparam int Manager = (p == 0) ? 0 : ManagerHart + p - 1;
    assign m_awid[4*Manager +: 4] = cpu_awid_i[4*p +: 4];
    assign m_awaddr[64*Manager +: 64] = cpu_awaddr_i[64*p +: 64];
    assign m_awlen[8*Manager +: 8] = cpu_awlen_i[8*p +: 8];
    assign m_awsize[3*Manager +: 3] = cpu_awsize_i[3*p +: 3];
    assign m_awburst[2*Manager +: 2] = cpu_awburst_i[2*p +: 2];
    assign m_awvalid[Manager] = cpu_awvalid_i[p];
    assign cpu_awready_o[p] = m_awready[Manager];
    assign m_wdata[64*Manager +: 64] = cpu_wdata_i[64*p +: 64];
    assign m_wstrb[8*Manager +: 8] = cpu_wstrb_i[8*p +: 8];
    assign m_wlast[Manager] = cpu_wlast_i[p];
    assign m_wvalid[Manager] = cpu_wvalid_i[p];
    assign cpu_wready_o[p] = m_wready[Manager];
    assign cpu_bid_o[4*p +: 4] = m_bid[4*Manager +: 4];
    assign cpu_bresp_o[2*p +: 2] = m_bresp[2*Manager +: 2];
    assign cpu_bvalid_o[p] = m_bvalid[Manager];
    assign m_bready[Manager] = cpu_bready_i[p];
    assign m_arid[4*Manager +: 4] = cpu_arid_i[4*p +: 4];
    assign m_araddr[64*Manager +: 64] = cpu_araddr_i[64*p +: 64];
    assign m_arlen[8*Manager +: 8] = cpu_arlen_i[8*p +: 8];
    assign m_arsize[3*Manager +: 3] = cpu_arsize_i[3*p +: 3];
    assign m_arburst[2*Manager +: 2] = cpu_arburst_i[2*p +: 2];
    assign m_arvalid[Manager] = cpu_arvalid_i[p];
    assign cpu_arready_o[p] = m_arready[Manager];
    assign cpu_rid_o[4*p +: 4] = m_rid[4*Manager +: 4];
    assign cpu_rdata_o[64*p +: 64] = m_rdata[64*Manager +: 64];
    assign cpu_rresp_o[2*p +: 2] = m_rresp[2*Manager +: 2];
    assign cpu_rlast_o[p] = m_rlast[Manager];
    assign cpu_rvalid_o[p] = m_rvalid[Manager];
    assign m_rready[Manager] = cpu_rready_i[p];
  end

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

  if (HasPmcu == 0 && HasImc == 0) begin : g_no_bridge
    logic unused_access;
    assign unused_access = ^access_cycles_q;
  end

  // --- windows ---
  logic [NrTarget*64-1:0] t_base, t_size;
  assign t_base[63:0] = ram_base_q;
  assign t_size[63:0] = ram_size_q;

  // --- PMCU and clusters ---
  if (HasPmcu != 0) begin : g_pmcu
    assign t_base[64*TargetPmcu +: 64] = bus_pkg::PmcuBase;
    assign t_size[64*TargetPmcu +: 64] = bus_pkg::PmcuBytes;
    for (genvar k = 0; k < NrCluster; k++) begin : g_window
      assign t_base[64*(TargetPmcu+1+k) +: 64] =
          bus_pkg::ClusterBase + 64'(k) * bus_pkg::ClusterBytes;
      assign t_size[64*(TargetPmcu+1+k) +: 64] =
          (5'(k) < nr_cluster_q) ? bus_pkg::ClusterBytes : 64'd0;
    end

    pmcu_subsystem #(
      .NrCluster (NrCluster),
      .NrSlot    (NrSlot),
      .NrCounter (NrCounter),
      .NrLane    (NrLane)
    ) u_pmcu (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .access_cycles_i (access_cycles_q),
      .nr_cluster_i (nr_cluster_q),
      .nr_slot_i (nr_slot_q),
      .nr_lane_i (nr_lane_q),
      .broadcast_i (broadcast_q),
      .prefetch_i (prefetch_q),
      .ext64_i (ext64_q),
      .tick_cycles_i (tick_cycles_q),
      .nr_counter_i (nr_counter_q),
      .present_i (present_q),
      .offline_i (offline_q),
      .locked_i (locked_q),
      .hpme_i (hpme_q),
      .hpmn_i (hpmn_q),
      .counting_o (counting_o),
      .event_o (event_o),
      .inc_i (inc_i),
      .cycle_inc_i (cycle_inc_i),
      .mode_i (mode_i),
      .capture_o (capture_o),
      .pc_i (pc_i),
      .cid1_i (cid1_i),
      .cid2_i (cid2_i),
      .m_awid_o (m_awid[4*(ManagerLane) +: 4*NrLane]),
      .m_awaddr_o (m_awaddr[64*(ManagerLane) +: 64*NrLane]),
      .m_awlen_o (m_awlen[8*(ManagerLane) +: 8*NrLane]),
      .m_awsize_o (m_awsize[3*(ManagerLane) +: 3*NrLane]),
      .m_awburst_o (m_awburst[2*(ManagerLane) +: 2*NrLane]),
      .m_awvalid_o (m_awvalid[ManagerLane +: NrLane]),
      .m_awready_i (m_awready[ManagerLane +: NrLane]),
      .m_wdata_o (m_wdata[64*(ManagerLane) +: 64*NrLane]),
      .m_wstrb_o (m_wstrb[8*(ManagerLane) +: 8*NrLane]),
      .m_wlast_o (m_wlast[ManagerLane +: NrLane]),
      .m_wvalid_o (m_wvalid[ManagerLane +: NrLane]),
      .m_wready_i (m_wready[ManagerLane +: NrLane]),
      .m_bid_i (m_bid[4*(ManagerLane) +: 4*NrLane]),
      .m_bresp_i (m_bresp[2*(ManagerLane) +: 2*NrLane]),
      .m_bvalid_i (m_bvalid[ManagerLane +: NrLane]),
      .m_bready_o (m_bready[ManagerLane +: NrLane]),
      .m_arid_o (m_arid[4*(ManagerLane) +: 4*NrLane]),
      .m_araddr_o (m_araddr[64*(ManagerLane) +: 64*NrLane]),
      .m_arlen_o (m_arlen[8*(ManagerLane) +: 8*NrLane]),
      .m_arsize_o (m_arsize[3*(ManagerLane) +: 3*NrLane]),
      .m_arburst_o (m_arburst[2*(ManagerLane) +: 2*NrLane]),
      .m_arvalid_o (m_arvalid[ManagerLane +: NrLane]),
      .m_arready_i (m_arready[ManagerLane +: NrLane]),
      .m_rid_i (m_rid[4*(ManagerLane) +: 4*NrLane]),
      .m_rdata_i (m_rdata[64*(ManagerLane) +: 64*NrLane]),
      .m_rresp_i (m_rresp[2*(ManagerLane) +: 2*NrLane]),
      .m_rlast_i (m_rlast[ManagerLane +: NrLane]),
      .m_rvalid_i (m_rvalid[ManagerLane +: NrLane]),
      .m_rready_o (m_rready[ManagerLane +: NrLane]),
      .t_awid_i (t_awid[4*(TargetPmcu) +: 4*(1+NrCluster)]),
      .t_awaddr_i (t_awaddr[64*(TargetPmcu) +: 64*(1+NrCluster)]),
      .t_awlen_i (t_awlen[8*(TargetPmcu) +: 8*(1+NrCluster)]),
      .t_awsize_i (t_awsize[3*(TargetPmcu) +: 3*(1+NrCluster)]),
      .t_awburst_i (t_awburst[2*(TargetPmcu) +: 2*(1+NrCluster)]),
      .t_awvalid_i (t_awvalid[TargetPmcu +: (1+NrCluster)]),
      .t_awready_o (t_awready[TargetPmcu +: (1+NrCluster)]),
      .t_wdata_i (t_wdata[64*(TargetPmcu) +: 64*(1+NrCluster)]),
      .t_wstrb_i (t_wstrb[8*(TargetPmcu) +: 8*(1+NrCluster)]),
      .t_wlast_i (t_wlast[TargetPmcu +: (1+NrCluster)]),
      .t_wvalid_i (t_wvalid[TargetPmcu +: (1+NrCluster)]),
      .t_wready_o (t_wready[TargetPmcu +: (1+NrCluster)]),
      .t_bid_o (t_bid[4*(TargetPmcu) +: 4*(1+NrCluster)]),
      .t_bresp_o (t_bresp[2*(TargetPmcu) +: 2*(1+NrCluster)]),
      .t_bvalid_o (t_bvalid[TargetPmcu +: (1+NrCluster)]),
      .t_bready_i (t_bready[TargetPmcu +: (1+NrCluster)]),
      .t_arid_i (t_arid[4*(TargetPmcu) +: 4*(1+NrCluster)]),
      .t_araddr_i (t_araddr[64*(TargetPmcu) +: 64*(1+NrCluster)]),
      .t_arlen_i (t_arlen[8*(TargetPmcu) +: 8*(1+NrCluster)]),
      .t_arsize_i (t_arsize[3*(TargetPmcu) +: 3*(1+NrCluster)]),
      .t_arburst_i (t_arburst[2*(TargetPmcu) +: 2*(1+NrCluster)]),
      .t_arvalid_i (t_arvalid[TargetPmcu +: (1+NrCluster)]),
      .t_arready_o (t_arready[TargetPmcu +: (1+NrCluster)]),
      .t_rid_o (t_rid[4*(TargetPmcu) +: 4*(1+NrCluster)]),
      .t_rdata_o (t_rdata[64*(TargetPmcu) +: 64*(1+NrCluster)]),
      .t_rresp_o (t_rresp[2*(TargetPmcu) +: 2*(1+NrCluster)]),
      .t_rlast_o (t_rlast[TargetPmcu +: (1+NrCluster)]),
      .t_rvalid_o (t_rvalid[TargetPmcu +: (1+NrCluster)]),
      .t_rready_i (t_rready[TargetPmcu +: (1+NrCluster)]),
      .irq_o (irq_o),
      .state_o (state_o),
      .sample_valid_o (sample_valid_o),
      .sample_addr_o (sample_addr_o),
      .sample_number_o (sample_number_o),
      .sample_bytes_o (sample_bytes_o),
      .acc_valid_o (acc_valid_o),
      .acc_write_o (acc_write_o),
      .acc_addr_o (acc_addr_o),
      .acc_wide_o (acc_wide_o),
      .acc_wdata_o (acc_wdata_o),
      .acc_rdata_o (acc_rdata_o),
      .acc_err_o (acc_err_o)
    );
  end else begin : g_no_pmcu
    assign counting_o = '0;
    assign event_o = '0;
    assign capture_o = '0;
    assign irq_o = '0;
    assign state_o = '0;
    assign sample_valid_o = '0;
    assign sample_addr_o = '0;
    assign sample_number_o = '0;
    assign sample_bytes_o = '0;
    assign acc_valid_o = '0;
    assign acc_write_o = '0;
    assign acc_addr_o = '0;
    assign acc_wide_o = '0;
    assign acc_wdata_o = '0;
    assign acc_rdata_o = '0;
    assign acc_err_o = '0;
    logic unused_pmcu;
    assign unused_pmcu = ^{nr_cluster_q, nr_slot_q, nr_lane_q, broadcast_q, prefetch_q, ext64_q, tick_cycles_q, nr_counter_q, present_q, offline_q, locked_q, hpme_q, hpmn_q, inc_i, cycle_inc_i, mode_i, pc_i, cid1_i, cid2_i};
  end

  // --- IMC cores ---
  if (HasImc != 0) begin : g_imc
    localparam logic [63:0] SprBase   = 64'h3000_0000;
    localparam logic [63:0] SprBytes  = 64'h10_0000;
    localparam logic [63:0] ScomBase  = 64'h6_03FC_0000_0000;
    localparam logic [63:0] ScomBytes = 64'h2_0000_0000;
    assign t_base[64*TargetImc +: 128] = {ScomBase, SprBase};
    assign t_size[64*TargetImc +: 128] = {ScomBytes, SprBytes};

    // The cores only write.
    assign m_arid[4*(ManagerImc) +: 4*NrImcCore] = '0;
    assign m_araddr[64*(ManagerImc) +: 64*NrImcCore] = '0;
    assign m_arlen[8*(ManagerImc) +: 8*NrImcCore] = '0;
    assign m_arsize[3*(ManagerImc) +: 3*NrImcCore] = '0;
    assign m_arburst[2*(ManagerImc) +: 2*NrImcCore] = '0;
    assign m_arvalid[ManagerImc +: NrImcCore] = '0;
    assign m_rready[ManagerImc +: NrImcCore] = '0;

    imc_subsystem #(
      .NrImcCore (NrImcCore),
      .NrThread  (NrThread)
    ) u_imc (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .access_cycles_i (access_cycles_q),
      .power10_i (imc_power10_q),
      .nr_core_i (imc_nr_core_q),
      .nr_thread_i (imc_nr_thread_q),
      .tap_log2_i (imc_tap_log2_q),
      .tb_start_i (imc_tb_start_q),
      .tb_num_i (imc_tb_num_q),
      .tb_den_i (imc_tb_den_q),
      .power_i (imc_power_i),
      .active_o (imc_active_o),
      .code1_o (imc_code1_o),
      .code2_o (imc_code2_o),
      .inc1_i (imc_inc1_i),
      .inc2_i (imc_inc2_i),
      .inc3_i (imc_inc3_i),
      .inc4_i (imc_inc4_i),
      .mode_i (imc_mode_i),
      .capture_o (imc_capture_o),
      .pc_i (imc_pc_i),
      .pid_i (imc_pid_i),
      .lpid_i (imc_lpid_i),
      .m_awid_o (m_awid[4*(ManagerImc) +: 4*NrImcCore]),
      .m_awaddr_o (m_awaddr[64*(ManagerImc) +: 64*NrImcCore]),
      .m_awlen_o (m_awlen[8*(ManagerImc) +: 8*NrImcCore]),
      .m_awsize_o (m_awsize[3*(ManagerImc) +: 3*NrImcCore]),
      .m_awburst_o (m_awburst[2*(ManagerImc) +: 2*NrImcCore]),
      .m_awvalid_o (m_awvalid[ManagerImc +: NrImcCore]),
      .m_awready_i (m_awready[ManagerImc +: NrImcCore]),
      .m_wdata_o (m_wdata[64*(ManagerImc) +: 64*NrImcCore]),
      .m_wstrb_o (m_wstrb[8*(ManagerImc) +: 8*NrImcCore]),
      .m_wlast_o (m_wlast[ManagerImc +: NrImcCore]),
      .m_wvalid_o (m_wvalid[ManagerImc +: NrImcCore]),
      .m_wready_i (m_wready[ManagerImc +: NrImcCore]),
      .m_bid_i (m_bid[4*(ManagerImc) +: 4*NrImcCore]),
      .m_bresp_i (m_bresp[2*(ManagerImc) +: 2*NrImcCore]),
      .m_bvalid_i (m_bvalid[ManagerImc +: NrImcCore]),
      .m_bready_o (m_bready[ManagerImc +: NrImcCore]),
      .t_awid_i (t_awid[4*(TargetImc) +: 4*2]),
      .t_awaddr_i (t_awaddr[64*(TargetImc) +: 64*2]),
      .t_awlen_i (t_awlen[8*(TargetImc) +: 8*2]),
      .t_awsize_i (t_awsize[3*(TargetImc) +: 3*2]),
      .t_awburst_i (t_awburst[2*(TargetImc) +: 2*2]),
      .t_awvalid_i (t_awvalid[TargetImc +: 2]),
      .t_awready_o (t_awready[TargetImc +: 2]),
      .t_wdata_i (t_wdata[64*(TargetImc) +: 64*2]),
      .t_wstrb_i (t_wstrb[8*(TargetImc) +: 8*2]),
      .t_wlast_i (t_wlast[TargetImc +: 2]),
      .t_wvalid_i (t_wvalid[TargetImc +: 2]),
      .t_wready_o (t_wready[TargetImc +: 2]),
      .t_bid_o (t_bid[4*(TargetImc) +: 4*2]),
      .t_bresp_o (t_bresp[2*(TargetImc) +: 2*2]),
      .t_bvalid_o (t_bvalid[TargetImc +: 2]),
      .t_bready_i (t_bready[TargetImc +: 2]),
      .t_arid_i (t_arid[4*(TargetImc) +: 4*2]),
      .t_araddr_i (t_araddr[64*(TargetImc) +: 64*2]),
      .t_arlen_i (t_arlen[8*(TargetImc) +: 8*2]),
      .t_arsize_i (t_arsize[3*(TargetImc) +: 3*2]),
      .t_arburst_i (t_arburst[2*(TargetImc) +: 2*2]),
      .t_arvalid_i (t_arvalid[TargetImc +: 2]),
      .t_arready_o (t_arready[TargetImc +: 2]),
      .t_rid_o (t_rid[4*(TargetImc) +: 4*2]),
      .t_rdata_o (t_rdata[64*(TargetImc) +: 64*2]),
      .t_rresp_o (t_rresp[2*(TargetImc) +: 2*2]),
      .t_rlast_o (t_rlast[TargetImc +: 2]),
      .t_rvalid_o (t_rvalid[TargetImc +: 2]),
      .t_rready_i (t_rready[TargetImc +: 2]),
      .state_o (imc_state_o),
      .sample_valid_o (imc_sample_valid_o),
      .sample_thread_o (imc_sample_thread_o),
      .sample_addr_o (imc_sample_addr_o),
      .sample_resp_o (imc_sample_resp_o),
      .sample_snap_o (imc_sample_snap_o),
      .sample_number_o (imc_sample_number_o),
      .lost_o (imc_lost_o),
      .dropped_o (imc_dropped_o),
      .dropped_addr_o (imc_dropped_addr_o),
      .dropped_snap_o (imc_dropped_snap_o),
      .acc_valid_o (imc_acc_valid_o),
      .acc_write_o (imc_acc_write_o),
      .acc_addr_o (imc_acc_addr_o),
      .acc_wide_o (imc_acc_wide_o),
      .acc_wdata_o (imc_acc_wdata_o),
      .acc_rdata_o (imc_acc_rdata_o),
      .acc_err_o (imc_acc_err_o)
    );

    logic unused_read;
    assign unused_read = ^{m_arready[ManagerImc +: NrImcCore], m_rid[4*(ManagerImc) +: 4*NrImcCore], m_rdata[64*(ManagerImc) +: 64*NrImcCore], m_rresp[2*(ManagerImc) +: 2*NrImcCore], m_rlast[ManagerImc +: NrImcCore], m_rvalid[ManagerImc +: NrImcCore]};
  end else begin : g_no_imc
    assign imc_active_o = '0;
    assign imc_code1_o = '0;
    assign imc_code2_o = '0;
    assign imc_capture_o = '0;
    assign imc_state_o = '0;
    assign imc_sample_valid_o = '0;
    assign imc_sample_thread_o = '0;
    assign imc_sample_addr_o = '0;
    assign imc_sample_resp_o = '0;
    assign imc_sample_snap_o = '0;
    assign imc_sample_number_o = '0;
    assign imc_lost_o = '0;
    assign imc_dropped_o = '0;
    assign imc_dropped_addr_o = '0;
    assign imc_dropped_snap_o = '0;
    assign imc_acc_valid_o = '0;
    assign imc_acc_write_o = '0;
    assign imc_acc_addr_o = '0;
    assign imc_acc_wide_o = '0;
    assign imc_acc_wdata_o = '0;
    assign imc_acc_rdata_o = '0;
    assign imc_acc_err_o = '0;
    logic unused_imc;
    assign unused_imc = ^{imc_power10_q, imc_nr_core_q, imc_nr_thread_q, imc_tap_log2_q, imc_tb_start_q, imc_tb_num_q, imc_tb_den_q, imc_power_i, imc_inc1_i, imc_inc2_i, imc_inc3_i, imc_inc4_i, imc_mode_i, imc_pc_i, imc_pid_i, imc_lpid_i};
  end

  // --- the nest ---
  if (NrNest != 0) begin : g_nest
    nest u_nest (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .base_i (nest_base_q),
      .tick_cycles_i (nest_tick_cycles_q),
      .inc_i (nest_inc_i),
      .awid_o (m_awid[4*(ManagerNest) +: 4]),
      .awaddr_o (m_awaddr[64*(ManagerNest) +: 64]),
      .awlen_o (m_awlen[8*(ManagerNest) +: 8]),
      .awsize_o (m_awsize[3*(ManagerNest) +: 3]),
      .awburst_o (m_awburst[2*(ManagerNest) +: 2]),
      .awvalid_o (m_awvalid[ManagerNest]),
      .awready_i (m_awready[ManagerNest]),
      .wdata_o (m_wdata[64*(ManagerNest) +: 64]),
      .wstrb_o (m_wstrb[8*(ManagerNest) +: 8]),
      .wlast_o (m_wlast[ManagerNest]),
      .wvalid_o (m_wvalid[ManagerNest]),
      .wready_i (m_wready[ManagerNest]),
      .bid_i (m_bid[4*(ManagerNest) +: 4]),
      .bresp_i (m_bresp[2*(ManagerNest) +: 2]),
      .bvalid_i (m_bvalid[ManagerNest]),
      .bready_o (m_bready[ManagerNest]),
      .arid_o (m_arid[4*(ManagerNest) +: 4]),
      .araddr_o (m_araddr[64*(ManagerNest) +: 64]),
      .arlen_o (m_arlen[8*(ManagerNest) +: 8]),
      .arsize_o (m_arsize[3*(ManagerNest) +: 3]),
      .arburst_o (m_arburst[2*(ManagerNest) +: 2]),
      .arvalid_o (m_arvalid[ManagerNest]),
      .arready_i (m_arready[ManagerNest]),
      .rid_i (m_rid[4*(ManagerNest) +: 4]),
      .rdata_i (m_rdata[64*(ManagerNest) +: 64]),
      .rresp_i (m_rresp[2*(ManagerNest) +: 2]),
      .rlast_i (m_rlast[ManagerNest]),
      .rvalid_i (m_rvalid[ManagerNest]),
      .rready_o (m_rready[ManagerNest]),
      .status_o (nest_status_o),
      .sample_valid_o (nest_sample_valid_o),
      .sample_group_o (nest_sample_group_o),
      .sample_addr_o (nest_sample_addr_o),
      .sample_number_o (nest_sample_number_o),
      .sample_bytes_o (nest_sample_bytes_o),
      .sample_resp_o (nest_sample_resp_o),
      .sample_start_o (nest_sample_start_o)
    );
  end else begin : g_no_nest
    assign nest_status_o = '0;
    assign nest_sample_valid_o = '0;
    assign nest_sample_group_o = '0;
    assign nest_sample_addr_o = '0;
    assign nest_sample_number_o = '0;
    assign nest_sample_bytes_o = '0;
    assign nest_sample_resp_o = '0;
    assign nest_sample_start_o = '0;
    logic unused_nest;
    assign unused_nest = ^{nest_base_q, nest_tick_cycles_q, nest_inc_i};
  end

  // --- harts ---
  if (NrHart != 0) begin : g_harts
    for (genvar h = 0; h < NrHart; h++) begin : g_hart
      hpm #(
        .NrHpm (NrHpm)
      ) u_hpm (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .xlen64_i (hart_xlen64_q),
        .modes_i (hart_modes_q),
        .counters_i (hart_counters_q),
        .width_i (hart_width_q),
        .sscofpmf_i (hart_sscofpmf_q),
        .smcntrpmf_i (hart_smcntrpmf_q),
        .smcdeleg_i (hart_smcdeleg_q),
        .aia_i (hart_aia_q),
        .lcofi_latency_i (hart_lcofi_latency_q),
        .mode_i (hart_mode_i[2*h +: 2]),
        .v_i (hart_v_i[h]),
        .stateen_m_i (1'b1),
        .stateen_h_i (1'b1),
        .time_i (hart_time_i),
        .cycle_inc_i (hart_cycle_inc_i[4*h +: 4]),
        .instret_inc_i (hart_instret_inc_i[4*h +: 4]),
        .event_o (hart_event_o[16*32*h +: 16*32]),
        .counting_o (hart_counting_o[32*h +: 32]),
        .inc_i (hart_inc_i[4*32*h +: 4*32]),
        .csr_valid_i (hart_csr_valid_i[h]),
        .csr_addr_i (hart_csr_addr_i[12*h +: 12]),
        .csr_op_i (hart_csr_op_i[2*h +: 2]),
        .csr_wdata_i (hart_csr_wdata_i[64*h +: 64]),
        .csr_rdata_o (hart_csr_rdata_o[64*h +: 64]),
        .csr_exc_o (hart_csr_exc_o[2*h +: 2]),
        .lcofi_o (hart_lcofi_o[3*h +: 3])
      );
    end
  end else begin : g_no_hart
    assign hart_event_o = '0;
    assign hart_counting_o = '0;
    assign hart_csr_rdata_o = '0;
    assign hart_csr_exc_o = '0;
    assign hart_lcofi_o = '0;
    logic unused_hart;
    assign unused_hart = ^{hart_xlen64_q, hart_modes_q, hart_counters_q, hart_width_q, hart_sscofpmf_q, hart_smcntrpmf_q, hart_smcdeleg_q, hart_aia_q, hart_lcofi_latency_q, hart_time_i, hart_mode_i, hart_v_i, hart_cycle_inc_i, hart_instret_inc_i, hart_inc_i, hart_csr_valid_i, hart_csr_addr_i, hart_csr_op_i, hart_csr_wdata_i};
  end

  // --- uncore units ---
  if (NrBridge != 0) begin : g_uncore
    localparam logic [63:0] UncoreBase  = 64'h4000_0000;
    localparam logic [63:0] UncoreBytes = 64'h10_0000;
    for (genvar b = 0; b < NrBridge; b++) begin : g_window
      assign t_base[64*(TargetUncore+b) +: 64] = UncoreBase + 64'(b) * UncoreBytes;
      assign t_size[64*(TargetUncore+b) +: 64] = (3'(b) < nr_bridge_q) ? UncoreBytes : 64'd0;
    end

    uncore_subsystem #(
      .NrBridge (NrBridge),
      .NrUnit   (NrUnit)
    ) u_uncore (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .access_cycles_i (uncore_access_cycles_q),
      .present_i (uncore_present_q),
      .counters_i (uncore_counters_q),
      .width_i (uncore_width_q),
      .id_i (uncore_id_q),
      .event_o (uncore_event_o),
      .counting_o (uncore_counting_o),
      .inc_i (uncore_inc_i),
      .irq_o (uncore_irq_o),
      .t_awid_i (t_awid[4*TargetUncore +: 4*NrBridge]),
      .t_awaddr_i (t_awaddr[64*TargetUncore +: 64*NrBridge]),
      .t_awlen_i (t_awlen[8*TargetUncore +: 8*NrBridge]),
      .t_awsize_i (t_awsize[3*TargetUncore +: 3*NrBridge]),
      .t_awburst_i (t_awburst[2*TargetUncore +: 2*NrBridge]),
      .t_awvalid_i (t_awvalid[TargetUncore +: NrBridge]),
      .t_awready_o (t_awready[TargetUncore +: NrBridge]),
      .t_wdata_i (t_wdata[64*TargetUncore +: 64*NrBridge]),
      .t_wstrb_i (t_wstrb[8*TargetUncore +: 8*NrBridge]),
      .t_wlast_i (t_wlast[TargetUncore +: NrBridge]),
      .t_wvalid_i (t_wvalid[TargetUncore +: NrBridge]),
      .t_wready_o (t_wready[TargetUncore +: NrBridge]),
      .t_bid_o (t_bid[4*TargetUncore +: 4*NrBridge]),
      .t_bresp_o (t_bresp[2*TargetUncore +: 2*NrBridge]),
      .t_bvalid_o (t_bvalid[TargetUncore +: NrBridge]),
      .t_bready_i (t_bready[TargetUncore +: NrBridge]),
      .t_arid_i (t_arid[4*TargetUncore +: 4*NrBridge]),
      .t_araddr_i (t_araddr[64*TargetUncore +: 64*NrBridge]),
      .t_arlen_i (t_arlen[8*TargetUncore +: 8*NrBridge]),
      .t_arsize_i (t_arsize[3*TargetUncore +: 3*NrBridge]),
      .t_arburst_i (t_arburst[2*TargetUncore +: 2*NrBridge]),
      .t_arvalid_i (t_arvalid[TargetUncore +: NrBridge]),
      .t_arready_o (t_arready[TargetUncore +: NrBridge]),
      .t_rid_o (t_rid[4*TargetUncore +: 4*NrBridge]),
      .t_rdata_o (t_rdata[64*TargetUncore +: 64*NrBridge]),
      .t_rresp_o (t_rresp[2*TargetUncore +: 2*NrBridge]),
      .t_rlast_o (t_rlast[TargetUncore +: NrBridge]),
      .t_rvalid_o (t_rvalid[TargetUncore +: NrBridge]),
      .t_rready_i (t_rready[TargetUncore +: NrBridge]),
      .acc_valid_o (uncore_acc_valid_o),
      .acc_write_o (uncore_acc_write_o),
      .acc_addr_o (uncore_acc_addr_o),
      .acc_wide_o (uncore_acc_wide_o),
      .acc_wdata_o (uncore_acc_wdata_o),
      .acc_rdata_o (uncore_acc_rdata_o),
      .acc_err_o (uncore_acc_err_o)
    );
  end else begin : g_no_uncore
    assign uncore_event_o = '0;
    assign uncore_counting_o = '0;
    assign uncore_irq_o = '0;
    assign uncore_acc_valid_o = '0;
    assign uncore_acc_write_o = '0;
    assign uncore_acc_addr_o = '0;
    assign uncore_acc_wide_o = '0;
    assign uncore_acc_wdata_o = '0;
    assign uncore_acc_rdata_o = '0;
    assign uncore_acc_err_o = '0;
    logic unused_uncore;
    assign unused_uncore = ^{nr_bridge_q, uncore_access_cycles_q, uncore_present_q, uncore_counters_q, uncore_width_q, uncore_id_q, uncore_inc_i};
  end

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
    .adds_i           (adds_q),
    .t_base_i         (t_base),
    .t_size_i         (t_size),
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
    .chk_addr_o (chk_addr_o),
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
    .adds_i         (adds_q),
    .awid_i (t_awid[4*(0) +: 4]),
    .awaddr_i (t_awaddr[64*(0) +: 64]),
    .awlen_i (t_awlen[8*(0) +: 8]),
    .awsize_i (t_awsize[3*(0) +: 3]),
    .awburst_i (t_awburst[2*(0) +: 2]),
    .awvalid_i (t_awvalid[0]),
    .awready_o (t_awready[0]),
    .wdata_i (t_wdata[64*(0) +: 64]),
    .wstrb_i (t_wstrb[8*(0) +: 8]),
    .wlast_i (t_wlast[0]),
    .wvalid_i (t_wvalid[0]),
    .wready_o (t_wready[0]),
    .bid_o (t_bid[4*(0) +: 4]),
    .bresp_o (t_bresp[2*(0) +: 2]),
    .bvalid_o (t_bvalid[0]),
    .bready_i (t_bready[0]),
    .arid_i (t_arid[4*(0) +: 4]),
    .araddr_i (t_araddr[64*(0) +: 64]),
    .arlen_i (t_arlen[8*(0) +: 8]),
    .arsize_i (t_arsize[3*(0) +: 3]),
    .arburst_i (t_arburst[2*(0) +: 2]),
    .arvalid_i (t_arvalid[0]),
    .arready_o (t_arready[0]),
    .rid_o (t_rid[4*(0) +: 4]),
    .rdata_o (t_rdata[64*(0) +: 64]),
    .rresp_o (t_rresp[2*(0) +: 2]),
    .rlast_o (t_rlast[0]),
    .rvalid_o (t_rvalid[0]),
    .rready_i (t_rready[0]),
    .mem_read_o (mem_read_o),
    .mem_raddr_o (mem_raddr_o),
    .mem_rdata_i (mem_rdata_i),
    .mem_write_o (mem_write_o),
    .mem_waddr_o (mem_waddr_o),
    .mem_wdata_o (mem_wdata_o),
    .mem_wstrb_o (mem_wstrb_o),
    .mem_commit_o (mem_commit_o)
  );

endmodule
