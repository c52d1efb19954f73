// SPDX-License-Identifier: Apache-2.0
// The IMC engine of a core: registers, windows, threads and the writer (docs/hw/imc.md).
module imc_core #(
  // Threads that are built; the strap nr_thread_i says how many of them exist.
  parameter int NrThread = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Straps.
  input  logic                   power10_i,
  input  logic [2:0]             nr_thread_i,
  input  logic [4:0]             tap_log2_i,

  input  logic [63:0]            tb_i,
  input  logic                   tb_tick_i,
  input  logic                   power_i,

  // Register port of the core.
  input  logic                   reg_en_i,
  input  logic                   reg_write_i,
  input  logic [3:0]             reg_sel_i,
  input  logic [63:0]            reg_wdata_i,
  output logic [63:0]            reg_rdata_o,
  output logic                   reg_err_o,

  // Register port of the threads: LDBAR.
  input  logic [NrThread-1:0]    ldbar_en_i,
  input  logic                   ldbar_write_i,
  input  logic [63:0]            ldbar_wdata_i,
  output logic [63:0]            ldbar_rdata_o,
  output logic                   ldbar_err_o,

  // What the core tells, a slice a thread.
  output logic [NrThread-1:0]    active_o,
  output logic [NrThread*7-1:0]  code1_o,
  output logic [NrThread*7-1:0]  code2_o,
  input  logic [NrThread*4-1:0]  inc1_i,
  input  logic [NrThread*4-1:0]  inc2_i,
  input  logic [NrThread*4-1:0]  inc3_i,
  input  logic [NrThread*4-1:0]  inc4_i,
  input  logic [NrThread*2-1:0]  mode_i,
  output logic [NrThread-1:0]    capture_o,
  input  logic [NrThread*64-1:0] pc_i,
  input  logic [NrThread*32-1:0] pid_i,
  input  logic [NrThread*32-1:0] lpid_i,

  // AXI4 manager port, write channels.
  output logic [bus_pkg::ReqBits-1:0] req_o,
  input  logic [bus_pkg::RspBits-1:0] rsp_i,

  // Monitor.
  output logic [2:0]             state_o,
  output logic                   sample_valid_o,
  output logic [1:0]             sample_thread_o,
  output logic [63:0]            sample_addr_o,
  output logic [1:0]             sample_resp_o,
  output logic [63:0]            sample_snap_o,
  output logic [31:0]            sample_number_o,
  output logic [NrThread-1:0]    lost_o,
  output logic [NrThread-1:0]    dropped_o,
  output logic [NrThread*64-1:0] dropped_addr_o,
  output logic [NrThread*64-1:0] dropped_snap_o
);

  wire [1:0] bresp = rsp_i[bus_pkg::RspBResp +: 2];

  // Bits of the registers: MSB-0 bit n is [63 - n].
  localparam int FirAddrErr  = 51;
  localparam int FirAckDead  = 50;
  localparam int RptTimeout  = 39;
  localparam int LdbarEnable = 63;
  localparam int LdbarTrace  = 62;

  // --- state ---
  logic [63:0]             cycle_q;
  logic [63:0]             htm_mode_q, pdbar_q, event_mask_q, trace_q;
  logic                    error_q, pdbar_error_q, addr_err_q, ack_dead_q, timeout_q;
  logic [NrThread*64-1:0]  ldbar;
  logic [NrThread*128-1:0] value;

  logic       off;                 // no power
  logic       end_any;             // a window ends with this cycle
  logic [6:0] slot;
  logic [1:0] window_thread;
  logic       on, frozen;
  assign off    = !power_i;
  assign on     = htm_mode_q[63] && (htm_mode_q[62:61] == 2'd3) && htm_mode_q[59];
  assign frozen = event_mask_q[29];

  // Probes know cycles: this count takes no part in what the engine does.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else         cycle_q <= cycle_q + 64'd1;
  end

  imc_window u_window (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .clear_i        (off),
    .nr_thread_i    (nr_thread_i),
    .tap_log2_i     (tap_log2_i),
    .tb_i           (tb_i),
    .tb_tick_i      (tb_tick_i),
    .on_i           (on),
    .freeze_i       (frozen),
    .ic_tap_i       (event_mask_q[33:31]),
    .disable_wrap_i (event_mask_q[30]),
    .one_event_i    (power10_i && event_mask_q[25]),
    .event_vtid_i   (event_mask_q[24:23]),
    .event_select_i (event_mask_q[22:18]),
    .state_o        (state_o),
    .end_o          (end_any),
    .slot_o         (slot),
    .thread_o       (window_thread)
  );

  // --- filter of the slot: for each mode, {HV, PR}, whether increments count ---
  logic [9:0] set1, set2, set;
  logic       hypervisor, privileged, problem, adjunct;
  logic [3:0] filter;
  assign set1 = event_mask_q[53:44];
  assign set2 = event_mask_q[43:34];
  assign set  = !slot[6] ? event_mask_q[63:54] | set1 | set2
              : slot[5]  ? set2 : set1;
  assign hypervisor = set[7];
  assign privileged = set[6];
  assign problem    = set[5];
  assign adjunct    = set[4];
  assign filter     = {adjunct || problem, hypervisor || privileged, problem, privileged};

  // --- threads ---
  logic [NrThread-1:0]     exists, put, traces, in_window, record_waits, take_record;
  logic [NrThread*16-1:0]  inc;
  logic [NrThread*56-1:0]  record_addr;
  logic [NrThread*64-1:0]  record_snap;
  logic [NrThread*512-1:0] record_data;

  for (genvar t = 0; t < NrThread; t++) begin : g_thread
    assign exists[t]    = 3'(t) < nr_thread_i;
    assign put[t]       = ldbar_en_i[t] && ldbar_write_i && exists[t] && power_i;
    assign traces[t]    = ldbar[64*t+LdbarTrace];
    assign in_window[t] = window_thread == 2'(t);
    assign active_o[t]  = traces[t] ? on && !frozen
                                    : in_window[t] && (state_o == imc_pkg::StateRun);
    assign code1_o[7*t +: 7] = traces[t] ? trace_q[29:23] : slot;
    assign code2_o[7*t +: 7] = traces[t] ? trace_q[22:16] : slot;

    assign inc[16*t +: 16] = {inc4_i[4*t +: 4], inc3_i[4*t +: 4],
                              inc2_i[4*t +: 4], inc1_i[4*t +: 4]};

    imc_cpmc u_cpmc (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (off),
      .active_i    (active_o[t]),
      .trace_i     (traces[t]),
      .zero_i      (!on || (end_any && in_window[t])),
      .filter_i    (filter),
      .mode_i      (mode_i[2*t +: 2]),
      .inc_i       (inc[16*t +: 16]),
      .sampsel_i   (trace_q[63:62]),
      .load_i      (trace_q[61:30]),
      .put_i       (put[t]),
      .put_trace_i (ldbar_wdata_i[LdbarTrace]),
      .value_o     (value[128*t +: 128]),
      .capture_o   (capture_o[t])
    );

    imc_trace u_trace (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .clear_i      (off),
      .power10_i    (power10_i),
      .cycle_i      (cycle_q),
      .tb_i         (tb_i),
      .buffersize_i (trace_q[15:13]),
      .put_i        (put[t]),
      .put_data_i   (ldbar_wdata_i),
      .ldbar_o      (ldbar[64*t +: 64]),
      .capture_i    (capture_o[t]),
      .value_i      (value[128*t +: 128]),
      .mode_i       (mode_i[2*t +: 2]),
      .pc_i         (pc_i[64*t +: 64]),
      .pid_i        (pid_i[32*t +: 32]),
      .lpid_i       (lpid_i[32*t +: 32]),
      .take_i       (take_record[t]),
      .waits_o      (record_waits[t]),
      .addr_o       (record_addr[56*t +: 56]),
      .snap_o       (record_snap[64*t +: 64]),
      .record_o     (record_data[512*t +: 512]),
      .lost_o       (lost_o[t]),
      .dropped_o    (dropped_o[t])
    );

    assign dropped_addr_o[64*t +: 64] = {8'd0, record_addr[56*t +: 56]};
    assign dropped_snap_o[64*t +: 64] = record_snap[64*t +: 64];
  end

  // --- post: the window's thread, unless it traces ---
  logic [63:0] window_ldbar;
  always_comb begin
    window_ldbar = '0;
    for (int t = 0; t < NrThread; t++) begin
      if (in_window[t]) window_ldbar = ldbar[64*t +: 64];
    end
  end

  logic         core_waits, thread_waits, take_core, take_thread, post_lost;
  logic [55:0]  core_addr, thread_addr;
  logic [255:0] post_data;

  imc_post #(
    .NrThread (NrThread)
  ) u_post (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .clear_i        (off),
    .power10_i      (power10_i),
    .nr_thread_i    (nr_thread_i),
    .end_i          (end_any && !window_ldbar[LdbarTrace]),
    .accumulate_i   (window_ldbar[LdbarEnable]),
    .slot_i         (slot),
    .thread_i       (window_thread),
    .pdbar_i        (pdbar_q),
    .ldbar_i        (window_ldbar),
    .value_i        (value),
    .inc_i          (inc),
    .mode_i         (mode_i),
    .filter_i       (filter),
    .take_core_i    (take_core),
    .take_thread_i  (take_thread),
    .core_waits_o   (core_waits),
    .thread_waits_o (thread_waits),
    .core_addr_o    (core_addr),
    .thread_addr_o  (thread_addr),
    .data_o         (post_data),
    .lost_o         (post_lost)
  );

  logic writing, writing_record, writing_core, done;

  imc_writer #(
    .NrThread (NrThread)
  ) u_writer (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .hold_i         (off),
    .core_waits_i   (core_waits),
    .thread_waits_i (thread_waits),
    .core_addr_i    (core_addr),
    .thread_addr_i  (thread_addr),
    .post_data_i    (post_data),
    .record_waits_i (record_waits),
    .record_addr_i  (record_addr),
    .record_snap_i  (record_snap),
    .record_data_i  (record_data),
    .take_core_o    (take_core),
    .take_thread_o  (take_thread),
    .take_record_o  (take_record),
    .busy_o         (writing),
    .record_o       (writing_record),
    .core_post_o    (writing_core),
    .done_o         (done),
    .thread_o       (sample_thread_o),
    .snap_o         (sample_snap_o),
    .number_o       (sample_number_o),
    .req_o          (req_o),
    .rsp_i          (rsp_i)
  );

  assign sample_valid_o = done && writing_record;
  assign sample_addr_o  = req_o[bus_pkg::ReqAwAddr +: 64];
  assign sample_resp_o  = bresp;

  // --- registers ---
  logic write;
  assign write = reg_en_i && reg_write_i && power_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      htm_mode_q   <= '0;
      pdbar_q      <= '0;
      event_mask_q <= '0;
      trace_q      <= '0;
    end else if (off) begin
      htm_mode_q   <= '0;
      pdbar_q      <= '0;
      event_mask_q <= '0;
      trace_q      <= '0;
    end else if (write) begin
      case (reg_sel_i)
        imc_pkg::SelHtmMode:   htm_mode_q   <= reg_wdata_i;
        imc_pkg::SelPdbar:     pdbar_q      <= reg_wdata_i;
        imc_pkg::SelEventMask: event_mask_q <= reg_wdata_i;
        imc_pkg::SelTrace:     trace_q      <= reg_wdata_i;
        default: ;
      endcase
    end
  end

  // Sticky bits: what happens wins over a write.
  logic failed;
  assign failed = done && (bresp != bus_pkg::RespOkay);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q       <= 1'b0;
      pdbar_error_q <= 1'b0;
      addr_err_q    <= 1'b0;
      ack_dead_q    <= 1'b0;
      timeout_q     <= 1'b0;
    end else if (off) begin
      error_q       <= 1'b0;
      pdbar_error_q <= 1'b0;
      addr_err_q    <= 1'b0;
      ack_dead_q    <= 1'b0;
      timeout_q     <= 1'b0;
    end else begin
      if (write && (reg_sel_i == imc_pkg::SelHtmMode)) begin
        error_q       <= 1'b0;
        pdbar_error_q <= 1'b0;
      end
      if (write && (reg_sel_i == imc_pkg::SelFir)) begin
        addr_err_q <= reg_wdata_i[FirAddrErr];
        ack_dead_q <= reg_wdata_i[FirAckDead];
      end
      if (write && (reg_sel_i == imc_pkg::SelErrRpt)) timeout_q <= reg_wdata_i[RptTimeout];
      if (failed)                                       error_q       <= 1'b1;
      if (failed && writing_core)                       pdbar_error_q <= 1'b1;
      if (done && (bresp == bus_pkg::RespDecErr))     addr_err_q    <= 1'b1;
      if (done && (bresp == bus_pkg::RespSlvErr))     ack_dead_q    <= 1'b1;
      if (post_lost)                                    timeout_q     <= 1'b1;
    end
  end

  // --- reads ---
  logic       trace_active;
  logic [3:0] count;
  assign trace_active = (traces != '0) || (record_waits != '0) || writing_record;
  always_comb begin
    count = {3'd0, core_waits} + {3'd0, thread_waits} + {3'd0, writing};
    for (int t = 0; t < NrThread; t++) begin
      count = count + {3'd0, record_waits[t]};
    end
  end

  logic [63:0] status;
  assign status = {error_q, trace_active, pdbar_error_q, 2'd0, 4'd0, state_o, count, 48'd0};

  logic [63:0] rdata;
  logic        known;
  always_comb begin
    rdata = '0;
    known = 1'b1;
    case (reg_sel_i)
      imc_pkg::SelHtmMode:   rdata = htm_mode_q;
      imc_pkg::SelStatus:    rdata = status;
      imc_pkg::SelPdbar:     rdata = pdbar_q;
      imc_pkg::SelEventMask: rdata = event_mask_q;
      imc_pkg::SelTrace:     rdata = trace_q;
      imc_pkg::SelFir: begin
        rdata[FirAddrErr] = addr_err_q;
        rdata[FirAckDead] = ack_dead_q;
      end
      imc_pkg::SelErrRpt:    rdata[RptTimeout] = timeout_q;
      default:               known = 1'b0;
    endcase
  end
  assign reg_err_o   = reg_en_i && (off || !known ||
                                    (reg_write_i && (reg_sel_i == imc_pkg::SelStatus)));
  assign reg_rdata_o = (reg_en_i && !reg_write_i && !reg_err_o) ? rdata : 64'd0;

  always_comb begin
    ldbar_rdata_o = '0;
    for (int t = 0; t < NrThread; t++) begin
      if (ldbar_en_i[t] && !ldbar_write_i && !ldbar_err_o) ldbar_rdata_o = ldbar[64*t +: 64];
    end
  end
  assign ldbar_err_o = (ldbar_en_i != '0) && (off || ((ldbar_en_i & ~exists) != '0));

  logic unused_bits;
  assign unused_bits = ^{set[9:8], set[3:0], trace_q[12:0]};

endmodule
