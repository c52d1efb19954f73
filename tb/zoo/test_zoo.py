#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tb/zoo/zoo.py refuses an entry that is wrong, with its place, and a bug that it does not have.

    test_zoo.py COUNTERSINK SOURCES CACHE
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import zoo

GOOD = {"bug": "a", "thread": "owner/project#1", "rule": "3", "says": "it is wrong", "file": "hpm.sv",
        "-": "filters = {1'b1", "+": "filters = {!FAULT"}


class Entries(unittest.TestCase):
    def read(self, **changes):
        """The bugs of a file whose entry has these lines in place of good ones; None: not that line."""
        lines = {**GOOD, **changes}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "hpm.txt"
            path.write_text("".join(f"{word} {rest}\n" for word, rest in lines.items() if rest is not None))
            return zoo.read_bugs(path)

    def test_a_good_one(self):
        bug = self.read()[0]
        self.assertEqual((bug.unit, bug.number, bug.threads), ("hpm", 1, ["owner/project#1"]))
        text = next(f for f in zoo.design_of("hpm", [bug]) if f.name == "hpm.sv").read_text()
        self.assertIn("filters = {!(cs_fault == 1)", text)

    def test_wrong_ones(self):
        for changes, says in [
                ({"thread": "project#1"}, "hpm.txt:1: expected 'thread OWNER/PROJECT#NUMBER'"),
                ({"rule": "99"}, "hpm.txt:1: expected 'rule HEADING' of docs/hw/hpm.md, found '99'"),
                ({"says": None}, "hpm.txt:1: expected 'says SENTENCE'"),
                ({"+": "filters = {0"}, "hpm.txt:1: expected FAULT in a line '+'"),
                ({"+": None}, "hpm.txt:1: expected 'file', lines '-' and lines '+'"),
                ({"file": None}, "hpm.txt:5: found '-', expected 'bug NAME', and 'file' before"),
                ({"bug": None}, "hpm.txt:1: found 'thread', expected 'bug NAME'"),
                ({"fiel": "hpm.sv"}, "hpm.txt:8: found 'fiel', expected bug, thread"),
        ]:
            with self.subTest(says=says), self.assertRaises(zoo.BadEntry) as caught:
                self.read(**changes)
            self.assertIn(says, str(caught.exception))

    def test_changes_that_do_not_fit(self):
        for changes, says in [({"-": "no such line"}, "'no such line' is 0 times in hpm.sv, expected once"),
                              ({"file": "none.sv"}, "there is no none.sv in the RTL of hpm")]:
            with self.subTest(says=says), self.assertRaises(zoo.BadEntry) as caught:
                zoo.design_of("hpm", self.read(**changes))
            self.assertIn(says, str(caught.exception))

    def test_all_that_are_there_fit(self):
        for unit in zoo.DESIGNS:
            zoo.design_of(unit, zoo.read_bugs(zoo.PLACE / f"{unit}.txt"))

    def test_a_name_that_is_none(self):
        result = subprocess.run([sys.executable, zoo.PLACE / "zoo.py", *sys.argv[1:4], "none"],
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (2, "zoo: there is no bug 'none'\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
