// SPDX-License-Identifier: Apache-2.0
// SCOM addresses and SPR windows of the IMC cores (docs/hw/imc.md, "Access"): decodes the
// accesses of the bridges and reaches the cores. Each chip has an SCOM bridge for its own cores.
module imc_scom #(
  parameter int NrChip   = 1,
  parameter int NrCore   = 1,
  parameter int NrThread = 4
) (
  input  logic                       power10_i,
  input  logic [4:0]                 nr_core_i,
  input  logic [4:0]                 chip_cores_i, // of each chip

  // Ports of the SCOM bridges, a slice a chip. The address is that of the register, not of the bus.
  input  logic [NrChip-1:0]          scom_en_i,
  input  logic [NrChip-1:0]          scom_write_i,
  input  logic [NrChip*32-1:0]       scom_addr_i,
  input  logic [NrChip-1:0]          scom_wide_i,
  input  logic [NrChip*64-1:0]       scom_wdata_i,
  output logic [NrChip*64-1:0]       scom_rdata_o,
  output logic [NrChip-1:0]          scom_err_o,

  // Port of the SPR bridge. The address is the offset in the window.
  input  logic                       spr_en_i,
  input  logic                       spr_write_i,
  input  logic [19:0]                spr_addr_i,
  input  logic                       spr_wide_i,
  input  logic [63:0]                spr_wdata_i,
  output logic [63:0]                spr_rdata_o,
  output logic                       spr_err_o,

  // To the cores: which of them each chip's bridge reaches, and with what; back a slice a core.
  output logic [NrChip*NrCore-1:0]   reg_en_o,
  output logic [NrChip-1:0]          reg_write_o,
  output logic [NrChip*4-1:0]        reg_sel_o,
  output logic [NrChip*64-1:0]       reg_wdata_o,
  input  logic [NrCore*64-1:0]       reg_rdata_i,
  input  logic [NrCore-1:0]          reg_err_i,

  output logic [NrCore*NrThread-1:0] ldbar_en_o,
  output logic                       ldbar_write_o,
  output logic [63:0]                ldbar_wdata_o,
  input  logic [NrCore*64-1:0]       ldbar_rdata_i,
  input  logic [NrCore-1:0]          ldbar_err_i
);

  // Low 24 bits, of p = 3 down to 0.
  localparam logic [95:0] HtmModePower9    = {24'h012700, 24'h012600, 24'h012300, 24'h012200};
  localparam logic [95:0] HtmModePower10   = {24'h011680, 24'h012680, 24'h014680, 24'h018680};
  localparam logic [95:0] EventMaskPower10 = {24'h021400, 24'h022400, 24'h024400, 24'h028400};
  localparam logic [23:0] EventMaskPower9  = 24'h010AA8;
  localparam logic [23:0] Fir              = 24'h011000;
  localparam logic [23:0] ErrRpt           = 24'h01100E;

  localparam logic [23:0] StatusOffset = 24'hA;
  localparam logic [23:0] PdbarOffset  = 24'hB;
  localparam logic [23:0] TraceOffset  = 24'h1;

  localparam logic [7:0] QuadChiplet = 8'h10; // POWER9: of four cores
  localparam logic [7:0] CoreChiplet = 8'h20; // POWER9: of a core; POWER10: of four

  // --- SCOM ---
  for (genvar g = 0; g < NrChip; g++) begin : g_chip
    logic [7:0]  chiplet;
    logic [23:0] low;
    logic [6:0]  first; // the chip's first core
    assign chiplet = scom_addr_i[32*g+24 +: 8];
    assign low     = scom_addr_i[32*g +: 24];
    assign first   = 7'(g) * {2'd0, chip_cores_i};

    logic [NrCore-1:0] quad, own, at_mode, at_status, at_pdbar, at_mask, at_trace;
    logic              at_fir, at_rpt;
    assign at_fir = low == Fir;
    assign at_rpt = low == ErrRpt;

    for (genvar c = 0; c < NrCore; c++) begin : g_decode
      logic [23:0] mode, mask;
      logic [6:0]  number; // of the core in its chip
      logic        exists;
      assign number = 7'(c) - first;
      assign exists = (5'(c) < nr_core_i) && (7'(c) >= first) && (number < {2'd0, chip_cores_i});
      assign mode   = power10_i ? HtmModePower10[24*number[1:0] +: 24]
                                : HtmModePower9[24*number[1:0] +: 24];
      assign mask   = power10_i ? EventMaskPower10[24*number[1:0] +: 24] : EventMaskPower9;

      assign quad[c]      = exists && (chiplet == (power10_i ? CoreChiplet : QuadChiplet) +
                                                  {3'd0, number[6:2]});
      assign own[c]       = exists && (chiplet == CoreChiplet + (power10_i ? {3'd0, number[6:2]}
                                                                           : {1'd0, number}));
      assign at_mode[c]   = quad[c] && (low == mode);
      assign at_status[c] = quad[c] && (low == mode + StatusOffset);
      assign at_pdbar[c]  = quad[c] && (low == mode + PdbarOffset);
      assign at_mask[c]   = own[c] && (low == mask);
      assign at_trace[c]  = own[c] && (low == mask + TraceOffset);
    end

    logic [NrCore-1:0] hit;
    assign hit = at_mode | at_status | at_pdbar | at_mask | at_trace |
                 ((at_fir || at_rpt) ? quad : '0);

    logic [3:0] sel;
    always_comb begin
      sel = imc_pkg::SelHtmMode;
      if (at_status != '0) sel = imc_pkg::SelStatus;
      if (at_pdbar != '0)  sel = imc_pkg::SelPdbar;
      if (at_mask != '0)   sel = imc_pkg::SelEventMask;
      if (at_trace != '0)  sel = imc_pkg::SelTrace;
      if (at_fir)          sel = imc_pkg::SelFir;
      if (at_rpt)          sel = imc_pkg::SelErrRpt;
    end

    logic [NrCore-1:0] en;
    assign en = (scom_en_i[g] && scom_wide_i[g]) ? hit : '0;
    assign reg_en_o[NrCore*g +: NrCore] = en;
    assign reg_write_o[g]               = scom_write_i[g];
    assign reg_sel_o[4*g +: 4]          = sel;
    assign reg_wdata_o[64*g +: 64]      = scom_wdata_i[64*g +: 64];

    // FIR and ERR_RPT: all that answer; an error only when nobody does.
    logic [63:0] rdata;
    logic        err;
    always_comb begin
      rdata = '0;
      err   = 1'b1;
      for (int c = 0; c < NrCore; c++) begin
        if (en[c] && !reg_err_i[c]) begin
          rdata = rdata | reg_rdata_i[64*c +: 64];
          err   = 1'b0;
        end
      end
    end
    assign scom_rdata_o[64*g +: 64] = rdata;
    assign scom_err_o[g]            = err;
  end

  // --- SPR: 0x2000 (4 core + thread) + 8 SPR ---
  logic       spr_hit;
  logic [4:0] spr_core;
  logic [1:0] spr_thread;
  assign spr_hit    = spr_en_i && spr_wide_i && (spr_addr_i[12:0] == {imc_pkg::SprLdbar, 3'd0});
  assign spr_core   = spr_addr_i[19:15];
  assign spr_thread = spr_addr_i[14:13];

  for (genvar c = 0; c < NrCore; c++) begin : g_core
    for (genvar t = 0; t < NrThread; t++) begin : g_thread
      assign ldbar_en_o[NrThread*c+t] = spr_hit && (5'(c) < nr_core_i) && (spr_core == 5'(c)) &&
                                        (spr_thread == 2'(t));
    end
  end
  assign ldbar_write_o = spr_write_i;
  assign ldbar_wdata_o = spr_wdata_i;

  always_comb begin
    spr_rdata_o = '0;
    spr_err_o   = 1'b1;
    for (int c = 0; c < NrCore; c++) begin
      if ((ldbar_en_o[NrThread*c +: NrThread] != '0) && !ldbar_err_i[c]) begin
        spr_rdata_o = ldbar_rdata_i[64*c +: 64];
        spr_err_o   = 1'b0;
      end
    end
  end

endmodule
