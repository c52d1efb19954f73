#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of what a MAP can say, in docs/yours/rtl.md, from the program's own (`help compare-unit`).

    map_tables.py COUNTERSINK PAGE [--write]

They stand between the two lines that BEGIN and END are. Without --write: 1 if the page has others.
"""
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- made by docs/examples/map_tables.py -->", "<!-- end -->"


def tables(text):
    """The parts of the help that are lists: title, rows."""
    found, rows = [], []
    for line in text.split("\n"):
        if re.match(r"(Keys of|Pins of|Settings of) ", line):
            rows = []
            found.append((line.rstrip(":"), rows))
        elif line.startswith("  "):
            rows.append(line.strip())
        else:
            rows = []
    return found


def page_tables(text):
    out, held = ["| key | what it says |", "|---|---|"], []
    for title, rows in tables(text):
        words = title.split()
        if words[0] == "Keys":
            out += [f"| `{name}` | {tells} |" for name, tells in (row.split(None, 1) for row in rows)]
        elif words[0] == "Pins":
            held += [(words[2], name, value) for name, value in
                     re.findall(r"^(\S+) .*; held at (\d+)$", "\n".join(rows), re.M)]
        else:
            out += ["", f"Settings of `{words[2]}`:", "", "| setting | range | default | what it is |",
                    "|---|---|---|---|"]
            for row in rows:
                name, span, value, tells = re.match(r"(\S+) +(\S+), (\S+) +(.*)", row).groups()
                out.append(f"| `{name}` | {span.replace('..', ' to ')} | {value} | {tells} |")
    out += ["", "Inputs that are held at another value than 0:", "", "| unit | input | held at |",
            "|---|---|---|"]
    out += [f"| `{unit}` | `{name}` | {value} |" for unit, name, value in held]
    return "\n".join(out)


def told(command, *words):
    return subprocess.run([command, "help", *words], check=True, capture_output=True,
                          text=True).stdout


def main(command, page, write=None):
    page = pathlib.Path(page)
    text = page.read_text(encoding="utf-8")
    said = told(command, "compare-unit")
    units = re.search(r"^Units, .*\n((?:  .*\n)+)", said, re.M).group(1)
    for unit in re.findall(r"^  (\S+)", units, re.M):
        said += told(command, "compare-unit", unit)
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    wanted = f"{before}{BEGIN}\n\n{page_tables(said)}\n\n{END}{after}"
    if write == "--write":
        page.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        sys.exit(f"{page}: other tables than the program's; {sys.argv[0]} ... --write")


if __name__ == "__main__":
    main(*sys.argv[1:])
