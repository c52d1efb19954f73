# SPDX-License-Identifier: Apache-2.0
"""What the tests of guests have in common: the command, its sources, and where its scenarios are."""
import os
import pathlib
import subprocess
import sys

COMMAND = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
LINUX = SOURCE / "configs/linux"
TRACE = LINUX / "linux_power9_trace.yaml"
PATIENCE = 600  # seconds: what takes longer hangs, however busy the machine is


def countersink(*words, **environment):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def needs_guest():
    listed = countersink("list", "--guests").stdout
    if "ready" not in listed:
        raise AssertionError("there is no guest; ./test.sh fetches one: " + listed)
