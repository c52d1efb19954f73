// SPDX-License-Identifier: Apache-2.0
// What holds of a hart's counter-overflow interrupt (docs/hw/hpm.md, 8 and 9).
module hpm_lcofi_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        sscofpmf_i,
  input logic [4:0]  latency_i,
  input logic        request_i,
  input logic        write_i,
  input logic [2:0]  lcofi_o,
  input logic        write_mip,
  input logic        mie_q,
  input logic        mip_q,
  input logic        mideleg_q,
  input logic        mip,
  input logic        hd,
  input logic [31:0] way
);

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  // One request that is followed on its way: it has `left_q` cycles to go.
  logic       follow_q;
  logic [4:0] left_q;
  initial follow_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      follow_q <= 1'b0;
      left_q   <= 5'd0;
    end else if (follow_q) begin
      follow_q <= left_q != 5'd0;
      left_q   <= left_q - 5'd1;
    end else if (request_i && (latency_i != 5'd0)) begin
      follow_q <= 1'b1;
      left_q   <= latency_i - 5'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    // The latency is a strap.
    if (past_q) assume (latency_i == $past(latency_i));

    if (live) begin
      // A request is on its way as long as it has cycles to go.
      // fault: way_q <= way[30:0]; => way_q <= write_mip ? '0 : way[30:0];
      no_lost_request:
        assert (!follow_q || ((left_q < latency_i) && way[latency_i - left_q]));
      // A request that arrives makes the bit pending in its cycle.
      // fault: assign mip = mip_q || way[latency_i]; => assign mip = mip_q || (way[latency_i] && !write_i);
      arrives:
        assert (!way[latency_i] || mip);
      // A pending bit stays until it is written.
      // fault: mip_q <= write_mip ? wdata_i : mip; => mip_q <= write_mip ? wdata_i : mip && !write_mie;
      pending_stays:
        assert (!$past(mip && !write_mip) || mip);
      // What is pending and enabled, and not delegated, is told to M at once.
      // fault: mip && mie_q && !mideleg_q} => mip_q && mie_q && !mideleg_q}
      told_to_m:
        assert (!(mip && mie_q && !mideleg_q) || lcofi_o[0]);
      // One level at most is told.
      // fault: sip && sie && !hd => sip && sie
      one_level:
        assert (!(lcofi_o[0] && lcofi_o[1] && mideleg_q) && !(lcofi_o[1] && lcofi_o[2] && hd));
      // Without Sscofpmf no write gets through.
      // fault: assign write  = write_i && sscofpmf_i; => assign write  = write_i;
      no_write_without:
        assert (!$past(write_i && !sscofpmf_i) || (mie_q == $past(mie_q)));
    end
  end

endmodule
