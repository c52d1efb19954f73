# SPDX-License-Identifier: Apache-2.0
"""What a run costs: instructions, counted by callgrind, which no other load on the machine changes."""
import re
import shutil
import subprocess
import tempfile

from sides import BadUse

RUNS = ["pmcu_demo", "imc_core", "riscv_count"]
MOST = 1.01


def instructions(side, name):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", side.command, "run",
             "-o", "run", side.scenarios[name]],
            cwd=folder, text=True, capture_output=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        raise BadUse(f"callgrind on {side.command} run {name}: {done.stderr.strip()[-500:]}")
    return int(collected.group(1))


def compare(sides):
    """[(line, whether it is good)]"""
    if shutil.which("valgrind") is None:
        raise BadUse("valgrind is missing (apt-get install valgrind); --only leaves out `cost`")
    lines = []
    for name in RUNS:
        old, new = (instructions(side, name) for side in sides)
        lines.append((f"{name}: {old} and {new} instructions, new/old {new / old:.3f} "
                      f"(at most {MOST})", new <= MOST * old))
    return lines
