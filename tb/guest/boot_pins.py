# SPDX-License-Identifier: Apache-2.0
"""What was at the pins of a booting guest's counters drives their RTL: it answers the same in each cycle. Without
what `tools/setup.sh linux-riscv` fetches that is a failure.

usage: boot_pins.py COUNTERSINK SOURCE_FOLDER REPLAY_PINS
"""
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from guest_case import RISCV, boot

REPLAY = sys.argv.pop(1)
MILLION = 1000000


class Pins(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def window(self, begin, cycles, *sets):
        run = self.temp / "run"
        words = [w for s in (f"guest.pins.from={begin}", f"guest.pins.cycles={cycles}", *sets)
                 for w in ("--set", s)]
        done = boot(run, *words, RISCV / "linux_riscv_sample.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        return run

    def replay(self, file, status=0):
        done = subprocess.run([REPLAY, file], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def figures(self, said):
        return [int(n) for n in re.findall(r"\d+", said)]

    def test_the_first_cycles(self):
        """Of the firmware, which looks for what there is; instructions take different times."""
        run = self.window(0, 20 * MILLION, "guest.cycles.load=3", "guest.cycles.branch=2")
        instructions, cycles, accesses, _, registers = self.figures(self.replay(run / "pins"))
        self.assertGreaterEqual(cycles, 20 * MILLION - 100)
        self.assertLess(instructions, cycles * 3 // 4)
        self.assertGreater(accesses, 100)
        self.assertGreater(registers, 30)
        self.spoil(run / "pins")

    def spoil(self, file):
        """What an access answers is another bit: that is found."""
        data = bytearray(file.read_bytes())
        at = data.index(b"\n\n") + 2
        while data[at] != 0x80:
            at += 1
        data[at + 13] ^= 1
        file.write_bytes(data)
        self.assertIn("value of CSR", self.replay(file, status=1))

    def test_a_profile(self):
        """Where perf samples: overflows, their interrupts, and the driver's handler."""
        run = self.window(0, 0)
        with sqlite3.connect(run / "truth.sqlite") as db:
            begin, = db.execute("SELECT min(cycle) FROM guest_overflow").fetchone()
        (self.temp / "run").rename(self.temp / "before")
        run = self.window(begin - MILLION, 22 * MILLION)
        _, cycles, accesses, edges, _ = self.figures(self.replay(run / "pins"))
        self.assertGreaterEqual(cycles, 20 * MILLION) # replay begins at the first that is recorded
        self.assertGreater(accesses, 10000)
        self.assertGreater(edges, 1000)


if __name__ == "__main__":
    unittest.main()
