// Types and constants of the bus (docs/hw/bus.md).
package bus_pkg;

  // xRESP
  localparam logic [1:0] RespOkay   = 2'd0;
  localparam logic [1:0] RespSlvErr = 2'd2;
  localparam logic [1:0] RespDecErr = 2'd3;

  // The address map, "Targets and the address map"; the windows of IMC are in die.sv.
  localparam logic [63:0] PmcuBase     = 64'h1000_0000;
  localparam logic [63:0] PmcuBytes    = 64'h1_0000;
  localparam logic [63:0] ClusterBase  = 64'h2000_0000;
  localparam logic [63:0] ClusterBytes = 64'h10_0000;

  localparam int TargetMemory = 0;

  localparam logic [3:0] BroadcastSlot = 4'd15;

endpackage
