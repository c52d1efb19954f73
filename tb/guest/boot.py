"""`countersink boot`: what it refuses, and, where `tools/setup.sh linux` has been called, a guest: its
own perf.data agrees with the truth, faults are found, and a script that fails is told.

usage: boot.py COUNTERSINK SOURCE_FOLDER
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

COMMAND = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
TRACE = SOURCE / "configs/linux/linux_power9_trace.yaml"


def countersink(*words, **environment):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


READY = "ready" in countersink("list", "--guests").stdout


class Refusals(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def refused(self, text, *words, **environment):
        done = countersink("boot", "-o", self.temp / "out", *words, **environment)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [])

    def test_nothing_was_fetched(self):
        self.refused("tools/setup.sh linux", TRACE, CS_LINUX="/nowhere")
        listed = countersink("list", "--guests", CS_LINUX="/nowhere")
        self.assertIn("tools/setup.sh linux", listed.stdout)

    def test_a_scenario_without_a_guest(self):
        self.refused("has no guest", SOURCE / "configs/imc/imc_trace.yaml")

    def test_a_guest_with_more_than_one_thread(self):
        self.refused("the guest has one thread", "--set", "imc.threads=4", TRACE)

    def test_no_script(self):
        self.refused("cannot open nowhere.sh", "--set", "guest.run=nowhere.sh", TRACE)


@unittest.skipUnless(READY, "tools/setup.sh linux has not been called")
class Guest(Refusals):
    def boot(self, name, *words):
        return countersink("boot", "-o", self.temp / name, *words, TRACE)

    def check(self, name):
        return countersink("check", "--truth", self.temp / name, self.temp / name / "perf.data")

    def truth(self, name):
        """All of it but how many instructions there were: the guest is ended from outside."""
        with sqlite3.connect(self.temp / name / "truth.sqlite") as db:
            return [line for line in db.iterdump()
                    if not line.startswith('INSERT INTO "run" VALUES(\'instructions\'')]

    def test_a_profile_is_the_truth_twice(self):
        for name in ("one", "two"):
            done = self.boot(name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(p.name for p in self.temp.iterdir() if p.name[0] == "."), [])
        checked = self.check("one")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        for name in ("search", "sort", "sum_up"):
            self.assertIn(name, checked.stdout)
            self.assertIn(name, (self.temp / "one/report.txt").read_text())
        for file in ("perf.data", "report.txt"):
            self.assertEqual((self.temp / "one" / file).read_bytes(),
                             (self.temp / "two" / file).read_bytes(), file)
        self.assertEqual(self.truth("one"), self.truth("two"))

    def test_faults_are_found(self):
        for fault in ("address", "lost"):
            done = self.boot(fault, "--set", f"guest.fault={fault}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.check(fault).returncode, 1)

    def test_a_script_that_fails(self):
        script = self.temp / "bad.sh"
        script.write_text("echo this is the end\nexit 7\n")
        done = self.boot("out", "--set", f"guest.run={script}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("its script ended with status 7", done.stderr)
        self.assertIn("this is the end", done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [script])

    def test_a_guest_that_does_not_end(self):
        done = self.boot("out", "--set", "guest.limit_s=2")
        self.assertEqual(done.returncode, 3)
        self.assertIn("has not ended within 2 s (guest.limit_s)", done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
