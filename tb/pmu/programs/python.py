# SPDX-License-Identifier: Apache-2.0
"""Counts by Python packages, of tools/requirements.txt."""
import re
from functools import partial

from harness import HERE, judged, venv

PACKAGES = {"py-perf-event": "py_perf_event", "python-papi": "pypapi"}


def counts(pmu, package):
    run = pmu.run([venv("python"), HERE / "python_counts.py", package], env={"LIBPFM_FORCE_PMU": "skl"})
    run.must_be_good()
    run.must_have_read([int(number) for number in re.findall(r"^\S+ (\d+)$", run.out, re.M)])


def tests(pmu):
    for name, package in PACKAGES.items():
        yield name, partial(judged, partial(counts, pmu, package))
