// The sample buffer: one subsample, written field by field by the lanes, read as 32-bit halves
// by the engine (docs/hw/pmcu.md, "What is written"). A slot that failed reads as zero.
module pmcu_buffer #(
  parameter int NrLane = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [NrLane-1:0]     put_i,
  input  logic [NrLane-1:0]     mark_i,
  input  logic [NrLane-1:0]     failed_i,
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
  logic [127:0] failed_q;

  logic [63:0] a_field, b_field;
  assign a_field = fields[{a_entry_i, a_slot_i, a_cluster_i}];
  assign b_field = fields[{b_entry_i, b_slot_i, b_cluster_i}];

  assign a_data_o = failed_q[{a_slot_i, a_cluster_i}] ? 32'd0
                                                      : (a_high_i ? a_field[63:32] : a_field[31:0]);
  assign b_data_o = failed_q[{b_slot_i, b_cluster_i}] ? 32'd0
                                                      : (b_high_i ? b_field[63:32] : b_field[31:0]);

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < NrLane; l++) begin
      if (put_i[l]) begin
        fields[{entry_i[4*l +: 4], slot_i[3*l +: 3], cluster_i[4*l +: 4]}] <= data_i[64*l +: 64];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_q <= '0;
    end else begin
      for (int l = 0; l < NrLane; l++) begin
        if (mark_i[l]) begin
          failed_q[{slot_i[3*l +: 3], cluster_i[4*l +: 4]}] <= failed_i[l];
        end
      end
    end
  end

endmodule
