// SPDX-License-Identifier: Apache-2.0
// VexRiscv (its Full variant), followed at instructions: what leaves its last stage. A CSR is read and written in the
// third of its five stages, which waits until the two behind it are empty: the instruction is reported two cycles
// later.
module tb_vexriscv;

  logic clk, rst_n, ended;

  bench_clock u_clock (.clk_o (clk), .rst_no (rst_n), .ended_i (ended));

  logic        ibus_cyc, ibus_stb, ibus_ack, dbus_cyc, dbus_stb, dbus_ack, dbus_we;
  logic [29:0] ibus_adr, dbus_adr;
  logic [31:0] ibus_rdata, dbus_wdata, dbus_rdata;
  logic [3:0]  dbus_sel;

  // A word of a burst is acknowledged when its data is there, and asked for again in no cycle of an answer.
  core_memory u_memory (
    .clk_i (clk), .rst_ni (rst_n),
    .instr_req_i (ibus_cyc && ibus_stb && !ibus_ack), .instr_gnt_o (), .instr_rvalid_o (ibus_ack),
    .instr_addr_i ({ibus_adr, 2'd0}), .instr_rdata_o (ibus_rdata),
    .data_req_i (dbus_cyc && dbus_stb && !dbus_ack), .data_gnt_o (), .data_rvalid_o (dbus_ack),
    .data_we_i (dbus_we), .data_be_i (dbus_sel), .data_addr_i ({dbus_adr, 2'd0}),
    .data_wdata_i (dbus_wdata), .data_rdata_o (dbus_rdata), .ended_o (ended)
  );

  VexRiscv u_core (
    .clk (clk), .reset (!rst_n), .externalResetVector (32'h80),
    .timerInterrupt (1'b0), .softwareInterrupt (1'b0), .externalInterruptArray ('0),
    .iBusWishbone_CYC (ibus_cyc), .iBusWishbone_STB (ibus_stb), .iBusWishbone_ACK (ibus_ack),
    .iBusWishbone_WE (), .iBusWishbone_ADR (ibus_adr), .iBusWishbone_DAT_MISO (ibus_rdata),
    .iBusWishbone_DAT_MOSI (), .iBusWishbone_SEL (), .iBusWishbone_ERR (1'b0),
    .iBusWishbone_CTI (), .iBusWishbone_BTE (),
    .dBusWishbone_CYC (dbus_cyc), .dBusWishbone_STB (dbus_stb), .dBusWishbone_ACK (dbus_ack),
    .dBusWishbone_WE (dbus_we), .dBusWishbone_ADR (dbus_adr), .dBusWishbone_DAT_MISO (dbus_rdata),
    .dBusWishbone_DAT_MOSI (dbus_wdata), .dBusWishbone_SEL (dbus_sel), .dBusWishbone_ERR (1'b0),
    .dBusWishbone_CTI (), .dBusWishbone_BTE ()
  );

  // The next CSR instruction waits until this one has left: its operand, and whether it is refused, stay here.
  logic [31:0] operand, refused_insn, refused_pc;
  always_ff @(posedge clk) begin
    if (u_core.execute_arbitration_isFiring && u_core.execute_IS_CSR) operand <= u_core.execute_SRC1;
    if (u_core.CsrPlugin_selfException_valid) begin
      refused_insn <= u_core.execute_INSTRUCTION;
      refused_pc   <= u_core.execute_PC;
    end
  end

  logic        valid, trap;
  logic [63:0] order = '0;
  assign trap  = u_core.CsrPlugin_exception;
  assign valid = u_core.lastStageIsFiring || trap;
  always @(posedge clk) if (valid) order <= order + 64'd1;

  logic [31:0] insn, rs1, rd;
  assign insn = trap ? refused_insn : u_core.lastStageInstruction;
`ifdef RVVI
  // As an RVVI-TRACE port has it: what the instruction writes, and nothing of what it reads.
  logic [31:0]       x_wb;
  logic [31:0][31:0] x_wdata;
  assign x_wb    = u_core.lastStageRegFileWrite_valid ?
                   32'd1 << u_core.lastStageRegFileWrite_payload_address : '0;
  assign x_wdata = {32{u_core.lastStageRegFileWrite_payload_data}};

  rvvi_registers u_registers (
    .clk_i (clk), .valid_i (valid), .insn_i (insn), .x_wb_i (x_wb), .x_wdata_i (x_wdata),
    .rs1_o (rs1), .rd_o (rd)
  );
`else
  assign rs1 = operand;
  assign rd  = u_core.lastStageRegFileWrite_payload_data;
`endif

  // mcycle has no reset, and counts the clock edge in it.
  rvfi_watch #(
    .NrEvent (1), .Lag (2), .Mcycle (1)
  ) u_rvfi (
    .clk_i (clk), .rst_ni (rst_n), .ended_i (ended),
    .settings_i ("xlen=32 modes=0 counters=0 width=64"), .inhibit_i ('0), .events_i ('0),
    .valid_i (valid), .order_i (order),
    .insn_i (insn), .pc_i (trap ? refused_pc : u_core.lastStagePc), .mode_i (2'd3), .trap_i (trap),
    .rs1_i (rs1), .rd_i (rd)
  );

endmodule
