#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages of section 3, of the comments of public headers: one for each header, and for each of its
functions a page that refers to it.

usage: man3.py INCLUDE FOLDER

INCLUDE has the headers, as countersink/NAME.h. FOLDER is made, with the pages in it."""
import pathlib
import re
import sys

import header

DATE = "November 28, 2026"
# Whose headers a folder has.
LIBRARIES = {"base": "models", "models": "models", "drivers": "hart", "formats": "hart", "scenario": "hart",
             "golden.h": "golden", "version.h": "models"}


def escaped(text):
    text = text.replace("\\", "\\e")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def literal(text):
    return f".Bd -literal\n{escaped(text)}\n.Ed\n"


def prose(text):
    """Paragraphs; lines that are indented are examples."""
    out = []
    for part in re.split(r"\n\s*\n", text):
        lines = part.split("\n")
        if all(line.startswith("    ") for line in lines):
            out.append(literal("\n".join(line[4:] for line in lines)))
            continue
        if out and not out[-1].startswith(".Bd"):
            out.append(".Pp\n")
        # A sentence begins a line: what formats it knows its end by that.
        text = " ".join(line.strip() for line in lines)
        out.append(escaped(re.sub(r"([.?!]\)?) +", r"\1\n", text)) + "\n")
    return "".join(out)


def first_sentence(about):
    sentence = re.split(r"(?<=\w)[.:](?:\s|$)", re.sub(r"\s+", " ", about))[0]
    sentence = re.sub(r" \(docs/[^)]*\)", "", sentence)
    return sentence[0].lower() + sentence[1:] if not sentence[:2].isupper() else sentence


def page(place, library, text):
    name = place.stem
    about, groups = header.parse(text)
    functions = [n for g in groups for i in g.items if i.kind == "function" for n in i.names()]
    names = list(dict.fromkeys([f"countersink_{name}", *functions]))
    out = [f".\\\" Made of {place}.\n.Dd {DATE}\n.Dt COUNTERSINK_{name.upper()} 3\n.Os\n",
           ".Sh NAME\n", "".join(f".Nm {n} ,\n" for n in names[:-1]), f".Nm {names[-1]}\n",
           f".Nd {escaped(first_sentence(about))}\n",
           f".Sh LIBRARY\n.Li countersink::{library}\nof CMake,\n.Li countersink-{library}\n"
           "of pkg-config\n", f".Sh SYNOPSIS\n.In {place}\n"]
    if functions:
        out.append(literal("\n".join(i.declaration for g in groups for i in g.items
                                     if i.kind == "function")))
    out.append(".Sh DESCRIPTION\n" + prose(about))
    for group in groups:
        out.append(literal("\n".join(i.declaration if i.kind == "function" and "{" in i.bare else i.text
                                     for i in group.items)))
        if group.comment:
            out.append(prose(group.comment))
    out.append(".Sh RETURN VALUES\nWhat can fail returns a\n.Vt cs_status ,\n"
               ".Dv CS_OK\nwhere it has not, and fills the\n.Vt cs_diag\nthat it was handed.\n"
               if "cs_diag *" in text else "")
    out.append(".Sh SEE ALSO\n" + (".Xr countersink 1 ,\n.Xr countersink_diag 3\n" if name != "diag"
                                  else ".Xr countersink 1\n"))
    return "".join(out), functions


def main():
    include, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(include.glob("countersink/**/*.h")):
        place = path.relative_to(include)
        if place.parts[1] == "regs": # made of src/regs/*.rdl: tables
            continue
        text, functions = page(place, LIBRARIES[place.parts[1]], path.read_text(encoding="utf-8"))
        (folder / f"countersink_{place.stem}.3").write_text(text, encoding="utf-8")
        for function in set(functions) - {f"countersink_{place.stem}"}:
            (folder / f"{function}.3").write_text(f".so man3/countersink_{place.stem}.3\n", encoding="utf-8")


if __name__ == "__main__":
    main()
