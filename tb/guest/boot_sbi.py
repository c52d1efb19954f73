# SPDX-License-Identifier: Apache-2.0
"""OpenSBI's releases as Debian ships them, under our counters: a program in S mode makes a list of calls of the PMU
extension. What they answer is what is recorded (tb/drivers/riscv/recorded/guest_*.txt), and the model of the
firmware answers the same (tb/drivers/riscv/test_sbi_recorded.cpp). With CS_WRITE_GENERATED=1 it is recorded.
Without what `tools/setup.sh linux-riscv` fetches that is a failure.

usage: boot_sbi.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import os
import pathlib
import tempfile
import unittest

from guest_case import SOURCE, boot
from sbi_calls import Calls

CACHES = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
CACHE = pathlib.Path(os.environ.get("CS_LINUX_RISCV") or pathlib.Path(CACHES) / "countersink/linux-riscv")
SCENARIO = """name: sbi
harts: {{count: 1, counters: 16}}
software: {{kind: none}}
guest:
  kind: riscv64
  elf: program.elf
  firmware: {firmware}
  caches: {{l1d: {{sets: 1}}, l1i: {{sets: 1}}, dtlb: {{sets: 1}}, itlb: {{sets: 1}}}}
"""
HEAD = """# What the binary of OpenSBI {release} answered to calls of a program in S mode, under our counters
# (tb/guest/boot_sbi.py). tb/drivers/riscv/test_sbi_recorded.cpp says how to read it.
"""


class Sbi(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def answers(self, calls, folder, release):
        firmware, = CACHE.glob(f"{folder}/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin")
        (self.temp / "program.elf").write_bytes(calls.program().elf())
        (self.temp / "sbi.yaml").write_text(SCENARIO.format(firmware=firmware))
        done = boot(self.temp / "run", self.temp / "sbi.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"OpenSBI v{release}\n", (self.temp / "run/console.txt").read_text(errors="replace"))
        words = [int(line, 16) for line in (self.temp / "run/signature").read_text().split()]
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]

    def release(self, folder, release):
        if not (CACHE / folder).is_dir():
            self.skipTest(f"{CACHE}/{folder}: sid has moved on; tools/linux/lock.py finds its newest")
        calls = Calls()
        calls.fixed()
        calls.drawn(400, release)
        text = HEAD.format(release=release) + calls.text(self.answers(calls, folder, release))
        recorded = SOURCE / f"tb/drivers/riscv/recorded/guest_opensbi_{release.replace('.', '_')}.txt"
        if os.environ.get("CS_WRITE_GENERATED"):
            recorded.write_text(text)
        self.assertEqual(text.splitlines(), recorded.read_text().splitlines())

    def test_opensbi_1_1(self):
        self.release("opensbi-1.1", "1.1")

    def test_opensbi_1_6(self):
        self.release("qemu", "1.6")

    def test_opensbi_1_9(self):
        self.release("opensbi-1.9", "1.9")


if __name__ == "__main__":
    unittest.main()
