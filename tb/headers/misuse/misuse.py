#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller's mistake ends in the same way in every build: the models are compiled with NDEBUG and without.

usage: misuse.py SOURCES CC"""
import pathlib
import subprocess
import sys
import tempfile

SOURCES, CC = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parent
ABORTED = -6
EXPECTED = [
    (0, "CS_ERR_RANGE: hpm: env: events.sum and events.reach must be set\n", ""),
    (ABORTED, "", "countersink: hpm: a CSR access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: hpm: a reset in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: uncore: an access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: uncore: an access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: core PMU: an access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: PMCU: an access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: iommu_hpm: an access in cycle 500: must be in 1000 or later\n"),
    (ABORTED, "", "countersink: iommu_hpm: a reset in cycle 500: must be in 1000 or later\n"),
    (3, "", ""),
]


def main():
    units = [unit for model in ("corepmu", "hpm", "iommu_hpm", "pmcu", "uncore")
             for unit in sorted(SOURCES.glob(f"src/models/{model}/*.c"))]
    units += [SOURCES / "src/base" / name for name in ("diag.c", "require.c", "probe/probe.c")]
    includes = [f"-I{SOURCES / folder}" for folder in ("include", "src", "src/regs/gen")]
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in (("checked", []), ("ndebug", ["-DNDEBUG"])):
            program = pathlib.Path(folder) / name
            subprocess.run([CC, "-std=c17", *flags, *includes, HERE / "misuse.c", *units, "-o", program], check=True)
            for number, expected in enumerate(EXPECTED):
                done = subprocess.run([program, str(number)], text=True, capture_output=True)
                found = (done.returncode, done.stdout, done.stderr)
                if found != expected:
                    sys.exit(f"{name}, mistake {number}:\nfound    {found}\nexpected {expected}")
    print(f"{len(EXPECTED) - 1} mistakes, the same with NDEBUG and without")


if __name__ == "__main__":
    main()
