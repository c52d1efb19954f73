# SPDX-License-Identifier: Apache-2.0
"""For pytest, which finds the fixture `pmu` in the package: what the program prints, against what was true."""
import os

PROGRAM = os.environ.get("COUNTS", "build/counts")


def counts(run):
    return {name: float(value) for name, value in map(str.split, run.out.splitlines())}


def truth(run, config):
    (row,) = run.query("SELECT truth FROM reading JOIN opened USING(id) WHERE type=0 AND config=? "
                       "AND last=0", [config])
    return row["truth"]


def test_exact_when_each_has_a_counter(pmu):
    run = pmu([PROGRAM], counters=5)
    assert run.status == 0
    assert counts(run)["instructions"] == truth(run, 1)


def test_scaled_when_they_take_turns(pmu):
    run = pmu([PROGRAM], counters=2)
    assert run.status == 0
    assert abs(counts(run)["instructions"] / truth(run, 1) - 1) < 0.05


def test_it_says_when_there_is_no_pmu(pmu):
    run = pmu([PROGRAM], deny="cpu")
    assert run.status == 77
    assert "No such file" in run.err
