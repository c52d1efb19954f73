// SPDX-License-Identifier: Apache-2.0
// Which target an address belongs to (docs/hw/bus.md, "Targets and the address map"). Windows
// are straps; a target of size 0 does not exist.
module bus_decoder #(
  // Targets without the hole, whose number is NrTarget. Memory is number 0.
  parameter int NrTarget    = 4,
  parameter int TargetWidth = 3
) (
  input  logic                   adds_i, // bit 56 of an address leads to memory, too
  input  logic [NrTarget*64-1:0] base_i,
  input  logic [NrTarget*64-1:0] size_i,
  input  logic                   valid_i,
  input  logic [63:0]            addr_i,
  output logic [TargetWidth-1:0] target_o
);

  always_comb begin
    target_o = TargetWidth'(NrTarget);
    if (valid_i) begin
      if (adds_i && (addr_i[63:56] == 8'h01) &&
          (({8'd0, addr_i[55:0]} - base_i[63:0]) < size_i[63:0])) begin
        target_o = TargetWidth'(bus_pkg::TargetMemory);
      end
      for (int s = 0; s < NrTarget; s++) begin
        if ((addr_i - base_i[64*s +: 64]) < size_i[64*s +: 64]) begin
          target_o = TargetWidth'(s);
        end
      end
    end
  end

endmodule
