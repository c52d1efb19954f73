#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/synth.sh refuses latches and wires with several drivers, and measures what is good.

    test_synth.py SOURCES
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SYNTH = pathlib.Path(sys.argv[1]).resolve() / "tools/synth.sh"


class Synth(unittest.TestCase):
    def run_it(self, body, top="it"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "it.sv"
            file.write_text(f"module it (input logic clk, a, b, output logic q);\n{body}\n"
                            "endmodule\n")
            return subprocess.run([SYNTH, "--rtl", top, file], capture_output=True, text=True)

    def test_a_register_and_a_gate(self):
        result = self.run_it("  always_ff @(posedge clk) q <= a ^ b;")
        self.assertEqual(result.returncode, 0, result.stderr)
        row = [field.strip() for field in result.stdout.splitlines()[-1].split("|")[3:-1]]
        self.assertEqual(row, ["2", "1", "8", "1", "0"])

    def test_what_is_refused(self):
        for body, text in [
                ("  always_comb if (a) q = b;", "Latch inferred"),
                ("  always @* if (a) q = b;", "Latch inferred"),
                ("  assign q = a;\n  assign q = b;", "multiple conflicting drivers"),
                ("  assign q = a +;", "ERROR"),
        ]:
            with self.subTest(body=body):
                result = self.run_it(body)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, re.escape(text))

    def test_bad_use(self):
        result = subprocess.run([SYNTH, "--rtl", "it"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("tools/synth.sh", result.stderr)


unittest.main(argv=sys.argv[:1])
