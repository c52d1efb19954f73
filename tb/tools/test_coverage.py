#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage merged from four sources: counts add up, holes have names, and no file is lost. It makes a tiny
die that counts.

    test_coverage.py SOURCES BUILD WORK
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCES, BUILD, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
sys.path.insert(0, str(SOURCES / "tools" / "coverage"))
import code_coverage # noqa: E402
import holes # noqa: E402
import pins # noqa: E402
import report # noqa: E402

SCENARIO = """harts: {count: 1, counters: 1}
workloads:
  - cpus: all
    segments:
      - {cycles: 2000, mode: u, events: [{event: INST.RET, kind: random, rate: 0.5}]}
riscv:
  perf:
    - {events: [cycles, instructions, r5], start_us: 20, stop_us: 60}
"""


def count(file, line, kind, name, hits):
    """A row as Verilator writes it."""
    about = {"f": str(file), "l": str(line), "page": f"{kind}/module", "o": name, "h": "TOP.die"}
    return "C '" + "".join(f"\1{key}\2{value}" for key, value in about.items()) + f"' {hits}\n"


RTL = [SOURCES / "src/rtl" / file for file in (
    "bus/bus_path.sv", "bus/axi_mem_ctrl.sv", "hpm/hpm.sv", "hpm/hpm_access.sv", "hpm/hpm_counter.sv",
    "hpm/hpm_decode.sv", "hpm/hpm_lcofi.sv")]


