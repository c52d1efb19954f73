// SPDX-License-Identifier: Apache-2.0
// Which register a CSR number names, if it exists (docs/hw/hpm.md, 5). A number that does not
// is none.
module hpm_decode (
  input  logic [11:0] addr_i,
  input  logic        xlen64_i,
  input  logic        has_u_i,
  input  logic        has_s_i,
  input  logic        has_h_i,
  input  logic        sscofpmf_i,
  input  logic        smcntrpmf_i,
  input  logic        smcdeleg_i,
  input  logic        aia_i,
  output logic [4:0]  target_o,   // hpm_pkg::Tgt*
  output logic [4:0]  index_o,    // of counters and their configurations
  output logic        high_o      // a high half
);

  function automatic logic [4:0] only_if(input logic exists, input logic [4:0] tgt);
    only_if = exists ? tgt : hpm_pkg::TgtNone;
  endfunction

  logic r32, s_dg, h_dg;
  assign r32  = !xlen64_i;
  assign s_dg = has_s_i && smcdeleg_i;
  assign h_dg = has_h_i && smcdeleg_i;

  // --- 32 numbers each: 0xB00, 0xC00, 0x320 and their high halves at + 0x80 or + 0x400 ---
  logic in_counters, in_shadows, in_configs, counters_high, configs_high;
  assign in_counters   = (addr_i[11:8] == 4'hB) && (addr_i[6:5] == 2'd0);
  assign in_shadows    = (addr_i[11:8] == 4'hC) && (addr_i[6:5] == 2'd0);
  assign in_configs    = ((addr_i[11:8] == 4'h3) || (addr_i[11:8] == 4'h7)) &&
                         (addr_i[7:5] == 3'b001);
  assign counters_high = addr_i[7];
  assign configs_high  = addr_i[10];

  logic [4:0] number;
  logic       cfg;                // mcyclecfg, minstretcfg
  assign number = addr_i[4:0];
  assign cfg    = (number == 5'd1) || (number == 5'd2);

  // --- all others, by the row of the table; CTR, mireg, henvcfg and the like have none ---
  logic [4:0] single;
  always_comb begin
    unique case (addr_i)
      12'h306: single = only_if(has_u_i, hpm_pkg::TgtMcounteren);
      12'h106: single = only_if(has_s_i, hpm_pkg::TgtScounteren);
      12'h606: single = only_if(has_h_i, hpm_pkg::TgtHcounteren);
      12'h30A: single = only_if(has_u_i, hpm_pkg::TgtMenvcfg);
      12'h31A: single = only_if(has_u_i && r32, hpm_pkg::TgtMenvcfg);
      12'h120: single = only_if(s_dg, hpm_pkg::TgtScountinhibit);
      12'hDA0: single = only_if(has_s_i && sscofpmf_i, hpm_pkg::TgtScountovf);
      12'h150: single = only_if(s_dg, hpm_pkg::TgtSiselect);
      12'h250: single = only_if(h_dg, hpm_pkg::TgtVsiselect);
      12'h350: single = only_if(s_dg, hpm_pkg::TgtMiselect);
      12'h151, 12'h152, 12'h153, 12'h155, 12'h156, 12'h157:
               single = only_if(s_dg, hpm_pkg::TgtSireg);
      12'h251, 12'h252, 12'h253, 12'h255, 12'h256, 12'h257:
               single = only_if(h_dg, hpm_pkg::TgtVsireg);
      12'h605: single = only_if(has_h_i, hpm_pkg::TgtHtimedelta);
      12'h615: single = only_if(has_h_i && r32, hpm_pkg::TgtHtimedelta);
      12'h304: single = hpm_pkg::TgtMie;
      12'h344: single = hpm_pkg::TgtMip;
      12'h303: single = only_if(has_s_i, hpm_pkg::TgtMideleg);
      12'h104: single = only_if(has_s_i, hpm_pkg::TgtSie);
      12'h144: single = only_if(has_s_i, hpm_pkg::TgtSip);
      12'h603: single = only_if(has_h_i, hpm_pkg::TgtHideleg);
      12'h204: single = only_if(has_h_i, hpm_pkg::TgtVsie);
      12'h244: single = only_if(has_h_i, hpm_pkg::TgtVsip);
      12'h308: single = only_if(has_s_i && aia_i, hpm_pkg::TgtMvien);
      12'h309: single = only_if(has_s_i && aia_i, hpm_pkg::TgtMvip);
      12'h608: single = only_if(has_h_i && aia_i, hpm_pkg::TgtHvien);
      12'h645: single = only_if(has_h_i, hpm_pkg::TgtHvip);
      default: single = hpm_pkg::TgtNone;
    endcase
  end

  always_comb begin
    index_o = number;
    if (in_counters || in_shadows) begin
      high_o   = counters_high;
      target_o = only_if(!counters_high || r32, hpm_pkg::TgtCounter);
      if (number == 5'd1) target_o = only_if(in_shadows && (!counters_high || r32),
                                             hpm_pkg::TgtTime);
    end else if (in_configs) begin
      high_o   = configs_high;
      target_o = hpm_pkg::TgtSetup;
      if (number == 5'd0) begin
        target_o = only_if(!configs_high, hpm_pkg::TgtInhibit);
      end else if (cfg) begin
        target_o = only_if(smcntrpmf_i && (!configs_high || r32), hpm_pkg::TgtSetup);
        index_o  = (number == 5'd1) ? 5'd0 : 5'd2;
      end else if (configs_high) begin
        target_o = only_if(sscofpmf_i && r32, hpm_pkg::TgtSetup);
      end
    end else begin
      high_o   = (addr_i == 12'h31A) || (addr_i == 12'h615);
      target_o = single;
    end
  end

endmodule
