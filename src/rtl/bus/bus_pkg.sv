// SPDX-License-Identifier: Apache-2.0
// Types and constants of the bus (docs/hw/bus.md).
package bus_pkg;

  // xRESP
  localparam logic [1:0] RespOkay   = 2'd0;
  localparam logic [1:0] RespSlvErr = 2'd2;
  localparam logic [1:0] RespDecErr = 2'd3;

  localparam int TargetMemory = 0;

  // AXI4 as bundles: the request is what a manager drives, the response what it hears. The rows are
  // the places of the fields' lowest bits, with their widths; several ports lie side by side.
  localparam int ReqAwAddr  = 0; // 64
  localparam int ReqWData   = 64; // 64
  localparam int ReqArAddr  = 128; // 64
  localparam int ReqWStrb   = 192; // 8
  localparam int ReqAwLen   = 200; // 8
  localparam int ReqArLen   = 208; // 8
  localparam int ReqAwId    = 216; // 4
  localparam int ReqArId    = 220; // 4
  localparam int ReqAwSize  = 224; // 3
  localparam int ReqArSize  = 227; // 3
  localparam int ReqAwBurst = 230; // 2
  localparam int ReqArBurst = 232; // 2
  localparam int ReqWLast   = 234; // 1
  localparam int ReqAwValid = 235; // 1
  localparam int ReqWValid  = 236; // 1
  localparam int ReqBReady  = 237; // 1
  localparam int ReqArValid = 238; // 1
  localparam int ReqRReady  = 239; // 1
  localparam int ReqBits    = 240;

  localparam int RspRData   = 0; // 64
  localparam int RspRId     = 64; // 4
  localparam int RspBId     = 68; // 4
  localparam int RspRResp   = 72; // 2
  localparam int RspBResp   = 74; // 2
  localparam int RspRLast   = 76; // 1
  localparam int RspRValid  = 77; // 1
  localparam int RspBValid  = 78; // 1
  localparam int RspAwReady = 79; // 1
  localparam int RspWReady  = 80; // 1
  localparam int RspArReady = 81; // 1
  localparam int RspBits    = 82;

endpackage
