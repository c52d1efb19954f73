# SPDX-License-Identifier: Apache-2.0
"""pytest's fixture `pmu` (docs/uses/pmu_in_ci.md): pytest finds it where the package is installed."""
from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from ._pmu import PmuRun, pmu as run_under

RUNS = pytest.StashKey[list[tuple[list[str], PmuRun]]]()


def said(program: list[str], run: PmuRun) -> str:
    """A program that ran, for the report of a test that failed."""
    columns = ("type", "config", "value", "enabled_ns", "running_ns", "truth")
    rows = run.query(f"SELECT {','.join(columns)} FROM reading JOIN opened USING(id) WHERE last=0")
    return "\n".join([f"{' '.join(program)}: exit status {run.status}", run.out, run.err, " ".join(columns),
                      *(" ".join(str(row[name]) for name in columns) for row in rows)])


@pytest.fixture
def pmu(request: pytest.FixtureRequest) -> Generator[Callable[..., PmuRun]]:
    """countersink.pmu. When the test fails, its report has what each program printed, read and should have read."""
    runs = request.node.stash.setdefault(RUNS, [])

    def run(program: Any, **options: Any) -> PmuRun:
        done = run_under(program, **options)
        runs.append(([str(word) for word in program], done))
        return done

    yield run


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, None]:
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        for program, run in item.stash.get(RUNS, []):
            report.sections.append(("countersink pmu", said(program, run)))
