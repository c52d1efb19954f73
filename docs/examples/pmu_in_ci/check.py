#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example as a user has it: check.py SOURCE COMMAND. Its CMake project is built and tested, and its
tests in Python are called as pytest would (which python/tests/test.sh does)."""
import os
import pathlib
import subprocess
import sys
import tempfile

source, command = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
here = source / "docs/examples/pmu_in_ci"
with tempfile.TemporaryDirectory() as build:
    os.environ.update(PATH=f"{command.parent}:{os.environ['PATH']}", COUNTERSINK=str(command),
                      COUNTS=f"{build}/counts", LC_ALL="C")
    subprocess.run(["cmake", "-S", here, "-B", build, f"-DCOUNTERSINK={command}"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ctest", "--test-dir", build, "--output-on-failure"], check=True,
                          capture_output=True, text=True)
    assert "no_pmu (Skipped)" in done.stdout, done.stdout
    assert "100% tests passed, 0 tests failed out of 4" in done.stdout, done.stdout

    sys.path[:0] = [str(source / "python"), str(here)]
    import countersink
    import test_counts

    for name, test in vars(test_counts).items():
        if name.startswith("test_"):
            test(countersink.pmu)
