# SPDX-License-Identifier: Apache-2.0
"""A side: one of the two builds, with its command, scenarios and golden traces."""
import pathlib
import re
import subprocess


class BadUse(Exception):
    """Said to the user; exit status 2."""


def by_name(paths, name):
    found = {}
    for path in sorted(p for p in paths if not p.is_symlink()):
        if name(path) in found:
            raise BadUse(f"{path} and {found[name(path)]} have the same name")
        found[name(path)] = path
    return found


class Side:
    def __init__(self, label, build, tree):
        self.label = label
        self.build = pathlib.Path(build).resolve()
        self.tree = pathlib.Path(tree).resolve() if tree else self.build.parent
        self.command = self.build / "countersink"
        if not self.command.is_file():
            raise BadUse(f"{self.command}: there is no such command")
        configs, others = self.tree / "configs", self.tree / "tb/scenarios"
        self.scenarios = by_name([*configs.rglob("*.yaml"), *others.rglob("*.yaml")], lambda p: p.stem)
        self.catalogs = by_name(configs.rglob("*.dts"), lambda p: p.stem)
        self.golden = by_name((self.tree / "traces").glob("*/files.txt"), lambda p: p.parent.name)
        if not self.scenarios:
            raise BadUse(f"{configs}: there are no scenarios")
        self._input = re.compile(re.escape(str(self.tree)).encode()
                                 + rb"/(?:configs|tb/scenarios|traces)/(?:[^ :/\n]+/)*")

    def ways(self, name):
        """The names of a scenario's ways, [] for most."""
        text = self.scenarios[name].read_text()
        section = re.search(r"^ways:\n((?:[ #-].*\n|\n)*)", text, re.M)
        return re.findall(r"\bname: *([\w-]+)", section.group(1)) if section else []

    def formats(self, old_names):
        """[(format, flavour)], by their old names; a flavour None for formats that have none."""
        text = subprocess.run([self.command, "trace", "--formats"], check=True, text=True,
                              capture_output=True).stdout
        found = []
        for line in text.splitlines():
            if not line.startswith(" "):
                name = line.split()[0]
                found.append((old_names.get(name, name), None))
            elif line.strip().startswith("flavours: "):
                form, _ = found.pop()
                found += [(form, f) for f in line.split(": ")[1].split(", ")]
        return found

    def without_folders(self, text):
        """Printed text, with the folders of this side's inputs taken out."""
        return self._input.sub(b"", text)
