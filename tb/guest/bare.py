# SPDX-License-Identifier: Apache-2.0
"""Programs for bare RISC-V harts, assembled here: ELF files that begin in M mode at 0x80000000, with the
symbols of riscv-arch-test (begin_signature, end_signature, tohost)."""
import struct

BASE = 0x80000000
DATA = 0x80010000  # the signature, and then tohost
REGISTERS = {name: number for number, name in enumerate(
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
    .split())}
CSRS = {"mstatus": 0x300, "misa": 0x301, "mideleg": 0x303, "mie": 0x304, "mtvec": 0x305, "mcounteren": 0x306,
        "scounteren": 0x106, "scountinhibit": 0x120, "siselect": 0x150, "sireg": 0x151, "sireg2": 0x152,
        "satp": 0x180, "sepc": 0x141, "vsepc": 0x241, "hstatus": 0x600, "hcounteren": 0x606, "menvcfg": 0x30a, "mcountinhibit": 0x320, "mcyclecfg": 0x321, "minstretcfg": 0x322,
        "mscratch": 0x340, "mepc": 0x341, "mcause": 0x342, "mip": 0x344, "pmpcfg0": 0x3a0, "pmpaddr0": 0x3b0,
        "mcycle": 0xb00, "minstret": 0xb02, "cycle": 0xc00, "instret": 0xc02, "scountovf": 0xda0}
for counter in range(3, 32):
    CSRS[f"mhpmevent{counter}"] = 0x320 + counter
    CSRS[f"mhpmcounter{counter}"] = 0xb00 + counter
    CSRS[f"hpmcounter{counter}"] = 0xc00 + counter


def number(register):
    return REGISTERS[register]


