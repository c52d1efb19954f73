# SPDX-License-Identifier: Apache-2.0
"""The installed package, outside the tree: test_package.py SOURCE (pandas and pyarrow are there)."""
import csv
import importlib.metadata
import pathlib
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

import countersink

SOURCE = pathlib.Path(sys.argv.pop(1)).absolute()
CONFIGS = SOURCE / "configs"
TRACES = SOURCE / "traces"


class Runs(unittest.TestCase):
    def test_a_file(self):
        run = countersink.run(CONFIGS / "riscv/riscv_callgraph.yaml", set={"seed": 3})
        self.assertEqual(run.summary["seed"], 3)
        db = sqlite3.connect(run.path / "truth.sqlite")
        expected = db.execute("SELECT * FROM hart_sample ORDER BY rowid").fetchall()
        frame = run.table("hart_sample").pandas()
        self.assertEqual(len(frame), len(expected))
        self.assertGreater(len(frame), 1000)
        for at in (0, 17, len(expected) - 1):
            found = [None if v is None or v != v else v
                     for v in frame.astype(object).where(frame.notna(), None).iloc[at]]
            self.assertEqual(found, list(expected[at]))
        self.assertEqual(run.table("hart_sample").arrow().num_rows, len(expected))
        self.assertEqual(run.query("SELECT count(*) AS n FROM hart_sample WHERE cpu=?", [1]).rows(),
                         [{"n": db.execute("SELECT count(*) FROM hart_sample WHERE cpu=1")
                           .fetchone()[0]}])
        with self.assertRaisesRegex(KeyError, "nothing: expected"):
            run.table("nothing")

    def test_data(self):
        scenario = {
            "name": "data", "harts": {"count": 1, "counters": 4}, "corepmu": {"clock_mhz": 1000},
            "workloads": [{"name": "server", "cpus": "all", "segments": [
                {"mode": "u", "cid1": 7,
                 "functions": [{"name": "main", "base": 0x10000, "size": 0x100, "weight": 1}],
                 "events": [{"event": "INST.RET", "rate": 0.5}]}]}],
            "riscv": {"perf": [{"events": ["instructions"], "start_us": 10, "stop_us": 500}]}}
        with tempfile.TemporaryDirectory() as temp:
            run = countersink.run(scenario, output=f"{temp}/run")
            self.assertEqual(countersink.open_run(f"{temp}/run").summary, run.summary)
            self.assertIn("data", run.text)
            count = run.table("count").rows()
            self.assertEqual(count[0]["event"], "instructions")
            self.assertAlmostEqual(count[0]["value"] / 245000, 1, places=1)
        with self.assertRaises(countersink.Error) as caught:
            countersink.run({"name": "data", "harts": {"count": "many"}})
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("harts.count", caught.exception.text)

    def test_types_are_the_database_s(self):
        run = countersink.run(CONFIGS / "riscv/riscv_callgraph.yaml")
        table = run.query("SELECT '0x10' AS text, -7 AS whole, 1.5 AS real, NULL AS none, 3 AS holes"
                          " UNION ALL SELECT '12', 8, 2, NULL, NULL")
        self.assertEqual(table.rows(), [
            {"text": "0x10", "whole": -7, "real": 1.5, "none": None, "holes": 3},
            {"text": "12", "whole": 8, "real": 2, "none": None, "holes": None}])
        self.assertEqual({n: str(t) for n, t in table.pandas().dtypes.items()},
                         {"text": "object", "whole": "int64", "real": "float64", "none": "object",
                          "holes": "Int64"})
        self.assertEqual([str(f.type) for f in table.arrow().schema],
                         ["string", "int64", "double", "string", "int64"])
        empty = run.query("SELECT cpu, ip FROM hart_sample WHERE 0")
        self.assertEqual(empty.columns, ["cpu", "ip"])
        self.assertEqual(empty.pandas().shape, (0, 2))
        self.assertEqual(empty.arrow().num_rows, 0)

    def test_folder_is_gone_with_the_result(self):
        run = countersink.run(CONFIGS / "riscv/riscv_callgraph.yaml")
        path = run.path
        self.assertTrue((path / "summary.json").exists())
        del run
        self.assertFalse(path.exists())

    def test_what_is_no_run(self):
        with self.assertRaisesRegex(countersink.Error, "no run folder"):
            countersink.open_run("/")


class Pmu(unittest.TestCase):
    def test_a_program(self):
        run = countersink.pmu(["sh", "-c", "echo said; exit 3"], deny="cpu")
        self.assertEqual((run.status, run.out), (3, "said\n"))
        self.assertIn("reading", run.tables())
        self.assertEqual(run.table("opened").rows(), [])
        with self.assertRaisesRegex(countersink.Error, "found 'gpu', expected a PMU"):
            countersink.pmu(["true"], deny="gpu")
        with self.assertRaises(countersink.Error) as caught:
            countersink.pmu(["./no-such-program"])
        self.assertEqual(caught.exception.status, 127)


