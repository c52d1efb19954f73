# SPDX-License-Identifier: Apache-2.0
"""tools/mutants.sh for real: a fixed sample of a unit's model, as an array of two jobs of a real
Slurm. Fewer noticed than before is an error; what was tried is not tried again.

usage: run_mutants.py SOURCE PLACE
"""
import glob
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE, PLACE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "tb" / "support"))

from cluster import Cluster  # noqa: E402

SAMPLE, AT_LEAST = 60, 98


def mutants(cluster, *words):
    done = subprocess.run([SOURCE / "tools/mutants.sh", "--unit", "uncore", "--kind", "model",
                           "--layer", "unit", "--sample", str(SAMPLE), "--place", PLACE, "-j", "1",
                           "--at-least", str(AT_LEAST), *words],
                          env=cluster.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def verdicts():
    return {name: pathlib.Path(name).read_text().splitlines()
            for name in glob.glob(f"{PLACE}/verdicts*.jsonl")}


def try_it(cluster):
    for name in glob.glob(f"{PLACE}/verdicts*.jsonl"): # what was built may stay
        pathlib.Path(name).unlink()
    report = mutants(cluster, "--slurm", "2")
    parts = verdicts()
    assert sorted(pathlib.Path(name).name for name in parts) == \
        ["verdicts-1-2.jsonl", "verdicts-2-2.jsonl"], parts
    assert sum(len(rows) for rows in parts.values()) == SAMPLE, parts
    assert f"| uncore, model | {SAMPLE} |" in report, report

    again = mutants(cluster, "--no-build")
    assert again == report, again
    assert verdicts() == parts


def main():
    place = tempfile.mkdtemp()
    cluster = Cluster(place)
    try:
        try_it(cluster)
    finally:
        cluster.end()
        shutil.rmtree(place)


main()
