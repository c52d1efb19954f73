#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tree against the rules of the house: check_house.py [--tree DIR] [--rules FILE]

The rules are a plain table, tools/house.txt, which says itself what its lines mean.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

# What a command's help shows names scenarios, and joins nothing.
STRUCTURE = re.compile(r"\bstruct \w+ \{(.*?)\n\}", re.S)
FUNCTION = re.compile(r"\(\*(?:const )?\w+(?:\[\w*\])?\)\(")
EXAMPLES = re.compile(r"^static const cs_example .*?^};$", re.M | re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(countersink/[^>]+)>)', re.M)
C_FILES = (".c", ".h", ".cpp", ".hpp")


class BadRule(Exception):
    pass


def pattern(glob, tail="(?:/|$)"):
    """A path with * for any name; it holds what is beneath, too."""
    return re.compile("([^/]+)".join(map(re.escape, glob.split("*"))) + tail)


class IncludeRule:
    def __init__(self, folder, allowed):
        self.folder, self.allowed = pattern(folder), allowed
        self.rank = (folder.count("/"), -folder.count("*"))

    def allows(self, of, to):
        """`of` is a file beneath this rule's folder."""
        match = self.folder.match(of)
        stars = match.groups()
        own = of[:match.end()].rstrip("/")
        if to.startswith(own + "/"):
            return True
        for allowed in self.allowed:
            filled = allowed.replace("*", stars[0]) if stars else allowed
            if pattern(filled).match(to):
                return True
        return False


class Rules:
    def __init__(self, path):
        self.most_lines, self.line_folders, self.endings = None, [], ()
        self.most_files, self.made, self.foreign = None, [], []
        self.includes, self.searched, self.public = [], [], ("", "")
        self.most_named, self.named_in, self.units = None, [], {}
        self.mates, self.apart = {}, ()
        self.licensed, self.unlicensed = (), []
        for nr, line in enumerate(path.read_text().splitlines(), 1):
            kind, *words = line.split("#")[0].split() or [""]
            try:
                getattr(self, "rule_" + kind)(*words) if kind else None
            except (AttributeError, TypeError, ValueError):
                raise BadRule(f"{path}:{nr}: not understood: {line}") from None
        self.includes.sort(key=lambda rule: rule.rank, reverse=True)

    def rule_lines(self, most, *folders):
        self.most_lines, self.line_folders = int(most), folders

    def rule_endings(self, *endings):
        self.endings = endings

    def rule_made(self, *folders):
        self.made += folders

    def rule_files(self, most):
        self.most_files = int(most)

    def rule_licence(self, *endings):
        self.licensed += endings

    def rule_unlicensed(self, *folders):
        self.unlicensed += folders

    def rule_search(self, *folders):
        self.searched += folders

    def rule_public(self, folder, arrow, belongs):
        if arrow != "->":
            raise ValueError
        self.public = (folder + "/", belongs + "/")

    def rule_foreign(self, *globs):
        self.foreign += [pattern(glob, "$") for glob in globs]

    def rule_include(self, folder, arrow, *allowed):
        if arrow != "->":
            raise ValueError
        self.includes.append(IncludeRule(folder, allowed))

    def rule_named(self, most, *folders):
        self.most_named, self.named_in = int(most), folders

    def rule_apart(self, *folders):
        self.apart = folders

    def rule_unit(self, unit, *words):
        self.units[unit] = word_pattern(words or (unit,))

    def rule_system(self, *units):
        if not set(units) <= set(self.units):
            raise ValueError
        for unit in units:
            self.mates[unit] = [u for u in units if u != unit]


def word_pattern(words):
    """A word on its own, within_underscores, InCamelCase or IN_CAPITALS; no part of a longer one."""
    alternatives = []
    for word in words:
        upper, capital = word.upper(), word.capitalize()
        alternatives += [rf"(?<![A-Za-z]){word}(?![a-z])", rf"(?<![A-Z]){capital}(?![a-z])",
                         rf"(?<![A-Za-z]){upper}(?![A-Za-z])"]
    return re.compile("|".join(alternatives))


def below(name, folders):
    return any(name == f or name.startswith(f + "/") for f in folders)


