// SPDX-License-Identifier: Apache-2.0
// Types and constants of the PMCU (docs/hw/pmcu.md).
package pmcu_pkg;

  // "States"
  typedef enum logic [3:0] {
    StIdle    = 4'd0,
    StInit    = 4'd1,
    StFetch   = 4'd2,
    StProgram = 4'd3,
    StStart   = 4'd4,
    StWait    = 4'd5,
    StStop    = 4'd6,
    StRead    = 4'd7,
    StStore   = 4'd8,
    StSwitch  = 4'd9,
    StBreak   = 4'd10
  } state_e;

  // "Orders"
  localparam logic [1:0] OrderDie     = 2'd0;
  localparam logic [1:0] OrderCore    = 2'd1;
  localparam logic [1:0] OrderCounter = 2'd2;
  localparam logic [1:0] OrderRunning = 2'd3;

  localparam logic [15:0] NullEvent = 16'hC000;

  // Counters that a run can use.
  localparam int MaxCounter = 8;

  // The first counter of compatibility mode.
  localparam logic [3:0] CompFirst = 4'd3;

  // Where the register bridges of the clusters begin (docs/hw/bus.md, "Targets and the address map").
  localparam logic [63:0] ClusterBase = 64'h2000_0000;

endpackage
