#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles as their own readers see them, against the truth: profiles.py COUNTERSINK SOURCE

speedscope's loader (tools/npm/tests.sh) reads folded stacks, speedscope's JSON and pprof's files; pprof of
Go reads the last. Each sample, or each sum of samples, must be that of truth.sqlite.
"""
import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

COMMAND = pathlib.Path(sys.argv[1]).absolute()
SOURCE = pathlib.Path(sys.argv[2]).absolute()
NPM = SOURCE / "build/npm"
GRAPH_EVENTS = ["instructions", "L1-dcache-load-misses:u", "L1-dcache-loads"]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(c) for c in command)}: {done.stderr}")
    return done.stdout


def same(what, found, expected):
    """Two counters, or lists, of which the first difference is told."""
    if found == expected and expected:
        print(f"{what}: {len(expected)} agree")
        return
    if isinstance(found, list):
        at = next((i for i, (f, e) in enumerate(zip(found, expected)) if f != e), -1)
        sys.exit(f"{what}: {len(found)} found, {len(expected)} expected; number {at}: "
                 f"{found[at:at + 1]}, expected {expected[at:at + 1]}")
    missing = [f"{k}: {found.get(k)}, expected {expected.get(k)}"
               for k in sorted(set(found) | set(expected)) if found.get(k) != expected.get(k)]
    sys.exit(f"{what}: {len(missing)} differ: " + "; ".join(missing[:3] or ["nothing to compare"]))


class Traced:
    def __init__(self, folder, config, form, *options):
        self.path = folder / f"{config.split('/')[-1]}.{form}{len(list(folder.iterdir()))}"
        run(COMMAND, "trace", "--format", form, "-o", self.path, *options,
            SOURCE / "configs" / f"{config}.yaml")
        self.truth = sqlite3.connect(f"{self.path}.truth/truth.sqlite")

    def speedscope(self):
        return json.loads(run("nodejs" if shutil.which("nodejs") else "node",
                              SOURCE / "tb/traces/speedscope.js", NPM / "speedscope/dist/release",
                              self.path))

    def pprof(self):
        """Kinds of values, and of each sample its values, its stack from outside, its labels."""
        go = shutil.which("go") or "/usr/lib/go/bin/go"
        environment = dict(os.environ, GOTOOLCHAIN="local")
        done = subprocess.run([go, "tool", "pprof", "-raw", self.path], capture_output=True,
                              text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"go tool pprof: {done.stderr}")
        head, rest = done.stdout.split("\nSamples:\n")
        samples, rest = rest.split("\nLocations\n")
        kinds, *lines = samples.splitlines()
        self.shown = re.search(r"(\S+)/count\[dflt\]", kinds)[1]
        names = {}
        for line in rest.split("\nMappings")[0].splitlines():
            at = re.match(r" *(\d+): 0x([0-9a-f]+) (?:M=\d+ )?(.*?)(?: :0(?::0)? s=0)?$", line)
            if at:
                names[at[1]] = at[3] or f"0x{at[2]}"
        out = []
        for line in lines:
            labels = re.findall(r"(\w+):\[([^]]*)\]", line)
            if labels:
                out[-1][2].update(labels)
                continue
            values, frames = line.split(":")
            out.append(([int(v) for v in values.split()],
                        [names[f] for f in reversed(frames.split())], {}))
        return re.findall(r"(\S.*?)/count(?:\[dflt\])?(?: |$)", kinds), out


def paths(truth):
    """What was sampled, by the truth: (event, stack) and how often."""
    counted = collections.Counter()
    for command, workload, stack, samples in truth.execute(
            "SELECT command, workload, stack, sum(samples) FROM call_path WHERE samples>0 "
            "GROUP BY 1,2,3"):
        counted[(GRAPH_EVENTS[command], f"{workload};{stack}")] = samples
    return counted


def call_graph(folder):
    """Stacks of a scenario with call chains; the third command has none, and stays out."""
    folded = Traced(folder, "riscv/riscv_callgraph", "folded")
    found = collections.Counter()
    for profile in folded.speedscope():
        for sample in profile["samples"]:
            event, *stack = sample["stack"]
            if event != GRAPH_EVENTS[2]:
                found[(event, ";".join(stack))] += sample["weight"]
    same("speedscope of folded stacks", found, paths(folded.truth))

    pprof = Traced(folder, "riscv/riscv_callgraph", "pprof")
    kinds, samples = pprof.pprof()
    period = {e: pprof.truth.execute("SELECT DISTINCT period FROM hart_sample WHERE command=? AND "
                                     "lost=0", (i,)).fetchall() for i, e in enumerate(GRAPH_EVENTS)}
    found = collections.Counter()
    for values, stack, labels in samples:
        for at in range(0, len(kinds), 2):
            if values[at] and kinds[at + 1] != GRAPH_EVENTS[2]:
                found[(kinds[at + 1], ";".join([labels["process"], *stack]))] += values[at]
            if [(values[at + 1],)] != [(values[at] * p,) for (p,) in period[kinds[at + 1]]]:
                sys.exit(f"pprof: {values[at + 1]} of {kinds[at + 1]} in {values[at]} samples")
    same("pprof", found, paths(pprof.truth))
    cpus = collections.Counter()
    for values, _, labels in samples:
        cpus[labels["cpu"]] += sum(values[0::2])
    same("pprof's CPUs", cpus, collections.Counter(
        {str(c): n for c, n in pprof.truth.execute(
            "SELECT cpu, count(*) FROM hart_sample WHERE lost=0 GROUP BY 1")}))


def each_sample(folder):
    """Sample by sample: where it was, and for how much it stands."""
    traced = Traced(folder, "riscv/riscv_callgraph", "speedscope")
    functions = traced.truth.execute("SELECT DISTINCT base, size, function FROM call_path").fetchall()

    def name_at(address):
        return next((f for base, size, f in functions if (address - base) % 2**64 < size), "main")

    for profile in traced.speedscope():
        event, cpu = profile["name"].rsplit(", CPU ", 1)
        expected = []
        for ip, pid, period, chain in traced.truth.execute(
                "SELECT ip, pid, period, chain FROM hart_sample WHERE command=? AND cpu=? AND "
                "lost=0 ORDER BY rowid", (GRAPH_EVENTS.index(event), int(cpu))):
            words = [int(w, 16) for w in chain.split(";")] if chain else [ip]
            stack = [name_at(w - (i != 0)) for i, w in enumerate(words)]
            stack = [f"clang ({pid})", *reversed(stack)]
            if expected and expected[-1][0] == stack:  # speedscope joins what is alike
                period += expected.pop()[1]
            expected.append((stack, period))
        same(f"speedscope, {profile['name']}",
             [(s["stack"], s["weight"]) for s in profile["samples"]], expected)


def timed(folder):
    """The Firefox Profiler's tables, followed as its documentation has them; its own code is in no
    package. Each sample's process, function, depth and
    period; `check` looks at its time."""
    traced = Traced(folder, "riscv/riscv_callgraph", "firefox", "--command", "riscv.perf.0")
    profile = json.loads(traced.path.read_text())
    shared = profile["shared"]
    for table in ("stackTable", "frameTable", "funcTable"):
        for name, column in shared[table].items():
            if name != "length" and len(column) != shared[table]["length"]:
                sys.exit(f"{table}.{name} has {len(column)} rows of {shared[table]['length']}")
    if profile["meta"]["preprocessedProfileVersion"] != 60 or len(profile["threads"]) != 2:
        sys.exit("the profile is of another version, or has other threads")
    functions = traced.truth.execute("SELECT DISTINCT base, size, function FROM call_path").fetchall()
    for cpu, thread in enumerate(profile["threads"]):
        found = []
        for at, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            frame = shared["stackTable"]["frame"][at]
            leaf = shared["stringArray"][shared["funcTable"]["name"][
                shared["frameTable"]["func"][frame]]]
            depth = 0
            while at is not None:
                at = shared["stackTable"]["prefix"][at]
                depth += 1
            found.append((thread["pid"], leaf, depth, weight))
        expected = []
        for ip, pid, period, chain in traced.truth.execute(
                "SELECT ip, pid, period, chain FROM hart_sample WHERE command=0 AND cpu=? AND lost=0 "
                "ORDER BY rowid", (cpu,)):
            name = next(f for base, size, f in functions if (ip - base) % 2**64 < size)
            expected.append((str(pid), name, len(chain.split(";")), period))
        same(f"firefox, {thread['name']}", found, expected)
    if subprocess.run([COMMAND, "check", traced.path], capture_output=True).returncode != 0:
        sys.exit("check of the Firefox Profiler's file disagrees")  # it looks at the times


def functions(folder):
    """Functions without call chains: POWER's trace mode."""
    traced = Traced(folder, "imc/imc_trace", "folded")
    scenario = pathlib.Path(f"{traced.path}.truth/scenario.yaml").read_text()
    handler = re.findall(r"name: (\w+), base: (0x\w+)", scenario.split("\nhandler:")[1])
    bases = [(base % 2**64, name)
             for base, name in traced.truth.execute("SELECT base, name FROM function")]
    bases = sorted(bases + [(int(base, 16), name) for name, base in handler], reverse=True)
    expected = collections.Counter()
    for (ip,) in traced.truth.execute("SELECT ip FROM perf_sample"):
        expected[next(name for base, name in bases if base <= ip % 2**64)] += 1
    found = collections.Counter()
    for profile in traced.speedscope():
        for sample in profile["samples"]:
            found[sample["stack"][-1]] += sample["weight"]
    same("functions of imc_trace", found, expected)