class Merge(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(WORK / "merge", ignore_errors=True)
        (WORK / "merge").mkdir(parents=True)

    def test_counts_of_several_dies_add_up(self):
        tree = WORK / "merge"
        source = tree / "src/rtl/uncore/uncore.sv"
        files = [tree / "a.dat", tree / "b.dat"]
        files[0].write_text(count(source, 1, "v_line", "block", 0) +
                            count(source, 2, "v_branch", "else", 0) +
                            count(source, 3, "v_toggle", "ctl_q[0]", 0) +
                            count(source, 3, "v_toggle", "ctl_q[1]", 0) +
                            count(source, 3, "v_toggle", "ctl_q[2]", 7) +
                            count(source, 3, "v_toggle", "ctl_q[3]", 0) +
                            count("/elsewhere/die.sv", 1, "v_line", "block", 0))
        files[1].write_text(count(source, 1, "v_line", "block", 3) +
                            count(source, 2, "v_branch", "else", 0) +
                            count(source, 3, "v_toggle", "ctl_q[3]", 1))
        lines, bits = code_coverage.verilator(files, tree)
        second = (SOURCES / "src/rtl/uncore/uncore.sv").read_text().splitlines()[1].strip()
        self.assertEqual([str(hole) for hole in lines.holes],
                         [f"src/rtl/uncore/uncore.sv:2: else of: {second}"])
        self.assertEqual((lines.reached, len(lines.points)), (1, 2))
        self.assertEqual([str(hole) for hole in bits.holes],
                         ["src/rtl/uncore/uncore.sv:3: ctl_q[1:0]"])
        self.assertEqual((bits.reached, len(bits.points)), (2, 4))

    def test_nothing_counted_is_an_error(self):
        with self.assertRaises(code_coverage.Trouble):
            code_coverage.verilator([], WORK)
        with self.assertRaises(code_coverage.Trouble): # no model has written its counts
            code_coverage.gcov(WORK / "merge", BUILD)

    def test_bits_are_told_as_ranges(self):
        for bits, text in [([-1], ""), ([0], "[0]"), ([0, 1, 2], "[2:0]"), ([0, 4, 5, 7], "[7,5:4,0]")]:
            self.assertEqual(report.ranges(bits), text)


class Explained(unittest.TestCase):
    def table(self, text):
        (WORK / "explained").mkdir(parents=True, exist_ok=True)
        path = WORK / "explained" / "holes.txt"
        path.write_text(text)
        return path

    def test_a_star_stands_for_anything_and_all_else_for_itself(self):
        for pattern, text, fits in [("src/*.c", "src/models/a.c", True), ("a[0] <= b", "a[0] <= b", True),
                                    ("a[0] <= b", "a0 <= b", False), ("default:*", "default: x", True),
                                    ("default:", "default: x", False)]:
            self.assertEqual(holes.matches(pattern, text), fits, pattern)

    def test_what_has_a_reason_is_no_hole_that_is_asked_for(self):
        rows = holes.read(self.table("# comment\n\na.sv | default:* | no other values\n"
                                     "b.sv | * | of nobody\n"))
        group = report.Group("RTL: lines")
        for name, count in [("default: x = 1;", 0), ("y <= z;", 0), ("default: y = 1;", 3)]:
            group.add("a.sv", name, count, line=7)
        group.explain(rows)
        self.assertEqual([(h.name, h.reason) for h in group.holes],
                         [("default: x = 1;", "no other values"), ("y <= z;", None)])
        self.assertEqual([row.used for row in rows], [1, 0])
        self.assertIn("33.3 %; 1 explained, 66.7 % with them", report.summary([group]))
        told = report.text([group])
        self.assertIn("explained: a.sv:7: default: x = 1;: no other values", told)
        self.assertIn("not reached: a.sv:7: y <= z;", told)

    def test_a_row_has_three_parts(self):
        with self.assertRaises(holes.BadTable) as raised:
            holes.read(self.table("a.sv | default:*\n"))
        self.assertIn("holes.txt:1: expected 'PLACE | TEXT | REASON'", str(raised.exception))

    def test_ours_can_be_read(self):
        self.assertNotEqual(holes.read(holes.TABLE), [])


class TinyDie(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = WORK / "tiny"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "tiny.yaml").write_text(SCENARIO)
        (place / "dies.txt").write_text("tiny hpm.NrHart=1 hpm.NrCounter=1\n")
        cls.place = place
        cls.ended = cls.run_it("--die", "tiny", place / "tiny.yaml")
        cls.groups = {g["group"]: g for g in json.loads((place / "report.json").read_text())} \
            if cls.ended.returncode == 0 else {}

    @classmethod
    def run_it(cls, *words):
        return subprocess.run(
            [SOURCES / "tools/coverage.sh", "--code", "--build", BUILD, "--dies", cls.place / "dies.txt",
             "-o", cls.place, *words], capture_output=True, text=True)

    def holes(self, group, place):
        return [hole["name"] for hole in self.groups[group]["holes"] if hole["place"] == place]

    def test_it_ran(self):
        self.assertEqual(self.ended.returncode, 0, self.ended.stdout + self.ended.stderr)
        self.assertIn("1 scenarios, 0 of them did not end well", self.ended.stdout)

    def test_every_file_is_there(self):
        for group, files in [("models: lines", (SOURCES / "src/models/hpm").glob("*.c")),
                             ("RTL: lines", RTL), ("RTL: bits", RTL)]:
            told = {row["place"] for row in self.groups[group]["places"]}
            self.assertEqual({str(file.relative_to(SOURCES)) for file in files} - told, set())

    def test_what_ran_was_reached(self):
        self.assertEqual(self.holes("models: lines", "src/models/hpm/hpm_count.c").count(
            "count: counter->value = sum;"), 0)
        counted = "if (passes(filter_q, mode_i, v_i)) begin"
        self.assertNotIn(f"then of: {counted}", self.holes("RTL: lines", "src/rtl/hpm/hpm_counter.sv"))
        self.assertIn(counted, (SOURCES / "src/rtl/hpm/hpm_counter.sv").read_text())

    def test_units_that_are_not_there_are_left_out(self):
        for group in self.groups.values():
            for row in group["places"]:
                self.assertIn("hpm", row["place"].replace("/bus/", "/hpm/"))

    def test_holes_are_named(self):
        self.assertIn("read scountovf = 1..0xffffffff", "\n".join(self.holes("declared: fields", "hpm")))
        self.assertIn("hpm_pkg::TgtSiselect:   siselect_q   <= wdata[11:0];",
                      self.holes("RTL: lines", "src/rtl/hpm/hpm.sv"))
        self.assertIn("siselect_q[11:0]", self.holes("RTL: bits", "src/rtl/hpm/hpm.sv"))
        self.assertIn("put_siselect: WORD(siselect, uint32_t)",
                      self.holes("models: lines", "src/models/hpm/hpm_regs.c"))
        self.assertIn("siselect_q[11:0]", (self.place / "report.html").read_text())
        self.assertIn("not reached: src/rtl/hpm/", (self.place / "report.txt").read_text())

    def test_what_cannot_be_has_its_reason(self):
        told = {hole["name"]: hole["reason"] for hole in self.groups["RTL: lines"]["holes"]}
        self.assertEqual(told["default: state_d = PathIdle;"], "the state has no other values")
        self.assertIsNone(told["hpm_pkg::TgtSiselect:   siselect_q   <= wdata[11:0];"])
        self.assertIn("the state has no other values", (self.place / "report.html").read_text())

    # What no software of a scenario does.
    def test_programs_at_the_pins_reach_more(self):
        command, _, environment, units = code_coverage.make(
            self.place, BUILD, self.place / "dies.txt", ["tiny"])
        for old in self.place.glob("rtl/pins-*"):
            old.unlink()
        ran = pins.run(command, environment, SOURCES, self.place, units)
        self.assertEqual([(bench.unit, status) for bench, status, _ in ran], [("hpm", 0)], ran)
        lines, _ = code_coverage.verilator(self.place.glob("rtl/pins-*.dat"), self.place / "pins")
        left = [hole.name for hole in lines.holes if hole.place == "src/rtl/hpm/hpm.sv"]
        self.assertNotIn("hpm_pkg::TgtHtimedelta: begin", left)
        self.assertNotIn("hpm_pkg::TgtSiselect:   siselect_q   <= wdata[11:0];", left)

    def test_what_is_refused(self):
        ended = self.run_it("--die", "none")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("there is no die 'none': tiny", ended.stderr)


unittest.main(argv=sys.argv[:1])
