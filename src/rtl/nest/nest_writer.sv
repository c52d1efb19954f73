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
  output logic [1:0]  bresp_o,

  // AXI4 manager port.
  output logic [3:0]  awid_o,
  output logic [63:0] awaddr_o,
  output logic [7:0]  awlen_o,
  output logic [2:0]  awsize_o,
  output logic [1:0]  awburst_o,
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic [63:0] wdata_o,
  output logic [7:0]  wstrb_o,
  output logic        wlast_o,
  output logic        wvalid_o,
  input  logic        wready_i,
  input  logic [3:0]  bid_i,
  input  logic [1:0]  bresp_i,
  input  logic        bvalid_i,
  output logic        bready_o,
  output logic [3:0]  arid_o,
  output logic [63:0] araddr_o,
  output logic [7:0]  arlen_o,
  output logic [2:0]  arsize_o,
  output logic [1:0]  arburst_o,
  output logic        arvalid_o,
  input  logic        arready_i,
  input  logic [3:0]  rid_i,
  input  logic [63:0] rdata_i,
  input  logic [1:0]  rresp_i,
  input  logic        rlast_i,
  input  logic        rvalid_i,
  output logic        rready_o
);

  logic        busy_q, write_q, failed_q;
  logic        ar_q, aw_q, w_q;
  logic [63:0] addr_q;
  logic [3:0]  last_q;   // beats but one
  logic [3:0]  beat_q;

  // Memory is big-endian: the first byte lane has the most significant byte.
  function automatic logic [63:0] swapped(input logic [63:0] word);
    swapped = {word[7:0], word[15:8], word[23:16], word[31:24],
               word[39:32], word[47:40], word[55:48], word[63:56]};
  endfunction

  logic read_beat;
  assign read_beat = busy_q && !write_q && rvalid_i;
  assign done_o    = busy_q && (write_q ? bvalid_i : (rvalid_i && rlast_i));
  assign error_o   = failed_q || (rresp_i != 2'd0);

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
      if (arready_i) ar_q <= 1'b0;
      if (awready_i) aw_q <= 1'b0;
      if (w_q && wready_i) begin
        beat_q <= beat_q + 4'd1;
        if (beat_q == last_q) w_q <= 1'b0;
      end
      if (read_beat) begin
        beat_q <= beat_q + 4'd1;
        if (rresp_i != 2'd0) failed_q <= 1'b1;
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
  assign word_o    = swapped(rdata_i);
  assign bresp_o   = bresp_i;

  assign awid_o    = 4'd0;
  assign awaddr_o  = addr_q;
  assign awlen_o   = {4'd0, last_q};
  assign awsize_o  = 3'd3;
  assign awburst_o = 2'd1;
  assign awvalid_o = aw_q;
  assign wdata_o   = swapped(word_i);
  assign wstrb_o   = 8'hff;
  assign wlast_o   = beat_q == last_q;
  assign wvalid_o  = w_q;
  assign bready_o  = 1'b1;
  assign arid_o    = 4'd0;
  assign araddr_o  = addr_q;
  assign arlen_o   = {4'd0, last_q};
  assign arsize_o  = 3'd3;
  assign arburst_o = 2'd1;
  assign arvalid_o = ar_q;
  assign rready_o  = 1'b1;

  logic unused_ids;
  assign unused_ids = ^{bid_i, rid_i};

endmodule
