#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios, and compares a hash of each run with the one in golden_runs.txt: whatever a
scenario did, it does again. With --write they are written anew. Scenarios that the file does not
name are not looked at. A run that leaves no truth, or fails, is an error in any case.

    golden_runs.py COUNTERSINK SOURCE [LINE...] [--write]

A line of the file is a hash, a scenario, and options of `countersink run` as a shell has them; a
LINE is what stands behind the hash.
"""
import hashlib
import json
import pathlib
import shlex
import sqlite3
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "golden_runs.txt"


def rows_of(truth):
    """But the clock of the cores, which is the scenario's (the rates of tb/report follow from it)."""
    database = sqlite3.connect(truth)
    for table, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        for row in sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))):
            if not row.startswith("('core_mhz',"):
                yield f"{table} {row}"
    database.close()


def figures_of(summary):
    """But those that are zero, so that new ones may come, the time on the wall, and which are shown."""
    for name, value in sorted(json.loads(summary.read_text()).items()):
        if name not in ("wall_ns", "shown", "warnings") and value not in (0, "", [], {}):
            yield f"{name} {value}"


def hash_of(run, warnings):
    """Of the warnings, all rows of the truth, the figures of the summary, and all other files; of
    each way, where a scenario has several. None: there is no truth."""
    digest = hashlib.sha256("".join(warnings).encode())
    rows = 0
    for path in sorted(run.rglob("*")):
        if not path.is_file() or path.suffix in (".yaml", ".txt") or path.name == "ways.json":
            continue
        digest.update(f"{path.relative_to(run)}\n".encode())
        if path.suffix == ".sqlite":
            lines = list(rows_of(path))
            rows += len(lines)
        elif path.suffix == ".json":
            lines = list(figures_of(path))
        else:
            lines = [path.read_bytes().hex()]
        digest.update("\n".join(lines).encode())
    return digest.hexdigest()[:16] if rows != 0 else None


def run(command, scenario, options):
    with tempfile.TemporaryDirectory() as temp:
        out = pathlib.Path(temp) / "run"
        done = subprocess.run([command, "run", "-o", out, *options, scenario], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            return f"ended with {done.returncode}: {done.stderr.strip()}"
        # Wherever the scenario lies.
        warnings = [line.replace(str(scenario), "scenario") for line in done.stderr.splitlines()
                    if line.startswith("warning: ")]
        return hash_of(out, warnings) or "left no truth"


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    command, source, only = words[0], pathlib.Path(words[1]), words[2:]
    lines = TABLE.read_text().splitlines()
    bad = [f"{TABLE.name} has no line {line}" for line in only
           if line not in {known.partition(" ")[2] for known in lines}]
    for at, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        was, _, what = line.partition(" ")
        if only and what not in only:
            continue
        name, *options = shlex.split(what)
        found = run(command, source / name, options)
        if " " in found: # no hash can be written
            sys.exit(f"{what}: {found}")
        lines[at] = f"{found} {what}"
        if found != was:
            bad.append(f"{what}: was {was} and is {found}")
    if "--write" in sys.argv[1:]:
        TABLE.write_text("\n".join(lines) + "\n")
        return
    if bad:
        sys.exit("\n".join(bad + ["where that is meant, golden_runs.py --write writes it anew"]))


main()
