#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How quick a report of a large run is: 240 events, 512 slots, 1000 samples.

    bench/report_large.py [COUNTERSINK]

No run is that large (128 CPUs at most): a small run's truth is filled with made-up rows. Needs chromium.
"""
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE / "tb/report"))
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

EVENTS, SLOTS, SAMPLES, COUNTERS, PERIOD = 240, 512, 1000, 8, 1_000_000


def fill(truth):
    groups = EVENTS // COUNTERS
    with sqlite3.connect(truth) as db:
        db.execute("PRAGMA synchronous = OFF")
        for table in ("window", "sample", "subsample", "event", "total", "cpu", "transfer", "access"):
            db.execute(f"DELETE FROM {table}")
        db.executemany("INSERT INTO cpu VALUES (?, ?, ?, 'online')",
                       ((cpu, cpu // 8, cpu % 8) for cpu in range(SLOTS)))
        db.executemany("INSERT INTO event VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, 0.01, ?, 0.02)",
                       ((e, e, f"EVENT_{e}", SAMPLES // groups + 1, 10 ** 6, 10 ** 6, 10 ** 7 + e, 1.01e7 + e,
                         1.02e7) for e in range(EVENTS)))
        db.executemany("INSERT INTO subsample VALUES (?, ?, 0, ?, 0)",
                       ((s, (s + 1) * PERIOD, s) for s in range(SAMPLES)))
        db.executemany("INSERT INTO window VALUES (?, ?, ?, ?, 0, 0)",
                       ((s, cpu, s * PERIOD + 20 * cpu, s * PERIOD + 20 * cpu + 980_000)
                        for s in range(SAMPLES) for cpu in range(SLOTS)))
        db.executemany("INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)",
                       ((s, cpu, at, (s % groups) * COUNTERS + at, 1000 * at + s + cpu, 0)
                        for s in range(SAMPLES) for cpu in range(SLOTS) for at in range(COUNTERS)))
        db.execute("UPDATE run SET value = ? WHERE key = 'last_stop'", (SAMPLES * PERIOD,))
    db.close()


def timed(what, begin):
    print(f"{what:40} {time.monotonic() - begin:8.2f} s")
    return time.monotonic()


command = sys.argv[1] if len(sys.argv) > 1 else str(SOURCE / "build/countersink")
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    run, path = f"{folder}/run", f"{folder}/page.html"
    subprocess.run([command, "run", "-o", run, SOURCE / "configs/pmcu/pmcu_demo.yaml"], check=True,
                   stdout=subprocess.DEVNULL)
    begin = time.monotonic()
    fill(f"{run}/truth.sqlite")
    summary = pathlib.Path(run, "summary.json")
    summary.write_text(summary.read_text().replace('"simulated_ns": 32086702',
                                                   f'"simulated_ns": {SAMPLES * PERIOD}'))
    begin = timed("rows made up", begin)
    subprocess.run([command, "report", "-o", path, run], check=True, stdout=subprocess.DEVNULL)
    begin = timed(f"the page, {pathlib.Path(path).stat().st_size / 1e6:.1f} MB", begin)
    page = browser.open(path)
    page.settle()
    begin = timed("opened, first plots there", begin)
    page.show_all()
    begin = timed("all plots drawn", begin)
    for chart, zooms in (("run-0-timeline", 20), ("run-0-map", 20)):
        for i in range(zooms):
            page.evaluate(f"countersink.charts['{chart}'].zoomTo('x', {i}, {i + 30})")
            page.settle()
        begin = timed(f"{zooms} moves of {chart}", begin)
    page.evaluate("setTheme('dark')")
    page.settle()
    begin = timed("all plots dark", begin)
    if page.complaints():
        sys.exit("\n".join(page.complaints()))
    shutil.rmtree(run)
