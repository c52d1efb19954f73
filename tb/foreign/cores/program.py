# SPDX-License-Identifier: Apache-2.0
"""Random programs for RV32IMC cores: arithmetic, loads and stores, branches, loops, compressed
instructions, and CSR instructions on counters. As words of memory for $readmemh."""
import random

BOOT = 0x80
WORDS = 16384
DATA = 0x8000          # x8
END = 4 * (WORDS - 1)  # a store there ends it

# x1..x7 hold data, x8 the data's address, x9 counts loops, x10 the address of the end.


def _r(funct7, rs2, rs1, funct3, rd, opcode=0x33):
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def _i(value, rs1, funct3, rd, opcode):
    return (value & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def _store(value, rs2, rs1, funct3):
    return (value >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (value & 31) << 7 | 0x23


def _branch(offset, rs2, rs1, funct3):
    return ((offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15
            | funct3 << 12 | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63)


def _jal(offset, rd):
    return ((offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20
            | (offset >> 12 & 0xFF) << 12 | rd << 7 | 0x6F)


def csr(number, funct3, source, rd):
    return number << 20 | source << 15 | funct3 << 12 | rd << 7 | 0x73


class Program:
    def __init__(self, seed, counters=10, events=0):
        """`events`: bits of a set that mhpmevent holds; 0: it is not written."""
        self.draw = random.Random(seed)
        self.numbers = [0, 2] + list(range(3, 3 + counters))
        self.events = events
        self.halves = []  # of 16 bits

    def word(self, word):
        self.halves += [word & 0xFFFF, word >> 16]

    def half(self, half):
        self.halves.append(half)

    def data(self):
        return self.draw.randint(1, 7)

    def plain(self):
        d = self.draw
        kind = d.randrange(8)
        if kind == 0:
            self.word(_i(d.randrange(4096), self.data(), d.choice((0, 4, 6, 7)), self.data(), 0x13))
        elif kind in (1, 2):
            self.word(_r(0, self.data(), self.data(), d.randrange(8), self.data()))
        elif kind == 3:  # mul .. remu
            self.word(_r(1, self.data(), self.data(), d.randrange(8), self.data()))
        elif kind == 4:
            self.word(_i(4 * d.randrange(64), 8, 2, self.data(), 0x03))
        elif kind == 5:
            self.word(_store(4 * d.randrange(64), self.data(), 8, 2))
        elif kind == 6:  # c.addi
            self.half(0x0001 | self.data() << 7 | d.randrange(1, 16) << 2)
        else:  # c.mv
            self.half(0x8002 | self.data() << 7 | self.data() << 2)

    def skip(self):
        """A branch or a jump over a word."""
        if self.draw.random() < 0.7:
            self.word(_branch(8, self.data(), self.data(), self.draw.choice((0, 1, 4, 5, 6, 7))))
        else:
            self.word(_jal(8, 0))
        self.word(_r(0, self.data(), self.data(), 0, self.data()))

    def loop(self):
        """A few rounds of a few instructions."""
        self.word(_i(self.draw.randint(1, 6), 0, 0, 9, 0x13))
        begin = len(self.halves)
        for _ in range(self.draw.randint(1, 6)):
            self.plain()
        self.word(_i(-1, 9, 0, 9, 0x13))
        self.word(_branch(2 * (begin - len(self.halves)), 0, 9, 1))

    def counter(self):
        d = self.draw
        n = d.choice(self.numbers)
        number = d.choice((0xB00, 0xB00, 0xB80)) + n
        if d.random() < 0.12:
            number = 0x320
        elif self.events and n >= 3 and d.random() < 0.2:
            self.word(_i(1 << d.randrange(min(self.events, 11)), 0, 0, 1, 0x13))
            self.word(csr(0x320 + n, 1, 1, 0))
            return
        if d.random() < 0.6:
            self.word(csr(number, 2, 0, self.data()))  # csrr
        elif d.random() < 0.5:
            self.word(csr(number, d.choice((1, 2, 3)), self.data(), self.data()))
        else:
            self.word(csr(number, d.choice((5, 6, 7)), d.randrange(32), self.data()))

    def words(self, steps=400):
        d = self.draw
        for register in range(1, 8):
            self.word(d.randrange(1 << 20) << 12 | register << 7 | 0x37)  # lui
        self.word(DATA >> 12 << 12 | 8 << 7 | 0x37)
        self.word((END + 0x800) >> 12 << 12 | 10 << 7 | 0x37)
        self.word(csr(0x320, 5, 0, 0))  # all count
        for n in self.numbers[2:] if self.events else ():
            self.word(_i(1 << (n - 2), 0, 0, 1, 0x13))
            self.word(csr(0x320 + n, 1, 1, 0))
        for _ in range(steps):
            kind = d.random()
            (self.counter if kind < 0.35 else self.skip if kind < 0.5 else
             self.loop if kind < 0.6 else self.plain)()
        for n in self.numbers:
            self.word(csr(0xB00 + n, 2, 0, 1))
            self.word(csr(0xB80 + n, 2, 0, 1))
        self.word(_store(END - ((END + 0x800) >> 12 << 12), 0, 10, 2))
        self.word(_jal(0, 0))
        if len(self.halves) % 2:
            self.half(1)
        return [low | high << 16 for low, high in zip(self.halves[::2], self.halves[1::2])]

    def directed(self):
        """minstret is written, and the next instruction reads it; ten times."""
        nop = _i(0, 0, 0, 0, 0x13)
        words = [(END + 0x800) >> 12 << 12 | 10 << 7 | 0x37, csr(0x320, 5, 0, 0)]
        for value in range(10, 20):
            words += [nop] * 4 + [csr(0xB02, 5, value, 0), csr(0xB02, 2, 0, 1)]
        words += [_store(END - ((END + 0x800) >> 12 << 12), 0, 10, 2), _jal(0, 0)]
        return words

    def text(self, directed=False):
        words = self.directed() if directed else self.words()
        return f"@{BOOT // 4:x}\n" + "\n".join(f"{w:08x}" for w in words) + "\n"
