# SPDX-License-Identifier: Apache-2.0
"""Looks for inputs that tell readers' mutants: of which a reader says something else when the mutant is
switched on. What is found is added to tb/inputs/packs/, so that test_inputs asks it again."""
import concurrent.futures
import pathlib
import subprocess
import sys

from tree import BuildFailed

PROGRAM = "tb/inputs/seek_inputs"
TARGETS = ("seek_inputs",)
LEFT_OUT = ("scenario", "set", "check", "catalog-source") # no readers, or other programs at work


class Seeker:
    def __init__(self, tree, root, folder, seconds, seed):
        self.tree, self.root = tree, pathlib.Path(root)
        self.folder, self.seconds, self.seed = folder / "seek", seconds, seed
        self.told = {} # {number: input's path}

    def first_inputs(self):
        made, command = self.folder / "made", self.root / "build/countersink"
        if not command.is_file():
            raise BuildFailed(f"{command} is not there; tools/build.sh release countersink makes it")
        subprocess.run([sys.executable, self.root / "tb/fuzz/corpus.py", command,
                        self.root, made], check=True)
        packs = {path.stem for path in (self.root / "tb/inputs/packs").glob("*.gz")}
        fuzzed = {path.name for path in (made / "corpus").iterdir()}
        return made / "corpus", sorted((packs | fuzzed) - set(LEFT_OUT))

    def look(self, target, corpus, numbers):
        """One target; what others have told by now is left out."""
        out = self.folder / "found" / target
        out.mkdir(parents=True, exist_ok=True)
        for path in out.iterdir():
            path.unlink()
        mutants = self.folder / f"{target}.mutants"
        mutants.write_text("\n".join(str(n) for n in numbers if n not in self.told) + "\n")
        done = subprocess.run([self.tree.build / PROGRAM, target, mutants, str(self.seconds),
                               str(self.seed), out, corpus / target],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        rows = [line.split() for line in (out / "told.txt").read_text().splitlines()]
        self.told.update({int(number): out / name for number, name in rows})
        return f"{done.stdout.strip()}, {len(rows)} mutants told {done.stderr.strip()}".strip()

    def keep(self, target):
        """Adds what was found to the target's pack."""
        out = self.folder / "found" / target
        (out / "told.txt").unlink()
        subprocess.run([sys.executable, self.root / "tb/inputs/pack.py", "--add", out,
                        self.root / f"tb/inputs/packs/{target}.gz"], check=True)

    def run(self, numbers, jobs):
        corpus, targets = self.first_inputs()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for said in pool.map(lambda target: self.look(target, corpus, numbers), targets):
                print(f"mutants: {said}", file=sys.stderr, flush=True)
        for target in targets:
            self.keep(target)
        return set(self.told)
