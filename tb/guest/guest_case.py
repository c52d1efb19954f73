# SPDX-License-Identifier: Apache-2.0
"""What the tests of guests have in common: the command, its sources, and where its scenarios are."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

COMMAND = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
LINUX = SOURCE / "configs/linux"
RISCV = SOURCE / "configs/linux_riscv"
TRACE = LINUX / "linux_power9_trace.yaml"
PATIENCE = 7200  # seconds: what takes longer hangs, however busy the machine is


def countersink(*words, **environment):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def boot(output, *words, **environment):
    """Of a guest that takes as long as it takes, unless words have another guest.limit_s."""
    return countersink("boot", "-o", output, "--set", f"guest.limit_s={PATIENCE}", *words, **environment)


def hangs(start):
    """What is said of a guest that is ended after a while, and how long that was: it has written to its console.
    `start` boots it with that limit."""
    for limit in (2, 8, 40, 200, PATIENCE):
        done = start("--set", f"guest.limit_s={limit}")
        if "its console is empty" not in done.stderr:
            break
    return limit, done


def functions(said, perf_data):
    """What perf of this machine reports of a guest's file, as `boot` has printed it: the functions by share.
    None: it is older than the line says."""
    line, = (line for line in said.splitlines() if f" -i {perf_data}" in line)
    words = shlex.split(line.removeprefix("names: "), comments=True)
    done = subprocess.run([*words, "--stdio", "-g", "none", "--sort", "dso,sym"], capture_output=True,
                          text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        return done.stdout
    version = re.search(r"(\d+)\.(\d+)", subprocess.check_output([words[0], "--version"], text=True))
    if line.endswith("# perf 6.3 or newer") and tuple(map(int, version.groups())) < (6, 3) \
            and "incompatible file format" in done.stderr:
        return None
    raise AssertionError(done.stderr)


def panels(run, page):
    """Of a report of a guest's run: the panels that have something to show."""
    done = countersink("report", "-o", page, run)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return set(re.findall(r'"id":"(guest_\w+)"', pathlib.Path(page).read_text()))


def needs_guest():
    listed = countersink("list", "--guests").stdout
    if "ready" not in listed:
        raise AssertionError("there is no guest; ./test.sh fetches one: " + listed)
