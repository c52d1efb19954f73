// SPDX-License-Identifier: Apache-2.0
// Stands for a core whose mhpmevent takes the events of a list alone. What becomes of a write of another
// one is a parameter: the event is 0, or stays as it was. RV64, M mode, mhpmcounter3 and 4 of 48 bits
// with Sscofpmf. The core outside shows the increments of the events that are chosen.
// listed_events.yaml and listed_events_keep.yaml are its MAPs.
module listed_events #(
  parameter bit Keep = 0
) (
  input  logic            clk,
  input  logic            rst_n,
  input  logic            retire,
  output logic [4:3][5:0] chosen,
  input  logic [4:3][3:0] happens,
  input  logic            csr_we,
  input  logic [11:0]     csr_addr,
  input  logic [63:0]     csr_wdata,
  output logic [63:0]     csr_rdata,
  output logic [2:0]      irq // to M, S, VS
);

  localparam logic [63:0] Listed = 64'h8000_0000_0010_0037; // 0, 1, 2, 4, 5, 20, 63

  logic [63:0] cycles, instructions;
  logic [47:0] counter[3:4];
  logic [4:0]  inhibit; // bit 1 is none
  logic [4:3]  overflow, not_in_m, carry;
  logic        pending, enable;
  logic [48:0] sum[3:4];
  logic        listed;

  assign listed = (csr_wdata[15:6] == '0) && Listed[csr_wdata[5:0]];
  assign irq = {2'b00, pending && enable};

  always_comb begin
    for (int n = 3; n <= 4; n++) begin
      sum[n] = {1'b0, counter[n]};
      if (!inhibit[n] && (chosen[n] != '0) && !not_in_m[n]) sum[n] = sum[n] + 49'(happens[n]);
      // A write takes the increment of its cycle away.
      carry[n] = sum[n][48] && !(csr_we && (csr_addr == 12'hb00 + 12'(n)));
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles       <= '0;
      instructions <= '0;
      inhibit      <= '0;
      counter      <= '{default: '0};
      chosen       <= '0;
      overflow     <= '0;
      not_in_m     <= '0;
      pending      <= '0;
      enable       <= '0;
    end else begin
      if (!inhibit[0]) cycles <= cycles + 64'd1;
      if (!inhibit[2]) instructions <= instructions + 64'(retire);
      for (int n = 3; n <= 4; n++) counter[n] <= sum[n][47:0];
      if (csr_we) begin
        case (csr_addr)
          12'hb00: cycles       <= csr_wdata;
          12'hb02: instructions <= csr_wdata;
          12'hb03: counter[3]   <= csr_wdata[47:0];
          12'hb04: counter[4]   <= csr_wdata[47:0];
          12'h320: inhibit      <= csr_wdata[4:0] & 5'b11101;
          12'h304: enable       <= csr_wdata[13];
          12'h344: pending      <= csr_wdata[13];
          default: ;
        endcase
        for (int n = 3; n <= 4; n++) begin
          if (csr_addr == 12'h320 + 12'(n)) begin
            overflow[n] <= csr_wdata[63];
            not_in_m[n] <= csr_wdata[62];
            if (listed) chosen[n] <= csr_wdata[5:0];
            else if (!Keep) chosen[n] <= '0;
          end
        end
      end
      // An overflow wins over a write. Where OF is 1 already there is none.
      for (int n = 3; n <= 4; n++) begin
        if (carry[n] && !overflow[n]) begin
          overflow[n] <= 1'b1;
          pending     <= 1'b1;
        end
      end
    end
  end

  always_comb begin
    case (csr_addr)
      12'hb00, 12'hc00: csr_rdata = cycles;
      12'hb02, 12'hc02: csr_rdata = instructions;
      12'hb03, 12'hc03: csr_rdata = 64'(counter[3]);
      12'hb04, 12'hc04: csr_rdata = 64'(counter[4]);
      12'h320:          csr_rdata = 64'(inhibit);
      12'h323:          csr_rdata = {overflow[3], not_in_m[3], 56'd0, chosen[3]};
      12'h324:          csr_rdata = {overflow[4], not_in_m[4], 56'd0, chosen[4]};
      12'h304:          csr_rdata = {50'd0, enable, 13'd0};
      12'h344:          csr_rdata = {50'd0, pending, 13'd0};
      default:          csr_rdata = '0;
    endcase
  end

endmodule
