#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that somebody else has made, or damaged: no crash, no endless loop, no gigabytes, and nothing of his
runs or is removed.

usage: strangers.py COMMAND SOURCE [TEST]
"""
import contextlib
import gzip
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

COMMAND, SOURCE = sys.argv[1:3]
CONFIGS = pathlib.Path(SOURCE) / "configs"
PATIENCE = 600  # seconds: what takes longer hangs, however busy the machine is
MEMORY = 600 << 20  # that a command may have

UNNAMED = """name: m
pmcu: {clusters: 1, slots: 1}
workloads:
  - name: w
    cpus: all
    segments:
      - cycles: 1000
        mode: el0
        functions: [{name: f, base: 0x1000, size: 0x100}]
        events: [{event: 0xc1, rate: 0.5}, {event: 0x4321, rate: 0.25}]
"""
PMCU = """pmcu_driver: {user_events: [0xc1, 0x4321], nr_sample: 4, sample_period_ms: 1,
              aux_buffer_bytes: 64 KiB}
"""
UNNAMED_OF = {
    "pmcu": PMCU,
    "stat": f"""corepmu: {{counters: 8}}
software: {{kind: [pmcu_driver, arm_pmu]}}
{PMCU}arm_pmu: {{command: stat, events: [0xc1, 0x4321], start_us: 10, stop_us: 400}}
""",
    "turns": f"""corepmu: {{counters: 8}}
software: {{kind: arm_pmu}}
arm_pmu: {{reach: affinity, events: [0xc1, 0x4321], stop_us: 400}}
""",
}

SWEEP = f"""sweep: s
text: t
scenario: {CONFIGS}/pmcu/pmcu_demo.yaml
vary:
  - seed: [1, 2]
"""

# Each task is run at once.
SBATCH = """#!/bin/bash
for word in "$@"; do
    [[ ${last:-} == --wrap ]] && task=$word
    last=$word
done
echo 42
for i in 0 1; do
    SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 sh -c "$task" >/dev/null 2>&1
