#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
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

import markdown_it

import colour
import keys
import menu

ROOT = pathlib.Path(__file__).resolve().parents[2]

LINK = re.compile(r"(\]\()([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\.png\)")
# What must stay as it is (links, comments), a code span, and the bare name of a page.
PROSE = re.compile(r"(\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!?\[(?:[^\[\]`]|`[^`]*`|\[[^\[\]]*\])*\]\([^)\s]*\)"
                   r"|<!--.*?-->)"
                   r"|(?<!`)`([^`\n]+)`(?!`)|(?<![\w/`.<-])(docs/[\w/]+\.md)\b", re.S)


def lost_command(text):
    """The number of a line with a command that is no block, as it belongs to the list before it; else 0."""
    lines = text.split("\n")
    for token in markdown_it.MarkdownIt("commonmark").parse(text):
        if token.type == "paragraph_open" and re.match(r" {4,}(\$ |build/|tools/|\./|sqlite3 )", lines[token.map[0]]):
            return token.map[0] + 1
    return 0


def blocks(text):
    """(first line, line after the last, its text or None) of each block: indented ones have a text, those
    between fences and comments none."""
    for token in markdown_it.MarkdownIt("commonmark").parse(text):
        if token.type == "code_block":
            yield (*token.map, token.content)
        elif token.type in ("fence", "html_block"):
            yield (*token.map, None)


class Site:
    def __init__(self, folder):
        self.pages = folder
        self.keys = keys.Keys((ROOT / "docs" / "scenarios.md").read_text())
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
            return f"{match[1]}{self.way(place, self.place_of(found))}{'#' + part if part else ''})"

        def both(match):
            """The picture for a light page, and the one for a dark page."""
            dark = match[2].replace("/gallery/", "/dark/")
            if dark == match[2] or not (file.parent / f"{dark}.png").exists():
                return match[0]
            return f"![{match[1]}]({match[2]}.png){{.only-light}}![{match[1]}]({dark}.png){{.only-dark}}"

        text = file.read_text()
        if line := lost_command(text):
            sys.exit(f"site: {file.relative_to(ROOT)}:{line}: this command is shown as text of the list above it: "
                     "indent it by two more, or put a sentence before it")
        text = LINK.sub(lead, PICTURE.sub(both, text))
        if place == "scenarios.md":
            begin, end = text.index(keys.HEAD), text.rindex("|\n") + 2
            text = text[:begin] + self.keys.contents() + text[end:]
        self.write(place, self.with_links(place, file, text))

    def way(self, place, there):
        return os.path.relpath(there, os.path.dirname(place) or ".")

    def with_links(self, place, file, text):
        """The page with a language for each block, and with links where it names a page, a file or a key;
        the first of each."""
        linked = set()

        def name(match):
            kept, span, bare = match.groups()
            words = span or bare
            if kept or words in linked:
                return match[0]
            shown = f"`{span}`" if span else bare
            key = self.keys.lead(words)
            found = (ROOT / words).resolve() if re.fullmatch(r"\w[\w./-]*/[\w./-]+", words) else None
            if key and key[0] != place:
                there = f"{self.way(place, key[0])}#{key[1]}"
            elif found and found.is_file() and found != file and self.is_shown(found):
                there = self.way(place, self.place_of(found))
            else:
                return match[0]
            linked.add(words)
            return f"[{shown}]({there})"

        lines, out, at = text.split("\n"), [], 0
        for begin, end, block in sorted(blocks(text), key=lambda b: b[0]):
            if begin < at:
                continue
            out.append(PROSE.sub(name, "\n".join(lines[at:begin])))
            if block is None:
                out.append("\n".join(lines[begin:end]))
            else:
                first = lines[begin]
                indent = " " * (len(first) - len(first.lstrip()) - 4 - (len(block) - len(block.lstrip())))
                inside = [indent + line if line else "" for line in block.rstrip("\n").split("\n")]
                out += [f"{indent}~~~~ {colour.language(block)}", *inside, f"{indent}~~~~", ""]
            at = end
        out.append(PROSE.sub(name, "\n".join(lines[at:])))
        return "\n".join(out)

    def is_shown(self, file):
        """Whether the site has a page for it: pages, scenarios and examples."""
        return file in self.pages_of_docs or any(
            ROOT / folder in file.parents for folder in ("configs", "sweeps", "docs/examples"))

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

    def add_keys(self, command):
        specified = keys.specification(command)
        for place in self.keys.pages:
            text = self.keys.page(place, specified)
            self.write(place, self.with_links(place, ROOT / "docs" / "scenarios.md", text))


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
    parts = ["# Scenarios\n\nWhat is shipped in `configs/`, each with what to look at.\n"]
    for folder in sorted((ROOT / "configs").iterdir()):
        files = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
        if files:
            parts.append(f"\n## {folder.name}\n")
        for file in files:
            title = file.read_text().split("\n")[1].lstrip("# ") # the first line is for editors
            there = os.path.relpath(site.place_of(file), "reference")
            parts.append(f"- [{file.stem}]({there}): {title}")
    return "\n".join(parts) + "\n"


def main():
    command, site = sys.argv[1], Site(pathlib.Path(sys.argv[2]).resolve())
    for page in sorted(site.pages_of_docs) + sorted(ROOT.glob("*.md")):
        site.add_page(page)
    for picture in (ROOT / "docs").rglob("*"):
        if picture.suffix in (".svg", ".png"):
            place = site.pages / picture.relative_to(ROOT / "docs")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(picture.read_bytes())
    site.write("reference/commands.md", commands(command))
    site.write("reference/scenarios.md", scenarios(site))
    site.add_keys(command)
    places = [str(p.relative_to(site.pages)) for p in site.pages.rglob("*.md")]
    index = site.pages / "index.md"
    index.write_text(index.read_text() + "\n\n" + menu.menu(set(places) - {"index.md", *site.keys.pages}))
    site.add_files()


main()
