// SPDX-License-Identifier: Apache-2.0
// The engine of a core's in-memory collection as somebody else might have it: other names, reset
// active high, LDBAR at a port of its own or at the other one, increments and contexts of the threads
// in one word each, plain AXI, and answers out of registers. Behind it is src/rtl/imc/.
// core_collector.yaml is its MAP.
module core_collector #(
  parameter int Threads = 4
) (
  input  logic                  clock,
  input  logic                  reset,
  input  logic                  scan_enable,
  input  logic                  second_generation,
  input  logic [2:0]            threads,
  input  logic [4:0]            window,
  input  logic [63:0]           timebase,
  input  logic                  tick,
  input  logic                  powered,

  input  logic                  select,
  input  logic                  write,
  input  logic [3:0]            number,
  input  logic [63:0]           data,
  output logic [63:0]           result,
  output logic                  refused,

  input  logic [Threads-1:0]    bar_select,
  input  logic                  bar_write,
  input  logic [63:0]           bar_data,
  output logic [63:0]           bar_result,
  output logic                  bar_refused,

  output logic [Threads-1:0]    counting,
  output logic [Threads*7-1:0]  first_event,
  output logic [Threads*7-1:0]  second_event,
  input  logic [Threads*4-1:0]  first_count,
  input  logic [Threads*4-1:0]  second_count,
  input  logic [Threads*4-1:0]  instructions,
  input  logic [Threads*4-1:0]  cycles,
  input  logic [Threads*2-1:0]  state_of_thread,
  output logic [Threads-1:0]    snapshot,
  input  logic [Threads*64-1:0] at,
  input  logic [Threads*32-1:0] running,
  input  logic [Threads*32-1:0] partition,

  output logic                  m_awvalid,
  input  logic                  m_awready,
  output logic [63:0]           m_awaddr,
  output logic [7:0]            m_awlen,
  output logic                  m_wvalid,
  input  logic                  m_wready,
  output logic [63:0]           m_wdata,
  output logic [7:0]            m_wstrb,
  output logic                  m_wlast,
  input  logic                  m_bvalid,
  output logic                  m_bready,
  input  logic [1:0]            m_bresp,

  output logic [2:0]            phase,
  output logic                  written,
  output logic [1:0]            written_of,
  output logic [63:0]           written_at,
  output logic [1:0]            written_how,
  output logic [63:0]           written_when,
  output logic [31:0]           written_number,
  output logic [Threads-1:0]    lost,
  output logic [Threads-1:0]    dropped,
  output logic [Threads*64-1:0] dropped_at,
  output logic [Threads*64-1:0] dropped_when
);

  logic unused;
  assign unused = scan_enable;

  // Numbers from 8 on are those of the threads.
  logic [Threads-1:0] bar_en;
  logic               by_number;
  assign by_number = select && number[3];
  always_comb begin
    bar_en = bar_select;
    for (int t = 0; t < Threads; t++) begin
      if (by_number && (number[2:0] == 3'(t))) bar_en[t] = 1'b1;
    end
  end

  logic [63:0] reg_rdata, bar_rdata;
  logic        reg_err, bar_err, no_thread;
  assign no_thread = by_number && (number[2:0] >= threads);

  // What is read and the state come a cycle later.
  logic [2:0] state;
  always_ff @(posedge clock) begin
    result      <= by_number ? (no_thread ? 64'd0 : bar_rdata) : reg_rdata;
    refused     <= by_number ? no_thread || bar_err : reg_err;
    bar_result  <= bar_rdata;
    bar_refused <= bar_err;
    phase       <= reset ? 3'd0 : state;
  end

  logic [bus_pkg::ReqBits-1:0] req;
  logic [bus_pkg::RspBits-1:0] rsp;

  assign m_awvalid = req[bus_pkg::ReqAwValid];
  assign m_awaddr  = req[bus_pkg::ReqAwAddr +: 64];
  assign m_awlen   = req[bus_pkg::ReqAwLen +: 8];
  assign m_wvalid  = req[bus_pkg::ReqWValid];
  assign m_wdata   = req[bus_pkg::ReqWData +: 64];
  assign m_wstrb   = req[bus_pkg::ReqWStrb +: 8];
  assign m_wlast   = req[bus_pkg::ReqWLast];
  assign m_bready  = req[bus_pkg::ReqBReady];

  always_comb begin
    rsp = '0;
    rsp[bus_pkg::RspAwReady]    = m_awready;
    rsp[bus_pkg::RspWReady]     = m_wready;
    rsp[bus_pkg::RspBValid]     = m_bvalid;
    rsp[bus_pkg::RspBResp +: 2] = m_bresp;
  end

  imc_core #(
    .NrThread (Threads)
  ) u_core (
    .clk_i           (clock),
    .rst_ni          (!reset),
    .power10_i       (second_generation),
    .nr_thread_i     (threads),
    .tap_log2_i      (window),
    .tb_i            (timebase),
    .tb_tick_i       (tick),
    .power_i         (powered),
    .reg_en_i        (select && !by_number),
    .reg_write_i     (write),
    .reg_sel_i       (number),
    .reg_wdata_i     (data),
    .reg_rdata_o     (reg_rdata),
    .reg_err_o       (reg_err),
    .ldbar_en_i      (bar_en),
    .ldbar_write_i   (by_number ? write : bar_write),
    .ldbar_wdata_i   (by_number ? data : bar_data),
    .ldbar_rdata_o   (bar_rdata),
    .ldbar_err_o     (bar_err),
    .active_o        (counting),
    .code1_o         (first_event),
    .code2_o         (second_event),
    .inc1_i          (first_count),
    .inc2_i          (second_count),
    .inc3_i          (instructions),
    .inc4_i          (cycles),
    .mode_i          (state_of_thread),
    .capture_o       (snapshot),
    .pc_i            (at),
    .pid_i           (running),
    .lpid_i          (partition),
    .req_o           (req),
    .rsp_i           (rsp),
    .state_o         (state),
    .sample_valid_o  (written),
    .sample_thread_o (written_of),
    .sample_addr_o   (written_at),
    .sample_resp_o   (written_how),
    .sample_snap_o   (written_when),
    .sample_number_o (written_number),
    .lost_o          (lost),
    .dropped_o       (dropped),
    .dropped_addr_o  (dropped_at),
    .dropped_snap_o  (dropped_when)
  );

endmodule
