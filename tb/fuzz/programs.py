# SPDX-License-Identifier: Apache-2.0
"""Programs of calls for the targets that write (program.h), which call all functions of the writers.

A call is its name and its arguments: a number, a text, bytes, a list of numbers, or None where there
is no text.
"""

ALL, REST = 0, 1  # what becomes of a number: itself, its complement


def number(value, how=ALL):
    if how == ALL and 0 <= value < 0x80:
        return bytes([0x80 + value])
    if how == ALL and value < 0:
        return number(~value, REST)
    width = next(i for i in range(4) if value < 1 << (8 << i))
    return bytes([how << 2 | width]) + value.to_bytes(1 << width, "little")


def raw(*values):
    return bytes(values)


def text(value):
    """Up to 31 bytes; a longer one is of one letter."""
    value = value.encode() if isinstance(value, str) else value
    if len(value) < 32:
        return bytes([len(value)]) + value
    return b"\xf0" + len(value).to_bytes(2, "little") + value[:1]


def numbers(values):
    """Up to 15 of them; more of them rise."""
    if len(values) < 16:
        return bytes([len(values)]) + b"".join(map(number, values))
    return b"\xf0" + len(values).to_bytes(2, "little") + number(values[0])


def coded(*values):
    """bytes are as they stand, None is no text."""
    return b"".join(value if isinstance(value, bytes) else b"\xff" if value is None
                    else text(value) if isinstance(value, str)
                    else number(value) if isinstance(value, int) else numbers(value)
                    for value in values)


# ---- perf.data ----

PERF = ["sample", "comm", "mmap", "mmap2", "fork", "exit", "switch", "switch_cpu", "throttle",
        "unthrottle", "lost", "lost_samples", "aux", "itrace_start", "record", "finished_round",
        "id_index", "finished_init", "auxtrace_info", "auxtrace", "thread_map", "cpu_map",
        "stat_config", "stat", "stat_round", "unit", "scale", "event_cpus"]
HEADER, FULL, STREAM, NO_SEEK, ABANDON, ID_ALL, BARE = 3, 4, 8, 16, 32, 64, 128
WRITTEN = 0x107EF  # sample_type of which all but READ is; 0x107ff: all
WHERE = (raw(0, 0), 7, 42, 43, 1000000, 1)  # event, id; stream, pid, tid, time, cpu
SECOND = (raw(1, 1), 0, 42, 44, 2000000, 2)
MAP = (2, 0x400000, 0x1000, 0, 5, 2, 8, 1, 77, 3)
FEATURES = (raw(0), "host", "6.1", "v", "x86_64", "a CPU", "id,1", 1 << 20,
            raw(2), "perf", "record", raw(1), 8, "cpu",
            raw(1), 2, -1, raw(19), bytes(range(20)), "/bin/true", 4, 0, 0, 0, 0, 1, 0, 1, 1)


def event(sample_type=WRITTEN, read_format=0, ids=(5, 6), name="cycles", flags=0x100):
    return coded(8, 1, 2, 3, 100, sample_type, raw(read_format), flags, list(ids), name)


def perf(choice, events, calls, features=FEATURES, limit=0):
    return coded(raw(choice), limit, raw(len(events)), *events, raw(len(calls)),
                 *(coded(raw(PERF.index(name)), *args) for name, *args in calls), *features)


KERNEL = [
    ("comm", *WHERE, "true", raw(1)),
    ("mmap", *WHERE, *MAP, raw(0), "/bin/true"),
    ("mmap2", *WHERE, *MAP, raw(0), "/lib/c"),
    ("mmap2", *SECOND, *MAP, raw(1, 20), bytes(range(20)), "/lib/m"),
    ("fork", *WHERE, 1, 1, raw(1)),
    ("sample", *WHERE, 2, 0x400010, 0xffff0000, 100, [], 0, 0, [-128, 0x400010], raw(3, 1, 2, 3)),
    ("sample", *SECOND, 1, 0x400020, 0, 100, [3, 4], 50, 40, [-512, 1], raw(0)),
    ("switch", *WHERE, 0x2000), ("switch_cpu", *SECOND, 0x6000, 1, 1),
    ("throttle", *WHERE), ("unthrottle", *SECOND), ("lost", *WHERE, 12),
    ("lost_samples", *WHERE, 3),
    ("exit", *WHERE, 1, 1),
    ("finished_round",), ("id_index", 0, 4), ("finished_init",),
]
AUX = [
    ("auxtrace_info", 4, [1, 2, 3]), ("itrace_start", *WHERE), ("aux", *WHERE, 0, 64, 1),
    ("auxtrace", 0, 9, 1, 2, 3, 61, raw(7)),
    ("auxtrace", 64, 9, 1, -1, -1, 530000, raw(1)),
]
RECORDS = [("record", 68, 0, raw(0), raw(0)),
           ("record", 3, 0, raw(0), raw(16), b"\1\0\0\0\1\0\0\0true\0\0\0\0"),
           ("record", 9, 0, raw(0), raw(8), bytes(8))]
