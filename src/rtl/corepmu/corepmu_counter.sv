// One counter of a core PMU and its overflow flag: 64 bits, an increment of 0..255 a cycle
// (docs/hw/corepmu.md, "Counting"). A write or a clear beats the increment of its cycle; an
// overflow beats a clear of the flag. All that hangs on the core's pins is within the clocked
// process: a simulator looks at it once a cycle, and not at all where nothing counts.
module corepmu_counter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        offline_i,    // no power: the state is lost
  input  logic        enable_i,     // it may count: enable, range, power
  input  logic [5:0]  filter_i,     // P U NSK NSU NSH M
  input  logic        no_el2_i,     // prohibited there
  input  logic        no_el3_i,
  input  logic        wide_i,       // overflow is the carry out of bit 63, else of bit 31
  input  logic [1:0]  mode_i,
  input  logic [7:0]  inc_i,
  input  logic        clear_i,
  input  logic [1:0]  write_i,      // low word, high word
  input  logic [63:0] wdata_i,
  input  logic        flag_set_i,
  input  logic        flag_clear_i,
  output logic [63:0] value_o,
  output logic        flag_o
);

  logic [63:0] value_q;
  logic        flag_q;

  function automatic logic passes(input logic [5:0] filter, input logic no_el2,
                                  input logic no_el3, input logic [1:0] mode);
    unique case (mode)
      2'd0:    passes = filter[4] == filter[2];
      2'd1:    passes = filter[5] == filter[3];
      2'd2:    passes = filter[1] && !no_el2;
      default: passes = (filter[0] == filter[5]) && !no_el3;
    endcase
  endfunction

  function automatic logic [63:0] add(input logic [63:0] count, input logic [7:0] inc);
    add = count + {56'd0, inc};
  endfunction

  // An increment is small: it has carried where the sum is the smaller one.
  function automatic logic carries(input logic [63:0] count, input logic [63:0] sum,
                                   input logic wide);
    carries = wide ? (sum < count) : (sum[31:0] < count[31:0]);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
      flag_q  <= 1'b0;
    end else if (offline_i) begin
      value_q <= '0;
      flag_q  <= 1'b0;
    end else begin
      if (flag_clear_i) flag_q <= 1'b0;
      if (flag_set_i)   flag_q <= 1'b1;
      if (clear_i) begin
        value_q <= '0;
      end else if (write_i != 2'b00) begin
        if (write_i[0]) value_q[31:0]  <= wdata_i[31:0];
        if (write_i[1]) value_q[63:32] <= wdata_i[63:32];
      end else if (enable_i) begin
        if (passes(filter_i, no_el2_i, no_el3_i, mode_i)) begin
          value_q <= add(value_q, inc_i);
          if (carries(value_q, add(value_q, inc_i), wide_i)) flag_q <= 1'b1;
        end
      end
    end
  end

  assign value_o = value_q;
  assign flag_o  = flag_q;

endmodule
