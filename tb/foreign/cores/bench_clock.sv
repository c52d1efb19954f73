// SPDX-License-Identifier: Apache-2.0
// Clock and reset of a foreign core's bench. The simulation ends some cycles after its program. With +waves=FILE
// all of it is written there.
module bench_clock #(
  parameter int ResetEnds  = 10,
  parameter int MostCycles = 200000
) (
  output logic clk_o,
  output logic rst_no,
  input  logic ended_i
);

  initial begin
    clk_o  = 1'b0;
    rst_no = 1'b1;
    #1 rst_no = 1'b0;
    #(ResetEnds - 1) rst_no = 1'b1;
  end
  always #5 clk_o = !clk_o;

  int late = 0, cycles = 0;
  always @(posedge clk_o) begin
    late   <= ended_i ? late + 1 : 0;
    cycles <= cycles + 1;
    if (late == 4) $finish;
    if (cycles == MostCycles) $fatal(1, "the program has not ended after %0d cycles", MostCycles);
  end

  string waves;
  initial begin
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars;
    end
  end

endmodule
