#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A trace that becomes large says so while it is written, once, and how large it will be; one that does not
says nothing; a window of it (--window) is small:

    large.py COMMAND SOURCE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

CYCLES = 100000000  # 0.1 s, some 420 MiB


def trace(command, source, folder, name, *options):
    """What it said, and the size of the file."""
    file = pathlib.Path(folder) / name
    done = subprocess.run([command, "trace", "--format", "perfetto", "-o", file, *options,
                           source / "configs/imc/imc_bandwidth.yaml"], text=True, capture_output=True, check=True)
    size = file.stat().st_size
    file.unlink()
    return done.stderr, size


def main():
    command, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        said, size = trace(command, source, folder, "large", "--set", f"limit_cycles={CYCLES}")
        found = re.findall(r"the trace has over 256 MiB after ([0-9.]+) s of simulated time(?:, about ([0-9.]+) GiB "
                           r"for the whole run)?; .*--window", said)
        assert size > 300 << 20, f"{size} bytes are not large"
        assert len(found) == 1, said
        seconds, whole = float(found[0][0]), float(found[0][1] or 0)
        assert 0 < seconds < CYCLES / 1e9, said
        assert abs(whole * 2**30 / size - 1) < 0.25, f"{whole} GiB were announced, and there are {size} bytes"
        for name, options in (("small", ["--set", f"limit_cycles={CYCLES // 20}"]),
                              ("window", ["--set", f"limit_cycles={CYCLES}", "--window", "50000:52000"])):
            said, size = trace(command, source, folder, name, *options)
            assert "MiB" not in said, said
            assert 100000 < size < 64 << 20, f"{name}: {size} bytes"


if __name__ == "__main__":
    main()
