# SPDX-License-Identifier: Apache-2.0
"""The PMCU's model in the installed package, against docs/hw/pmcu.md: test_pmcu.py"""
import struct
import unittest

from countersink import Board, BusError, CorePmu, Pmcu, Response, Transfer

INST, CYCLES, LOADS = 0x08, 0x11, 0x06
EVENTS, STORE = 0x1000, 0x1_0000_0000


def started(pmcu, events, nr_pmu, loops, store=STORE, room=1 << 20, ticks=50):
    """Programmed as its driver does, and triggered."""
    pmcu.board.memory.write(EVENTS, b"".join(e.to_bytes(4, "little") for e in events))
    for offset, value in [
            (Pmcu.FSM_CFG, len(events) | loops << 8 | nr_pmu << 16),
            (Pmcu.EVENT_BASE_H, 0), (Pmcu.EVENT_BASE_L, EVENTS),
            (Pmcu.STORE_BASE_H, store >> 32), (Pmcu.STORE_BASE_L, store & 0xFFFFFFFF),
            (Pmcu.KILL_BASE_H, store + room >> 32), (Pmcu.KILL_BASE_L, store + room & 0xFFFFFFFF),
            (Pmcu.WAIT_CNT, ticks), (Pmcu.INT_EN, 3), (Pmcu.FSM_CTRL, 1)]:
        pmcu.write(offset, value)
    return pmcu


