// SPDX-License-Identifier: Apache-2.0
// What a counter of an IOMMU's monitor adds in a cycle: the increments of its event in all records
// that fit its filter (docs/hw/iommu_hpm.md, "Counting").
module iommu_hpm_filter #(
  parameter int NrRecord = 1
) (
  // The counter's iohpmevt.
  input  logic [3:0]             event_i,  // 0: none
  input  logic                   dmask_i,
  input  logic [19:0]            pid_pscid_i,
  input  logic [23:0]            did_gscid_i,
  input  logic                   pv_pscv_i,
  input  logic                   dv_gscv_i,
  input  logic                   idt_i,

  // The records.
  input  logic [NrRecord-1:0]    valid_i,
  input  logic [32*NrRecord-1:0] inc_i,
  input  logic [24*NrRecord-1:0] did_i,
  input  logic [NrRecord-1:0]    pv_i,
  input  logic [20*NrRecord-1:0] pid_i,
  input  logic [NrRecord-1:0]    gscv_i,
  input  logic [16*NrRecord-1:0] gscid_i,
  input  logic [NrRecord-1:0]    pscv_i,
  input  logic [20*NrRecord-1:0] pscid_i,

  output logic [7:0]             inc_o
);

  // DID_GSCID is compared above its lowest 0; an addition of 1 changes that bit and those below it.
  logic [23:0] compared;
  assign compared = dmask_i ? ~(did_gscid_i ^ (did_gscid_i + 24'd1)) : ~24'd0;

  // Only misses and reads of page tables have a GSCID and a PSCID.
  logic has_idt;
  assign has_idt = (event_i == 4'd4) || (event_i == 4'd7) || (event_i == 4'd8);

  logic [NrRecord-1:0]   fits;
  logic [4*NrRecord-1:0] inc;
  for (genvar r = 0; r < NrRecord; r++) begin : g_record
    logic [23:0] did;
    logic [19:0] pid;
    logic        dv, pv;
    assign did = idt_i ? {8'd0, gscid_i[16*r +: 16]} : did_i[24*r +: 24];
    assign dv  = idt_i ? gscv_i[r] : 1'b1;
    assign pid = idt_i ? pscid_i[20*r +: 20] : pid_i[20*r +: 20];
    assign pv  = idt_i ? pscv_i[r] : pv_i[r];

    assign fits[r] = valid_i[r] && (!idt_i || has_idt) &&
                     (!pv_pscv_i || (pv && (pid == pid_pscid_i))) &&
                     (!dv_gscv_i || (dv && (((did ^ did_gscid_i) & compared) == 24'd0)));

    always_comb begin
      inc[4*r +: 4] = 4'd0;
      for (int e = 1; e <= 8; e++) begin
        if (fits[r] && (event_i == 4'(e))) inc[4*r +: 4] = inc_i[32*r + 4*(e - 1) +: 4];
      end
    end
  end

  always_comb begin
    inc_o = 8'd0;
    for (int r = 0; r < NrRecord; r++) begin
      inc_o = inc_o + {4'd0, inc[4*r +: 4]};
    end
  end

endmodule
