// SPDX-License-Identifier: Apache-2.0
// The golden counter block over DPI-C: docs/yours/testbench.md. Link with libcountersink_golden.
package countersink_golden_pkg;

  localparam int Cycles  = 1;   // events that mcycle and minstret count
  localparam int Instret = 2;

  localparam int OpRead  = 0;
  localparam int OpWrite = 1;
  localparam int OpSet   = 2;
  localparam int OpClear = 3;

  import "DPI-C" function chandle cs_golden_create(input string settings);
  import "DPI-C" function void cs_golden_destroy(input chandle golden);
  import "DPI-C" function string cs_golden_error();
  import "DPI-C" cs_golden_mode = function void cs_golden_to_mode(input chandle golden,
                                                                  input int unsigned mode);
  import "DPI-C" cs_golden_event = function void cs_golden_to_event(input chandle golden,
      input int unsigned number, input int unsigned increment);
  import "DPI-C" cs_golden_time = function void cs_golden_to_time(input chandle golden,
                                                                  input longint unsigned mtime);
  import "DPI-C" cs_golden_access = function longint unsigned cs_golden_to_access(
      input chandle golden, input int unsigned csr, input int unsigned op,
      input longint unsigned operand);
  import "DPI-C" function int unsigned cs_golden_exception(input chandle golden);
  import "DPI-C" cs_golden_predict = function longint unsigned cs_golden_to_predict(
      input chandle golden, input int unsigned csr);
  import "DPI-C" function int unsigned cs_golden_irq(input chandle golden);
  import "DPI-C" cs_golden_step = function int cs_golden_try_step(input chandle golden);
  import "DPI-C" function string cs_golden_failure(input chandle golden);
  import "DPI-C" function longint unsigned cs_golden_cycle(input chandle golden);

  // Numbers of C have no X: it would be a 0.
  localparam Unknown = "found X or Z, expected numbers";

  function automatic void cs_golden_mode(input chandle golden, input logic [31:0] mode);
    if ((^mode) === 1'bx) $fatal(1, "cs_golden_mode: %s", Unknown);
    cs_golden_to_mode(golden, mode);
  endfunction

  function automatic void cs_golden_event(input chandle golden, input logic [31:0] number,
                                          input logic [31:0] increment);
    if ((^{number, increment}) === 1'bx) $fatal(1, "cs_golden_event: %s", Unknown);
    cs_golden_to_event(golden, number, increment);
  endfunction

  function automatic void cs_golden_time(input chandle golden, input logic [63:0] mtime);
    if ((^mtime) === 1'bx) $fatal(1, "cs_golden_time: %s", Unknown);
    cs_golden_to_time(golden, mtime);
  endfunction

  function automatic longint unsigned cs_golden_access(input chandle golden, input logic [31:0] csr,
                                                       input logic [31:0] op,
                                                       input logic [63:0] operand);
    if ((^{csr, op, operand}) === 1'bx) $fatal(1, "cs_golden_access: %s", Unknown);
    return cs_golden_to_access(golden, csr, op, operand);
  endfunction

  function automatic longint unsigned cs_golden_predict(input chandle golden,
                                                        input logic [31:0] csr);
    if ((^csr) === 1'bx) $fatal(1, "cs_golden_predict: %s", Unknown);
    return cs_golden_to_predict(golden, csr);
  endfunction

  // A testbench that has told nonsense ends here.
  function automatic void cs_golden_step(input chandle golden);
    if (cs_golden_try_step(golden) != 0) $fatal(1, "%s", cs_golden_failure(golden));
  endfunction

  // At instructions: docs/yours/retirement.md. `mode` as of cs_golden_mode.
  import "DPI-C" function chandle cs_follow_create(input string settings, input int unsigned lag);
  import "DPI-C" function void cs_follow_destroy(input chandle follow);
  import "DPI-C" function void cs_follow_begin(input chandle follow, input int unsigned csr,
                                               input longint unsigned value);
  import "DPI-C" function void cs_follow_late(input chandle follow, input int unsigned number,
                                              input int unsigned cycles);
  import "DPI-C" function void cs_follow_behind(input chandle follow, input int unsigned counter,
                                                input int unsigned cycles);
  import "DPI-C" cs_follow_event = function void cs_follow_to_event(input chandle follow,
      input int unsigned number, input int unsigned increment);
  import "DPI-C" cs_follow_irq = function void cs_follow_to_irq(input chandle follow,
                                                                input int unsigned lines);
  import "DPI-C" cs_follow_mode = function void cs_follow_to_mode(input chandle follow,
                                                                  input int unsigned mode);
  import "DPI-C" cs_follow_retire = function void cs_follow_to_retire(input chandle follow,
      input longint unsigned order, input int unsigned insn, input longint unsigned pc,
      input int unsigned mode, input int unsigned trap, input longint unsigned rs1,
      input longint unsigned rd);
  import "DPI-C" function int cs_follow_step(input chandle follow);
  import "DPI-C" function string cs_follow_text(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_instructions(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_compared(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_differences(input chandle follow);

  function automatic void cs_follow_event(input chandle follow, input logic [31:0] number,
                                          input logic [31:0] increment);
    if ((^{number, increment}) === 1'bx) $fatal(1, "cs_follow_event: %s", Unknown);
    cs_follow_to_event(follow, number, increment);
  endfunction

  function automatic void cs_follow_irq(input chandle follow, input logic [31:0] lines);
    if ((^lines) === 1'bx) $fatal(1, "cs_follow_irq: %s", Unknown);
    cs_follow_to_irq(follow, lines);
  endfunction

  function automatic void cs_follow_mode(input chandle follow, input logic [31:0] mode);
    if ((^mode) === 1'bx) $fatal(1, "cs_follow_mode: %s", Unknown);
    cs_follow_to_mode(follow, mode);
  endfunction

  // Registers of programs may be X, but not those that a CSR instruction reads and writes.
  function automatic void cs_follow_retire(input chandle follow,
      input logic [63:0] order, input logic [31:0] insn, input logic [63:0] pc,
      input logic [31:0] mode, input logic [31:0] trap, input logic [63:0] rs1,
      input logic [63:0] rd);
    if ((^{order, insn, pc, mode, trap}) === 1'bx) $fatal(1, "cs_follow_retire: %s", Unknown);
    if (insn[6:0] == 7'h73 && insn[13:12] != 2'd0) begin
      if (!insn[14] && insn[19:15] != 5'd0 && (^rs1) === 1'bx)
        $fatal(1, "cs_follow_retire, rs1: %s", Unknown);
      if (insn[11:7] != 5'd0 && trap == 32'd0 && (^rd) === 1'bx)
        $fatal(1, "cs_follow_retire, rd: %s", Unknown);
    end
    cs_follow_to_retire(follow, order, insn, pc, mode, trap, rs1, rd);
  endfunction

endpackage
