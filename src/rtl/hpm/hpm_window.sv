// SPDX-License-Identifier: Apache-2.0
// sireg .. sireg6 from M or S: the register that siselect and the window name, if the counter is
// delegated (docs/hw/hpm.md, 7).
module hpm_window (
  input  logic [11:0] select_i,       // siselect
  input  logic [2:0]  window_i,       // number[2:0]: 1 sireg, 2, 3, 5 sireg4, 6, 7
  input  logic        xlen64_i,
  input  logic        sscofpmf_i,
  input  logic        smcntrpmf_i,
  input  logic        cde_i,
  input  logic [31:0] mcounteren_i,
  output logic        illegal_o,
  output logic [4:0]  target_o,       // hpm_pkg::Tgt*
  output logic [4:0]  index_o,
  output logic        high_o
);

  localparam logic [2:0] Sireg2 = 3'd2, Sireg3 = 3'd3, Sireg4 = 3'd5,
                         Sireg5 = 3'd6, Sireg6 = 3'd7;

  logic fixed, setup_window;
  assign index_o       = select_i[4:0];
  assign fixed         = (index_o == 5'd0) || (index_o == 5'd2);
  assign setup_window = (window_i == Sireg2) || (window_i == Sireg5);
  assign high_o        = (window_i == Sireg4) || (window_i == Sireg5);
  assign target_o      = setup_window ? hpm_pkg::TgtSetup : hpm_pkg::TgtCounter;

  // D1 to D8: none of them does more than refuse.
  assign illegal_o = (select_i[11:5] != 7'b0000010) ||
                     !cde_i ||
                     (window_i == Sireg3) || (window_i == Sireg6) ||
                     (high_o && xlen64_i) ||
                     (index_o == 5'd1) ||
                     !mcounteren_i[index_o] ||
                     (fixed && setup_window && !smcntrpmf_i) ||
                     (!fixed && (window_i == Sireg5) && !sscofpmf_i);

endmodule
