// SPDX-License-Identifier: Apache-2.0
// Names that the modules of the hpm block share (docs/hw/hpm.md).
package hpm_pkg;

  // What a CSR number leads to. Numbers that name one register in different ways (mcycle and
  // cycle, a half and its other half, a register and its window) lead to the same target.
  localparam logic [4:0] TgtNone          = 5'd0;
  localparam logic [4:0] TgtCounter       = 5'd1;   // of an index: 0 mcycle, 2 minstret, 3..31
  localparam logic [4:0] TgtSetup        = 5'd2;   // of an index: mcyclecfg, minstretcfg, mhpmevent
  localparam logic [4:0] TgtTime          = 5'd3;
  localparam logic [4:0] TgtInhibit       = 5'd4;
  localparam logic [4:0] TgtMcounteren    = 5'd5;
  localparam logic [4:0] TgtScounteren    = 5'd6;
  localparam logic [4:0] TgtHcounteren    = 5'd7;
  localparam logic [4:0] TgtMenvcfg       = 5'd8;
  localparam logic [4:0] TgtScountinhibit = 5'd9;
  localparam logic [4:0] TgtScountovf     = 5'd10;
  localparam logic [4:0] TgtSiselect      = 5'd11;
  localparam logic [4:0] TgtVsiselect     = 5'd12;
  localparam logic [4:0] TgtSireg         = 5'd13;  // sireg, sireg2 .. sireg6
  localparam logic [4:0] TgtVsireg        = 5'd14;  // vsireg, vsireg2 .. vsireg6
  localparam logic [4:0] TgtHtimedelta    = 5'd15;
  // Those from here on have bit 13 and nothing else.
  localparam logic [4:0] TgtMie           = 5'd16;
  localparam logic [4:0] TgtMip           = 5'd17;
  localparam logic [4:0] TgtMideleg       = 5'd18;
  localparam logic [4:0] TgtMvien         = 5'd19;
  localparam logic [4:0] TgtMvip          = 5'd20;
  localparam logic [4:0] TgtSie           = 5'd21;
  localparam logic [4:0] TgtSip           = 5'd22;
  localparam logic [4:0] TgtHideleg       = 5'd23;
  localparam logic [4:0] TgtHvien         = 5'd24;
  localparam logic [4:0] TgtHvip          = 5'd25;
  localparam logic [4:0] TgtVsie          = 5'd26;
  localparam logic [4:0] TgtVsip          = 5'd27;
  // It is there, and zero.
  localparam logic [4:0] TgtMiselect      = 5'd28;

  // csr_op_i; 1 is a plain write
  localparam logic [1:0] OpRead  = 2'd0;
  localparam logic [1:0] OpSet   = 2'd2;
  localparam logic [1:0] OpClear = 2'd3;

  // csr_exc_o
  localparam logic [1:0] ExcNone    = 2'd0;
  localparam logic [1:0] ExcIllegal = 2'd1;
  localparam logic [1:0] ExcVirtual = 2'd2;

  // mode_i
  localparam logic [1:0] ModeU = 2'd0;
  localparam logic [1:0] ModeS = 2'd1;
  localparam logic [1:0] ModeM = 2'd3;

endpackage
