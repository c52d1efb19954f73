// SPDX-License-Identifier: Apache-2.0
// What holds of an IOMMU's monitor (docs/hw/iommu_hpm.md).
module iommu_hpm_props #(
  parameter int NrCounter = 2
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               reg_en_i,
  input logic               reg_write_i,
  input logic [15:0]        reg_addr_i,
  input logic               reg_err_o,
  input logic [NrCounter:0] exists,
  input logic [NrCounter:0] inhibit_q,
  input logic [NrCounter:0] of_q,
  input logic [NrCounter:0] wrap,
  input logic               irq_o
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic writes, overflows;
  assign writes    = reg_en_i && reg_write_i && !reg_err_o;
  assign overflows = (wrap & ~of_q) != '0;

  always_ff @(posedge clk_i) begin
    if (past_q) assume (exists == $past(exists)); // a strap

    if (live) begin
      // A wrap is never lost: its OF is 1 in the next cycle, whatever is written.
      // fault: if (wrap[n])          of_q[n] <= 1'b1; => if (wrap[n] && !write_of[n]) of_q[n] <= 1'b1;
      no_lost_overflow:
        assert (($past(wrap) & ~of_q) == '0);
      // OF rises by a wrap or a write.
      // fault: if (wrap[n])          of_q[n] <= 1'b1; => if (wrap[n] || wrap[0]) of_q[n] <= 1'b1;
      of_has_a_cause:
        assert ($past(writes) || ((of_q & ~$past(of_q | wrap)) == '0));
      // OF stays until it is written.
      // fault: else if (write_of[n]) of_q[n] <= wdata[63]; => else if (write_of[n] || pmip_q) of_q[n] <= wdata[63];
      of_stays:
        assert ($past(writes) || (($past(of_q) & ~of_q) == '0));
      // An overflow is told in the next cycle, also beside a clear.
      // fault: if ((wrap & ~of_q) != '0)                                pmip_q <= 1'b1; => if (((wrap & ~of_q) != '0) && !write[1]) pmip_q <= 1'b1;
      no_lost_interrupt:
        assert (!$past(overflows) || irq_o);
      // A counter whose OF is 1 asks for no interrupt, and software neither.
      // fault: if ((wrap & ~of_q) != '0)                                pmip_q => if (wrap != '0) pmip_q
      interrupt_has_a_cause:
        assert (!irq_o || $past(irq_o || overflows));
      // What is inhibited does not wrap.
      // fault: .count_i (!inhibit_q[n]) => .count_i (1'b1)
      inhibited_stands:
        assert ((wrap & inhibit_q) == '0);
      // Only a write that is not refused inhibits.
      // fault: assign write_any = reg_en_i && reg_write_i && !refused; => assign write_any = reg_en_i && reg_write_i;
      only_writes_set:
        assert ($past(writes) || (inhibit_q == $past(inhibit_q)));
      // Counters that are not there are not inhibited.
      // fault: inhibit_q <= wdata[32 +: NrCounter+1] & exists; => inhibit_q <= wdata[32 +: NrCounter+1];
      inhibits_what_is_there:
        assert ((inhibit_q & ~exists) == '0);
      // A write outside the registers changes nothing.
      // fault: assign register  = reg_addr_i[15:3]; => assign register  = {1'b0, reg_addr_i[14:3]};
      no_write_outside:
        assert (!$past(writes && (reg_addr_i >= 16'h1000)) || (inhibit_q == $past(inhibit_q)));
    end
  end

endmodule
