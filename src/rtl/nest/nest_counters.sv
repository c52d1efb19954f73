// SPDX-License-Identifier: Apache-2.0
// All counters, in the order of the rows, and the doublewords that a row of them makes
// (docs/hw/nest.md, "Counters", COLLECT).
module nest_counters #(
  parameter bit Power10   = 1'b0,
  parameter int NrCounter = Power10 ? nest_p10_rows_pkg::NrCounter : nest_rows_pkg::NrCounter
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic [4*NrCounter-1:0]                inc_i,

  input  logic                                  forget_i,   // all prevs
  input  logic                                  collect_i,  // COLLECT is in this cycle
  input  logic                                  counts_i,   // of a counter; else the value is 1
  input  logic [8:0]                            number_i,
  input  logic [5:0]                            width_i,
  input  logic [1:0]                            style_i,
  input  logic [3:0]                            index_i,    // in the row

  input  logic [3:0]                            beat_i,
  output logic [63:0]                           word_o
);

  // Not one long vector: every cycle a simulator would have to put it together. And nets, as
  // Yosys takes an array of variables for a memory.
  wire [63:0] value [0:NrCounter-1];
  wire [63:0] prev  [0:NrCounter-1];

  // The program: both have as many places in their columns.
  localparam int            NrRow     = Power10 ? nest_p10_rows_pkg::NrRow : nest_rows_pkg::NrRow;
  localparam logic [191:0]  Kinds     = Power10 ? nest_p10_rows_pkg::KIND : nest_rows_pkg::KIND;
  localparam logic [575:0]  Widths    = Power10 ? nest_p10_rows_pkg::WIDTH : nest_rows_pkg::WIDTH;
  localparam logic [479:0]  Prescales = Power10 ? nest_p10_rows_pkg::PRESCALE
                                                : nest_rows_pkg::PRESCALE;
  localparam logic [863:0]  Firsts    = Power10 ? nest_p10_rows_pkg::FIRST : nest_rows_pkg::FIRST;
  localparam logic [383:0]  Counts    = Power10 ? nest_p10_rows_pkg::COUNT : nest_rows_pkg::COUNT;
  localparam logic [191:0]  Styles    = Power10 ? nest_p10_rows_pkg::STYLE : nest_rows_pkg::STYLE;

  logic read;
  assign read = collect_i && counts_i;

  for (genvar r = 0; r < NrRow; r++) begin : g_row
    if (Kinds[2*r +: 2] == nest_rows_pkg::KIND_COUNTERS) begin : g_counters
      localparam int Width    = {26'd0, Widths[6*r +: 6]};
      localparam int Prescale = {27'd0, Prescales[5*r +: 5]};
      localparam int First    = {23'd0, Firsts[9*r +: 9]};
      localparam int Count    = {28'd0, Counts[4*r +: 4]};
      localparam logic [1:0] Style = Styles[2*r +: 2];

      for (genvar c = 0; c < Count; c++) begin : g_counter
        localparam int Number = First + c;

        logic [Width-1:0] own_value, own_prev;

        nest_counter #(
          .Number   (Number),
          .Width    (Width),
          .Prescale (Prescale),
          .Style    (Style)
        ) u_counter (
          .clk_i    (clk_i),
          .rst_ni   (rst_ni),
          .inc_i    (inc_i[4*Number +: 4]),
          .read_i   (read),
          .number_i (number_i),
          .forget_i (forget_i),
          .value_o  (own_value),
          .prev_o   (own_prev)
        );
        assign value[Number] = {{(64-Width){1'b0}}, own_value};
        assign prev[Number]  = {{(64-Width){1'b0}}, own_prev};
      end
    end
  end

  // --- what a read delivers ---
  function automatic logic [63:0] delivered(input logic [63:0] cur,
                                            input logic [63:0] prev_value,
                                            input logic [5:0] of_width,
                                            input logic [1:0] of_style);
    logic [63:0] delta;
    // One too few where it wrapped: the microcode's way.
    if (prev_value == 64'd0)    delta = 64'd0;
    else if (cur >= prev_value) delta = cur - prev_value;
    else                    delta = ~(64'hffff_ffff_ffff_ffff << of_width) - prev_value + cur;
    if ((of_style == nest_rows_pkg::STYLE_CLEAR) ||
        (of_style == nest_rows_pkg::STYLE_STORE))     delivered = cur;
    else if (of_style == nest_rows_pkg::STYLE_WRAP2) delivered = {delta[62:0], 1'b0};
    else                                          delivered = delta;
  endfunction

  localparam int NumberBits = Power10 ? 9 : 8;

  logic [NumberBits-1:0] place;
  assign place = number_i[NumberBits-1:0];

  logic [64*9-1:0] words_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else if (collect_i) begin
      if (counts_i) begin
        words_q[64*index_i +: 64] <= delivered(value[place], prev[place], width_i,
                                               style_i);
      end else begin
        words_q[63:0] <= 64'd1;
      end
    end
  end

  assign word_o = words_q[64*beat_i +: 64];

endmodule
