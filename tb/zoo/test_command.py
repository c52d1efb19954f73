#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`countersink zoo` as a user has it: lists, one bug of RTL with waves, one of software, bad use.

    test_command.py COUNTERSINK CACHE (words | designs)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND, CACHE = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


def run(*words):
    return subprocess.run([COMMAND, "zoo", *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "COUNTERSINK_CACHE": str(CACHE)})


class Words(unittest.TestCase):
    def test_lists(self):
        text, bugs = run(), json.loads(run("-f", "json").stdout)
        self.assertEqual(text.returncode, 0)
        self.assertGreater(len(bugs), 40)
        for bug in bugs:
            self.assertIn(f"  {bug['name']} ", text.stdout)
            self.assertNotIn("found", bug)

    def test_one_of_software(self):
        said = run("counter-runs-before-its-value")
        self.assertEqual(said.returncode, 0, said.stderr)
        for text in ("published in riscv-software-src/opensbi@664692f5",
                     "run configs/riscv/riscv_count.yaml, then with --set 'riscv.firmware.deviations=[value_late]'",
                     "DIFFERENT: counts that are wrong: 0 without the bug, 5 with it"):
            self.assertIn(text, said.stdout)
        bug = json.loads(run("counter-runs-before-its-value", "-f", "json").stdout)[0]
        self.assertEqual((bug["found"], bug["figure"], bug["without"], bug["with"]), (True, "wrong_counts", 0, 5))

    def test_bad_use(self):
        for words, says in [(["minh-through-a-windo"], "did you mean 'minh-through-a-window'?"),
                            (["none"], "there is no bug 'none' (countersink zoo lists them)"),
                            (["--all", "last-counter-is-missing"], "--all and a NAME exclude each other"),
                            (["--waves", "w.fst"], "--waves is for one NAME, found 0"),
                            (["counter-runs-before-its-value", "--waves", "w.fst"], "is a bug of software"),
                            (["-f", "csv"], "--format")]:
            with self.subTest(words=words):
                said = run(*words)
                self.assertEqual((said.returncode, said.stdout), (2, ""))
                self.assertIn(says, said.stderr)


class Designs(unittest.TestCase):
    def test_one_of_rtl(self):
        with tempfile.TemporaryDirectory() as folder:
            waves = pathlib.Path(folder) / "w.fst"
            said = run("counters-have-a-bit-less", "--waves", waves)
            self.assertEqual(said.returncode, 0, said.stderr)
            for text in ("published in riscv-non-isa/riscv-iommu#240", 'breaks docs/hw/iommu_hpm.md, "Counting"',
                         "in iommu_hpm.sv\n  - ~64'd0", "\nDIFFERENT in the program of seed"):
                self.assertIn(text, said.stdout)
            self.assertGreater(waves.stat().st_size, 1000)
            self.assertTrue(waves.with_suffix(".fst.gtkw").is_file())
        bug = json.loads(run("counters-have-a-bit-less", "-f", "json").stdout)[0]
        self.assertTrue(bug["found"])
        self.assertEqual(bug["comparison"]["outcome"], "different")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[3].title()])
