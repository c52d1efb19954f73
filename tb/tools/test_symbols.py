#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No two archives define the same name for others: a program may be linked with any of them.

What several archives take from one object on purpose stands in each of them under one member's name.
Usage: test_symbols.py BUILD
"""
import collections
import pathlib
import subprocess
import sys


def defined(archive):
    """(name, member) of what the archive defines for others; weak ones (C++) are nobody's own."""
    listing = subprocess.run(["nm", "-A", "-g", "--defined-only", "--format=posix", archive],
                             capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        place, name, kind = line.split()[:3]
        if kind in "TDBRC":
            yield name, place[place.index("[") + 1:place.index("]")]


def main():
    archives = sorted(pathlib.Path(sys.argv[1], "src").rglob("*.a"))
    members = collections.defaultdict(set)
    places = collections.defaultdict(list)
    for archive in archives:
        for name, member in defined(archive):
            members[name].add(member)
            places[name].append(archive.name)
    wrong = [f"{name} is defined in {' and '.join(places[name])}, by {' and '.join(sorted(of))}"
              for name, of in members.items() if len(of) > 1]
    wrong += [f"{name} is defined more than once in {places[name][0]}" for name in places
              if len(places[name]) != len(set(places[name]))]
    print("\n".join(sorted(wrong)) or f"{len(members)} names in {len(archives)} archives")
    return 1 if wrong or len(archives) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
