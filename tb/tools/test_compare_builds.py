# SPDX-License-Identifier: Apache-2.0
"""tools/compare-builds.sh on made-up builds: what is the same, what differs, and what rules let pass.

usage: test_compare_builds.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

# A countersink of a few lines: `run` copies the scenario, and says how long that took.
COMMAND = """#!/bin/sh
case $1 in
run) mkdir run && cp "$4" run/scenario.yaml && echo "{counts}" > run/counts.csv
     echo '  "wall_ns": {wall},' > run/summary.json; echo "read $4"; echo "wall time {wall}" ;;
trace) if [ "$2" = --formats ]; then echo "csv a table"; exit; fi
     echo "{trace}" > trace; mkdir trace.truth ;;
compare) echo "EQUAL: 7 cycles"; exit {compared} ;;
*) echo "$1" ;;
esac
"""
BUILD = {"counts": "1,2", "wall": "1", "trace": "row", "compared": "0", "key": "core", "folder": ".",
         "lockstep": "configs"}


class CompareBuilds(unittest.TestCase):
    def compare(self, changes, rules="", only="run,trace,list,compare"):
        with tempfile.TemporaryDirectory() as temp:
            temp = pathlib.Path(temp)
            for side, build in (("old", BUILD), ("new", {**BUILD, "wall": "2", **changes})):
                (temp / side / "build").mkdir(parents=True)
                command = temp / side / "build/countersink"
                text = COMMAND
                for key, value in build.items():
                    text = text.replace("{" + key + "}", value)
                command.write_text(text)
                command.chmod(0o755)
                for name, place in (("uncore_rack", "configs"), ("x_lockstep_a", build["lockstep"])):
                    folder = temp / side / place / build["folder"]
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / f"{name}.yaml").write_text(f"name: x\n{build['key']}:\n  a: 1\n")
            (temp / "rules.txt").write_text(rules)
            done = subprocess.run(
                [SOURCE / "tools/compare-builds.sh", "--only", only, "--rules", temp / "rules.txt",
                 temp / "old/build", temp / "new/build"], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def holds(self, status, words, *arguments, **options):
        got, text = self.compare(*arguments, **options)
        self.assertEqual(got, status, text)
        self.assertIn(words, text)

    def test_the_same_but_for_time_on_the_wall_and_folders(self):
        self.holds(0, "run: 2 jobs, 12 files, 0 different",
                   {"folder": "sorted", "lockstep": "tb/scenarios"})

    def test_a_file_that_differs_is_told_with_its_first_difference(self):
        self.holds(1, "run uncore_rack: run/counts.csv: line 1:\n      old '1,2'\n      new '1,3'",
                   {"counts": "1,3"})

    def test_a_trace_that_differs(self):
        self.holds(1, "trace uncore_rack csv: trace: line 1", {"trace": "column"})

    def test_a_comparison_that_is_not_equal(self):
        self.holds(1, "compare x_lockstep_a: 1.status", {"compared": "1"})

    def test_a_name_that_has_changed_passes_by_a_rule_only(self):
        self.holds(1, "run/scenario.yaml: line 2", {"key": "corepmu"})
        self.holds(0, "rule scenario.yaml s/^core:/corepmu:/: 2 times", {"key": "corepmu"},
                   rules="scenario.yaml s/^core:/corepmu:/\n")

    def test_a_rule_for_both(self):
        self.holds(0, "rule =counts.csv s/,.*//: 4 times", {"counts": "1,3"},
                   rules="=counts.csv s/,.*//\n")

    def test_bad_use(self):
        self.holds(2, "rules.txt:1: expected", {}, rules="scenario.yaml core corepmu\n")
        self.holds(2, "'walk' is none of", {}, only="walk")


unittest.main()
