# SPDX-License-Identifier: Apache-2.0
"""What the tests of compare-unit share: the sources of the examples, and how a design is held.

A test is called with COUNTERSINK SOURCES CACHE.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND, SOURCES, CACHE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
EXAMPLES = SOURCES / "docs/examples/your_rtl"


def sources(*names):
    return [SOURCES / "src" / name for name in names]


HART = [SOURCES / "src/rtl/hpm/hpm_pkg.sv"] + sorted(
    f for f in (SOURCES / "src/rtl/hpm").glob("hpm*.sv") if f.stem not in ("hpm_pkg", "hpm_unit"))
CORE = [SOURCES / "src/regs/gen/corepmu_regs_pkg.sv"] + sorted(
    (SOURCES / "src/rtl/corepmu").glob("*.sv"))
SAMPLER = sources(
    "regs/gen/corepmu_regs_pkg.sv", "regs/gen/pmcu_regs_pkg.sv", "rtl/bus/bus_pkg.sv",
    "rtl/bus/reg_bus_pkg.sv", "rtl/pmcu/pmcu_pkg.sv", "rtl/pmcu/pmcu_regs.sv",
    "rtl/pmcu/pmcu_fsm.sv", "rtl/pmcu/pmcu_lane.sv", "rtl/pmcu/pmcu_engine.sv",
    "rtl/pmcu/pmcu_buffer.sv", "rtl/pmcu/pmcu.sv")

MONITOR = sources("rtl/uncore/uncore_counter.sv", "rtl/uncore/uncore.sv")
IOMMU = sources(*(f"rtl/iommu_hpm/iommu_hpm{part}.sv" for part in ("_counter", "_filter", "")))
COLLECTOR = sources("rtl/bus/bus_pkg.sv", *(f"rtl/imc/imc_{part}.sv" for part in (
    "pkg", "window", "cpmc", "trace", "post", "writer", "core")))
POSTER = sources("regs/gen/nest_rows_pkg.sv", "regs/gen/nest_p10_rows_pkg.sv", "rtl/bus/bus_pkg.sv",
                 *(f"rtl/nest/nest{part}.sv" for part in (
                     "_pkg", "_ticker", "_control", "_counter", "_counters", "_engine", "_writer", "")))


class UnitCase(unittest.TestCase):
    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temp.name)
        self.environment = {}

    def tearDown(self):
        self.temp.cleanup()

    def run_it(self, *arguments, **environment):
        return subprocess.run([COMMAND, "compare-unit", *map(str, arguments)],
                              capture_output=True, text=True,
                              env={**os.environ, "COUNTERSINK_CACHE": str(CACHE),
                                   **self.environment, **environment})

    def hart(self, files=HART, map_file=EXAMPLES / "hart_counters.yaml", programs=30, **more):
        return self.run_it("hpm", "--rtl", *files, EXAMPLES / "hart_counters.sv", "--top",
                           "hart_counters", "--map", map_file, "--programs", programs, **more)

    def core(self, files=CORE, programs=60, seed=1):
        return self.run_it("corepmu", "--rtl", *files, "--top", "corepmu", "--map",
                           EXAMPLES / "core_pmu.yaml", "--programs", programs, "--seed", seed)

    def sampler(self, files=SAMPLER, map_file=EXAMPLES / "sampler.yaml", programs=60, *more):
        return self.run_it("pmcu", "--rtl", *files, EXAMPLES / "sampler.sv", "--top", "sampler",
                           "--map", map_file, "--programs", programs, *more)

    def small(self, *more, map_file=EXAMPLES / "two_counters.yaml", rtl=EXAMPLES / "two_counters.sv"):
        return self.run_it("hpm", "--rtl", rtl, "--top", "two_counters", "--map", map_file,
                           "--programs", 20, *more)

    def sets(self, *more, map_file=EXAMPLES / "event_sets.yaml", rtl=EXAMPLES / "event_sets.sv"):
        return self.run_it("hpm", "--rtl", rtl, "--top", "event_sets", "--map", map_file,
                           "--programs", 20, *more)

    def hart_example(self, name, map_file=None, rtl=None, programs=200):
        return self.run_it("hpm", "--rtl", rtl or EXAMPLES / f"{name}.sv", "--top", name, "--map",
                           EXAMPLES / (map_file or f"{name}.yaml"), "--programs", programs)

    def monitor(self, files=MONITOR, map_file=EXAMPLES / "link_monitor.yaml", programs=200, *more):
        return self.run_it("uncore", "--rtl", *files, EXAMPLES / "link_monitor.sv", "--top",
                           "link_monitor", "--map", map_file, "--programs", programs, *more)

    def iommu(self, files=IOMMU, map_file=EXAMPLES / "iommu_monitor.yaml", programs=60):
        return self.run_it("iommu_hpm", "--rtl", *files, "--top", "iommu_hpm", "--map", map_file,
                           "--programs", programs)

    def spoiled(self, files, name, old, new):
        """The files, in one of which `old` is `new`."""
        out = []
        for file in files:
            text = file.read_text()
            if file.name == name:
                self.assertEqual(text.count(old), 1, f"{name}: {old}")
                file = self.folder / name
                file.write_text(text.replace(old, new))
            out.append(file)
        return out

    def faulty(self, design, fault=None):
        """The files of the design in which all its faults are; what runs then has this one."""
        from faulty import environment_of, files_of # it has our designs
        self.environment = environment_of(design, fault)
        return files_of(design)

    def changed_map(self, old, new, name="hart_counters.yaml"):
        text = (EXAMPLES / name).read_text()
        self.assertIn(old, text)
        path = self.folder / "map.yaml"
        path.write_text(text.replace(old, new))
        return path

    def refused(self, result, status, *texts):
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)
        self.assertEqual(result.stdout, "")

    def collector(self, files=COLLECTOR, map_file=EXAMPLES / "core_collector.yaml", programs=200, *more):
        return self.run_it("imc", "--rtl", *files, EXAMPLES / "core_collector.sv", "--top",
                           "core_collector", "--map", map_file, "--programs", programs, *more)

    def poster(self, unit="nest", files=POSTER, programs=200, *more, map_file=None):
        map_file = map_file or EXAMPLES / f"chip_poster{unit[4:]}.yaml"
        return self.run_it(unit, "--rtl", *files, EXAMPLES / "chip_poster.sv", "--top", "chip_poster",
                           "--map", map_file, "--programs", programs, *more)

    def differs(self, result, pins, page):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, rf"^DIFFERENT in the program of seed \d+ at cycle \d+, ({pins}): ")
        self.assertIn(f"  see docs/hw/{page}.md", result.stdout)
