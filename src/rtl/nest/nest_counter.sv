// SPDX-License-Identifier: Apache-2.0
// One counter of the nest, and what the engine read from it last (docs/hw/nest.md, "Counters").
// There are many, and each of them counts in every cycle: all that hangs on pins is within the
// clocked process, and a register has one assignment a branch, which simulates in half the time.
module nest_counter #(
  parameter int Number   = 0,
  parameter int Width    = 16,
  parameter int Prescale = 8,
  // Clear: a read leaves only what its own cycle carries; store: a read leaves it alone; else the
  // counter has a prev.
  parameter logic [1:0] Style = nest_rows_pkg::STYLE_CLEAR
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [3:0]       inc_i,
  input  logic             read_i,     // counter number_i is read in this cycle
  input  logic [8:0]       number_i,
  input  logic             forget_i,   // prev becomes 0
  output logic [Width-1:0] value_o,
  output logic [Width-1:0] prev_o
);

  localparam int Bits = Width + Prescale;

  logic [Bits-1:0] value_q;
  assign value_o = value_q[Bits-1:Prescale];

  if (Style == nest_rows_pkg::STYLE_CLEAR) begin : g_clear
    localparam logic [Bits-1:0] Lower = ~({Bits{1'b1}} << Prescale);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        value_q <= '0;
      end else if (read_i && (number_i == 9'(Number))) begin
        value_q <= (value_q & Lower) + Bits'(inc_i);
      end else begin
        value_q <= value_q + Bits'(inc_i);
      end
    end

    assign prev_o = '0;

    logic unused_forget;
    assign unused_forget = forget_i;
  end else if (Style == nest_rows_pkg::STYLE_STORE) begin : g_store
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) value_q <= '0;
      else         value_q <= value_q + Bits'(inc_i);
    end

    assign prev_o = '0;

    logic unused_reads;
    assign unused_reads = ^{read_i, number_i, forget_i};
  end else begin : g_wrap
    logic [Width-1:0] prev_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        value_q <= '0;
        prev_q  <= '0;
      end else begin
        value_q <= value_q + Bits'(inc_i);
        if (read_i && (number_i == 9'(Number))) prev_q <= value_q[Bits-1:Prescale];
        else if (forget_i)                      prev_q <= '0;
      end
    end

    assign prev_o = prev_q;
  end

endmodule
