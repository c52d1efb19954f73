# SPDX-License-Identifier: Apache-2.0
"""The programs for bare harts on QEMU's own counters, too, whose interrupt a plugin lets come (lcofi/qemu_lcofi.c): where
both can answer, they leave the same signature. QEMU counts cycles and instructions, which are the same with
-icount, with the filters of Sscofpmf and Smcntrpmf. Without what `tools/setup.sh linux-riscv` fetches that is a
failure.

usage: boot_qemu.py COUNTERSINK SOURCE_FOLDER PLUGIN [TESTS..]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from bare import BASE
from bare_programs import CYCLES, INSTRET, MINH, UINH, counted, cycles_and_instructions, in_user_mode, overflow
from guest_case import PATIENCE, boot

PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve()
CACHES = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
QEMU = pathlib.Path(os.environ.get("CS_LINUX_RISCV") or pathlib.Path(CACHES) / "countersink/linux-riscv") / "qemu"
SCENARIO = """name: bare
harts: {count: 1, counters: 16}
software: {kind: none}
guest: {kind: riscv64, elf: program.elf}
"""
MEMORY = 128 << 20
# Where QEMU 10.0 does not do what the specification says:
# "A value written to instret by one instruction will be the value read by the following instruction" (Zicsr): it
# counts the instruction that writes a counter.
WRITE = 1
# "ECALL and EBREAK ... are not considered to retire, and should not increment the minstret CSR" (Privileged
# Architecture, 3.3.1): it counts them.
CALL = 1
# "In M-mode, scountovf bit X is always readable" (Sscofpmf): it hides the bit of counter 3 without mcounteren.
HIDDEN = -(1 << 3)


class Qemu(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)
        self.runs = 0

    def ours(self, program):
        self.runs += 1
        run = self.temp / f"run-{self.runs}"
        (self.temp / "program.elf").write_bytes(program.elf())
        (self.temp / "bare.yaml").write_text(SCENARIO)
        done = boot(run, self.temp / "bare.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [int(line, 16) for line in (run / "signature").read_text().split()]
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]

    def word(self, address):
        with open(self.temp / "memory", "rb") as memory:
            memory.seek(address - BASE)
            return int.from_bytes(memory.read(8), "little")

    def theirs(self, program):
        """What is in memory when tohost has been written."""
        (self.temp / "program.elf").write_bytes(program.elf())
        (self.temp / "memory").write_bytes(b"")
        os.truncate(self.temp / "memory", MEMORY)
        words = [QEMU / "usr/lib64/ld-linux-x86-64.so.2", "--library-path", QEMU / "usr/lib/x86_64-linux-gnu",
                 QEMU / "usr/bin/qemu-system-riscv64", "-L", QEMU / "usr/share/qemu", "-display", "none", "-monitor",
                 "none", "-serial", "none", "-icount", "shift=0,sleep=off", "-M", "virt,memory-backend=ram",
                 "-object", f"memory-backend-file,id=ram,size={MEMORY},mem-path={self.temp}/memory,share=on", "-m",
                 f"{MEMORY >> 20}M", "-cpu", "rv64,h=false,sscofpmf=true,smcntrpmf=true", "-plugin", PLUGIN, "-bios",
                 self.temp / "program.elf"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as qemu:
            begun = time.monotonic()
            while qemu.poll() is None and self.word(program.tohost) == 0 and time.monotonic() - begun < PATIENCE:
                time.sleep(0.02)
            qemu.kill()
            said = qemu.stderr.read()
        self.assertEqual(self.word(program.tohost), 1, said)
        return [self.word(program.data + 8 * i) for i in range(program.words)]

    def agree(self, program, more):
        """But that QEMU has so many more of each word."""
        ours = self.ours(program)
        self.assertEqual([word + each for word, each in zip(ours, more, strict=True)], self.theirs(program))

    def test_zicntr(self):
        # The third and the fourth are read after a write.
        self.agree(cycles_and_instructions(), [0, 0, WRITE, WRITE, 0, 0, 0])

    def test_zihpm(self):
        for event, more in ((0, 0), (CYCLES, WRITE), (INSTRET, WRITE)):
            with self.subTest(event=event):
                self.agree(counted(event, 100), [more, more])

    def test_overflows(self):
        for period in (5, 20, 39):
            with self.subTest(period=period):
                self.agree(overflow(period), [0, 0, HIDDEN, 0, 0])

    def test_an_overflow_that_is_not_enabled(self):
        p = overflow(20, enabled=False)
        p.words = 2
        self.agree(p, [0, 0])

    def test_modes(self):
        for counter, setting, event in (("mcycle", "mcyclecfg", 0), ("minstret", "minstretcfg", 0),
                                        ("mhpmcounter3", "mhpmevent3", INSTRET)):
            # The write is in M mode, the call in U mode.
            for inhibit, more in ((0, WRITE + CALL), (MINH, CALL), (UINH, WRITE)):
                with self.subTest(counter=counter, inhibit=hex(inhibit)):
                    self.agree(in_user_mode(counter, setting, inhibit | event, 10), [more, more, 0])


if __name__ == "__main__":
    unittest.main()
