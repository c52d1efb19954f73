#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutates files that others may send, and looks at how the command takes them:

    mutate_files.py COMMAND SOURCE [KIND...] [--seconds N | --count N] [--seed S] [-j N] [--keep FOLDER]
    mutate_files.py COMMAND SOURCE KIND --only NUMBER --seed S     one of them again

A kind is `traces` (decode, check, damage), `truths` (check, report), `scenarios` (check-scenario, run, trace
and check), `stores` of a sweep (report, sweep), `sweeps` (their files), `retirements` (follow) or `maps`
(compare-unit, up to the build by Verilator, whose place a script takes); all when none is named. The files are
made of traces/, configs/, docs/examples/ and a small sweep. What is a fault: a signal, more processor time or
memory than the limits below, an exit status that docs/reference.md does not have for it, and a trace that
disagrees with its own run. Each fault is printed with its number, and its input is kept in FOLDER (default:
build/mutated). The last lines are how many inputs there were, and how often which command ended with which
status.

--self-test: COMMAND is not run; commands that are known to be bad must be noticed.
Exit status 1: there were faults. A number and a seed give the same file again.
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

CPU_S = 30         # of processor time, so that other work on the machine does not matter
WALL_S = 600       # what neither works nor ends
RSS_MIB = 400      # resident
ADDRESS_MIB = 4000  # so that no mutant takes the machine's memory
LIMIT_CYCLES = 200000
KINDS = ("traces", "truths", "scenarios", "stores", "sweeps", "retirements", "maps")
GOOD = {"decode": {0, 2}, "check": {0, 1, 2, 4}, "damage": {0, 2}, "report": {0, 2}, "sweep": {0, 2},
        "check-scenario": {0, 2}, "run": {0, 2}, "trace": {0, 2}, "follow": {0, 1, 2, 4}, "compare-unit": {2}}
EXTREMES = [0, 1, -1, 2, 7, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63,
            -2**63, 2**64 - 1, 2**64, 10**30, 0.5, -0.5, "1e308", "nan", "inf", "0x", "''", "~", "[]", "{}"]
CELLS = [None, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -2**63, 0.5, float("inf"), "", "x", "cpu 0", b"\0\xff",
         "x" * 100000]
SWEEP = """sweep: small
scenario: small.yaml
vary: [{seed: [1, 2]}, {pmcu_driver.nr_sample: [1, 2, 3]}]
"""
RANGES = """sweep: ranges
text: each kind of range
scenario: small.yaml
figures: [mean_error, subsamples]
vary:
  - seed: {random: 3, from: 1, to: 1000}
  - pmcu_driver.nr_sample: {from: 1, to: 3, step: 1}
    pmcu_driver.sample_period_ticks: [60, 70, 80]
  - pmcu.slots: [1, 2]
"""
# Verilator's place: it says what the ports are, and builds nothing.
VERILATOR = """#!/bin/sh
case " $* " in *" --build "*) echo "Error: nothing is built here"; exit 1 ;; esac
exec %s "$@"
"""
SMALL = """name: small
pmcu: {clusters: 1, slots: 2}
workloads: [{segments: [{cycles: 900, events: [{event: INST_RETIRED, rate: 1}]}]}]
pmcu_driver: {user_events: "08", nr_sample: 2, sample_period_ticks: 60}
"""


# ---- mutations: of bytes, of text, of a database ----

def mutate_bytes(data, rnd):
    data = bytearray(data)
    for _ in range(rnd.choice((1, 1, 1, 2, 4, 16))):
        at = rnd.randrange(len(data) + 1)
        size = min(rnd.choice((1, 2, 4, 8, 8, 16, 64, 4096)), len(data) - at)
        how = rnd.randrange(8)
        if how == 0 and size:
            data[at] ^= 1 << rnd.randrange(8)
        elif how == 1:
            data[at:at + size] = rnd.randbytes(size)
        elif how == 2:
            value = rnd.choice([e for e in EXTREMES if isinstance(e, int)])
            data[at:at + size] = (value % 2**64).to_bytes(8, rnd.choice(("little", "big")))[:size]
        elif how == 3:
            del data[at:at + size]
        elif how == 4:
            data[at:at] = data[at:at + size] * rnd.choice((1, 1, 3, 50))
        elif how == 5 and rnd.randrange(4) == 0:
            del data[at:]
        elif how == 6:
            other = rnd.randrange(len(data) + 1)
            data[at:at + size] = data[other:other + size]
        else:
            data[at:at + size] = bytes(size)
    return bytes(data)


