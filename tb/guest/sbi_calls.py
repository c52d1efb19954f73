# SPDX-License-Identifier: Apache-2.0
"""Calls of the SBI's PMU extension that a program in S mode makes, and what the firmware has answered, as the text
that tb/drivers/riscv/test_sbi_recorded.cpp reads."""
import random
import struct

from bare import Program

BASE = 0x80200000
TABLE, DATA, ROOM = 0x1000, 0x40000, 0x10000  # from the base on
SHARED = 0x8000  # in the data: where entries of events are
RECORDED_SHARED = 0x40000000  # where test_sbi_recorded.cpp has them

EID_PMU, EID_TIME = 0x504d55, 0x54494d45
NUM_COUNTERS, GET_INFO, CONFIG, START, STOP, FW_READ, FW_READ_HI, SET_SHMEM, EVENT_INFO = range(9)
SKIP, CLEAR, AUTO, UINH, SINH, MINH = 1, 2, 4, 0x20, 0x40, 0x80
INIT_VALUE, INIT_SNAPSHOT, RESET, TAKE_SNAPSHOT = 1, 2, 1, 2
RAW, RAW_V2, FIRMWARE = 0x20000, 0x30000, 0xf0000
SET_TIMER = 5  # an event of firmware: each call of set_timer
MASK = (1 << 64) - 1

COUNTERS = 0x7fff8
# As src/guest/hpm/counted.c gives them to the device tree, in its order: of event_idx, and raw.
MAP = [(1, 1), (2, 2), (5, 5)]
CACHED = [(0x3, 3), (0x10000, 3), (0x10002, 40), (0x10008, 11), (0x10018, 15), (0x10020, 17), (0x4, 4), (0x10001, 4),
          (0x10003, 41), (0x10009, 12), (0x10019, 16), (0x10021, 18)]
RAWS = [32, 33, 34, 35, 36, 37, 38, 39, 19, 42, 43, 44, 45, 46]


