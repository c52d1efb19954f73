// SPDX-License-Identifier: Apache-2.0
// The post buffer: the counts of a window that ended, for the core's memory and the thread's
// (docs/hw/imc.md, "Accumulation", "Post").
module imc_post #(
  parameter int NrThread = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,      // no power: reset state in the next cycle

  input  logic                    power10_i,
  input  logic [2:0]              nr_thread_i,

  input  logic                    end_i,        // a window that is posted ends with this cycle
  input  logic                    accumulate_i, // its thread's memory gets it too
  input  logic [6:0]              slot_i,
  input  logic [1:0]              thread_i,
  input  logic [63:0]             pdbar_i,
  input  logic [63:0]             ldbar_i,      // of the window's thread
  input  logic [NrThread*128-1:0] value_i,
  input  logic [NrThread*16-1:0]  inc_i,
  input  logic [NrThread*2-1:0]   mode_i,
  input  logic [3:0]              filter_i,

  input  logic                    take_core_i,
  input  logic                    take_thread_i,
  output logic                    core_waits_o,
  output logic                    thread_waits_o,
  output logic [55:0]             core_addr_o,
  output logic [55:0]             thread_addr_o,
  output logic [255:0]            data_o,       // CPMC1 lowest
  output logic                    lost_o
);

  localparam logic [55:0] FirstCounter = 56'h18;
  localparam logic [55:0] UpperHalf    = 56'h2000;

  logic         core_waits_q, thread_waits_q;
  logic [55:0]  core_addr_q, thread_addr_q;
  logic [127:0] value_q;

  logic empty, load;
  assign empty  = !core_waits_q && !thread_waits_q;
  assign load   = end_i && empty;
  assign lost_o = end_i && !empty;

  // --- addresses ---
  logic        split;
  logic [55:0] core_base, thread_base, in_slot;
  assign split = !power10_i && pdbar_i[62] && (nr_thread_i != 3'd1) &&
                 ({1'b0, thread_i} >= {1'b0, nr_thread_i[2:1]});
  assign core_base   = (power10_i ? {4'd0, pdbar_i[51:11], 11'd0} : {pdbar_i[55:13], 13'd0}) +
                       (split ? UpperHalf : 56'd0);
  assign thread_base = {ldbar_i[55:13], 13'd0};
  assign in_slot     = {43'd0, slot_i, 6'd0} + FirstCounter;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_waits_q   <= 1'b0;
      thread_waits_q <= 1'b0;
    end else if (clear_i) begin
      core_waits_q   <= 1'b0;
      thread_waits_q <= 1'b0;
    end else begin
      if (take_core_i)   core_waits_q   <= 1'b0;
      if (take_thread_i) thread_waits_q <= 1'b0;
      if (load) begin
        core_waits_q   <= 1'b1;
        thread_waits_q <= accumulate_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_addr_q   <= '0;
      thread_addr_q <= '0;
      value_q       <= '0;
    end else if (load) begin
      core_addr_q   <= core_base + in_slot;
      thread_addr_q <= thread_base + in_slot;
      for (int t = 0; t < NrThread; t++) begin
        if (thread_i == 2'(t)) begin
          for (int n = 0; n < 4; n++) begin
            value_q[32*n +: 32] <= value_i[128*t+32*n +: 32] +
                                   (filter_i[mode_i[2*t +: 2]] ? {28'd0, inc_i[16*t+4*n +: 4]}
                                                               : 32'd0);
          end
        end
      end
    end
  end

  // POWER10: times the windows of a round, 128 slots of each thread.
  logic [3:0] shift;
  assign shift = !power10_i ? 4'd0 : 4'd7 + {2'd0, nr_thread_i[2:1]};
  for (genvar n = 0; n < 4; n++) begin : g_value
    assign data_o[64*n +: 64] = {32'd0, value_q[32*n +: 32]} << shift;
  end

  assign core_waits_o   = core_waits_q;
  assign thread_waits_o = thread_waits_q;
  assign core_addr_o    = core_addr_q;
  assign thread_addr_o  = thread_addr_q;

  logic unused_bits;
  assign unused_bits = ^{pdbar_i[63], pdbar_i[61:56], pdbar_i[10:0], ldbar_i[63:56],
                         ldbar_i[12:0]};

endmodule
