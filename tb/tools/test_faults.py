#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/faults.sh: random scenarios find faults in copies of the RTL; a table that is wrong is refused.

    test_faults.py SOURCES BUILD
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
spec = importlib.util.spec_from_file_location("faults", SOURCES / "tools/faults/faults.py")
faults = importlib.util.module_from_spec(spec)
sys.modules["faults"] = faults
spec.loader.exec_module(faults)

# A few scenarios of a die: what the compiler needs for more than a little optimisation does not come back.
VERILATOR = """#!/bin/sh
exec {verilator} "$@" --output-split 60000 -MAKEFLAGS "OPT_FAST=-Og OPT_SLOW=-O0 OPT_GLOBAL=-O0"
"""
GOOD = "fault hpm: it is wrong\nfile it.sv\n- a && b\n+ (a && b) || FAULT\n"


class Faults(unittest.TestCase):
    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temp.name)

    def tearDown(self):
        self.temp.cleanup()

    def read(self, text):
        path = self.folder / "faults.txt"
        path.write_text(text)
        return faults.read_table(path)

    def run_it(self, *words, **environment):
        return subprocess.run([SOURCES / "tools/faults.sh", "--build", BUILD, *words],
                              capture_output=True, text=True, env={**os.environ, **environment})

    def test_random_scenarios_find_them(self):
        path = faults.dies.verilator(self.folder / "verilator", VERILATOR)
        result = self.run_it("--unit", "uncore", "--fault", "RESET", "--fault", "carry", "--time",
                             "3600", "-j", "1", "--place", self.folder / "dies", PATH=path)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = re.findall(r"^\| `uncore` \| .* \| (\d+) \| [\d.]+ \|$", result.stdout, re.M)
        self.assertEqual(len(rows), 2, result.stdout)
        self.assertIn("2 of 2 faults were found", result.stdout)

    def test_each_unit_has_five(self):
        listed = self.run_it("--list").stdout.splitlines()
        for unit in faults.DIES:
            self.assertGreaterEqual(sum(line.startswith(unit + ":") for line in listed), 5, unit)

    def test_all_of_them_fit_the_sources(self):
        table = faults.read_table(faults.TABLE)
        tree = self.folder / "tree"
        faults.dies.copy_rtl(tree)
        faults.put_in(tree, table)
        for fault in table:
            text = (tree / "src/rtl" / fault.path).read_text()
            self.assertIn(f"cs_fault == {fault.number})", text)
            self.assertEqual(text.count("int cs_fault;"), 1)

    def test_tables_that_are_wrong(self):
        self.assertEqual(self.read(GOOD)[0].new, "(a && b) || FAULT")
        for old, new, text in [
                ("fault hpm", "fault hpn", "1: expected 'fault UNIT..: SENTENCE'"),
                ("fault hpm", "defect hpm", "1: found 'defect'"),
                ("file it.sv\n", "", "1: expected 'file'"),
                ("|| FAULT", "|| c", "1: expected 'file', lines '-', and lines '+' with FAULT"),
        ]:
            with self.subTest(text=text):
                with self.assertRaises(faults.BadTable) as caught:
                    self.read(GOOD.replace(old, new))
                self.assertIn(text, str(caught.exception))

    def test_text_that_is_not_there_once(self):
        source = self.folder / "src/rtl/it.sv"
        source.parent.mkdir(parents=True)
        for text, what in [("module it (\n);\nendmodule\n", "is 0 times"),
                           ("module it (\n);\na && b, a && b\nendmodule\n", "is 2 times"),
                           ("a && b", "no line ');'")]:
            source.write_text(text)
            with self.assertRaises(faults.BadTable) as caught:
                faults.put_in(self.folder, self.read(GOOD))
            self.assertIn(what, str(caught.exception))

    def test_bad_use(self):
        self.assertEqual(self.run_it("--unit", "hpn").returncode, 2)
        self.assertEqual(self.run_it("--fault", "nothing like it").returncode, 1)


unittest.main(argv=sys.argv[:1])
