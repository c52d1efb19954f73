// SPDX-License-Identifier: Apache-2.0
// Cycles since reset, and the ticks of the controller that were not taken yet
// (docs/hw/nest.md, "Ticks").
module nest_ticker (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] tick_cycles_i,
  input  logic        take_i,
  output logic        waits_o,
  output logic [63:0] cycle_o       // 0 is the first after reset
);

  logic [63:0] cycle_q;
  logic [31:0] phase_q;             // the cycle modulo P
  logic [7:0]  ticks_q;

  logic comes;
  assign comes = (phase_q == 32'd0) && (cycle_q != 64'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      phase_q <= '0;
      ticks_q <= '0;
    end else begin
      cycle_q <= cycle_q + 64'd1;
      phase_q <= (phase_q == tick_cycles_i - 32'd1) ? 32'd0 : phase_q + 32'd1;
      if (comes && !take_i && (ticks_q != 8'hff)) ticks_q <= ticks_q + 8'd1;
      if (take_i && !comes)                       ticks_q <= ticks_q - 8'd1;
    end
  end

  assign waits_o = ticks_q != 8'd0;
  assign cycle_o = cycle_q;

endmodule
