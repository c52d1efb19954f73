#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""countersink compare-unit: designs under other names agree, faults in them are found, and a MAP that
does not fit is refused with its place.

    test_compare_unit.py COUNTERSINK SOURCES CACHE
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from faulty import UNSEEN
from unit_case import CACHE, COMMAND, CORE, EXAMPLES, HART, SAMPLER, UnitCase

# What faulty.py does to a block.
UNCORE_FAULTS = ("flag", "width", "freeze", "half")
IOMMU_FAULTS = ("dmask", "guest", "event", "sticky", "inhibit")


def read_waves(path):
    """Signals by name, lists of (time, value): what GTKWave's own reader has."""
    signals, ids, scopes, time = {}, {}, [], 0
    text = subprocess.run(["fst2vcd", path], check=True, capture_output=True, text=True).stdout
    for words in filter(None, map(str.split, text.splitlines())):
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            signals[".".join([*scopes, words[4]])] = ids.setdefault(words[3], [])
        elif words[0][0] == "#":
            time = int(words[0][1:])
        elif words[0][0] == "b":
            ids[words[1]].append((time, int(words[0][1:].replace("x", "0"), 2)))
        elif words[0][0] in "01" and words[0][1:] in ids:
            ids[words[0][1:]].append((time, int(words[0][0])))
    return signals


def value_at(changes, time):
    return [value for when, value in changes if when <= time][-1]


