# SPDX-License-Identifier: Apache-2.0
"""The examples of libpfm4's source (perf_examples), made by its own Makefile."""
import os
import re
import shutil
from functools import partial

from harness import build, cached, judged, tool

ENV = {"LIBPFM_FORCE_PMU": "skl"}
EVENTS = "cycles,instructions,branches"


def compiled(work):
    examples = work / "source/perf_examples"
    if not (examples / "task_smpl").exists():
        shutil.rmtree(work / "source", ignore_errors=True)
        shutil.copytree(cached("source/libpfm4"), work / "source")
        build("make", "-s", "-C", work / "source/lib")
        build("make", "-s", "-k", "-C", examples)
    return examples


def run(pmu, folder, *words, options=()):
    return pmu.run(words, *options, timeout=1200, env={"PATH": f"{folder}:{os.environ['PATH']}"})


def counted(pmu, folder, pattern, *words):
    """Its counts are what was read."""
    def judge():
        done = run(pmu, folder, *words)
        done.must_be_good()
        numbers = [int(number.replace(",", ""), 0) for number in re.findall(pattern, done.out, re.M)]
        done.must_have_read([number for number in numbers if number])
    return judged(judge)


def sampled(pmu, folder, pattern, *words, options=()):
    """It ends well and prints samples, and no more than there were."""
    def judge():
        done = run(pmu, folder, *words, options=options)
        done.must_be_good()
        found = len(re.findall(pattern, done.out, re.M))
        (happened,) = done.query("SELECT count(*) FROM sample")[0]
        assert 0 < found <= happened, f"{found} samples are printed, {happened} happened\n{done.out}{done.err}"
    return judged(judge)


def refused(pmu, folder, *words):
    """The PMU has no branch stack, and it says so."""
    said = run(pmu, folder, *words)
    return ("pass" if "Operation not supported" in said.err else "fail"), said.out + said.err


# notify_group waits for 1024 overflows of three events, of 2,400,000,000 each: 94 s of CPU time.
FASTEST = ("--set", "bus.clock_mhz=10000", "--set", "cores.clock_mhz=10000")
COUNT = r"^ *(\d[\d,]*) (?:cycles|instructions|branches)\b"
WORK = ("md5sum", "/proc/self/exe", "/proc/self/exe", "/proc/self/exe", "/proc/self/exe")
# A process that burns time, and task_attach_timeout, which counts it for a second.
BESIDE = ("sh", "-c", "while :; do :; done & task_attach_timeout -d 1 -e cycles,instructions $!; s=$?; kill $!; exit $s")


def tests(pmu):
    tool("gcc")
    folder = compiled(pmu.work)
    yield "self_basic", partial(counted, pmu, folder, r"^count=(\d+)", "self_basic")
    yield "self", partial(counted, pmu, folder, r"raw=(\d+)", "self")
    yield "self_count", partial(counted, pmu, folder, r"^raw=(0x[0-9a-f]+)", "self_count")
    yield "self_pipe", partial(counted, pmu, folder, COUNT, "self_pipe", "-d", "1")
    yield "self_smpl_multi", partial(sampled, pmu, folder, r"total = +[1-9]\d*, mismatch = 0\b", "self_smpl_multi", "-t", "1")
    yield "notify_self", partial(sampled, pmu, folder, r"^Notification", "notify_self")
    yield "notify_group", partial(sampled, pmu, folder, r"^Notification", "notify_group", options=FASTEST)
    yield "task", partial(counted, pmu, folder, COUNT, "task", "-e", "cycles,instructions,branches", *WORK)
    yield "task_cpu", partial(counted, pmu, folder, r"^CPU\d+ +(\d+) ", "task_cpu", "-e", "cycles,instructions,branches", *WORK)
    yield "task_smpl", partial(sampled, pmu, folder, r"^IIP:", "task_smpl", "-e", "cycles:period=100000", *WORK)
    yield "task_attach_timeout", partial(counted, pmu, folder, COUNT, *BESIDE)
    yield "syst", partial(counted, pmu, folder, r"raw=(\d+)", "syst", "-d", "1", "-e", "cycles,instructions")
    yield "syst_count", partial(counted, pmu, folder, r"(\d+) (?:cycles|instructions)", "syst_count", "-d", "1", "-e", "cycles,instructions")
    yield "syst_smpl", partial(sampled, pmu, folder, r"^IIP:", "taskset", "-c", "0", "syst_smpl", "-c", "0", "-d", "1", "-e",
                                 "cycles:period=10000")
    yield "branch_smpl", partial(refused, pmu, folder, "branch_smpl", *WORK)