def mutate_text(data, rnd):
    lines = data.split(b"\n")
    for _ in range(rnd.choice((1, 1, 1, 2, 3))):
        at = rnd.randrange(len(lines))
        how = rnd.randrange(7)
        numbers = list(re.finditer(rb"\b(0x[0-9a-fA-F]+|[0-9]+(\.[0-9]+)?)\b", lines[at]))
        if how <= 2 and numbers:
            one = rnd.choice(numbers)
            lines[at] = lines[at][:one.start()] + str(rnd.choice(EXTREMES)).encode() + lines[at][one.end():]
        elif how == 3:
            lines.insert(at, lines[rnd.randrange(len(lines))])
        elif how == 4 and len(lines) > 1:
            del lines[at]
        elif how == 5:
            words = re.findall(rb"[A-Za-z_][A-Za-z_0-9]+", lines[rnd.randrange(len(lines))])
            own = list(re.finditer(rb"[A-Za-z_][A-Za-z_0-9]+", lines[at]))
            if words and own:
                one = rnd.choice(own)
                lines[at] = lines[at][:one.start()] + rnd.choice(words) + lines[at][one.end():]
        else:
            lines[at] = mutate_bytes(lines[at], rnd) if rnd.randrange(4) == 0 else lines[at] + b" " + \
                rnd.choice((b"x", b",", b"}", b"]", b":", b'"', b"#", b"- a"))
    return b"\n".join(lines)


