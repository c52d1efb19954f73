// SPDX-License-Identifier: Apache-2.0
// The sample buffer: one subsample, written field by field by the lanes, read as 32-bit halves
// by the engine (docs/hw/pmcu.md, "What is written"); and which slots have failed ("Failed slots"):
// they read as the sign and zeros.
module pmcu_buffer #(
  parameter int NrLane = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  clear_i,    // a run begins
  input  logic                  commit_i,   // the subsample is over
  input  logic [NrLane-1:0]     put_i,
  input  logic [NrLane*3-1:0]   fail_i,     // run, next, now
  input  logic [NrLane-1:0]     fail_all_i,
  input  logic [NrLane*4-1:0]   entry_i,
  input  logic [NrLane*3-1:0]   slot_i,
  input  logic [NrLane*4-1:0]   cluster_i,
  input  logic [NrLane*64-1:0]  data_i,

  // Two halves: of which field, whose, low or high word.
  input  logic [3:0]            a_entry_i,
  input  logic [2:0]            a_slot_i,
  input  logic [3:0]            a_cluster_i,
  input  logic                  a_high_i,
  output logic [31:0]           a_data_o,
  input  logic [3:0]            b_entry_i,
  input  logic [2:0]            b_slot_i,
  input  logic [3:0]            b_cluster_i,
  input  logic                  b_high_i,
  output logic [31:0]           b_data_o
);

  logic [63:0]  fields [2048];
  logic [127:0] run_q, next_q, now_q;

  logic [63:0] a_field, b_field;
  assign a_field = fields[{a_entry_i, a_slot_i, a_cluster_i}];
  assign b_field = fields[{b_entry_i, b_slot_i, b_cluster_i}];

  function automatic logic [31:0] half(input logic failed, input logic high,
                                       input logic [63:0] value);
    if (failed) half = 32'd0;
    else        half = high ? value[63:32] : value[31:0];
  endfunction

  logic a_failed, b_failed;
  assign a_failed = run_q[{a_slot_i, a_cluster_i}] || now_q[{a_slot_i, a_cluster_i}];
  assign b_failed = run_q[{b_slot_i, b_cluster_i}] || now_q[{b_slot_i, b_cluster_i}];
  assign a_data_o = half(a_failed, a_high_i, a_field);
  assign b_data_o = half(b_failed, b_high_i, b_field);

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < NrLane; l++) begin
      if (put_i[l]) begin
        fields[{entry_i[4*l +: 4], slot_i[3*l +: 3], cluster_i[4*l +: 4]}] <= data_i[64*l +: 64];
      end
    end
  end

  // No lane is busy when a run begins or a subsample is over.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q  <= '0;
      next_q <= '0;
      now_q  <= '0;
    end else if (clear_i) begin
      run_q  <= '0;
      next_q <= '0;
      now_q  <= '0;
    end else if (commit_i) begin
      next_q <= '0;
      now_q  <= next_q;
    end else if (fail_i != '0) begin
      for (int l = 0; l < NrLane; l++) begin
        for (int s = 0; s < 8; s++) begin
          if (fail_all_i[l] || (slot_i[3*l +: 3] == 3'(s))) begin
            if (fail_i[3*l+2]) run_q[{3'(s), cluster_i[4*l +: 4]}]  <= 1'b1;
            if (fail_i[3*l+1]) next_q[{3'(s), cluster_i[4*l +: 4]}] <= 1'b1;
            if (fail_i[3*l])   now_q[{3'(s), cluster_i[4*l +: 4]}]  <= 1'b1;
          end
        end
      end
    end
  end

endmodule
