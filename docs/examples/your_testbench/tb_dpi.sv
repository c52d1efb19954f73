// SPDX-License-Identifier: Apache-2.0
// The golden counter block in a testbench, over DPI-C: docs/yours/testbench.md.
module tb_dpi;
  import countersink_golden_pkg::*;

`include "stimulus.svh"

  chandle      golden;
  logic [31:0] wanted;

  initial begin
    golden = cs_golden_create("xlen=32 counters=0x8 width=40");
    if (golden == null) $fatal(1, "%s", cs_golden_error());
    #1 rst_n = 1'b0;
    #3 rst_n = 1'b1;
    repeat (20000) begin
      #1 draw();
      #1 cs_golden_event(golden, Cycles, 1);
      cs_golden_event(golden, Instret, {31'd0, retired});
      cs_golden_event(golden, 7, {31'd0, load});
      if (csr_valid) begin
        wanted = 32'(cs_golden_access(golden, {20'd0, csr}, csr_write ? OpWrite : OpRead,
                                      {32'd0, operand}));
        if (old_value != wanted) begin
          errors++;
          $display("cycle %0d: csr %h is %h, golden %h", cs_golden_cycle(golden), csr, old_value,
                   wanted);
        end
      end
      cs_golden_step(golden);
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    $display("%0d cycles, %0d errors", cs_golden_cycle(golden), errors);
    cs_golden_destroy(golden);
    $finish;
  end
endmodule
