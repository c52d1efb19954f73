// SPDX-License-Identifier: Apache-2.0
  // Random instructions: what both testbenches here share.
  logic        clk = 1'b0, rst_n = 1'b1, retired = 1'b0, load = 1'b0, csr_valid = 1'b0;
  logic        csr_write = 1'b0;
  logic [11:0] csr = 12'hB00;
  logic [31:0] operand = '0, old_value;
  logic [2:0]  choice;
  int          errors = 0;

  small_counters dut (.*);

  task draw;
    retired   = $urandom % 2 == 0;
    load      = retired && ($urandom % 3 == 0);
    csr_valid = $urandom % 2 == 0;
    csr_write = $urandom % 4 == 0;
    choice    = 3'($urandom);
    case (choice)
      3'd0: csr = 12'hB00;
      3'd1: csr = 12'hB80;
      3'd2: csr = 12'hB02;
      3'd3: csr = 12'hB82;
      3'd4: csr = 12'hB03;
      3'd5: csr = 12'hB83;
      3'd6: csr = 12'h323;
      3'd7: csr = 12'h320;
    endcase
    operand = (csr == 12'h323) ? (($urandom % 4 == 0) ? 32'd0 : 32'd7)
            : (csr == 12'h320) ? $urandom & 32'hD & $urandom
            : -($urandom % 16);
  endtask
