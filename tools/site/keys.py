# SPDX-License-Identifier: Apache-2.0
"""Pages of a scenario's keys, one for each section, out of the table in docs/scenarios.md. A key is a
heading, so that it has an anchor and search finds it."""
import re
import subprocess
import sys

ROW = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.M)
HEAD = "| key | allowed |"
WORD = re.compile(r"`([\w-]+)`: ")
# Sections of a key or two are on one page.
SMALL, REST = 2, "run"


def rows(text):
    """(key, allowed, default, meaning) of the table."""
    found = []
    for key, cells in ROW.findall(text[text.index(HEAD):]):
        cells = re.split(r"(?<!\\) \| ", cells)
        if len(cells) != 3:
            sys.exit(f"site: docs/scenarios.md: the row of {key} has {len(cells)} cells after it, not 3")
        found.append((key, *(c.strip() for c in cells)))
    return found


def top(key):
    return re.split(r"[.\[]", key)[0]


def slug(key):
    """The anchor that MyST gives to the key's heading."""
    return re.sub(r"[^\w-]", "", key.lower())


def shown(text):
    return text.replace("\\|", "|").replace("<", "&lt;").replace("*", "\\*")


def sentence(text):
    text = shown(text).rstrip(" .;")
    return f"{text[0].upper()}{text[1:]}." if text else ""


class Keys:
    def __init__(self, text):
        self.rows = rows(text)
        counts = {}
        for key, *_ in self.rows:
            counts[top(key)] = counts.get(top(key), 0) + 1
        self.page_of = {key: f"keys/{top(key) if counts[top(key)] > SMALL else REST}.md"
                        for key, *_ in self.rows}
        self.pages = sorted(set(self.page_of.values()))
        if len(self.pages) < 10 or len({slug(key) for key in self.page_of}) < len(self.page_of):
            sys.exit("site: docs/scenarios.md: not the table of keys that the site expects")

    def lead(self, span):
        """(page, anchor) of what stands in a code span, or None. A key on its own must have a point, as
        single words such as `name` mean other things, too."""
        key = re.sub(r"\.\d+(?=\.|$)|\.N(?=\.)", "[]", span)
        return (self.page_of[key], slug(key)) if "." in key and key in self.page_of else None

    def page(self, place, specified):
        """The text of a page; specified(section) is the page that specifies a section, or None."""
        mine = [row for row in self.rows if self.page_of[row[0]] == place]
        name = place.removeprefix("keys/").removesuffix(".md")
        if name == REST:
            out = ["# The run as a whole", "", "Keys that stand at the top of a scenario."]
        else:
            about = next((meaning for key, _, _, meaning in mine if key == name), "")
            out = [f"# `{name}`", "", sentence(about) if about else f"Keys of section `{name}`."]
            there = specified(name)
            if there:
                out += ["", f"Specified in [{there}](../{there.removeprefix('docs/')})."]
            mine = [row for row in mine if row[0] != name or row[1] not in ("a map", "")]
        for key, allowed, default, meaning in mine:
            out += ["", f"## `{key}`", "", *self.entry(allowed, default, meaning)]
        return "\n".join(out) + "\n"

    @staticmethod
    def entry(allowed, default, meaning):
        parts = WORD.split(meaning)
        out = [sentence(parts[0]), ""]
        words = list(zip(parts[1::2], parts[2::2]))
        out += [f"- `{word}`: {shown(says).rstrip(' ;')}" for word, says in words]
        if words:
            out.append("")
        out.append(f"Allowed: {shown(allowed)}\\" if default else f"Allowed: {shown(allowed)}")
        if default:
            out.append(f"Default: {shown(default)}")
        return out

    def contents(self):
        """What stands on the site in place of the table."""
        lines = []
        for place in self.pages:
            name = place.removeprefix("keys/").removesuffix(".md")
            count = sum(page == place for page in self.page_of.values())
            tops = sorted({top(key) for key, page in self.page_of.items() if page == place})
            title = ", ".join(f"`{t}`" for t in tops)
            meaning = next((m for key, _, _, m in self.rows if key == name), "the run as a whole")
            lines.append(f"| [{title}]({place}) | {count} | {shown(meaning)} |")
        toctree = "\n".join(["```{toctree}", ":hidden:", "", *self.pages, "```"])
        return "| section | keys | what it describes |\n|---|---|---|\n" + "\n".join(lines) + "\n\n" + toctree


def specification(command):
    """section -> the page of docs/ that `explain` names for it, if it is not that of the keys."""
    def of(section):
        said = subprocess.run([command, "explain", section], text=True, capture_output=True).stdout
        found = re.search(r"^page +(docs/\S+\.md)$", said, re.M)
        return found[1] if found and found[1] != "docs/scenarios.md" else None
    return of
