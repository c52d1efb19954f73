# SPDX-License-Identifier: Apache-2.0
"""How a foreign program is built and run under `countersink pmu`, and what its numbers are held against."""
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CACHE = pathlib.Path(os.environ.get("CS_PROGRAMS") or pathlib.Path(
    os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "countersink/programs")
LIBRARIES = "usr/lib/x86_64-linux-gnu"
NOT_HERE = 77


def cached(path):
    """A file or folder that `tools/setup.sh programs` has fetched."""
    if not (CACHE / path).exists():
        sys.exit(f"{CACHE / path}: is not there: tools/setup.sh programs")
    return CACHE / path


def tool(name, least=(0, 0)):
    """A tool of this machine; without it, or with an older version, the program cannot be tried here."""
    found = shutil.which(name)
    version = re.search(r"(\d+)\.(\d+)", build(found, "--version")) if found and least > (0, 0) else None
    if found is None or version and tuple(map(int, version.groups())) < least:
        print(f"{name} {version[0] if version else ''}: not installed, or older than {'.'.join(map(str, least))}")
        sys.exit(NOT_HERE)
    return found


def venv(name):
    """A program of build/venv."""
    if not (ROOT / "build/venv/bin" / name).exists():
        sys.exit(f"{ROOT}/build/venv/bin/{name}: is not there: tools/venv.sh")
    return ROOT / "build/venv/bin" / name


def build(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ended(command, timeout, **more):
    """Runs a command and all that it starts; its status is None when it does not end in time."""
    process = subprocess.Popen(list(map(str, command)), text=True, errors="replace", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **more)
    try:
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return (None, *process.communicate())


@dataclasses.dataclass
class Run:
    """What a program under the command printed, and the truth."""
    status: int | None
    out: str
    err: str
    truth: pathlib.Path

    def query(self, sql):
        with sqlite3.connect(self.truth) as db:
            db.row_factory = sqlite3.Row
            return db.execute(sql).fetchall()

    def readings(self):
        return self.query("SELECT * FROM reading JOIN opened USING(id)")

    def must_be_good(self):
        assert self.status == 0, f"exit status {self.status}\n{self.out}{self.err}"

    def must_have_read(self, numbers, within=0):
        """Each number that was printed is one that was read, as it was or scaled; `within`: by how much of it a
        program may have rounded. What had a counter all the while is the true count."""
        assert numbers, f"no numbers in\n{self.out}{self.err}"
        rows = self.readings()
        known = {row["value"] for row in rows}
        known |= {row["value"] * row["enabled_ns"] // row["running_ns"] for row in rows if row["running_ns"]}
        # libpfm4 scales as a double, also what needs no scaling, and may come to 1 less.
        known |= {int(float(row["value"]) * row["enabled_ns"] / row["running_ns"]) for row in rows if row["running_ns"]}
        known |= {row["id"] for row in rows}  # Rust prints groups with them
        for number in numbers:
            near = min(known, key=lambda value, number=number: abs(value - number))
            assert abs(near - number) <= within * number, f"{number} was printed and never read; next to it: {near}"
        for row in rows:
            if row["enabled_ns"] == row["running_ns"]:
                assert row["value"] == row["truth"], f"event {row['id']} counted {row['value']}, not {row['truth']}"


class Pmu:
    """`countersink pmu`, in a folder of its own."""

    def __init__(self, command, work):
        self.command, self.work = command, work
        work.mkdir(parents=True, exist_ok=True)

    def run(self, program, *options, timeout=120, env=None, cwd=None):
        truth = self.work / "truth.sqlite"
        truth.unlink(missing_ok=True)
        status, out, err = ended([self.command, "pmu", "--truth", truth, *options, "--", *program], timeout,
                                 cwd=cwd or self.work, env={**os.environ, "LC_ALL": "C", "HOME": str(self.work), **(env or {})})
        return Run(status, out, err, truth)

    def check(self, run, file):
        """`countersink check` agrees that the file is what was true."""
        run.must_be_good()
        done = subprocess.run([self.command, "check", "--truth", run.truth, file], capture_output=True, text=True,
                              check=False, cwd=self.work)
        assert done.returncode == 0, f"check {file}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def judged(judge):
    """The outcome of a function that raises what is wrong."""
    try:
        judge()
        return "pass", ""
    except AssertionError as wrong:
        return "fail", str(wrong)
