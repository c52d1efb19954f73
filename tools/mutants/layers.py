# SPDX-License-Identifier: Apache-2.0
"""The table of units, their files and the tests that may kill their mutants (layers.txt)."""
import dataclasses
import fnmatch
import glob
import pathlib
import sys

LAYERS = ("unit", "pins", "shipped", "random")
LOCKSTEP = ("pins", "shipped", "random")
KINDS = ("rtl", "model", "bus", "driver", "reader")


class BadTable(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Command:
    layer: str
    words: tuple # the first is a program below the build folder
    made: str = "" # what the build has to make, where that is another

    @property
    def name(self):
        words = self.words[:self.words.index("--rtl")] if "--rtl" in self.words else self.words
        return " ".join((pathlib.Path(words[0]).name,) + words[1:])

    @property
    def is_gtest(self):
        return self.target.startswith("test_")

    @property
    def target(self):
        """What the build has to make."""
        return self.made or pathlib.Path(self.words[0]).name


class Layers:
    def __init__(self, table, tree):
        self.tree = pathlib.Path(tree)
        self.files, self.dies, self.ready, self.tests = {}, {}, {}, {}
        for nr, line in enumerate(pathlib.Path(table).read_text().splitlines(), 1):
            words = line.split("#")[0].split()
            try:
                if words:
                    getattr(self, "rule_" + words[0])(*words[1:])
            except (AttributeError, TypeError, ValueError) as error:
                raise BadTable(f"{table}:{nr}: not understood: {line} ({error})") from None

    def rule_files(self, unit, kind, *globs):
        if kind not in KINDS:
            raise ValueError(f"no such kind: {kind}")
        found = sorted(path for pattern in globs for path in self.expand(pattern)
                       if not path.endswith("_pkg.sv"))
        self.files.setdefault(unit, {})[kind] = found

    def rule_dies(self, unit, *names):
        self.dies[unit] = names

    def rule_ready(self, unit, *names):
        self.ready[unit] = names

    def rule_test(self, unit, kinds, layer, *words):
        if layer not in LAYERS:
            raise ValueError(f"no such layer: {layer}")
        self.tests.setdefault(unit, []).append((kinds.split(","), layer, words))

    def expand(self, pattern):
        return sorted(glob.glob(pattern, root_dir=self.tree))

    def compare_unit(self, layer, unit, top, map_file, programs, *sources):
        """The unit's own RTL, which the copy of the tree has, against its model."""
        rtl = [f"{{tree}}/{path}" for pattern in sources for path in self.expand(pattern)]
        rtl = list(dict.fromkeys(rtl))
        return Command(layer, ("countersink", "compare-unit", unit, "--top", top, "--map",
                               f"{{tree}}/{map_file}", "--programs", programs, "--rtl", *rtl))

    @staticmethod
    def golden(layer, folder):
        """The golden traces of a folder of traces/ are what the copy's command makes."""
        return Command(layer, (sys.executable, "{tree}/tb/traces/golden.py",
                               "{tree}/build/countersink", "{tree}", "--only", folder),
                       "countersink")

    def hashed(self, layer, script, patterns):
        """Runs, or decoded traces, that are known by a hash, a command each."""
        for line in (self.tree / f"tb/traces/{script}.txt").read_text().splitlines():
            what = line.partition(" ")[2]
            if not line.startswith("#") and \
                    any(fnmatch.fnmatchcase(what.split()[0], pattern) for pattern in patterns):
                yield Command(layer, (sys.executable, f"{{tree}}/tb/traces/{script}.py",
                                      "{tree}/build/countersink", "{tree}", what), "countersink")

    @property
    def units(self):
        return list(self.files)

    def commands(self, unit, kind, layers=LAYERS):
        """Those of a kind of source, by layer."""
        found = []
        for kinds, layer, words in self.tests.get(unit, []):
            if layer not in layers or not ("*" in kinds or kind in kinds):
                continue
            if words[0] == "compare":
                found += [Command(layer, ("countersink", "compare", path))
                          for pattern in words[1:] for path in self.expand(pattern)]
            elif words[0] == "compare-unit":
                found.append(self.compare_unit(layer, *words[1:]))
            elif words[0] == "golden":
                found += [self.golden(layer, folder) for folder in words[1:]]
            elif words[0] in ("runs", "decodes"):
                found += self.hashed(layer, f"golden_{words[0]}", words[1:])
            else:
                found.append(Command(layer, tuple(words)))
        return list(dict.fromkeys(found))
