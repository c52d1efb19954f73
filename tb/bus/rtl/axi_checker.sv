// AXI4 rules on one port, as sticky bits (docs/hw/bus.md, "What a manager may ask for"). It looks
// only at the wires of the port. With Strict, what is asked has to be legal too: so it is behind
// the fabric, which answers whatever is malformed by itself.
module axi_checker #(
  parameter bit Strict = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [3:0]  awid_i,
  input  logic [63:0] awaddr_i,
  input  logic [7:0]  awlen_i,
  input  logic [2:0]  awsize_i,
  input  logic [1:0]  awburst_i,
  input  logic        awvalid_i,
  input  logic        awready_i,
  input  logic [63:0] wdata_i,
  input  logic [7:0]  wstrb_i,
  input  logic        wlast_i,
  input  logic        wvalid_i,
  input  logic        wready_i,
  input  logic [3:0]  bid_i,
  input  logic [1:0]  bresp_i,
  input  logic        bvalid_i,
  input  logic        bready_i,
  input  logic [3:0]  arid_i,
  input  logic [63:0] araddr_i,
  input  logic [7:0]  arlen_i,
  input  logic [2:0]  arsize_i,
  input  logic [1:0]  arburst_i,
  input  logic        arvalid_i,
  input  logic        arready_i,
  input  logic [3:0]  rid_i,
  input  logic [63:0] rdata_i,
  input  logic [1:0]  rresp_i,
  input  logic        rlast_i,
  input  logic        rvalid_i,
  input  logic        rready_i,

  // 0..4: AW, W, B, AR, R: VALID fell, or its payload changed, before READY.
  // 5, 6: AW, AR while one is outstanding.  7, 8: AW, AR is malformed (Strict).
  // 9: WLAST early, late, or W data of nobody.  10: B out of turn.  11: BID.
  // 12: R out of turn.  13: RLAST early or late.  14: RID.  15: reserved response (EXOKAY).
  output logic [15:0] violation_o
);

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
  assign aw = {awid_i, awaddr_i, awlen_i, awsize_i, awburst_i};
  assign ar = {arid_i, araddr_i, arlen_i, arsize_i, arburst_i};
  assign w  = {wdata_i, wstrb_i, wlast_i};
  assign b  = {bid_i, bresp_i};
  assign r  = {rid_i, rdata_i, rresp_i, rlast_i};

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
  assign aw_now = awvalid_i && awready_i;
  assign w_now  = wvalid_i && wready_i;
  assign b_now  = bvalid_i && bready_i;
  assign ar_now = arvalid_i && arready_i;
  assign r_now  = rvalid_i && rready_i;

  // A W beat is judged when the length is known: at the beat, or at AW if that comes later.
  logic       w_bad;
  logic [8:0] wbeats;
  assign wbeats = wbeats_q + {8'd0, w_now};
  always_comb begin
    w_bad = w_now && (wdone_q || (Strict && !write_q));
    if (write_q && w_now) begin
      if (wlast_i != (wbeats_q == {1'b0, wlen_q})) w_bad = 1'b1;
    end
    if (aw_now && (wbeats != 9'd0)) begin
      if (wdone_q || (w_now && wlast_i)) begin
        if (wbeats != ({1'b0, awlen_i} + 9'd1)) w_bad = 1'b1;
      end else if (wbeats > {1'b0, awlen_i}) begin
        w_bad = 1'b1;
      end
    end
  end

  logic [15:0] bad;
  assign bad[0]  = aw_wait_q && (!awvalid_i || (aw != aw_q));
  assign bad[1]  = w_wait_q && (!wvalid_i || (w != w_q));
  assign bad[2]  = b_wait_q && (!bvalid_i || (b != b_q));
  assign bad[3]  = ar_wait_q && (!arvalid_i || (ar != ar_q));
  assign bad[4]  = r_wait_q && (!rvalid_i || (r != r_q));
  assign bad[5]  = awvalid_i && write_q;
  assign bad[6]  = arvalid_i && read_q;
  assign bad[7]  = Strict && awvalid_i && malformed(awaddr_i, awlen_i, awsize_i, awburst_i);
  assign bad[8]  = Strict && arvalid_i && malformed(araddr_i, arlen_i, arsize_i, arburst_i);
  assign bad[9]  = w_bad;
  assign bad[10] = bvalid_i && !(write_q && wdone_q);
  assign bad[11] = bvalid_i && (bid_i != wid_q);
  assign bad[12] = rvalid_i && !read_q;
  assign bad[13] = rvalid_i && (rlast_i != (rleft_q == 8'd0));
  assign bad[14] = rvalid_i && (rid_i != rid_q);
  assign bad[15] = (bvalid_i && (bresp_i == 2'd1)) || (rvalid_i && (rresp_i == 2'd1));

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
      aw_wait_q   <= awvalid_i && !awready_i;
      w_wait_q    <= wvalid_i && !wready_i;
      b_wait_q    <= bvalid_i && !bready_i;
      ar_wait_q   <= arvalid_i && !arready_i;
      r_wait_q    <= rvalid_i && !rready_i;
      aw_q        <= aw;
      w_q         <= w;
      b_q         <= b;
      ar_q        <= ar;
      r_q         <= r;

      if (aw_now) begin
        write_q <= 1'b1;
        wlen_q  <= awlen_i;
        wid_q   <= awid_i;
      end
      wbeats_q <= wbeats;
      if (w_now && wlast_i) wdone_q <= 1'b1;
      if (b_now) begin
        write_q  <= 1'b0;
        wbeats_q <= '0;
        wdone_q  <= 1'b0;
      end
      if (ar_now) begin
        read_q  <= 1'b1;
        rleft_q <= arlen_i;
        rid_q   <= arid_i;
      end
      if (r_now) begin
        rleft_q <= rleft_q - 8'd1;
        if (rlast_i) read_q <= 1'b0;
      end
    end
  end

endmodule
