# SPDX-License-Identifier: Apache-2.0
"""The same question for PAPI and for toplev, on the machine of two phases. Both are of build/venv."""
import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import measure as perf

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parents[2] / "build/venv/bin/python"
DRAWN = {"PAPI": "PAPI, two phases", "toplev": "toplev, two phases: points of slots"}
EVENTS = ("TOT_INS", "BR_INS", "BR_MSP", "LD_INS", "L1_DCM", "SR_INS", "BR_CN", "TLB_DM", "LST_INS", "TLB_IM", "L1_LDM", "L2_DCR")
# PAPI's multiplexing, by its Python package. PAPI tries each event before it is used: those do not count.
PAPI = """
import sys, time
from pypapi import papi_low as papi
papi.library_init()
papi.multiplex_init()
events = papi.create_eventset()
papi.assign_eventset_component(events, 0)
papi.set_multiplex(events)
for name in sys.argv[2:]:
    papi.add_named_event(events, "PAPI_" + name)
papi.start(events)
end = time.process_time() + float(sys.argv[1])
while time.process_time() < end: pass
print(*papi.stop(events))
"""
# What toplev's level 1 needs of a Skylake: event and unit mask, by Intel's manual. Else it would fetch a list.
SLOTS = {"IDQ_UOPS_NOT_DELIVERED.CORE": (0x9c, 1), "UOPS_ISSUED.ANY": (0x0e, 1), "UOPS_RETIRED.RETIRE_SLOTS": (0xc2, 2),
         "INT_MISC.RECOVERY_CYCLES": (0x0d, 1), "CPU_CLK_UNHALTED.THREAD": (0x00, 2)}
SAME = {"Counter": "0,1,2,3", "CounterHTOff": "0,1,2,3", "SampleAfterValue": "2000003", "MSRIndex": "0", "MSRValue": "0",
        "CounterMask": "0", "Invert": "0", "AnyThread": "0", "EdgeDetect": "0", "PEBS": "0"}


def truths(path, shortest_ns):
    """(config, how often it had happened when it was read) of events that were enabled so long, in the order in which
    they were opened."""
    with sqlite3.connect(path) as truth:
        return list(truth.execute("SELECT config & 0xffff, max(truth) FROM reading JOIN opened USING(id) WHERE type IN (0, 4) AND last=0 "
                                  "GROUP BY id HAVING max(enabled_ns) >= ? ORDER BY id", [shortest_ns]))


def under(countersink, folder, *program, **env):
    truth = folder / "t.sqlite"
    truth.unlink(missing_ok=True)
    return subprocess.run([countersink, "pmu", "--truth", truth, HERE / "phases.yaml", "--", PYTHON, *program], check=True, text=True,
                          capture_output=True, env={**os.environ, **env}, cwd=folder).stdout


def papi(countersink, number, length_ms, folder):
    """(printed, true) of each event."""
    said = under(countersink, folder, "-c", PAPI, str(length_ms / 1000), *EVENTS[:number], LIBPFM_FORCE_PMU="skl")
    return list(zip(map(int, said.split()), (true for _, true in truths(folder / "t.sqlite", length_ms * 900000))))


def shares(counts):
    """Of level 1, in percent of slots, as its definition says."""
    slots = 4 * counts[0x3c]
    issued, retired, front = counts[0x10e], counts[0x2c2], counts[0x19c]
    return {"Frontend_Bound": 100 * front / slots, "Bad_Speculation": 100 * (issued - retired) / slots,
            "Retiring": 100 * retired / slots, "Backend_Bound": 100 * (slots - front - issued) / slots}


def toplev(countersink, length_ms, folder):
    """By how many points of slots each share that is printed is wrong."""
    events = [{"EventName": name, "EventCode": hex(event), "UMask": hex(mask), "BriefDescription": name, "PublicDescription": name,
               **SAME} for name, (event, mask) in SLOTS.items()]
    (folder / "events.json").write_text(json.dumps(events))
    (folder / "none.json").write_text("[]")
    under(countersink, folder, "-m", "toplev", "--force-cpu", "skl", "-l1", "-v", "--no-desc", "-x,", "-o", "top.csv", "--",
          sys.executable, "-S", "-c", perf.SPIN.format(length_ms / 1000), EVENTMAP=str(folder / "events.json"),
          UNCORE=str(folder / "none.json"))
    true = shares(dict(truths(folder / "t.sqlite", length_ms * 900000)))
    with open(folder / "top.csv", encoding="ascii") as file:
        printed = {row["Area"]: float(row["Value"]) for row in csv.DictReader(file) if row["Area"] in true}
    return [abs(printed[area] - true[area]) for area in true if area in printed]


def measure(countersink):
    """{(tool, number, length): (median, worst, uncounted)}; of toplev in points"""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in perf.NUMBERS:
            for length in perf.LENGTHS_MS:
                found["PAPI", number, length] = perf.cell(perf.errors(
                    papi(countersink, number, length, folder) for _ in range(perf.REPEATS)))
                print(f"PAPI {number:2} events {length:5} ms: {found['PAPI', number, length]}", file=sys.stderr)
        for length in perf.LENGTHS_MS:
            wrong = [error for _ in range(perf.REPEATS) for error in toplev(countersink, length, folder)]
            found["toplev", 5, length] = perf.cell((wrong, 0))
            print(f"toplev {length:5} ms: {found['toplev', 5, length]}", file=sys.stderr)
    return found


def check(countersink):
    """Four events are exact; of eight each has had a turn; level 1's four shares are near."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pairs = papi(countersink, 4, 30, folder)
        if len(pairs) != 4 or any(said != real for said, real in pairs):
            sys.exit(f"PAPI, four events (printed, true): {pairs}")
        pairs = papi(countersink, 8, 300, folder)
        if len(pairs) != 8 or any(said == 0 for said, _ in pairs):
            sys.exit(f"PAPI, eight events (printed, true): {pairs}")
        wrong = toplev(countersink, 300, folder)
        if len(wrong) != 4 or max(wrong) > 25:
            sys.exit(f"toplev, points that its shares are wrong by: {wrong}")
