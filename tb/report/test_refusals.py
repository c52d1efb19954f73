# SPDX-License-Identifier: Apache-2.0
"""What is no run is refused, and nothing is left: test_refusals.py COUNTERSINK SOURCE"""
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND, SOURCE = sys.argv[1:3]


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="countersink-report.")
        cls.base = pathlib.Path(cls.scratch.name)
        cls.run_folder = cls.base / "run"
        subprocess.run([COMMAND, "run", "-o", cls.run_folder, SOURCE + "/configs/pmcu/pmcu_demo.yaml"],
                       check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.base))

    def report(self, *words):
        return subprocess.run([COMMAND, "report", *map(str, words)], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def refused(self, status, text, *words):
        before = sorted(os.listdir(self.folder))
        done = self.report(*words)
        self.assertIn(text, done.stderr)
        self.assertEqual(status, done.returncode, done.stderr)
        self.assertEqual("", done.stdout)
        self.assertEqual(before, sorted(os.listdir(self.folder)))

    def copy(self):
        shutil.copytree(self.run_folder, self.folder / "copy")
        return self.folder / "copy"

    def test_use(self):
        self.refused(2, "expected at least one run, found 0", "-o", "a.html")
        self.refused(2, "the page cannot be named after /: give its name with -o", "/")
        self.refused(2, "unknown option --zoom", "--zoom", self.run_folder)

    def test_no_run(self):
        self.refused(3, "nowhere: No such file or directory", "-o", "a.html", "nowhere")
        (self.folder / "empty").mkdir()
        self.refused(2, "empty: is no folder that `countersink run` has finished: there is no summary.json",
                     "-o", "a.html", "empty")
        copy = self.copy()
        (copy / "truth.sqlite").unlink()
        self.refused(2, "there is no truth.sqlite in it", "-o", "a.html", copy)
        self.refused(2, "is neither the folder of a run nor the file of a sweep", "-o", "a.html", "/dev/null")
        (self.folder / "text").write_text("hello\n" * 100)
        self.refused(2, "is no file that `countersink sweep` has made: file is not a database",
                     "-o", "a.html", "text")

    def test_a_good_one_does_not_excuse_a_bad_one(self):
        self.refused(3, "nowhere", "-o", "a.html", self.run_folder, "nowhere")

    def test_run_that_goes_on(self):
        text = (pathlib.Path(SOURCE) / "configs/pmcu/pmcu_headline.yaml").as_posix()
        with subprocess.Popen([COMMAND, "run", "-o", "long", "--set", "perf.0.record.0.nr_sample=9000000",
                               text], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and not (self.folder / ".long.countersink").exists():
                time.sleep(0.001)
            self.assertIsNone(run.poll())
            os.kill(run.pid, signal.SIGSTOP)
            try:
                self.refused(3, "long: No such file or directory; its run has not finished yet, or was killed",
                             "-o", "a.html", "long")
            finally:
                os.kill(run.pid, signal.SIGKILL)

    def test_other_version(self):
        copy = self.copy()
        with sqlite3.connect(copy / "truth.sqlite") as db:
            db.execute("ALTER TABLE window RENAME COLUMN stop TO finish")
        db.close()
        self.refused(2, "truth.sqlite: is not as this version writes a truth", "-o", "a.html", copy)
        with sqlite3.connect(copy / "truth.sqlite") as db:
            db.execute("DROP TABLE run")
        db.close()
        self.refused(2, "no such table: run", "-o", "a.html", copy)

    def test_damaged_files(self):
        copy = self.copy()
        with open(copy / "truth.sqlite", "r+b") as file:
            file.seek(8192)
            file.write(b"\xff" * 40000)
        self.refused(2, "is not as this version writes a truth", "-o", "a.html", copy)
        shutil.rmtree(copy)
        copy = self.copy()
        (copy / "summary.json").write_text("{")
        self.refused(2, "malformed JSON", "-o", "a.html", copy)

    def test_output(self):
        (self.folder / "there.html").write_text("mine")
        self.refused(3, "there.html", "-o", "there.html", self.run_folder)
        self.assertEqual("mine", (self.folder / "there.html").read_text())
        self.refused(3, "nofolder", "-o", "nofolder/a.html", self.run_folder)
        done = self.report("--replace", "-o", "there.html", self.run_folder)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("<!DOCTYPE html>", (self.folder / "there.html").read_text())
        self.assertEqual(["there.html"], os.listdir(self.folder))

    def test_page_holds_all(self):
        done = self.report("-o", "a.html", self.run_folder)
        self.assertEqual((0, "report: a.html\n"), (done.returncode, done.stdout), done.stderr)
        text = (self.folder / "a.html").read_text()
        self.assertIn("Apache License", text)
        self.assertIn("BSD 3-Clause License", text)
        library = pathlib.Path(SOURCE) / "third_party/echarts/echarts.min.js"
        self.assertIn("\n<script>\n" + library.read_text() + "\n</script>", text)
        self.assertNotIn('src="http', text)
        # The same run, the same page.
        self.report("-o", "b.html", self.run_folder)
        self.assertEqual(text, (self.folder / "b.html").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
