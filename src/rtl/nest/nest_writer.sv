// SPDX-License-Identifier: Apache-2.0
// The bus port of the engine: one burst of doublewords, read or written (docs/hw/nest.md,
// "Transfer"). The request rises in the cycle after start_i; done_o is the last handshake.
module nest_writer (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,
  input  logic        write_i,
  input  logic [63:0] addr_i,
  input  logic [4:0]  beats_i,   // 1..16

  output logic [3:0]  beat_o,    // written next, or read now
  input  logic [63:0] word_i,    // of the beat, as a number
  output logic        word_en_o, // a doubleword was read
  output logic [63:0] word_o,
  output logic        done_o,
  output logic        error_o,   // of a read, with done_o: of any of its beats

  // AXI4 manager port.
  output logic [bus_pkg::ReqBits-1:0] req_o,
  input  logic [bus_pkg::RspBits-1:0] rsp_i
);

  // The response by its fields.
  wire        awready = rsp_i[bus_pkg::RspAwReady];
  wire        wready = rsp_i[bus_pkg::RspWReady];
  wire [3:0]  bid = rsp_i[bus_pkg::RspBId +: 4];
  wire        bvalid = rsp_i[bus_pkg::RspBValid];
  wire        arready = rsp_i[bus_pkg::RspArReady];
  wire [3:0]  rid = rsp_i[bus_pkg::RspRId +: 4];
  wire [63:0] rdata = rsp_i[bus_pkg::RspRData +: 64];
  wire [1:0]  rresp = rsp_i[bus_pkg::RspRResp +: 2];
  wire        rlast = rsp_i[bus_pkg::RspRLast];
  wire        rvalid = rsp_i[bus_pkg::RspRValid];

  logic        busy_q, write_q, failed_q;
  logic        ar_q, aw_q, w_q;
  logic [63:0] addr_q;
  logic [3:0]  last_q;   // beats but one
  logic [3:0]  beat_q;

  // Memory is big-endian: the first byte lane has the most significant byte.
  function automatic logic [63:0] swapped(input logic [63:0] native);
    swapped = {native[7:0], native[15:8], native[23:16], native[31:24],
               native[39:32], native[47:40], native[55:48], native[63:56]};
  endfunction

  logic read_beat;
  assign read_beat = busy_q && !write_q && rvalid;
  assign done_o    = busy_q && (write_q ? bvalid : (rvalid && rlast));
  assign error_o   = failed_q || (rresp != 2'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      write_q  <= 1'b0;
      failed_q <= 1'b0;
      ar_q     <= 1'b0;
      aw_q     <= 1'b0;
      w_q      <= 1'b0;
      addr_q   <= '0;
      last_q   <= '0;
      beat_q   <= '0;
    end else begin
      if (arready) ar_q <= 1'b0;
      if (awready) aw_q <= 1'b0;
      if (w_q && wready) begin
        beat_q <= beat_q + 4'd1;
        if (beat_q == last_q) w_q <= 1'b0;
      end
      if (read_beat) begin
        beat_q <= beat_q + 4'd1;
        if (rresp != 2'd0) failed_q <= 1'b1;
      end
      if (done_o) busy_q <= 1'b0;
      if (start_i) begin
        busy_q   <= 1'b1;
        write_q  <= write_i;
        failed_q <= 1'b0;
        ar_q     <= !write_i;
        aw_q     <= write_i;
        w_q      <= write_i;
        addr_q   <= addr_i;
        last_q   <= 4'(beats_i - 5'd1);
        beat_q   <= '0;
      end
    end
  end

  assign beat_o    = beat_q;
  assign word_en_o = read_beat;
  assign word_o    = swapped(rdata);

  assign req_o[bus_pkg::ReqAwId +: 4] = 4'd0;
  assign req_o[bus_pkg::ReqAwAddr +: 64] = addr_q;
  assign req_o[bus_pkg::ReqAwLen +: 8] = {4'd0, last_q};
  assign req_o[bus_pkg::ReqAwSize +: 3] = 3'd3;
  assign req_o[bus_pkg::ReqAwBurst +: 2] = 2'd1;
  assign req_o[bus_pkg::ReqAwValid] = aw_q;
  assign req_o[bus_pkg::ReqWData +: 64] = swapped(word_i);
  assign req_o[bus_pkg::ReqWStrb +: 8] = 8'hff;
  assign req_o[bus_pkg::ReqWLast] = beat_q == last_q;
  assign req_o[bus_pkg::ReqWValid] = w_q;
  assign req_o[bus_pkg::ReqBReady] = 1'b1;
  assign req_o[bus_pkg::ReqArId +: 4] = 4'd0;
  assign req_o[bus_pkg::ReqArAddr +: 64] = addr_q;
  assign req_o[bus_pkg::ReqArLen +: 8] = {4'd0, last_q};
  assign req_o[bus_pkg::ReqArSize +: 3] = 3'd3;
  assign req_o[bus_pkg::ReqArBurst +: 2] = 2'd1;
  assign req_o[bus_pkg::ReqArValid] = ar_q;
  assign req_o[bus_pkg::ReqRReady] = 1'b1;

  logic unused_ids;
  assign unused_ids = ^{bid, rid, rsp_i[bus_pkg::RspBResp +: 2]};

endmodule
