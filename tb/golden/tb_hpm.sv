// SPDX-License-Identifier: Apache-2.0
// Our own counter block under Icarus, against the golden one (VPI): a second simulator's opinion of
// the RTL. RV32 with all modes and extensions but aia, 40 bits a counter.
module tb_hpm;

  logic         clk = 1'b0, rst_n = 1'b1;
  logic [2:0]   mode = 3'd3;                 // 4 V + privilege
  logic [63:0]  inc_of;                      // of event n at 4n
  logic [511:0] event_of;
  logic [31:0]  counting;
  logic [127:0] inc;
  logic         csr_valid = 1'b0;
  logic [11:0]  csr = 12'hB00;
  logic [1:0]   op = 2'd0;
  logic [31:0]  operand = '0;
  logic [63:0]  old_value;
  logic [1:0]   exc;
  logic [2:0]   lcofi;
  logic [63:0]  golden, wanted;
  integer       errors = 0, accesses = 0, lines = 0, n, choice;

  hpm dut (
    .clk_i (clk), .rst_ni (rst_n), .xlen64_i (1'b0), .modes_i (2'd3),
    .counters_i (32'hFFFFFFF8), .width_i ({32{7'd40}}), .sscofpmf_i (1'b1),
    .smcntrpmf_i (1'b1), .smcdeleg_i (1'b1), .aia_i (1'b0), .lcofi_latency_i (5'd2),
    .mode_i (mode[1:0]), .v_i (mode[2]), .stateen_m_i (1'b1), .stateen_h_i (1'b1),
    .time_i (64'd0), .cycle_inc_i (inc_of[7:4]), .instret_inc_i (inc_of[11:8]),
    .event_o (event_of), .counting_o (counting), .inc_i (inc), .csr_valid_i (csr_valid),
    .csr_addr_i (csr), .csr_op_i (op), .csr_wdata_i ({32'd0, operand}), .csr_rdata_o (old_value),
    .csr_exc_o (exc), .lcofi_o (lcofi)
  );

  task draw;
    inc_of    = {$urandom, $urandom} & {$urandom, $urandom};
    inc_of[3:0] = 4'd0;
    csr_valid = $urandom % 3 != 0;
    op        = $urandom;
    choice    = $urandom % 5;
    if ($urandom % 12 == 0) begin
      n    = $urandom % 6;
      mode = (n == 0) ? 3'd0 : (n == 1) ? 3'd1 : (n == 2) ? 3'd4 : (n == 3) ? 3'd5 : 3'd3;
    end
    n   = (choice == 0) ? $urandom % 32 : $urandom % 6;
    case ($urandom % 10)
      0, 1: csr = 12'hB00 + n;
      2: csr = 12'hB80 + n;
      3: csr = 12'h320 + n;
      4: csr = 12'h720 + n;
      5: csr = 12'hC00 + n;
      6: csr = 12'h150 + $urandom % 8;
      7: csr = ($urandom % 2) ? 12'h306 : 12'h106;
      8: csr = ($urandom % 2) ? 12'h31A : 12'hDA0;
      default: begin
        case ($urandom % 8)
          0: csr = 12'h304;
          1: csr = 12'h344;
          2: csr = 12'h303;
          3: csr = 12'h104;
          4: csr = 12'h144;
          5: csr = 12'h603;
          6: csr = 12'h204;
          default: csr = 12'h606;
        endcase
      end
    endcase
    operand = ($urandom % 3 == 0) ? $urandom
            : (csr[11:4] == 8'hB8) ? 32'hFF
            : (csr[11:8] == 4'hB) ? -($urandom % 64)
            : (csr[11:5] == 7'h19) ? $urandom % 16
            : (csr == 12'h150) ? 32'h40 + $urandom % 34
            : 32'hFFFFFFFF;
  endtask

  task answer_events;
    for (n = 0; n < 32; n = n + 1) begin
      inc[4*n +: 4] = (event_of[16*n +: 16] < 16) ? inc_of[4*event_of[16*n +: 4] +: 4] : 4'd0;
    end
  endtask

  initial begin
    golden = $cs_golden_create({"xlen=32 modes=3 width=40 sscofpmf=1 smcntrpmf=1 smcdeleg=1 ",
                                "lcofi_latency=2"});
    inc_of = '0;
    inc    = '0;
    #1 rst_n = 1'b0;
    #3 rst_n = 1'b1;
    repeat (30000) begin
      #1 draw;
      #1 answer_events;
      #1 $cs_golden_mode(golden, mode);
      for (n = 1; n < 16; n = n + 1) $cs_golden_event(golden, n, inc_of[4*n +: 4]);
      if (lcofi !== $cs_golden_irq(golden)) begin
        errors = errors + 1;
        $display("cycle %0d: lcofi %b", $cs_golden_cycle(golden), lcofi);
      end
      lines = lines + (lcofi != 3'd0);
      if (csr_valid) begin
        wanted   = $cs_golden_access(golden, csr, op, operand);
        accesses = accesses + 1;
        if ((exc !== $cs_golden_exception(golden)) || (old_value !== wanted)) begin
          errors = errors + 1;
          $display("cycle %0d: csr %h op %0d is %h (%0d), golden %h", $cs_golden_cycle(golden), csr,
                   op, old_value, exc, wanted);
        end
      end
      $cs_golden_step(golden);
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    $display("%0d accesses, %0d cycles with an interrupt", accesses, lines);
    $display("%0d cycles, %0d errors", $cs_golden_cycle(golden), errors);
    $finish;
  end
endmodule
