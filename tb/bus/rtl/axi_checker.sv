// SPDX-License-Identifier: Apache-2.0
// AXI4 rules on one port, as sticky bits (docs/hw/bus.md, "What a manager may ask for"). It looks
// only at the wires of the port. With Strict, what is asked has to be legal too: so it is behind
// the fabric, which answers whatever is malformed by itself.
module axi_checker #(
  parameter bit Strict = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [bus_pkg::ReqBits-1:0] req_i,
  input  logic [bus_pkg::RspBits-1:0] rsp_i,

  // 0..4: AW, W, B, AR, R: VALID fell, or its payload changed, before READY.
  // 5, 6: AW, AR while one is outstanding.  7, 8: AW, AR is malformed (Strict).
  // 9: WLAST early, late, or W data of nobody.  10: B out of turn.  11: BID.
  // 12: R out of turn.  13: RLAST early or late.  14: RID.  15: reserved response (EXOKAY).
  output logic [15:0] violation_o
);

  // The port by its fields.
  wire [3:0]  awid = req_i[bus_pkg::ReqAwId +: 4];
  wire [63:0] awaddr = req_i[bus_pkg::ReqAwAddr +: 64];
  wire [7:0]  awlen = req_i[bus_pkg::ReqAwLen +: 8];
  wire [2:0]  awsize = req_i[bus_pkg::ReqAwSize +: 3];
  wire [1:0]  awburst = req_i[bus_pkg::ReqAwBurst +: 2];
  wire        awvalid = req_i[bus_pkg::ReqAwValid];
  wire        awready = rsp_i[bus_pkg::RspAwReady];
  wire [63:0] wdata = req_i[bus_pkg::ReqWData +: 64];
  wire [7:0]  wstrb = req_i[bus_pkg::ReqWStrb +: 8];
  wire        wlast = req_i[bus_pkg::ReqWLast];
  wire        wvalid = req_i[bus_pkg::ReqWValid];
  wire        wready = rsp_i[bus_pkg::RspWReady];
  wire [3:0]  bid = rsp_i[bus_pkg::RspBId +: 4];
  wire [1:0]  bresp = rsp_i[bus_pkg::RspBResp +: 2];
  wire        bvalid = rsp_i[bus_pkg::RspBValid];
  wire        bready = req_i[bus_pkg::ReqBReady];
  wire [3:0]  arid = req_i[bus_pkg::ReqArId +: 4];
  wire [63:0] araddr = req_i[bus_pkg::ReqArAddr +: 64];
  wire [7:0]  arlen = req_i[bus_pkg::ReqArLen +: 8];
  wire [2:0]  arsize = req_i[bus_pkg::ReqArSize +: 3];
  wire [1:0]  arburst = req_i[bus_pkg::ReqArBurst +: 2];
  wire        arvalid = req_i[bus_pkg::ReqArValid];
  wire        arready = rsp_i[bus_pkg::RspArReady];
  wire [3:0]  rid = rsp_i[bus_pkg::RspRId +: 4];
  wire [63:0] rdata = rsp_i[bus_pkg::RspRData +: 64];
  wire [1:0]  rresp = rsp_i[bus_pkg::RspRResp +: 2];
  wire        rlast = rsp_i[bus_pkg::RspRLast];
  wire        rvalid = rsp_i[bus_pkg::RspRValid];
  wire        rready = req_i[bus_pkg::ReqRReady];

  function automatic logic malformed(input logic [63:0] addr, input logic [7:0] len,
                                     input logic [2:0] size, input logic [1:0] burst);
    logic [63:0] mask, last;
    mask = (64'd1 << size) - 64'd1;
    last = addr + (({56'd0, len} + 64'd1) << size) - 64'd1;
    malformed = (burst != 2'd1) || (size > 3'd3) || (len > 8'd15) ||
                ((len != 8'd0) && (size != 3'd3)) || ((addr & mask) != 64'd0) ||
                (((addr ^ last) >> 12) != 64'd0);
  endfunction

  // --- 0..4: what was offered and not taken is offered again ---
  logic [80:0] aw, ar;
  logic [72:0] w;
  logic [5:0]  b;
  logic [70:0] r;
  assign aw = {awid, awaddr, awlen, awsize, awburst};
  assign ar = {arid, araddr, arlen, arsize, arburst};
  assign w  = {wdata, wstrb, wlast};
  assign b  = {bid, bresp};
  assign r  = {rid, rdata, rresp, rlast};

  logic        aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q;
  logic [80:0] aw_q, ar_q;
  logic [72:0] w_q;
  logic [5:0]  b_q;
  logic [70:0] r_q;

  // --- what is outstanding ---
  logic       write_q;    // AW taken, B not yet
  logic [7:0] wlen_q;
  logic [3:0] wid_q;
  logic [8:0] wbeats_q;   // W beats taken since the last B; they may be before AW
  logic       wdone_q;    // WLAST taken
  logic       read_q;
  logic [7:0] rleft_q;
  logic [3:0] rid_q;

  logic aw_now, w_now, b_now, ar_now, r_now;
  assign aw_now = awvalid && awready;
  assign w_now  = wvalid && wready;
  assign b_now  = bvalid && bready;
  assign ar_now = arvalid && arready;
  assign r_now  = rvalid && rready;

  // A W beat is judged when the length is known: at the beat, or at AW if that comes later.
  logic       w_bad;
  logic [8:0] wbeats;
  assign wbeats = wbeats_q + {8'd0, w_now};
  always_comb begin
    w_bad = w_now && (wdone_q || (Strict && !write_q));
    if (write_q && w_now) begin
      if (wlast != (wbeats_q == {1'b0, wlen_q})) w_bad = 1'b1;
    end
    if (aw_now && (wbeats != 9'd0)) begin
      if (wdone_q || (w_now && wlast)) begin
        if (wbeats != ({1'b0, awlen} + 9'd1)) w_bad = 1'b1;
      end else if (wbeats > {1'b0, awlen}) begin
        w_bad = 1'b1;
      end
    end
  end

  logic [15:0] bad;
  assign bad[0]  = aw_wait_q && (!awvalid || (aw != aw_q));
  assign bad[1]  = w_wait_q && (!wvalid || (w != w_q));
  assign bad[2]  = b_wait_q && (!bvalid || (b != b_q));
  assign bad[3]  = ar_wait_q && (!arvalid || (ar != ar_q));
  assign bad[4]  = r_wait_q && (!rvalid || (r != r_q));
  assign bad[5]  = awvalid && write_q;
  assign bad[6]  = arvalid && read_q;
  assign bad[7]  = Strict && awvalid && malformed(awaddr, awlen, awsize, awburst);
  assign bad[8]  = Strict && arvalid && malformed(araddr, arlen, arsize, arburst);
  assign bad[9]  = w_bad;
  assign bad[10] = bvalid && !(write_q && wdone_q);
  assign bad[11] = bvalid && (bid != wid_q);
  assign bad[12] = rvalid && !read_q;
  assign bad[13] = rvalid && (rlast != (rleft_q == 8'd0));
  assign bad[14] = rvalid && (rid != rid_q);
  assign bad[15] = (bvalid && (bresp == 2'd1)) || (rvalid && (rresp == 2'd1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      violation_o <= '0;
      aw_wait_q   <= 1'b0;
      w_wait_q    <= 1'b0;
      b_wait_q    <= 1'b0;
      ar_wait_q   <= 1'b0;
      r_wait_q    <= 1'b0;
      aw_q        <= '0;
      w_q         <= '0;
      b_q         <= '0;
      ar_q        <= '0;
      r_q         <= '0;
      write_q     <= 1'b0;
      wlen_q      <= '0;
      wid_q       <= '0;
      wbeats_q    <= '0;
      wdone_q     <= 1'b0;
      read_q      <= 1'b0;
      rleft_q     <= '0;
      rid_q       <= '0;
    end else begin
      violation_o <= violation_o | bad;
      aw_wait_q   <= awvalid && !awready;
      w_wait_q    <= wvalid && !wready;
      b_wait_q    <= bvalid && !bready;
      ar_wait_q   <= arvalid && !arready;
      r_wait_q    <= rvalid && !rready;
      aw_q        <= aw;
      w_q         <= w;
      b_q         <= b;
      ar_q        <= ar;
      r_q         <= r;

      if (aw_now) begin
        write_q <= 1'b1;
        wlen_q  <= awlen;
        wid_q   <= awid;
      end
      wbeats_q <= wbeats;
      if (w_now && wlast) wdone_q <= 1'b1;
      if (b_now) begin
        write_q  <= 1'b0;
        wbeats_q <= '0;
        wdone_q  <= 1'b0;
      end
      if (ar_now) begin
        read_q  <= 1'b1;
        rleft_q <= arlen;
        rid_q   <= arid;
      end
      if (r_now) begin
        rleft_q <= rleft_q - 8'd1;
        if (rlast) read_q <= 1'b0;
      end
    end
  end

endmodule
