// SPDX-License-Identifier: Apache-2.0
// Ports of every kind, for what Verilator tells of them: every_kind.xml is of Verilator 5.032 (--xml-only), and
// every_kind.json of 5.048 (--json-only), both with -GW=9.
package kinds;
  typedef struct packed {
    logic [3:0] a;
    logic b;
  } pair_t;
  typedef enum logic [1:0] {
    Zero,
    One
  } word_t;
  typedef union packed {
    logic [4:0] x;
    pair_t s;
  } either_t;
endpackage

module every_kind
  #(parameter int W = 7,
    parameter type T = logic [W-1:0])
   (input logic clk,
    input kinds::pair_t pair,
    input kinds::word_t word,
    input logic [1:0][W:0] matrix,
    output logic [W-1:0] vector,
    input logic [3:0] unpacked[2],
    inout wire both,
    input T typed,
    output logic [0:5] rising,
    output kinds::either_t either,
    input int number,
    output kinds::pair_t [2:0] pairs,
    input bit [63:0] wide);
  assign vector = matrix[0][W-1:0];
  assign rising = '0;
  assign either.x = '1;
  assign pairs = '0;
  function automatic logic same(input logic z);
    return z;
  endfunction
  below i_below (.c(clk));
endmodule

module below (input logic c);
endmodule
