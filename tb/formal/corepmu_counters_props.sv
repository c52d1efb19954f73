// SPDX-License-Identifier: Apache-2.0
// What holds of the counters of a core PMU (docs/hw/corepmu.md, "Counting").
module corepmu_counters_props #(
  parameter int NrCounter = 2
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    offline_i,
  input logic [NrCounter-1:0]    count_i,
  input logic [NrCounter-1:0]    wide_i,
  input logic [8*NrCounter-1:0]  inc_i,
  input logic [NrCounter-1:0]    write_i,
  input logic                    clear_i,
  input logic [1:0]              halves_i,
  input logic [63:0]             wdata_i,
  input logic                    flag_set_i,
  input logic                    flag_clear_i,
  input logic [63:0]             even_q,
  input logic [63:0]             odd_q,
  input logic [49*NrCounter-1:0] high_q,
  input logic [NrCounter-1:0]    flag_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  // Of each counter: its value, the value that an increment or a write makes, and what happens.
  logic [64*NrCounter-1:0] value, counted, written;
  logic [NrCounter-1:0]    writes, counts, overflows;
  for (genvar n = 0; n < NrCounter; n++) begin : g_counter
    logic [63:0] now;
    logic [64:0] sum;
    logic [32:0] low_sum;
    assign now     = {high_q[49*n +: 49], (n % 2 == 0) ? even_q[16*(n/2) +: 15]
                                                      : odd_q[16*(n/2) +: 15]};
    assign sum     = {1'b0, now} + {57'd0, inc_i[8*n +: 8]};
    assign low_sum = {1'b0, now[31:0]} + {25'd0, inc_i[8*n +: 8]};

    assign value[64*n +: 64]   = now;
    assign counted[64*n +: 64] = sum[63:0];
    assign written[64*n +: 64] = clear_i ? 64'd0 : {halves_i[1] ? wdata_i[63:32] : now[63:32],
                                                    halves_i[0] ? wdata_i[31:0] : now[31:0]};
    assign writes[n]    = write_i[n] && (clear_i || (halves_i != 2'b00));
    assign counts[n]    = count_i[n] && !offline_i && !writes[n];
    assign overflows[n] = counts[n] && (wide_i[n] ? sum[64] : low_sum[32]);
  end

  // Those whose value is not the one of the cycle before; nor what an increment, a write made of it.
  logic [NrCounter-1:0] moved, uncounted, unwritten;
  logic [64*NrCounter-1:0] last, last_counted, last_written;
  always_ff @(posedge clk_i) begin
    last         <= value;
    last_counted <= counted;
    last_written <= written;
  end
  for (genvar n = 0; n < NrCounter; n++) begin : g_moved
    assign moved[n]     = value[64*n +: 64] != last[64*n +: 64];
    assign uncounted[n] = value[64*n +: 64] != last_counted[64*n +: 64];
    assign unwritten[n] = value[64*n +: 64] != last_written[64*n +: 64];
  end

  always_ff @(posedge clk_i) begin
    if (live) begin
      // No increment is lost.
      // fault: even = even_q + (step & Bytes); => even = even_q + (step & 64'h007f_007f_007f_007f);
      no_lost_increment:
        assert (($past(counts) & uncounted) == '0);
      // What does not count, and is not written, holds still.
      // fault: assign counts   = count_i & ~replaced; => assign counts   = count_i & ~replaced | {count_i[0], {NrCounter-1{1'b0}}};
      no_other_increment:
        assert ((~$past(counts | writes | {NrCounter{offline_i}}) & moved) == '0);
      // A write, or a clear, is what is there then, and takes nothing else.
      // fault: high[49*n+17 +: 32] = clear_i ? '0 : wdata_i[63:32]; => high[49*n+17 +: 32] = wdata_i[63:32];
      no_lost_write:
        assert (($past(writes & {NrCounter{!offline_i}}) & unwritten) == '0);
      // An overflow is never lost, whatever is cleared in its cycle.
      // fault: if (wide_i[n] ? => if (flag_clear_i ? 1'b0 : wide_i[n] ?
      no_lost_overflow:
        assert (($past(overflows) & ~flag_q) == '0);
      // A flag stays until it is cleared, or the power goes.
      // fault: if (flag_clear_i) flags = => if (flag_clear_i || clear_i) flags =
      flag_stays:
        assert (($past(flag_q & ~(write_i & {NrCounter{flag_clear_i}}) & {NrCounter{!offline_i}}) &
                 ~flag_q) == '0);
      // A flag has a cause.
      // fault: (high[49*n +: 17] == '1) => (high[49*n +: 16] == '1)
      flag_has_a_cause:
        assert ((flag_q & ~$past(flag_q | overflows | (write_i & {NrCounter{flag_set_i}}))) == '0);
      // Without power nothing is kept.
      // fault: end else if (offline_i) begin\n      even_q <= '0;\n      odd_q  <= '0;\n      high_q <= '0;\n      flag_q <= '0; => end else if (offline_i) begin\n      even_q <= '0;\n      odd_q  <= '0;\n      high_q <= '0;
      no_power_no_state:
        assert (!$past(offline_i) || ((value == '0) && (flag_q == '0)));
    end
  end

endmodule
