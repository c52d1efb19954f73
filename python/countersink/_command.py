# SPDX-License-Identifier: Apache-2.0
"""The command `countersink`, which does the work."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence


class Error(Exception):
    """What the command said instead of doing it. `status` is its exit status (2: bad use, scenario or
    file; 3: I/O), `text` its words."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def command() -> pathlib.Path:
    """Where it is: $COUNTERSINK, else the wheel's own, else the one on PATH."""
    given = os.environ.get("COUNTERSINK")
    own = pathlib.Path(__file__).resolve().parent / "bin" / "countersink"
    if given:
        return pathlib.Path(given)
    if own.is_file():
        return own
    found = shutil.which("countersink")
    if found is None:
        raise Error(3, "the command countersink is nowhere: set COUNTERSINK to its path")
    return pathlib.Path(found)


def environment() -> dict[str, str]:
    return dict(os.environ, NO_COLOR="1", LC_ALL="C")


def words(text: str) -> str:
    """The command's words without its own name in front."""
    return "\n".join(line.removeprefix("countersink: ") for line in text.strip().splitlines())


def call(arguments: Sequence[str | os.PathLike[str]], good: Sequence[int] = (0,),
         timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([command(), *arguments], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env=environment(), timeout=timeout)
    if done.returncode not in good:
        raise Error(done.returncode, words(done.stderr) or f"exit status {done.returncode}")
    return done


def version() -> str:
    return call(["--version"]).stdout.strip()
