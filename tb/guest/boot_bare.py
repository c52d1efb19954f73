# SPDX-License-Identifier: Apache-2.0
"""`countersink boot` of programs for bare RISC-V harts: their signatures are what the specification of the
counters says (docs/hw/hpm.md), to the instruction. Without what `tools/setup.sh linux-riscv` fetches that is
a failure.

usage: boot_bare.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import pathlib
import shutil
import sqlite3
import tempfile
import unittest

from bare import BASE, Program
from guest_case import countersink

SCENARIO = """name: bare
harts: {{count: 1, counters: 16{more}}}
software: {{kind: none}}
guest: {{kind: riscv64, elf: program.elf, limit_s: {limit}}}
"""
LOADS, STORES, CYCLES, INSTRET, BRANCHES, CSRS = 32, 33, 1, 2, 34, 38
OF, MINH, UINH = 1 << 63, 1 << 62, 1 << 60
LCOFI = 13
PENDING = 1 << LCOFI | 1 << 7  # the timer, too: nobody has set it


class Bare(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def boot(self, elf, *words, more="", limit=60):
        (self.temp / "program.elf").write_bytes(elf)
        (self.temp / "bare.yaml").write_text(SCENARIO.format(more=more, limit=limit))
        return countersink("boot", "-o", self.temp / "run", *words, self.temp / "bare.yaml")

    def signature(self, program, **how):
        done = self.boot(program.elf(), **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [int(line, 16) for line in (self.temp / "run/signature").read_text().split()]
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]

    # ---- Zicntr ----

    def test_cycles_and_instructions(self):
        p = Program()
        p.begin()
        p.csrr("t0", "minstret")
        p.csrr("t1", "mcycle")
        for _ in range(7):
            p.addi("t2", "t2", 1)
        p.csrr("t3", "minstret")  # eight after the first
        p.csrr("t4", "cycle")
        p.sub("t3", "t3", "t0")
        p.sub("t4", "t4", "t1")
        p.keep("t3")
        p.keep("t4")
        p.set_csr("minstret", 100)
        p.csrr("t0", "instret")  # the write wins over its own instruction
        p.csrr("t1", "instret")
        p.keep("t0")
        p.keep("t1")
        p.set_csr("mcountinhibit", 4)  # minstret stands: this instruction is the last
        p.csrr("t0", "minstret")
        p.addi("t2", "t2", 1)
        p.csrr("t1", "minstret")
        p.csrr("t3", "mcountinhibit")
        p.keep("t0")
        p.keep("t1")
        p.keep("t3")
        p.end()
        # 100 at the first csrr; then two csrr, two sd, li, csrw
        self.assertEqual(self.signature(p), [9, 9, 100, 101, 106, 106, 4])

    # ---- Zihpm ----

    def counted(self, event, times):
        p = Program()
        p.begin()
        p.set_csr("mhpmevent3", event)
        p.addi("t1", "s0", 1024)
        p.li("t2", times)
        p.csrw("mhpmcounter3", "zero")
        p.label("again")
        p.ld("t3", 8, "t1")
        p.ld("t3", 8, "t1")
        p.ld("t3", 8, "t1")
        p.sd("t3", 16, "t1")
        p.addi("t2", "t2", -1)
        p.bnez("t2", "again")
        p.csrr("t0", "mhpmcounter3")
        p.csrr("t3", "hpmcounter3")
        p.keep("t0")
        p.keep("t3")
        p.end()
        return self.signature(p)

    def test_events(self):
        # What is counted before the first csrr; and between it and the second.
        for event, count, more in ((LOADS, 300, 0), (STORES, 100, 0), (BRANCHES, 100, 0), (CSRS, 0, 1),
                                   (INSTRET, 600, 1), (CYCLES, 600, 1), (0, 0, 0)):
            with self.subTest(event=event):
                self.assertEqual(self.counted(event, 100), [count, count + more])
                self.tearDownRun()

    def tearDownRun(self):
        shutil.rmtree(self.temp / "run")

    # ---- Sscofpmf ----

    def overflow(self, period, event=INSTRET, enabled=True):
        """Counts from -period on; the handler keeps where it was, why, and what had overflowed."""
        p = Program()
        p.begin()
        p.la("t0", BASE + 0x400)
        p.csrw("mtvec", "t0")
        p.set_csr("mhpmevent3", event)
        p.set_csr("mie", (1 << LCOFI) if enabled else 0)
        p.li("t2", -period)
        p.csrw("mhpmcounter3", "t2")
        p.set_csr("mstatus", 8)
        p.label("first")
        for _ in range(40):
            p.addi("t3", "t3", 1)
        p.keep("zero")
        p.csrr("t0", "mip")
        p.keep("t0")
        p.end()
        p.pad(0x400)
        p.words = 0
        p.csrr("t0", "mepc")
        p.csrr("t1", "mcause")
        p.csrr("t2", "scountovf")
        p.csrr("t3", "mhpmevent3")
        p.csrr("t4", "mip")
        for register in ("t0", "t1", "t2", "t3", "t4"):
            p.keep(register)
        p.addi("t1", "s0", 1024)
        p.li("t0", 1)
        p.sd("t0", 0, "t1")
        p.label("halt")
        p.jump("halt")
        return p

    def test_an_overflow_is_taken_at_its_instruction(self):
        for period in (5, 20):
            with self.subTest(period=period):
                p = self.overflow(period)
                # li and csrw of mstatus count, too: the last of the period is instruction period - 2.
                expected = p.labels["first"] + 4 * (period - 2)
                self.assertEqual(self.signature(p), [expected, OF | LCOFI, 8, OF | INSTRET,
                                                     PENDING])
                self.tearDownRun()

    def test_an_overflow_that_is_not_enabled_stays_pending(self):
        p = self.overflow(20, enabled=False)
        p.words = 2
        self.assertEqual(self.signature(p), [0, PENDING])

    # ---- Smcntrpmf, and modes ----

    def in_user_mode(self, counter, setting, value, times):
        """`times` instructions in U mode, of which the last is an ECALL; what the counter has counted since it
        was 0, which the handler reads first."""
        p = Program()
        p.begin()
        p.li("t0", 0x1f)
        p.li("t1", -1)
        p.csrw("pmpaddr0", "t1")
        p.csrw("pmpcfg0", "t0")
        for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
            p.la("t0", BASE + at)
            p.csrw(where, "t0")
        p.li("t0", 3 << 11)
        p.csr("rc", "zero", "mstatus", "t0")  # MPP: U
        p.set_csr(setting, value)
        p.csrw(counter, "zero")
        p.mret()
        p.pad(0x400)
        p.csrr("t0", counter)
        p.addi("t1", "t1", 1)
        p.csrr("t2", counter)
        p.csrr("t3", setting)
        for register in ("t0", "t2", "t3"):
            p.keep(register)
        p.end()
        p.pad(0x600)
        for _ in range(times - 1):
            p.addi("t3", "t3", 1)
        p.ecall()
        return p

    def test_modes_that_do_not_count(self):
        # ECALL does not retire. Before: mret in M. After: csrr and addi in M until the second csrr.
        for counter, setting, event in (("mcycle", "mcyclecfg", 0), ("minstret", "minstretcfg", 0),
                                        ("mhpmcounter3", "mhpmevent3", INSTRET)):
            for inhibit, first, second in ((0, 1 + 9, 1 + 9 + 2), (MINH, 9, 9), (UINH, 1, 3)):
                with self.subTest(counter=counter, inhibit=hex(inhibit)):
                    p = self.in_user_mode(counter, setting, inhibit | event, 10)
                    self.assertEqual(self.signature(p), [first, second, inhibit | event])
                    self.tearDownRun()

    # ---- Smcdeleg ----

    def delegated(self, given):
        """Supervisor code counts loads with a counter of its own. It keeps what it reads; a trap keeps its
        cause instead."""
        p = Program()
        p.begin()
        p.li("t0", 0x1f)
        p.li("t1", -1)
        p.csrw("pmpaddr0", "t1")
        p.csrw("pmpcfg0", "t0")
        for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
            p.la("t0", BASE + at)
            p.csrw(where, "t0")
        p.li("t0", 3 << 11)
        p.csr("rc", "zero", "mstatus", "t0")
        p.emit(0x00100293)  # li t0,1
        p.slli("t0", "t0", 11)
        p.csr("rs", "zero", "mstatus", "t0")  # MPP: S
        if given:
            p.set_csr("menvcfg", 1 << 60)
        p.set_csr("mcounteren", 8)
        p.mret()
        p.pad(0x400)
        p.csrr("t0", "mcause")
        p.keep("t0")
        p.end()
        p.pad(0x600)
        p.words = 0
        p.addi("t1", "s0", 1024)
        p.set_csr("siselect", 0x43)
        p.set_csr("sireg2", LOADS)
        p.csrw("sireg", "zero")
        for _ in range(5):
            p.ld("t3", 8, "t1")
        p.csrr("t2", "sireg")
        p.csrr("t4", "hpmcounter3")
        p.set_csr("scountinhibit", 8)
        p.ld("t3", 8, "t1")
        p.csrr("t5", "sireg")
        p.csrr("t6", "scountinhibit")
        p.csrr("a0", "sireg2")
        p.csrr("a1", "siselect")
        for register in ("t2", "t4", "t5", "t6", "a0", "a1"):
            p.keep(register)
        p.li("t0", 1)
        p.sd("t0", 0, "t1")
        p.label("halt")
        p.jump("halt")
        return p

    def test_a_delegated_counter(self):
        self.assertEqual(self.signature(self.delegated(True)), [5, 5, 5, 8, LOADS, 0x43])

    def test_a_counter_that_is_not_delegated(self):
        p = self.delegated(False)
        p.words = 1
        self.assertEqual(self.signature(p), [2])

    # ---- what is wrong ----

    def test_a_status_is_the_scripts(self):
        p = Program()
        p.begin()
        p.end(status=7)
        done = self.boot(p.elf())
        self.assertEqual(done.returncode, 3)
        self.assertIn("its program ended with status 7", done.stderr)

    def test_an_elf_file_of_another_machine(self):
        p = Program()
        p.begin()
        p.end()
        done = self.boot(p.elf(machine=62))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is an ELF file for x86-64, expected one for RISC-V", done.stderr)
        self.assertFalse((self.temp / "run").exists())

    def test_a_program_that_does_not_end(self):
        p = Program()
        p.begin()
        p.label("again")
        p.jump("again")
        done = self.boot(p.elf(), limit=2)
        self.assertEqual(done.returncode, 3)
        self.assertIn("has not ended within 2 s (guest.limit_s)", done.stderr)
        self.assertIn(f"CPU 0 was at {hex(p.labels['again'])}", done.stderr)

    def test_linux_beside_it(self):
        p = Program()
        p.begin()
        p.end()
        done = self.boot(p.elf(), "--set", "guest.run=bare.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no Linux beside guest.elf", done.stderr)

    def test_the_truth_has_what_was_executed(self):
        p = Program()
        p.begin()
        for _ in range(1000):
            p.addi("t0", "t0", 1)
        p.end()
        done = self.boot(p.elf())
        self.assertEqual(done.returncode, 0, done.stderr)
        with sqlite3.connect(self.temp / "run/truth.sqlite") as db:
            count, = db.execute("SELECT sum(count) FROM guest_count").fetchone()
        # Before it there is QEMU's own first code; behind it nothing, from the store at tohost on.
        self.assertIn(count - (4 + 1000 + 3), range(4, 12))


if __name__ == "__main__":
    unittest.main()
