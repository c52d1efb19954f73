// SPDX-License-Identifier: Apache-2.0
// What holds of an uncore block (docs/hw/uncore.md).
module uncore_props #(
  parameter int NrCounter = 2
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    reg_en_i,
  input logic                    reg_write_i,
  input logic [15:0]             reg_addr_i,
  input logic                    reg_err_o,
  input logic                    write_ie,
  input logic                    en_q,
  input logic                    freeze_q,
  input logic [NrCounter-1:0]    ie_q,
  input logic [NrCounter-1:0]    on_q,
  input logic [16*NrCounter-1:0] event_q,
  input logic [NrCounter-1:0]    overflow,
  input logic [NrCounter-1:0]    counting_o,
  input logic                    irq_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic writes;
  assign writes = reg_en_i && reg_write_i && !reg_err_o;

  always_ff @(posedge clk_i) begin
    if (live) begin
      // An overflow that is enabled is told in the next cycle.
      // fault: assign irq_o      = (flags & ie_q) => assign irq_o      = (flags & ie_q & on_q)
      no_lost_interrupt:
        assert (!$past(((overflow & ie_q) != '0) && !write_ie) || irq_o);
      // An overflow with FREEZE stops all counters at once.
      // fault: if (freeze_q && (overflow != '0)) => if (freeze_q && overflow[0])
      freeze_stops_all:
        assert (!$past(freeze_q && (overflow != '0)) || (counting_o == '0));
      // Only a write that is not refused changes what is set.
      // fault: assign write_any  = reg_en_i && reg_write_i && !misaligned; => assign write_any  = reg_en_i && reg_write_i;
      only_writes_set:
        assert ($past(writes) || ((ie_q == $past(ie_q)) && (on_q == $past(on_q)) &&
                                  (event_q == $past(event_q)) && (freeze_q == $past(freeze_q))));
      // A write outside the registers changes nothing.
      // fault: (register == Select + 13'(n))) begin => (register[7:0] == 8'h20 + 8'(n))) begin
      no_write_outside:
        assert (!$past(writes && (reg_addr_i >= 16'h0400)) ||
                ((ie_q == $past(ie_q)) && (on_q == $past(on_q)) && (event_q == $past(event_q)) &&
                 (freeze_q == $past(freeze_q))));
      // Counters start by a write only.
      // fault: if (freeze_q && (overflow != '0)) en_q <= 1'b0; => if (freeze_q && (overflow != '0)) en_q <= 1'b0; else if (freeze_q) en_q <= 1'b1;
      no_start_by_itself:
        assert (!en_q || $past(en_q || writes));
    end
  end

endmodule
