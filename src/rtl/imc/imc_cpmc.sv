// SPDX-License-Identifier: Apache-2.0
// The four counters of a thread, in a window or in trace mode (docs/hw/imc.md, "Accumulation",
// "Trace mode").
module imc_cpmc (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,       // no power: reset state in the next cycle

  input  logic         active_i,      // the counters count in this cycle
  input  logic         trace_i,       // the thread traces
  input  logic         zero_i,        // the thread's window ends, or the core is not on
  input  logic [3:0]   filter_i,      // a bit for each mode: increments count in a window
  input  logic [1:0]   mode_i,
  input  logic [15:0]  inc_i,         // CPMC1 lowest

  input  logic [1:0]   sampsel_i,
  input  logic [31:0]  load_i,
  input  logic         put_i,         // LDBAR is written
  input  logic         put_trace_i,   // with TRACE

  output logic [127:0] value_o,       // CPMC1 lowest
  output logic         capture_o      // snapshot cycle
);

  function automatic logic carries(input logic [31:0] addend, input logic [3:0] by);
    carries = (&addend[31:4]) && ({1'b0, addend[3:0]} + {1'b0, by} >= 5'd16);
  endfunction

  logic [127:0] value_q;
  logic         capture_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q   <= '0;
      capture_q <= 1'b0;
    end else if (clear_i) begin
      value_q   <= '0;
      capture_q <= 1'b0;
    end else if (put_i && (put_trace_i || trace_i)) begin
      value_q   <= '0;
      capture_q <= 1'b0;
      if (put_trace_i) value_q[32*sampsel_i +: 32] <= load_i;
    end else if (zero_i && !trace_i) begin
      value_q   <= '0;
      capture_q <= 1'b0;
    end else begin
      capture_q <= 1'b0;
      if (active_i && (trace_i || filter_i[mode_i])) begin
        for (int n = 0; n < 4; n++) begin
          value_q[32*n +: 32] <= value_q[32*n +: 32] + {28'd0, inc_i[4*n +: 4]};
        end
      end
      if (active_i && trace_i &&
          carries(value_q[32*sampsel_i +: 32], inc_i[4*sampsel_i +: 4])) begin
        value_q[32*sampsel_i +: 32] <= load_i;
        capture_q                   <= 1'b1;
      end
    end
  end

  assign value_o   = value_q;
  assign capture_o = capture_q;

endmodule
