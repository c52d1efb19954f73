#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""countersink compare-unit with units of POWER: designs under other names agree, faults in them are
found.

    test_compare_power.py COUNTERSINK SOURCES CACHE
"""
import re
import sys
import unittest

from unit_case import COLLECTOR, EXAMPLES, POSTER, UnitCase

# What faulty.py does to them, and which pins may tell it.
IMC_FAULTS = [
    ("thread", "awaddr_o|wdata_o|reg_rdata_o|.*valid_o"),
    ("carry", "lost_o|awvalid_o|wvalid_o|reg_rdata_o|wdata_o"),
    ("zero", ".*"),
    ("dropped", "dropped_o"),
    ("index", "awaddr_o|sample_addr_o|dropped_addr_o"),
    ("split", "awaddr_o"),
    ("load", ".*"),
    ("next", ".*"),
    ("timeout", "reg_rdata_o"),
    ("fir", "reg_rdata_o"),
]

NEST_FAULTS = [
    ("status", "status_o|wdata_o"),
    ("forget", "wdata_o"),
    ("epoch", ".*"),
    ("tick", ".*"),
    ("step", "wdata_o"),
    ("burst", "awlen_o|wlast_o|wdata_o|wvalid_o"),
]


class ComparePower(UnitCase):
    def agrees(self, result, *atleast):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        match = re.match(r"EQUAL: (\d+) programs, \d+ cycles, (\d+) accesses \((\d+) refused\), "
                         r"0 interrupt edges, (\d+) transfers\n", result.stdout)
        self.assertTrue(match, result.stdout)
        for found, least in zip(map(int, match.groups()), atleast):
            self.assertGreaterEqual(found, least, result.stdout)

    def test_a_renamed_engine_of_a_core_agrees(self):
        result = self.collector(COLLECTOR, EXAMPLES / "core_collector.yaml", 1000, "--registers")
        self.agrees(result, 1000, 500000, 0, 50000)
        self.assertIn("\n  not compared: awsize_o, awburst_o (no port)\n", result.stdout)
        for number, name in ((0, "core0.HTM_MODE"), (1, "core0.HTM_IMA_STATUS"), (3, "core0.EVENT_MASK"),
                             (5, "FIR0"), (6, "ERR_RPT0"), (11, "thread3.LDBAR")):
            self.assertRegex(result.stdout, rf"\n  0x{number:03x} {re.escape(name)} +\d+ read")

    def test_faults_in_it_are_found(self):
        self.agrees(self.collector(self.faulty("collector")), 200, 50000)
        for fault, pins in IMC_FAULTS:
            with self.subTest(fault=fault):
                self.differs(self.collector(self.faulty("collector", fault), programs=3000), pins, "imc")

    def test_a_difference_has_the_names_of_the_page(self):
        result = self.collector(self.faulty("collector", "fir"))
        for text in ("  what is read, of FIR0\n", "    IMA_ACK_DEAD [50]    model 0x",
                     'see docs/hw/imc.md, "Writer"', " write FIR0 = 0x"):
            self.assertIn(text, result.stdout)
        result = self.collector(self.faulty("collector", "dropped"))
        self.assertRegex(result.stdout, r"\n  a waiting record is dropped, thread \d\n")

    def test_ldbar_may_be_at_the_same_port(self):
        text = (EXAMPLES / "core_collector.yaml").read_text()
        text = re.sub(r"\n  ldbar_\w+: \w+", "", text)
        text = text.replace("ldbar_rdata_o: 1, ldbar_err_o: 1, ", "").replace(
            "scan_enable: 0", "scan_enable: 0, bar_select: 0, bar_write: 0, bar_data: 0")
        path = self.folder / "map.yaml"
        path.write_text(text)
        result = self.collector(map_file=path)
        self.agrees(result, 200, 50000, 0, 10000)
        self.assertIn("ldbar_rdata_o, ldbar_err_o, awsize_o", result.stdout)
        result = self.collector(COLLECTOR, path, 200, "--registers")
        self.assertRegex(result.stdout, r"\n  0x00a thread2.LDBAR +\d+ read")
        path.write_text(text.replace("  state_o: phase\n", "  state_o: phase\n  ldbar_en_i: bar_select\n")
                        .replace("bar_select: 0, ", ""))
        self.refused(self.collector(map_file=path), 2, "all of them have a port, or none")

    def test_fewer_threads_and_pins(self):
        text = (EXAMPLES / "core_collector.yaml").read_text().replace("{Threads: 4}", "{Threads: 2}")
        for line in ("  power_i: powered\n", "  mode_i: state_of_thread\n", "  capture_o: snapshot\n",
                     "  active_o: counting\n"):
            self.assertIn(line, text)
            text = text.replace(line, "")
        path = self.folder / "map.yaml"
        path.write_text(text.replace("scan_enable: 0", "scan_enable: 0, powered: 1, state_of_thread: 0"))
        result = self.collector(map_file=path)
        self.agrees(result, 200, 50000, 0, 5000)
        self.assertIn("power_i, mode_i (held: no port)", result.stdout)
        path.write_text(path.read_text().replace("  nr_thread_i: threads\n", "")
                        .replace("powered: 1", "powered: 1, threads: 4"))
        self.refused(self.collector(map_file=path), 2, "'settings: {threads: 2}', or more fields")

    def test_renamed_nests_agree(self):
        self.agrees(self.poster("nest", programs=300), 300, 0, 0, 60000)
        self.agrees(self.poster("nest10", programs=150), 150, 0, 0, 30000)

    def test_faults_in_a_nest_are_found(self):
        self.agrees(self.poster("nest", self.faulty("poster"), 100), 100)
        for fault, pins in NEST_FAULTS:
            with self.subTest(fault=fault):
                self.differs(self.poster("nest", self.faulty("poster", fault), 400), pins, "nest")
        self.differs(self.poster("nest10", self.faulty("poster", "kind"), 400), ".*", "nest")

    def test_a_nest_is_told_by_its_status_and_transfers(self):
        result = self.poster("nest", self.faulty("poster", "forget"))
        for text in ("  the beat's bytes that are written, port 0\n", "settings: base 0x", " port 0 wrote 0x"):
            self.assertIn(text, result.stdout)

    def test_a_map_of_a_nest_that_does_not_fit(self):
        text = (EXAMPLES / "chip_poster.yaml").read_text()
        path = self.folder / "map.yaml"
        for old, new, said in [
                ("  tick_cycles_i: tick\n", "", "tick_cycles: the MAP must say how many there are"),
                ("unit: nest", "settings: {base: 5}", "base is a multiple of 4096"),
                ("field: 6", "field: 5", "'counts' has 1230 bits, and 'inc_i' 1025"),
                ("unit: nest", "addresses: {1: 2}", "expected a number up to 0x0"),
        ]:
            with self.subTest(map=new):
                self.assertIn(old, text)
                path.write_text(text.replace(old, new))
                self.refused(self.poster(map_file=path), 2, said)


unittest.main(argv=sys.argv[:1])
