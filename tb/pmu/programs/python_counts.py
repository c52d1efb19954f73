# SPDX-License-Identifier: Apache-2.0
"""Counts of a loop by a Python package, printed to be held against the truth: python_counts.py PACKAGE."""
import sys

LOOP = "sum(i * i for i in range(200000))"


def py_perf_event():
    from py_perf_event import Cache, CacheId, CacheOp, CacheResult, Hardware, measure
    events = {"cycles": Hardware.CPU_CYCLES, "instructions": Hardware.INSTRUCTIONS,
              "branches": Hardware.BRANCH_INSTRUCTIONS,
              "L1-misses": Cache(CacheId.L1D, CacheOp.READ, CacheResult.MISS)}
    return dict(zip(events, measure(list(events.values()), eval, LOOP)))


def pypapi():
    from pypapi import events, papi_low
    papi_low.library_init()
    chosen = papi_low.create_eventset()
    for event in (events.PAPI_TOT_CYC, events.PAPI_TOT_INS, events.PAPI_BR_INS):
        papi_low.add_event(chosen, event)
    papi_low.start(chosen)
    eval(LOOP)
    return dict(zip(("cycles", "instructions", "branches"), papi_low.stop(chosen)))


for name, count in {"py_perf_event": py_perf_event, "pypapi": pypapi}[sys.argv[1]]().items():
    print(name, count)
