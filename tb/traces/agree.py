#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `check` says of the traces of all scenarios that are to be looked at: each format that can be
written of one agrees with its truth.

    agree.py COUNTERSINK SOURCE FOLDER

FOLDER is one of configs/. Scenarios for comparisons with RTL have tests of their own.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

COMMAND, SOURCE, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
OTHERS = re.compile("lockstep|pmcu_die_")
# Hundreds of megabytes a format.
LONG = {"pmcu_headline", "offload_vs_perf_pmcu", "offload_vs_perf_imc", "imc_bandwidth"}
# What a scenario cannot be written as.
REFUSED = re.compile("needs |is for samples|there is nothing for|is the data of one die|perf writes no file")
# These do not agree, and the reason. One that does agree is to be taken out.
DIFFER = {
    ("pmcu_quirks", "pmcu-aux"): "the driver hands over places where nothing was stored; `check` takes "
                                 "the subsamples of such a file in their order",
}
CANNOT_SAY = 4 # nothing that the truth knows is in it
FEWEST = 2     # formats of a scenario that agree


def call(words):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)


def judge(scenario, form):
    """(whether it agrees; what is wrong)"""
    with tempfile.TemporaryDirectory() as temp:
        trace = pathlib.Path(temp) / "trace"
        made = call(["trace", "--format", form, "-o", trace, scenario])
        if made.returncode != 0:
            refused = REFUSED.search(made.stderr)
            return False, None if refused else f"{scenario.name}, {form}: {made.stderr}"
        said = call(["check", trace])
    if said.returncode == CANNOT_SAY:
        return False, None
    if (scenario.stem, form) in DIFFER:
        return False, None if said.returncode == 1 else f"{scenario.name}, {form}: agrees now"
    if said.returncode != 0:
        rows = "\n".join(line for line in said.stdout.splitlines() if "DISAGREES" in line)
        return False, f"{scenario.name}, {form}: {said.stderr}{rows}"
    return True, None


def main():
    formats = [line.split()[0] for line in call(["trace", "--formats"]).stdout.splitlines()
               if line and not line.startswith(" ")]
    scenarios = [path for path in sorted((SOURCE / "configs" / FOLDER).glob("*.yaml"))
                 if not OTHERS.search(path.name) and path.stem not in LONG]
    jobs = [(scenario, form) for scenario in scenarios for form in formats]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda job: judge(*job), jobs))
    bad = [wrong for _, wrong in found if wrong]
    for scenario in scenarios:
        agree = sum(good for job, (good, _) in zip(jobs, found) if job[0] == scenario)
        print(f"{scenario.name}: {agree} formats agree")
        if agree < FEWEST:
            bad.append(f"{scenario.name}: only {agree} formats can be checked")
    if bad or not scenarios or len(formats) < 15:
        sys.exit("\n".join(bad) or "there is nothing to look at")


main()
