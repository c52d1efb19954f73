// SPDX-License-Identifier: Apache-2.0
// What holds of which counters of a core PMU count (docs/hw/corepmu.md, "Counting").
module corepmu_props #(
  parameter int NrCounter = 2
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [4:0]             hpmn_i,
  input logic                   hpme_i,
  input logic                   hpmd_i,
  input logic                   spme_i,
  input logic [1:0]             mode_i,
  input logic [NrCounter:0]     enable_q,
  input logic [3:0]             pmcr_q,
  input logic [6*NrCounter+5:0] filter_q,
  input logic [NrCounter:0]     counts
);

  // P U NSK NSU NSH M of a counter: bits 5 to 0; the last is the cycle counter.
  logic [NrCounter:0] passes, on;
  for (genvar n = 0; n <= NrCounter; n++) begin : g_counter
    logic p, u, nsk, nsu, nsh, m, cycles, first, no_el2, no_el3;
    assign m   = filter_q[n];
    assign nsh = filter_q[NrCounter+1+n];
    assign nsu = filter_q[2*(NrCounter+1)+n];
    assign nsk = filter_q[3*(NrCounter+1)+n];
    assign u   = filter_q[4*(NrCounter+1)+n];
    assign p   = filter_q[5*(NrCounter+1)+n];

    assign cycles = n == NrCounter;
    assign first  = cycles || (5'(n) < hpmn_i);
    assign no_el2 = hpmd_i && (cycles ? pmcr_q[1] : first);
    assign no_el3 = !spme_i && (!cycles || pmcr_q[1]);
    assign on[n]     = enable_q[n] && (first ? pmcr_q[0] : hpme_i);
    assign passes[n] = (mode_i == 2'd0) ? (u == nsu) :
                       (mode_i == 2'd1) ? (p == nsk) :
                       (mode_i == 2'd2) ? (nsh && !no_el2) : ((m == p) && !no_el3);
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Those count that are enabled, whose range is on, and that count at this level.
      // fault: ~({pmcr_dp, first[NrCounter-1:0]} & {NrAll{hpmd_i}}) => ~({1'b1, first[NrCounter-1:0]} & {NrAll{hpmd_i}})
      counts_what_it_should:
        assert (counts == (on & passes));
    end
  end

endmodule
