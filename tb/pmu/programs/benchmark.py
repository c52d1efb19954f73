# SPDX-License-Identifier: Apache-2.0
"""google-benchmark's counters. Debian's library is built without libpfm4, so its source is built with it, as
-DBENCHMARK_ENABLE_LIBPFM=ON does, and its own tests of the counters are run."""
import json
import re
from functools import partial

from harness import LIBRARIES, build, cached, judged, tool

EVENTS = "CYCLES,INSTRUCTIONS,BRANCHES"
GTESTS = ("Init", "OneCounter", "NegativeTest", "Read1Counter", "Read2Counters", "ReopenExistingCounters",
          "CreateExistingMeasurements", "MultiThreaded")


def compiled(work):
    out = work / "bin"
    if (out / "made").exists():
        return out
    out.mkdir(exist_ok=True)
    source = cached("source/benchmark")
    flags = ["-std=c++17", "-O1", "-w", "-DHAVE_LIBPFM", "-DHAVE_STD_REGEX", "-DHAVE_STEADY_CLOCK",
             "-DBENCHMARK_STATIC_DEFINE", "-I", source / "include", "-I", source / "src", "-I",
             cached("source/libpfm4/include")]
    for file in sorted((source / "src").glob("*.cc")):
        if file.stem != "benchmark_main":
            build("g++", *flags, "-c", file, "-o", out / f"{file.stem}.o")
    library = cached(f"programs/{LIBRARIES}")
    rest = [*sorted(out.glob("*.o")), library / "libpfm.so.4", f"-Wl,-rpath,{library}", "-pthread"]
    tests = source / "test"
    build("g++", *flags, tests / "perf_counters_test.cc", tests / "output_test_helper.cc", *rest, "-o",
          out / "perf_counters_test")
    build("g++", *flags, tests / "perf_counters_gtest.cc", *rest, "-lgtest", "-lgtest_main", "-o",
          out / "perf_counters_gtest")
    build("g++", *flags, tests / "basic_test.cc", *rest, "-o", out / "basic_test")
    (out / "made").touch()
    return out


def per_iteration(pmu, program):
    """What a benchmark prints is the difference of two values that were read, over its iterations."""
    def judge():
        run = pmu.run([program, "--benchmark_filter=BM_spin_empty/8$", "--benchmark_format=json",
                       f"--benchmark_perf_counters={EVENTS}"])
        run.must_be_good()
        (result,) = json.loads(run.out)["benchmarks"]
        for name, config in zip(EVENTS.split(","), (0, 1, 4)):
            printed = round(result[name] * result["iterations"])
            values = [row["value"] for row in run.readings() if row["type"] == 0 and row["config"] == config]
            steps = [after - before for before, after in zip(values, values[1:])]
            assert printed in steps, f"{name}: {printed} was printed; read: {values}"
            assert all(row["value"] == row["truth"] for row in run.readings()), "a value is not the true one"
    return judged(judge)


def gtest(pmu, program, name):
    # "the assumptions about hardware capabilities (i.e. small number (3-4) hardware counters)"
    run = pmu.run([program, f"--gtest_filter=PerfCountersTest.{name}"], "--counters", "3")
    text = run.out + run.err
    good = run.status == 0 and re.search(r"\[  PASSED  \] 1 test", text) and "[  SKIPPED ]" not in text
    return "pass" if good else "fail", text


def reported(pmu, program):
    run = pmu.run([program, "--benchmark_perf_counters=CYCLES,BRANCHES", "--benchmark_min_time=0.05"])
    return "pass" if run.status == 0 else "fail", run.out + run.err


def tests(pmu):
    tool("g++")
    folder = compiled(pmu.work)
    for name in GTESTS:
        yield f"gtest_{name}", partial(gtest, pmu, folder / "perf_counters_gtest", name)
    yield "perf_counters_test", partial(reported, pmu, folder / "perf_counters_test")
    yield "basic_test", partial(per_iteration, pmu, folder / "basic_test")
