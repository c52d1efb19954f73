#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""countersink compare-unit: what it keeps is code of our own that is whole and up to date, and no name of a
folder or file reaches make or a shell.

    test_compare_cache.py COUNTERSINK SOURCES CACHE
"""
import os
import sys
import unittest

from unit_case import EXAMPLES, UnitCase

RIGHT, WRONG = "instructions + 64'(retire)", "instructions + 64'd1"


class CompareCache(UnitCase):
    def setUp(self):
        super().setUp()
        os.chdir(self.folder) # where a shell would be
        self.addCleanup(os.chdir, "/")
        self.rtl = self.folder / "my rtl;touch PWNED;/two counters.sv"
        self.included = self.folder / "more of it/$(touch PWNED)/step.svh"
        for file in (self.rtl, self.included):
            file.parent.mkdir(parents=True)
        text = (EXAMPLES / "two_counters.sv").read_text()
        self.assertEqual(text.count(RIGHT), 1)
        self.rtl.write_text(text.replace(RIGHT, "`STEP").replace("module", '`include "step.svh"\nmodule', 1))
        self.step(RIGHT)
        self.cache = self.folder / "my cache;touch PWNED;"
        self.environment = {"COUNTERSINK_CACHE": str(self.cache)}

    def step(self, text):
        self.included.write_text(f"`define STEP {text}\n")

    def compared(self, status):
        """Whether it was made for this."""
        result = self.small("--include", self.included.parent, rtl=self.rtl)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return "verilating 'two_counters'" in result.stderr

    def cut(self, pattern, left):
        found = list(self.cache.glob(pattern))
        self.assertTrue(found, os.listdir(self.cache))
        for file in found:
            os.truncate(file, left)

    def test_it_is_whole_and_of_these_files(self):
        self.assertTrue(self.compared(0))
        self.assertFalse(self.compared(0))
        # An included file, too.
        self.step(WRONG)
        self.assertTrue(self.compared(1))
        self.step(RIGHT)
        self.assertFalse(self.compared(0))
        # The design and the objects that all designs have, as after a full disk.
        self.cut("foreign-*.so", 3000)
        self.assertTrue(self.compared(0))
        self.assertFalse(self.compared(0))
        self.cut("foreign-*.so", 0)
        self.cut("verilated-*/*.o", 3000)
        self.assertTrue(self.compared(0))
        self.assertEqual(sorted(path.name for path in self.folder.rglob("PWNED")), [])

    def test_it_is_our_own(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)
        result = self.small("--include", self.included.parent, rtl=self.rtl)
        self.refused(result, 3, "my cache;touch PWNED;: others may write to it", "chmod go-w")
        if os.geteuid() == 0:
            self.cache.chmod(0o755)
            os.chown(self.cache, 65534, 65534)
            result = self.small("--include", self.included.parent, rtl=self.rtl)
            self.refused(result, 3, "belongs to user 65534, and programs in it are executed")


unittest.main(argv=sys.argv[:1])