STAT = [
    ("thread_map", [0, -1], "true", "a name of more than 15"), ("cpu_map", [0, 1, 2]),
    ("stat_config", 1, 1000, raw(1)),
    ("unit", raw(0), "MiB"), ("scale", raw(1), 0x3FF8000000000000), ("event_cpus", raw(0), [0, 3]),
    ("stat", raw(0, 0), 0, 0, 1000, 10, 10), ("stat", raw(1, 1), 1, 0, 1000, 10, 5),
    ("stat_round", 1, 5),
]
TWO = [event(), event(0x107FF, 0x1F, (9, 10, 11), "cpu/misses/")]
EMPTY = (raw(1), None, None, None, None, None, None, 0, raw(0), raw(0), raw(0), 1000)

PERF_PROGRAMS = {
    "kernel": perf(FULL | ID_ALL, TWO, KERNEL),
    "json": perf(FULL | ID_ALL | 2, [event(0x107FF, 0x17)], KERNEL),
    "header": perf(HEADER | ID_ALL, TWO, AUX),
    "header-json": perf(HEADER | FULL | ID_ALL, TWO, KERNEL, EMPTY),
    "no-trailer": perf(1, TWO, KERNEL),
    "bare": perf(BARE | ID_ALL, [event(0x7EF, 0, ())], KERNEL[:3] + KERNEL[7:8], EMPTY),
    "aux": perf(ID_ALL, [event()], AUX),
    "records": perf(BARE, [event(1)], RECORDS),
    "stat": perf(ID_ALL, TWO, STAT, EMPTY),
    "stream": perf(STREAM | ID_ALL, [event()], AUX + [("comm", *WHERE, "x", raw(0))]),
    "no-seek": perf(STREAM | NO_SEEK, [event()], KERNEL[:1]),
    "short-stream": perf(STREAM, [event()], KERNEL[:1], limit=700),
    "full-at-front": perf(0, [event(ids=range(1, 17000))] * 4, [], limit=1000),
    "full-at-end": perf(ID_ALL, [event()], KERNEL[:3], limit=500),
    "full-at-patch": perf(ID_ALL, [event()], [], EMPTY, limit=537),
    "full-at-payload": perf(ID_ALL, [event()], AUX, limit=300),
    "abandoned": perf(ABANDON | ID_ALL, [event()], KERNEL[:2]),
    "no-event": perf(0, [], []),
    "unknown-bits": perf(0, [event(0x800)], []),
    "no-ids": perf(0, [event(ids=()), event()], []),
    "no-identifier": perf(BARE, [event(0x7), event(0x7)], []),
    "wrong-event": perf(ID_ALL, [event()], [("stat", raw(0xf0, 0), 0, 0, 1, 1, 1)] + KERNEL[:1]),
    "foreign-id": perf(ID_ALL, TWO, [("comm", raw(0, 0xf0), 99, 7, 42, 43, 1, 1, "x", raw(0))]),
    "build-id": perf(ID_ALL, [event()], [("mmap2", *WHERE, *MAP, raw(1, 21), bytes(20), "x")]),
    "no-record": perf(ID_ALL, [event()], [("record", 68, 0, raw(1), raw(3, 1, 2, 3))]),
    "long-name": perf(ID_ALL, [event()], [("comm", *WHERE, "x" * 65000, raw(0)),
                                          ("comm", *WHERE, "x" * 65500, raw(0))]),
    "long-chain": perf(0, [event()], [("sample", *WHERE, 2, 1, 1, 1, [], 0, 0, range(8200),
                                       raw(0))]),
    "many-ids": perf(ID_ALL, [event(ids=range(1, 4100))], [("id_index", 0)]),
    "many-cpus": perf(0, [event()], [("cpu_map", range(32757)),
                                      ("event_cpus", raw(0), range(33000))]),
    "many-threads": perf(0, [event()], [("thread_map", range(2729), "a", "b", "c", ""),
                                        ("thread_map", range(2731), "a", "b", "c", "")]),
}

# ---- fields ----

