#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""action.yml as a runner takes it: check_action.py SOURCE COMMAND. Its steps are carried out one after the other, with the
command in the cache; then once more with inputs of a job's own. Needs PyYAML (tools/venv.sh)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

SOURCE, COMMAND = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ACTION = yaml.safe_load((SOURCE / "action.yml").read_text())


def filled(text, known):
    """With what stands for ${{ ... }}; a name that is not known is an error."""
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda name: known[name[1]], text)


def step(one, known, env, folder):
    """Of `if` there is one kind: that an input is not empty."""
    if "if" in one and known[re.fullmatch(r"([\w.]+) != ''", one["if"])[1]] == "":
        return ""
    if "uses" in one:
        assert one["uses"] == "actions/cache@v4" and filled(one["with"]["key"], known), one
        return ""
    (folder / "output").write_text("")
    more = {name: filled(value, known) for name, value in one.get("env", {}).items()}
    done = subprocess.run([one["shell"], "-eo", "pipefail", "-c", filled(one["run"], known)], cwd=folder, text=True,
                          capture_output=True, env={**env, **more}, check=False)
    assert done.returncode == 0, f"{one['run']}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    for name, value in re.findall(r"^(\w+)=(.*)$", (folder / "output").read_text(), re.M):
        known[f"steps.{one['id']}.outputs.{name}"] = value
    paths = (folder / "path").read_text().split()
    env["PATH"] = ":".join([*paths, os.environ["PATH"]])
    return done.stdout


def job(folder, **inputs):
    """What the action's steps print, with these inputs."""
    known = {f"inputs.{name}": inputs.get(name, one["default"]) for name, one in ACTION["inputs"].items()}
    env = {**os.environ, "HOME": str(folder), "GITHUB_ACTION_PATH": str(SOURCE), "GITHUB_PATH": str(folder / "path"),
           "GITHUB_OUTPUT": str(folder / "output")}
    (folder / "path").write_text("")
    assert ACTION["runs"]["using"] == "composite"
    return "".join(step(one, known, env, folder) for one in ACTION["runs"]["steps"])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cache = folder / ".cache/countersink/action"
        cache.mkdir(parents=True)
        shutil.copy2(COMMAND, cache / "countersink")
        subprocess.run(["cc", "-o", folder / "counts", SOURCE / "docs/examples/pmu_in_ci/counts.c"], check=True)
        assert job(folder) == ""
        first, second = (job(folder, run="./counts") for _ in range(2))
        assert re.search(r"^instructions [1-9]\d*$", first, re.M) and first == second, first + second
        said = job(folder, run="cat /sys/bus/event_source/devices/armv8_pmuv3_0/type", machine="arm_server", options="")
        assert said == "8\n", said


main()
