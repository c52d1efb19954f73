// SPDX-License-Identifier: Apache-2.0
// LDBAR of a thread, its record index and its record buffer (docs/hw/imc.md, "Trace mode").
module imc_trace (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,       // no power: reset state in the next cycle

  input  logic         power10_i,
  input  logic [63:0]  cycle_i,
  input  logic [63:0]  tb_i,
  input  logic [2:0]   buffersize_i,

  input  logic         put_i,         // LDBAR is written
  input  logic [63:0]  put_data_i,
  output logic [63:0]  ldbar_o,

  input  logic         capture_i,     // snapshot cycle
  input  logic [127:0] value_i,       // the counters, CPMC1 lowest
  input  logic [1:0]   mode_i,
  input  logic [63:0]  pc_i,
  input  logic [31:0]  pid_i,
  input  logic [31:0]  lpid_i,

  // Record buffer.
  input  logic         take_i,
  output logic         waits_o,
  output logic [55:0]  addr_o,
  output logic [63:0]  snap_o,        // its snapshot cycle
  output logic [511:0] record_o,      // word 0 lowest

  output logic         lost_o,
  output logic         dropped_o
);

  logic [63:0]  ldbar_q;
  logic [15:0]  index_q;
  logic         waits_q;
  logic [55:0]  addr_q;
  logic [63:0]  snap_q, tb_q, pc_q;
  logic [1:0]   mode_q;
  logic [11:0]  lpid_q;
  logic [31:0]  pid_q;
  logic [127:0] value_q;

  // --- index ---
  logic [16:0] limit, above;
  logic        in_limit;
  assign limit  = (buffersize_i > 3'd4) ? 17'd4096 : 17'd4096 << buffersize_i;
  assign above  = {1'b0, index_q} + 17'd1;
  assign in_limit = {1'b0, index_q} < limit;

  logic [55:0] addr;
  assign addr = {ldbar_q[55:13], 13'd0} + (in_limit ? {34'd0, index_q, 6'd0} : 56'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ldbar_q <= '0;
      index_q <= '0;
      waits_q <= 1'b0;
    end else if (clear_i) begin
      ldbar_q <= '0;
      index_q <= '0;
      waits_q <= 1'b0;
    end else if (put_i) begin
      ldbar_q <= put_data_i;
      waits_q <= 1'b0;
      if (put_data_i[62]) index_q <= '0;
    end else if (capture_i && !waits_q) begin
      waits_q <= 1'b1;
      index_q <= (above < limit) ? above[15:0] : 16'd0;
    end else if (take_i) begin
      waits_q <= 1'b0;
    end
  end

  // What the buffer holds while waits_q; a taken record is the writer's in the next cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addr_q  <= '0;
      snap_q  <= '0;
      tb_q    <= '0;
      pc_q    <= '0;
      mode_q  <= '0;
      lpid_q  <= '0;
      pid_q   <= '0;
      value_q <= '0;
    end else if (capture_i && !waits_q) begin
      addr_q  <= addr;
      snap_q  <= cycle_i;
      tb_q    <= tb_i;
      pc_q    <= pc_i;
      mode_q  <= power10_i ? mode_i : 2'd0;
      lpid_q  <= lpid_i[11:0];
      pid_q   <= pid_i;
      value_q <= value_i;
    end
  end

  assign ldbar_o  = ldbar_q;
  assign waits_o  = waits_q;
  assign addr_o   = addr_q;
  assign snap_o   = snap_q;
  assign record_o = {22'd0, tb_q[41:0],
                     32'd0, value_q[127:96], 32'd0, value_q[95:64],
                     32'd0, value_q[63:32], 32'd0, value_q[31:0],
                     mode_q, 18'd0, lpid_q, pid_q, pc_q, tb_q};

  // A record that the writer takes in the cycle of the write is the writer's.
  assign lost_o    = capture_i && !clear_i && (waits_q || put_i);
  assign dropped_o = put_i && waits_q && !take_i;

  logic unused_bits;
  assign unused_bits = ^{lpid_i[31:12], above[16]};

endmodule
