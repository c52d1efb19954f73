#!/usr/bin/env python3
"""Lockstep with the properties of tb/formal as assertions in the dies: in a copy of the tree, whose
RTL has them bound to its modules. simulate.py [SCENARIO...]"""
import os
import pathlib
import shutil
import subprocess
import sys

import prove

PLACE = prove.ROOT / "build" / "proofs" / "tree"
SCENARIOS = ["configs/all/everything_lockstep.yaml", "configs/all/everything_lockstep_drivers.yaml"]
SHAPE = "all" # the ready-made die that they need


def put(name, data):
    path = PLACE / name
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def changed(name, data):
    """What differs in the copy: assertions are compiled, and one die is enough."""
    if name == "src/lockstep/die/build.c":
        text = data.decode()
        if '"--noassert"' not in text:
            raise SystemExit("simulate: src/lockstep/die/build.c has no --noassert")
        return text.replace('"--noassert"', '"--assert"').encode()
    if name == "src/rtl/dies.txt":
        rows = [row for row in data.decode().splitlines() if row.split()[0] == SHAPE]
        return ("\n".join(rows) + "\n").encode()
    return data


def main():
    listed = subprocess.run(["git", "-C", prove.ROOT, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], check=True, capture_output=True).stdout
    for name in listed.decode().split("\0"):
        path = prove.ROOT / name
        if name and path.is_file():
            put(name, changed(name, path.read_bytes()))
            shutil.copymode(path, PLACE / name)
    binds = []
    for module in dict.fromkeys(proof.module for proof in prove.read_proofs()):
        props = prove.props_file(module)
        put(f"src/rtl/formal/{props.name}", props.read_bytes())
        binds.append(prove.instance(module, f"bind {module} "))
    put(f"src/rtl/formal/{prove.CHECKER.name}", prove.CHECKER.read_bytes())
    put("src/rtl/formal/binds.sv", "\n".join(binds).encode() + b"\n")

    for command in (["cmake", "--preset", "release", "-DCS_BENCH=OFF"],
                    ["cmake", "--build", "--preset", "release", "--target", "countersink",
                     "cs_ready_dies"]):
        done = subprocess.run(command, cwd=PLACE, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.stderr.write((done.stdout + done.stderr)[-4000:])
            return 1
    environment = dict(os.environ, COUNTERSINK_CACHE=str(PLACE / "build" / "die-cache"))
    bad = 0
    for scenario in sys.argv[1:] or SCENARIOS:
        done = subprocess.run(["build/countersink", "compare", scenario], cwd=PLACE, env=environment,
                              capture_output=True, text=True, check=False)
        words = (done.stdout + done.stderr).strip().splitlines()
        told = [line for line in words if "ssertion" in line] or words[-1:] or [""]
        print(f"{scenario}: {told[0]}")
        bad += done.returncode != 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
