# SPDX-License-Identifier: Apache-2.0
"""Holds two builds of countersink against each other: tools/compare-builds.sh says how."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import cost
import jobs
from same import Judge, Rules
from sides import BadUse, Side

PARTS = ["run", "trace", "golden", "list", "compare", "cost"]
SHOWN = 5  # differences of a job


def run(side, job, folder):
    """The job's commands; what each printed, and its exit status, beside what it wrote."""
    folder.mkdir(parents=True)
    commands, status, nr = job.commands(side, folder), None, 0
    while True:
        try:
            words = commands.send(status)
        except StopIteration:
            return
        nr += 1
        with open(folder / f"{nr}.out", "wb") as out, open(folder / f"{nr}.err", "wb") as err:
            status = subprocess.run([side.command, *words], cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=err).returncode
        (folder / f"{nr}.status").write_text(f"{status}\n")


def hold(job, sides, judge, work):
    """(files, whether the first command was not refused, differences, seconds)"""
    begin = time.monotonic()
    name = re.sub(r"[^\w.=-]+", "_", job.title)
    folders = [work / side.label / name for side in sides]
    for side, folder in zip(sides, folders):
        run(side, job, folder)
    files, bad = judge.folders(folders)
    first = (folders[0] / "1.status").read_text().strip()
    if job.part == "compare" and first != "0":
        bad.append(f"not EQUAL in either build: exit status {first}")
    if not bad:
        for folder in folders:
            shutil.rmtree(folder)
    return files, first == "0", bad, time.monotonic() - begin


def hold_part(part, part_jobs, sides, judge, work, threads):
    begin, files, made, failed, slowest = time.monotonic(), 0, 0, 0, (0, "")
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        held = pool.map(lambda job: hold(job, sides, judge, work), part_jobs)
        for job, (count, is_made, bad, seconds) in zip(part_jobs, held):
            files += count
            made += is_made
            failed += bool(bad)
            slowest = max(slowest, (seconds, job.title))
            for line in bad[:SHOWN]:
                print(f"  {job.title}: {line}")
            if len(bad) > SHOWN:
                print(f"  {job.title}: and {len(bad) - SHOWN} more")
    refused = len(part_jobs) - made
    print(f"{part}: {len(part_jobs)} jobs" + (f", {refused} of them refused" if refused else "")
          + f", {files} files, {failed} different, {time.monotonic() - begin:.0f} s "
          f"(slowest {slowest[0]:.0f} s: {slowest[1]})", flush=True)
    return failed


def only_in_one(sides, formats):
    """What one side has and the other has not: gone is a difference, new is only told."""
    gone = 0
    for what in ("scenarios", "catalogs", "golden"):
        old, new = (getattr(side, what).keys() for side in sides)
        for name in sorted(old - new):
            print(f"  {name} of {what}: only in old")
            gone += 1
        for name in sorted(new - old):
            print(f"  {name} of {what}: only in new, not compared")
    old, new = formats
    for form in old:
        if form not in new:
            print(f"  format {form}: only in old")
            gone += 1
    for form in new:
        if form not in old:
            print(f"  format {form}: only in new, not compared")
    return gone


def arguments():
    parser = argparse.ArgumentParser(add_help=False, usage="tools/compare-builds.sh --help tells")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--old-tree")
    parser.add_argument("--new-tree")
    parser.add_argument("--rules")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--match", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    asked = parser.parse_args()
    asked.only = asked.only.split(",")
    for part in asked.only:
        if part not in PARTS:
            raise BadUse(f"--only: '{part}' is none of {', '.join(PARTS)}")
    return asked


def compare(asked, work):
    sides = [Side("old", asked.old, asked.old_tree), Side("new", asked.new, asked.new_tree)]
    rules = Rules(asked.rules)
    judge = Judge(sides, rules)
    formats = [side.formats({} if side is sides[0] else rules.formats) for side in sides]
    failed = only_in_one(sides, formats)
    shared = [form for form in formats[0] if form in formats[1]]
    all_jobs = [job for job in jobs.all_jobs(sides, asked.only, shared)
                if re.search(asked.match, job.title)]
    for part in asked.only:
        part_jobs = [job for job in all_jobs if job.part == part]
        if part_jobs:
            failed += hold_part(part, part_jobs, sides, judge, work, asked.jobs)
    if "cost" in asked.only:
        for line, good in cost.compare(sides):
            failed += not good
            print(f"cost: {line}{'' if good else ': TOO MUCH'}")
    for line in rules.tell():
        print(line)
    return failed


def main():
    asked = arguments()
    with tempfile.TemporaryDirectory() as temp:
        work = pathlib.Path(asked.keep or temp).resolve()
        if any((work / label).exists() for label in ("old", "new")):
            raise BadUse(f"--keep {work}: old/ or new/ is there already")
        failed = compare(asked, work)
    print("DIFFERENT" if failed else "the same")
    return 1 if failed else 0


try:
    sys.exit(main())
except BadUse as bad:
    sys.exit(print(f"compare-builds: {bad}", file=sys.stderr) or 2)
