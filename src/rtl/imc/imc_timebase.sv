// SPDX-License-Identifier: Apache-2.0
// The timebase: tb_start + floor(t tb_num / tb_den), by a phase (docs/hw/imc.md, "Timebase").
module imc_timebase (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [63:0] tb_start_i,
  input  logic [15:0] tb_num_i,  // at most tb_den_i
  input  logic [15:0] tb_den_i,

  output logic [63:0] tb_o,
  output logic        tb_tick_o  // the timebase differs from that of the cycle before
);

  logic        first_q;          // cycle 0: the strap cannot be a reset value
  logic [63:0] tb_q;
  logic [15:0] phase_q;          // t tb_num mod tb_den
  logic        tick_q;

  logic [16:0] sum, rest;
  logic        tick;
  assign sum  = {1'b0, phase_q} + {1'b0, tb_num_i};
  assign tick = sum >= {1'b0, tb_den_i};
  assign rest = tick ? sum - {1'b0, tb_den_i} : sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      tb_q    <= '0;
      phase_q <= '0;
      tick_q  <= 1'b0;
    end else begin
      first_q <= 1'b0;
      tb_q    <= tb_o + {63'd0, tick};
      phase_q <= rest[15:0];
      tick_q  <= tick;
    end
  end

  assign tb_o      = first_q ? tb_start_i : tb_q;
  assign tb_tick_o = tick_q;

  logic unused_bit;
  assign unused_bit = rest[16];

endmodule
