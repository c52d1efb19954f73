#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows every link of a site, picture and anchor: links.py FOLDER. Exit status 1: one leads nowhere, or
a page wants something from the network."""
import html.parser
import pathlib
import sys
import urllib.parse

# What a reader follows, and what a browser fetches by itself.
FOLLOWED = {("a", "href"), ("area", "href")}
FETCHED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key == "id" or (tag == "a" and key == "name"):
                self.names.add(value)
            if (tag, key) in FOLLOWED | FETCHED and value:
                self.links.append(((tag, key) in FETCHED, value))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {p: Page(p.read_text()) for p in root.rglob("*.html")}
    bad, followed = [], 0
    for page, parsed in pages.items():
        if page.name == "404.html":
            continue
        for fetched, link in parsed.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if fetched and parts.scheme != "data":
                    bad.append(f"{page.relative_to(root)}: wants {link} from the network")
                continue
            there = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            there = there / "index.html" if there.is_dir() else there
            anchor = urllib.parse.unquote(parts.fragment)
            followed += 1
            if not there.exists():
                bad.append(f"{page.relative_to(root)}: {link} leads nowhere")
            elif anchor and there in pages and anchor not in pages[there].names | {"__skip"}:
                bad.append(f"{page.relative_to(root)}: {link}: no such part")
    print("\n".join(bad) or f"site: {followed} links lead somewhere")
    sys.exit(1 if bad else 0)


main()
