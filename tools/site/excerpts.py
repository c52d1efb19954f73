#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the texts of a site's pages, from which its search takes excerpts, as a script: excerpts.py FOLDER.
A script is read from a disk, too, where a browser does not let pages fetch each other."""
import html.parser
import json
import pathlib
import re
import sys

# Elements that end without a tag.
VOID = {"img", "br", "hr", "input", "meta", "link", "wbr", "col", "source", "area"}


class Text(html.parser.HTMLParser):
    """The text of <article>, without marks of headings."""
    def __init__(self, text):
        super().__init__()
        self.inside, self.skipped, self.parts = 0, 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in VOID:
            return
        marked = "headerlink" in (dict(attrs).get("class") or "")
        if self.skipped or (self.inside and (marked or tag in ("script", "style"))):
            self.skipped += 1
        if self.inside or tag == "article":
            self.inside += 1

    def handle_endtag(self, tag):
        if tag in VOID or not self.inside:
            return
        self.inside -= 1
        self.skipped = max(0, self.skipped - 1)

    def handle_data(self, data):
        if self.inside and not self.skipped:
            self.parts.append(data)


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {}
    for page in sorted(root.rglob("*.html")):
        name = str(page.relative_to(root).with_suffix(""))
        if not name.startswith("files/"):
            texts[name] = re.sub(r"\s+", " ", "".join(Text(page.read_text()).parts)).strip()
    if len([name for name, text in texts.items() if len(text) > 200]) < 30:
        sys.exit("site: the pages have no text for excerpts")
    (root / "_static" / "excerpts.js").write_text(
        f"const searchExcerpts = {json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n")


main()