DECIMAL, HEX, SIGNED, ENUM, TEXT = range(5)
BITS = {64: 0, 32: 1, 16: 2, 8: 3, 7: 6}


def fields(*all_of, wrong=False):
    """(name's place, kind, bits, labels..): labels are (value, name)."""
    out = bytes([len(all_of)])
    for name, kind, bits, *labels in all_of:
        out += bytes([0, name] if wrong else [name]) + bytes([kind, BITS[bits]])
        if kind == ENUM:
            out += bytes([len(labels) - (not wrong)])
            out += b"".join((number(v) if wrong else bytes([v])) + coded(t) for v, t in labels)
    return out


FIVE = ((0, DECIMAL, 64), (1, HEX, 32), (5, SIGNED, 16), (6, ENUM, 8, (0, "idle"), (1, "busy")),
        (7, TEXT, 64))

# ---- Perfetto ----

PERFETTO = ["name_group", "name_track", "slice", "instant", "counter"]
PROTO, NO_END = 4, 8
ARGS = fields(*FIVE)
TIMELINE = [
    ("name_group", raw(1), "chip 0", 1), ("name_track", raw(5), "core \x01\"\\", 2),
    ("slice", raw(5), "work", 1000, 2500, ARGS, 1 << 60, 0xbeef, -3, 4, "caf\u00e9"),
    ("slice", raw(5), "none", 3000, 3000, raw(0)),
    ("slice", raw(5), "back", 2, 1, raw(0)),
    ("instant", raw(5), "tick", 7, ARGS, 5, 0, -(1 << 60), 9, b"\x04\xff\xc3\x28\xe0"),
    ("counter", raw(1), "power", "W", 8, 0x4029000000000000),
    ("counter", raw(1), "power", "W", 9, 0),
    ("instant", raw(5), "odd \xe2\x82\xac \U0001F600", 2**40, raw(0)),
]


def perfetto(choice, calls, facts=raw(0), limit=0, mhz=2400, base=10):
    return coded(raw(choice), limit, mhz, base, facts,
                 *(coded(raw(PERFETTO.index(name)), *args) for name, *args in calls))


def many(nr):
    """Names that are new each time: they do not fit where the first ones did."""
    return [("instant", raw(5), f"name {i}", i, raw(0)) for i in range(nr)]


FACTS = coded(ARGS, 1, 2, -3, 0, "x")
PERFETTO_PROGRAMS = {
    f"{name}{kind}": program for kind, more in (("", 0), (".pb", PROTO)) for name, program in {
        "all": perfetto(more, TIMELINE, FACTS),
        "json": perfetto(more | 2, TIMELINE),
        "nothing": perfetto(more, []),
        "no-end": perfetto(more | NO_END, TIMELINE),
        "full": perfetto(more, TIMELINE, limit=1),
        "many": perfetto(more, TIMELINE[:2] + many(200), mhz=1),
        "many-full": perfetto(more, TIMELINE[:2] + many(200), limit=5000),
        "long": perfetto(more, TIMELINE[:2] + [("instant", raw(5), "x" * 60000, 1, raw(0))] * 3,
                         limit=100000),
        "not-a-number": perfetto(more, TIMELINE[:2]
                                 + [("counter", raw(1), "x", "", 1, 0x7FF8 << 48)]),
        "far": perfetto(more, TIMELINE[:2] + [("instant", raw(5), "far", -1, raw(0))], mhz=1),
    }.items()
}

# ---- CTF ----

CTF = ["open", "label", "put", "", "", "fill", "", "fill_metadata"]
PACKETS = {0: 0, 256: 1, 255: 2, 300: 3, 1024: 4, 1 << 26: 6, (1 << 26) + 1: 7}
CTF_FIELDS = fields(*FIVE, wrong=True)
ONE = fields((0, DECIMAL, 8), wrong=True)
CLASSES = (raw(2), raw(0, 0), raw(2), "first", CTF_FIELDS, "second", ONE,
           raw(0, 3), raw(1), "core", ONE)


def ctf(calls, choice=0, how=0, packet=256, hz=1000, clock=raw(0, 1),
        facts=raw(2) + coded(raw(0, 5), "a \"fact\"", 0, raw(0, 4), None, -5), classes=CLASSES):
    return coded(raw(choice, how), raw(PACKETS[packet], 5), hz, clock, facts, *classes,
                 *(coded(raw(CTF.index(name)), *args) for name, *args in calls))


def classes(*more):
    return (raw(1), raw(0, 0), raw(1), *more)