class CompareUnit(UnitCase):
    def test_a_renamed_counter_block_agrees(self):
        result = self.hart()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        match = re.match(r"EQUAL: 30 programs, (\d+) cycles, (\d+) accesses \((\d+) refused\), "
                         r"(\d+) interrupt edges\n$", result.stdout)
        self.assertTrue(match, result.stdout)
        cycles, accesses, refused, edges = map(int, match.groups())
        self.assertGreater(cycles, 60000)
        self.assertGreater(accesses - refused, 10000)
        self.assertGreater(edges, 100)

    def test_an_mhpmevent_that_is_a_set(self):
        for settings, rtl in [
                ("event_set: 2", None),
                ("event_set: 1", "$countones(events & chosen[n])"),
        ]:
            with self.subTest(settings=settings):
                files = [EXAMPLES / "event_sets.sv"]
                if rtl:
                    files = self.spoiled(files, "event_sets.sv", "|(events & chosen[n])", rtl)
                given = self.changed_map("event_set: 2", settings, "event_sets.yaml")
                result = self.sets(rtl=files[0], map_file=given)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                other = self.changed_map("event_set: 2", f"event_set: {3 - int(settings[-1])}",
                                         "event_sets.yaml")
                self.differs(self.sets(rtl=files[0], map_file=other), "csr_rdata_o", "hpm")

    def test_a_fault_in_a_set_is_found(self):
        for old, new in [("|(events & chosen[n])", "|(events[4:0] & chosen[n][4:0])"),
                         ("chosen[4]         <= csr_wdata[5:0]", "chosen[4] <= csr_wdata[5:0] & 6'h3b")]:
            with self.subTest(fault=new):
                rtl = self.spoiled([EXAMPLES / "event_sets.sv"], "event_sets.sv", old, new)
                self.differs(self.sets(rtl=rtl[0]), "csr_rdata_o", "hpm")

    def test_an_mhpmevent_with_legal_numbers_alone(self):
        write = "if (write_setup_i[0] && has_event_i) event_q <= wdata_i[15:0];"
        for said, rtl in [
                ("legal_events: 0x8000000000100039", "event_q <= legal ? wdata_i[15:0] : '0;"),
                ("legal_events: 0x8000000000100039, illegal_event: 1",
                 "if (legal) event_q <= wdata_i[15:0];"),
                ("event_mask: 0x37", "event_q <= wdata_i[15:0] & 16'h37;"),
        ]:
            with self.subTest(said=said):
                files = self.spoiled(HART, "hpm_counter.sv", write, """
      if (write_setup_i[0] && has_event_i) begin
        automatic logic legal = wdata_i[15:0] < 16'd64 && 64'h8000000000100039 >> wdata_i[5:0] & 64'd1;
        """ + rtl + "\n      end")
                given = self.changed_map("ports:", f"settings: {{{said}}}\nports:")
                result = self.hart(files, given)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.differs(self.hart(files), "csr_rdata_o", "hpm")

    def test_examples_with_events_of_their_own_kind_agree(self):
        for name, map_file in [("listed_events", "listed_events.yaml"),
                               ("listed_events", "listed_events_keep.yaml"),
                               ("event_sums", "event_sums.yaml")]:
            with self.subTest(map=map_file):
                result = self.hart_example(name, map_file)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                match = re.match(r"EQUAL: 200 programs, \d+ cycles, \d+ accesses \(0 refused\), "
                                 r"(\d+) interrupt edges\n", result.stdout)
                self.assertTrue(match, result.stdout)
                self.assertGreater(int(match[1]), 1000)

    def test_what_becomes_of_an_event_that_is_not_listed(self):
        for old, new, name in [
                ("parameters: {Keep: 1}\n", "", "listed_events_keep.yaml"),
                ("ports:", "parameters: {Keep: 1}\nports:", "listed_events.yaml"),
        ]:
            with self.subTest(map=name):
                given = self.changed_map(old, new, name)
                self.differs(self.hart_example("listed_events", given), "csr_rdata_o", "hpm")

    def test_faults_in_events_of_their_own_kind_are_found(self):
        for name, faults in [("listed_events", ("high", "two", "mode", "carry")),
                             ("event_sums", ("last", "carry"))]:
            result = self.hart_example(name, rtl=self.faulty(name)[0])
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            for fault in faults:
                with self.subTest(design=name, fault=fault):
                    rtl = self.faulty(name, fault)
                    self.differs(self.hart_example(name, rtl=rtl[0]), "csr_rdata_o|lcofi_o", "hpm")

    def test_settings_of_events_that_do_not_fit(self):
        given = self.changed_map("event_set: 2", "event_set: 2, legal_events: 6", "event_sets.yaml")
        self.refused(self.sets(map_file=given), 2, "legal_events are numbers, and event_set has none")

    def test_faults_in_it_are_found(self):
        for fault, pin in [("pending", "lcofi_o|csr_rdata_o"), ("index", "csr_exc_o|csr_rdata_o")]:
            with self.subTest(fault=fault):
                result = self.hart(self.faulty("hart", fault), programs=100)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"^DIFFERENT in the program of seed \d+ at cycle "
                                 rf"\d+, ({pin}): model 0x")
                self.assertIn("  see docs/hw/hpm.md, \"", result.stdout)
                self.assertRegex(result.stdout, r"\n  > +\d+  \S.*  (0x|csr_exc_o \d +(0x|done))")
                again = re.search(r"again: --seed (\d+) --programs 1;", result.stdout)
                self.assertTrue(again)

    def test_the_core_pmu_agrees(self):
        result = self.core()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"^EQUAL: 60 programs, ")

    def test_a_fault_in_the_core_pmu_is_found(self):
        result = self.core(self.faulty("core", "offline"), seed=2)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for text in ('see docs/hw/corepmu.md, "Overflow interrupt"', "what is read, of PMINTEN",
                     "    P          [30:0]  model 0x"):
            self.assertIn(text, result.stdout)

    def test_a_renamed_pmcu_agrees(self):
        result = self.sampler(programs=200)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        match = re.match(r"EQUAL: 200 programs, \d+ cycles, (\d+) accesses \((\d+) refused\), "
                         r"(\d+) interrupt edges, (\d+) transfers\n  not compared: "
                         r"awburst_o, arburst_o \(no port\); 0x800-0x804, 0x838-0x83c \(leaves_out\)\n$", result.stdout)
        self.assertTrue(match, result.stdout)
        accesses, refused, edges, transfers = map(int, match.groups())
        self.assertGreater(accesses - refused, 50000)
        self.assertGreater(edges, 1000)
        self.assertGreater(transfers, 20000)

    def test_what_a_pmcu_leaves_out_is_not_touched(self):
        given = self.changed_map("leaves_out: [", "leaves_out: [0x044, 0x200-0x23f, ",
                                 "sampler.yaml")
        result = self.sampler(SAMPLER, given, 20, "--registers")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\n  0x038 FSM_CTRL +\d+ read")
        self.assertNotRegex(result.stdout, r"\n  0x(044|20.) ")

    def test_faults_made_without_the_programs_are_found(self):
        for design, faults in UNSEEN.items():
            compare = getattr(self, design)
            for fault in faults:
                with self.subTest(design=design, fault=fault):
                    result = compare(self.faulty(design, fault), programs=200)
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)

    def test_faults_in_a_pmcu_are_found(self):
        for fault, pin in [("response", "reg_rdata_o|state_o|awv"), ("interrupt", "irq_o|reg_rdata_o")]:
            with self.subTest(fault=fault):
                result = self.sampler(self.faulty("sampler", fault), programs=2000)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, rf"^DIFFERENT in .* cycle \d+, ({pin})")
                self.assertIn("docs/hw/pmcu.md", result.stdout)
                self.assertRegex(result.stdout, r"\n +\d+  (port \d (read|wrote) 0x|write [A-Z])")

    def test_a_map_of_a_pmcu_that_does_not_fit(self):
        for old, new, text in [
                ("late: {irq_o: 1, arvalid_o: 1}", "late: {irq_o: 1}", None),
                ("  nr_slot_i: cores", "", "slots: the MAP must say how many each cluster has"),
                ("m_araddr", "m_arlen", "'m_arlen' has 16 bits, and 'araddr_o' 256"),
        ]:
            with self.subTest(map=new):
                result = self.sampler(map_file=self.changed_map(old, new, "sampler.yaml"))
                if text is None: # the read is not there in the page's cycle
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                    self.assertIn("arvalid_o: model 0x1, RTL 0x0", result.stdout)
                else:
                    self.refused(result, 2, text)

    def test_a_renamed_uncore_block_agrees(self):
        result = self.monitor(programs=1000)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        match = re.match(r"EQUAL: 1000 programs, \d+ cycles, (\d+) accesses \((\d+) refused\), "
                         r"(\d+) interrupt edges\n  not compared: 0x808-0x81f \(leaves_out\)\n"
                         r"  hardly exercised: .* MATCH.* and \d+ more \(--registers has the figures\)\n$",
                         result.stdout)
        self.assertTrue(match, result.stdout)
        accesses, refused, edges = map(int, match.groups())
        self.assertGreater(accesses - refused, 1000000)
        self.assertGreater(edges, 10000)

    def test_faults_in_an_uncore_block_are_found(self):
        for fault in UNCORE_FAULTS:
            with self.subTest(fault=fault):
                result = self.monitor(self.faulty("monitor", fault), programs=1000)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"^DIFFERENT in .* cycle \d+, (irq_o|reg_rdata_o)")
                self.assertIn("docs/hw/uncore.md", result.stdout)

    def test_the_monitor_of_an_iommu_agrees(self):
        result = self.iommu()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        match = re.match(r"EQUAL: 60 programs, \d+ cycles, (\d+) accesses \((\d+) refused\), (\d+) interrupt edges\n$",
                         result.stdout)
        self.assertTrue(match, result.stdout)
        accesses, refused, edges = map(int, match.groups())
        self.assertGreater(accesses - refused, 50000)
        self.assertGreater(edges, 1000)

    def test_faults_in_the_monitor_of_an_iommu_are_found(self):
        for fault in IOMMU_FAULTS:
            with self.subTest(fault=fault):
                result = self.iommu(self.faulty("iommu", fault))
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"^DIFFERENT in .* cycle \d+, (irq_o|reg_rdata_o)")
                self.assertIn("docs/hw/iommu_hpm.md", result.stdout)

    # One record, whose events are a wire each, of devices that have neither processes nor guests.
    def test_the_monitor_of_an_iommu_with_few_ports(self):
        path = self.folder / "few.yaml"
        path.write_text("unit: iommu_hpm\ntie: {gscv_i: 0, gscid_i: 0, pscv_i: 0, pscid_i: 0, pv_i: 0, pid_i: 0}\n"
                        "ports:\n" + "".join(f"  {pin}: {pin}\n" for pin in (
                            "clk_i", "rst_ni", "counters_i", "width_i", "reg_en_i", "reg_write_i", "reg_addr_i",
                            "reg_wide_i", "reg_wdata_i", "reg_rdata_o", "irq_o")) +
                        "  valid_i: {port: valid_i, count: 1}\n  did_i: {port: did_i, count: 1}\n"
                        "  inc_i: {port: inc_i, count: 8}\n")
        result = self.iommu(map_file=path, programs=20)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\(0 refused\)[^$]*held: no port")

    def test_an_uncore_block_without_tags_and_errors(self):
        text = (EXAMPLES / "link_monitor.yaml").read_text()
        for line in ("  match_o: {port: match, count: 6}\n", "  mask_o: {port: mask, count: 6}\n",
                     "  reg_err_o: refused\n", "  reg_wide_i: double\n", "  extended_i: by_tags\n"):
            self.assertIn(line, text)
            text = text.replace(line, "")
        text = text.replace("reg_err_o: 1, ", "").replace(
            "tie: {scan_enable: 0}", "tie: {scan_enable: 0, double: 0, by_tags: 0}")
        path = self.folder / "map.yaml"
        path.write_text(text)
        result = self.monitor(map_file=path)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("(0 refused)", result.stdout)
        self.assertIn("not compared: reg_err_o (no port); 0x808-0x81f (leaves_out); reg_wide_i (held",
                      result.stdout)
        path.write_text(text.replace("unit: uncore", "settings: {extended: 1}"))
        self.refused(self.monitor(map_file=path), 2, "extended is 1, and match_o or mask_o has no port")
        path.write_text(text.replace("  counters_i: how_many\n", "")
                        .replace("unit: uncore", "settings: {counters: 7}").replace("scan_enable: 0,", "scan_enable: 0, how_many: 6,"))
        self.refused(self.monitor(map_file=path), 2, "'settings: {counters: 6}', or more fields")

    def test_it_tells_what_was_done_to_registers(self):
        result = self.run_it("corepmu", "--rtl", *CORE, "--top", "corepmu", "--map",
                             EXAMPLES / "core_pmu.yaml", "--programs", 2, "--registers")
        self.assertRegex(result.stdout, r"\n  0xc00 PMCNTENSET +\d+ read +\d+ written +\d+ refused, bits 0x[1-9a-f][0-9a-f]+, in a guest\n")

    def test_it_says_what_was_hardly_exercised(self):
        """Bits that were read as 0 and as 1, the modes in which a register was reached, and those seldom written."""
        result = self.run_it("hpm", "--rtl", *HART, EXAMPLES / "hart_counters.sv", "--top", "hart_counters", "--map",
                             EXAMPLES / "hart_counters.yaml", "--programs", 60, "--registers")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = dict(re.findall(r"\n  0x... (\w+) +\d+ read .*, bits (0x\w+.*)", result.stdout))
        self.assertEqual(int(rows["minstret"].split(",")[0], 16), 2 ** 64 - 1)
        self.assertIn(", in M", rows["minstret"])
        self.assertNotIn("in S", rows["minstret"])
        self.assertLessEqual({"in U", "in S", "in M"}, set(rows["cycle"].split(", ")[1:]))
        hardly = re.search(r"\n  hardly exercised: (.*?)(?: and (\d+) more)? \(--registers", result.stdout)
        figures = re.findall(r"\n  (0x... \S+) +(\d+) read +(\d+) written", result.stdout)
        seldom = [name for name, reads, writes in figures if 0 < (int(writes) or int(reads)) < 3]
        self.assertEqual(hardly.group(1).split(", ") if hardly else [], seldom[:8])
        self.assertEqual(int(hardly.group(2) or 0) if hardly else 0, len(seldom[8:]))

    def test_counters_that_count_later(self):
        result = self.hart_example("late_counters", programs=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for late in ("instret_inc_i: 1}", "instret_inc_i: 2, events_i: 2}", "instret_inc_i: 1, events_i: 1}",
                     "instret_inc_i: 1, events_i: 3}", "events_i: 2}"):
            with self.subTest(late=late):
                given = self.changed_map("instret_inc_i: 1, events_i: 2}", late, "late_counters.yaml")
                result = self.hart_example("late_counters", map_file=given, programs=60)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.refused(self.hart(map_file=self.changed_map("lcofi_o: 2}", "inc_i: 2}")), 2, "'inc_i' is an input",
                     "answer no output")

    def test_maps_that_do_not_fit(self):
        for old, new, texts in [
                ("late:", "lates:", ["there is no key 'lates'; did you mean 'late'?", ":36:1"]),
                ("  mode_i: prv", "  modes: prv", ["there is no pin 'modes'; did you mean 'mode"]),
                ("mode_i: prv", "mode_i: prw", ["no port 'prw'; did you mean 'prv'?"]),
                ("mode_i: prv", "mode_i: retired", ["'retired' has 4 bits, and 'mode_i' 2"]),
                ("mode_i: prv", "mode_i: trap", ["'trap' is an output, and 'mode_i' an input"]),
                ("field: 6, first: 3", "field: 5, first: 3", ["has 174 bits, and 'inc_i' 145"]),
                ("field: 6, first: 3", "field: 6, firts: 3", ["did you mean 'first'?"]),
                ("field: 6, first: 3", "field: 6, first: 3, count: 30", ["has 32 fields"]),
                ("tie: {scan_enable: 0}", "", ["input 'scan_enable' has neither a pin"]),
                ("scan_enable: 0", "scan_enabled: 0", ["did you mean 'scan_enable'?"]),
                # What would run, in a simulator or a shell.
                ("scan_enable: 0", "scan_enable: '$system(\"touch TIED\")'",
                 ["expected a number or the name of a parameter", ":34:"]),
                ("{Counters: 29}", "{Counters: '29)) u_x (.scan ($system(\"touch TIED\"))'}",
                 ['expected a number, or a text in ""']),
                ("{Counters: 29}", "{Counters: '\"29\\\"'}", ['expected a number, or a text in ""']),
                ("{Counters: 29}", "{'Counters (29), .X': 1}", ["expected a name"]),
                ("tie: {", "tie: {'scan (0), .x': 0, ", ["expected a name"]),
                ("  csr_addr_i: number\n", "", ["the pin 'csr_addr_i' (its CSR) has no port"]),
                ("unit: hpm", "unit: pmcu", ["found 'pmcu', and the command line says 'hpm'"]),
                ("unit: hpm", "settings: {xlen: 33}", ["xlen is 32 or 64"]),
                ("unit: hpm", "settings: {modes: 4}", ["expected a number from 0 to 3"]),
                ("lcofi_o: 2}", "mode_i: 2}", ["'mode_i' is an input"]),
                ("lcofi_o: 2}", "lcofi_o: 99}", ["expected a number from 0 to 31"]),
                ("0xb03: 0x7c3", "0x1b03: 0x7c3", ["expected a number up to 0xfff"]),
                ("unit: hpm", "leaves_out: [a]", ["or FIRST-LAST"]),
                ("  event_o: selected\n", "", ["inc_i says what event_o asks for"]),
        ]:
            with self.subTest(map=new):
                self.refused(self.hart(map_file=self.changed_map(old, new)), 2, *texts)

    def test_what_is_not_there(self):
        before = set(os.listdir(CACHE)) if CACHE.exists() else set()
        self.refused(self.hart(files=[self.folder / "none.sv"]), 3, "none.sv")
        self.refused(self.hart(map_file=self.folder / "none.yaml"), 3, "none.yaml")
        self.refused(self.hart(PATH=str(self.folder)), 2, "verilator", "install")
        broken = self.folder / "broken.sv"
        broken.write_text("module broken (input logic clk;\nendmodule\n")
        self.refused(self.run_it("hpm", "--rtl", broken, "--top", "broken", "--map",
                                 EXAMPLES / "hart_counters.yaml"), 2, "broken.sv:1")
        self.assertEqual(set(os.listdir(CACHE)) if CACHE.exists() else set(), before)

    def test_nothing_is_not_equal(self):
        result = self.hart(map_file=self.changed_map("unit: hpm", "leaves_out: [0x000-0xfff]"),
                           programs=2)
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.assertIn("UNDECIDED: no register was accessed in 2 programs", result.stdout)

    def test_what_a_map_leaves_out_is_held_on_both_sides(self):
        result = self.small("--registers")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("\n  not compared: csr_exc_o, lcofi_o (no port); mode_i, ", result.stdout)
        self.assertIn("cycle_inc_i, inc_i, events_i (held: no port)\n", result.stdout)
        for register in ("mcycle", "mcycleh", "minstret", "minstreth", "mcountinhibit"):
            self.assertRegex(result.stdout, rf"\n  0x... {register} +[1-9]\d+ read")

    def test_each_pin_of_a_core_pmu_may_be_left_out(self):
        text = (EXAMPLES / "core_pmu.yaml").read_text()
        without = ["mode_i", "pc_i", "cid1_i", "cid2_i", "cycle_inc_i", "offline_i", "locked_i",
                   "reg_wide_i", "sys_write_i", "sys_guest_i", "sys_wdata_i", "hpmn_i", "hpme_i"]
        held = {"cycle_inc_i": "8'd1", "hpmn_i": "5'd31", "hpme_i": "1'b1", "spme_i": "1'b1"}
        for name in without:
            text = re.sub(rf"\n  {name}: .*", "", text)
        path = self.folder / "map.yaml"
        path.write_text(text + "tie: {" + ", ".join(
            f'{name}: "{held.get(name, 0)}"' for name in without) + "}\n")
        result = self.run_it("corepmu", "--rtl", *CORE, "--top", "corepmu", "--map", path,
                             "--programs", 60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("pc_i, cid1_i, cid2_i (held: no port)", result.stdout)

    def test_one_wire_is_an_increment_of_0_or_1(self):
        rtl = self.spoiled([EXAMPLES / "two_counters.sv"], "two_counters.sv",
                           "instructions + 64'(retire)", "instructions + 64'd1")[0]
        result = self.small(rtl=rtl)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"what is read, of m?instreth?\b|the old value, of m?instret")
        self.assertIn('see docs/hw/hpm.md, "', result.stdout)

    def test_what_does_not_fit_says_what_to_write(self):
        for old, new, text, name, run in [
                ("xlen: 32, ", "", "'settings: {xlen: 32}' says that it is 32", "two_counters.yaml",
                 self.small),
                ("  csr_write_i: csr_we", "  csr_op_i: csr_we", "csr_op_i is carried out with",
                 "two_counters.yaml", self.small),
                ("  counters_i: have\n", "", "'settings: {counters: 0xfffff8}' are those that have",
                 "hart_counters.yaml", self.hart),
        ]:
            with self.subTest(text=text):
                given = self.changed_map(old, new, name)
                given.write_text(given.read_text().replace("field: 6, first: 3",
                                                           "field: 6, first: 3, count: 21"))
                self.refused(run(map_file=given), 2, text)

    def test_json(self):
        result = self.small("--json")
        said = json.loads(result.stdout)
        self.assertEqual((result.returncode, said["outcome"]), (0, "equal"))
        self.assertGreater(said["outputs"]["csr_rdata_o"], 1000)
        self.assertIn("lcofi_o", said["not_compared"])
        rtl = self.spoiled([EXAMPLES / "two_counters.sv"], "two_counters.sv", "inhibit[0]", "inhibit[1]")
        result = self.small("--json", rtl=rtl[0])
        said = json.loads(result.stdout)
        self.assertEqual((result.returncode, said["outcome"]), (1, "different"))
        row = said["rows"][said["first_row"]]
        self.assertEqual((row["cycle"], row["differs"]), (said["cycle"], True))
        self.assertEqual([(o["pin"], o["model"], o["rtl"]) for o in row["outputs"]][0],
                         (said["pin"], said["model"], said["rtl"]))
        self.assertIn(said["register"], row["text"])
        self.assertTrue(all(not r["differs"] for r in said["rows"][:said["first_row"]]))
        self.assertEqual(said["section"]["page"], "docs/hw/hpm.md")

    def test_waves(self):
        rtl = self.spoiled([EXAMPLES / "two_counters.sv"], "two_counters.sv", "inhibit[0]", "inhibit[1]")
        waves = self.folder / "w.fst"
        result = self.small("--json", "--waves", waves, rtl=rtl[0])
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        said = json.loads(result.stdout)
        self.assertIn(f"gtkwave {waves}.gtkw", result.stderr)
        signals = read_waves(waves)
        at = 10 * said["cycle"] + 9
        for side, name in (("model", "model"), ("rtl", "rtl")):
            self.assertEqual(value_at(signals[f"view.csr_rdata_o.{name}"], at), int(said[side], 0))
        self.assertEqual(value_at(signals["TOP.csr_rdata_o"], at) & 0xffffffff, int(said["rtl"], 0))
        self.assertEqual(value_at(signals["view.cycle"], at), said["cycle"])
        self.assertIn("TOP.pins.u_theirs.inhibit", signals)
        lines = pathlib.Path(f"{waves}.gtkw").read_text().splitlines()
        self.assertTrue(any(line.startswith(f"*-5.5 {10 * said['cycle']} ") for line in lines))
        names = [re.sub(r".* |\[.*", "", line) for line in lines
                 if re.search(r"(view|TOP)\.", line) and line[0] != "["]
        self.assertEqual([n for n in names if n not in signals], [])
        self.assertEqual(names[2:4], ["view.csr_rdata_o.model", "view.csr_rdata_o.rtl"])
        self.refused(self.small("--waves", self.folder / "no/w.fst"), 3, "no")

    def test_increments_are_those_of_the_waves(self):
        waves = self.folder / "w.fst"
        result = self.monitor(self.faulty("monitor", "width"), EXAMPLES / "link_monitor.yaml", 200,
                              "--json", "--waves", waves)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        said = json.loads(result.stdout)
        signal = read_waves(waves)["TOP.inc_i"]
        before, now = (value_at(signal, 10 * cycle + 9) for cycle in (said["cycle"] - 1, said["cycle"]))
        fields = [(before >> 4 * n & 15, now >> 4 * n & 15) for n in range(16)]
        self.assertEqual([(n, *of) for n, of in enumerate(fields) if any(of)],
                         [(i["field"], i["before"], i["increment"]) for i in said["increments"]])
        self.assertTrue(before and now)
        first = ", ".join(f"inc_i[{n}] +{of[0]}" for n, of in enumerate(fields) if of[0])
        self.assertIn(f"\n  increments of cycle {said['cycle'] - 1}: {first}\n",
                      self.monitor(self.faulty("monitor", "width")).stdout)

    def test_bad_use(self):
        self.refused(self.run_it(), 2, "expected a unit")
        self.refused(self.run_it("hpn"), 2, "did you mean 'hpm'?")
        self.refused(self.run_it("hpm"), 2, "--rtl FILE")
        self.refused(self.run_it("hpm", "--rtl", HART[0]), 2, "--top MODULE")
        self.refused(self.run_it("hpm", "--rtl", HART[0], "--top", "x"), 2, "--map FILE")
        self.refused(self.run_it("hpm", "--programs", "0"), 2, "--programs: found '0'")

    def test_the_help_has_pins_and_keys(self):
        self.assertIn("leaves_out", self.run_it("--help").stdout)
        for unit, text in (("hpm", "csr_rdata_o"), ("hpm", "lcofi_latency"), ("corepmu", "reg_rdata_o"),
                           ("pmcu", "awvalid_o"), ("pmcu", "sample_bytes_o")):
            result = subprocess.run([COMMAND, "help", "compare-unit", unit], capture_output=True,
                                    text=True, check=True)
            self.assertIn(text, result.stdout)


unittest.main(argv=sys.argv[:1])
