# SPDX-License-Identifier: Apache-2.0
"""rr replays a program by counting its own branches, to the branch. The counts here are those of a modelled
program, so it cannot; it has to notice."""
import re
from functools import partial

from harness import LIBRARIES, cached


def record(pmu):
    env = {"LD_LIBRARY_PATH": str(cached(f"programs/{LIBRARIES}")), "_RR_TRACE_DIR": str(pmu.work / "traces")}
    run = pmu.run([cached("programs/usr/bin/rr"), "record", "-n", "true"], env=env)
    noticed = re.search(r"Got -?\d+ branch events|hardware performance counter|perf_event|CPU type \w+ unknown", run.err)
    return "pass" if run.status == 0 else "skip" if noticed else "fail", run.out + run.err


def tests(pmu):
    yield "record", partial(record, pmu)