PUT = ("put", raw(0, 0), 10, 1 << 60, 0xbeef, -3, 1, "text")
OPEN = [("open", raw(0), 3, raw(0, 0)), ("open", raw(1), 4, raw(0, 1))]
EVENTS = [PUT, ("put", raw(0, 1), 5, 255), ("put", raw(1, 0), 1, 7)]
REFUSED = [("put", raw(0, 0xf0), 1, 0, 0, 0, 0, ""), ("put", raw(0, 1), -3, 1),
           ("put", raw(0, 1), 1, 256),
           ("put", raw(0, 0), 1, 0, 0, 0x8000, 0, ""), ("put", raw(0, 0), 1, 0, 0, 0, 0, None)]
CTF_PROGRAMS = {
    "all": ctf(OPEN + EVENTS + [("label", raw(0), "cpu \"three\"")] + REFUSED + EVENTS * 8),
    "json": ctf(OPEN + EVENTS, choice=2, packet=0, how=4),
    "labels": ctf(OPEN + [("open", raw(0), 3, raw(0, 2)), ("label", raw(0), "a"),
                          ("label", raw(2), "b"), ("open", raw(0), 1, raw(0, 3)),
                          ("label", raw(3), "c"), ("label", raw(3), "d")] + EVENTS),
    "names": ctf([("open", raw(0), 0, raw(0, nr)) for nr in (4, 5, 6, 7, 0, 0)]
                 + [("open", raw(3), 0, raw(0, 1)), ("open", raw(0), 0, raw(0xf0), "x" * 300)]),
    "large": ctf(OPEN + [PUT[:-1] + ("x" * 3000,), PUT]),
    "abandoned": ctf(OPEN + EVENTS, choice=4),
    "abandoned-there": ctf(OPEN, choice=4, how=4),
    "not-empty": ctf([], how=5), "no-folder": ctf([], how=6), "no-parent": ctf([], how=7),
    "full": ctf(OPEN + EVENTS + [("fill", raw(0))] + EVENTS * 8),
    "full-at-end": ctf(OPEN + EVENTS + [("fill", raw(1))]),
    "full-metadata": ctf(OPEN + EVENTS + [("label", raw(0), "x"), ("fill_metadata",)]),
    "not-again": ctf(OPEN + EVENTS + [("fill_metadata",)]),
    "no-files": ctf([], how=8), "no-files-there": ctf([], how=8 + 4),
    "most": ctf(OPEN, packet=1 << 26), "too-large": ctf([], packet=(1 << 26) + 1),
    "too-small": ctf([], packet=255), "no-clock": ctf([], hz=0),
    "clock-name": ctf([], clock=raw(0, 7)),
    "clock-none": ctf([], clock=raw(0xf0, 0xff)),
    "fact-name": ctf([], facts=raw(1, 0xf0) + coded("9", "x", 1)),
    "no-class": ctf([], classes=(raw(0),)),
    "instance": ctf([], classes=(raw(1, 0xf0), "a b", raw(1), "e", ONE)),
    "packet-size": ctf(OPEN[:1] + EVENTS,
                       classes=(raw(1, 0xf0), "packet_size", raw(1), "e", CTF_FIELDS)),
    "no-events": ctf([], classes=(raw(1), raw(0, 0), raw(0))),
    "many-events": ctf([], classes=(raw(1), raw(0, 0), raw(255))),
    "event-name": ctf([], classes=classes(None, ONE)),
    "no-fields": ctf([], classes=classes("e", raw(0))),
    "many-fields": ctf([], classes=classes("e", raw(255))),
    "field-name": ctf([], classes=classes("e", raw(1, 0xf0), "1x", raw(0, 0))),
    "field-twice": ctf([], classes=classes("e", fields((0, TEXT, 8), (0, TEXT, 8), wrong=True))),
    "bits": ctf([], classes=classes("e", fields((0, DECIMAL, 7), wrong=True))),
    "no-labels": ctf([], classes=classes("e", fields((0, ENUM, 8), wrong=True))),
    "label-none": ctf([], classes=classes("e", fields((0, ENUM, 8, (1, None)), wrong=True))),
    "label-large": ctf([], classes=classes("e", fields((0, ENUM, 8, (256, "x")), wrong=True))),
    "label-twice": ctf([], classes=classes("e", fields((0, ENUM, 8, (1, "x"), (1, "y")),
                                                       wrong=True))),
}

PROGRAMS = {"perf-write": PERF_PROGRAMS, "ctf-write": CTF_PROGRAMS,
            "perfetto-write": PERFETTO_PROGRAMS}
