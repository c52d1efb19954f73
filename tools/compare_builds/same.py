# SPDX-License-Identifier: Apache-2.0
"""What is the same: folders, files, bytes; the rules that say which names have changed."""
import fnmatch
import re
import sqlite3

from sides import BadUse

SHOWN = 160  # characters of a line that differs

# Time on the wall: of no run the same.
WALL = [
    (("summary.txt", "*.out"), re.compile(rb"^( *wall time +).*$", re.M)),
    (("summary.json",), re.compile(rb'^( *"wall_ns": ).*$', re.M)),
]


def is_of(name, globs):
    return any(fnmatch.fnmatch(name, g) or fnmatch.fnmatch(name.rsplit("/", 1)[-1], g)
               for g in globs)


class Rules:
    """`FILES s/OLD/NEW/` a line: what the old build's text has become; with = before FILES what stands
    for the same in both. `format OLD NEW` is a format that the new build calls otherwise, and still
    takes by its old name."""

    def __init__(self, path=None):
        self.rules, self.formats = [], {}
        for nr, line in enumerate(open(path) if path else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                files, rule = line.rstrip("\n").split(None, 1)
                if files == "format":
                    old, new = rule.split()
                    self.formats[new] = old
                    continue
                command, old, new, flags = rule.split(rule[1])
                if command != "s" or flags.strip() not in ("", "g"):
                    raise ValueError
                self.rules.append([line.strip(), files.lstrip("="), files[0] == "=",
                                   re.compile(old.encode(), re.M), new.encode(), 0])
            except (ValueError, IndexError, re.error):
                raise BadUse(f"{path}:{nr}: expected `FILES s/OLD/NEW/` or `format OLD NEW`") from None

    def apply(self, name, text, is_old):
        for rule in self.rules:
            _, files, both, old, new, _ = rule
            if (is_old or both) and is_of(name, [files]):
                text, times = old.subn(new, text)
                rule[-1] += times
        return text

    def tell(self):
        return [f"rule {text}: {times} times" for text, *_, times in self.rules]


def shown(text):
    return repr(text[:SHOWN].decode("utf-8", "backslashreplace"))


def first_difference(old, new):
    try:
        old.decode()
        new.decode()
    except UnicodeDecodeError:
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        return (f"byte {at}: old {old[at:at + 8].hex(' ') or 'ends'}, "
                f"new {new[at:at + 8].hex(' ') or 'ends'} ({len(old)} and {len(new)} bytes)")
    olds, news = old.split(b"\n"), new.split(b"\n")
    at = next((i for i, (a, b) in enumerate(zip(olds, news)) if a != b), min(len(olds), len(news)))
    told = [shown(lines[at]) if at < len(lines) else "ends" for lines in (olds, news)]
    return f"line {at + 1}:\n      old {told[0]}\n      new {told[1]}"


def dump(path):
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as database:
        return "\n".join(database.iterdump()).encode()


class Judge:
    """Compares what both sides have made of a job, in a folder each."""

    def __init__(self, sides, rules):
        self.sides = sides
        self.rules = rules

    def _text(self, side, name, text):
        if is_of(name, ["*.out", "*.err"]):
            text = side.without_folders(text)
        for globs, wall in WALL:
            if is_of(name, globs):
                text = wall.sub(rb"\1", text)
        return self.rules.apply(name, text, side is self.sides[0])

    def file(self, name, paths):
        """None, or the first difference."""
        old, new = (path.read_bytes() for path in paths)
        if old == new:
            return None
        if old.startswith(b"SQLite format 3") and new.startswith(b"SQLite format 3"):
            old, new = map(dump, paths)
        old, new = self._text(self.sides[0], name, old), self._text(self.sides[1], name, new)
        return None if old == new else first_difference(old, new)

    def folders(self, folders):
        """(number of files, [differences])"""
        files = [{str(p.relative_to(f)): p for p in f.rglob("*") if p.is_file()} for f in folders]
        bad = [f"{name}: only in {side.label}"
               for side, own, other in zip(self.sides, files, reversed(files))
               for name in sorted(own.keys() - other.keys())]
        for name in sorted(files[0].keys() & files[1].keys()):
            difference = self.file(name, (files[0][name], files[1][name]))
            if difference:
                bad.append(f"{name}: {difference}")
        return len(files[0]), bad
