// SCOM addresses and SPR windows of the IMC cores (docs/hw/imc.md, "Access"): decodes the
// accesses of both bridges and reaches the cores.
module imc_scom #(
  parameter int NrCore   = 1,
  parameter int NrThread = 4
) (
  input  logic                       power10_i,
  input  logic [4:0]                 nr_core_i,

  // Port of the SCOM bridge. The address is that of the register, not of the bus.
  input  logic                       scom_en_i,
  input  logic                       scom_write_i,
  input  logic [31:0]                scom_addr_i,
  input  logic                       scom_wide_i,
  input  logic [63:0]                scom_wdata_i,
  output logic [63:0]                scom_rdata_o,
  output logic                       scom_err_o,

  // Port of the SPR bridge. The address is the offset in the window.
  input  logic                       spr_en_i,
  input  logic                       spr_write_i,
  input  logic [19:0]                spr_addr_i,
  input  logic                       spr_wide_i,
  input  logic [63:0]                spr_wdata_i,
  output logic [63:0]                spr_rdata_o,
  output logic                       spr_err_o,

  // To the cores: a slice a core.
  output logic [NrCore-1:0]          reg_en_o,
  output logic                       reg_write_o,
  output logic [3:0]                 reg_sel_o,
  output logic [63:0]                reg_wdata_o,
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
  logic [7:0]  chiplet;
  logic [23:0] low;
  assign chiplet = scom_addr_i[31:24];
  assign low     = scom_addr_i[23:0];

  logic [NrCore-1:0] quad, own, at_mode, at_status, at_pdbar, at_mask, at_trace;
  logic              at_fir, at_rpt;
  assign at_fir = low == Fir;
  assign at_rpt = low == ErrRpt;

  for (genvar c = 0; c < NrCore; c++) begin : g_decode
    logic [23:0] mode, mask;
    logic        exists;
    assign mode = power10_i ? HtmModePower10[24*(c%4) +: 24] : HtmModePower9[24*(c%4) +: 24];
    assign mask = power10_i ? EventMaskPower10[24*(c%4) +: 24] : EventMaskPower9;

    assign exists       = 5'(c) < nr_core_i;
    assign quad[c]      = exists &&
                          (chiplet == (power10_i ? CoreChiplet : QuadChiplet) + 8'(c / 4));
    assign own[c]       = exists && (chiplet == CoreChiplet + (power10_i ? 8'(c / 4) : 8'(c)));
    assign at_mode[c]   = quad[c] && (low == mode);
    assign at_status[c] = quad[c] && (low == mode + StatusOffset);
    assign at_pdbar[c]  = quad[c] && (low == mode + PdbarOffset);
    assign at_mask[c]   = own[c] && (low == mask);
    assign at_trace[c]  = own[c] && (low == mask + TraceOffset);
  end

  logic [NrCore-1:0] hit;
  assign hit = at_mode | at_status | at_pdbar | at_mask | at_trace |
               ((at_fir || at_rpt) ? quad : '0);

  always_comb begin
    reg_sel_o = imc_pkg::SelHtmMode;
    if (at_status != '0) reg_sel_o = imc_pkg::SelStatus;
    if (at_pdbar != '0)  reg_sel_o = imc_pkg::SelPdbar;
    if (at_mask != '0)   reg_sel_o = imc_pkg::SelEventMask;
    if (at_trace != '0)  reg_sel_o = imc_pkg::SelTrace;
    if (at_fir)          reg_sel_o = imc_pkg::SelFir;
    if (at_rpt)          reg_sel_o = imc_pkg::SelErrRpt;
  end

  assign reg_en_o    = (scom_en_i && scom_wide_i) ? hit : '0;
  assign reg_write_o = scom_write_i;
  assign reg_wdata_o = scom_wdata_i;

  // FIR and ERR_RPT: all that answer; an error only when nobody does.
  always_comb begin
    scom_rdata_o = '0;
    scom_err_o   = 1'b1;
    for (int c = 0; c < NrCore; c++) begin
      if (reg_en_o[c] && !reg_err_i[c]) begin
        scom_rdata_o = scom_rdata_o | reg_rdata_i[64*c +: 64];
        scom_err_o   = 1'b0;
      end
    end
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
