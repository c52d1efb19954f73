// SPDX-License-Identifier: Apache-2.0
// Who may access what, and what it then is (docs/hw/hpm.md, 4): the rules A1 to A15 in their
// order, the table of the counters, and the registers that VS has in place of those of S.
module hpm_access (
  input  logic        valid_i,
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [1:0]  mode_i,
  input  logic        v_i,
  input  logic        stateen_m_i,
  input  logic        stateen_h_i,

  input  logic        xlen64_i,
  input  logic        has_u_i,
  input  logic        has_s_i,
  input  logic        has_h_i,
  input  logic        sscofpmf_i,
  input  logic        smcntrpmf_i,
  input  logic        smcdeleg_i,
  input  logic        aia_i,

  input  logic        cde_i,
  input  logic [11:0] siselect_i,
  input  logic        vs_selects_i,   // vsiselect is in 0x40..0x5F
  input  logic [31:0] mcounteren_i,
  input  logic [31:0] scounteren_i,
  input  logic [31:0] hcounteren_i,

  output logic [1:0]  exc_o,       // hpm_pkg::Exc*
  output logic [4:0]  target_o,    // hpm_pkg::Tgt*, none with an exception and without access
  output logic [4:0]  index_o,
  output logic        high_o,
  output logic        window_o     // through sireg*: MINH is out of reach
);

  logic m, u, vs, vu;
  assign m  = mode_i == hpm_pkg::ModeM;
  assign u  = (mode_i == hpm_pkg::ModeU) && !v_i;
  assign vs = (mode_i == hpm_pkg::ModeS) && v_i;
  assign vu = (mode_i == hpm_pkg::ModeU) && v_i;

  logic [4:0] named, index;
  logic       high;
  hpm_decode u_decode (
    .addr_i      (addr_i),
    .xlen64_i    (xlen64_i),
    .has_u_i     (has_u_i),
    .has_s_i     (has_s_i),
    .has_h_i     (has_h_i),
    .sscofpmf_i  (sscofpmf_i),
    .smcntrpmf_i (smcntrpmf_i),
    .smcdeleg_i  (smcdeleg_i),
    .aia_i       (aia_i),
    .target_o    (named),
    .index_o     (index),
    .high_o      (high)
  );

  logic [4:0] behind, behind_index;
  logic       window_illegal, behind_high;
  hpm_window u_window (
    .select_i     (siselect_i),
    .window_i     (addr_i[2:0]),
    .xlen64_i     (xlen64_i),
    .sscofpmf_i   (sscofpmf_i),
    .smcntrpmf_i  (smcntrpmf_i),
    .cde_i        (cde_i),
    .mcounteren_i (mcounteren_i),
    .illegal_o    (window_illegal),
    .target_o     (behind),
    .index_o      (behind_index),
    .high_o       (behind_high)
  );

  // --- exceptions ---
  function automatic logic [1:0] refuse_if(input logic refused, input logic [1:0] exc);
    refuse_if = refused ? exc : hpm_pkg::ExcNone;
  endfunction

  logic [1:0] privilege;
  logic       read_only, shadow, window_s, window_vs;
  assign read_only = addr_i[11:10] == 2'd3;
  assign privilege = addr_i[9:8];
  assign shadow    = (addr_i[11:8] == 4'hC) && (addr_i[6:5] == 2'd0);
  assign window_s  = addr_i[11:3] == 9'h02A;    // 0x150..0x157
  assign window_vs = addr_i[11:3] == 9'h04A;    // 0x250..0x257

  // The table of the counters: what a cleared enable bit refuses, the first that is cleared.
  logic [1:0] shadow_exc;
  logic       by_m, by_h, by_s;
  assign by_m       = !m && !mcounteren_i[addr_i[4:0]];
  assign by_h       = (vs || vu) && !hcounteren_i[addr_i[4:0]];
  assign by_s       = (vu || (u && has_s_i)) && !scounteren_i[addr_i[4:0]];
  assign shadow_exc = by_m ? hpm_pkg::ExcIllegal :
                      by_h ? hpm_pkg::ExcVirtual :
                      by_s ? (vu ? hpm_pkg::ExcVirtual : hpm_pkg::ExcIllegal) :
                             hpm_pkg::ExcNone;

  // Section 7; in VS sireg* are vsireg*, behind which this block has nothing.
  logic [1:0] window_exc;
  assign window_exc = (named == hpm_pkg::TgtVsireg) ? hpm_pkg::ExcIllegal :
                      vs ? ((vs_selects_i && cde_i) ? hpm_pkg::ExcVirtual : hpm_pkg::ExcIllegal) :
                      refuse_if(window_illegal, hpm_pkg::ExcIllegal);

  logic at_inhibit, at_window, at_ovf;
  assign at_inhibit = named == hpm_pkg::TgtScountinhibit;
  assign at_ovf     = named == hpm_pkg::TgtScountovf;
  assign at_window  = (named == hpm_pkg::TgtSireg) || (named == hpm_pkg::TgtVsireg);

  logic [1:0] exc;
  always_comb begin
    exc = hpm_pkg::ExcNone;
    if (valid_i) begin
      if (named == hpm_pkg::TgtNone)                            exc = hpm_pkg::ExcIllegal;  // A1
      else if (write_i && read_only)                            exc = hpm_pkg::ExcIllegal;  // A2
      else if ((privilege == 2'd3) && !m)                       exc = hpm_pkg::ExcIllegal;  // A3
      else if (u && (privilege != 2'd0))                        exc = hpm_pkg::ExcIllegal;  // A4
      else if (shadow)                                          exc = shadow_exc;           // A5
      else if (at_inhibit && !cde_i)                            exc = hpm_pkg::ExcIllegal;  // A6
      else if (at_inhibit && (vs || vu))                        exc = hpm_pkg::ExcVirtual;  // A7
      else if ((window_s || window_vs) && !m && !stateen_m_i)   exc = hpm_pkg::ExcIllegal;  // A8
      else if (window_vs && (vs || vu))                         exc = hpm_pkg::ExcVirtual;  // A9
      else if (window_s && (vu || (vs && !stateen_h_i)))        exc = hpm_pkg::ExcVirtual;  // A10
      else if (at_window)                                       exc = window_exc;           // A11
      else if ((privilege == 2'd2) && (vs || vu))               exc = hpm_pkg::ExcVirtual;  // A12
      else if ((privilege == 2'd1) && vu)                       exc = hpm_pkg::ExcVirtual;  // A13
      else if (at_ovf && vs && cde_i)                           exc = hpm_pkg::ExcVirtual;  // A14
    end
  end

  assign exc_o = exc;

  // --- the register ---
  function automatic logic [4:0] in_vs(input logic [4:0] tgt);
    unique case (tgt)
      hpm_pkg::TgtSie:      in_vs = hpm_pkg::TgtVsie;
      hpm_pkg::TgtSip:      in_vs = hpm_pkg::TgtVsip;
      hpm_pkg::TgtSiselect: in_vs = hpm_pkg::TgtVsiselect;
      default:              in_vs = tgt;
    endcase
  endfunction

  always_comb begin
    target_o = hpm_pkg::TgtNone;
    index_o  = index;
    high_o   = high;
    window_o = 1'b0;
    if (valid_i && (exc == hpm_pkg::ExcNone)) begin
      target_o = vs ? in_vs(named) : named;
      if (at_window) begin
        target_o = behind;
        index_o  = behind_index;
        high_o   = behind_high;
        window_o = 1'b1;
      end
    end
  end

endmodule
