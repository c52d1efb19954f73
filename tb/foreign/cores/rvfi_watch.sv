// SPDX-License-Identifier: Apache-2.0
// Holds the counters of a foreign core against the golden block at instructions: it is told what RVFI
// reports, and the core's event wires. Prints each difference. With +trace=FILE it also writes what it
// tells as a file for `countersink follow`.
module rvfi_watch #(
  parameter int NrEvent   = 10,         // event 3 + n is events_i[n]
  parameter int EventBits = 1,          // how often it may happen in a cycle
  parameter int NrRetire  = 1,          // instructions per cycle
  parameter int Xlen      = 32,
  parameter int Lag       = 1,
  parameter int Behind    = 0,          // of all counters but minstret
  parameter int Mcycle    = 0,          // mcycle and minstret when it begins
  parameter int Instret   = 0
) (
  input logic                               clk_i,
  input logic                               rst_ni,
  input logic                               ended_i,
  input string                              settings_i,
  input logic [31:0]                        inhibit_i,  // mcountinhibit when it begins
  input logic [NrEvent-1:0][EventBits-1:0]  events_i,
  input logic [NrRetire-1:0]                valid_i,
  input logic [NrRetire-1:0][63:0]          order_i,
  input logic [NrRetire-1:0][31:0]          insn_i,
  input logic [NrRetire-1:0][Xlen-1:0]      pc_i,
  input logic [NrRetire-1:0][1:0]           mode_i,
  input logic [NrRetire-1:0]                trap_i,
  input logic [NrRetire-1:0][Xlen-1:0]      rs1_i,
  input logic [NrRetire-1:0][Xlen-1:0]      rd_i
);
  import countersink_golden_pkg::*;

  chandle follow;
  int     cycle = 0, file = 0, said;
  string  name;
  bit     fixed = 1'b0;

  // Counters whose event nobody can choose: counter 3 + n has event 3 + n.
  task automatic begin_with(int csr, longint unsigned value);
    cs_follow_begin(follow, csr, value);
    if (file != 0) $fdisplay(file, "begin 0x%0h 0x%0h", csr, value);
  endtask

  task automatic begins();
    follow = cs_follow_create(settings_i, Lag);
    if (follow == null) $fatal(1, "%s", cs_golden_error());
    if ($value$plusargs("trace=%s", name)) file = $fopen(name, "w");
    if (file != 0) $fdisplay(file, "settings %s\nlag %0d", settings_i, Lag);
    fixed = $test$plusargs("fixed") != 0;
    for (int n = 3; fixed && (n < NrEvent + 3); n++) begin_with(32'h320 + n, 64'(n));
    begin_with(32'h320, {32'd0, inhibit_i});
    if (Mcycle != 0) begin_with(32'hb00, 64'(Mcycle));
    if (Instret != 0) begin_with(32'hb02, 64'(Instret));
    for (int n = 0; (Behind != 0) && (n < 32); n++) begin
      if (n != 2) cs_follow_behind(follow, n, Behind);
      if ((n != 2) && (file != 0)) $fdisplay(file, "behind %0d %0d", n, Behind);
    end
  endtask

  task automatic retires(int port);
    cs_follow_retire(follow, order_i[port], insn_i[port], 64'(pc_i[port]), {30'd0, mode_i[port]},
                     {31'd0, trap_i[port]}, 64'(rs1_i[port]), 64'(rd_i[port]));
    if (file != 0) $fwrite(file, " r=%0d,0x%0h,0x%0h,%0d,%0d,0x%0h,0x%0h", order_i[port],
                           insn_i[port], pc_i[port], mode_i[port], trap_i[port], rs1_i[port],
                           rd_i[port]);
  endtask

  always @(posedge clk_i) begin
    if (rst_ni && !ended_i) begin
      if (cycle == 0) begins();
      if (file != 0 && ((valid_i != '0) || (events_i != '0))) $fwrite(file, "%0d", cycle);
      for (int n = 0; n < NrEvent; n++) begin
        if (events_i[n] != '0) begin
          cs_follow_event(follow, n + 3, 32'(events_i[n]));
          if (file != 0) $fwrite(file, " e%0d=%0d", n + 3, events_i[n]);
        end
      end
      for (int port = 0; port < NrRetire; port++) if (valid_i[port]) retires(port);
      if (file != 0 && ((valid_i != '0) || (events_i != '0))) $fwrite(file, "\n");
      said = cs_follow_step(follow);
      if (said == 1) $display("DIFFERENT %s", cs_follow_text(follow));
      if (said < 0) $fatal(1, "%s", cs_follow_text(follow));
      cycle++;
    end
  end

  final $display("%0d instructions, %0d CSR instructions compared, %0d differences",
                 cs_follow_instructions(follow), cs_follow_compared(follow),
                 cs_follow_differences(follow));

endmodule
