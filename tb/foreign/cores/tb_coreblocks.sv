// SPDX-License-Identifier: Apache-2.0
// Coreblocks, an out-of-order core that retires up to two instructions in a cycle, followed at instructions: what its
// RVVI-TRACE port says. A CSR is read and written when all instructions before have retired, and reported some cycles
// later.
module tb_coreblocks;

  logic clk, rst_n, ended;

  bench_clock #(.ResetEnds (21)) u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  logic        ibus_cyc, ibus_stb, ibus_ack, dbus_cyc, dbus_stb, dbus_ack, dbus_we;
  logic [31:0] ibus_adr, dbus_adr, ibus_rdata, dbus_wdata, dbus_rdata;
  logic [3:0]  dbus_sel;

  // A request stays until it is acknowledged, and is not made again in the cycle of the answer.
  core_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .instr_req_i (ibus_cyc && ibus_stb && !ibus_ack), .instr_gnt_o (), .instr_rvalid_o (ibus_ack),
    .instr_addr_i ({ibus_adr[29:0], 2'd0}), .instr_rdata_o (ibus_rdata),
    .data_req_i (dbus_cyc && dbus_stb && !dbus_ack), .data_gnt_o (), .data_rvalid_o (dbus_ack),
    .data_we_i (dbus_we), .data_be_i (dbus_sel), .data_addr_i ({dbus_adr[29:0], 2'd0}),
    .data_wdata_i (dbus_wdata), .data_rdata_o (dbus_rdata), .ended_o (ended)
  );

  logic [1:0]                valid, trap;
  logic [1:0][63:0]          order;
  logic [1:0][31:0]          insn, pc, x_wb, rs1, rd;
  logic [1:0][1:0]           mode;
  logic [1:0][31:0][31:0]    x_wdata;

  top u_core (
    .clk (clk), .rst (!rst_n), .interrupts ('0),
    .wb_instr__cyc (ibus_cyc), .wb_instr__stb (ibus_stb), .wb_instr__ack (ibus_ack),
    .wb_instr__adr (ibus_adr), .wb_instr__dat_r (ibus_rdata), .wb_instr__err (1'b0),
    .wb_instr__rty (1'b0), .wb_instr__stall (1'b0),
    .wb_data__cyc (dbus_cyc), .wb_data__stb (dbus_stb), .wb_data__ack (dbus_ack),
    .wb_data__we (dbus_we), .wb_data__adr (dbus_adr), .wb_data__sel (dbus_sel),
    .wb_data__dat_w (dbus_wdata), .wb_data__dat_r (dbus_rdata), .wb_data__err (1'b0),
    .wb_data__rty (1'b0), .wb_data__stall (1'b0),
    .rvvi_trace__valid__0__0 (valid[0]), .rvvi_trace__valid__0__1 (valid[1]),
    .rvvi_trace__trap__0__0 (trap[0]), .rvvi_trace__trap__0__1 (trap[1]),
    .rvvi_trace__order__0__0 (order[0]), .rvvi_trace__order__0__1 (order[1]),
    .rvvi_trace__insn__0__0 (insn[0]), .rvvi_trace__insn__0__1 (insn[1]),
    .rvvi_trace__pc_rdata__0__0 (pc[0]), .rvvi_trace__pc_rdata__0__1 (pc[1]),
    .rvvi_trace__mode__0__0 (mode[0]), .rvvi_trace__mode__0__1 (mode[1]),
    .rvvi_trace__x_wb__0__0 (x_wb[0]), .rvvi_trace__x_wb__0__1 (x_wb[1]),
    .rvvi_trace__x_wdata__0__0 (x_wdata[0]), .rvvi_trace__x_wdata__0__1 (x_wdata[1])
  );

  rvvi_registers #(
    .NrRetire (2)
  ) u_registers (
    .clk_i (clk), .valid_i (valid & {2{rst_n}}), .insn_i (insn), .x_wb_i (x_wb), .x_wdata_i (x_wdata),
    .rs1_o (rs1), .rd_o (rd)
  );

  rvfi_watch #(
    .NrEvent (1), .NrRetire (2), .Lag (2)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=2 counters=0 width=64"), .inhibit_i ('0), .events_i ('0),
    .valid_i (valid), .order_i (order), .insn_i (insn), .pc_i (pc), .mode_i (mode), .trap_i (trap),
    .rs1_i (rs1), .rd_i (rd)
  );

endmodule
