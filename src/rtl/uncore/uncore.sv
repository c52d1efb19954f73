// SPDX-License-Identifier: Apache-2.0
// A performance monitor of a unit that is not a core (docs/hw/uncore.md).
module uncore #(
  // Counters that are built, 1..16; the strap counters_i says how many of them exist.
  parameter int NrCounter = 16,
  // MATCH and MASK are built, 0..1; the strap extended_i says whether they exist.
  parameter int NrTag = 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [4:0]              counters_i,
  input  logic [6:0]              width_i,
  input  logic [15:0]             id_i,
  input  logic                    extended_i,

  input  logic                    reg_en_i,
  input  logic                    reg_write_i,
  input  logic                    reg_wide_i,
  input  logic [15:0]             reg_addr_i,
  input  logic [63:0]             reg_wdata_i,
  output logic [63:0]             reg_rdata_o,
  output logic                    reg_err_o,

  output logic [16*NrCounter-1:0] event_o,
  output logic [64*NrCounter-1:0] match_o,
  output logic [64*NrCounter-1:0] mask_o,
  output logic [NrCounter-1:0]    counting_o,
  input  logic [4*NrCounter-1:0]  inc_i,
  output logic                    irq_o
);

  // Registers, as offsets without the three bits that are within one.
  localparam logic [12:0] Id = 13'h000, Ctl = 13'h001, Ovf = 13'h002, Ie = 13'h003;
  localparam logic [12:0] Select = 13'h020, Count = 13'h040;
  localparam logic [12:0] Match = 13'h060, Mask = 13'h080;

  // --- state ---
  logic                    en_q, freeze_q;
  logic [NrCounter-1:0]    ie_q, on_q, flags;
  logic [16*NrCounter-1:0] event_q;
  logic [64*NrCounter-1:0] value;

  logic [NrCounter-1:0] exists;
  logic [63:0]          mask;
  always_comb begin
    for (int n = 0; n < NrCounter; n++) begin
      exists[n] = 5'(n) < counters_i;
    end
  end
  assign mask = ~64'd0 >> (7'd64 - width_i);

  // --- access: a register, and which of its halves are written ---
  logic        misaligned, read, write_any;
  logic [1:0]  write;
  logic [12:0] register;
  logic [63:0] wdata;
  assign misaligned = (reg_addr_i[1:0] != 2'd0) || (reg_wide_i && reg_addr_i[2]);
  assign reg_err_o  = reg_en_i && misaligned;
  assign read       = reg_en_i && !reg_write_i && !misaligned;
  assign register   = reg_addr_i[15:3];
  assign wdata      = reg_wide_i ? reg_wdata_i : {2{reg_wdata_i[31:0]}};
  assign write_any  = reg_en_i && reg_write_i && !misaligned;
  assign write      = write_any ? {reg_addr_i[2] || reg_wide_i, !reg_addr_i[2]} : 2'b00;

  // All registers but the counters have all their bits in the low half.
  logic write_ctl, write_ovf, write_ie, clear;
  assign write_ctl = write[0] && (register == Ctl);
  assign write_ovf = write[0] && (register == Ovf);
  assign write_ie  = write[0] && (register == Ie);
  assign clear     = write_ctl && wdata[8];

  // --- counters ---
  logic [NrCounter-1:0] overflow;

  for (genvar n = 0; n < NrCounter; n++) begin : g_counter
    logic [1:0] write_value;
    assign write_value = (exists[n] && (register == Count + 13'(n))) ? write : 2'b00;

    uncore_counter u_counter (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .mask_i       (mask),
      .count_i      (counting_o[n]),
      .inc_i        (inc_i[4*n +: 4]),
      .clear_i      (clear),
      .write_i      (write_value),
      .wdata_i      (wdata),
      .flag_clear_i (write_ovf && wdata[n]),
      .value_o      (value[64*n +: 64]),
      .flag_o       (flags[n]),
      .overflow_o   (overflow[n])
    );
  end

  // --- registers ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      en_q     <= 1'b0;
      freeze_q <= 1'b0;
      ie_q     <= '0;
      on_q     <= '0;
      event_q  <= '0;
    end else begin
      if (write_ctl) begin
        en_q     <= wdata[0];
        freeze_q <= wdata[1];
      end
      if (freeze_q && (overflow != '0)) en_q <= 1'b0;
      if (write_ie) ie_q <= wdata[NrCounter-1:0] & exists;
      for (int n = 0; n < NrCounter; n++) begin
        if (write[0] && exists[n] && (register == Select + 13'(n))) begin
          event_q[16*n +: 16] <= wdata[15:0];
          on_q[n]             <= wdata[16];
        end
      end
    end
  end

  // --- what tags a counter takes ---
  if (NrTag != 0) begin : g_tags
    logic [64*NrCounter-1:0] match_q, mask_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        match_q <= '0;
        mask_q  <= '0;
      end else if (write != 2'b00 && extended_i) begin
        for (int n = 0; n < NrCounter; n++) begin
          for (int half = 0; half < 2; half++) begin
            if (write[half] && exists[n] && (register == Match + 13'(n))) begin
              match_q[64*n + 32*half +: 32] <= wdata[32*half +: 32];
            end
            if (write[half] && exists[n] && (register == Mask + 13'(n))) begin
              mask_q[64*n + 32*half +: 32] <= wdata[32*half +: 32];
            end
          end
        end
      end
    end
    assign match_o = match_q;
    assign mask_o  = mask_q;
  end else begin : g_no_tags
    assign match_o = '0;
    assign mask_o  = '0;
  end

  // --- reads ---
  logic [63:0] word;
  always_comb begin
    word = '0;
    if (read) begin
      unique case (register)
        Id:      word = {32'd0, id_i, extended_i, width_i, 3'd0, counters_i};
        Ctl:     word = {62'd0, freeze_q, en_q};
        Ovf:     word = 64'(flags);
        Ie:      word = 64'(ie_q);
        default: word = '0;
      endcase
      for (int n = 0; n < NrCounter; n++) begin
        if (register == Select + 13'(n)) word = {47'd0, on_q[n], event_q[16*n +: 16]};
        if (register == Count + 13'(n))  word = value[64*n +: 64];
        if (register == Match + 13'(n))  word = match_o[64*n +: 64];
        if (register == Mask + 13'(n))   word = mask_o[64*n +: 64];
      end
    end
  end

  logic [31:0] half;
  assign half        = reg_addr_i[2] ? word[63:32] : word[31:0];
  assign reg_rdata_o = reg_wide_i ? word : {32'd0, half};

  assign event_o    = event_q;
  assign counting_o = en_q ? on_q : '0;
  assign irq_o      = (flags & ie_q) != '0;

endmodule
