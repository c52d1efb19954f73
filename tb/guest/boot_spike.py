# SPDX-License-Identifier: Apache-2.0
"""The programs for bare harts on Spike, too: where both can answer, it leaves the signature that our counters
leave. Spike's event counters are constant zero; its caches, with one way, miss what ours miss. Without what
`tools/setup.sh linux-riscv` and `tools/linux/spike.sh` fetch that is a failure.

usage: boot_spike.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from bare_programs import (L1D_LOAD_MISSES, L1D_STORE_MISSES, MINH, UINH, accesses, counted,
                           cycles_and_instructions, in_user_mode)
from guest_case import SOURCE, boot

SCENARIO = """name: bare
harts: {count: 1, counters: 16}
software: {kind: none}
guest: {kind: riscv64, elf: program.elf%s}
"""
SETS, LINE = 16, 64
INHIBIT = 4  # of the words that cycles_and_instructions() leaves: the first after a write of mcountinhibit


class Spike(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([SOURCE / "tools/linux/spike.sh"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.spike = done.stdout.strip()

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)
        self.runs = 0

    def ours(self, program, more=""):
        self.runs += 1
        run = self.temp / f"run-{self.runs}"
        (self.temp / "program.elf").write_bytes(program.elf())
        (self.temp / "bare.yaml").write_text(SCENARIO % more)
        done = boot(run, self.temp / "bare.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [int(line, 16) for line in (run / "signature").read_text().split()]
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]

    def theirs(self, program, *words):
        """The signature, and what else it prints."""
        signature = self.temp / "signature"
        (self.temp / "program.elf").write_bytes(program.elf())
        done = subprocess.run([self.spike, "--isa=rv64gc_zicntr_zihpm_sscofpmf_smcntrpmf", *words,
                               f"+signature={signature}", "+signature-granularity=8",
                               self.temp / "program.elf"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [int(line, 16) for line in signature.read_text().split()], done.stdout

    def agree(self, program):
        self.assertEqual(self.ours(program), self.theirs(program)[0])

    def test_zicntr(self):
        ours = self.ours(cycles_and_instructions())
        theirs, _ = self.theirs(cycles_and_instructions())
        # A write takes effect after its instruction (docs/hw/hpm.md). Spike does not count the one that stops
        # the counter.
        self.assertEqual([ours[INHIBIT] - 1, ours[INHIBIT + 1] - 1], theirs[INHIBIT:INHIBIT + 2])
        del ours[INHIBIT:INHIBIT + 2], theirs[INHIBIT:INHIBIT + 2]
        self.assertEqual(ours, theirs)

    def test_a_counter_of_nothing(self):
        self.agree(counted(0, 100))

    def test_smcntrpmf(self):
        for counter, setting in (("mcycle", "mcyclecfg"), ("minstret", "minstretcfg")):
            for inhibit in (0, MINH, UINH, MINH | UINH):
                with self.subTest(counter=counter, inhibit=hex(inhibit)):
                    self.agree(in_user_mode(counter, setting, inhibit, 10))

    def test_a_cache_of_one_way(self):
        """Random loads and stores of 64 lines, which 16 sets have no room for."""
        draw = random.Random(1)
        drawn = [(draw.random() < 0.3, 8 * draw.randrange(64 * LINE // 8)) for _ in range(500)]
        missed = []
        for these in ([], drawn):  # without them there are those of the rest of the program
            program = accesses(these, L1D_LOAD_MISSES, L1D_STORE_MISSES)
            ours = self.ours(program, f", caches: {{l1d: {{sets: {SETS}, ways: 1, line: {LINE}}}}}")
            _, said = self.theirs(program, f"--dc={SETS}:1:{LINE}")
            theirs = [int(re.search(rf"D\$ {what} Misses: +(\d+)", said)[1]) for what in ("Read", "Write")]
            missed.append((ours, theirs))
        (_, none), (ours, theirs) = missed
        self.assertEqual(ours, [all_ - before for all_, before in zip(theirs, none)])
        self.assertGreater(min(ours), 80)


if __name__ == "__main__":
    unittest.main()
