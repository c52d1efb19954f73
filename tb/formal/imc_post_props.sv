// SPDX-License-Identifier: Apache-2.0
// What holds of the post buffer (docs/hw/imc.md, "Post").
module imc_post_props (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic         power10_i,
  input logic         end_i,
  input logic         accumulate_i,
  input logic [63:0]  pdbar_i,
  input logic [63:0]  ldbar_i,
  input logic         take_core_i,
  input logic         take_thread_i,
  input logic         lost_o,
  input logic         core_waits_q,
  input logic         thread_waits_q,
  input logic [55:0]  core_addr_q,
  input logic [55:0]  thread_addr_q,
  input logic [127:0] value_q
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  logic [55:0] core_base;
  assign core_base = power10_i ? {4'd0, pdbar_i[51:11], 11'd0} : {pdbar_i[55:13], 13'd0};

  always_ff @(posedge clk_i) begin
    // Only what waits is taken.
    assume (!take_core_i || core_waits_q);
    assume (!take_thread_i || thread_waits_q);

    if (live) begin
      // A post to the thread lies in the thread's page.
      // fault: thread_base = {ldbar_i[55:13], 13'd0}; => thread_base = {ldbar_i[55:6], 6'd0};
      thread_in_page:
        assert (!$past(end_i && !lost_o) || clear_i ||
                (thread_addr_q[55:13] == $past(ldbar_i[55:13])));
      // A post to the core lies in the two pages at PDBAR.
      // fault: UpperHalf    = 56'h2000; => UpperHalf    = 56'h4000;
      core_in_pages:
        assert (!$past(end_i && !lost_o) ||
                (core_addr_q - $past(core_base) < 56'h4000));
      // A post that waits is neither lost nor changed until it is taken.
      // fault: assign load   = end_i && empty; => assign load   = end_i && !core_waits_q;
      post_stays:
        assert (!$past(thread_waits_q && !take_thread_i && !clear_i) ||
                (thread_waits_q && (thread_addr_q == $past(thread_addr_q)) &&
                 (value_q == $past(value_q))));
      // A window that ends is posted, or told as lost.
      // fault: assign lost_o = end_i && !empty; => assign lost_o = end_i && core_waits_q;
      no_silent_loss:
        assert (!$past(end_i && !lost_o && !clear_i) || core_waits_q);
    end
  end

endmodule