def mutate_database(path, rnd):
    if rnd.randrange(4) == 0:
        data = bytearray(mutate_bytes(path.read_bytes(), rnd))
        data[18:20] = b"\1\1"  # else SQLite wants to write files of its own beside it
        path.write_bytes(data)
        return
    db = sqlite3.connect(path)
    tables = [n for n, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    for _ in range(rnd.choice((1, 1, 2, 5))):
        table = rnd.choice(tables)
        columns = [c[1] for c in db.execute(f'PRAGMA table_info("{table}")')]
        column, value = rnd.choice(columns or ["x"]), rnd.choice(CELLS)
        rows = db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] if columns else 0
        some = f'LIMIT 1 OFFSET {rnd.randrange(rows) if rows else 0}'
        place = f'WHERE "{column}" IS (SELECT "{column}" FROM "{table}" {some})'
        sql, values = rnd.choice((
            (f'UPDATE "{table}" SET "{column}" = ? {place}', (value,)),
            (f'UPDATE "{table}" SET "{column}" = ? {place}', (value,)),
            (f'UPDATE "{table}" SET "{column}" = ?', (value,)),
            (f'UPDATE "{table}" SET "{column}" = -"{column}"', ()),
            (f'DELETE FROM "{table}" {place}', ()),
            (f'DELETE FROM "{table}"', ()),
            (f'ALTER TABLE "{table}" DROP COLUMN "{column}"', ()),
            (f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO other', ()),
            (f'DROP TABLE "{table}"', ())))
        try:
            db.execute(sql, values)
        except sqlite3.Error:
            pass  # a key that is there twice
    db.commit()
    db.close()


# ---- commands under limits ----

class Fault(Exception):
    pass


class TimeIsOver(Exception):
    """The time is over in the middle of a trial, which then says nothing."""


class Calls:
    """How often each command ended with which status, and when there is no time for more."""

    def __init__(self):
        self.end = float("inf")
        self.counts, self.lock = collections.Counter(), threading.Lock()

    def start(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return self.end - time.monotonic()

    def ended(self, name, status):
        with self.lock:
            self.counts[name, status] += 1

    def summary(self):
        names = sorted({name for name, _ in self.counts})
        return [f"  {name}: " + ", ".join(f"{count} x {status}" for (one, status), count in
                                          sorted(self.counts.items()) if one == name) for name in names]


def call(command, calls, place, *words, environment=None):
    """The exit status. Fault: it did what it must not."""
    limited = ["sh", "-c", f"ulimit -v {ADDRESS_MIB * 1024}; ulimit -t {CPU_S}; ulimit -c 0; "
               'exec "$@"', "sh", command, *map(str, words)]
    with open(place / "said", "wb") as said:
        child = subprocess.Popen(limited, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=said, env={**os.environ, **(environment or {})})
        # Not child.kill, which would take the status of one that has just ended.
        timer = threading.Timer(max(0, min(WALL_S, calls.left())), os.kill, (child.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status = os.waitstatus_to_exitcode(status)
        timer.cancel()
    if status == -signal.SIGKILL and calls.left() <= 0:
        raise TimeIsOver
    calls.ended(words[0], status)
    text = (place / "said").read_text(errors="replace")[-300:].strip()
    if status < 0:
        raise Fault(f"{signal.Signals(-status).name} after {usage.ru_utime + usage.ru_stime:.1f} s of "
                    f"processor time: {text}", words)
    if usage.ru_maxrss > RSS_MIB * 1024:
        raise Fault(f"{usage.ru_maxrss // 1024} MiB of memory", words)
    if status not in GOOD[words[0]]:
        raise Fault(f"exit status {status}: {text}", words)
    return status


class Files:
    """Whole files, made once; each trial has copies."""

    def __init__(self, command, source, temp, calls):
        self.command, self.source, self.temp, self.calls = command, source, temp, calls
        self.scenarios = sorted(p for folder in ("configs", "tb/scenarios")
                                for p in (source / folder).rglob("*.yaml"))

    def make_traces(self):
        self.traces = []  # file, options of decode
        for folder in sorted(p.parent for p in (self.source / "traces").glob("*/files.txt")):
            for line in (folder / "files.txt").read_text().splitlines():
                name, form, *options = line.split()
                made = self.temp / folder.name / name
                made.parent.mkdir(exist_ok=True)
                subprocess.run([self.command, "trace", "--format", form, "-o", made, *options,
                                folder / "scenario.yaml"], check=True, capture_output=True)
                self.traces.append((made, self.decoding(form, folder)))

    def decoding(self, form, folder):
        if form == "aux":
            return ["--as", "pmcu-aux", "--slots", "2"]
        if form == "imc":
            return ["--as", "imc-trace"]
        if form == "snapshot":
            return ["--as", "sbi-snapshot"]
        if form.endswith("-imc"):
            return ["--as", "imc-" + form[:-4], "--catalog", folder / "power9_small.dts"]
        return []

    def make_store(self):
        self.store = self.temp / "store"
        self.store.mkdir()
        (self.store / "small.yaml").write_text(SMALL)
        (self.store / "s.yaml").write_text(SWEEP)
        subprocess.run([self.command, "sweep", "-o", "s.sqlite", "s.yaml"], cwd=self.store, check=True,
                       capture_output=True)

    def make_retirement(self):
        """Two counters, one with an event, that most of 60 instructions access."""
        rnd = random.Random(1)
        lines = ["settings xlen=32 modes=3 counters=0x18 width=40", "lag 1", "begin 0x323 7", "late 7 2", "behind 3 4"]
        for number in range(60):
            access = rnd.choice((0xb03, 0xb83, 0xb04, 0xb00, 0x320, 0x323, 0x306, 0x344)) << 20
            insn = access | rnd.randrange(32) << 15 | rnd.choice((1, 2, 3, 5, 6, 7)) << 12 | rnd.randrange(32) << 7 | 0x73
            lines.append(f"{5 * number + 5} e7={rnd.randrange(16)} i={rnd.randrange(2)} m=3 "
                         f"r={number},0x{insn:08x},0x{4 * number:x},3,0,{rnd.getrandbits(32)},{rnd.randrange(4)}")
        self.retirement = "\n".join(lines).encode() + b"\n"

    def make_maps(self):
        examples = self.source / "docs/examples/your_rtl"
        self.place = self.temp / "maps"
        self.place.mkdir()
        (self.place / "verilator").write_text(VERILATOR % shutil.which("verilator"))
        (self.place / "verilator").chmod(0o755)
        self.maps = [(examples / f"{name}.sv", (examples / f"{name}.yaml").read_bytes())
                     for name in ("two_counters", "event_sets", "event_sums", "listed_events")]

    def make(self, kinds):
        if {"traces", "truths"} & set(kinds):
            self.make_traces()
        if "stores" in kinds:
            self.make_store()
        if "retirements" in kinds:
            self.make_retirement()
        if "maps" in kinds:
            self.make_maps()

    # ---- a trial of each kind: everything that it needs is made in `place` ----

    def traces_trial(self, rnd, place):
        whole, options = rnd.choice(self.traces)
        target = place / whole.name
        if whole.is_dir():
            shutil.copytree(whole, target)
            file = rnd.choice(sorted(p for p in target.rglob("*") if p.is_file()))
        else:
            shutil.copy(whole, target)
            file = target
        data = file.read_bytes()
        text = b"\0" not in data[:4096] and not data.startswith(b"\x1f\x8b")
        file.write_bytes((mutate_text if text and rnd.randrange(3) else mutate_bytes)(data, rnd))
        form = rnd.choice(("csv", "json", "text"))
        call(self.command, self.calls, place, "decode", "--format", form, *options, target.name)
        call(self.command, self.calls, place, "check", "--truth", f"{whole}.truth", target.name)
        if not whole.is_dir() and rnd.randrange(4) == 0:
            call(self.command, self.calls, place, "damage", "--kind", "all", "-o", "damaged", *options, target.name)

    def truths_trial(self, rnd, place):
        whole, _ = rnd.choice(self.traces)
        shutil.copytree(f"{whole}.truth", place / "truth")
        mutate_database(place / "truth/truth.sqlite", rnd)
        call(self.command, self.calls, place, "check", "--truth", "truth", whole)
        call(self.command, self.calls, place, "report", "-o", "page.html", "truth")

    def scenarios_trial(self, rnd, place):
        whole = rnd.choice(self.scenarios)
        for other in whole.parent.iterdir():
            if other.suffix != ".yaml":
                (place / other.name).symlink_to(other)
        (place / "m.yaml").write_bytes(mutate_text(whole.read_bytes(), rnd))
        if call(self.command, self.calls, place, "check-scenario", "m.yaml") != 0:
            return
        limits = ["--set", f"limit_cycles={LIMIT_CYCLES}"]
        form = rnd.choice(("csv", "json", "perf", "folded", "pprof", "speedscope", "firefox", "perfetto", "ctf"))
        call(self.command, self.calls, place, "run", *limits, "-o", "out", "m.yaml")
        if call(self.command, self.calls, place, "trace", *limits, "--format", form, "-o", "t", "m.yaml") == 0:
            self.judge(place, form)

    def judge(self, place, form):
        status = call(self.command, self.calls, place, "check", "t")
        if status not in (0, 4):
            raise Fault(f"a trace of its own ({form}) is {status} to check", ("check", "t"))

    def stores_trial(self, rnd, place):
        for file in self.store.iterdir():
            shutil.copy(file, place / file.name)
        mutate_database(place / "s.sqlite", rnd)
        call(self.command, self.calls, place, "report", "-o", "page.html", "s.sqlite")
        call(self.command, self.calls, place, "sweep", "-j", "1", "-o", "s.sqlite", "s.yaml")


    def sweeps_trial(self, rnd, place):
        text = mutate_text(rnd.choice((SWEEP, RANGES)).encode(), rnd)
        (place / "small.yaml").write_text(SMALL)
        (place / "s.yaml").write_bytes(text)
        listed = call(self.command, self.calls, place, "sweep", "--list", "s.yaml")
        if listed == 0 and b"scenario: small.yaml\n" in text:  # another is not there
            part = ["--part", f"{rnd.randrange(7)}/{rnd.choice((7, 100000))}"]
            call(self.command, self.calls, place, "sweep", "-j", "1", *part, "-o", "s.sqlite", "s.yaml")

    def retirements_trial(self, rnd, place):
        (place / "a.trace").write_bytes((mutate_text if rnd.randrange(4) else mutate_bytes)(self.retirement, rnd))
        call(self.command, self.calls, place, "follow", "--format", rnd.choice(("text", "json")), "a.trace")

    def maps_trial(self, rnd, place):
        rtl, data = rnd.choice(self.maps)
        (place / "m.yaml").write_bytes(mutate_text(data, rnd))
        call(self.command, self.calls, place, "compare-unit", "hpm", "--rtl", rtl, "--top", rtl.stem, "--map", "m.yaml",
             "--die-cache", "cache", environment={"PATH": f"{self.place}:{os.environ['PATH']}"})


# ---- all of them ----

def trial(files, asked, kind, number):
    """The fault, or None."""
    place = pathlib.Path(tempfile.mkdtemp(dir=files.temp))
    try:
        getattr(files, kind + "_trial")(random.Random(f"{asked.seed} {kind} {number}"), place)
    except Fault as fault:
        what, words = fault.args
        kept = asked.keep / f"{kind}-{asked.seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(place, kept, symlinks=True)
        return f"{kind} {number} of seed {asked.seed}: {what}\n    {' '.join(map(str, words))}   ({kept})"
    except TimeIsOver:
        return None
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return None


def run_all(files, asked):
    numbers, lock, faults, done = itertools.count(), threading.Lock(), [], []

    def work():
        while True:
            with lock:
                number = next(numbers)
            if number >= asked.count or files.calls.left() <= 0:
                return
            kind = asked.kinds[number % len(asked.kinds)]
            fault = trial(files, asked, kind, number)
            with lock:
                done.append(kind)
                if fault is not None:
                    faults.append(fault)
                    print(fault, flush=True)

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for one in [pool.submit(work) for _ in range(asked.jobs)]:
            one.result()
    print(", ".join(f"{done.count(k)} {k}" for k in asked.kinds) + f": {len(faults)} faults, seed {asked.seed}",
          *files.calls.summary(), sep="\n")
    return faults


def self_test():
    """Commands that are bad in each way; what is noticed of them."""
    bad = {"crash": "kill -SEGV $$", "status": "exit 3", "loop": "while :; do :; done",
           "memory": f"exec python3 -c 'b = bytearray({RSS_MIB + 50} << 20)'", "good": "exit 2"}
    said = {"crash": "SIGSEGV", "status": "exit status 3", "loop": "SIG", "memory": "MiB of memory", "good": ""}
    global CPU_S
    CPU_S = 1
    with tempfile.TemporaryDirectory() as temp:
        place = pathlib.Path(temp)
        for name, script in bad.items():
            path = place / name
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
            try:
                call(str(path), Calls(), place, "decode", "x")
                found = ""
            except Fault as fault:
                found = fault.args[0]
            if said[name] not in found or (name == "good") != (found == ""):
                sys.exit(f"mutate_files: {name}: '{found}'")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--count", type=float, default=float("inf"))
    parser.add_argument("--only", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("-j", dest="jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default="build/mutated")
    parser.add_argument("--self-test", action="store_true")
    asked = parser.parse_args()
    asked.kinds = asked.kinds or list(KINDS)
    if not set(asked.kinds) <= set(KINDS):
        parser.error(f"a kind is one of {', '.join(KINDS)}")
    if asked.self_test:
        self_test()
        return
    if asked.only is None and asked.seconds == asked.count == float("inf"):
        parser.error("--seconds or --count says when it ends")
    with tempfile.TemporaryDirectory() as temp:
        files = Files(os.path.abspath(asked.command), asked.source.absolute(), pathlib.Path(temp), Calls())
        files.make(asked.kinds)
        if asked.only is not None:
            fault = trial(files, asked, asked.kinds[0], asked.only)
            sys.exit(fault if fault is not None else 0)
        files.calls.start(asked.seconds)
        sys.exit(1 if run_all(files, asked) else 0)


if __name__ == "__main__":
    main()
