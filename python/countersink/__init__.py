# SPDX-License-Identifier: Apache-2.0
"""Countersink from Python: run scenarios, read what they write, drive models.

    import countersink

    run = countersink.run("configs/riscv/riscv_sample.yaml", set={"seed": 3})
    run.summary["hart_samples"]
    run.table("hart_sample").pandas()

    trace = countersink.trace("configs/riscv/riscv_callgraph.yaml", format="perf")
    trace.read(only="SAMPLE").arrow()
"""
from ._command import Error, command, version
from ._golden import Access, CounterBlock
from ._parquet import to_parquet
from ._pmcu import Board, BusError, CorePmu, Memory, Pmcu, Response, Transfer
from ._pmu import PmuRun, pmu
from ._run import Comparison, Run, Trace, check, compare, open_run, read, run, trace
from ._table import Table, Value

__all__ = ["Access", "Board", "BusError", "Comparison", "CorePmu", "CounterBlock", "Error", "Memory",
           "Pmcu", "PmuRun", "Response", "Run", "Table", "Trace", "Transfer", "Value", "check", "command",
           "compare", "open_run", "pmu", "read", "run", "to_parquet", "trace", "version"]
