#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The nightly set says what its steps are, and refuses what it does not know.

    test_nightly.py SOURCES
"""
import pathlib
import subprocess
import sys
import unittest

NIGHTLY = pathlib.Path(sys.argv[1]).resolve() / ".ci/nightly"


class Nightly(unittest.TestCase):
    def run_it(self, *words):
        return subprocess.run([NIGHTLY, *words], capture_output=True, text=True)

    def test_it_lists_its_steps(self):
        result = self.run_it("--list")
        self.assertEqual(result.returncode, 0)
        for step in ("points", "code", "random", "faults", "proofs", "fuzz", "mutants"):
            self.assertIn(step, result.stdout.split())

    def test_what_is_refused(self):
        for words, text in [(["nothing"], "there is no step 'nothing'"),
                            (["--hours", "x"], "whole numbers"), (["--seed", "-1"], "whole numbers")]:
            with self.subTest(words=words):
                result = self.run_it(*words)
                self.assertEqual(result.returncode, 2)
                self.assertIn(text, result.stderr)
        self.assertEqual(self.run_it("--what").returncode, 2)
        self.assertEqual(self.run_it("--help").returncode, 0)


unittest.main(argv=sys.argv[:1])