class Calls:
    """A list of calls; `fixed` are those that are made to look at one rule each."""

    def __init__(self):
        self.all, self.shared = [], 0

    def call(self, fid, *arguments):
        self.all.append((fid, [a & MASK for a in arguments], None))

    def timer(self):
        self.all.append((None, [MASK], None))

    def events(self, entries, flags=0, shift=0):
        at = self.shared + shift
        self.all.append((EVENT_INFO, [at, 0, len(entries), flags], entries))
        self.shared += 16 * len(entries) + 16

    # ---- the list ----

    def fixed(self):
        self.call(NUM_COUNTERS)
        for index in (*range(36), 63, 64, 1 << 32, MASK):
            self.call(GET_INFO, index)
        self.hardware()
        self.errors()
        self.firmware()
        self.others()

    def hardware(self):
        for event, data in ((1, 0), (2, 0), (5, 0), (3, 0), (0x10019, 0), (RAW, 32), (RAW, 46)):
            self.call(CONFIG, 0, COUNTERS, CLEAR | MINH | SINH, event, data)
        for counter in (3, 4, 5, 18):
            self.call(START, counter, 1, INIT_VALUE, -1000)
            self.call(START, counter, 1, 0, 0)
            self.call(CONFIG, 0, 1 << counter, SKIP | CLEAR, 5, 0)
            self.call(STOP, counter, 1, 0)
            self.call(STOP, counter, 1, 0)
            self.call(STOP, counter, 1, RESET)
            self.call(START, counter, 1, 0, 0)
        self.call(CONFIG, 0, 1, 0, 1, 0)
        self.call(CONFIG, 0, 4, 0, 2, 0)
        self.call(CONFIG, 0, 5, MINH, 1, 0)
        self.call(STOP, 0, COUNTERS | 5, RESET)
        self.call(CONFIG, 3, 0xff, AUTO | CLEAR, RAW, 42)
        self.call(STOP, 3, 0xff, RESET)

    def errors(self):
        for event, data in ((0, 0), (7, 0), (11, 0), (0x10028, 0), (0x10040, 0), (RAW, 0), (RAW, 31), (RAW, 0x1234),
                            (RAW_V2, 32), (0x40000, 0), (0xe0000, 0), (1 << 20 | 1, 0)):
            self.call(CONFIG, 0, COUNTERS, 0, event, data)
            self.call(STOP, 0, COUNTERS, RESET)
        for base, mask in ((0, 0), (0, 2), (35, 1), (40, 3), (0, 1 << 35), (0, MASK), (3, 0)):
            self.call(CONFIG, base, mask, 0, 1, 0)
            self.call(START, base, mask, 0, 0)
            self.call(STOP, base, mask, 0)
        for flags in (1 << 8, 1 << 20, 1 << 63):
            self.call(CONFIG, 0, COUNTERS, flags, 1, 0)
            self.call(START, 3, 1, flags, 0)
            self.call(STOP, 3, 1, flags)
        self.call(STOP, 0, COUNTERS, RESET)

    def firmware(self):
        self.call(CONFIG, 0, 0xffff << 19, CLEAR, FIRMWARE | SET_TIMER, 0)
        self.timer()
        self.call(FW_READ, 19)
        self.call(START, 19, 1, 0, 0)
        for _ in range(3):
            self.timer()
        self.call(FW_READ, 19)
        self.call(FW_READ_HI, 19)
        self.call(START, 19, 1, INIT_VALUE, 100)
        self.call(STOP, 19, 1, 0)
        self.timer()
        self.call(FW_READ, 19)
        self.call(START, 19, 1, INIT_VALUE, 100)
        self.timer()
        self.call(FW_READ, 19)
        self.call(STOP, 19, 1, RESET)
        self.call(STOP, 19, 1, 0)
        for index in (0, 3, 18, 19, 34, 35, 1 << 32 | 19):
            self.call(FW_READ, index)
            self.call(FW_READ_HI, index)
        for code in (0, 4, 21, 22, 31):
            self.call(CONFIG, 0, 0xffff << 19, CLEAR, FIRMWARE | code, 0)
        self.call(CONFIG, 0, COUNTERS, 0, FIRMWARE | SET_TIMER, 0)
        self.call(STOP, 0, 0xffff << 19, RESET)

    def others(self):
        self.call(SET_SHMEM, self.shared, 0, 0)
        self.call(SET_SHMEM, MASK, MASK, 0)
        self.call(CONFIG, 0, COUNTERS, 0, 5, 0)
        self.call(START, 3, 1, INIT_SNAPSHOT, 0)
        self.call(STOP, 3, 1, TAKE_SNAPSHOT)
        self.call(STOP, 0, COUNTERS, RESET)
        self.events([(event, 0) for event in (0, 1, 2, 3, 5, 7, 0x10000, 0x10028)])
        self.events([(RAW, 32), (RAW, 0x1234), (RAW_V2, 32), (FIRMWARE | SET_TIMER, 0), (FIRMWARE | 99, 0)])
        self.events([(1, 0)], flags=1)
        self.events([(1, 0)], shift=8)
        self.events([])
        for fid in (9, 100, MASK):
            self.call(fid)

    def drawn(self, nr, seed):
        """Without what a release answers from outside of its tables (docs/drivers/sbi_pmu.md): an event of the
        other kind with SKIP_MATCH, and a set that is far away."""
        draw = random.Random(seed)
        for _ in range(nr):
            firmware = draw.random() < 0.2
            if firmware and draw.random() < 0.3:
                self.timer()
            base = 0 if firmware else draw.choice((0, 0, 0, 3, 4, 10))
            mask = draw.choice((0xffff << 19, 3 << 19, 1 << draw.randrange(19, 35))) if firmware else \
                draw.choice((COUNTERS, 0xff8, 1 << draw.randrange(3, 19), 5, 0x38)) >> base
            what = draw.random()
            if what < 0.4 and mask != 0:
                event = FIRMWARE | draw.randrange(22) if firmware else draw.choice(
                    (1, 2, 3, 5, 6, 0x10000, 0x10019, 0x10028, RAW, RAW))
                flags = draw.choice((0, CLEAR, AUTO, CLEAR | AUTO, MINH, SINH | MINH, UINH))
                self.call(CONFIG, base, mask, flags, event, draw.choice(RAWS + [5, 99]) if event == RAW else 0)
            elif what < 0.65:
                self.call(START, base, mask, draw.choice((0, INIT_VALUE)), draw.getrandbits(40))
            elif what < 0.9:
                self.call(STOP, base, mask, draw.choice((0, 0, RESET)))
            else:
                self.call(draw.choice((FW_READ, FW_READ_HI)), draw.randrange(36))

    # ---- as a program, and as text ----

    def arguments(self, fid, arguments, shared):
        """`shared` is where offsets of entries and of the page begin."""
        moved = fid == EVENT_INFO or (fid == SET_SHMEM and arguments[0] != MASK)
        return [arguments[0] + shared, *arguments[1:]] if moved else arguments

    def program(self):
        p = Program(BASE, BASE + DATA, ROOM)
        p.begin()
        p.la("s1", BASE + TABLE)
        p.li("s2", len(self.all))
        p.label("again")
        for nr, register in enumerate(("a7", "a6", "a0", "a1", "a2", "a3", "a4", "a5")):
            p.ld(register, 8 * nr, "s1")
        p.ecall()
        p.sd("a0", 0, "s0")
        p.sd("a1", 8, "s0")
        p.addi("s0", "s0", 16)
        p.addi("s1", "s1", 64)
        p.addi("s2", "s2", -1)
        p.bnez("s2", "again")
        p.end()
        p.pad(TABLE)
        for fid, arguments, entries in self.all:
            words = [EID_TIME, 0] if fid is None else [EID_PMU, fid]
            words += self.arguments(fid, arguments, BASE + DATA + SHARED)
            for word in (words + 8 * [0])[:8]:
                p.emit(word)
                p.emit(word >> 32)
            for nr, (event, data) in enumerate(entries or []):
                at = SHARED + arguments[0] + 16 * nr
                p.memory[at:at + 16] = struct.pack("<IIQ", event, 0x5555, data)
        assert len(p.code) * 4 <= DATA and 16 * len(self.all) <= SHARED and SHARED + self.shared <= ROOM
        p.words = (SHARED + self.shared) // 8
        return p

    def text(self, signature):
        """What the program has left, 64 bits each."""
        lines = [f"program {COUNTERS:x} 64 1 0", "answers"]
        lines += [f"range {idx:x} {idx:x} {COUNTERS:x}" for idx, _ in MAP + CACHED]
        lines += [f"select {idx:x} {number:x}" for idx, number in MAP + CACHED]
        lines += [f"raw {number:x} {MASK:x} {COUNTERS:x}" for number in RAWS]
        lines += ["boot"]
        for nr, (fid, arguments, entries) in enumerate(self.all):
            error, value = signature[2 * nr:2 * nr + 2]
            if fid is None:
                lines.append(f"poke 0 0 0 {SET_TIMER:x}")
                continue
            lines += [f"entry {event:x} {data:x}" for event, data in entries or []]
            words = ["call", f"{fid:x}"]
            words += [f"{a:x}" for a in self.arguments(fid, arguments, RECORDED_SHARED)]
            words += ["->", str(error - (1 << 64) if error >> 63 else error)]
            words += [f"{value:x}"] if error == 0 else []
            for i in range(len(entries or [])):
                words.append(f"{signature[(SHARED + arguments[0]) // 8 + 2 * i] >> 32:x}")
            lines.append(" ".join(words + [";"]))
        return "\n".join(lines) + "\n"
