# SPDX-License-Identifier: Apache-2.0
"""A sweep on a real Slurm: a controller and two nodes on loopback, one of which fails under way.

usage: slurm.py COUNTERSINK SOURCE
"""
import glob
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile

COMMAND, SOURCE = sys.argv[1:3]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

from cluster import PATIENCE, Cluster, until  # noqa: E402

POINTS = 100
TASKS = 10

SWEEP = f"""sweep: seeds
scenario: {SOURCE}/configs/pmcu/pmcu_demo.yaml
set: {{perf.0.record.0.nr_sample: 64}}
vary:
  - seed: {{from: 1, to: {POINTS}, step: 1}}
"""


def rows(path):
    with sqlite3.connect(path) as db:
        return db.execute("SELECT * FROM point ORDER BY point").fetchall(), [
            c[1] for c in db.execute("PRAGMA table_info(point)")]


def without_wall(path):
    found, columns = rows(path)
    wall = columns.index("wall_s")
    order = sorted(columns)
    return [[row[columns.index(c)] for c in order if columns.index(c) != wall] for row in found]


def sweep(cluster, folder, *arguments):
    return subprocess.Popen([COMMAND, "sweep", "-o", "seeds.sqlite", *arguments, "sweep.yaml"],
                            cwd=folder, env=cluster.environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def parts(folder):
    try:
        return [n for n in os.listdir(f"{folder}/seeds.sqlite.parts") if n.endswith(".sqlite")]
    except FileNotFoundError:
        return []


def try_all(cluster, folder):
    with open(f"{folder}/sweep.yaml", "w", encoding="utf-8") as file:
        file.write(SWEEP)

    # The client is stopped while tasks run: they go on, and the same command collects them.
    client = sweep(cluster, folder, "--slurm", str(TASKS))
    until("the first tasks", lambda: len(parts(folder)) >= 2)
    cluster.ask("scontrol", "update", "partitionname=all", "state=down") # none begins meanwhile
    client.send_signal(signal.SIGINT)
    client.communicate()
    jobs = cluster.ask("squeue", "-h", "-o", "%A")
    assert jobs, "the tasks were gone with the client"

    client = sweep(cluster, folder, "--slurm", str(TASKS))
    cluster.ask("scontrol", "update", "partitionname=all", "state=up")
    until("a task of node1", lambda: cluster.catch_at_work("node1"))
    cluster.fail("node1")
    until("its task in the queue", cluster.requeued)
    cluster.hurry(cluster.requeued())
    out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 0, err + out
    state = cluster.state("node1")
    assert state.startswith("down"), f"node1 is {state}: nothing has failed"
    assert len(rows(f"{folder}/seeds.sqlite")[0]) == POINTS
    assert sorted(os.listdir(folder)) == ["seeds.sqlite", "sweep.yaml"], os.listdir(folder)

    # The same rows as on this machine alone.
    subprocess.run([COMMAND, "sweep", "-o", "alone.sqlite", "sweep.yaml"], cwd=folder, check=True,
                   capture_output=True)
    assert without_wall(f"{folder}/seeds.sqlite") == without_wall(f"{folder}/alone.sqlite")
    os.remove(f"{folder}/alone.sqlite")

    # What Slurm refuses is told, and nothing is lost.
    os.remove(f"{folder}/seeds.sqlite")
    client = sweep(cluster, folder, "--slurm", "2", "--slurm-options", "--partition=none")
    out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 3 and "invalid partition" in err.lower(), err


def main():
    with tempfile.TemporaryDirectory() as place:
        cluster = Cluster(place)
        try:
            folder = f"{place}/work"
            os.mkdir(folder)
            try_all(cluster, folder)
        except BaseException:
            logs = glob.glob(f"{place}/*.log") + glob.glob(f"{place}/work/*.parts/*.log")
            for name in logs + glob.glob(f"{place}/*.out"):
                with open(name, encoding="utf-8") as file:
                    print(f"-- {name}\n" + file.read()[-3000:])
            raise
        finally:
            cluster.end()


main()