def counts(folder):
    """What a PMCU counted, by events: no address, but a process."""
    traced = Traced(folder, "pmcu/pmcu_demo", "pprof")
    kinds, samples = traced.pprof()
    found = collections.Counter()
    for values, stack, _ in samples:
        for kind, value in zip(kinds[1::2], values[1::2]):
            found[kind] += value
        if stack != ["(no address)"]:
            sys.exit(f"a PMCU knows no addresses, found {stack}")
    if not kinds[0].startswith("samples of hisi_pmcu") or traced.shown != "INST_RETIRED":
        sys.exit(f"{traced.shown} is shown, expected the first of {kinds} that has samples")
    del found[kinds[1]]
    expected = dict(traced.truth.execute(
        "SELECT name, sampled FROM event WHERE sampled>0 AND NOT cycle_counter"))
    expected["cycles"] = traced.truth.execute(
        "SELECT sampled FROM event WHERE cycle_counter").fetchone()[0]
    same("events of pmcu_demo", {k: found[k] for k in expected}, expected)


# Each: a format, what is done to a good file, and words of what `decode` says of it.
DAMAGE = [
    ("folded", lambda b: b.replace(b" 13\n", b"\n", 1), ":2:1: found no number behind a space"),
    ("folded", lambda b: b"x\0y;z 3\n", ":1:1: found a byte 0"),
    ("speedscope", lambda b: b.replace(b'"weights"', b'"heights"', 1),
     "expected arrays 'samples' and 'weights' of one length"),
    ("speedscope", lambda b: b.replace(b"\n[0,", b"\n[999,", 1), "expected the number of a frame"),
    ("speedscope", lambda b: b.replace(b'"sampled"', b'"evented"', 1), "'evented' are not read"),
    ("speedscope", lambda b: b[:2000], "byte 0x7d0"),
    ("firefox", lambda b: b.replace(b'"funcTable"', b'"funTable"', 1),
     "expected tables of stacks, frames, functions and strings"),
    ("firefox", lambda b: b.replace(b'"stack":[', b'"stack":[99999,', 1), "byte 0x"),
    ("firefox", lambda b: b"{}", "expected a processed profile"),
    ("pprof", lambda b: b[:len(b) // 2], "the file ends, expected what gzip has packed"),
    ("pprof", lambda b: b[:500] + bytes(64) + b[564:], "expected what gzip has packed"),
    ("pprof", lambda b: gzip.compress(b"\x12\x05ab"), "expected at most 2, the message's rest"),
    ("pprof", lambda b: gzip.compress(b"hello hello"), "byte 0x"),
]


def damaged(folder):
    """What is no such file is an error that says where; what says something else disagrees."""
    for form, spoil, words in DAMAGE:
        traced = Traced(folder, "riscv/riscv_callgraph", form)
        bad = folder / "bad"
        bad.write_bytes(spoil(traced.path.read_bytes()))
        done = subprocess.run([COMMAND, "decode", "--as", form, bad], capture_output=True, text=True)
        if done.returncode not in (2, 7) or words not in done.stderr:
            sys.exit(f"{form}: exit status {done.returncode}, {done.stderr!r}, expected {words!r}")
    for form, old, new in [("folded", b" 13\n", b" 12\n"), ("speedscope", b"\n50000,", b"\n50001,"),
                           ("speedscope", b"\n[0,1,10,3],\n[0,4,5,9],", b"\n[0,4,5,9],\n[0,1,10,3],"),
                           ("firefox", b'"weight":[50000', b'"weight":[50001'),
                           ("firefox", b'"clang::Lexer::Lex"', b'"clang::Lexer::Lez"'),
                           ("pprof", b"clang::Lexer::Lex", b"clang::Lexer::Lez")]:
        traced = Traced(folder, "riscv/riscv_callgraph", form)
        good = subprocess.run([COMMAND, "check", traced.path], capture_output=True, text=True)
        data = traced.path.read_bytes()
        plain = gzip.decompress(data) if form == "pprof" else data
        changed = plain.replace(old, new, 1)
        traced.path.write_bytes(gzip.compress(changed) if form == "pprof" else changed)
        done = subprocess.run([COMMAND, "check", traced.path], capture_output=True, text=True)
        if good.returncode != 0 or done.returncode != 1 or changed == plain:
            sys.exit(f"check of {form}: {good.returncode}, then {done.returncode}\n{done.stdout}")
    print(f"damage: {len(DAMAGE)} files are refused, changed ones disagree")


def main():
    if not NPM.is_dir():
        sys.exit(f"{NPM} is missing (tools/npm/tests.sh)")
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        call_graph(folder)
        each_sample(folder)
        timed(folder)
        functions(folder)
        counts(folder)
        damaged(folder)


main()
