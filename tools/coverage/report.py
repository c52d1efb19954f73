# SPDX-License-Identifier: Apache-2.0
"""Coverage of several kinds as one report: groups of points, each with its place, its name and how often it
was reached; as text, JSON and HTML."""
import collections
import html
import json
import pathlib

SHOWN = 40 # holes of a group in the text; the others are in the JSON and the HTML


class Group:
    def __init__(self, name):
        self.name = name
        self.points = collections.Counter() # (place, line, name, bit): how often
        self.reasons = {} # of (place, line, name) that are not reached

    def add(self, place, name, count, line=0, bit=None):
        """Counts of the same point add up."""
        self.points[(place, line, name, -1 if bit is None else bit)] += count

    @property
    def reached(self):
        return sum(count != 0 for count in self.points.values())

    @property
    def required(self):
        """Bits are told; all else is to be reached, or explained."""
        return not self.name.endswith("bits")

    def explain(self, rows):
        """Reasons of what was not reached, by the first row (holes.py) that has one."""
        for (place, line, name, _), count in self.points.items():
            row = next((r for r in rows if r.explains(place, name)), None) if count == 0 else None
            if row is not None:
                row.used += 1
                self.reasons[(place, line, name)] = row.reason

    def by_unit(self):
        """(folder, reached, explained, all) of what lies in folders of units."""
        counts = collections.defaultdict(lambda: [0, 0, 0])
        for (place, line, name, _), count in self.points.items():
            folder = place.split("/")[2] if place.count("/") > 2 else place
            counts[folder][0] += count != 0
            counts[folder][1] += (place, line, name) in self.reasons
            counts[folder][2] += 1
        return [(folder, *all_) for folder, all_ in sorted(counts.items())]

    def by_place(self):
        """(place, reached, all) of each file or unit."""
        counts = collections.defaultdict(lambda: [0, 0])
        for (place, *_), count in self.points.items():
            counts[place][0] += count != 0
            counts[place][1] += 1
        return [(place, *both) for place, both in sorted(counts.items())]

    @property
    def holes(self):
        """What was not reached, in the order of the sources; bits of one signal are one hole."""
        found = {}
        for (place, line, name, bit), count in sorted(self.points.items()):
            if count == 0:
                found.setdefault((place, line, name), []).append(bit)
        return [Hole(place, line, name + ranges(bits), self.reasons.get((place, line, name)))
                for (place, line, name), bits in found.items()]


class Hole:
    def __init__(self, place, line, name, reason=None):
        self.place, self.line, self.name, self.reason = place, line, name, reason

    @property
    def where(self):
        return f"{self.place}:{self.line}" if self.line else self.place

    def __str__(self):
        return f"{self.where}: {self.name}"


def ranges(bits):
    """[7:4,0] of bits in their order; nothing of what has none."""
    runs = []
    for bit in bits:
        if bit < 0:
            return ""
        if runs and runs[-1][1] == bit - 1:
            runs[-1][1] = bit
        else:
            runs.append([bit, bit])
    return "[" + ",".join(str(a) if a == b else f"{b}:{a}" for a, b in reversed(runs)) + "]"


def percent(reached, number):
    return f"{100 * reached / number:.1f} %" if number else "-"


def with_explained(reached, explained, number):
    return f"; {explained} explained, {percent(reached + explained, number)} with them" if explained else ""


def summary(groups):
    return "\n".join(f"{g.name:22} {g.reached:6} of {len(g.points):6}  "
                     f"{percent(g.reached, len(g.points)):>7}"
                     f"{with_explained(g.reached, len(g.reasons), len(g.points))}" for g in groups)


def text(groups):
    out = [summary(groups)]
    for group in groups:
        out.append(f"\n{group.name}")
        if not group.name.startswith("declared"):
            out += [f"  {folder + '/':36} {reached:6} of {number:6}  {percent(reached, number):>7}"
                    f"{with_explained(reached, explained, number)}"
                    for folder, reached, explained, number in group.by_unit()]
            out.append("")
        out += [f"  {place:36} {reached:6} of {number:6}  {percent(reached, number):>7}"
                for place, reached, number in group.by_place()]
        holes = [hole for hole in group.holes if hole.reason is None]
        out += [f"  not reached: {hole}" for hole in holes[:SHOWN]]
        if len(holes) > SHOWN:
            out.append(f"  and {len(holes) - SHOWN} others (report.json, report.html)")
        out += [f"  explained: {hole}: {hole.reason}" for hole in group.holes if hole.reason is not None]
    return "\n".join(out) + "\n"


STYLE = """body{font:14px/1.5 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}
table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;text-align:left;vertical-align:top}
td.n{text-align:right;white-space:nowrap}code{font-size:13px}summary{cursor:pointer}
meter{width:12em}details{margin:2px 0}details td{border-top:1px solid #8884}
:root{color-scheme:light dark}"""


def page(groups):
    out = ["<!doctype html><html lang=en><meta charset=utf-8><title>Coverage</title>",
           f"<style>{STYLE}</style><h1>Coverage</h1><table>"]
    for group in groups:
        share = group.reached / max(1, len(group.points))
        out.append(f'<tr><td><a href="#{group.name}">{group.name}</a>'
                   f"<td><meter value={share:.4f}></meter><td class=n>{group.reached} of "
                   f"{len(group.points)}<td class=n>{percent(group.reached, len(group.points))}")
    out.append("</table>")
    for group in groups:
        holes = collections.defaultdict(list)
        for hole in group.holes:
            holes[hole.place].append(hole)
        out.append(f'<h2 id="{group.name}">{group.name}</h2>')
        for place, reached, number in group.by_place():
            head = f"{html.escape(place)}: {reached} of {number}, {percent(reached, number)}"
            if not holes[place]:
                out.append(f"<div>{head}</div>")
                continue
            out.append(f"<details><summary>{head}</summary><table>")
            out += [f"<tr><td class=n>{hole.line or ''}<td><code>{html.escape(hole.name)}</code>"
                    f"<td>{html.escape(hole.reason or '')}" for hole in holes[place]]
            out.append("</table></details>")
    return "\n".join(out) + "\n"


def write(groups, folder):
    folder = pathlib.Path(folder)
    (folder / "report.txt").write_text(text(groups))
    (folder / "report.html").write_text(page(groups))
    (folder / "report.json").write_text(json.dumps([
        {"group": group.name, "reached": group.reached, "points": len(group.points),
         "places": [{"place": p, "reached": r, "points": n} for p, r, n in group.by_place()],
         "explained": len(group.reasons),
         "units": [{"unit": u, "reached": r, "explained": e, "points": n}
                   for u, r, e, n in group.by_unit()],
         "holes": [{"place": hole.place, "line": hole.line, "name": hole.name, "reason": hole.reason}
                   for hole in group.holes]} for group in groups], indent=1) + "\n")