done
"""


def limit(more):
    for what, most in {resource.RLIMIT_AS: MEMORY, **more}.items():
        resource.setrlimit(what, (most, most))


class Strangers(unittest.TestCase):
    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temp.name)

    def tearDown(self):
        self.temp.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_it(self, *arguments, path=None, cwd=".", limits={}):
        environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}" if path else
                           os.environ["PATH"])
        return subprocess.run([COMMAND, *map(str, arguments)], cwd=self.folder / cwd,
                              capture_output=True, text=True, errors="replace", timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, env=environment, preexec_fn=lambda: limit(limits))

    def gives(self, status, *arguments, says="", **others):
        done = self.run_it(*arguments, **others)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}\n{done.stdout}")
        self.assertIn(says, done.stderr)
        return done

    def trace(self, kind, scenario, *options):
        shutil.rmtree(self.folder / "t", ignore_errors=True)
        (self.folder / "t").unlink(missing_ok=True)
        shutil.rmtree(self.folder / "t.truth", ignore_errors=True)
        return self.gives(0, "trace", "--format", kind, "-o", "t", *options, scenario)

    def sql(self, name, *statements):
        with contextlib.closing(sqlite3.connect(self.folder / name)) as database, database:
            for statement in statements:
                database.execute(statement)

    # ---- traces that are right ----

    def test_events_without_a_name(self):
        kinds = {"pmcu": ["perf", "csv", "json", "folded", "pprof", "firefox", "speedscope",
                          "perfetto", "ctf"],
                 "stat": ["perf", "csv", "json", "ctf"],
                 "turns": ["perf", "csv", "json", "perfetto", "ctf"]}
        for name, text in UNNAMED_OF.items():
            scenario = self.write(f"{name}.yaml", UNNAMED + text)
            for kind in kinds[name]:
                with self.subTest(name=name, kind=kind):
                    self.trace(kind, scenario)
                    self.gives(0, "check", "t")
        self.trace("perf", self.folder / "pmcu.yaml", "--flavour", "faithful", "--set", "pmcu.slots=8")
        self.gives(0, "check", "t")

    # As a pid it would be -1, which is nobody's.
    def test_a_context_of_all_ones(self):
        text = (CONFIGS.parent / "tb/scenarios/points/corepmu_lockstep_slow_bus_waits.yaml").read_text()
        self.assertEqual(text.count("cid1: 8\n"), 1)
        scenario = self.write("ones.yaml", text.replace("cid1: 8\n", f"cid1: {2**32 - 1}\n"))
        for kind in ("perf", "csv", "folded", "pprof", "firefox", "speedscope", "perfetto", "ctf"):
            with self.subTest(kind=kind):
                self.trace(kind, scenario)
                self.gives(0, "check", "t")

    # Their sums pass 2^63.
    def test_large_periods(self):
        scenario = CONFIGS / "imc/imc_pair_trace.yaml"
        period = "perf.0.period="
        for options in (["folded", "--flavour", "periods"], ["pprof"], ["speedscope"], ["firefox"]):
            for number in (2**53 + 1, 2**63 - 1):
                with self.subTest(options=options, number=number):
                    self.trace(options[0], scenario, *options[1:], "--set", f"{period}{number}")
                    self.gives(0, "check", "t")
        self.gives(2, "check-scenario", "--set", f"{period}{2**63}", scenario,
                   says="outside 1..2^63-1")

    # ---- damaged traces ----

    def test_a_track_without_a_name(self):
        self.trace("perfetto", CONFIGS / "pmcu/pmcu_demo.yaml")
        text = (self.folder / "t").read_text()
        self.write("bad", text.replace('"name":"thread_name",', "", 1))
        self.gives(1, "check", "-t", "t.truth", "bad")

    # Two counts together are more than SQLite's own sum() could hold.
    def test_sums_of_damaged_counts(self):
        scenario = self.write("pmcu.yaml", UNNAMED + PMCU)
        self.trace("pmcu-aux", scenario)
        damaged = bytearray((self.folder / "t").read_bytes())
        rows = json.loads(self.gives(0, "decode", "--slots", "1", "-f", "json", "t").stdout)
        words = {row["count"] for row in rows if row["event"] == "0x00c1"} - {0}
        self.assertGreater(len(words), 1)
        for at in range(0, len(damaged) - 7, 8):
            if int.from_bytes(damaged[at:at + 8], "little") in words:
                damaged[at + 7] = 0x7f
        (self.folder / "bad").write_bytes(damaged)
        self.gives(1, "check", "-t", "t.truth", "bad", says="disagree with the truth")

    def test_a_bomb_of_gzip(self):
        with gzip.open(self.folder / "bomb.pb.gz", "wb", compresslevel=1) as bomb:
            for _ in range(6):
                bomb.write(bytes(1 << 26))
        self.gives(2, "decode", "bomb.pb.gz", says="more than 268435456 bytes")

    # ---- truths and stores ----

    def test_a_truth_of_no_machine(self):
        self.trace("perf", CONFIGS / "pmcu/pmcu_demo.yaml")
        for slot in ("NULL", "-1", "999999"):
            self.sql("t.truth/truth.sqlite", f"UPDATE cpu SET slot={slot}")
            self.gives(2, "check", "t", says="expected 1 to 128 CPUs")

    def test_a_truth_that_computes(self):
        self.trace("csv", CONFIGS / "pmcu/pmcu_demo.yaml")
        self.sql("t.truth/truth.sqlite", "ALTER TABLE sample RENAME TO other",
                 "CREATE VIEW sample AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM "
                 "c) SELECT * FROM other, c")
        self.gives(2, "check", "t", says="has a view 'sample'")
        self.gives(2, "report", "-o", "r.html", "t.truth", says="has a view 'sample'")

    # It had running numbers: each value would be another event's.
    def test_a_truth_of_an_older_version(self):
        self.trace("csv", CONFIGS / "pmcu/pmcu_demo.yaml")
        self.gives(0, "check", "t")
        self.sql("t.truth/truth.sqlite", "UPDATE event SET id=10000 WHERE cycle_counter=1")
        self.gives(2, "check", "t", says="is the truth of an older version: expected id 327680")

    # What a file holds is no error of the machine, which a script would try again.
    def test_what_is_missing_is_damage(self):
        self.trace("csv", CONFIGS / "pmcu/pmcu_demo.yaml")
        self.sql("t.truth/truth.sqlite", "ALTER TABLE window RENAME COLUMN cid1 TO other")
        self.gives(2, "check", "t", says="no such column")
        self.sql("t.truth/truth.sqlite", "DROP TABLE window")
        self.gives(2, "check", "t", says="no such table")
        self.make_store()
        self.sql("s.sqlite", "ALTER TABLE point RENAME TO other")
        self.gives(2, "sweep", "-o", "s.sqlite", "s.yaml", says="no such table")

    def make_store(self):
        self.write("s.yaml", SWEEP)
        self.gives(0, "sweep", "-o", "s.sqlite", "s.yaml")

    def test_a_store_without_an_identity(self):
        self.make_store()
        self.sql("s.sqlite", "UPDATE sweep SET identity=NULL")
        self.gives(2, "sweep", "-o", "s.sqlite", "s.yaml", says="is not the file of a sweep")

    def test_a_store_that_computes(self):
        self.make_store()
        shutil.copy(self.folder / "s.sqlite", self.folder / "w.sqlite")
        self.sql("s.sqlite", "DROP TABLE point",
                 "CREATE VIEW point(point,error,wall_s,seed) AS WITH RECURSIVE c(x) AS (SELECT 1 "
                 "UNION ALL SELECT x+1 FROM c) SELECT x,NULL,1.0,x FROM c")
        self.gives(2, "report", "-o", "r.html", "s.sqlite", says="has a view 'point'")
        self.gives(2, "sweep", "-o", "s.sqlite", "s.yaml", says="has a view 'point'")
        shutil.copy(self.folder / "w.sqlite", self.folder / "s.sqlite")
        self.sql("s.sqlite", "DELETE FROM point",
                 "CREATE TRIGGER more AFTER INSERT ON point BEGIN INSERT INTO key WITH RECURSIVE "
                 "c(x) AS (SELECT 9 UNION ALL SELECT x+1 FROM c) SELECT x, 'x' FROM c; END")
        self.gives(2, "sweep", "-o", "s.sqlite", "s.yaml", says="has a trigger 'more'")

    # 16 KB that would be 300 MB for each row.
    def test_a_store_of_long_texts(self):
        self.make_store()
        self.sql("s.sqlite", "DROP TABLE point",
                 "CREATE TABLE point(point INTEGER PRIMARY KEY, error TEXT, wall_s REAL, seed, long "
                 "GENERATED ALWAYS AS (printf('%.*c', 300000000, 'x')))",
                 "INSERT INTO point VALUES(0, NULL, 1.0, 1)")
        self.gives(0, "report", "-o", "r.html", "s.sqlite")
        self.assertLess((self.folder / "r.html").stat().st_size, 10 << 20)

    # ---- what has no end ----

    def test_files_without_an_end(self):
        self.trace("csv", CONFIGS / "pmcu/pmcu_demo.yaml")
        # Of others zeros are records.
        kinds = ["perf-data", "pmcu-aux", "csv", "json", "folded", "pprof", "speedscope", "firefox", "perfetto"]
        design = ["--rtl", CONFIGS / "none.sv", "--top", "x", "--map"]
        for command in (["check-scenario"], ["run", "-o", "o"], ["sweep"], ["follow"], ["coverage"], ["report"],
                        ["list", "--catalog"], ["decode"], ["compare-unit", "hpm", *design],
                        *(["decode", "--as", kind] for kind in kinds),
                        *(["check", "-t", "t.truth", "--as", kind] for kind in kinds)):
            with self.subTest(command=command):
                seeks = command[0] == "check" and command[-1] == "perf-data"
                self.gives(3 if seeks else 2, *command, "/dev/zero", says="is not a regular file" if seeks else "/dev/zero")

    # A folder that was sent may hold links.
    def test_a_run_folder_of_links(self):
        self.gives(0, "run", "-o", "out", CONFIGS / "pmcu/pmcu_demo.yaml")
        for name in ("summary.json", "scenario.yaml"):
            path = self.folder / "out" / name
            whole = path.read_text()
            for make in (lambda at: at.symlink_to("/dev/zero"), os.mkfifo, pathlib.Path.mkdir):
                path.unlink()
                make(path)
                self.gives(2, "report", "-o", "r.html", "out", says=f"out/{name}: expected a file of at most 64 MiB")
                (path.rmdir if path.is_dir() else path.unlink)()
                path.write_text(whole)

    # ---- what is somebody's ----

    def test_the_tasks_folder_of_somebody(self):
        self.write("fake/sbatch", SBATCH).chmod(0o755)
        self.write("fake/squeue", "#!/bin/sh\n").chmod(0o755)
        self.write("s.yaml", SWEEP)
        fake = self.folder / "fake"
        mine = self.write("x.sqlite.parts/mine/thesis.txt", "precious")
        slurm = ["sweep", "--slurm", "2", "-o", "x.sqlite", "s.yaml"]
        self.gives(3, *slurm, path=fake, says="this sweep has not made it")
        self.assertEqual(mine.read_text(), "precious")
        self.assertEqual(os.listdir(self.folder / "x.sqlite.parts"), ["mine"])
        shutil.rmtree(self.folder / "x.sqlite.parts")

        # Its own goes, with all that it made; what came in meanwhile stays.
        self.gives(0, *slurm, path=fake)
        self.assertFalse((self.folder / "x.sqlite.parts").exists())
        (self.folder / "x.sqlite").unlink()
        (fake / "sbatch").write_text(SBATCH + "echo precious > x.sqlite.parts/notes.txt\n")
        self.gives(0, *slurm, path=fake)
        self.assertEqual(os.listdir(self.folder / "x.sqlite.parts"), ["notes.txt"])

    def test_a_table_that_exists_is_said_first(self):
        self.write("s.yaml", SWEEP)
        self.write("s.csv", "mine\n")
        self.gives(3, "sweep", "-o", "s.sqlite", "--csv", "s.csv", "s.yaml", says="exists already")
        self.assertEqual((self.folder / "s.csv").read_text(), "mine\n")
        self.assertFalse((self.folder / "s.sqlite").exists())

    # ---- limits of others ----

    def test_a_path_that_is_too_long_for_sqlite(self):
        self.write("s.yaml", SWEEP)
        deep = self.folder
        while len(str(deep)) < 500:
            deep /= "d" * 40
        deep.mkdir(parents=True)
        demo = CONFIGS / "pmcu/pmcu_demo.yaml"
        for name, command in {"truth.sqlite": ["run", "-o", deep / "out", demo],
                              "s.sqlite": ["sweep", "-o", deep / "s.sqlite", "s.yaml"],
                              "made.truth/truth.sqlite": ["trace", "--format", "csv", "-o", deep / "t", demo]}.items():
            done = self.gives(3, *command, says="SQLite opens none of more than 511: choose a shorter name")
            self.assertIn(f"/{name}: the whole path has ", done.stderr)
            self.assertEqual(os.listdir(deep), [])

    # Wherever the last descriptor is missing, nothing stays that looks as if a run had been killed.
    def test_too_few_descriptors(self):
        failed = 0
        for most in range(4, 24):
            done = self.run_it("run", "-o", "out", CONFIGS / "pmcu/pmcu_demo.yaml",
                               limits={resource.RLIMIT_NOFILE: most})
            self.assertIn(done.returncode, (0, 3), f"{most}: {done.stderr}")
            self.assertEqual(os.listdir(self.folder), ["out"] if done.returncode == 0 else [],
                             f"{most}: {done.stderr}")
            self.assertNotIn("killed", done.stderr)
            failed += done.returncode != 0
            shutil.rmtree(self.folder / "out", ignore_errors=True)
        self.assertIn(failed, range(1, 20))

    # ---- names ----

    def test_a_catalog_above_comes_along_as_it_is_written(self):
        text = (CONFIGS / "imc/imc_lockstep_trace.yaml").read_text()
        own, name = "catalog: power9_small.dts\n", "../imc/power9_small.dts"
        self.assertEqual(text.count(own), 1)
        text = text.replace(own, f"catalog: {name}\n")
        (self.folder / "imc").mkdir()
        shutil.copy(CONFIGS / "imc/power9_small.dts", self.folder / "imc")
        for number, written in enumerate((name, f"'{name}'", f'"{name}"', f"{name} # ../imc/é.dts")):
            self.write(f"a/{number}.yaml",
                       f"# é {name}\n" + text.replace(f"catalog: {name}", f"catalog: {written}"))
            done = self.gives(0, "run", "-o", f"out{number}", f"a/{number}.yaml")
            self.assertNotIn("is not copied", done.stderr)
            self.gives(0, "check-scenario", "scenario.yaml", cwd=f"out{number}")

    def test_messages_give_a_terminal_no_orders(self):
        self.write("e.yaml", 'name: "\\e]0;owned\\a\\x9b2J"\n')
        said = self.gives(2, "check-scenario", "e.yaml").stderr
        self.assertIn("\\x1b]0;owned\\x07", said)
        self.assertTrue(all(c.isprintable() or c == "\n" for c in said), said)
        frames = {"name": "a\x1b[2Jb"}
        self.write("s.json", json.dumps({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "shared": {"frames": [frames]},
            "profiles": [{"type": "sampled", "name": "p", "unit": "none", "startValue": 0,
                          "endValue": 1, "samples": [[0]], "weights": [1]}]}))
        shown = self.gives(0, "decode", "s.json").stdout
        self.assertIn("[2Jb", shown)
        self.assertNotIn("\x1b", shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
