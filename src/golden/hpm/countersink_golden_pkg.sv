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

endpackage
