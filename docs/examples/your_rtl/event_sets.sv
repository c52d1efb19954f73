// SPDX-License-Identifier: Apache-2.0
// Stands for a core whose mhpmevent is a set of events, as CV32E40P's: bit k of it is event k + 1,
// and a counter adds one when any event of the set happens. RV32, M mode, mhpmcounter3 and 4 of 40
// bits, and six events: cycles, instructions, and four of the core's own. event_sets.yaml is its MAP.
module event_sets (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        retire,
  input  logic [4:1]  happens, // events 3 to 6
  input  logic        csr_we,
  input  logic [11:0] csr_addr,
  input  logic [31:0] csr_wdata,
  output logic [31:0] csr_rdata
);

  logic [63:0] cycles, instructions;
  logic [39:0] counter[3:4];
  logic [5:0]  chosen[3:4];
  logic [4:0]  inhibit; // bit 1 is none
  logic [5:0]  events;

  assign events = {happens, retire, 1'b1};

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cycles       <= '0;
      instructions <= '0;
      inhibit      <= '0;
      counter      <= '{default: '0};
      chosen       <= '{default: '0};
    end else begin
      if (!inhibit[0]) cycles <= cycles + 64'd1;
      if (!inhibit[2]) instructions <= instructions + 64'(retire);
      for (int n = 3; n <= 4; n++)
        if (!inhibit[n]) counter[n] <= counter[n] + 40'(|(events & chosen[n]));
      // A write wins over the increment of its cycle.
      if (csr_we) begin
        case (csr_addr)
          12'hb00: cycles            <= {cycles[63:32], csr_wdata};
          12'hb80: cycles            <= {csr_wdata, cycles[31:0]};
          12'hb02: instructions      <= {instructions[63:32], csr_wdata};
          12'hb82: instructions      <= {csr_wdata, instructions[31:0]};
          12'hb03: counter[3]        <= {counter[3][39:32], csr_wdata};
          12'hb83: counter[3]        <= {csr_wdata[7:0], counter[3][31:0]};
          12'hb04: counter[4]        <= {counter[4][39:32], csr_wdata};
          12'hb84: counter[4]        <= {csr_wdata[7:0], counter[4][31:0]};
          12'h320: inhibit           <= csr_wdata[4:0] & 5'b11101;
          12'h323: chosen[3]         <= csr_wdata[5:0];
          12'h324: chosen[4]         <= csr_wdata[5:0];
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
      12'hb03, 12'hc03: csr_rdata = counter[3][31:0];
      12'hb83, 12'hc83: csr_rdata = 32'(counter[3][39:32]);
      12'hb04, 12'hc04: csr_rdata = counter[4][31:0];
      12'hb84, 12'hc84: csr_rdata = 32'(counter[4][39:32]);
      12'h320:          csr_rdata = 32'(inhibit);
      12'h323:          csr_rdata = 32'(chosen[3]);
      12'h324:          csr_rdata = 32'(chosen[4]);
      default:          csr_rdata = '0;
    endcase
  end

endmodule
