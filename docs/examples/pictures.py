#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the pictures of states of docs/hardware.md to what docs/hw/points/ declares: each state of a unit
is in its picture, under its name.

    pictures.py PROJECT
"""
import pathlib
import re
import sys


def main(project):
    bad, count = [], 0
    for points in sorted((project / "docs" / "hw" / "points").glob("*.txt")):
        picture = project / "docs" / "pictures" / "hw" / f"{points.stem}_states.svg"
        states = re.findall(r"^state +(\w+)", points.read_text(), re.M)
        if not states:
            continue
        words = set(re.findall(r">(\w+)(?=[<:])", picture.read_text()))
        count += len(states)
        bad += [f"{picture.relative_to(project)}: no {state}, which {points.name} declares"
                for state in states if state not in words]
    if count < 20:
        bad.append(f"docs/hw/points/ declares {count} states only")
    sys.exit("\n".join(bad) if bad else 0)


main(pathlib.Path(sys.argv[1]).resolve())
