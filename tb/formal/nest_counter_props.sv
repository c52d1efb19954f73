// SPDX-License-Identifier: Apache-2.0
// What holds of a counter of the nest (docs/hw/nest.md, "Counters").
module nest_counter_props #(
  parameter int Number   = 0,
  parameter int Width    = 16,
  parameter int Prescale = 8,
  parameter logic [1:0] Style = nest_rows_pkg::STYLE_CLEAR
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [3:0]                inc_i,
  input logic                      read_i,
  input logic [8:0]                number_i,
  input logic                      forget_i,
  input logic [Width-1:0]          value_o,
  input logic [Width-1:0]          prev_o,
  input logic [Width+Prescale-1:0] value_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  localparam int Bits = Width + Prescale;
  localparam bit Clear = Style == nest_rows_pkg::STYLE_CLEAR;
  logic mine;
  assign mine = read_i && (number_i == 9'(Number));

  always_ff @(posedge clk_i) begin
    if (live) begin
      // No increment is lost, not even that of the cycle of a read.
      // fault: value_q + Bits'(inc_i) => value_q + Bits'(inc_i[2:0])
      no_lost_increment:
        assert (value_q == (($past(mine) && Clear) ? ($past(value_q) & Bits'((1 << Prescale) - 1))
                                                   : $past(value_q)) + Bits'($past(inc_i)));
      // A read of another counter changes nothing of this one.
      // fault: value_q + Bits'(inc_i) => value_q + (read_i ? '0 : Bits'(inc_i))
      only_its_own_read:
        assert (!$past(read_i && !mine) || (value_q == $past(value_q) + Bits'($past(inc_i))));
    end
  end

endmodule
