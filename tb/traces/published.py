#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The one sample of a PMCU that was published, and the decoder that was published with it (patch 4/4
of the PMCU series, docs/sources.md): what `countersink` makes of the sample, and what that decoder,
here in words of our own, makes of files by `countersink`.

    published.py COUNTERSINK SOURCE
"""
import csv
import io
import pathlib
import struct
import subprocess
import sys
import tempfile

SLOTS = 8  # of a cluster, which the decoder takes for granted
AUXTRACE = 71
# CPU: CONTEXTIDR_EL2, BR_MIS_PRED, CPU_CYCLES, BR_PRED, MEM_ACCESS, cycle counter
PUBLISHED = {0: (0xBA, 0, 0, 0, 0, 54804), 1: (0x56FE, 0, 0, 0, 0, 54804),
             4: (0x195, 0, 54804, 244, 244, 54804), 5: (0x56FC, 1, 1131, 3, 4, 54804)}
EVENTS = (0x10, 0x11, 0x12, 0x13)


def published():
    """Its bytes: header, context IDs, counts."""
    rows = [PUBLISHED.get(cpu, (0,) * 6) for cpu in range(SLOTS)]
    header = struct.pack("<11I", 0x400000, 4, SLOTS, 0, 8 * SLOTS * 6, 1, 4, *EVENTS)
    return header.ljust(48, b"\0") + struct.pack(f"<{SLOTS}I", *[0] * SLOTS) \
        + struct.pack(f"<{SLOTS}I", *[row[0] for row in rows]) \
        + b"".join(struct.pack(f"<{SLOTS}Q", *[row[1 + i] for row in rows]) for i in range(5))


class Endless(Exception):
    pass


def decoded(data):
    """As the published decoder reads AUX data, which begin with a header for it: a list of (CPU, EL1's
    context ID, EL2's, counts)."""
    buffer, counters, slots, comp, _, groups, events = struct.unpack_from("<7I", data)
    clusters = slots // SLOTS
    cpus = [core + SLOTS * cluster for core in range(SLOTS) for cluster in range(clusters)]
    fields = counters + (0 if comp else 1)
    size = groups * 8 * len(cpus) * (1 + fields)
    at = (28 + 4 * events + 15) // 16 * 16
    found = []
    while at < len(data):
        if buffer - at % buffer < size:
            at += buffer - at % buffer
            continue
        if size == 0:
            raise Endless(f"stays at {at} of {len(data)}")
        for group in range(groups):
            values = struct.unpack_from(f"<{2 * len(cpus)}I{fields * len(cpus)}Q", data, at)
            for i, cpu in enumerate(cpus):
                found.append((cpu, values[i], values[len(cpus) + i], values[2 * len(cpus) + i::len(cpus)]))
            at += size // groups
    return found


def auxtraces(path):
    """The payloads of its AUXTRACE records."""
    data = path.read_bytes()
    at, length = struct.unpack_from("<2Q", data, 40)
    end = at + length
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        payload = struct.unpack_from("<Q", data, at + 8)[0] if kind == AUXTRACE else 0
        if kind == AUXTRACE:
            yield data[at + size:at + size + payload]
        at += size + payload


class Judge:
    def __init__(self, command, source, folder):
        self.command, self.source, self.folder = command, source, folder
        self.bad = []

    def run(self, *words, status=0):
        done = subprocess.run([self.command, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.expect(f"status of {' '.join(words)}", done.returncode, status)
        return done.stdout, done.stderr

    def expect(self, what, found, expected):
        if found != expected:
            self.bad.append(f"{what}: {str(found)[:300]} instead of {str(expected)[:300]}")

    def rows(self, path, slots=SLOTS):
        """The same list, by `countersink decode`."""
        text, _ = self.run("decode", "--as", "pmcu-aux", "--slots", str(slots), "--format", "csv", path)
        found = {}
        for row in csv.DictReader(io.StringIO(text)):
            key = tuple(int(row[name]) for name in ("sample", "subsample", "cpu"))
            found.setdefault(key, ((int(row["cid1"]), int(row["cid2"])), []))[1].append(int(row["count"]))
        return sorted((*key, *ids, tuple(counts)) for key, (ids, counts) in found.items())


def the_sample(judge):
    scenario = str(judge.source / "configs/corepmu/pmcu_published.yaml")
    (judge.folder / "published").write_bytes(published())
    expected = [(cpu, 0, *((row := PUBLISHED.get(cpu, (0,) * 6))[:1]), row[1:]) for cpu in range(SLOTS)]

    judge.expect("the decoder of the sample", decoded(published()), expected)
    judge.expect("our decode of the sample", judge.rows("published"),
                 [(0, 0, *row) for row in expected])
    judge.run("run", "-o", "run", scenario)
    judge.expect("the bytes of the scenario", (judge.folder / "run/samples.aux").read_bytes(), published())
    judge.run("run", "-o", "el1", "--set", "corepmu.vhe=false", scenario)
    judge.expect("with a kernel at EL1, context IDs", [row[3:5] for row in judge.rows("el1/samples.aux")][:2],
                 [(0xBA, 0), (0x56FE, 0)])
    judge.run("trace", "--format", "csv", "-o", "samples.csv", scenario)
    pids = {(int(row["cpu"]), int(row["pid"])) for row in csv.DictReader((judge.folder / "samples.csv").open())
            if row["period"] != "0"}
    judge.expect("processes of a trace", pids, {(cpu, row[0]) for cpu, row in PUBLISHED.items()})


def other_files(judge):
    """Eight slots: all is read where it is, of several clusters and buffers too. Fewer: refused, for the
    decoder does not end."""
    demo = str(judge.source / "configs/pmcu/pmcu_demo.yaml")
    cut = ["--set", "perf.0.record.0.nr_sample=30"]
    eight = [*cut, "--set", "pmcu.clusters=2", "--set", "pmcu_driver.aux_buffer_bytes=16384"]

    judge.run("trace", "--format", "perf", "--flavour", "faithful", "-o", "eight", *eight,
              "--set", "pmcu_driver.aux_buffers=4", demo)
    reads = list(auxtraces(judge.folder / "eight"))
    whole = (judge.folder / "eight.truth/samples.aux").read_bytes()
    judge.expect("AUX data of all reads", b"".join(reads), whole)
    judge.expect("bytes of the first read, half of the AUX area", len(reads[0]), 2 * 16384)
    judge.expect("more reads than one", len(reads) > 1, True)
    ours = [row[2:] for row in judge.rows("eight.truth/samples.aux")]
    theirs = decoded(reads[0])
    judge.expect("the decoder of the first read", sorted(theirs), sorted(ours[:len(theirs)]))
    judge.expect("the decoder of all that was read", sorted(decoded(whole)), sorted(ours))

    four = [*cut, "--set", "pmcu.slots=4", "--set", "corepmu.absent=[]"]
    _, told = judge.run("trace", "--format", "perf", "--flavour", "faithful", "-o", "four", *four, demo, status=2)
    judge.expect("what is said of four slots", "flavour faithful needs clusters of 8 slots" in told, True)
    judge.run("run", "-o", "four", *four, demo)
    try:
        decoded((judge.folder / "four/samples.aux").read_bytes())
        judge.bad.append("the decoder ends with four slots")
    except Endless:
        pass


def main():
    with tempfile.TemporaryDirectory() as temp:
        judge = Judge(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]), pathlib.Path(temp))
        the_sample(judge)
        other_files(judge)
    print("\n".join(judge.bad) or "the published sample and decoder agree")
    return 1 if judge.bad else 0


if __name__ == "__main__":
    sys.exit(main())