class House:
    def __init__(self, tree, rules):
        self.tree, self.rules, self.failed = tree, rules, False
        listed = subprocess.run(
            ["git", "-C", tree, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        names = sorted(set(filter(None, listed.split("\0"))))
        self.names = [n for n in names if (tree / n).is_file()]
        self.files = set(self.names)
        self.texts = {}
        self.naming = collections.Counter()  # files outside a unit's own places, and how many units each names

    def text(self, name):
        if name not in self.texts:
            self.texts[name] = (self.tree / name).read_text(errors="replace")
        return self.texts[name]

    def tell(self, figure, bad):
        print(figure + (": NOT GOOD" if bad else ""))
        for line in bad:
            print("    " + line)
        self.failed |= bool(bad)

    def home(self, name):
        """Where a file belongs: a public header to the folder of its source."""
        public, belongs = self.rules.public
        return belongs + name[len(public):] if public and name.startswith(public) else name

    def find(self, name, included):
        """The file that a source includes; None: not of this tree."""
        folders = [name.rsplit("/", 1)[0], *self.rules.searched]
        for folder in folders:
            parts = []
            for part in f"{folder}/{included}".split("/"):
                parts = parts[:-1] if part == ".." else parts + [part]
            if "/".join(parts) in self.files:
                return "/".join(parts)
        return None

    def check_includes(self):
        bad, edges = [], 0
        for name in self.names:
            home = self.home(name)
            if not home.startswith("src/") or not name.endswith(C_FILES):
                continue
            rule = next((r for r in self.rules.includes if r.folder.match(home)), None)
            if rule is None:
                bad.append(f"{name}: no rule says what its folder may include")
                continue
            for own, public in INCLUDE.findall(self.text(name)):
                included = own or public
                if own and home != name:
                    bad.append(f'{name}: "{own}" is not installed: public headers include <countersink/...>')
                edges += 1
                to = self.find(name, included)
                if to is None and not any(g.match(included) for g in self.rules.foreign):
                    bad.append(f'{name}: "{included}" is no file of the tree')
                elif to is not None and not rule.allows(home, self.home(to)):
                    bad.append(f"{name} -> {to}")
        self.tell(f"includes: {edges}, {len(bad)} not allowed", bad)

    def check_lines(self):
        most, lengths = self.rules.most_lines, []
        for name in self.names:
            if (below(name, self.rules.line_folders) and name.endswith(self.rules.endings)
                    and not below(name, self.rules.made)):
                lengths.append((self.text(name).count("\n"), name))
        lengths.sort(reverse=True)
        bad = [f"{lines} {name}" for lines, name in lengths if lines > most]
        longest = lengths[0][0] if lengths else 0
        self.tell(f"lines of a source file: {longest} at most (limit {most}), "
                  f"{len(lengths)} files, {len(bad)} above", bad)

    def check_folders(self):
        most = self.rules.most_files
        full = collections.Counter(n.rsplit("/", 1)[0] if "/" in n else "." for n in self.names)
        bad = [f"{files} {folder}" for folder, files in full.most_common() if files > most]
        fullest = max(full.values(), default=0)
        self.tell(f"files of a folder: {fullest} at most (limit {most}), {len(full)} folders, "
                  f"{len(bad)} above", bad)

    def check_licences(self):
        """A script has a first line of its own, and zsh wants one, too: the licence is in the second then."""
        if not self.rules.licensed:
            return
        names = [n for n in self.names if n.endswith(self.rules.licensed)
                 and not below(n, self.rules.made + self.rules.unlicensed)]
        bad = [f"SPDX line missing: {n}" for n in names
               if not any("SPDX-License-Identifier: " in line for line in self.text(n).split("\n")[:2])]
        self.tell(f"files with an SPDX line: {len(names) - len(bad)} of {len(names)}", bad)

    def check_units(self):
        for unit, word in self.rules.units.items():
            own = [word] + [self.rules.units[mate] for mate in self.rules.mates.get(unit, [])]
            most = self.rules.most_named
            names = [n for n in self.names if below(n, self.rules.named_in) and not below(n, self.rules.apart)
                     and n.endswith(self.rules.endings) and not below(n, self.rules.made)
                     and not any(w.search(n) for w in own) and word.search(EXAMPLES.sub("", self.text(n)))]
            self.tell(f"files that name {unit} outside its own: {len(names)} (limit {most})",
                      names if len(names) > most else [])
            self.naming.update(names)

    def tell_size(self):
        """How big it is, and how many concepts carry it: figures without a limit."""
        folders = self.rules.named_in
        lists = [n for n, units in self.naming.items() if units > len(self.rules.units) / 2]
        lines = sum(self.text(n).count("\n") for n in self.names if below(n, folders))
        tables = [t for n in self.names if n.endswith((".h", ".hpp")) and below(self.home(n), folders)
                  for t in STRUCTURE.findall(self.text(n)) if FUNCTION.search(t)]
        self.tell(f"lists in which most units have a row: {len(lists)}", [])
        self.tell(f"structures in headers that have functions: {len(tables)}, "
                  f"{sum(len(FUNCTION.findall(t)) for t in tables)} functions", [])
        self.tell(f"lines of {' '.join(folders)}: {lines}", [])


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", type=pathlib.Path, default=here.parent)
    parser.add_argument("--rules", type=pathlib.Path)
    asked = parser.parse_args()
    house = House(asked.tree, Rules(asked.rules or asked.tree / "tools/house.txt"))
    house.check_includes()
    house.check_lines()
    house.check_folders()
    house.check_licences()
    house.check_units()
    house.tell_size()
    return 1 if house.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BadRule, OSError) as bad_rule:
        sys.exit(print(f"check-house: {bad_rule}", file=sys.stderr) or 2)
