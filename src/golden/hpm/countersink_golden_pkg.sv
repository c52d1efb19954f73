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
  import "DPI-C" function void cs_golden_mode(input chandle golden, input int unsigned mode);
  import "DPI-C" function void cs_golden_event(input chandle golden, input int unsigned number,
                                               input int unsigned increment);
  import "DPI-C" function void cs_golden_time(input chandle golden, input longint unsigned mtime);
  import "DPI-C" function longint unsigned cs_golden_access(input chandle golden,
      input int unsigned csr, input int unsigned op, input longint unsigned operand);
  import "DPI-C" function int unsigned cs_golden_exception(input chandle golden);
  import "DPI-C" function longint unsigned cs_golden_predict(input chandle golden,
                                                             input int unsigned csr);
  import "DPI-C" function int unsigned cs_golden_irq(input chandle golden);
  import "DPI-C" cs_golden_step = function int cs_golden_try_step(input chandle golden);
  import "DPI-C" function string cs_golden_failure(input chandle golden);
  import "DPI-C" function longint unsigned cs_golden_cycle(input chandle golden);

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
  import "DPI-C" function void cs_follow_event(input chandle follow, input int unsigned number,
                                               input int unsigned increment);
  import "DPI-C" function void cs_follow_irq(input chandle follow, input int unsigned lines);
  import "DPI-C" function void cs_follow_mode(input chandle follow, input int unsigned mode);
  import "DPI-C" function void cs_follow_retire(input chandle follow,
      input longint unsigned order, input int unsigned insn, input longint unsigned pc,
      input int unsigned mode, input int unsigned trap, input longint unsigned rs1,
      input longint unsigned rd);
  import "DPI-C" function int cs_follow_step(input chandle follow);
  import "DPI-C" function string cs_follow_text(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_instructions(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_compared(input chandle follow);
  import "DPI-C" function longint unsigned cs_follow_differences(input chandle follow);

endpackage
