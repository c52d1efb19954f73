// SPDX-License-Identifier: Apache-2.0
// Holds the counters of a foreign core against the golden counter block, cycle by cycle: what each
// CSR instruction reads, and every counter in every cycle. Prints each difference and goes on with
// the core's value of the counter, so that one difference is told once.
module golden_watch #(
  parameter int NrCounter = 10,         // mhpmcounter3 and those behind it
  parameter int Width     = 40,
  parameter bit Sets      = 1'b0,       // mhpmevent is a set of events, of which any counts one
  parameter int NrEvent   = NrCounter,
  parameter bit Reads     = 1'b0        // only what CSR instructions read is compared
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        ended_i,
  // What happens in this cycle.
  input logic                        retired_i,
  input logic [NrEvent-1:0]          counts_i,     // the event of counter 3 + n; Sets: event n + 1
  input logic                        csr_valid_i,
  input logic [11:0]                 csr_addr_i,
  input logic [1:0]                  csr_op_i,
  input logic [31:0]                 csr_operand_i,
  input logic [31:0]                 csr_rdata_i,
  // The core's counters in this cycle, 64 bits each, from 0 on; and mcountinhibit.
  input logic [64*(NrCounter+3)-1:0] value_i,
  input logic [31:0]                 inhibit_i
);
  import countersink_golden_pkg::*;

  chandle golden;
  int     cycles = 0, accesses = 0, reads = 0, differences = 0, fresh = 1;
  longint unsigned wanted;
  string  settings;
  logic   follow = 1'b0;
  // What software has done to a counter since it was last read as the model has it.
  logic [31:0] written = '0, inhibited = '0;

  function automatic void begins();
    settings = $sformatf("xlen=32 modes=1 counters=%0d width=%0d event_set=%0d",
                         ((1 << NrCounter) - 1) << 3, Width, Sets ? 2 : 0);
    golden = cs_golden_create(settings);
    if (golden == null) $fatal(1, "%s", cs_golden_error());
  endfunction

  // A write of ours in a cycle in which nothing happens.
  function automatic void poke(int csr, logic [31:0] value);
    void'(cs_golden_access(golden, csr, OpWrite, {32'd0, value}));
    cs_golden_step(golden);
  endfunction

  function automatic longint unsigned model_of(int n);
    return cs_golden_predict(golden, 32'hB80 + n) << 32 | cs_golden_predict(golden, 32'hB00 + n);
  endfunction

  function automatic void differ(string what, int csr, longint unsigned core, longint unsigned model);
    differences++;
    $display("DIFFERENT cycle %0d: %s 0x%03h after %s%s: core 0x%0h, model 0x%0h", cycles, what, csr,
             written[csr[4:0]] ? "write" : "", inhibited[csr[4:0]] ? "inhibit" : "", core, model);
  endfunction

  // Only what the model has: counters, their upper halves, mcountinhibit; with Sets mhpmevent.
  function automatic logic known(logic [11:0] csr);
    return ((csr[11:8] == 4'hB) && (csr[6:5] == 2'd0) && (csr[4:0] != 5'd1) &&
            (csr[4:0] < 5'(NrCounter + 3))) || (csr == 12'h320) ||
           (Sets && (csr[11:5] == 7'h19) && (csr[4:0] > 5'd2) && (csr[4:0] < 5'(NrCounter + 3)));
  endfunction

  always @(posedge clk_i) begin
    if (rst_ni && !ended_i) begin
      if (fresh != 0) begin
        fresh = 0;
        begins();
        for (int n = 3; (n < NrCounter + 3) && !Sets; n++) poke(32'h320 + n, n);
        poke(32'h320, inhibit_i);
      end
      cycles++;
      for (int n = 0; n < NrCounter + 3; n++) begin
        if ((n != 1) && !Reads) begin
          wanted = model_of(n);
          if (wanted != value_i[64*n +: 64]) begin
            differ("counter", 32'hB00 + n, value_i[64*n +: 64], wanted);
            poke(32'hB00 + n, value_i[64*n +: 32]);
            poke(32'hB80 + n, value_i[64*n+32 +: 32]);
          end
        end
      end
      cs_golden_event(golden, Cycles, 1);
      cs_golden_event(golden, Instret, {31'd0, retired_i});
      for (int n = Sets ? 2 : 0; n < NrEvent; n++)
        cs_golden_event(golden, n + (Sets ? 1 : 3), {31'd0, counts_i[n]});
      if (csr_valid_i && known(csr_addr_i)) begin
        accesses++;
        if (csr_op_i == 2'd0) reads++;
        wanted = cs_golden_access(golden, {20'd0, csr_addr_i}, {30'd0, csr_op_i},
                                  {32'd0, csr_operand_i});
        if (wanted[31:0] != csr_rdata_i) begin
          differ("read", {20'd0, csr_addr_i}, {32'd0, csr_rdata_i}, wanted);
          follow = Reads && (csr_addr_i != 12'h320);
        end
        if (csr_addr_i == 12'h320) begin
          if (csr_op_i != 2'd0) inhibited = '1;
        end else if (csr_addr_i[11:8] == 4'hB) begin
          written[csr_addr_i[4:0]]   = csr_op_i != 2'd0;
          inhibited[csr_addr_i[4:0]] = 1'b0;
        end
      end
      cs_golden_step(golden);
      // A read that differs: from there on as the core has it, with what this cycle adds.
      if (follow) begin
        poke({20'd0, csr_addr_i}, 32'(cs_golden_predict(golden, {20'd0, csr_addr_i})) +
                                  csr_rdata_i - wanted[31:0]);
        follow = 1'b0;
      end
    end
  end

  final $display("%0d cycles, %0d CSR instructions (%0d read), %0d differences", cycles, accesses,
                 reads, differences);

endmodule
