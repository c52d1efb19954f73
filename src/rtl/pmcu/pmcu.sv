// SPDX-License-Identifier: Apache-2.0
// The PMCU: registers, state machine, lanes, engine and sample buffer (docs/hw/pmcu.md).
module pmcu #(
  parameter int NrLane = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Straps.
  input  logic [1:0]           die_i,
  input  logic [4:0]           nr_cluster_i,
  input  logic [3:0]           nr_slot_i,
  input  logic [2:0]           nr_lane_i,
  input  logic                 broadcast_i,
  input  logic                 prefetch_i,
  input  logic [1:0]           order_i,
  input  logic                 ext64_i,
  input  logic                 posted_i,
  input  logic [15:0]          tick_cycles_i,

  // Register port.
  input  logic                 reg_en_i,
  input  logic                 reg_write_i,
  input  logic [15:0]          reg_addr_i,
  input  logic                 reg_wide_i,
  input  logic [63:0]          reg_wdata_i,
  output logic [63:0]          reg_rdata_o,
  output logic                 reg_err_o,

  // AXI4 manager ports, a bundle a lane.
  output logic [NrLane*bus_pkg::ReqBits-1:0] req_o,
  input  logic [NrLane*bus_pkg::RspBits-1:0] rsp_i,

  output logic                 irq_o,
  output logic [3:0]           state_o,
  output logic                 sample_valid_o,
  output logic [63:0]          sample_addr_o,
  output logic [31:0]          sample_number_o,
  output logic [15:0]          sample_bytes_o
);

  // The clusters of the dies stand one after the other on the bus.
  logic [5:0]  first_cluster;
  assign first_cluster = {4'd0, die_i} * {1'b0, nr_cluster_i};

  // Registers and state machine.
  logic        trigger, brk, clear_errors, done, broken, reg_comp, comp;
  logic [19:0] fsm_cfg;
  logic [63:0] reg_event_base, reg_kill_base, reg_store_base, kill_base;
  logic [31:0] reg_wait_cnt, reg_pmcr, reg_pmccfiltr, mask, pmcr, pmccfiltr;
  logic [5:0]  errors, new_errors;
  logic [3:0]  state, nr_pmu;
  logic        go, stop, load, fetch, store, run_begins, run_ends;
  logic [63:0] fetch_addr;
  logic [3:0]  fetch_count;

  // Lanes and engine.
  logic [NrLane-1:0]    lane_busy, lane_error, put, fail_all, wide;
  logic [NrLane*4-1:0]  entry, cluster;
  logic [NrLane*3-1:0]  slot, fail;
  logic [NrLane*64-1:0] data, lane_addr, lane_rdata;
  logic [NrLane*32-1:0] lane_wdata;
  logic [NrLane-1:0]    lane_awvalid, lane_wvalid, lane_arvalid;
  logic                 engine_busy, fetch_error, store_error, kill;
  logic [127:0]         events;
  logic [63:0]          engine_addr, engine_wdata, pointer;
  logic [7:0]           engine_len;
  logic                 engine_awvalid, engine_wvalid, engine_wlast, engine_arvalid;
  logic [3:0]           a_entry, a_cluster, b_entry, b_cluster;
  logic [2:0]           a_slot, b_slot;
  logic                 a_high, b_high;
  logic [31:0]          a_data, b_data;

  pmcu_regs u_regs (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .reg_en_i       (reg_en_i),
    .reg_write_i    (reg_write_i),
    .reg_addr_i     (reg_addr_i),
    .reg_wide_i     (reg_wide_i),
    .reg_wdata_i    (reg_wdata_i[31:0]),
    .reg_rdata_o    (reg_rdata_o),
    .reg_err_o      (reg_err_o),
    .trigger_o      (trigger),
    .brk_o          (brk),
    .fsm_cfg_o      (fsm_cfg),
    .event_base_o   (reg_event_base),
    .kill_base_o    (reg_kill_base),
    .store_base_o   (reg_store_base),
    .wait_cnt_o     (reg_wait_cnt),
    .comp_o         (reg_comp),
    .pmcr_o         (reg_pmcr),
    .pmccfiltr_o    (reg_pmccfiltr),
    .state_i        (state),
    .clear_errors_i (clear_errors),
    .errors_i       (new_errors),
    .done_i         (done),
    .broken_i       (broken),
    .errors_o       (errors),
    .irq_o          (irq_o)
  );

  pmcu_fsm u_fsm (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .prefetch_i      (prefetch_i),
    .tick_cycles_i   (tick_cycles_i),
    .trigger_i       (trigger),
    .brk_i           (brk),
    .fsm_cfg_i       (fsm_cfg),
    .event_base_i    (reg_event_base),
    .kill_base_i     (reg_kill_base),
    .wait_cnt_i      (reg_wait_cnt),
    .comp_i          (reg_comp),
    .pmcr_i          (reg_pmcr),
    .pmccfiltr_i     (reg_pmccfiltr),
    .errors_i        (errors),
    .clear_errors_o  (clear_errors),
    .errors_o        (new_errors),
    .done_o          (done),
    .broken_o        (broken),
    .nr_pmu_o        (nr_pmu),
    .comp_o          (comp),
    .mask_o          (mask),
    .pmcr_o          (pmcr),
    .pmccfiltr_o     (pmccfiltr),
    .kill_base_o     (kill_base),
    .state_o         (state),
    .run_begins_o    (run_begins),
    .run_ends_o      (run_ends),
    .go_o            (go),
    .stop_o          (stop),
    .lanes_busy_i    (lane_busy != '0),
    .lane_error_i    (lane_error != '0),
    .load_o          (load),
    .fetch_o         (fetch),
    .fetch_addr_o    (fetch_addr),
    .fetch_count_o   (fetch_count),
    .store_o         (store),
    .engine_busy_i   (engine_busy),
    .fetch_error_i   (fetch_error),
    .store_error_i   (store_error),
    .kill_i          (kill),
    .sample_valid_o  (sample_valid_o),
    .sample_number_o (sample_number_o)
  );

  logic [NrLane-1:0] unused_rsp;
  for (genvar l = 0; l < NrLane; l++) begin : g_lane
    localparam int ReqAt = bus_pkg::ReqBits * l;
    localparam int RspAt = bus_pkg::RspBits * l;

    pmcu_lane #(
      .Lane (3'(l))
    ) u_lane (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .first_cluster_i (first_cluster),
      .nr_cluster_i (nr_cluster_i),
      .nr_slot_i    (nr_slot_i),
      .nr_lane_i    (nr_lane_i),
      .broadcast_i  (broadcast_i),
      .order_i      (order_i),
      .ext64_i      (ext64_i),
      .posted_i     (posted_i),
      .go_i         (go),
      .stop_i       (stop),
      .run_begins_i (run_begins),
      .run_ends_i   (run_ends),
      .state_i      (state),
      .nr_pmu_i     (nr_pmu),
      .comp_i       (comp),
      .mask_i       (mask),
      .pmcr_i       (pmcr),
      .pmccfiltr_i  (pmccfiltr),
      .events_i     (events),
      .busy_o       (lane_busy[l]),
      .error_o      (lane_error[l]),
      .put_o        (put[l]),
      .entry_o      (entry[4*l +: 4]),
      .slot_o       (slot[3*l +: 3]),
      .cluster_o    (cluster[4*l +: 4]),
      .data_o       (data[64*l +: 64]),
      .fail_o       (fail[3*l +: 3]),
      .fail_all_o   (fail_all[l]),
      .addr_o       (lane_addr[64*l +: 64]),
      .wide_o       (wide[l]),
      .awvalid_o    (lane_awvalid[l]),
      .awready_i    (rsp_i[RspAt + bus_pkg::RspAwReady]),
      .wvalid_o     (lane_wvalid[l]),
      .wdata_o      (lane_wdata[32*l +: 32]),
      .wready_i     (rsp_i[RspAt + bus_pkg::RspWReady]),
      .bvalid_i     (rsp_i[RspAt + bus_pkg::RspBValid]),
      .bresp_i      (rsp_i[RspAt + bus_pkg::RspBResp +: 2]),
      .arvalid_o    (lane_arvalid[l]),
      .arready_i    (rsp_i[RspAt + bus_pkg::RspArReady]),
      .rvalid_i     (rsp_i[RspAt + bus_pkg::RspRValid]),
      .rdata_i      (lane_rdata[64*l +: 64]),
      .rresp_i      (rsp_i[RspAt + bus_pkg::RspRResp +: 2])
    );

    // A word lies on the byte lanes of its address. All that lanes write wide is zero.
    logic upper;
    assign upper = !wide[l] && lane_addr[64*l + 2];
    assign lane_rdata[64*l +: 64] = upper ? {32'd0, rsp_i[RspAt + bus_pkg::RspRData + 32 +: 32]} : rsp_i[RspAt + bus_pkg::RspRData +: 64];

    // Lane 0 shares its port with the engine; never both at a time.
    logic [63:0] addr;
    logic [7:0]  len;
    logic [2:0]  size;
    if (l == 0) begin : g_shared
      assign addr = engine_busy ? engine_addr : lane_addr[63:0];
      assign len  = engine_busy ? engine_len : 8'd0;
      assign size = (engine_busy || wide[0]) ? 3'd3 : 3'd2;
      assign req_o[ReqAt + bus_pkg::ReqAwValid] = lane_awvalid[0] || engine_awvalid;
      assign req_o[ReqAt + bus_pkg::ReqWData +: 64] =
          engine_busy ? engine_wdata : {lane_wdata[31:0], wide[0] ? 32'd0 : lane_wdata[31:0]};
      assign req_o[ReqAt + bus_pkg::ReqWStrb +: 8] =
          (engine_busy || wide[0]) ? 8'hff : (upper ? 8'hf0 : 8'h0f);
      assign req_o[ReqAt + bus_pkg::ReqWLast] = engine_busy ? engine_wlast : 1'b1;
      assign req_o[ReqAt + bus_pkg::ReqWValid] = lane_wvalid[0] || engine_wvalid;
      assign req_o[ReqAt + bus_pkg::ReqArValid] = lane_arvalid[0] || engine_arvalid;
    end else begin : g_own
      assign addr = lane_addr[64*l +: 64];
      assign len  = 8'd0;
      assign size = wide[l] ? 3'd3 : 3'd2;
      assign req_o[ReqAt + bus_pkg::ReqAwValid] = lane_awvalid[l];
      assign req_o[ReqAt + bus_pkg::ReqWData +: 64] =
          {lane_wdata[32*l +: 32], wide[l] ? 32'd0 : lane_wdata[32*l +: 32]};
      assign req_o[ReqAt + bus_pkg::ReqWStrb +: 8] = wide[l] ? 8'hff : (upper ? 8'hf0 : 8'h0f);
      assign req_o[ReqAt + bus_pkg::ReqWLast] = 1'b1;
      assign req_o[ReqAt + bus_pkg::ReqWValid] = lane_wvalid[l];
      assign req_o[ReqAt + bus_pkg::ReqArValid] = lane_arvalid[l];
    end

    assign req_o[ReqAt + bus_pkg::ReqAwId +: 4] = 4'(l);
    assign req_o[ReqAt + bus_pkg::ReqAwAddr +: 64] = addr;
    assign req_o[ReqAt + bus_pkg::ReqAwLen +: 8] = len;
    assign req_o[ReqAt + bus_pkg::ReqAwSize +: 3] = size;
    assign req_o[ReqAt + bus_pkg::ReqAwBurst +: 2] = 2'd1;
    assign req_o[ReqAt + bus_pkg::ReqBReady] = 1'b1;
    assign req_o[ReqAt + bus_pkg::ReqArId +: 4] = 4'(l);
    assign req_o[ReqAt + bus_pkg::ReqArAddr +: 64] = addr;
    assign req_o[ReqAt + bus_pkg::ReqArLen +: 8] = len;
    assign req_o[ReqAt + bus_pkg::ReqArSize +: 3] = size;
    assign req_o[ReqAt + bus_pkg::ReqArBurst +: 2] = 2'd1;
    assign req_o[ReqAt + bus_pkg::ReqRReady] = 1'b1;
    assign unused_rsp[l] = ^{rsp_i[RspAt + bus_pkg::RspBId +: 4], rsp_i[RspAt + bus_pkg::RspRId +: 4],
                             rsp_i[RspAt + bus_pkg::RspRLast]};
  end

  pmcu_engine u_engine (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .nr_cluster_i  (nr_cluster_i),
    .nr_slot_i     (nr_slot_i),
    .load_i        (load),
    .store_base_i  (reg_store_base),
    .kill_base_i   (kill_base),
    .nr_pmu_i      (nr_pmu),
    .comp_i        (comp),
    .fetch_i       (fetch),
    .fetch_addr_i  (fetch_addr),
    .fetch_count_i (fetch_count),
    .store_i       (store),
    .stop_i        (stop),
    .busy_o        (engine_busy),
    .fetch_error_o (fetch_error),
    .store_error_o (store_error),
    .kill_o        (kill),
    .events_o      (events),
    .pointer_o     (pointer),
    .bytes_o       (sample_bytes_o),
    .a_entry_o     (a_entry),
    .a_slot_o      (a_slot),
    .a_cluster_o   (a_cluster),
    .a_high_o      (a_high),
    .a_data_i      (a_data),
    .b_entry_o     (b_entry),
    .b_slot_o      (b_slot),
    .b_cluster_o   (b_cluster),
    .b_high_o      (b_high),
    .b_data_i      (b_data),
    .addr_o        (engine_addr),
    .len_o         (engine_len),
    .awvalid_o     (engine_awvalid),
    .awready_i     (rsp_i[bus_pkg::RspAwReady]),
    .wvalid_o      (engine_wvalid),
    .wdata_o       (engine_wdata),
    .wlast_o       (engine_wlast),
    .wready_i      (rsp_i[bus_pkg::RspWReady]),
    .bvalid_i      (rsp_i[bus_pkg::RspBValid]),
    .bresp_i       (rsp_i[bus_pkg::RspBResp +: 2]),
    .arvalid_o     (engine_arvalid),
    .arready_i     (rsp_i[bus_pkg::RspArReady]),
    .rvalid_i      (rsp_i[bus_pkg::RspRValid]),
    .rdata_i       (rsp_i[bus_pkg::RspRData +: 64]),
    .rresp_i       (rsp_i[bus_pkg::RspRResp +: 2]),
    .rlast_i       (rsp_i[bus_pkg::RspRLast])
  );

  pmcu_buffer #(
    .NrLane (NrLane)
  ) u_buffer (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (load),
    .commit_i    (sample_valid_o),
    .put_i       (put),
    .fail_i      (fail),
    .fail_all_i  (fail_all),
    .entry_i     (entry),
    .slot_i      (slot),
    .cluster_i   (cluster),
    .data_i      (data),
    .a_entry_i   (a_entry),
    .a_slot_i    (a_slot),
    .a_cluster_i (a_cluster),
    .a_high_i    (a_high),
    .a_data_o    (a_data),
    .b_entry_i   (b_entry),
    .b_slot_i    (b_slot),
    .b_cluster_i (b_cluster),
    .b_high_i    (b_high),
    .b_data_o    (b_data)
  );

  // The subsample in the buffer began at the store pointer; by SWITCH the pointer is behind it.
  assign sample_addr_o = pointer - {48'd0, sample_bytes_o};
  assign state_o       = state;

  logic unused_bits;
  assign unused_bits = ^reg_wdata_i[63:32];

endmodule
