// SPDX-License-Identifier: Apache-2.0
// The register ports behind a bridge (docs/hw/bus.md, "Register bridge").
package reg_bus_pkg;

  localparam logic [3:0] BroadcastSlot = 4'd15;

  // A register access as it takes effect, a bundle as those of bus_pkg.
  localparam int AccWData = 0; // 64
  localparam int AccRData = 64; // 64
  localparam int AccAddr  = 128; // 36, in the bridge's window
  localparam int AccValid = 164; // 1
  localparam int AccWrite = 165; // 1
  localparam int AccWide  = 166; // 1
  localparam int AccErr   = 167; // 1
  localparam int AccBits  = 168;

endpackage
