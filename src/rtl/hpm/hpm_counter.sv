// SPDX-License-Identifier: Apache-2.0
// One counter with what it counts (docs/hw/hpm.md, 3, 6 and 8): up to 64 bits, an increment of
// 0..15 a cycle, and its mhpmevent, or mcyclecfg or minstretcfg. A write of either half beats the
// increment of its cycle; an overflow that sets OF beats a write of OF. All that hangs on the
// hart's pins is within the clocked process: a simulator looks at it once a cycle, and not at all
// where nothing counts.
module hpm_counter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        there_i,
  input  logic [6:0]  width_i,         // 1..64
  input  logic        has_event_i,     // without one it counts whatever comes
  input  logic        has_of_i,        // without it the counter wraps in silence
  input  logic [4:0]  has_filter_i,    // of MINH SINH UINH VSINH VUINH, those that are there
  input  logic        inhibit_i,
  input  logic [1:0]  mode_i,
  input  logic        v_i,
  input  logic [3:0]  inc_i,
  input  logic [1:0]  write_value_i,   // low half, high half
  input  logic [1:0]  write_setup_i,
  input  logic        keep_minh_i,     // a write through a window
  input  logic [63:0] wdata_i,         // both halves
  output logic [63:0] value_o,
  output logic [63:0] setup_o,
  output logic        counting_o,
  output logic        request_o        // the cycle before was a request cycle
);

  logic [63:0] value_q;
  logic [15:0] event_q;
  logic [4:0]  filter_q;
  logic        of_q, request_q;

  logic [63:0] mask;
  assign mask       = there_i ? ~64'd0 >> (7'd64 - width_i) : 64'd0;
  assign counting_o = there_i && !inhibit_i && (!has_event_i || (event_q != 16'd0));

  function automatic logic passes(input logic [4:0] filter, input logic [1:0] mode,
                                  input logic virt);
    unique case (mode)
      hpm_pkg::ModeU: passes = virt ? !filter[0] : !filter[2];
      hpm_pkg::ModeS: passes = virt ? !filter[1] : !filter[3];
      default:        passes = !filter[4];
    endcase
  endfunction

  function automatic logic [63:0] add(input logic [63:0] count, input logic [3:0] inc);
    add = count + {60'd0, inc};
  endfunction

  // Past the width, or past bit 63: an increment is small, so the sum is then the smaller one.
  function automatic logic carries(input logic [63:0] count, input logic [63:0] sum,
                                   input logic [63:0] fits);
    carries = ((sum & ~fits) != 64'd0) || (sum < count);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q   <= '0;
      of_q      <= 1'b0;
      request_q <= 1'b0;
    end else begin
      request_q <= 1'b0;
      if (write_setup_i[1] && has_of_i) of_q <= wdata_i[63];
      if (write_value_i != 2'b00) begin
        if (write_value_i[0]) value_q[31:0]  <= wdata_i[31:0] & mask[31:0];
        if (write_value_i[1]) value_q[63:32] <= wdata_i[63:32] & mask[63:32];
      end else if (counting_o) begin
        if (passes(filter_q, mode_i, v_i)) begin
          value_q <= add(value_q, inc_i) & mask;
          if (has_of_i && !of_q && carries(value_q, add(value_q, inc_i), mask)) begin
            of_q      <= 1'b1;
            request_q <= 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      event_q  <= '0;
      filter_q <= '0;
    end else begin
      if (write_setup_i[0] && has_event_i) event_q <= wdata_i[15:0];
      if (write_setup_i[1]) begin
        filter_q[3:0] <= wdata_i[61:58] & has_filter_i[3:0];
        if (!keep_minh_i) filter_q[4] <= wdata_i[62] && has_filter_i[4];
      end
    end
  end

  assign value_o   = value_q;
  assign setup_o   = {of_q, filter_q, 42'd0, event_q};
  assign request_o = request_q;

endmodule
