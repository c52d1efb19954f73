// SPDX-License-Identifier: Apache-2.0
// Stands for a core whose mhpmevent is a set of events that are added up, several of each in a cycle.
// Bit k of it is event k + 1: cycles, instructions, and eight of the core's own. RV64, M mode, and
// mhpmcounter3 of 24 bits with Sscofpmf. event_sums.yaml is its MAP.
module event_sums (
  input  logic             clk,
  input  logic             rst_n,
  input  logic [1:0]       retire,
  input  logic [10:3][3:0] happens, // events 3 to 10
  input  logic             csr_we,
  input  logic [11:0]      csr_addr,
  input  logic [63:0]      csr_wdata,
  output logic [63:0]      csr_rdata,
  output logic [2:0]       irq      // to M, S, VS
);

  logic [63:0] cycles, instructions;
  logic [23:0] counter;
  logic [9:0]  chosen;
  logic [3:0]  inhibit; // bit 1 is none
  logic        overflow, not_in_m, pending, enable, carry;
  logic [24:0] sum;

  assign irq = {2'b00, pending && enable};
  // A write takes the increment of its cycle away.
  assign carry = sum[24] && !(csr_we && (csr_addr == 12'hb03));

  always_comb begin
    sum = {1'b0, counter};
    if (!inhibit[3] && !not_in_m) begin
      if (chosen[0]) sum = sum + 25'd1;
      if (chosen[1]) sum = sum + 25'(retire);
      for (int n = 3; n <= 10; n++) if (chosen[n-1]) sum = sum + 25'(happens[n]);
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles       <= '0;
      instructions <= '0;
      inhibit      <= '0;
      counter      <= '0;
      chosen       <= '0;
      overflow     <= '0;
      not_in_m     <= '0;
      pending      <= '0;
      enable       <= '0;
    end else begin
      if (!inhibit[0]) cycles <= cycles + 64'd1;
      if (!inhibit[2]) instructions <= instructions + 64'(retire);
      counter <= sum[23:0];
      if (csr_we) begin
        case (csr_addr)
          12'hb00: cycles       <= csr_wdata;
          12'hb02: instructions <= csr_wdata;
          12'hb03: counter      <= csr_wdata[23:0];
          12'h320: inhibit      <= csr_wdata[3:0] & 4'b1101;
          12'h323: {overflow, not_in_m, chosen} <= {csr_wdata[63:62], csr_wdata[9:0]};
          12'h304: enable       <= csr_wdata[13];
          12'h344: pending      <= csr_wdata[13];
          default: ;
        endcase
      end
      // An overflow wins over a write. Where OF is 1 already there is none.
      if (carry && !overflow) begin
        overflow <= 1'b1;
        pending  <= 1'b1;
      end
    end
  end

  always_comb begin
    case (csr_addr)
      12'hb00, 12'hc00: csr_rdata = cycles;
      12'hb02, 12'hc02: csr_rdata = instructions;
      12'hb03, 12'hc03: csr_rdata = 64'(counter);
      12'h320:          csr_rdata = 64'(inhibit);
      12'h323:          csr_rdata = {overflow, not_in_m, 52'd0, chosen};
      12'h304:          csr_rdata = {50'd0, enable, 13'd0};
      12'h344:          csr_rdata = {50'd0, pending, 13'd0};
      default:          csr_rdata = '0;
    endcase
  end

endmodule
