# SPDX-License-Identifier: Apache-2.0
"""Builds the fabric with Icarus and runs test_bus_axi.py on it: run.py BUILD_DIR."""

import sys
from pathlib import Path

from cocotb.runner import get_results, get_runner

here = Path(__file__).resolve().parent
root = here.parents[2]
build = Path(sys.argv[1]).resolve()

# Packages first.
sources = sorted(
    (root / "src/rtl/bus").glob("*.sv"), key=lambda file: (not file.stem.endswith("_pkg"), file)
)
sources += [root / "tb/bus/rtl" / name for name in ("axi_checker.sv", "reg_slot.sv")]
sources.append(here / "bus_cocotb_top.sv")


def for_icarus(source):
    """A copy with always @* for always_comb, which in Icarus 11.0 can run for ever within one
    time step (steveicarus/iverilog#508)."""
    copy = build / source.name
    copy.write_text(source.read_text().replace("always_comb", "always @*"))
    return copy


build.mkdir(parents=True, exist_ok=True)
sources = [for_icarus(source) for source in sources]

runner = get_runner("icarus")
runner.build(
    verilog_sources=sources,
    hdl_toplevel="bus_cocotb_top",
    build_args=["-g2012"],
    build_dir=build,
    always=True,
    timescale=("1ns", "1ps"),
)
sys.path.insert(0, str(here))
results = runner.test(
    hdl_toplevel="bus_cocotb_top",
    test_module="test_bus_axi",
    build_dir=build,
    test_dir=build,
)
tests, failures = get_results(results)
print(f"{tests} tests, {failures} failures")
sys.exit(tests == 0 or failures != 0)
