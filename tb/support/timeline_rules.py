#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a Trace Event JSON file, holds it to the rules that its viewers have, and prints what is in
it: a line an event, of fields separated by tabs: phase, group, track, name, begin and duration in
nanoseconds, arguments as name=value separated by U+001F. Exits 1 where a rule is broken."""

import json
import sys
from decimal import Decimal


def fail(text):
    print(f"{sys.argv[1]}: {text}", file=sys.stderr)
    sys.exit(1)


def check(condition, event, rule):
    if not condition:
        fail(f"{rule}: {json.dumps(event, default=str)}")


def no_twice(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        fail(f"a key twice: {keys}")
    return dict(pairs)


def ns(microseconds):
    """Times are written with three decimals: whole nanoseconds."""
    value = Decimal(microseconds) * 1000
    if value != value.to_integral_value():
        fail(f"{microseconds} us is no whole number of nanoseconds")
    return int(value)


def clean(text):
    return str(text).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def check_slices(track, slices):
    """Sorted by begin, the longest first, each is inside what is open or behind it."""
    open_ends = []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            fail(f"slices of track {track} overlap at {begin} ns")
        open_ends.append(end)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file, parse_float=Decimal, object_pairs_hook=no_twice)
    if set(whole) != {"displayTimeUnit", "otherData", "traceEvents"}:
        fail(f"keys {sorted(whole)}")
    if whole["displayTimeUnit"] not in ("ns", "ms"):
        fail("displayTimeUnit")
    groups, tracks, counters, slices, owner = {}, {}, {}, {}, {}
    events = whole["traceEvents"]
    for e in events:
        check(isinstance(e["pid"], int) and e["pid"] > 0, e, "a group has a number from 1 on")
        if e["ph"] != "M":
            continue
        names = {"process_name": groups, "thread_name": tracks}.get(e["name"])
        if names is not None:
            key = e["pid"] if names is groups else e["tid"]
            check(key not in names, e, "a name once")
            names[key] = e["args"]["name"]
            if names is tracks:
                owner[key] = e["pid"]
        else:
            check(e["name"] in ("process_sort_index", "thread_sort_index"), e, "known metadata")
            check(isinstance(e["args"]["sort_index"], int), e, "an order is a number")
    for key, value in whole["otherData"].items():
        print("fact", "", "", clean(key), 0, 0, clean(value), sep="\t")
    for e in events:
        if e["ph"] == "M":
            continue
        check(e["ph"] in "XiC", e, "known phase")
        check(isinstance(e["ts"], Decimal) and e["ts"] >= 0, e, "a time with decimals")
        check(e["pid"] in groups, e, "its group has a name")
        begin, duration = ns(e["ts"]), 0
        if e["ph"] == "C":
            check(all(isinstance(v, (int, Decimal)) for v in e["args"].values()), e, "numbers")
            key = (e["pid"], e["name"])
            check(counters.get(key, 0) <= begin, e, "a counter's times rise")
            counters[key] = begin
        else:
            check(owner.get(e["tid"]) == e["pid"], e, "its track has a name, and is the group's")
        if e["ph"] == "X":
            duration = ns(e["dur"])
            check(duration >= 0, e, "a duration is not negative")
            slices.setdefault(e["tid"], []).append((begin, begin + duration))
        if e["ph"] == "i":
            check(e["s"] == "t", e, "an instant is its track's")
        arguments = "\x1f".join(f"{clean(k)}={clean(v)}" for k, v in e.get("args", {}).items())
        print(e["ph"], clean(groups[e["pid"]]), clean(tracks.get(e["tid"], "")), clean(e["name"]),
              begin, duration, arguments, sep="\t")
    for track, its in slices.items():
        check_slices(tracks[track], its)


main()
