// SPDX-License-Identifier: Apache-2.0
// Bit 13 of the interrupt registers: LCOFIP, its enables, and where they go
// (docs/hw/hpm.md, 8 and 9).
module hpm_lcofi (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       sscofpmf_i,
  input  logic       aia_i,
  input  logic [4:0] latency_i,
  input  logic       request_i,   // the cycle before was a request cycle
  input  logic [4:0] target_i,    // hpm_pkg::Tgt*
  input  logic       write_i,
  input  logic       wdata_i,
  output logic       rdata_o,
  output logic [2:0] lcofi_o
);

  logic mie_q, mip_q, mideleg_q, hideleg_q;
  logic mvien_q, mvip_q, sie_v_q, hvien_q, hvip_q, vsie_v_q;

  // --- requests on their way: bit k of way_q is one of k + 2 cycles ago ---
  logic [30:0] way_q;
  logic [31:0] way;
  logic        mip;
  assign way = {way_q, request_i};
  // A request that arrives is put on top of what the write of the cycle before has left.
  assign mip = mip_q || way[latency_i];

  // --- the views of S and VS ---
  logic hd, sip, sie, vsip, vsie;
  assign hd   = hideleg_q && (!aia_i || mideleg_q || mvien_q);
  assign sip  = mideleg_q ? mip   : mvien_q && mvip_q;
  assign sie  = mideleg_q ? mie_q : mvien_q && sie_v_q;
  assign vsip = hd ? sip : hvien_q && hvip_q;
  assign vsie = hd ? sie : hvien_q && vsie_v_q;

  always_comb begin
    unique case (target_i)
      hpm_pkg::TgtMie:     rdata_o = mie_q;
      hpm_pkg::TgtMip:     rdata_o = mip;
      hpm_pkg::TgtMideleg: rdata_o = mideleg_q;
      hpm_pkg::TgtMvien:   rdata_o = mvien_q;
      hpm_pkg::TgtMvip:    rdata_o = mvip_q;
      hpm_pkg::TgtSie:     rdata_o = sie;
      hpm_pkg::TgtSip:     rdata_o = sip;
      hpm_pkg::TgtHideleg: rdata_o = hd;
      hpm_pkg::TgtHvien:   rdata_o = hvien_q;
      hpm_pkg::TgtHvip:    rdata_o = hvip_q;
      hpm_pkg::TgtVsie:    rdata_o = vsie;
      hpm_pkg::TgtVsip:    rdata_o = vsip;
      default:             rdata_o = 1'b0;
    endcase
  end

  // --- which register a write goes to: of VS down to S, of S down to M ---
  logic write, at_sip, at_sie;
  assign write  = write_i && sscofpmf_i;
  assign at_sip = (target_i == hpm_pkg::TgtSip) || ((target_i == hpm_pkg::TgtVsip) && hd);
  assign at_sie = (target_i == hpm_pkg::TgtSie) || ((target_i == hpm_pkg::TgtVsie) && hd);

  logic write_mip, write_mie, write_mvip, write_sie_v, write_hvip, write_vsie_v;
  assign write_mip    = write && ((target_i == hpm_pkg::TgtMip) || (at_sip && mideleg_q));
  assign write_mie    = write && ((target_i == hpm_pkg::TgtMie) || (at_sie && mideleg_q));
  assign write_mvip   = write && ((target_i == hpm_pkg::TgtMvip) ||
                                  (at_sip && !mideleg_q && mvien_q));
  assign write_sie_v  = write && at_sie && !mideleg_q && mvien_q;
  assign write_hvip   = write && aia_i && ((target_i == hpm_pkg::TgtHvip) ||
                                  ((target_i == hpm_pkg::TgtVsip) && !hd && hvien_q));
  assign write_vsie_v = write && (target_i == hpm_pkg::TgtVsie) && !hd && hvien_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      way_q     <= '0;
      mie_q     <= 1'b0;
      mip_q     <= 1'b0;
      mideleg_q <= 1'b0;
      hideleg_q <= 1'b0;
      mvien_q   <= 1'b0;
      mvip_q    <= 1'b0;
      sie_v_q   <= 1'b0;
      hvien_q   <= 1'b0;
      hvip_q    <= 1'b0;
      vsie_v_q  <= 1'b0;
    end else begin
      way_q <= way[30:0];
      mip_q <= write_mip ? wdata_i : mip;
      if (write_mie)    mie_q    <= wdata_i;
      if (write_mvip)   mvip_q   <= wdata_i;
      if (write_sie_v)  sie_v_q  <= wdata_i;
      if (write_hvip)   hvip_q   <= wdata_i;
      if (write_vsie_v) vsie_v_q <= wdata_i;
      if (write && (target_i == hpm_pkg::TgtMideleg)) mideleg_q <= wdata_i;
      if (write && (target_i == hpm_pkg::TgtMvien))   mvien_q   <= wdata_i;
      if (write && (target_i == hpm_pkg::TgtHvien))   hvien_q   <= wdata_i;
      if (write && (target_i == hpm_pkg::TgtHideleg) && (!aia_i || mideleg_q || mvien_q)) begin
        hideleg_q <= wdata_i;
      end
    end
  end

  assign lcofi_o = {vsip && vsie, sip && sie && !hd, mip && mie_q && !mideleg_q};

endmodule
