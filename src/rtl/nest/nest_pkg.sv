// SPDX-License-Identifier: Apache-2.0
// Constants of the nest posting engine (docs/hw/nest.md).
package nest_pkg;

  // "A tick"
  localparam logic [3:0] StIdle    = 4'd0;
  localparam logic [3:0] StLook    = 4'd1;
  localparam logic [3:0] StDecide  = 4'd2;
  localparam logic [3:0] StClean   = 4'd3;
  localparam logic [3:0] StVersion = 4'd4;
  localparam logic [3:0] StUnits   = 4'd5;
  localparam logic [3:0] StMode    = 4'd6;
  localparam logic [3:0] StStatus  = 4'd7;
  localparam logic [3:0] StScan    = 4'd8;
  localparam logic [3:0] StCollect = 4'd9;
  localparam logic [3:0] StPost    = 4'd10;

  // "Registers of the engine": status
  localparam logic [2:0] StatusInit  = 3'd0;
  localparam logic [2:0] StatusRun   = 3'd1;
  localparam logic [2:0] StatusPause = 3'd2;
  localparam logic [2:0] StatusErr1  = 3'd3;
  localparam logic [2:0] StatusErr2  = 3'd4;

  // Command
  localparam logic [63:0] CommandNop    = 64'd0;
  localparam logic [63:0] CommandResume = 64'd1;
  localparam logic [63:0] CommandPause  = 64'd2;
  localparam logic [63:0] CommandClear  = 64'd3;

  localparam logic [63:0] MaxSpeed  = 64'd11;
  localparam logic [63:0] ModeDebug = 64'd1;

  // "The window": offsets
  localparam logic [63:0] Block        = 64'h3fc00;
  localparam logic [63:0] BlockUnits   = 64'h3fc18;
  localparam logic [63:0] BlockState   = 64'h3fc28; // of the mode
  localparam logic [63:0] VersionPlace = 64'h2fc00;

  localparam logic [63:0] Version      = 64'h0100_1511_2026_0000;
  localparam logic [63:0] DefaultUnits = 64'hffff_8073_f007_e000;

endpackage
