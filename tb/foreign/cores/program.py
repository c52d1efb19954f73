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


# A trap goes on after its instruction, and ecall of U and S goes on in M.
TRAP = 0x40
HANDLER = (csr(0x341, 2, 0, 11), _i(4, 11, 0, 11, 0x13), csr(0x341, 1, 11, 0),  # mepc + 4
           csr(0x342, 2, 0, 11), _i(-8, 11, 0, 11, 0x13), _i(1, 11, 5, 11, 0x13),  # mcause 8 or 9?
           _branch(16, 0, 11, 1), 2 << 12 | 11 << 7 | 0x37, _i(-0x800, 11, 0, 11, 0x13),
           csr(0x300, 2, 11, 0), 0x30200073)  # mstatus.MPP; mret


class Program:
    def __init__(self, seed, counters=10, events=0, compressed=True, inhibit=True, writes=True, high=True, xlen=32,
                 shadows=False, modes=(), base=0, before=(), directed=("write",), absent=()):
        """`events`: bits of a set that mhpmevent holds; 0: it is not written. `inhibit`: there is mcountinhibit.
        Without `writes` the counters are those of Zicntr. `high`: mhpmcounters have upper halves. `shadows`:
        cycle and instret are there, too. `modes`: those below M that are visited. `base`: the memory's address. `before`: instructions that come first. `directed`:
        what the directed program has, of write, half, upper, user and ecall; `absent`: what it reads that is not there."""
        self.draw = random.Random(seed)
        self.numbers = [0, 2] + list(range(3, 3 + counters))
        self.events = events
        self.compressed, self.inhibit, self.writes = compressed, inhibit, writes
        self.xlen, self.high, self.shadows, self.modes, self.base = xlen, high, shadows, modes, base
        self.before, self.parts, self.absent = before, directed, absent
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
        elif not self.compressed:
            self.word(_r(0, self.data(), self.data(), 0, self.data()))
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

    def has_upper(self, n):
        return self.xlen == 32 and (self.high or n < 3)

    def shadow(self):
        """cycle and instret are read; some instructions try to write them."""
        d = self.draw
        number = d.choice((0xC00, 0xC02, 0xC80, 0xC82) if self.xlen == 32 else (0xC00, 0xC02))
        if d.random() < 0.8:
            self.word(csr(number, 2, 0, self.data()))
        else:
            self.word(csr(number, d.choice((1, 2, 3, 5, 6, 7)), self.data(), d.choice((0, self.data()))))

    def counter(self):
        d = self.draw
        if self.shadows and d.random() < 0.2:
            self.shadow()
            return
        n = d.choice(self.numbers)
        number = d.choice((0xB00, 0xB00, 0xB80)) + n
        if not self.has_upper(n):
            number = 0xB00 + n
        if not self.writes:
            self.word(csr(number + 0x100, 2, 0, self.data()))
            return
        if d.random() < 0.12 and self.inhibit:
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

    def enter(self, mode):
        """The next instruction is in the mode."""
        words = [2 << 12 | 11 << 7 | 0x37, _i(-0x800, 11, 0, 11, 0x13), csr(0x300, 3, 11, 0)]  # mstatus.MPP
        if mode == 1:
            words += [1 << 12 | 11 << 7 | 0x37, _i(-0x800, 11, 0, 11, 0x13), csr(0x300, 2, 11, 0)]
        return words + [11 << 7 | 0x17, _i(16, 11, 0, 11, 0x13), csr(0x341, 1, 11, 0), 0x30200073]

    def visit(self):
        """Reads below M, of which mcounteren and scounteren allow some."""
        d = self.draw
        for enable in (0x306, 0x106) if 1 in self.modes else (0x306,):
            self.word(csr(enable, 5, d.randrange(8), 0))
        for word in self.enter(d.choice(self.modes)):
            self.word(word)
        for _ in range(d.randint(1, 6)):
            if d.random() < 0.6:
                self.word(csr(d.choice((0xC00, 0xC02, 0xC80, 0xC82, 0xB00, 0xB02)), 2, 0, self.data()))
            else:
                self.plain()
        self.word(0x73)  # ecall

    def words(self, steps=400):
        d = self.draw
        for word in self.before:
            self.word(word)
        for register in range(1, 8):
            self.word(d.randrange(1 << 20) << 12 | register << 7 | 0x37)  # lui
        self.word(self.base + DATA | 8 << 7 | 0x37)
        self.word((self.base + END + 0x800) >> 12 << 12 | 10 << 7 | 0x37)
        if self.inhibit:
            self.word(csr(0x320, 5, 0, 0))  # all count
        for n in self.numbers[2:] if self.events else ():
            self.word(_i(1 << (n - 2), 0, 0, 1, 0x13))
            self.word(csr(0x320 + n, 1, 1, 0))
        for _ in range(steps):
            if self.modes and d.random() < 0.1:
                self.visit()
            kind = d.random()
            (self.counter if kind < 0.35 else self.skip if kind < 0.5 else
             self.loop if kind < 0.6 else self.plain)()
        for n in self.numbers:
            for page in (0xB00, 0xB80) if self.writes else (0xC00, 0xC80):
                if page in (0xB00, 0xC00) or self.has_upper(n):
                    self.word(csr(page + n, 2, 0, 1))
        self.word(_store(END - ((END + 0x800) >> 12 << 12), 0, 10, 2))
        self.word(_jal(0, 0))
        if len(self.halves) % 2:
            self.half(1)
        return [low | high << 16 for low, high in zip(self.halves[::2], self.halves[1::2])]

    def directed(self):
        """Of a core's differences the smallest program of each, ten times."""
        nop = _i(0, 0, 0, 0, 0x13)
        words = [*self.before, (self.base + END + 0x800) >> 12 << 12 | 10 << 7 | 0x37]
        if self.inhibit:
            words.append(csr(0x320, 5, 0, 0))
        words += [csr(number, 2, 0, 1) for number in self.absent]
        if "user" in self.parts:  # scounteren alone does not allow it
            for number in (0xC00, 0xC80):
                words += [csr(0x306, 5, 0, 0), csr(0x106, 5, 1, 0), *self.enter(0), csr(number, 2, 0, 1), 0x73]
        if "ecall" in self.parts:  # it does not retire
            words += [csr(0xB02, 2, 0, 1), 0x73, csr(0xB02, 2, 0, 1)]
        for value in range(10, 20):
            if "write" in self.parts:  # minstret is written, and the next instruction reads it
                words += [nop] * 4 + [csr(0xB02, 5, value, 0), csr(0xB02, 2, 0, 1)]
            if "upper" in self.parts:  # an instruction that waits for a division retires with it, beside the write
                words += [_r(1, 2, 2, 4, 2), nop, csr(0xB82, 5, 0, 0), csr(0xB02, 2, 0, 1)]
            if "half" in self.parts:  # the upper half is written, and the next one reads the lower
                words += [nop] * 4 + [csr(0xB80, 5, value, 0), csr(0xB00, 2, 0, 1)]
        words += [_store(END - ((END + 0x800) >> 12 << 12), 0, 10, 2), _jal(0, 0)]
        return words

    def text(self, directed=False):
        words = self.directed() if directed else self.words()
        return "".join(f"@{address // 4:x}\n" + "".join(f"{w:08x}\n" for w in block)
                       for address, block in ((0, (_jal(BOOT, 0),)), (TRAP, HANDLER), (BOOT, words)))
