#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first inputs of what is fuzzed, made of our own scenarios: corpus.py COMMAND SOURCE MADE

MADE/corpus/TARGET/ gets files, MADE/check/ the truths that `check` is asked about. A second call
makes only what is missing.
"""
import lzma
import pathlib
import shutil
import struct
import subprocess
import sys

from programs import PROGRAMS

MOST_BYTES = 32 * 1024  # of an input: larger ones only make the fuzzer slow, and are cut
MOST_SCENARIO = 8 * 1024

# Scenarios that are short, and what is made of each.
TRACES = [
    ("configs/pmcu/pmcu_lockstep_basic.yaml", ["perf", "csv", "json", "perfetto", "ctf", "pmcu-aux"]),
    ("configs/pmcu/pmcu_demo.yaml", ["perf", "csv"]),
    ("configs/imc/imc_lockstep_trace.yaml", ["perf", "csv", "json", "imc-trace", "folded", "pprof",
                                             "speedscope", "firefox"]),
    ("configs/imc/imc_nest.yaml", ["csv", "json", "imc-nest"]),
    ("configs/imc/imc_core.yaml", ["csv", "imc-core"]),
    ("configs/imc/imc_thread.yaml", ["csv", "imc-thread"]),
    ("tb/scenarios/riscv/riscv_lockstep_sample.yaml", ["perf", "csv", "json", "perfetto", "ctf", "folded",
                                                       "pprof", "speedscope", "firefox"]),
    ("configs/riscv/riscv_lockstep_count.yaml", ["perf", "csv", "json"]),
    ("tb/scenarios/riscv/riscv_lockstep_snapshot.yaml", ["perf", "sbi-snapshot"]),
    ("configs/corepmu/multiplex_demo.yaml", ["perf", "csv", "json"]),
    ("configs/uncore/uncore_lockstep_perf.yaml", ["csv", "perfetto", "ctf"]),
]
TARGET = {"perf": "perf-data"}
SETS = ["seed=3", "riscv.perf.0.sample_period=1000", "harts.count=4", "harts={count: 2}",
        "riscv.perf.0.events.0=cycles\nworkloads.0.segments.0.cycles=5", "way=x", "a.b.0.c=[1, 2]",
        "riscv.perf.1={events: [branches]}\nkeep={memory: false, probe: true}"]
PATHS = ["/", "rack0/blade4/memctl1", "rack0-127/blade4", "rack3/blade0/chip2/core1/cpu3",
         "/sys/devices/rack1", "memctl1"]


def with_checksum(words):
    """And behind them the exclusive or of all."""
    total = 0
    for (word,) in struct.iter_unpack(">I", words):
        total ^= word
    return words + struct.pack(">I", total)


class Maker:
    def __init__(self, command, source, made):
        self.command, self.source, self.made = command, source, made
        self.truths = 0
        self.targets = set()

    def put(self, target, name, data):
        folder = self.made / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data[:MOST_BYTES])

    def trace(self, scenario, wanted):
        place = self.made / "traces"
        place.mkdir(exist_ok=True)
        stem = pathlib.Path(scenario).stem + "." + wanted
        path = place / stem
        done = subprocess.run([self.command, "trace", "--format", wanted, "-o", path,
                               self.source / scenario], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"corpus: no {wanted} of {scenario}: {done.stderr.strip()}", file=sys.stderr)
            return
        target = TARGET.get(wanted, wanted)
        for ring in path.parent.glob(f"{stem}.truth/records/*.ring"):
            self.put("riscv-ring", f"{stem}.{ring.stem}", ring.read_bytes())
        if path.is_dir():
            self.folder(target, stem, path)
            return
        data = path.read_bytes()
        self.put(target, stem, data)
        self.put("damage", stem, data)
        if self.truths < 256 and len(data) < MOST_BYTES:
            check = self.made / "check"
            check.mkdir(exist_ok=True)
            shutil.copytree(f"{path}.truth", check / f"{self.truths}.truth", dirs_exist_ok=True)
            self.put("check", stem, data + bytes([self.truths]))
            self.truths += 1

    def folder(self, target, stem, path):
        metadata = (path / "metadata").read_bytes()
        for stream in sorted(path.iterdir()):
            if stream.name != "metadata":
                self.put(target, f"{stem}.{stream.name}", len(metadata).to_bytes(2, "little")
                         + metadata + stream.read_bytes()[:8192])

    def trees(self):
        for source in sorted(self.source.glob("configs/*/*.dts")):
            self.put("catalog-source", source.name, source.read_bytes())
            blob = subprocess.run(["dtc", "-q", "-O", "dtb", source], capture_output=True)
            target = "pmu-map" if "pmu" in source.name else "catalog"
            self.put(target, source.stem, blob.stdout)
            if target == "catalog":
                self.packed(source.stem, blob.stdout)

    def packed(self, stem, blob):
        """The catalog as firmware has it: xz, and the partition; an image is too large."""
        stream = lzma.compress(blob, check=lzma.CHECK_CRC32)
        header = b"IMA\0" + struct.pack(">4I", 1, 0x4E0200, 0x1000, len(stream))
        self.put("catalog", stem + ".xz", stream)
        self.put("catalog", stem + ".ima", header.ljust(0x1000, b"\0") + stream)
        size = -(-(0x1000 + len(stream)) // 0x1000)
        entry = b"IMA_CATALOG".ljust(16, b"\0") + struct.pack(">7I", 1, size, 0xFFFFFFFF, 1, 1, 0, 0)
        table = struct.pack(">11I", 0x50415254, 1, 1, 128, 1, 0x1000, size + 1, 0, 0, 0, 0)
        image = with_checksum(table) + with_checksum(entry.ljust(124, b"\0"))
        self.put("catalog", stem + ".pnor", image.ljust(0x1000, b"\0")
                 + (header.ljust(0x1000, b"\0") + stream).ljust(size * 0x1000, b"\0"))

    def all(self):
        for scenario, formats in TRACES:
            for wanted in formats:
                self.trace(scenario, wanted)
        self.trees()
        for scenario in sorted([*self.source.glob("configs/*/*.yaml"), *self.source.glob("tb/scenarios/*/*.yaml")]):
            text = scenario.read_bytes()
            if len(text) <= MOST_SCENARIO:
                self.put("scenario", scenario.name, text)
        for nr, text in enumerate(SETS):
            self.put("set", str(nr), text.encode())
        for nr, text in enumerate(PATHS):
            self.put("address", str(nr), text.encode())
        for target, programs in PROGRAMS.items():
            for name, program in programs.items():
                self.put(target, name, program)


def main():
    command, source, made = (pathlib.Path(a).absolute() for a in sys.argv[1:4])
    if (made / "done").exists():
        return
    if made.exists():
        shutil.rmtree(made)
    made.mkdir(parents=True)
    Maker(command, source, made).all()
    shutil.rmtree(made / "traces")
    (made / "done").write_text("")


if __name__ == "__main__":
    main()
