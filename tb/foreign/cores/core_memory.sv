// SPDX-License-Identifier: Apache-2.0
// Memory of a foreign core: instructions and data, each with the protocol of OBI
// (request, grant, answer in the cycle after it). Grants are held back by chance.
module core_memory #(
  parameter int Words = 16384
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        instr_req_i,
  output logic        instr_gnt_o,
  output logic        instr_rvalid_o,
  input  logic [31:0] instr_addr_i,
  output logic [31:0] instr_rdata_o,

  input  logic        data_req_i,
  output logic        data_gnt_o,
  output logic        data_rvalid_o,
  input  logic        data_we_i,
  input  logic [3:0]  data_be_i,
  input  logic [31:0] data_addr_i,
  input  logic [31:0] data_wdata_i,
  output logic [31:0] data_rdata_o,

  output logic        ended_o          // a store to the last word
);

  logic [31:0] words [Words];
  logic [31:0] lfsr_q;

  initial begin
    string name;
    if (!$value$plusargs("program=%s", name)) $fatal(1, "+program=FILE");
    $readmemh(name, words);
  end

  assign instr_gnt_o = instr_req_i && (lfsr_q[1:0] != 2'd0);
  assign data_gnt_o  = data_req_i && (lfsr_q[4:3] != 2'd0);

  localparam int Bits = $clog2(Words);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q         <= 32'hACE1_1234;
      instr_rvalid_o <= 1'b0;
      data_rvalid_o  <= 1'b0;
      ended_o        <= 1'b0;
    end else begin
      lfsr_q         <= {lfsr_q[30:0], lfsr_q[31] ^ lfsr_q[21] ^ lfsr_q[1] ^ lfsr_q[0]};
      instr_rvalid_o <= instr_gnt_o;
      data_rvalid_o  <= data_gnt_o;
      if (instr_gnt_o) instr_rdata_o <= words[instr_addr_i[Bits+1:2]];
      if (data_gnt_o) begin
        data_rdata_o <= words[data_addr_i[Bits+1:2]];
        for (int i = 0; i < 4; i++) begin
          if (data_we_i && data_be_i[i]) begin
            words[data_addr_i[Bits+1:2]][8*i +: 8] <= data_wdata_i[8*i +: 8];
          end
        end
        if (data_we_i && (&data_addr_i[Bits+1:2])) ended_o <= 1'b1;
      end
    end
  end

endmodule
