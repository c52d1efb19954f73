// SPDX-License-Identifier: Apache-2.0
// Up to eight counters of a core PMU and their overflow flags: 64 bits each, an increment of 0..255 a
// cycle (docs/hw/corepmu.md, "Counting"). A write or a clear beats the increment of its cycle; an
// overflow beats a clear of the flag.
//
// A counter is its 15 low bits, in a lane of 16 beside those of others, and the 49 bits above. All
// lanes count by two additions; what is above moves only when a lane carries. All that hangs on the
// core's pins is within the clocked process: a simulator looks at it once a cycle, and in nearly all
// cycles at nothing but the lanes.
module corepmu_counters #(
  parameter int NrCounter = 8
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   offline_i,    // no power: the state is lost
  input  logic [NrCounter-1:0]   count_i,      // enabled, and not filtered out
  input  logic [NrCounter-1:0]   wide_i,       // overflow is the carry out of bit 63, else of bit 31
  input  logic [8*NrCounter-1:0] inc_i,

  // A write to some of them.
  input  logic [NrCounter-1:0]   write_i,
  input  logic                   clear_i,
  input  logic [1:0]             halves_i,     // of the value: low word, high word
  input  logic [63:0]            wdata_i,
  input  logic                   flag_set_i,
  input  logic                   flag_clear_i,

  // A read of one.
  input  logic [NrCounter-1:0]   read_i,
  output logic [63:0]            value_o,
  output logic [NrCounter-1:0]   flag_o
);

  localparam logic [63:0] Bytes = 64'h00ff_00ff_00ff_00ff;
  localparam logic [63:0] Lanes = 64'h7fff_7fff_7fff_7fff;

  // Counters 0, 2, 4, 6 and 1, 3, 5, 7.
  logic [63:0]             even_q, odd_q;
  logic [49*NrCounter-1:0] high_q;
  logic [NrCounter-1:0]    flag_q;

  // A byte for each of eight bits.
  function automatic logic [63:0] spread(input logic [7:0] bits);
    spread = {28'd0, bits[7:4], 28'd0, bits[3:0]};
    spread = (spread | (spread << 14)) & 64'h0003_0003_0003_0003;
    spread = (spread | (spread << 7)) & 64'h0101_0101_0101_0101;
    spread = spread | (spread << 1);
    spread = spread | (spread << 2);
    spread = spread | (spread << 4);
  endfunction

  // What a write replaces does not count.
  logic [NrCounter-1:0] counts, replaced;
  assign replaced = (clear_i || (halves_i != 2'b00)) ? write_i : '0;
  assign counts   = count_i & ~replaced;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_count
    logic [63:0]             step, even, odd;
    logic [49*NrCounter-1:0] high;
    logic [NrCounter-1:0]    flags, carries;

    if (!rst_ni) begin
      even_q <= '0;
      odd_q  <= '0;
      high_q <= '0;
      flag_q <= '0;
    end else if (offline_i) begin
      even_q <= '0;
      odd_q  <= '0;
      high_q <= '0;
      flag_q <= '0;
    end else if ((counts | write_i) != '0) begin
      step = 64'(inc_i) & spread(8'(counts));
      even = even_q + (step & Bytes);
      odd  = odd_q + ((step >> 8) & Bytes);
      if ((((even | odd) & ~Lanes) != 64'd0) || (write_i != '0)) begin
        high  = high_q;
        flags = flag_q;
        if (flag_clear_i) flags = flags & ~write_i;
        if (flag_set_i)   flags = flags | write_i;
        for (int n = 0; n < NrCounter; n++) begin
          carries[n] = (n % 2 == 0) ? even[8*n+15] : odd[8*n+7];
          if (carries[n]) begin
            if (wide_i[n] ? (high[49*n +: 49] == '1) : (high[49*n +: 17] == '1)) flags[n] = 1'b1;
            high[49*n +: 49] = high[49*n +: 49] + 49'd1;
          end
          if (write_i[n] && (clear_i || halves_i[0])) begin
            if (n % 2 == 0) even[8*n +: 15]  = clear_i ? '0 : wdata_i[14:0];
            else            odd[8*n-8 +: 15] = clear_i ? '0 : wdata_i[14:0];
            high[49*n +: 17] = clear_i ? '0 : wdata_i[31:15];
          end
          if (write_i[n] && (clear_i || halves_i[1])) begin
            high[49*n+17 +: 32] = clear_i ? '0 : wdata_i[63:32];
          end
        end
        high_q <= high;
        flag_q <= flags;
      end
      even_q <= even & Lanes;
      odd_q  <= odd & Lanes;
    end
  end

  always_comb begin
    value_o = '0;
    if (read_i != '0) begin
      for (int n = 0; n < NrCounter; n++) begin
        if (read_i[n]) begin
          value_o = {high_q[49*n +: 49], (n % 2 == 0) ? even_q[8*n +: 15] : odd_q[8*n-8 +: 15]};
        end
      end
    end
  end

  assign flag_o = flag_q;

endmodule
