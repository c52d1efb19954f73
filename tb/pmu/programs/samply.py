# SPDX-License-Identifier: Apache-2.0
"""samply, a sampling profiler in Rust that reads the rings itself. Its version and checksum are in crates.lock."""
import gzip
import json
from functools import partial

from harness import build, judged
from rust import cargo, fetched

BURN = "import time\nwhile time.process_time() < 0.5: pass"


def compiled(work):
    program = work / "target/debug/samply"
    if not program.exists():
        build(cargo(), "build", "--locked", "--manifest-path", fetched(work, "samply") / "Cargo.toml",
              "--target-dir", work / "target")
    return program


def profile(pmu, program):
    """Its profile has the samples that happened, but for a few that it does not wait for at the end."""
    run = pmu.run([program, "record", "--save-only", "-r", "1000", "-o", "profile.json.gz", "--", "python3", "-S", "-c",
                   BURN])
    run.must_be_good()
    (happened,) = run.query("SELECT count(*) FROM sample")[0]
    with gzip.open(pmu.work / "profile.json.gz") as file:
        threads = json.load(file)["threads"]
    found = sum(thread["samples"]["length"] for thread in threads)
    assert 0.9 * happened <= found <= happened, f"{found} samples in the profile, {happened} happened"


def tests(pmu):
    program = compiled(pmu.work)
    yield "record", partial(judged, lambda: profile(pmu, program))