class Traces(unittest.TestCase):
    FILES = [("riscv/sample.perf.data", {}), ("riscv/samples.json", {}),
             ("riscv/pages.snapshot", {"format": "sbi-snapshot"}), ("uncore/counts.csv", {}),
             ("pmcu/pmcu.aux", {"format": "pmcu-aux", "slots": 2}), ("pmcu/timeline.ctf", {}),
             ("pmcu/timeline.json", {}), ("pmcu/timeline.pftrace", {}),
             ("imc/trace.imc", {"format": "imc-trace"}),
             ("imc/core.imc", {"format": "imc-core", "catalog": TRACES / "imc/power9_small.dts"}),
             ("callgraph/profile.pb.gz", {}), ("callgraph/profile.speedscope.json", {}),
             ("callgraph/stacks.folded", {}), ("callgraph/profile.firefox.json", {})]

    def test_every_format(self):
        for name, options in self.FILES:
            words = [w for k, v in options.items()
                     for w in ("--as" if k == "format" else f"--{k}", str(v))]
            text = subprocess.run([countersink.command(), "decode", "--format", "csv", *words,
                                   TRACES / name], capture_output=True, text=True, check=True).stdout
            rows = list(csv.reader(text.splitlines()))
            table = countersink.read(TRACES / name, **options)
            with self.subTest(name):
                self.assertEqual(table.columns, rows[0])
                self.assertEqual(len(table.rows()), len(rows) - 1)
                arrow = table.arrow()
                self.assertEqual(arrow.num_rows, len(rows) - 1)
                self.assertEqual(table.pandas().shape, (len(rows) - 1, len(rows[0])))
                for at in (0, len(rows) // 2, len(rows) - 2):
                    for column, cell in zip(rows[0], rows[at + 1]):
                        value = arrow.column(column)[at].as_py()
                        self.same(value, cell, f"{column} of row {at}")

    def same(self, value, cell, where):
        if cell == "":
            self.assertIsNone(value, where)
        elif isinstance(value, int):
            self.assertEqual(value, int(cell, 0), where)
        elif isinstance(value, float):
            self.assertEqual(value, float(cell), where)
        else:
            self.assertEqual(value, cell, where)

    def test_shares(self):
        trace = countersink.trace(CONFIGS / "riscv/riscv_callgraph.yaml", format="folded",
                                  perf_command="riscv.perf.0")
        frame = trace.read().pandas()
        found = {s: w for s, w in zip(frame["stack"], frame["weight"])}
        expected = {f"{r['workload']};{r['stack']}": r["samples"]
                    for r in trace.run.table("call_path") if r["samples"] and r["command"] == 0}
        self.assertEqual(found, expected)
        self.assertTrue(trace.check())

    def test_what_is_spoilt(self):
        with tempfile.TemporaryDirectory() as temp:
            bad = pathlib.Path(temp) / "bad"
            bad.write_bytes((TRACES / "riscv/sample.perf.data").read_bytes()[:3000])
            for reading in ("rows", "arrow", "pandas"):
                with self.assertRaisesRegex(countersink.Error, "bad") as caught:
                    getattr(countersink.read(bad), reading)()
                self.assertEqual(caught.exception.status, 2)
            with self.assertRaises(countersink.Error):
                countersink.read(pathlib.Path(temp) / "gone").rows()

    def test_only_a_look(self):
        table = countersink.read(TRACES / "pmcu/timeline.json")
        self.assertIsNotNone(next(iter(table)))  # the rest is not read

    def test_parquet(self):
        import pyarrow.parquet

        trace = countersink.trace(CONFIGS / "riscv/riscv_callgraph.yaml", format="csv")
        with tempfile.TemporaryDirectory() as temp:
            trace.read().parquet(f"{temp}/samples.parquet")
            back = pyarrow.parquet.read_table(f"{temp}/samples.parquet")
            self.assertEqual(back, trace.read().arrow())
            written = trace.run.parquet(f"{temp}/truth")
            self.assertIn("hart_sample.parquet", [p.name for p in written])
            for path in written:
                back = pyarrow.parquet.read_table(path)
                self.assertEqual(back, trace.run.table(path.stem).arrow(), path)

    def parquet(self, *words):
        """The command, as a user types it: the files that it names."""
        done = subprocess.run([sys.executable, "-m", "countersink", "parquet", *map(str, words)],
                              capture_output=True, text=True)
        return done.returncode, done.stdout.split(), done.stderr

    def test_parquet_of_a_run(self):
        import pyarrow.parquet

        trace = countersink.trace(CONFIGS / "riscv/riscv_callgraph.yaml", format="perf")
        with tempfile.TemporaryDirectory() as temp:
            temp = pathlib.Path(temp)
            for name, path, more in (("scenario", CONFIGS / "riscv/riscv_callgraph.yaml", ["--set", "seed=1"]),
                                     ("trace", trace.path, []), ("run", trace.run.path, [])):
                status, files, said = self.parquet(path, "-o", temp / name, *more)
                self.assertEqual((status, said), (0, ""))
                self.assertEqual(sorted(files), sorted(str(p) for p in (temp / name).rglob("*.parquet")))
                for table in ("hart_sample", "call_share"):
                    back = pyarrow.parquet.read_table(temp / name / "truth" / f"{table}.parquet")
                    self.assertEqual(back, trace.run.table(table).arrow(), name)
            truth = trace.run.query("SELECT cpu, pid, ip, period FROM hart_sample WHERE lost=0").rows()
            expected = sorted((r["cpu"], r["pid"], r["ip"] & 2**64 - 1) for r in truth)
            samples = pyarrow.parquet.read_table(temp / "scenario/samples.parquet").to_pylist()
            self.assertEqual(sorted((r["cpu"], r["pid"], r["ip"]) for r in samples), expected)
            records = pyarrow.parquet.read_table(temp / "trace/samples.parquet").to_pylist()
            self.assertEqual(sorted((r["cpu"], r["pid"], r["ip"]) for r in records
                                    if r["type"] == "SAMPLE"), expected)
            rings = [r for hart in (0, 1) for r in pyarrow.parquet.read_table(
                temp / f"run/records/hart{hart}.ring.parquet").to_pylist()]
            self.assertEqual(sorted((r["cpu"], r["pid"], r["ip"]) for r in rings if r["ip"] is not None),
                             expected)

            status, _, said = self.parquet(trace.path, "-o", temp / "run")
            self.assertEqual((status, said), (3, f"countersink: {temp / 'run'}: exists\n"))
            status, _, said = self.parquet(temp / "nothing", "-o", temp / "new")
            self.assertEqual(status, 3)
            self.assertIn("is no run folder", said)
            self.assertEqual(self.parquet(trace.path, "-o", temp / "new", "--set", "seed=2")[0], 2)
            self.assertEqual(self.parquet(CONFIGS / "riscv/riscv_callgraph.yaml", "-o", temp / "new",
                                          "--set", "seed=many")[0], 2)
            self.assertEqual(sorted(p.name for p in temp.iterdir()), ["run", "scenario", "trace"])

    def test_check_disagrees(self):
        trace = countersink.trace(CONFIGS / "riscv/riscv_callgraph.yaml", format="csv")
        self.assertEqual(trace.check().verdict, "agrees")
        text = trace.path.read_text()
        trace.path.write_text(text.replace(",4711,", ",4712,", 1))
        found = trace.check()
        self.assertEqual(found.verdict, "disagrees")
        self.assertFalse(found)
        self.assertTrue(any(r["differ"] for r in found.rows))


class Wheel(unittest.TestCase):
    def test_is_for_every_python(self):
        wheel = importlib.metadata.distribution("countersink").read_text("WHEEL")
        self.assertIn(f"\nTag: py3-none-linux_{platform.machine()}\n", wheel)
        self.assertEqual(wheel.count("Tag: "), 1)
        self.assertIn("Root-Is-Purelib: false\n", wheel)


class Blocks(unittest.TestCase):
    def test_counts(self):
        block = countersink.CounterBlock(counters=0x18, sscofpmf=1)
        self.assertEqual(block.access(0x323, countersink.Access.WRITE, 7), 0)
        block.step(events={7: 2}, cycles=100)
        self.assertEqual(block.cycle, 100)
        self.assertEqual(block.access(0xB03), 2 * 99)
        block.step()
        self.assertIsNone(block.access(0x7C0))
        self.assertEqual(block.exception, 1)
        with self.assertRaisesRegex(ValueError, "xlen"):
            countersink.CounterBlock(xlen=33)

    def test_what_cannot_be(self):
        calls = {
            "increment is -1, expected 0..15": lambda b: b.step(events={7: -1}),
            "increment is 16, ": lambda b: b.event(7, 16),
            "event is 4294967303, ": lambda b: b.event(2**32 + 7, 1),
            "cycles is -1, ": lambda b: b.step(cycles=-1),
            "csr is 4294968067, ": lambda b: b.access(2**32 + 0x303),
            "csr is 4096, ": lambda b: b.predict(0x1000),
            "operand is -1, ": lambda b: b.access(0xB03, countersink.Access.WRITE, -1),
            "time is 18446744073709551616, ": lambda b: b.time(2**64),
            "mode is 6, ": lambda b: b.mode(6),
            "cycle 0: mode 1: expected one that the setting `modes` has": lambda b: (b.mode(1), b.step()),
            "cycle 0: access .*expected one access per cycle": lambda b: (b.access(0xB03), b.access(0xB03), b.step())}
        for said, call in calls.items():
            with self.subTest(said=said), self.assertRaisesRegex(ValueError, said):
                call(countersink.CounterBlock(counters=0x8))


class Plain(unittest.TestCase):
    """Without pyarrow, pandas gets the same."""

    def test_alone(self):
        table = countersink.read(TRACES / "riscv/sample.perf.data", only="SAMPLE")
        alone, arrow = table._pandas_alone(), table.pandas()
        self.assertEqual(list(alone.columns), list(arrow.columns))
        for name in alone.columns:
            self.assertEqual(alone[name].astype(object).where(alone[name].notna(), None).tolist(),
                             arrow[name].astype(object).where(arrow[name].notna(), None).tolist(),
                             name)


if __name__ == "__main__":
    unittest.main()
