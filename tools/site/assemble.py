#!/usr/bin/env python3
"""Puts together what the site is made of: the pages of docs/, what the command tells of itself, and the
files that pages lead to.

    assemble.py COMMAND FOLDER

A page keeps its place below docs/; README.md is the first page, and a file elsewhere in the tree that a
page leads to is shown as text below files/.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The list of contents: a heading, its folder, and pages that go before the folder's others.
CONTENTS = (
    ("Start", None, ("guide.md", "glossary.md")),
    ("Uses", "uses", ("uses/start.md",)),
    ("Traces", "traces", ("traces/traces.md", "traces/truth.md")),
    ("Python", "python", ()),
    ("Yours", "yours", ()),
    ("Hardware", "hw", ("hw/cpu.md", "hw/bus.md")),
    ("Software", "drivers", ()),
    ("Reference", None, ("reference/commands.md", "scenarios.md", "reference/scenarios.md", "claims.md",
                         "verification.md")),
    ("Project", None, ("architecture.md", "decisions.md", "performance.md", "sources.md",
                       "CONTRIBUTING.md", "style.md", "CHANGELOG.md")),
)
LINK = re.compile(r"(\]\()([^)\s]+)\)")


class Site:
    def __init__(self, folder):
        self.pages = folder
        self.todo = []
        self.pages_of_docs = {p for p in (ROOT / "docs").rglob("*.md") if "examples" not in p.parts}

    def write(self, place, text):
        file = self.pages / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def place_of(self, file):
        """Where a file of the tree stands in the site; what is no page is shown as text."""
        if file == ROOT / "README.md":
            return "index.md"
        relative = file.relative_to(ROOT)
        if file in self.pages_of_docs:
            return str(relative.relative_to("docs"))
        if file.suffix == ".md" and len(relative.parts) == 1:
            return str(relative)
        if file.suffix in (".svg", ".png"):
            return str(relative.relative_to("docs"))
        self.todo.append(file)
        return f"files/{relative}{'/index' if file.is_dir() else ''}.md"

    def add_page(self, file):
        place = self.place_of(file)

        def lead(match):
            target, _, part = match[2].partition("#")
            if re.match(r"[a-z]+:", match[2]) or not target:
                return match[0]
            found = (file.parent / target).resolve()
            if not found.exists() or ROOT not in found.parents:
                sys.exit(f"site: {file.relative_to(ROOT)}: {match[2]} leads nowhere")
            there = os.path.relpath(self.place_of(found), os.path.dirname(place) or ".")
            return f"{match[1]}{there}{'#' + part if part else ''})"

        self.write(place, LINK.sub(lead, file.read_text()))

    def add_file(self, file):
        """A file that is no page: its text. A folder: its files."""
        place = self.place_of(file)
        name = file.relative_to(ROOT)
        if file.is_dir():
            inside = sorted(f for f in file.iterdir() if f.is_file())
            lines = [f"- [{f.name}]({f.name}.md)" for f in inside]
            self.todo += inside
            text = "\n".join(lines)
        else:
            kind = {".py": "python", ".c": "c", ".sv": "systemverilog", ".yaml": "yaml",
                    ".cpp": "cpp"}.get(file.suffix, "text")
            text = f"~~~~ {kind}\n{file.read_text()}\n~~~~"
        self.write(place, f"---\norphan: true\nnosearch: true\n---\n# {name}\n\n{text}\n")

    def add_files(self):
        done = set()
        while self.todo:
            file = self.todo.pop()
            if file not in done:
                done.add(file)
                self.add_file(file)

    def contents(self, heading, folder, first):
        """A list of contents: the pages of a folder come by their titles."""
        def title(place):
            found = re.search(r"^# (.*)", (self.pages / place).read_text(), re.M)
            return found[1].strip("`*").lower() if found else sys.exit(f"site: {place} has no title")

        below = [str(p.relative_to(self.pages)) for p in (self.pages / folder).rglob("*.md")] \
            if folder else []
        below = sorted((p for p in below if p not in first), key=lambda p: (p.count("/"), title(p)))
        return "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *first, *below, "```"])


def commands(command):
    """The help of the command and of each of its commands."""
    def told(*arguments):
        return subprocess.run([command, *arguments], check=True, text=True, capture_output=True,
                              env=dict(os.environ, COLUMNS="100")).stdout

    def block(text):
        return "\n".join("    " + line if line else "" for line in text.rstrip("\n").split("\n"))

    general = told("--help")
    names = re.findall(r"^  ([a-z][a-z-]*)  ", general, re.M)
    if len(names) < 5:
        sys.exit("site: the command's help names no commands")
    parts = [f"# Commands\n\n{block(general)}\n"]
    parts += [f"## {name}\n\n{block(told(name, '--help'))}\n" for name in names]
    return "\n".join(parts)


def scenarios(site):
    """All shipped scenarios: what they say of themselves."""
    parts = ["# Scenarios\n\nWhat is shipped in `configs/`, each with its first words.\n"]
    for folder in sorted((ROOT / "configs").iterdir()):
        files = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
        if files:
            parts.append(f"\n## {folder.name}\n")
        for file in files:
            words = []
            for line in file.read_text().split("\n"):
                if not line.startswith("#"):
                    break
                words.append(line.lstrip("#").strip())
            about = re.split(r"(?<=[.:])\s", " ".join(words))[0].rstrip(":") if words else ""
            there = os.path.relpath(site.place_of(file), "reference")
            parts.append(f"- [{file.stem}]({there}): {about}" if about else f"- [{file.stem}]({there})")
    return "\n".join(parts) + "\n"


def main():
    command, site = sys.argv[1], Site(pathlib.Path(sys.argv[2]).resolve())
    for page in sorted(site.pages_of_docs) + [ROOT / n for n in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]:
        site.add_page(page)
    for picture in (ROOT / "docs").rglob("*"):
        if picture.suffix in (".svg", ".png"):
            place = site.pages / picture.relative_to(ROOT / "docs")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(picture.read_bytes())
    site.write("reference/commands.md", commands(command))
    site.write("reference/scenarios.md", scenarios(site))
    site.add_files()
    index = site.pages / "index.md"
    index.write_text("\n\n".join([index.read_text(), *(site.contents(*row) for row in CONTENTS)]))


main()
