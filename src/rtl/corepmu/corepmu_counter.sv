// One counter of a core PMU: 64 bits, an increment of 0..15 a cycle (docs/hw/corepmu.md,
// "Counting"). A write or a clear beats the increment of its cycle.
module corepmu_counter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        count_i,    // it counts in this cycle
  input  logic [3:0]  inc_i,
  input  logic        wide_i,     // overflow is the carry out of bit 63, else of bit 31
  input  logic        clear_i,
  input  logic [1:0]  write_i,    // low word, high word
  input  logic [63:0] wdata_i,
  output logic [63:0] value_o,
  output logic        overflow_o  // the addition of this cycle carries
);

  logic [63:0] value_q, sum;
  logic        lost;

  // An increment is small: it has carried where the sum is the smaller one.
  assign sum  = value_q + {60'd0, inc_i};
  assign lost = clear_i || (write_i != 2'b00);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (clear_i) begin
      value_q <= '0;
    end else if (write_i != 2'b00) begin
      if (write_i[0]) value_q[31:0]  <= wdata_i[31:0];
      if (write_i[1]) value_q[63:32] <= wdata_i[63:32];
    end else if (count_i) begin
      value_q <= sum;
    end
  end

  assign value_o    = value_q;

  always_comb begin
    overflow_o = 1'b0;
    if (count_i && !lost) begin
      overflow_o = wide_i ? (sum < value_q) : (sum[31:0] < value_q[31:0]);
    end
  end

endmodule
