// SPDX-License-Identifier: Apache-2.0
// Constants of the IMC core engine (docs/hw/imc.md).
package imc_pkg;

  // STATE
  localparam logic [2:0] StateOff    = 3'd0;
  localparam logic [2:0] StateSync   = 3'd1;
  localparam logic [2:0] StateRun    = 3'd2;
  localparam logic [2:0] StateDone   = 3'd3;
  localparam logic [2:0] StateFrozen = 3'd4;

  // reg_sel_i of a core.
  localparam logic [3:0] SelHtmMode   = 4'd0;
  localparam logic [3:0] SelStatus    = 4'd1;
  localparam logic [3:0] SelPdbar     = 4'd2;
  localparam logic [3:0] SelEventMask = 4'd3;
  localparam logic [3:0] SelTrace     = 4'd4;
  localparam logic [3:0] SelFir       = 4'd5;
  localparam logic [3:0] SelErrRpt    = 4'd6;

  localparam logic [9:0] SprLdbar = 10'd850;

endpackage
