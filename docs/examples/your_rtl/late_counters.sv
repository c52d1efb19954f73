// SPDX-License-Identifier: Apache-2.0
// Stands for a core whose events are on their way for some cycles before they are counted: instructions for one, its
// own events for two. RV32, M mode, mcycle, minstret, and mhpmcounter3 of 40 bits, which counts one of four events.
// late_counters.yaml is its MAP.
module late_counters (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        retire,
  input  logic [6:3]  happens, // events 3 to 6
  input  logic        csr_we,
  input  logic [11:0] csr_addr,
  input  logic [31:0] csr_wdata,
  output logic [31:0] csr_rdata
);

  logic [63:0] cycles, instructions;
  logic [39:0] counter;
  logic [2:0]  chosen;
  logic [3:0]  inhibit; // bit 1 is none
  logic        retired;
  logic [6:3]  stage, happened;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles       <= '0;
      instructions <= '0;
      counter      <= '0;
      chosen       <= '0;
      inhibit      <= '0;
      retired      <= '0;
      stage        <= '0;
      happened     <= '0;
    end else begin
      retired  <= retire;
      stage    <= happens;
      happened <= stage;
      if (!inhibit[0]) cycles <= cycles + 64'd1;
      if (!inhibit[2]) instructions <= instructions + 64'(retired);
      if (!inhibit[3] && (chosen > 3'd2)) counter <= counter + 40'(happened[chosen]);
      // A write wins over the increment of its cycle.
      if (csr_we) begin
        case (csr_addr)
          12'hb00: cycles       <= {cycles[63:32], csr_wdata};
          12'hb80: cycles       <= {csr_wdata, cycles[31:0]};
          12'hb02: instructions <= {instructions[63:32], csr_wdata};
          12'hb82: instructions <= {csr_wdata, instructions[31:0]};
          12'hb03: counter      <= {counter[39:32], csr_wdata};
          12'hb83: counter      <= {csr_wdata[7:0], counter[31:0]};
          12'h320: inhibit      <= csr_wdata[3:0] & 4'b1101;
          12'h323: chosen       <= (csr_wdata[15:0] inside {[16'd3:16'd6]}) ? csr_wdata[2:0] : '0;
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
      12'hb03, 12'hc03: csr_rdata = counter[31:0];
      12'hb83, 12'hc83: csr_rdata = 32'(counter[39:32]);
      12'h320:          csr_rdata = 32'(inhibit);
      12'h323:          csr_rdata = 32'(chosen);
      default:          csr_rdata = '0;
    endcase
  end

endmodule
