#!/usr/bin/env python3
"""countersink compare-unit: a register that the reset leaves as it is is found, in each unit; so is one
that begins with a value by itself, and that only a reset amid the program would clear.

    test_compare_reset.py COUNTERSINK SOURCES CACHE
"""
import sys
import unittest

from unit_case import COLLECTOR, CORE, HART, MONITOR, POSTER, SAMPLER, UnitCase


class CompareReset(UnitCase):
    def is_found(self, run, page, files, name, line):
        """It agrees with the line (the other tests), and not without it."""
        self.differs(run(files=self.spoiled(files, name, line, line.split("\n")[0] + "\n"), programs=200),
                     ".*", page)

    def test_a_counter_of_a_hart(self):
        self.is_found(self.hart, "hpm", HART, "hpm_counter.sv", "    if (!rst_ni) begin\n"
                      "      event_q  <= '0;\n")

    def test_a_core_pmu(self):
        self.is_found(self.core, "corepmu", CORE, "corepmu.sv", "    if (!rst_ni) begin\n"
                      "      enable_q     <= '0;\n")

    def test_a_pmcu(self):
        self.is_found(self.sampler, "pmcu", SAMPLER, "pmcu_regs.sv",
                      "      event_base_q <= '0;\n      kill_base_q  <= '0;\n")

    def test_an_uncore_block(self):
        self.is_found(self.monitor, "uncore", MONITOR, "uncore_counter.sv",
                      "      value_q <= '0;\n      flag_q  <= 1'b0;\n")

    def test_an_engine_of_a_core(self):
        self.is_found(self.collector, "imc", COLLECTOR, "imc_writer.sv",
                      "      next_q   <= '0;\n      number_q <= '0;\n")

    def test_a_nest(self):
        self.is_found(self.poster, "nest", POSTER, "nest_control.sv",
                      "      ring_q         <= '0;\n      delay_q        <= '0;\n")

    def test_what_only_a_second_reset_shows(self):
        for page, run, files, name, declared, line in [
                ("uncore", self.monitor, MONITOR, "uncore.sv", "ie_q, on_q, flags;",
                 "      freeze_q <= 1'b0;\n      ie_q     <= '0;\n"),
                ("pmcu", self.sampler, SAMPLER, "pmcu_regs.sv", "logic        comp_q;",
                 "      wait_cnt_q   <= pmcu_regs_pkg::WAIT_CNT_RESET;\n      comp_q       <= 1'b0;\n"),
                ("imc", self.collector, COLLECTOR, "imc_writer.sv", "[NrThread*32-1:0] number_q;",
                 "      next_q   <= '0;\n      number_q <= '0;\n"),
                ("nest", self.poster, POSTER, "nest_control.sv", "[27:0] delay_q;",
                 "      ring_q         <= '0;\n      delay_q        <= '0;\n"),
        ]:
            with self.subTest(unit=page):
                spoiled = self.spoiled(files, name, line, line.split("\n")[0] + "\n")
                path = self.folder / name
                text = path.read_text()
                self.assertEqual(text.count(declared), 1)
                path.write_text(text.replace(declared, declared.replace("_q", "_q = '0", 1)))
                result = run(files=spoiled, programs=200)
                self.differs(result, ".*", page)
                self.assertRegex(result.stdout, r"\n  settings: .*; reset in cycles \d+ to \d+\n")


unittest.main(argv=sys.argv[:1])
