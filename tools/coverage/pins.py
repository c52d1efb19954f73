# SPDX-License-Identifier: Apache-2.0
"""Random programs at the pins of units (countersink compare-unit), on RTL that counts: what software on a die
does not do, as accesses that are refused."""
import dataclasses
import shutil
import subprocess


EXAMPLES = "docs/examples/your_rtl"
SEED = 1
# A program has a design of its own, which ends with it: each writes a file.
WRITES = """
  final $c("if (const char *to = std::getenv(\\"CS_CODE_COVERAGE\\")) {",
           "static unsigned n;",
           "vlSymsp->_vm_contextp__->coveragep()->write((to + std::to_string(n++) + \\".dat\\").c_str());",
           "}");
"""


@dataclasses.dataclass
class Bench:
    unit: str    # of compare-unit
    die: str     # the unit of a die that has it
    counts: str  # a module of it that is there once
    top: str
    files: tuple # beside those of the RTL
    map: str
    programs: int


BENCHES = (
    Bench("hpm", "hpm", "src/rtl/hpm/hpm.sv", "hart_counters", ("hart_counters.sv",),
          "hart_counters.yaml", 60),
    Bench("corepmu", "pmcu", "src/rtl/corepmu/corepmu.sv", "corepmu", (), "core_pmu.yaml", 60),
    Bench("pmcu", "pmcu", "src/rtl/pmcu/pmcu.sv", "sampler", ("sampler.sv",), "sampler.yaml", 60),
    Bench("uncore", "uncore", "src/rtl/uncore/uncore.sv", "link_monitor", ("link_monitor.sv",),
          "link_monitor.yaml", 60),
    Bench("iommu_hpm", "iommu_hpm", "src/rtl/iommu_hpm/iommu_hpm.sv", "iommu_hpm", (),
          "iommu_monitor.yaml", 60),
    Bench("imc", "imc", "src/rtl/imc/imc_core.sv", "core_collector", ("core_collector.sv",),
          "core_collector.yaml", 60),
    Bench("nest", "nest", "src/rtl/nest/nest.sv", "chip_poster", ("chip_poster.sv",),
          "chip_poster.yaml", 30),
    Bench("nest10", "nest10", "src/rtl/nest/nest.sv", "chip_poster", ("chip_poster.sv",),
          "chip_poster10.yaml", 30),
)


def make_tree(root, place):
    """The RTL, in which each of these modules writes what it has counted."""
    tree = place / "pins"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("src/rtl", "src/regs/gen"):
        shutil.copytree(root / folder, tree / folder)
    for counts in {bench.counts for bench in BENCHES}:
        source = tree / counts
        text = source.read_text()
        at = text.rindex("endmodule")
        source.write_text(text[:at] + WRITES + text[at:])
    return tree


def run(command, environment, root, place, units):
    """Those whose unit is in `units` (None: all). (bench, status, what was printed) of each."""
    benches = [b for b in BENCHES if units is None or b.die in units]
    tree = make_tree(root, place)
    found = {source: None for pattern in (tree / "src/rtl/sources.txt").read_text().split()
             for source in sorted(tree.glob(pattern))} # packages first, each file once
    sources = list(found)
    results = []
    for bench in benches:
        words = [command, "compare-unit", bench.unit, "--rtl", *sources,
                 *(root / EXAMPLES / name for name in bench.files), "--top", bench.top, "--map",
                 root / EXAMPLES / bench.map, "--programs", bench.programs, "--seed", SEED]
        ended = subprocess.run(
            [str(w) for w in words], text=True, check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=dict(environment, CS_CODE_COVERAGE=str(place / "rtl" / f"pins-{bench.unit}-")))
        (place / f"pins-{bench.unit}.txt").write_text(ended.stdout)
        results.append((bench, ended.returncode, ended.stdout))
    return results
