#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How quick a table of the truth is a DataFrame, beside pandas.read_sql on the same file.

    PYTHONPATH=python PATH="$PWD/build:$PATH" build/venv/bin/python bench/python_tables.py [ROWS]

The table is `sample` of a run, its rows repeated until there are ROWS (default: 720000) of them.
"""
import contextlib
import pathlib
import sqlite3
import sys
import tempfile
import time

import pandas

import countersink

SOURCE = pathlib.Path(__file__).resolve().parents[1]
ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 720_000
TURNS = 5


def grow(truth):
    with contextlib.closing(sqlite3.connect(truth)) as db:
        db.execute("CREATE TABLE large AS SELECT * FROM sample")
        while (missing := ROWS - db.execute("SELECT count(*) FROM large").fetchone()[0]) > 0:
            db.execute("INSERT INTO large SELECT * FROM large LIMIT ?", (missing,))
        db.commit()


def read_sql(truth):
    with contextlib.closing(sqlite3.connect(truth)) as db:
        return pandas.read_sql("SELECT * FROM large", db)


run = countersink.run(SOURCE / "configs/pmcu/pmcu_demo.yaml")
grow(run.path / "truth.sqlite")
ways = {"Table.pandas()": lambda: run.table("large").pandas(),
        "pandas.read_sql": lambda: read_sql(run.path / "truth.sqlite")}
best = dict.fromkeys(ways, float("inf"))
frames = {}
for _ in range(TURNS):  # in turns, so that other work on the machine meets both
    for name, way in ways.items():
        begin = time.process_time()
        frames[name] = way()
        best[name] = min(best[name], time.process_time() - begin)
ours, theirs = best.values()
pandas.testing.assert_frame_equal(*frames.values())
for name, seconds in best.items():
    print(f"{name:16} {seconds:6.2f} s of processor time, {len(frames[name])} rows")
print(f"ratio            {ours / theirs:6.2f}")
