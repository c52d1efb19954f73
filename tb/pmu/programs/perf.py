# SPDX-License-Identifier: Apache-2.0
"""Linux's perf of three Debians: its commands against the truth, and its own `perf test`. Each is run by the
dynamic loader and with the libraries that came with it."""
import os
import re
from functools import partial

from harness import LIBRARIES, ROOT, cached, ended, judged

KUNPENG = ROOT / "configs/pmu/kunpeng.yaml"
COUNTED = "cycles,instructions,branches,branch-misses,cache-misses"
# A second of work in one process.
WORK = ("sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")


def installed(pmu, variant):
    """A folder with a `perf`, for PATH: perf's tests call themselves and each other by that name."""
    root = cached(f"perf-{variant}")
    loader = next(path for folder in ("lib64", "usr/lib64", LIBRARIES)
                  if (path := root / folder / "ld-linux-x86-64.so.2").exists())
    libraries = f"{root / LIBRARIES}:{root}/lib/x86_64-linux-gnu"
    script = pmu.work / "bin/perf"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nexec {loader} --argv0 \"$0\" --library-path {libraries} {root}/usr/bin/perf \"$@\"\n")
    script.chmod(0o755)
    (pmu.work / ".perfconfig").write_text("[annotate]\n")
    return {"PATH": f"{script.parent}:{os.environ['PATH']}", "PERF_EXEC_PATH": str(root / "usr/lib/perf-core"),
            "PERF_PAGER": "cat", "PAGER": "cat"}


class Perf:
    """Its commands. Each function raises what is wrong."""

    def __init__(self, pmu, env):
        self.pmu, self.env = pmu, env

    def run(self, *words, options=(), timeout=120):
        for old in ("perf.data", "counts"):
            if words[0] in ("record", "stat"):
                (self.pmu.work / old).unlink(missing_ok=True)
        return self.pmu.run(["perf", *words], *options, env=self.env, timeout=timeout)

    def counts(self, *form, options=()):
        run = self.run("stat", *form, "-o", "counts", "-e", COUNTED, "--", *WORK, options=options)
        self.pmu.check(run, "counts")

    def stat(self):
        run = self.run("stat", "-e", COUNTED, "--", *WORK)
        run.must_be_good()
        run.must_have_read([int(number.replace(",", "")) for number in re.findall(r"^ +([\d,]+) +[a-z]", run.err, re.M)])

    def stat_csv(self):
        self.counts("-x,")

    def stat_json(self):
        self.counts("-j")

    def stat_in_turns(self):
        self.counts("-x,", options=("--counters", "2"))

    def stat_record(self):
        run = self.run("stat", "record", "-o", "perf.data", "-e", COUNTED, "--", *WORK)
        self.pmu.check(run, "perf.data")

    def stat_group(self):
        run = self.run("stat", "-x,", "-o", "counts", "-e", "{cycles:u,instructions:u}", "--", *WORK)
        self.pmu.check(run, "counts")

    def stat_interval(self):
        run = self.run("stat", "-I", "100", "-x,", "-e", "cycles,instructions", "--", "sleep", "0.5")
        run.must_be_good()
        assert len(re.findall(r",cycles,", run.err)) >= 3, run.err

    def stat_system(self):
        run = self.run("stat", "-a", "-x,", "-e", "cycles,instructions", "--", *WORK)
        run.must_be_good()
        cycles = int(re.search(r"^(\d+),,cycles,", run.err, re.M)[1])
        true = run.query("SELECT sum(truth) FROM (SELECT max(truth) AS truth FROM reading JOIN opened USING(id) "
                         "WHERE type=0 AND config=0 GROUP BY id)")[0][0]
        assert 0 < cycles == true, f"printed {cycles}, true {true}"

    def stat_unit(self):
        run = self.run("stat", "-a", "-x,", "-o", "counts", "-e", "hisi_sccl1_ddrc0/flux_rd/", "--", "sleep", "0.1",
                       options=[KUNPENG])
        self.pmu.check(run, "counts")

    def record(self, *words):
        run = self.run("record", "-o", "perf.data", *words, "--", *WORK)
        self.pmu.check(run, "perf.data")
        return run

    def record_period(self):
        self.record("-c", "100000", "-e", "cycles")

    def record_frequency(self):
        self.record("-F", "2000", "-e", "instructions")

    def record_chain(self):
        self.record("-g", "-c", "200000", "-e", "cycles")

    def record_system(self):
        self.record("-a", "-c", "200000", "-e", "cycles")

    def record_group(self):
        self.record("-c", "200000", "-e", "{cycles,instructions}:S")

    def report(self):
        self.record("-c", "100000", "-e", "cycles")
        out = self.run("report", "-i", "perf.data", "--stdio", "--sort", "comm")
        out.must_be_good()
        (share,) = re.findall(r"^ +([\d.]+)%  +sh *$", out.out, re.M)
        assert float(share) > 90, out.out

    def script(self):
        samples = self.record("-c", "100000", "-e", "cycles").query("SELECT count(*) FROM sample")[0][0]
        out = self.run("script", "-i", "perf.data", "-F", "comm,pid,time,period,ip")
        out.must_be_good()
        lines = len(out.out.splitlines())
        assert 0 < lines <= samples, f"{lines} samples are printed, {samples} happened"

    def list(self):
        for options, event in (((), "cpu-cycles"), ([KUNPENG], "hisi_sccl1_ddrc0/flux_rd/")):
            run = self.run("list", "--no-desc", options=options)
            run.must_be_good()
            assert event in run.out, run.out[:2000]

    def top(self):
        """Samples of a process that is there already."""
        run = self.pmu.run(["sh", "-c", "while :; do :; done & timeout -s INT 4 perf top --stdio -e cycles -c 500000 "
                            "-p $! </dev/null; kill $!"], env=self.env)
        assert re.search(r"\d+(\.\d+)?% ", run.out), run.out[-2000:] + run.err[-2000:]

    def mem(self):
        run = self.run("mem", "record", "-o", "perf.data", "--", "true")
        assert run.status not in (0, None) and re.search("not supported|failed", run.err), run.err


