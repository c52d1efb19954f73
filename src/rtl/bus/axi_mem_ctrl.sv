// SPDX-License-Identifier: Apache-2.0
// Memory controller: AXI4 to storage outside (docs/hw/bus.md, "Memory controller").
module axi_mem_ctrl (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [9:0]  read_cycles_i,
  input  logic [9:0]  write_cycles_i,
  input  logic [3:0]  gap_cycles_i,
  input  logic        adds_i, // a write to an address with bit 56 adds

  input  logic [bus_pkg::ReqBits-1:0] req_i,
  output logic [bus_pkg::RspBits-1:0] rsp_o,

  // Storage: a read answers in its cycle, a write acts at the end of its cycle. A write that
  // adds reads the same doubleword in its cycle. mem_commit_o
  // is high in COMMIT, when the last beat of a burst has come.
  output logic        mem_read_o,
  output logic [63:0] mem_raddr_o,
  input  logic [63:0] mem_rdata_i,
  output logic        mem_write_o,
  output logic [63:0] mem_waddr_o,
  output logic [63:0] mem_wdata_o,
  output logic [7:0]  mem_wstrb_o,
  output logic        mem_commit_o
);

  // The request by its fields.
  wire [3:0]  awid = req_i[bus_pkg::ReqAwId +: 4];
  wire [63:0] awaddr = req_i[bus_pkg::ReqAwAddr +: 64];
  wire [7:0]  awlen = req_i[bus_pkg::ReqAwLen +: 8];
  wire [2:0]  awsize = req_i[bus_pkg::ReqAwSize +: 3];
  wire [1:0]  awburst = req_i[bus_pkg::ReqAwBurst +: 2];
  wire        awvalid = req_i[bus_pkg::ReqAwValid];
  wire [63:0] wdata = req_i[bus_pkg::ReqWData +: 64];
  wire [7:0]  wstrb = req_i[bus_pkg::ReqWStrb +: 8];
  wire        wlast = req_i[bus_pkg::ReqWLast];
  wire        wvalid = req_i[bus_pkg::ReqWValid];
  wire        bready = req_i[bus_pkg::ReqBReady];
  wire [3:0]  arid = req_i[bus_pkg::ReqArId +: 4];
  wire [63:0] araddr = req_i[bus_pkg::ReqArAddr +: 64];
  wire [7:0]  arlen = req_i[bus_pkg::ReqArLen +: 8];
  wire [2:0]  arsize = req_i[bus_pkg::ReqArSize +: 3];
  wire [1:0]  arburst = req_i[bus_pkg::ReqArBurst +: 2];
  wire        arvalid = req_i[bus_pkg::ReqArValid];
  wire        rready = req_i[bus_pkg::ReqRReady];
  logic wready;
  assign rsp_o[bus_pkg::RspWReady] = wready;

  typedef enum logic [2:0] {
    MemIdle,
    MemFetch,
    MemBeat,
    MemGap,
    MemTake,
    MemCommit,
    MemWait,
    MemRespond
  } mem_state_e;

  mem_state_e  state_d, state_q;
  logic [63:0] addr_d, addr_q;      // of the beat, 8-byte aligned
  logic [7:0]  beats_d, beats_q;    // left, minus one
  logic [10:0] wait_d, wait_q;      // cycles left in FETCH and WAIT, minus one
  logic [3:0]  gap_d, gap_q;        // cycles left of a gap
  logic [3:0]  id_d, id_q;
  logic [63:0] rdata_q;
  logic        read;                // storage is read in this cycle
  logic        write_q;
  logic [63:0] waddr_q, wdata_q;
  logic [7:0]  wstrb_q;
  logic        fetched_d, fetched_q; // FETCH: storage has been read
  logic        add_d, add_q;         // the write adds

  logic w_taken;
  assign w_taken = wvalid && wready;

  always_comb begin
    state_d   = state_q;
    addr_d    = addr_q;
    beats_d   = beats_q;
    wait_d    = wait_q;
    gap_d     = gap_q;
    id_d      = id_q;
    fetched_d = 1'b0;
    add_d     = add_q;
    read      = 1'b0;

    unique case (state_q)
      MemIdle: begin
        if (arvalid) begin
          addr_d  = {araddr[63:3], 3'd0};
          if (adds_i && (araddr[63:56] == 8'h01)) addr_d[63:56] = 8'd0;
          beats_d = arlen;
          id_d    = arid;
          wait_d  = {1'b0, read_cycles_i};
          state_d = MemFetch;
        end else if (awvalid) begin
          addr_d  = {awaddr[63:3], 3'd0};
          add_d   = adds_i && (awaddr[63:56] == 8'h01);
          if (add_d) addr_d[63:56] = 8'd0;
          id_d    = awid;
          gap_d   = '0;
          state_d = MemTake;
        end
      end

      MemFetch: begin
        read      = !fetched_q;
        fetched_d = 1'b1;
        wait_d    = wait_q - 11'd1;
        if (wait_q == 11'd0) begin
          state_d = MemBeat;
        end
      end

      MemBeat: begin
        // Without a gap the next beat is read while this one waits to be taken.
        read = (gap_cycles_i == 4'd0) && (beats_q != 8'd0);
        if (rready) begin
          beats_d = beats_q - 8'd1;
          addr_d  = addr_q + 64'd8;
          gap_d   = gap_cycles_i;
          if (beats_q == 8'd0) begin
            state_d = MemIdle;
          end else if (gap_cycles_i != 4'd0) begin
            state_d = MemGap;
          end
        end
      end

      MemGap: begin
        gap_d = gap_q - 4'd1;
        if (gap_q == 4'd1) begin
          read    = 1'b1;
          state_d = MemBeat;
        end
      end

      MemTake: begin
        if (gap_q != 4'd0) begin
          gap_d = gap_q - 4'd1;
        end
        if (w_taken) begin
          addr_d  = addr_q + 64'd8;
          gap_d   = gap_cycles_i;
          if (wlast) begin
            state_d = MemCommit;
          end
        end
      end

      MemCommit: begin
        wait_d  = {1'b0, write_cycles_i} - 11'd1;
        if (write_cycles_i == 10'd0) state_d = MemRespond;
        else                         state_d = MemWait;
      end

      MemWait: begin
        wait_d = wait_q - 11'd1;
        if (wait_q == 11'd0) begin
          state_d = MemRespond;
        end
      end

      MemRespond: begin
        if (bready) begin
          state_d = MemIdle;
        end
      end

      default: state_d = MemIdle;
    endcase
  end

  assign rsp_o[bus_pkg::RspArReady] = state_q == MemIdle;
  // Addresses of both directions in one cycle: the read is first.
  assign rsp_o[bus_pkg::RspAwReady] = (state_q == MemIdle) && !arvalid;
  assign wready = (state_q == MemTake) && (gap_q == 4'd0);
  assign rsp_o[bus_pkg::RspBValid] = state_q == MemRespond;
  assign rsp_o[bus_pkg::RspBResp +: 2] = bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspBId +: 4] = id_q;
  assign rsp_o[bus_pkg::RspRValid] = state_q == MemBeat;
  assign rsp_o[bus_pkg::RspRData +: 64] = rdata_q;
  assign rsp_o[bus_pkg::RspRResp +: 2] = bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspRLast] = beats_q == 8'd0;
  assign rsp_o[bus_pkg::RspRId +: 4] = id_q;

  // The big-endian sum of what is there and what was written.
  logic        adding;
  logic [63:0] there, more, sum, sum_bytes;
  assign adding = write_q && add_q;
  always_comb begin
    there     = '0;
    more      = '0;
    sum       = '0;
    sum_bytes = '0;
    if (adding) begin
      for (int i = 0; i < 8; i++) begin
        there[8*i +: 8] = mem_rdata_i[56 - 8*i +: 8];
        more[8*i +: 8]  = wdata_q[56 - 8*i +: 8];
      end
      sum = there + more;
      for (int i = 0; i < 8; i++) sum_bytes[8*i +: 8] = sum[56 - 8*i +: 8];
    end
  end

  assign mem_read_o   = read || adding;
  assign mem_raddr_o  = adding ? waddr_q : (state_q == MemBeat) ? addr_q + 64'd8 : addr_q;
  assign mem_write_o  = write_q;
  assign mem_waddr_o  = waddr_q;
  assign mem_wdata_o  = add_q ? sum_bytes : wdata_q;
  assign mem_wstrb_o  = (add_q && (wstrb_q != 8'hff)) ? 8'd0 : wstrb_q;
  assign mem_commit_o = state_q == MemCommit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= MemIdle;
      addr_q    <= '0;
      beats_q   <= '0;
      wait_q    <= '0;
      gap_q     <= '0;
      id_q      <= '0;
      fetched_q <= 1'b0;
      add_q     <= 1'b0;
      rdata_q   <= '0;
      write_q   <= 1'b0;
      waddr_q   <= '0;
      wdata_q   <= '0;
      wstrb_q   <= '0;
    end else begin
      state_q   <= state_d;
      addr_q    <= addr_d;
      beats_q   <= beats_d;
      wait_q    <= wait_d;
      gap_q     <= gap_d;
      id_q      <= id_d;
      fetched_q <= fetched_d;
      add_q     <= add_d;
      write_q   <= w_taken;
      if (read && ((state_q != MemBeat) || rready)) begin
        rdata_q <= mem_rdata_i;
      end
      if (w_taken) begin
        waddr_q <= addr_q;
        wdata_q <= wdata;
        wstrb_q <= wstrb;
      end
    end
  end

  // The fabric sends INCR bursts of whole, or single narrow, beats only.
  logic unused_fields;
  assign unused_fields = ^{awlen, awsize, awburst, arsize, arburst, araddr[2:0],
                           awaddr[2:0]};

endmodule
