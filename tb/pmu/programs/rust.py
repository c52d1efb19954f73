# SPDX-License-Identifier: Apache-2.0
"""Rust: the crates perf-event and perf-event2, their own tests and examples. crates.lock has the checksums."""
import hashlib
import os
import pathlib
import re
from functools import partial

from harness import HERE, ROOT, build, judged, tool

MANIFEST = """\
[package]
name = "fetched"
version = "0.0.0"
edition = "2021"

[dependencies]
"""


def cargo():
    """What samply and perf-event2 need; Debian 12's is older."""
    return tool("cargo", (1, 77))


def locked():
    """{crate: (version, sha256)}"""
    lines = (HERE / "crates.lock").read_text().splitlines()
    return {name: (version, digest) for name, version, digest in
            (line.split() for line in lines if not line.startswith("#"))}


def fetched(work, name):
    """The crate's source, unpacked by cargo; what it depends on has checksums in its own Cargo.lock."""
    version, digest = locked()[name]
    (work / "src").mkdir(exist_ok=True)
    (work / "src/main.rs").write_text("fn main() {}\n")
    (work / "Cargo.toml").write_text(f'{MANIFEST}{name} = "={version}"\n')
    build(cargo(), "fetch", "--quiet", cwd=work)
    registry = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo") / "registry"
    (crate,) = registry.glob(f"cache/*/{name}-{version}.crate")
    if hashlib.sha256(crate.read_bytes()).hexdigest() != digest:
        raise SystemExit(f"{crate}: its checksum is not that of crates.lock")
    (source,) = registry.glob(f"src/*/{name}-{version}")
    return source


def compiled(work, name):
    """{kind and name of a test or example: program}"""
    source = fetched(work, name)
    found = []
    for words in (("test", "--no-run", "--lib", "--tests"), ("build", "--examples")):
        said = build(cargo(), *words, "--locked", "--manifest-path", source / "Cargo.toml", "--target-dir", work / name,
                     "--message-format=json", "--config", "build.rustflags=['--cap-lints=allow']")
        found += re.findall(r'"target":\{"kind":\["(\w+)"\].*?"name":"([\w-]+)".*?"executable":"([^"]+)"', said)
    return {f"{kind} {target}": program for kind, target, program in found}


# Examples that are run in a way of their own: of a process beside them; of CPU 0 and with Arm's events; with
# room for all events of a group.
SHELL = {"insns-for-pid": "while :; do :; done & {} $!; s=$?; kill $!; exit $s",
         "println-cpi-raw": "exec taskset -c 0 {}"}
MACHINES = {"println-cpi-raw": [ROOT / "configs/pmu/arm_server.yaml"], "big-group": ["--counters", "6"]}


def numbers(text):
    """Counts, and none of the lists that they are counts of."""
    return [int(number) for number in re.findall(r"\b\d{4,}\b", re.sub(r"(?m)^\[.*", "", text))]


def example(pmu, name, program):
    def judge():
        run = pmu.run(["sh", "-c", SHELL.get(name, "exec {}").format(program)], *MACHINES.get(name, ()))
        run.must_be_good()
        run.must_have_read(numbers(run.out))
    return judged(judge)


def own(pmu, program, test):
    run = pmu.run([program, "--exact", test, "--nocapture"])
    good = run.status == 0 and "1 passed" in run.out
    return "pass" if good else "fail", run.out + run.err


def of_crate(pmu, name):
    for what, program in sorted(compiled(pmu.work, name).items()):
        kind, target = what.split()
        if kind == "example":
            yield f"{name}/{target}", partial(example, pmu, target, program)
            continue
        for test in re.findall(r"^([\w:]+): test$", pmu.run([program, "--list"]).out, re.M):
            yield f"{name}/{target}/{test}", partial(own, pmu, program, test)


def tests(pmu):
    yield from of_crate(pmu, "perf-event")
    yield from of_crate(pmu, "perf-event2")
