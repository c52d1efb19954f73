// SPDX-License-Identifier: Apache-2.0
// What the benches of cores with OBI ports (request, grant, answer) have in common: clock, reset and memory, and the
// wires between core and memory.
  logic clk, rst_n, ended;

  bench_clock u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  logic        instr_req, instr_gnt, instr_rvalid, data_req, data_gnt, data_rvalid, data_we;
  logic [31:0] instr_addr, instr_rdata, data_addr, data_wdata, data_rdata;
  logic [3:0]  data_be;

  core_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .instr_req_i (instr_req), .instr_gnt_o (instr_gnt), .instr_rvalid_o (instr_rvalid),
    .instr_addr_i (instr_addr), .instr_rdata_o (instr_rdata),
    .data_req_i (data_req), .data_gnt_o (data_gnt), .data_rvalid_o (data_rvalid),
    .data_we_i (data_we), .data_be_i (data_be), .data_addr_i (data_addr),
    .data_wdata_i (data_wdata), .data_rdata_o (data_rdata), .ended_o (ended)
  );
