# SPDX-License-Identifier: Apache-2.0
"""The menu of the site: by role and by system. A page of docs/ that is not named here goes to the heading of
its folder."""
import sys

# A heading, its pages (place, and a short title where the page's own is long), and its folders.
MENU = (
    ("Start", (
        ("tutorial.md", "Tutorial"), ("uses/start.md", "What you can do with it"), ("guide.md", "Guide"),
        ("uses/gallery.md", None), ("glossary.md", None)), ()),
    ("By role", (
        ("uses/tool_developer.md", "Tool developer"), ("uses/pmu_architect.md", "PMU architect"),
        ("uses/verification_engineer.md", "Verification engineer"),
        ("uses/platform_author.md", "Firmware, driver, platform")), ()),
    ("Tasks", (
        ("uses/linux_power.md", "Linux on POWER"), ("uses/linux_riscv.md", "Linux on RISC-V"),
        ("uses/pmu_anywhere.md", "A PMU for any program"),
        ("uses/offload_vs_perf.md", "Offload against perf"),
        ("uses/multiplexed.md", "Multiplexed counts"),
        ("uses/sweeps.md", None), ("uses/report.md", None),
        ("traces/tested_decoder.md", "Test a decoder"),
        ("uses/zoo.md", "Published counter bugs")), ("uses",)),
    ("Traces", (
        ("traces/traces.md", "Formats"), ("traces/truth.md", None),
        ("traces/traces_check.md", "Decode, damage, check"),
        ("traces/profiles.md", "Profiles")), ("traces",)),
    ("Your code", (
        ("yours/packages.md", "Packages"), ("yours/rely.md", None), ("python/package.md", "Python"),
        ("yours/rtl.md", "Your RTL"),
        ("yours/testbench.md", "Your testbench"), ("yours/retirement.md", None),
        ("yours/cores.md", "Other people's cores"),
        ("yours/model_alone.md", None),
        ("yours/embedding_hart.md", "A hart in C")), ("yours", "python")),
    ("PMCU and Arm cores", (
        ("hw/pmcu.md", "PMCU"), ("hw/corepmu.md", "Core PMU"), ("drivers/pmcu_driver.md", "Driver"),
        ("drivers/two_owners.md", "Two owners"), ("drivers/software_way.md", "Without a PMCU")), ()),
    ("POWER", (
        ("hw/imc.md", "IMC core engine"), ("hw/nest.md", "Nest"),
        ("drivers/imc_driver.md", "OPAL, driver, perf"),
        ("drivers/imc_catalog.md", "Catalogs"), ("drivers/perf_frequency.md", "Frequency mode")), ()),
    ("RISC-V", (
        ("hw/hpm.md", "Counter block"), ("hw/hart.md", "Hart"), ("hw/caches.md", "A guest's caches"),
        ("hw/ctr.md", "Branch records (planned)"),
        ("drivers/riscv_software.md", None),
        ("drivers/riscv_driver.md", "Driver and perf"), ("drivers/sbi_pmu.md", "SBI PMU"),
        ("drivers/sbi_sse.md", "SBI software events")), ()),
    ("Uncore", (
        ("hw/uncore.md", "Uncore block"), ("hw/iommu_hpm.md", "IOMMU monitor"),
        ("drivers/uncore_driver.md", "Driver and perf"),
        ("drivers/iommu_driver.md", "IOMMU: driver and perf"),
        ("drivers/rotation.md", "Event rotation"), ("drivers/pmu_address.md", None)), ("drivers",)),
    ("The machine", (
        ("hardware.md", "Hardware in pictures"), ("hw/bus.md", "Bus"), ("hw/cpu.md", "CPU ports")), ("hw",)),
    ("Reference", (
        ("reference/commands.md", None), ("scenarios.md", "Scenario files and keys"),
        ("drivers/perf_language.md", "perf commands in a scenario"),
        ("reference/scenarios.md", "Shipped scenarios"), ("reference.md", "Results and formats"),
        ("claims.md", "Claims"), ("sources.md", None)), ("reference",)),
    ("Verification", (
        ("verification.md", "How far to trust it"),), ("verification",)),
    ("Project", (
        ("CONTRIBUTING.md", None), ("architecture.md", None), ("decisions.md", None),
        ("performance.md", None), ("style.md", None), ("CHANGELOG.md", None),
        ("CODE_OF_CONDUCT.md", None)), ("decisions", "")),
)


def menu(places):
    """Lists of contents for the first page. places: all pages that must be reached from it."""
    named = {place for _, pages, _ in MENU for place, _ in pages}
    missing = sorted(named - set(places))
    if missing:
        sys.exit(f"site: tools/site/menu.py names pages that are not there: {', '.join(missing)}")
    out, left = [], sorted(set(places) - named)
    for heading, pages, folders in MENU:
        others = [p for p in left if p.split("/")[0] in folders or ("" in folders and "/" not in p)]
        left = [p for p in left if p not in others]
        lines = [f"{title} <{place}>" if title else place for place, title in pages] + others
        out.append("\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *lines, "```"]))
    if left:
        sys.exit(f"site: no heading of tools/site/menu.py takes {', '.join(left)}")
    return "\n\n".join(out)
