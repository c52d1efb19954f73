// Which target an address belongs to (docs/hw/bus.md, "Targets and the address map").
module bus_decoder #(
  // Targets without the hole, whose number is NrTarget.
  parameter int NrTarget    = 4,
  parameter int TargetWidth = 3
) (
  input  logic [63:0]            ram_base_i,
  input  logic [63:0]            ram_size_i,
  input  logic [4:0]             nr_cluster_i,
  input  logic                   valid_i,
  input  logic [63:0]            addr_i,
  output logic [TargetWidth-1:0] target_o
);

  localparam int NrCluster = NrTarget - bus_pkg::TargetCluster;

  always_comb begin
    target_o = TargetWidth'(NrTarget);
    if (valid_i) begin
      if ((addr_i - ram_base_i) < ram_size_i) begin
        target_o = TargetWidth'(bus_pkg::TargetMemory);
      end
      if (addr_i[63:16] == bus_pkg::PmcuBase[63:16]) begin
        target_o = TargetWidth'(bus_pkg::TargetPmcu);
      end
      for (int k = 0; k < NrCluster; k++) begin
        if ((5'(k) < nr_cluster_i) &&
            (addr_i[63:20] ==
             (bus_pkg::ClusterBase[63:20] + 44'(k)))) begin
          target_o = TargetWidth'(bus_pkg::TargetCluster + k);
        end
      end
    end
  end

endmodule
