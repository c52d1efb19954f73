# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree with mutants in its sources, and what is built of it."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

import c_faults
import sv_faults
from schemata import Rewriter

# The variable that C and C++ ask; the Verilog asks the environment by itself.
VARIABLE = (pathlib.Path(__file__).resolve().parent / "variable.c").read_text()
VARIABLE_PLACE = "src/base/mutant.c"

# Where compilers say that something is wrong: a file below the tree, and a line.
WRONG = re.compile(r"(?:^|[ /])(src/[\w./-]+\.(?:c|h|cpp|hpp|sv)):(\d+):(?:\d+:)?(.*)")
WRONG_MARK = re.compile(r"%Error|%Warning|error:")


def faults_of(path):
    return sv_faults if path.endswith(".sv") else c_faults


def find(root, path):
    source = (pathlib.Path(root) / path).read_bytes()
    return faults_of(path).find(path, source)


def rewrite(path, source, mutants):
    """The source with these mutants, which have numbers."""
    faults = faults_of(path)
    if path.endswith(".sv"):
        rewriter = Rewriter(source, mutants, ("begin", "end"))
        text = rewriter.whole(faults.declaration(path), faults.place_of_declaration(source))
        return faults.waivers() + text
    rewriter = Rewriter(source, mutants, ("{", "}"), faults.ASKS)
    return rewriter.whole(faults.declaration(path), faults.place_of_declaration(path, source))


class BuildFailed(Exception):
    pass


class Tree:
    def __init__(self, root, place):
        self.root, self.place = pathlib.Path(root), pathlib.Path(place)
        self.build = self.place / "build"

    def listed(self):
        """The project's files, also those that are not committed yet."""
        out = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others",
                              "--exclude-standard"], check=True, capture_output=True).stdout
        return [name for name in out.decode().split("\0")
                if name and (self.root / name).is_file()]

    def state(self):
        """A hash of all that a verdict depends on."""
        digest = hashlib.sha1()
        for name in sorted(self.listed()):
            if name.startswith(("src/", "tb/", "configs/", "CMakeLists", "cmake/")):
                digest.update(name.encode() + b"\0" + (self.root / name).read_bytes())
        return digest.hexdigest()[:12]

    def put(self, name, data, mode=0o644):
        """Writes a file only where it is different, so that builds stay small."""
        path = self.place / name
        if path.is_file() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)

    def write(self, mutants, dies):
        """Makes the copy: all files, with these mutants, and only these rows of dies."""
        by_path = {}
        for mutant in mutants:
            by_path.setdefault(mutant.path, []).append(mutant)
        kept = {VARIABLE_PLACE}
        for name in self.listed():
            path = self.root / name
            data = path.read_bytes()
            if name in by_path:
                data = rewrite(name, data, by_path[name]).encode()
            elif name == "src/rtl/dies.txt" and dies:
                rows = [row for row in data.decode().splitlines() if row.split()[0] in dies]
                data = ("\n".join(rows) + "\n").encode()
            self.put(name, data, path.stat().st_mode & 0o777)
            kept.add(name)
        self.put(VARIABLE_PLACE, VARIABLE.encode())
        for path in list(self.place.rglob("*")):
            name = path.relative_to(self.place)
            if name.parts[0] not in ("build", ".git") and path.is_file() and str(name) not in kept:
                path.unlink()

    def take_dies(self, names):
        """Takes the project's own dies, where none of their RTL is mutated and they are newer than
        it. False: they have to be built."""
        built = self.root / "build" / "dies"
        newest = max((self.root / name).stat().st_mtime for name in self.listed()
                     if name.startswith(("src/rtl/", "src/regs/gen/")))
        dies = [built / f"{name}.so" for name in names]
        if not all(die.is_file() and die.stat().st_mtime >= newest for die in dies):
            return False
        for die in dies:
            self.put(f"build/dies/{die.name}", die.read_bytes(), 0o755)
        return True

    def make(self, targets, jobs, log):
        """Builds; returns the lines that compilers did not like: pairs of a path and a line."""
        environment = dict(os.environ, CMAKE_BUILD_PARALLEL_LEVEL=str(jobs))
        with open(log, "w", encoding="utf-8") as out:
            configured = subprocess.run(
                ["cmake", "--preset", "release", "-DCS_BENCH=OFF", "-DCS_WERROR=OFF",
                 "-DCMAKE_C_FLAGS=-Wno-nonnull"], # a mutant may hand on what is not there
                cwd=self.place, stdout=out, stderr=subprocess.STDOUT, env=environment, check=False)
            if configured.returncode == 0:
                built = subprocess.run(
                    ["cmake", "--build", "--preset", "release", "--target", *targets, "--",
                     "-k", "0"], cwd=self.place, stdout=out, stderr=subprocess.STDOUT,
                    env=environment, check=False)
                if built.returncode == 0:
                    return []
        wrong = set()
        for line in pathlib.Path(log).read_text(errors="replace").splitlines():
            if WRONG_MARK.search(line):
                match = WRONG.search(line)
                if match:
                    wrong.add((match.group(1), int(match.group(2))))
        if not wrong:
            raise BuildFailed(f"the mutated tree cannot be built; all of it is in {log}")
        return sorted(wrong)

    def forget(self):
        shutil.rmtree(self.place, ignore_errors=True)
