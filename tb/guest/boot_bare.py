# SPDX-License-Identifier: Apache-2.0
"""`countersink boot` of programs for bare RISC-V harts: their signatures are what the specification of the
counters says (docs/hw/hpm.md), to the instruction. Without what `tools/setup.sh linux-riscv` fetches that is
a failure.

usage: boot_bare.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import json
import pathlib
import shutil
import sqlite3
import tempfile
import unittest

from bare import Program
from bare_programs import (ATOMIC, BRANCHES, CSRS, CYCLES, DTLB_MISSES, EXCEPTIONS, INSTRET, L1D_LOAD_MISSES,
                           L1D_LOADS, L1D_STORE_MISSES, L1D_STORES, LCOFI, LOADS, MINH, NOT_TAKEN, OF, SINH, STORES,
                           TAKEN, UINH, VSINH, VUINH, accesses, branches, counted, cycles_and_instructions,
                           delegated, fetches, in_guest, in_user_mode, interrupts, overflow, overflow_of_branches,
                           overflow_of_misses, read_in_guest, translated, traps)
from guest_case import boot

SCENARIO = """name: bare
harts: {{count: 1, counters: 16{more}}}
software: {{kind: none}}
guest: {{kind: riscv64, elf: program.elf{guest}}}
"""
PENDING = 1 << LCOFI | 1 << 7  # the timer, too: nobody has set it


class Bare(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def boot(self, elf, *words, more="", guest=""):
        (self.temp / "program.elf").write_bytes(elf)
        (self.temp / "bare.yaml").write_text(SCENARIO.format(more=more, guest=guest))
        return boot(self.temp / "run", *words, self.temp / "bare.yaml")

    def signature(self, program, **how):
        done = self.boot(program.elf(), **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [int(line, 16) for line in (self.temp / "run/signature").read_text().split()]
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]

    # ---- Zicntr ----

    def test_cycles_and_instructions(self):
        # 100 at the first csrr; then two csrr, two sd, li, csrw
        self.assertEqual(self.signature(cycles_and_instructions()), [9, 9, 100, 101, 106, 106, 4])

    # ---- Zihpm ----

    def test_events(self):
        # What is counted before the first csrr; and between it and the second.
        for event, count, more in ((LOADS, 300, 0), (STORES, 100, 0), (BRANCHES, 100, 0), (CSRS, 0, 1),
                                   (INSTRET, 600, 1), (CYCLES, 600, 1), (0, 0, 0)):
            with self.subTest(event=event):
                self.assertEqual(self.signature(counted(event, 100)), [count, count + more])
                self.tearDownRun()

    def tearDownRun(self):
        shutil.rmtree(self.temp / "run")

    # ---- Sscofpmf ----

    def test_an_overflow_is_taken_at_its_instruction(self):
        for period in (5, 20):
            with self.subTest(period=period):
                p = overflow(period)
                # li and csrw of mstatus count, too: the last of the period is instruction period - 2.
                expected = p.labels["first"] + 4 * (period - 2)
                self.assertEqual(self.signature(p), [expected, OF | LCOFI, 8, OF | INSTRET,
                                                     PENDING])
                self.tearDownRun()

    def test_an_overflow_that_is_not_enabled_stays_pending(self):
        p = overflow(20, enabled=False)
        p.words = 2
        self.assertEqual(self.signature(p), [0, PENDING])

    # ---- branches and traps ----

    def test_branches_by_where_they_go(self):
        # Of a loop the last one is not taken; then there is one of either, and a jump.
        for times in (1, 100):
            self.assertEqual(self.signature(branches(times)), [0, times, 2, times + 2, times + 1])
            self.tearDownRun()

    def test_an_overflow_is_taken_where_the_branch_goes(self):
        for nth in (1, 2, 30):
            with self.subTest(nth=nth):
                p = overflow_of_branches(nth, TAKEN)
                self.assertEqual(self.signature(p), [p.labels["again"], 40 - nth, 0])
                self.tearDownRun()
        p = overflow_of_branches(1, NOT_TAKEN)
        self.assertEqual(self.signature(p), [p.labels["behind"], 0, 0])

    def test_traps_by_the_mode_that_they_come_from(self):
        for times in (1, 20):
            with self.subTest(times=times):
                self.assertEqual(self.signature(traps(times)), [times, 1, times + 1, 0])
                self.tearDownRun()

    def test_interrupts(self):
        for vectored in (False, True):
            with self.subTest(vectored=vectored):
                self.assertEqual(self.signature(interrupts(vectored)), [1, 0, 0])
                self.tearDownRun()

    def test_pins_have_no_branches(self):
        done = self.boot(branches(100).elf(), guest=", pins: {cycles: 1000}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("guest.pins records neither taken branches nor traps, which a counter counts", done.stderr)

    # ---- Smcntrpmf, and modes ----

    def test_modes_that_do_not_count(self):
        # ECALL does not retire. Before: mret in M. After: csrr and addi in M until the second csrr.
        for counter, setting, event in (("mcycle", "mcyclecfg", 0), ("minstret", "minstretcfg", 0),
                                        ("mhpmcounter3", "mhpmevent3", INSTRET)):
            for inhibit, first, second in ((0, 1 + 9, 1 + 9 + 2), (MINH, 9, 9), (UINH, 1, 3)):
                with self.subTest(counter=counter, inhibit=hex(inhibit)):
                    p = in_user_mode(counter, setting, inhibit | event, 10)
                    self.assertEqual(self.signature(p), [first, second, inhibit | event])
                    self.tearDownRun()

    # ---- the hypervisor extension ----

    def test_modes_of_guests_that_do_not_count(self):
        # In M mode the sret, in VS mode 6 with the sret, in VU mode 9: the call does not retire.
        for inhibit, count in ((0, 1 + 6 + 9), (MINH, 15), (VSINH, 10), (VUINH, 7), (SINH, 16), (UINH, 16)):
            with self.subTest(inhibit=hex(inhibit)):
                later = count + (0 if inhibit == MINH else 2)
                self.assertEqual(self.signature(in_guest(INSTRET | inhibit, 6, 9)), [count, 8, later])
                self.tearDownRun()

    def test_traps_of_guests(self):
        # The call comes from VU mode. It counts with the first instruction that is executed after it.
        for inhibit, count in ((0, 1), (VUINH, 0), (UINH, 1)):
            with self.subTest(inhibit=hex(inhibit)):
                self.assertEqual(self.signature(in_guest(EXCEPTIONS | inhibit, 6, 9)), [0, 8, count])
                self.tearDownRun()

    def test_a_guest_reads_what_it_may(self):
        self.assertEqual(self.signature(read_in_guest(True)), [10, 3, 8])
        self.tearDownRun()
        self.assertEqual(self.signature(read_in_guest(False)), [22, 99, 0])  # a virtual instruction

    def test_harts_without_it(self):
        # The write of hstatus is an illegal instruction.
        self.assertEqual(self.signature(in_guest(INSTRET, 6, 9), more=", modes: msu"), [0, 2, 0])

    # ---- Smcdeleg ----

    def test_a_delegated_counter(self):
        self.assertEqual(self.signature(delegated(True)), [5, 5, 5, 8, LOADS, 0x43])

    def test_a_counter_that_is_not_delegated(self):
        p = delegated(False)
        p.words = 1
        self.assertEqual(self.signature(p), [2])

    # ---- caches and TLBs (docs/hw/caches.md) ----

    CACHES = ", caches: {{l1d: {{sets: 64, ways: {}}}, l1i: {{sets: 64}}, dtlb: {{sets: 1, ways: {}}}, " \
             "itlb: {{sets: 1}}}}"

    def test_misses_of_loads_and_stores(self):
        walk = [(False, 64 * i) for i in range(100)]
        stores = [(True, 64 * i) for i in range(90, 110)]
        across = [(False, 64 * 110 - 4)]  # two lines, of which one is not there
        p = accesses(walk + walk + stores + across, L1D_LOADS, L1D_LOAD_MISSES, L1D_STORE_MISSES, DTLB_MISSES)
        self.assertEqual(self.signature(p, guest=self.CACHES.format(8, 32)), [201, 101, 10, 0])
        # Without ways for both walks the lines of sets that have two are replaced before they are used again.
        self.tearDownRun()
        self.assertEqual(self.signature(p, guest=self.CACHES.format(1, 32))[1], 100 + 72 + 1)

    def test_an_atomic_is_a_load_and_then_a_store(self):
        p = accesses([(ATOMIC, 64 * i) for i in range(20)], L1D_LOADS, L1D_LOAD_MISSES, L1D_STORES,
                     L1D_STORE_MISSES)
        self.assertEqual(self.signature(p, guest=self.CACHES.format(8, 32)), [20, 20, 20, 0])

    def test_an_overflow_is_taken_at_the_load_that_misses(self):
        for nth in (1, 2, 30):
            with self.subTest(nth=nth):
                p = overflow_of_misses(nth)
                behind = p.labels["first"] + 8 * (nth - 1) + 4
                self.assertEqual(self.signature(p, guest=self.CACHES.format(8, 32)), [behind, 0])
                self.tearDownRun()

    def test_misses_of_fetches(self):
        for times in (1, 3):
            p = fetches(times, 1000)
            lines = p.labels["end"] // 64 - p.labels["begin"] // 64
            self.assertEqual(self.signature(p, guest=self.CACHES.format(8, 32)), [lines])
            self.tearDownRun()

    def test_misses_of_tlbs(self):
        for flush, missed in ((False, [10, 1]), (True, [20, 2])):
            with self.subTest(flush=flush):
                self.assertEqual(self.signature(translated(10, flush), guest=self.CACHES.format(8, 32)), missed)
                self.tearDownRun()
        # Of eight pages that are there the oldest goes, which is used next.
        self.assertEqual(self.signature(translated(10, False), guest=self.CACHES.format(8, 8)), [20, 1])

    def test_caches_that_cannot_be(self):
        p = cycles_and_instructions()
        for guest, said in ((", caches: {l1d: {sets: 3}}", "sets and line are powers of two: found sets 3, line 64"),
                            (", caches: {l1i: {sets: 2, line: 48}}", "found sets 2, line 48"),
                            (", caches: {l1i: {sets: 2}}, pins: {cycles: 9}", "records no misses")):
            done = self.boot(p.elf(), guest=guest)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)

    # ---- the end ----

    def test_the_test_device_ends_it_at_its_store(self):
        """OpenSBI stores half a word there. What is executed until QEMU has ended is no part of the run."""
        executed = set()
        for store in (Program.sh, Program.sw, Program.sh):
            p = Program()
            p.lui("t1", 0x100)
            p.li("t0", 0x5555)
            store(p, "t0", "t1")
            p.label("again")
            p.jump("again")
            done = self.boot(p.elf())
            self.assertEqual(done.returncode, 0, done.stderr)
            executed.add(json.loads((self.temp / "run/summary.json").read_text())["guest_instructions"])
            self.tearDownRun()
        self.assertEqual(len(executed), 1, executed)

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
        done = self.boot(p.elf(), "--set", "guest.limit_s=2")
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
