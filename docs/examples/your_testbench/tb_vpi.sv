// SPDX-License-Identifier: Apache-2.0
// The golden counter block in a testbench, over VPI (Icarus): docs/yours/testbench.md.
module tb_vpi;

`include "stimulus.svh"

  logic [63:0] golden;
  logic [63:0] wanted;

  initial begin
    golden = $cs_golden_create("xlen=32 counters=0x8 width=40");
    #1 rst_n = 1'b0;
    #3 rst_n = 1'b1;
    repeat (20000) begin
      #1 draw();
      #1 $cs_golden_event(golden, 1, 1);
      $cs_golden_event(golden, 2, retired);
      $cs_golden_event(golden, 7, load);
      if (csr_valid) begin
        wanted = $cs_golden_access(golden, csr, csr_write, operand);
        if (old_value !== wanted[31:0]) begin
          errors++;
          $display("cycle %0d: csr %h is %h, golden %h", $cs_golden_cycle(golden), csr, old_value,
                   wanted[31:0]);
        end
      end
      $cs_golden_step(golden);
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    $display("%0d cycles, %0d errors", $cs_golden_cycle(golden), errors);
    $cs_golden_destroy(golden);
    $finish;
  end
endmodule