class PmcuModel(unittest.TestCase):
    def test_a_run(self):
        pmcu = Pmcu(clusters=2, slots=2, tick_cycles=20)
        for cpu, core in enumerate(pmcu.board.cores):
            core.rate(INST, cpu + 1, 2)
            core.rate(CYCLES, 1)
            core.context(100 + cpu, 7)
        started(pmcu, [INST, CYCLES, LOADS], nr_pmu=3, loops=4)
        self.assertTrue(pmcu.run())
        self.assertEqual(pmcu.read(Pmcu.INT_STAT), 1)
        self.assertEqual(pmcu.read(Pmcu.FSM_STATUS), 0)

        subsample = (3 + 2) * 8 * 4  # context ids, three events, cycles; of four CPUs
        for loop in range(4):
            data = pmcu.board.memory.read(STORE + loop * subsample, subsample)
            cid1, cid2 = struct.unpack("<4I", data[:16]), struct.unpack("<4I", data[16:32])
            words = struct.unpack("<16Q", data[32:])
            for cluster in range(2):
                for slot in range(2):
                    idx, cpu = slot * 2 + cluster, cluster * 2 + slot
                    inst, cycles, loads, clock = (words[4 * row + idx] for row in range(4))
                    self.assertEqual((cid1[idx], cid2[idx]), (100 + cpu, 7))
                    self.assertGreaterEqual(clock, 50 * 20)
                    self.assertEqual(cycles, clock)
                    self.assertEqual(loads, 0)
                    self.assertLessEqual(abs(inst - clock * (cpu + 1) / 2), 1)
        self.assertEqual(pmcu.board.memory.read(STORE + 4 * subsample, 8), bytes(8))

        pmcu.write(Pmcu.INT_CLR, 1)
        self.assertFalse(pmcu.irq)
        self.assertIsNone(pmcu.next)

    def test_states_in_their_order(self):
        pmcu = started(Pmcu(clusters=1, slots=1), [INST], nr_pmu=1, loops=1)
        states = []
        while not pmcu.irq:
            state = pmcu.read(Pmcu.FSM_STATUS) & 15
            if states[-1:] != [state]:
                states.append(state)
            pmcu.step()
        self.assertEqual(states, [1, 2, 3, 4, 5, 6, 7, 8, 9])

    def test_lanes_work_side_by_side(self):
        taken = {}
        for lanes in (1, 2):
            pmcu = started(Pmcu(clusters=2, slots=4, lanes=lanes), [INST], nr_pmu=1, loops=1)
            pmcu.run()
            taken[lanes] = pmcu.cycle
        self.assertLess(taken[2], taken[1])

    def test_a_core_that_is_not_there(self):
        pmcu = Pmcu(clusters=1, slots=2)
        pmcu.board.cores[1] = None
        started(pmcu, [INST], nr_pmu=1, loops=1)
        self.assertTrue(pmcu.run())
        self.assertEqual(pmcu.read(Pmcu.FSM_STATUS), 1 << 10)  # CORE_ERR
        self.assertEqual(struct.unpack("<2I", pmcu.board.memory.read(STORE, 8)), (0, 0))

    def test_output_ends_at_kill_base(self):
        pmcu = started(Pmcu(clusters=1, slots=1), [INST], nr_pmu=1, loops=3, room=30)
        self.assertTrue(pmcu.run())
        self.assertEqual(pmcu.read(Pmcu.FSM_STATUS), 1 << 12)  # KILL

    def test_a_bus_of_ones_own(self):
        seen = []

        def bus(t: Transfer) -> None:
            seen.append((t.port, t.write, t.address))
            t.grant, t.complete, t.response = t.request + 3, t.request + 9, Response.SLVERR

        pmcu = Pmcu(bus, clusters=1, slots=1)
        for offset, value in [(Pmcu.FSM_CFG, 0x1_01_01), (Pmcu.FSM_CTRL, 1)]:
            pmcu.write(offset, value)
        pmcu.run()
        self.assertEqual(pmcu.read(Pmcu.INT_STAT), 1)
        self.assertTrue(pmcu.read(Pmcu.FSM_STATUS) & 0x3F00)
        self.assertTrue(all(a >> 16 == 0x2000 or not w for _, w, a in seen), seen)
        with self.assertRaises(AttributeError):
            pmcu.board

    def test_what_a_bus_does_wrong(self):
        def broken(t: Transfer) -> None:
            raise RuntimeError("no bus today")

        def late(t: Transfer) -> None:
            t.complete = t.grant

        for bus, error in ((broken, "no bus today"), (late, "complete in")):
            pmcu = Pmcu(bus, clusters=1, slots=1)
            pmcu.write(Pmcu.FSM_CFG, 0x1_01_01)
            pmcu.write(Pmcu.FSM_CTRL, 1)
            with self.assertRaisesRegex((RuntimeError, ValueError), error):
                pmcu.run()

    def test_what_is_refused(self):
        for settings in ({"clusters": 17}, {"slots": 0}, {"nothing": 1}, {"tick_cycles": 70000}):
            with self.assertRaises(ValueError):
                Pmcu(**settings)
        with self.assertRaises(ValueError):
            CorePmu(counters=0)
        with self.assertRaises(ValueError):
            CorePmu().rate(INST, 1, 0)
        with self.assertRaises(BusError):
            CorePmu(offline=1).access(1, 0xE04)

    def test_numbers_that_do_not_fit(self):
        pmcu = Pmcu(clusters=1, slots=1)
        for offset, value in ((0x99999, 1), (0x10000, 1), (-4, 1), (0x002, 1),
                              (Pmcu.WAIT_CNT, 2**32), (Pmcu.WAIT_CNT, 2**64 + 7), (Pmcu.WAIT_CNT, -1)):
            with self.subTest(offset=offset, value=value):
                with self.assertRaisesRegex(ValueError, "expected"):
                    pmcu.write(offset, value)
                self.assertEqual(pmcu.cycle, 0)
        with self.assertRaisesRegex(ValueError, "offset is 0x99999, expected a multiple of 4 below"):
            pmcu.read(0x99999)
        for cycles in (-1, 2**64, 2**64 + 7):
            with self.assertRaisesRegex(ValueError, "cycles is .*expected 0..18446744073709551614"):
                pmcu.step(cycles)
        pmcu.write(Pmcu.WAIT_CNT, 2**32 - 1)
        self.assertEqual(pmcu.read(Pmcu.WAIT_CNT), 2**32 - 1)
        pmcu.write(0x800, 1)  # no register: ignored, as docs/hw/pmcu.md says
        self.assertEqual(pmcu.read(0x800), 0)

        core = CorePmu(counters=4)
        core.access(5, 0xC00, write=1)
        for call in (lambda: core.access(4, 0xC00), lambda: core.access(2**64, 0xC00),
                     lambda: core.access(6, 0x20000), lambda: core.access(6, 0xC00, size=2),
                     lambda: core.access(6, 0xC00, write=2**32), lambda: core.context(2**32),
                     lambda: core.context(0, 0, 4), lambda: core.rate(2**32, 1)):
            with self.assertRaisesRegex(ValueError, "expected"):
                call()

    def test_a_core_alone(self):
        core = CorePmu(counters=4)
        core.rate(INST, 3, 4)
        core.access(0, 0x400, write=INST)      # PMEVTYPER0
        core.access(1, 0xC00, write=1)         # PMCNTENSET
        core.access(2, 0xE04, write=1)         # PMCR.E
        first = core.access(1000, 0x000)
        self.assertEqual(core.access(1400, 0x000) - first, 300)

    def test_a_board_of_other_sizes(self):
        board = Board(1, 3, latency=5, counters=6)
        pmcu = Pmcu(board, clusters=1, slots=3)
        board.memory.write(EVENTS, INST.to_bytes(4, "little"))
        pmcu.write(Pmcu.FSM_CFG, 0x1_01_01)
        pmcu.write(Pmcu.EVENT_BASE_L, EVENTS)
        pmcu.write(Pmcu.STORE_BASE_L, 0x8000)
        pmcu.write(Pmcu.KILL_BASE_L, 0xF000)
        pmcu.write(Pmcu.WAIT_CNT, 10)
        pmcu.write(Pmcu.FSM_CTRL, 1)
        pmcu.run()
        self.assertEqual(pmcu.read(Pmcu.FSM_STATUS), 0)
        self.assertNotEqual(board.memory.read(0x8000 + 2 * 24, 24), bytes(24))


unittest.main()
