# SPDX-License-Identifier: Apache-2.0
"""Programs whose perf_event_open is answered by simulated hardware (docs/uses/pmu_anywhere.md)."""
from __future__ import annotations

import os
import pathlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._command import Error, command, words
from ._run import Path, Run, _Folder, _settings


@dataclass
class PmuRun(Run):
    """A program that has run. The truth has what it was told, and what was true."""

    status: int = 0  # its exit status; negative: the signal that ended it
    out: str = ""
    err: str = ""


def _options(machine: Path | None, set: Mapping[str, Any] | None, steps: bool,
             trouble: Mapping[str, object]) -> list[str]:
    options = ["--time", "steps" if steps else "real", *_settings(set)]
    for name, value in trouble.items():
        if value is True:
            options.append(f"--{name.replace('_', '-')}")
        elif value is not None and value is not False:
            options += [f"--{name.replace('_', '-')}", str(value)]
    return options + ([] if machine is None else [os.fspath(machine)])


def pmu(program: Sequence[Path], *, machine: Path | None = None, set: Mapping[str, Any] | None = None,
        steps: bool = True, counters: int | None = None, deny: str | None = None,
        fail: int | None = None, no_overflow: bool = False, paranoid: int | None = None,
        env: Mapping[str, str] | None = None, timeout: float | None = None) -> PmuRun:
    """Runs it to its end, whatever its exit status. `steps`: the same counts in every run. The
    options are those of `countersink pmu`. Error: the command refuses, or there is no such program."""
    folder = _Folder()
    truth = pathlib.Path(folder.path) / "truth.sqlite"
    options = _options(machine, set, steps, {
        "counters": counters, "deny": deny, "fail": fail, "no_overflow": no_overflow,
        "paranoid": paranoid})
    done = subprocess.run([command(), "pmu", "--truth", truth, *options, "--", *program],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout,
                          env=None if env is None else dict(env))
    if not truth.is_file():
        raise Error(done.returncode, words(done.stderr))
    return PmuRun(pathlib.Path(folder.path), folder, done.returncode, done.stdout, done.stderr)
