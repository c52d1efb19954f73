// SPDX-License-Identifier: Apache-2.0
// A PMCU as somebody else might have it: other names, plain AXI with the ports side by side, four
// registers at other offsets, reset active high, reads a cycle later, and an interrupt out of a
// register. Behind it is src/rtl/pmcu/. sampler.yaml is its MAP.
module sampler #(
  parameter int Ports = 2
) (
  input  logic                clock,
  input  logic                reset,
  input  logic                scan_enable,
  input  logic [1:0]          die,
  input  logic [4:0]          clusters,
  input  logic [3:0]          cores,
  input  logic [2:0]          ports_used,
  input  logic                all_at_once,
  input  logic                prefetch,
  input  logic [1:0]          stop_order,
  input  logic                long_counters,
  input  logic                posting,
  input  logic [15:0]         tick,

  input  logic                select,
  input  logic                write,
  input  logic [15:0]         offset,
  input  logic                double,
  input  logic [63:0]         data,
  output logic [63:0]         result,
  output logic                refused,

  output logic [Ports-1:0]    m_awvalid,
  input  logic [Ports-1:0]    m_awready,
  output logic [Ports*64-1:0] m_awaddr,
  output logic [Ports*8-1:0]  m_awlen,
  output logic [Ports*3-1:0]  m_awsize,
  output logic [Ports-1:0]    m_wvalid,
  input  logic [Ports-1:0]    m_wready,
  output logic [Ports*64-1:0] m_wdata,
  output logic [Ports*8-1:0]  m_wstrb,
  output logic [Ports-1:0]    m_wlast,
  input  logic [Ports-1:0]    m_bvalid,
  output logic [Ports-1:0]    m_bready,
  input  logic [Ports*2-1:0]  m_bresp,
  output logic [Ports-1:0]    m_arvalid,
  input  logic [Ports-1:0]    m_arready,
  output logic [Ports*64-1:0] m_araddr,
  output logic [Ports*8-1:0]  m_arlen,
  output logic [Ports*3-1:0]  m_arsize,
  input  logic [Ports-1:0]    m_rvalid,
  output logic [Ports-1:0]    m_rready,
  input  logic [Ports*64-1:0] m_rdata,
  input  logic [Ports*2-1:0]  m_rresp,
  input  logic [Ports-1:0]    m_rlast,

  output logic                irq,
  output logic [3:0]          phase,
  output logic                committed,
  output logic [63:0]         committed_at,
  output logic [31:0]         committed_number,
  output logic [15:0]         committed_bytes
);

  logic unused;
  assign unused = scan_enable;

  // FSM_STATUS, FSM_CFG, FSM_CTRL and FSM_BRK lie 0x800 higher here.
  logic [15:0] at;
  always_comb begin
    case (offset)
      16'h800, 16'h804, 16'h838, 16'h83c: at = offset - 16'h800;
      16'h000, 16'h004, 16'h038, 16'h03c: at = 16'h0fc;
      default: at = offset;
    endcase
  end

  logic        line;
  always_ff @(posedge clock) irq <= reset ? 1'b0 : line;

  logic [Ports*bus_pkg::ReqBits-1:0] req;
  logic [Ports*bus_pkg::RspBits-1:0] rsp;

  // A read is asked for a cycle later.
  logic [Ports-1:0] asked;

  for (genvar p = 0; p < Ports; p++) begin : g_port
    localparam int Q = p * bus_pkg::ReqBits;
    localparam int S = p * bus_pkg::RspBits;

    assign m_awvalid[p]         = req[Q + bus_pkg::ReqAwValid];
    assign m_awaddr[64*p +: 64] = req[Q + bus_pkg::ReqAwAddr +: 64];
    assign m_awlen[8*p +: 8]    = req[Q + bus_pkg::ReqAwLen +: 8];
    assign m_awsize[3*p +: 3]   = req[Q + bus_pkg::ReqAwSize +: 3];
    assign m_wvalid[p]          = req[Q + bus_pkg::ReqWValid];
    assign m_wdata[64*p +: 64]  = req[Q + bus_pkg::ReqWData +: 64];
    assign m_wstrb[8*p +: 8]    = req[Q + bus_pkg::ReqWStrb +: 8];
    assign m_wlast[p]           = req[Q + bus_pkg::ReqWLast];
    assign m_bready[p]          = req[Q + bus_pkg::ReqBReady];
    assign m_arvalid[p]         = req[Q + bus_pkg::ReqArValid] && asked[p];
    assign m_araddr[64*p +: 64] = req[Q + bus_pkg::ReqArAddr +: 64];
    assign m_arlen[8*p +: 8]    = req[Q + bus_pkg::ReqArLen +: 8];
    assign m_arsize[3*p +: 3]   = req[Q + bus_pkg::ReqArSize +: 3];
    assign m_rready[p]          = req[Q + bus_pkg::ReqRReady];

    always_ff @(posedge clock)
      asked[p] <= !reset && req[Q + bus_pkg::ReqArValid] && !(asked[p] && m_arready[p]);

    assign rsp[S +: bus_pkg::RspBits] = {
      m_arready[p] && asked[p], m_wready[p], m_awready[p], m_bvalid[p], m_rvalid[p], m_rlast[p],
      m_bresp[2*p +: 2], m_rresp[2*p +: 2], 8'd0, m_rdata[64*p +: 64]
    };
  end

  pmcu #(
    .NrLane (Ports)
  ) u_pmcu (
    .clk_i           (clock),
    .rst_ni          (!reset),
    .die_i           (die),
    .nr_cluster_i    (clusters),
    .nr_slot_i       (cores),
    .nr_lane_i       (ports_used),
    .broadcast_i     (all_at_once),
    .prefetch_i      (prefetch),
    .order_i         (stop_order),
    .ext64_i         (long_counters),
    .posted_i        (posting),
    .tick_cycles_i   (tick),
    .reg_en_i        (select),
    .reg_write_i     (write),
    .reg_addr_i      (at),
    .reg_wide_i      (double),
    .reg_wdata_i     (data),
    .reg_rdata_o     (result),
    .reg_err_o       (refused),
    .req_o           (req),
    .rsp_i           (rsp),
    .irq_o           (line),
    .state_o         (phase),
    .sample_valid_o  (committed),
    .sample_addr_o   (committed_at),
    .sample_number_o (committed_number),
    .sample_bytes_o  (committed_bytes)
  );

endmodule
