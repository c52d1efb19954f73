#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""countersink compare-unit: a register that the reset leaves as it is is found, in each unit; so is one
that begins with a value by itself, and that only a reset amid the program would clear.

    test_compare_reset.py COUNTERSINK SOURCES CACHE [TEST]..
"""
import sys
import unittest

from unit_case import UnitCase


class CompareReset(UnitCase):
    def is_found(self, run, page, design):
        """It agrees without the fault, and not with it."""
        result = run(files=self.faulty(design), programs=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.differs(run(files=self.faulty(design, "reset"), programs=200), ".*", page)

    def test_a_counter_of_a_hart(self):
        self.is_found(self.hart, "hpm", "hart")

    def test_a_core_pmu(self):
        self.is_found(self.core, "corepmu", "core")

    def test_a_pmcu(self):
        self.is_found(self.sampler, "pmcu", "sampler")

    def test_an_uncore_block(self):
        self.is_found(self.monitor, "uncore", "monitor")

    def test_an_engine_of_a_core(self):
        self.is_found(self.collector, "imc", "collector")

    def test_a_nest(self):
        self.is_found(self.poster, "nest", "poster")

    def test_what_only_a_second_reset_shows(self):
        for page, run, design in [("uncore", self.monitor, "monitor"), ("pmcu", self.sampler, "sampler"),
                                  ("imc", self.collector, "collector"), ("nest", self.poster, "poster")]:
            with self.subTest(unit=page):
                result = run(files=self.faulty(design, "second"), programs=200)
                self.differs(result, ".*", page)
                self.assertRegex(result.stdout, r"\n  settings: .*; reset in cycles \d+ to \d+\n")


unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
