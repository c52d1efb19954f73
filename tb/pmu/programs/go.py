# SPDX-License-Identifier: Apache-2.0
"""Go: the module github.com/hodgesds/perf-utils, its own tests, and counts by it. go.sum has the checksums."""
import re
from functools import partial

from harness import HERE, build, judged, tool

MODULE = "github.com/hodgesds/perf-utils"


def compiled(work):
    go = tool("go")
    build(go, "build", "-o", work / "counts", ".", cwd=HERE / "go")
    build(go, "test", "-c", "-o", work / "perf.test", MODULE, cwd=HERE / "go")


def counts(run):
    run.must_be_good()
    run.must_have_read([int(number) for number in re.findall(r"^[\w-]+ (\d+)$", run.out, re.M)])


def own(pmu, name):
    run = pmu.run([pmu.work / "perf.test", "-test.v", "-test.run", f"^{name}$"])
    skipped = f"--- SKIP: {name}" in run.out
    return "skip" if skipped else "pass" if run.status == 0 else "fail", run.out + run.err


def tests(pmu):
    compiled(pmu.work)
    yield "counts", partial(judged, lambda: counts(pmu.run([pmu.work / "counts"])))
    for name in re.findall(r"^Test\w+", pmu.run([pmu.work / "perf.test", "-test.list", "Test"]).out, re.M):
        yield name, partial(own, pmu, name)
