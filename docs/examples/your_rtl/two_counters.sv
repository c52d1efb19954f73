// SPDX-License-Identifier: Apache-2.0
// Stands for the smallest block that somebody has: mcycle and minstret of an RV32 hart without modes,
// with one wire for an instruction that retires. two_counters.yaml is its MAP.
module two_counters (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        retire,
  input  logic        csr_we,
  input  logic [11:0] csr_addr,
  input  logic [31:0] csr_wdata,
  output logic [31:0] csr_rdata
);

  logic [63:0] cycles, instructions;
  logic [2:0]  inhibit; // bit 1 is none

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles       <= '0;
      instructions <= '0;
      inhibit      <= '0;
    end else begin
      if (!inhibit[0]) cycles <= cycles + 64'd1;
      if (!inhibit[2]) instructions <= instructions + 64'(retire);
      // A write wins over the increment of its cycle.
      if (csr_we) begin
        case (csr_addr)
          12'hb00: cycles       <= {cycles[63:32], csr_wdata};
          12'hb80: cycles       <= {csr_wdata, cycles[31:0]};
          12'hb02: instructions <= {instructions[63:32], csr_wdata};
          12'hb82: instructions <= {csr_wdata, instructions[31:0]};
          12'h320: inhibit      <= csr_wdata[2:0] & 3'b101;
          default: ;
        endcase
      end
    end
  end

  always_comb begin
    case (csr_addr)
      12'hb00, 12'hc00: csr_rdata = cycles[31:0];
      12'hb80, 12'hc80: csr_rdata = cycles[63:32];
      12'hb02, 12'hc02: csr_rdata = instructions[31:0];
      12'hb82, 12'hc82: csr_rdata = instructions[63:32];
      12'h320:          csr_rdata = 32'(inhibit);
      default:          csr_rdata = '0;
    endcase
  end

endmodule
