#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boots all RISC-V guests of configs/linux_riscv with one and with four harts and each firmware, and prints what
`check` says of their files as a table (docs/uses/linux_riscv.md, "All of them").

usage: riscv_table.py COUNTERSINK [--runs FOLDER] [--harts N..] [SCENARIO..]

Scenarios whose harts are alike share a boot: their scripts run one after the other. Exit
status: 0 all files agree, 1 some comparison disagrees, 3 a guest has failed.
"""
import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LINUX = SOURCE / "configs/linux_riscv"
CACHES = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
CACHE = pathlib.Path(os.environ.get("CS_LINUX_RISCV") or CACHES / "countersink/linux-riscv")
FIRMWARE = "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"
FIRMWARES = {"1.1": CACHE / "opensbi-1.1" / FIRMWARE, "1.6": CACHE / "qemu" / FIRMWARE,
             "1.9": CACHE / "opensbi-1.9" / FIRMWARE}
# Each script finds a `put` that puts its scenario's name before the file's.
BEGIN = """mkdir /tmp/own
printf '#!/bin/sh\\nexec /bin/put "$own-$1"\\n' > /tmp/own/put
chmod +x /tmp/own/put
export PATH=/tmp/own:$PATH own
"""


def scenarios(names):
    """Of each kind of hart, its counters and caches: names of scenarios with their scripts."""
    groups = collections.defaultdict(dict)
    for path in sorted(LINUX.glob("linux_riscv_*.yaml")):
        text = path.read_text()
        name = path.stem.removeprefix("linux_riscv_")
        if not names or name in names:
            kind = re.search(r"counters: (\d+)", text)[1] + ("c" if "caches:" in text else "")
            groups[kind][name] = re.search(r"run: (\S+)", text)[1]
    return groups


def boot(command, folder, group, kind, harts, firmware):
    """The run folder of all the group's scripts."""
    script = "".join(f"own={name}\nsh /root/{run} || exit 1\n" for name, run in group.items())
    (folder / "run.sh").write_text(BEGIN + script)
    text = (LINUX / f"linux_riscv_{next(iter(group))}.yaml").read_text()
    files = ", ".join(str(LINUX / run) for run in group.values())
    text = re.sub(r"run: \S+", f"run: run.sh\n  files: [{files}]", text)
    (folder / "all.yaml").write_text(text)
    run = folder / f"run-{kind}-{harts}-{firmware}"
    if run.exists():  # of a call before
        return run
    done = subprocess.run([command, "boot", folder / "all.yaml", "-o", run, "--set",
                           f"harts.count={harts}", "--set", f"guest.firmware={FIRMWARES[firmware]}",
                           "--set", "guest.limit_s=3600"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{run.name}: {done.stderr}")
    return run


def judge(command, run):
    """Of each scenario: how many comparisons agree, and lines of those that do not."""
    good, bad = collections.Counter(), collections.defaultdict(list)
    for file in sorted(run.glob("*-*")):
        if file.suffix not in (".data", ".csv", ".json"):
            continue
        name = file.name.split("-")[0]
        done = subprocess.run([command, "check", "--format", "csv", "--truth", run, file],
                              capture_output=True, text=True, check=False)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        good[name] += sum(row["verdict"] == "agrees" for row in rows)
        bad[name] += [f"{file.name}: {','.join(row.values())}" for row in rows
                      if row["verdict"] == "DISAGREES"]
        if done.returncode not in (0, 1):
            bad[name].append(f"{file.name}: {done.stderr.strip()}")
    return good, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--runs", type=pathlib.Path, help="keeps the run folders there, and takes those that are")
    parser.add_argument("--harts", type=int, nargs="+", default=[1, 4])
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    groups = scenarios(given.names)
    columns = [(harts, firmware) for harts in given.harts for firmware, path in FIRMWARES.items()
               if path.exists()]
    cells, wrong = {}, []
    with tempfile.TemporaryDirectory() as temp:
        folder = given.runs or pathlib.Path(temp)
        folder.mkdir(exist_ok=True)
        for harts, firmware in columns:
            for kind, group in groups.items():
                run = boot(given.command, folder, group, kind, harts, firmware)
                good, bad = judge(given.command, run)
                for name in group:
                    cells[name, harts, firmware] = f"{good[name]}" + \
                        (f", {len(bad[name])} wrong" if bad[name] else "")
                    wrong += [f"{harts}, {firmware}: {line}" for line in bad[name]]
                print(f"{run.name}: {sum(good.values())} agree", file=sys.stderr)
    print("| scenario | " + " | ".join(f"{h} hart{'s' * (h > 1)}, {f}" for h, f in columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name in sorted(name for group in groups.values() for name in group):
        print(f"| `{name}` | " + " | ".join(cells[name, h, f] for h, f in columns) + " |")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
