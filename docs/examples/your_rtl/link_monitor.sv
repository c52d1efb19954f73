// SPDX-License-Identifier: Apache-2.0
// An uncore block as somebody else might have it: other names, six counters with tags, registers at
// other offsets, reset active high, and what is read and the interrupt out of a register. Behind it is
// src/rtl/uncore/. link_monitor.yaml is its MAP.
module link_monitor #(
  parameter int Counters = 6
) (
  input  logic                     clock,
  input  logic                     reset,
  input  logic                     scan_enable,
  input  logic [4:0]               how_many,
  input  logic [6:0]               how_wide,
  input  logic [15:0]              identity,
  input  logic                     by_tags,

  input  logic                     select,
  input  logic                     write,
  input  logic                     double,
  input  logic [15:0]              offset,
  input  logic [63:0]              data,
  output logic [63:0]              result,
  output logic                     refused,

  output logic [Counters-1:0][15:0] wanted,
  output logic [Counters-1:0][63:0] match,
  output logic [Counters-1:0][63:0] mask,
  output logic [Counters-1:0]       active,
  input  logic [Counters-1:0][5:0]  happens,
  output logic                      overflow
);

  logic unused;
  assign unused = scan_enable;

  // CTL, OVF and IE lie 0x800 higher here.
  logic [15:0] at;
  always_comb begin
    case (offset & 16'hfffc)
      16'h808, 16'h80c, 16'h810, 16'h814, 16'h818, 16'h81c: at = offset - 16'h800;
      16'h008, 16'h00c, 16'h010, 16'h014, 16'h018, 16'h01c: at = offset + 16'hf00;
      default: at = offset;
    endcase
  end

  logic [4*Counters-1:0] inc;
  always_comb begin
    for (int n = 0; n < Counters; n++) inc[4*n +: 4] = happens[n][3:0];
  end

  logic [63:0] rdata;
  logic        err, irq;

  uncore #(
    .NrCounter (Counters),
    .NrTag     (1)
  ) u_uncore (
    .clk_i       (clock),
    .rst_ni      (!reset),
    .counters_i  (how_many),
    .width_i     (how_wide),
    .id_i        (identity),
    .extended_i  (by_tags),
    .reg_en_i    (select),
    .reg_write_i (write),
    .reg_wide_i  (double),
    .reg_addr_i  (at),
    .reg_wdata_i (data),
    .reg_rdata_o (rdata),
    .reg_err_o   (err),
    .event_o     (wanted),
    .match_o     (match),
    .mask_o      (mask),
    .counting_o  (active),
    .inc_i       (inc),
    .irq_o       (irq)
  );

  always_ff @(posedge clock) begin
    result   <= rdata;
    refused  <= err;
    overflow <= irq;
  end

endmodule
