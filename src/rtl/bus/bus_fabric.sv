// SPDX-License-Identifier: Apache-2.0
// The fabric: decoder, paths, and the wires between managers, paths and targets
// (docs/hw/bus.md). Manager m and target s have bundle m or s of the AXI4 ports.
module bus_fabric #(
  parameter int NrManager = 2,
  // Number 0 is memory; the hole is not counted.
  parameter int NrTarget  = 4
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     shared_i,
  input  logic [7:0]               forward_cycles_i,
  input  logic [7:0]               return_cycles_i,
  input  logic                     adds_i,
  // The targets' windows.
  input  logic [NrTarget*64-1:0]   t_base_i,
  input  logic [NrTarget*64-1:0]   t_size_i,

  // Bundles, a manager's or a target's beside the other.
  input  logic [NrManager*bus_pkg::ReqBits-1:0] m_req_i,
  output logic [NrManager*bus_pkg::RspBits-1:0] m_rsp_o,
  output logic [NrTarget*bus_pkg::ReqBits-1:0]  t_req_o,
  input  logic [NrTarget*bus_pkg::RspBits-1:0]  t_rsp_i,

  // The guard, a set of pins a path.
  output logic [NrTarget:0]          chk_valid_o,
  output logic [NrTarget:0]          chk_write_o,
  output logic [(NrTarget+1)*64-1:0] chk_addr_o,
  output logic [(NrTarget+1)*8-1:0]  chk_bytes_o,
  input  logic [NrTarget:0]          chk_error_i,
  input  logic [(NrTarget+1)*16-1:0] chk_stall_i
);

  localparam int NrPath      = NrTarget + 1;
  localparam int NrRequester = 2 * NrManager;
  localparam int TargetWidth = $clog2(NrTarget + 1);

  // Reads and writes of the managers as requesters.
  logic [NrRequester-1:0]             req_valid;
  logic [NrRequester*TargetWidth-1:0] req_target;
  logic [NrRequester*64-1:0]          req_addr;
  logic [NrRequester*8-1:0]           req_len;
  logic [NrRequester*3-1:0]           req_size;
  logic [NrRequester*2-1:0]           req_burst;
  logic [NrRequester*4-1:0]           req_id;

  for (genvar m = 0; m < NrManager; m++) begin : g_requester
    localparam int At = bus_pkg::ReqBits * m;
    assign req_valid[2*m] = m_req_i[At + bus_pkg::ReqArValid];
    assign req_addr[64*2*m +: 64] = m_req_i[At + bus_pkg::ReqArAddr +: 64];
    assign req_len[8*2*m +: 8] = m_req_i[At + bus_pkg::ReqArLen +: 8];
    assign req_size[3*2*m +: 3] = m_req_i[At + bus_pkg::ReqArSize +: 3];
    assign req_burst[2*2*m +: 2] = m_req_i[At + bus_pkg::ReqArBurst +: 2];
    assign req_id[4*2*m +: 4] = m_req_i[At + bus_pkg::ReqArId +: 4];

    assign req_valid[2*m+1] = m_req_i[At + bus_pkg::ReqAwValid];
    assign req_addr[64*(2*m+1) +: 64] = m_req_i[At + bus_pkg::ReqAwAddr +: 64];
    assign req_len[8*(2*m+1) +: 8] = m_req_i[At + bus_pkg::ReqAwLen +: 8];
    assign req_size[3*(2*m+1) +: 3] = m_req_i[At + bus_pkg::ReqAwSize +: 3];
    assign req_burst[2*(2*m+1) +: 2] = m_req_i[At + bus_pkg::ReqAwBurst +: 2];
    assign req_id[4*(2*m+1) +: 4] = m_req_i[At + bus_pkg::ReqAwId +: 4];
  end

  for (genvar r = 0; r < NrRequester; r++) begin : g_decoder
    bus_decoder #(
      .NrTarget    (NrTarget),
      .TargetWidth (TargetWidth)
    ) u_decoder (
      .adds_i   (adds_i),
      .base_i   (t_base_i),
      .size_i   (t_size_i),
      .valid_i  (req_valid[r]),
      .addr_i   (req_addr[64*r +: 64]),
      .target_o (req_target[TargetWidth*r +: TargetWidth])
    );
  end

  // What each path says.
  logic [NrPath*NrRequester-1:0] p_grant;
  logic [NrPath*NrManager-1:0]   p_owner;
  logic [NrPath-1:0]             p_wready, p_bvalid, p_rvalid, p_rlast;
  logic [NrPath*2-1:0]           p_bresp, p_rresp;
  logic [NrPath*64-1:0]          p_rdata, p_addr, p_wdata;
  logic [NrPath*TargetWidth-1:0] p_target;
  logic [NrPath*4-1:0]           p_id;
  logic [NrPath*8-1:0]           p_len, p_wstrb;
  logic [NrPath*3-1:0]           p_size;
  logic [NrPath-1:0]             p_awvalid, p_wvalid, p_wlast, p_bready, p_arvalid, p_rready;

  for (genvar p = 0; p < NrPath; p++) begin : g_path
    logic [NrRequester-1:0] req;
    always_comb begin
      req = '0;
      if (req_valid != '0) begin
        for (int r = 0; r < NrRequester; r++) begin
          req[r] = req_valid[r] &&
                   (shared_i ? (p == 0)
                             : (req_target[TargetWidth*r +: TargetWidth] == TargetWidth'(p)));
        end
      end
    end

    // The guard knows memory by its own address, also where a write adds.
    logic [63:0] chk_addr;
    assign chk_addr_o[64*p +: 64] =
        (adds_i && (chk_addr[63:56] == 8'h01) && (p_target[TargetWidth*p +: TargetWidth] ==
                                                  TargetWidth'(bus_pkg::TargetMemory))) ?
        {8'd0, chk_addr[55:0]} : chk_addr;

    // The wires of the target that this path talks to; the hole has none.
    logic        busy, awready, wready, bvalid, arready, rvalid, rlast;
    logic [1:0]  bresp, rresp;
    logic [63:0] rdata;
    always_comb begin
      awready = 1'b0;
      wready  = 1'b0;
      bvalid  = 1'b0;
      bresp   = bus_pkg::RespOkay;
      arready = 1'b0;
      rvalid  = 1'b0;
      rlast   = 1'b0;
      rresp   = bus_pkg::RespOkay;
      rdata   = '0;
      if (busy) begin
        for (int s = 0; s < NrTarget; s++) begin
          if (p_target[TargetWidth*p +: TargetWidth] == TargetWidth'(s)) begin
            awready = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspAwReady];
            wready  = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspWReady];
            bvalid  = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspBValid];
            bresp   = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspBResp +: 2];
            arready = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspArReady];
            rvalid  = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspRValid];
            rlast   = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspRLast];
            rresp   = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspRResp +: 2];
            rdata   = t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspRData +: 64];
          end
        end
      end
    end

    bus_path #(
      .NrManager   (NrManager),
      .TargetWidth (TargetWidth),
      .Hole        (NrTarget)
    ) u_path (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .forward_cycles_i (forward_cycles_i),
      .return_cycles_i  (return_cycles_i),
      .req_i            (req),
      .req_target_i     (req_target),
      .req_addr_i       (req_addr),
      .req_len_i        (req_len),
      .req_size_i       (req_size),
      .req_burst_i      (req_burst),
      .req_id_i         (req_id),
      .grant_o          (p_grant[NrRequester*p +: NrRequester]),
      .chk_valid_o      (chk_valid_o[p]),
      .chk_write_o      (chk_write_o[p]),
      .chk_addr_o       (chk_addr),
      .chk_bytes_o      (chk_bytes_o[8*p +: 8]),
      .chk_error_i      (chk_error_i[p]),
      .chk_stall_i      (chk_stall_i[16*p +: 16]),
      .owner_o          (p_owner[NrManager*p +: NrManager]),
      .m_req_i          (m_req_i),
      .m_wready_o       (p_wready[p]),
      .m_bvalid_o       (p_bvalid[p]),
      .m_bresp_o        (p_bresp[2*p +: 2]),
      .m_rvalid_o       (p_rvalid[p]),
      .m_rdata_o        (p_rdata[64*p +: 64]),
      .m_rresp_o        (p_rresp[2*p +: 2]),
      .m_rlast_o        (p_rlast[p]),
      .busy_o           (busy),
      .t_target_o       (p_target[TargetWidth*p +: TargetWidth]),
      .t_id_o           (p_id[4*p +: 4]),
      .t_addr_o         (p_addr[64*p +: 64]),
      .t_len_o          (p_len[8*p +: 8]),
      .t_size_o         (p_size[3*p +: 3]),
      .t_awvalid_o      (p_awvalid[p]),
      .t_awready_i      (awready),
      .t_wvalid_o       (p_wvalid[p]),
      .t_wdata_o        (p_wdata[64*p +: 64]),
      .t_wstrb_o        (p_wstrb[8*p +: 8]),
      .t_wlast_o        (p_wlast[p]),
      .t_wready_i       (wready),
      .t_bvalid_i       (bvalid),
      .t_bresp_i        (bresp),
      .t_bready_o       (p_bready[p]),
      .t_arvalid_o      (p_arvalid[p]),
      .t_arready_i      (arready),
      .t_rvalid_i       (rvalid),
      .t_rdata_i        (rdata),
      .t_rresp_i        (rresp),
      .t_rlast_i        (rlast),
      .t_rready_o       (p_rready[p])
    );
  end

  // A manager hears the one path that carries its read, and the one with its write.
  for (genvar m = 0; m < NrManager; m++) begin : g_manager
    localparam int At = bus_pkg::RspBits * m;
    always_comb begin
      m_rsp_o[At + bus_pkg::RspArReady] = 1'b0;
      m_rsp_o[At + bus_pkg::RspAwReady] = 1'b0;
      m_rsp_o[At + bus_pkg::RspWReady] = 1'b0;
      m_rsp_o[At + bus_pkg::RspBValid] = 1'b0;
      m_rsp_o[At + bus_pkg::RspBResp +: 2] = bus_pkg::RespOkay;
      m_rsp_o[At + bus_pkg::RspBId +: 4] = '0;
      m_rsp_o[At + bus_pkg::RspRValid] = 1'b0;
      m_rsp_o[At + bus_pkg::RspRData +: 64] = '0;
      m_rsp_o[At + bus_pkg::RspRResp +: 2] = bus_pkg::RespOkay;
      m_rsp_o[At + bus_pkg::RspRLast] = 1'b0;
      m_rsp_o[At + bus_pkg::RspRId +: 4] = '0;
      for (int p = 0; p < NrPath; p++) begin
        if (p_grant[NrRequester*p + 2*m])     m_rsp_o[At + bus_pkg::RspArReady] = 1'b1;
        if (p_grant[NrRequester*p + 2*m + 1]) m_rsp_o[At + bus_pkg::RspAwReady] = 1'b1;
        if (p_owner[NrManager*p + m]) begin
          if (p_wready[p]) m_rsp_o[At + bus_pkg::RspWReady] = 1'b1;
          if (p_bvalid[p]) begin
            m_rsp_o[At + bus_pkg::RspBValid] = 1'b1;
            m_rsp_o[At + bus_pkg::RspBResp +: 2] = p_bresp[2*p +: 2];
            m_rsp_o[At + bus_pkg::RspBId +: 4] = p_id[4*p +: 4];
          end
          if (p_rvalid[p]) begin
            m_rsp_o[At + bus_pkg::RspRValid] = 1'b1;
            m_rsp_o[At + bus_pkg::RspRData +: 64] = p_rdata[64*p +: 64];
            m_rsp_o[At + bus_pkg::RspRResp +: 2] = p_rresp[2*p +: 2];
            m_rsp_o[At + bus_pkg::RspRLast] = p_rlast[p];
            m_rsp_o[At + bus_pkg::RspRId +: 4] = p_id[4*p +: 4];
          end
        end
      end
    end
  end

  // A target hears the path that has its number, or path 0 when that one serves all.
  for (genvar s = 0; s < NrTarget; s++) begin : g_target
    localparam int At = bus_pkg::ReqBits * s;
    logic mine;
    assign mine = shared_i ? (p_target[TargetWidth-1:0] == TargetWidth'(s)) : 1'b1;

    logic [3:0]  id;
    logic [63:0] addr;
    logic [7:0]  len;
    logic [2:0]  size;
    assign id   = shared_i ? p_id[3:0]    : p_id[4*s +: 4];
    assign addr = shared_i ? p_addr[63:0] : p_addr[64*s +: 64];
    assign len  = shared_i ? p_len[7:0]   : p_len[8*s +: 8];
    assign size = shared_i ? p_size[2:0]  : p_size[3*s +: 3];

    assign t_req_o[At + bus_pkg::ReqAwId +: 4] = id;
    assign t_req_o[At + bus_pkg::ReqAwAddr +: 64] = addr;
    assign t_req_o[At + bus_pkg::ReqAwLen +: 8] = len;
    assign t_req_o[At + bus_pkg::ReqAwSize +: 3] = size;
    assign t_req_o[At + bus_pkg::ReqAwBurst +: 2] = 2'd1;
    assign t_req_o[At + bus_pkg::ReqAwValid] = mine && (shared_i ? p_awvalid[0] : p_awvalid[s]);
    assign t_req_o[At + bus_pkg::ReqWData +: 64] = shared_i ? p_wdata[63:0] : p_wdata[64*s +: 64];
    assign t_req_o[At + bus_pkg::ReqWStrb +: 8] = shared_i ? p_wstrb[7:0] : p_wstrb[8*s +: 8];
    assign t_req_o[At + bus_pkg::ReqWLast] = shared_i ? p_wlast[0] : p_wlast[s];
    assign t_req_o[At + bus_pkg::ReqWValid] = mine && (shared_i ? p_wvalid[0] : p_wvalid[s]);
    assign t_req_o[At + bus_pkg::ReqBReady] = mine && (shared_i ? p_bready[0] : p_bready[s]);
    assign t_req_o[At + bus_pkg::ReqArId +: 4] = id;
    assign t_req_o[At + bus_pkg::ReqArAddr +: 64] = addr;
    assign t_req_o[At + bus_pkg::ReqArLen +: 8] = len;
    assign t_req_o[At + bus_pkg::ReqArSize +: 3] = size;
    assign t_req_o[At + bus_pkg::ReqArBurst +: 2] = 2'd1;
    assign t_req_o[At + bus_pkg::ReqArValid] = mine && (shared_i ? p_arvalid[0] : p_arvalid[s]);
    assign t_req_o[At + bus_pkg::ReqRReady] = mine && (shared_i ? p_rready[0] : p_rready[s]);
  end

  // Paths answer with the IDs of their managers; those that targets return are not needed.
  logic [NrTarget-1:0] unused_target_ids;
  for (genvar s = 0; s < NrTarget; s++) begin : g_unused
    assign unused_target_ids[s] = ^{t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspBId +: 4],
                                    t_rsp_i[bus_pkg::RspBits*s + bus_pkg::RspRId +: 4]};
  end
  // The hole's path has no target.
  logic unused_ids;
  assign unused_ids = ^{p_id[4*NrTarget +: 4], p_addr[64*NrTarget +: 64],
                        p_len[8*NrTarget +: 8], p_size[3*NrTarget +: 3], p_awvalid[NrTarget],
                        p_wvalid[NrTarget], p_wdata[64*NrTarget +: 64], p_wstrb[8*NrTarget +: 8],
                        p_wlast[NrTarget], p_bready[NrTarget], p_arvalid[NrTarget],
                        p_rready[NrTarget]};

endmodule