class Program:
    """Instructions one after the other, from `base` on; labels are put by name and may be used before that. At
    `data` there are bytes for the signature, and then tohost."""

    def __init__(self, base=BASE, data=DATA, room=1024):
        self.code, self.labels, self.later, self.words = [], {}, [], 0
        self.base, self.data, self.memory = base, data, bytearray(room + 16)
        self.tohost = data + room

    def here(self):
        return self.base + 4 * len(self.code)

    def label(self, name):
        self.labels[name] = self.here()

    def emit(self, word):
        self.code.append(word & 0xffffffff)

    # ---- instructions ----

    def addi(self, to, of, value):
        self.emit(0x13 | number(to) << 7 | number(of) << 15 | (value & 0xfff) << 20)

    def add(self, to, left, right):
        self.emit(0x33 | number(to) << 7 | number(left) << 15 | number(right) << 20)

    def sub(self, to, left, right):
        self.emit(0x40000033 | number(to) << 7 | number(left) << 15 | number(right) << 20)

    def slli(self, to, of, by):
        self.emit(0x1013 | number(to) << 7 | number(of) << 15 | by << 20)

    def srli(self, to, of, by):
        self.emit(0x5013 | number(to) << 7 | number(of) << 15 | by << 20)

    def lui(self, to, upper):
        self.emit(0x37 | number(to) << 7 | (upper & 0xfffff) << 12)

    def ld(self, to, offset, base):
        self.emit(0x3003 | number(to) << 7 | number(base) << 15 | (offset & 0xfff) << 20)

    def sd(self, of, offset, base):
        self.emit(0x3023 | (offset & 31) << 7 | number(base) << 15 | number(of) << 20 |
                  (offset >> 5 & 127) << 25)

    def sw(self, of, base):
        self.emit(0x2023 | number(base) << 15 | number(of) << 20)

    def sh(self, of, base):
        self.emit(0x1023 | number(base) << 15 | number(of) << 20)

    def csr(self, what, to, name, of):
        self.emit(0x73 | {"rw": 1, "rs": 2, "rc": 3}[what] << 12 | number(to) << 7 | number(of) << 15 |
                  CSRS[name] << 20)

    def csrr(self, to, name):
        self.csr("rs", to, name, "zero")

    def csrw(self, name, of):
        self.csr("rw", "zero", name, of)

    def jump(self, label):
        self.later.append((len(self.code), "jump", label))
        self.emit(0x6f)

    def bnez(self, register, label):
        self.later.append((len(self.code), "branch", label))
        self.emit(0x1063 | number(register) << 15)

    def ecall(self):
        self.emit(0x73)

    def mret(self):
        self.emit(0x30200073)

    def sret(self):
        self.emit(0x10200073)

    # ---- several at once ----

    def li(self, to, value):
        """A number below 2^31, or one bit of 64 and what is below 2^11, in as many instructions as it takes."""
        if value >= 1 << 31:
            self.addi(to, "zero", 1)
            self.slli(to, to, value.bit_length() - 1)
            self.addi(to, to, value & 0x7ff)
        elif -2048 <= value < 2048:
            self.addi(to, "zero", value)
        else:
            self.lui(to, (value + 0x800) >> 12)
            self.addi(to, to, value & 0xfff)

    def set_csr(self, name, value, by="t0"):
        self.li(by, value)
        self.csrw(name, by)

    def la(self, to, address):
        """An address from 2^31 on, in four instructions; its lower 12 bits are below 2^11."""
        self.lui(to, address >> 12)
        self.slli(to, to, 32)
        self.srli(to, to, 32)
        self.addi(to, to, address & 0x7ff)

    def pad(self, offset):
        """Nothing, until that far from the beginning."""
        while len(self.code) < offset // 4:
            self.addi("zero", "zero", 0)

    def begin(self):
        """s0 is where the signature is."""
        self.la("s0", self.data)

    def open_memory(self):
        """Modes below M may access all of it."""
        self.li("t0", 0x1f)
        self.li("t1", -1)
        self.csrw("pmpaddr0", "t1")
        self.csrw("pmpcfg0", "t0")

    def keep(self, register):
        self.sd(register, 8 * self.words, "s0")
        self.words += 1

    def end(self, status=0):
        """Stores the status at tohost."""
        self.la("t1", self.tohost)
        self.li("t0", 2 * status + 1)
        self.sd("t0", 0, "t1")
        self.label("stop")
        self.jump("stop")

    # ---- the file ----

    def resolve(self):
        for at, kind, label in self.later:
            far = self.labels[label] - (self.base + 4 * at)
            if kind == "jump":
                self.code[at] |= (far >> 20 & 1) << 31 | (far >> 1 & 0x3ff) << 21 | (far >> 11 & 1) << 20 | \
                    (far >> 12 & 0xff) << 12
            else:
                self.code[at] |= (far >> 12 & 1) << 31 | (far >> 5 & 63) << 25 | (far >> 1 & 15) << 8 | \
                    (far >> 11 & 1) << 7
        self.later = []

    def elf(self, machine=243):
        self.resolve()
        code = struct.pack(f"<{len(self.code)}I", *self.code)
        data, base, at_data = bytes(self.memory), self.base, self.data
        symbols = {"begin_signature": at_data, "end_signature": at_data + 8 * self.words, "tohost": self.tohost,
                   "fromhost": self.tohost + 8}
        strings, table = b"\0", bytes(24)
        for name, address in symbols.items():
            table += struct.pack("<IBBHQQ", len(strings), 0x10, 0, 2, address, 0)
            strings += name.encode() + b"\0"
        names = b"\0.text\0.data\0.symtab\0.strtab\0.shstrtab\0"
        at = 64 + 2 * 56
        places = []
        for part in (code, data, table, strings):
            at = (at + 7) // 8 * 8
            places.append(at)
            at += len(part)
        at = (at + 7) // 8 * 8
        names_at = at + 6 * 64
        head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, machine, 1, base, 64, at, 5, 64, 56, 2, 64,
                           6, 5)
        head += struct.pack("<IIQQQQQQ", 1, 5, places[0], base, base, len(code), len(code), 8)
        head += struct.pack("<IIQQQQQQ", 1, 6, places[1], at_data, at_data, len(data), len(data), 8)
        body = head
        for place, part in zip(places, (code, data, table, strings)):
            body += bytes(place - len(body)) + part
        body += bytes(at - len(body))
        sections = [(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                    (1, 1, 6, base, places[0], len(code), 0, 0, 8, 0),
                    (7, 1, 3, at_data, places[1], len(data), 0, 0, 8, 0),
                    (13, 2, 0, 0, places[2], len(table), 4, 1, 8, 24),
                    (21, 3, 0, 0, places[3], len(strings), 0, 0, 1, 0),
                    (29, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)]
        for section in sections:
            body += struct.pack("<IIQQQQIIQQ", *section)
        return body + names