COMMANDS = ("stat", "stat_csv", "stat_json", "stat_in_turns", "stat_record", "stat_group", "stat_interval", "stat_system",
            "stat_unit", "record_period", "record_frequency", "record_chain", "record_system", "record_group", "report",
            "script", "list", "top", "mem")


# Of other processors, and of what is not the PMU's: BPF, tracefs, probes, compilers and interpreters.
LEFT_OUT = (r"CoreSight|Arm64|Arm SPE|Intel|AMD|hybrid|BPF|bpf|BTF|LLVM|clang|PE file|SDT|vfs_getname|perf trace|ftrace|offcpu|"
            r"kwork|kvm|sched |sched$|timechart|probe|lock contention|java|python|perl|script tests|task-analyzer|jitdump|"
            r"dlfilter|build id|daemon|DRM|Hwmon|Demangle|addr2line|data type|testsuite|junit|--aslr")


def own_tests(perf):
    """(number, description) of perf's tests."""
    listed = perf.run("test", "list")
    for number, name in re.findall(r"^ *(\d+): (.*\S)", listed.out + listed.err, re.M):
        if not re.search(LEFT_OUT, name):
            yield number, name


def outcome_of(status, said):
    """Of a case, and of a case that has several."""
    words = re.findall(r": (Ok|Skip|FAILED!)", said)
    if status is None or "FAILED!" in words:
        return "fail"
    return "pass" if "Ok" in words else "skip"


def own_outcome(perf, number):
    """What does not pass is tried without the command, too: `same` when it comes to the same there."""
    run = perf.run("test", number, timeout=120)
    outcome = outcome_of(run.status, run.out + run.err)
    if outcome != "pass":
        env = {**os.environ, "LC_ALL": "C", "HOME": str(perf.pmu.work), **perf.env}
        status, out, err = ended(["perf", "test", number], 120, cwd=perf.pmu.work, env=env)
        if outcome_of(status, out + err) == outcome:
            outcome = "same"
    return outcome, run.out + run.err


def tests(pmu, variant):
    perf = Perf(pmu, installed(pmu, variant))
    for name in COMMANDS:
        yield f"perf {name.replace('_', ' ')}", partial(judged, getattr(perf, name))
    for number, name in own_tests(perf):
        yield f"test: {name}", partial(own_outcome, perf, number)
