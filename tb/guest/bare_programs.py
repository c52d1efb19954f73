# SPDX-License-Identifier: Apache-2.0
"""Programs for bare RISC-V harts, each of which leaves a signature that the specification of the counters
predicts (docs/hw/hpm.md)."""
from bare import BASE, Program, number

LOADS, STORES, CYCLES, INSTRET, BRANCHES, CSRS = 32, 33, 1, 2, 34, 38
L1D_LOADS, L1D_LOAD_MISSES, L1I_MISSES, DTLB_MISSES, ITLB_MISSES = 3, 4, 12, 16, 18
L1D_STORES, L1D_STORE_MISSES = 40, 41
BRANCHES_AND_JUMPS_TAKEN, TAKEN, NOT_TAKEN, EXCEPTIONS, INTERRUPTS, TRAPS = 19, 42, 43, 44, 45, 46
OF, MINH, SINH, UINH, VSINH, VUINH = (1 << bit for bit in (63, 62, 61, 60, 59, 58))
LCOFI = 13
MEMORY = BASE + 0x20000  # of nobody


def cycles_and_instructions():
    p = Program()
    p.begin()
    p.csrr("t0", "minstret")
    p.csrr("t1", "mcycle")
    for _ in range(7):
        p.addi("t2", "t2", 1)
    p.csrr("t3", "minstret")  # eight after the first
    p.csrr("t4", "cycle")
    p.sub("t3", "t3", "t0")
    p.sub("t4", "t4", "t1")
    p.keep("t3")
    p.keep("t4")
    p.set_csr("minstret", 100)
    p.csrr("t0", "instret")  # the write wins over its own instruction
    p.csrr("t1", "instret")
    p.keep("t0")
    p.keep("t1")
    p.set_csr("mcountinhibit", 4)  # minstret stands: this instruction is the last
    p.csrr("t0", "minstret")
    p.addi("t2", "t2", 1)
    p.csrr("t1", "minstret")
    p.csrr("t3", "mcountinhibit")
    p.keep("t0")
    p.keep("t1")
    p.keep("t3")
    p.end()
    return p


def counted(event, times):
    p = Program()
    p.begin()
    p.set_csr("mhpmevent3", event)
    p.addi("t1", "s0", 1024)
    p.li("t2", times)
    p.csrw("mhpmcounter3", "zero")
    p.label("again")
    p.ld("t3", 8, "t1")
    p.ld("t3", 8, "t1")
    p.ld("t3", 8, "t1")
    p.sd("t3", 16, "t1")
    p.addi("t2", "t2", -1)
    p.bnez("t2", "again")
    p.csrr("t0", "mhpmcounter3")
    p.csrr("t3", "hpmcounter3")
    p.keep("t0")
    p.keep("t3")
    p.end()
    return p


def overflow(period, event=INSTRET, enabled=True):
    """Counts from -period on; the handler keeps where it was, why, and what had overflowed."""
    p = Program()
    p.begin()
    p.la("t0", BASE + 0x400)
    p.csrw("mtvec", "t0")
    p.set_csr("mhpmevent3", event)
    p.set_csr("mie", (1 << LCOFI) if enabled else 0)
    p.li("t2", -period)
    p.csrw("mhpmcounter3", "t2")
    p.set_csr("mstatus", 8)
    p.label("first")
    for _ in range(40):
        p.addi("t3", "t3", 1)
    p.keep("zero")
    p.csrr("t0", "mip")
    p.keep("t0")
    p.end()
    p.pad(0x400)
    p.words = 0
    p.csrr("t0", "mepc")
    p.csrr("t1", "mcause")
    p.csrr("t2", "scountovf")
    p.csrr("t3", "mhpmevent3")
    p.csrr("t4", "mip")
    for register in ("t0", "t1", "t2", "t3", "t4"):
        p.keep(register)
    p.addi("t1", "s0", 1024)
    p.li("t0", 1)
    p.sd("t0", 0, "t1")
    p.label("halt")
    p.jump("halt")
    return p


def branches(times):
    """What the events of branches have counted of a loop, a branch that goes on and one that does not, and a
    jump."""
    p = Program()
    p.begin()
    events = (TAKEN, NOT_TAKEN, BRANCHES, BRANCHES_AND_JUMPS_TAKEN)
    for nr, event in enumerate(events):
        p.set_csr(f"mhpmevent{3 + nr}", event)
        p.csrw(f"mhpmcounter{3 + nr}", "zero")
    p.li("t2", times)
    p.label("again")
    p.addi("t2", "t2", -1)
    p.bnez("t2", "again")
    p.emit(0x00000463)  # beq zero,zero,8
    p.addi("t2", "zero", 1)
    p.emit(0x00001463)  # bne zero,zero,8
    p.jump("next")
    p.label("next")
    p.keep("t2")
    for nr in range(len(events)):
        p.csrr("t0", f"mhpmcounter{3 + nr}")
        p.keep("t0")
    p.end()
    return p


def overflow_of_branches(nth, event):
    """Loops of which the nth branch that is taken, or the only one that is not, is the last of a period; the
    handler keeps where it was, how many loops were left, and what the counter had."""
    p = Program()
    p.begin()
    p.la("t0", BASE + 0x400)
    p.csrw("mtvec", "t0")
    p.set_csr("mhpmevent3", event)
    p.set_csr("mie", 1 << LCOFI)
    p.set_csr("mhpmcounter3", -nth)
    p.li("t2", 40)
    p.set_csr("mstatus", 8)
    p.label("again")
    p.addi("t3", "t3", 1)
    p.addi("t2", "t2", -1)
    p.bnez("t2", "again")
    p.label("behind")
    p.addi("t3", "t3", 1)
    p.end()
    p.pad(0x400)
    p.words = 0
    p.csrr("t0", "mepc")
    p.csrr("t1", "mhpmcounter3")
    for register in ("t0", "t2", "t1"):
        p.keep(register)
    p.end()
    return p


def traps(times):
    """Calls from U mode, and an EBREAK in the handler of the last one: exceptions by the mode that they come
    from, all traps, and interrupts."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
        p.la("t0", BASE + at)
        p.csrw(where, "t0")
    p.li("t0", 3 << 11)
    p.csr("rc", "zero", "mstatus", "t0")  # MPP: U
    events = (EXCEPTIONS | MINH, EXCEPTIONS | UINH, TRAPS, INTERRUPTS)
    for nr, event in enumerate(events):
        p.set_csr(f"mhpmevent{3 + nr}", event)
        p.csrw(f"mhpmcounter{3 + nr}", "zero")
    p.li("s1", times)
    p.mret()
    p.pad(0x400)
    p.csrr("t1", "mcause")
    p.addi("t1", "t1", -8)
    p.bnez("t1", "nested")
    p.addi("s1", "s1", -1)
    p.bnez("s1", "back")
    p.emit(0x00100073)  # ebreak
    p.label("back")
    p.csrr("t0", "mepc")
    p.addi("t0", "t0", 4)
    p.csrw("mepc", "t0")
    p.mret()
    p.label("nested")
    for nr in range(len(events)):
        p.csrr("t0", f"mhpmcounter{3 + nr}")
        p.keep("t0")
    p.end()
    p.pad(0x600)
    p.label("calls")
    p.ecall()
    p.jump("calls")
    return p


def interrupts(vectored):
    """An interrupt of an overflow: what events of traps count of it when its handler begins."""
    p = Program()
    p.begin()
    p.la("t0", BASE + 0x400)
    p.addi("t0", "t0", 1 if vectored else 0)
    p.csrw("mtvec", "t0")
    p.set_csr("mhpmevent3", INSTRET)
    events = (INTERRUPTS, EXCEPTIONS, TRAPS | MINH)
    for nr, event in enumerate(events):
        p.set_csr(f"mhpmevent{4 + nr}", event)
        p.csrw(f"mhpmcounter{4 + nr}", "zero")
    p.set_csr("mie", 1 << LCOFI)
    p.set_csr("mhpmcounter3", -20)
    p.set_csr("mstatus", 8)
    for _ in range(40):
        p.addi("t3", "t3", 1)
    p.end()
    p.pad(0x400)
    for _ in range(LCOFI + 1):  # of which the first, or the last, is where it begins
        p.jump("handler")
    p.label("handler")
    p.words = 0
    for nr in range(len(events)):
        p.csrr("t0", f"mhpmcounter{4 + nr}")
        p.keep("t0")
    p.end()
    return p


def in_user_mode(counter, setting, value, times):
    """`times` instructions in U mode, of which the last is an ECALL; what the counter has counted since it
    was 0, which the handler reads first."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
        p.la("t0", BASE + at)
        p.csrw(where, "t0")
    p.li("t0", 3 << 11)
    p.csr("rc", "zero", "mstatus", "t0")  # MPP: U
    p.set_csr(setting, value)
    p.csrw(counter, "zero")
    p.mret()
    p.pad(0x400)
    p.csrr("t0", counter)
    p.addi("t1", "t1", 1)
    p.csrr("t2", counter)
    p.csrr("t3", setting)
    for register in ("t0", "t2", "t3"):
        p.keep(register)
    p.end()
    p.pad(0x600)
    for _ in range(times - 1):
        p.addi("t3", "t3", 1)
    p.ecall()
    return p


def in_guest(setting, in_vs, in_vu):
    """Code in M, then in VS, then in VU mode, until it calls; what a counter of the setting has counted since it was
    0, the cause, and what it has two instructions later."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "sepc"), (0x700, "vsepc")):
        p.la("t0", BASE + at)
        p.csrw(where, "t0")
    p.set_csr("hstatus", 1 << 7)
    p.set_csr("mstatus", 1 << 8)  # SPV, SPP: SRET goes to VS mode
    p.set_csr("mhpmevent3", setting)
    p.csrw("mhpmcounter3", "zero")
    p.sret()
    p.pad(0x400)
    p.csrr("t0", "mhpmcounter3")
    p.csrr("t1", "mcause")
    p.csrr("t2", "mhpmcounter3")
    for register in ("t0", "t1", "t2"):
        p.keep(register)
    p.end()
    p.pad(0x600)
    for _ in range(in_vs - 1):
        p.addi("t3", "t3", 1)
    p.sret()
    p.pad(0x700)
    for _ in range(in_vu):
        p.addi("t3", "t3", 1)
    p.ecall()
    return p


def read_in_guest(given):
    """VS mode reads a counter of loads, which mcounteren and, if `given`, hcounteren let it; then it calls. The
    cause of the trap, and what was read."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "sepc")):
        p.la("t0", BASE + at)
        p.csrw(where, "t0")
    p.set_csr("hstatus", 1 << 7)
    p.set_csr("mstatus", 1 << 8)
    p.set_csr("mhpmevent3", LOADS)
    p.set_csr("mcounteren", 8)
    p.set_csr("hcounteren", 8 if given else 0)
    p.csrw("mhpmcounter3", "zero")
    p.li("t2", 99)
    p.sret()
    p.pad(0x400)
    p.csrr("t1", "mcause")
    p.csrr("t0", "hcounteren")
    for register in ("t1", "t2", "t0"):
        p.keep(register)
    p.end()
    p.pad(0x600)
    for _ in range(3):
        p.ld("t3", 0, "s0")
    p.csrr("t2", "hpmcounter3")
    p.ecall()
    return p


def delegated(given):
    """Supervisor code counts loads with a counter of its own. It keeps what it reads; a trap keeps its
    cause instead."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
        p.la("t0", BASE + at)
        p.csrw(where, "t0")
    p.li("t0", 3 << 11)
    p.csr("rc", "zero", "mstatus", "t0")
    p.emit(0x00100293)  # li t0,1
    p.slli("t0", "t0", 11)
    p.csr("rs", "zero", "mstatus", "t0")  # MPP: S
    if given:
        p.set_csr("menvcfg", 1 << 60)
    p.set_csr("mcounteren", 8)
    p.mret()
    p.pad(0x400)
    p.csrr("t0", "mcause")
    p.keep("t0")
    p.end()
    p.pad(0x600)
    p.words = 0
    p.addi("t1", "s0", 1024)
    p.set_csr("siselect", 0x43)
    p.set_csr("sireg2", LOADS)
    p.csrw("sireg", "zero")
    for _ in range(5):
        p.ld("t3", 8, "t1")
    p.csrr("t2", "sireg")
    p.csrr("t4", "hpmcounter3")
    p.set_csr("scountinhibit", 8)
    p.ld("t3", 8, "t1")
    p.csrr("t5", "sireg")
    p.csrr("t6", "scountinhibit")
    p.csrr("a0", "sireg2")
    p.csrr("a1", "siselect")
    for register in ("t2", "t4", "t5", "t6", "a0", "a1"):
        p.keep(register)
    p.li("t0", 1)
    p.sd("t0", 0, "t1")
    p.label("halt")
    p.jump("halt")
    return p


ATOMIC = "atomic"


def accesses(these, *events):
    """What each event has counted of loads, stores and atomics: (False, True or ATOMIC, offset in the memory after
    the signature)."""
    p = Program()
    p.begin()
    p.la("t1", MEMORY)
    for nr, event in enumerate(events):
        p.set_csr(f"mhpmevent{3 + nr}", event)
        p.csrw(f"mhpmcounter{3 + nr}", "zero")
    for store, offset in these:
        p.li("t2", offset)
        p.add("t2", "t2", "t1")
        if store == ATOMIC:
            p.emit(0x2f | number("t3") << 7 | 3 << 12 | number("t2") << 15 | number("t4") << 20)  # amoadd.d
        elif store:
            p.sd("t3", 0, "t2")
        else:
            p.ld("t3", 0, "t2")
    for nr in range(len(events)):
        p.csrr(f"t{3 + nr}", f"mhpmcounter{3 + nr}")
    for nr in range(len(events)):
        p.keep(f"t{3 + nr}")
    p.end()
    return p


def overflow_of_misses(nth):
    """Forty loads, each of a line that is not there; the handler keeps where the nth miss was taken."""
    p = Program()
    p.begin()
    p.la("t0", BASE + 0x400)
    p.csrw("mtvec", "t0")
    p.set_csr("mhpmevent3", L1D_LOAD_MISSES)
    p.set_csr("mie", 1 << LCOFI)
    p.la("t1", MEMORY)
    p.set_csr("mhpmcounter3", -nth)
    p.set_csr("mstatus", 8)
    p.label("first")
    for _ in range(40):
        p.ld("t3", 0, "t1")
        p.addi("t1", "t1", 64)
    p.end()
    p.pad(0x400)
    p.words = 0
    p.csrr("t0", "mepc")
    p.csrr("t1", "mhpmcounter3")
    p.keep("t0")
    p.keep("t1")
    p.end()
    return p


def fetches(times, bytes_, event=L1I_MISSES):
    """What the event counts of code of so many bytes that is executed some times; lines at its end are labels."""
    p = Program()
    p.begin()
    p.set_csr("mhpmevent3", event)
    p.li("t2", times)
    p.label("begin")
    p.csrw("mhpmcounter3", "zero")
    p.label("again")
    for _ in range(bytes_ // 4 - 2):
        p.addi("t3", "t3", 1)
    p.addi("t2", "t2", -1)
    p.bnez("t2", "again")
    p.label("end")
    p.csrr("t0", "mhpmcounter3")
    p.keep("t0")
    p.end()
    return p


def translated(pages, flush):
    """Supervisor code at an address that is not its physical one loads from some pages twice; between that it
    may empty the TLBs. What DTLB_MISSES and ITLB_MISSES count of it."""
    p = Program()
    p.begin()
    p.open_memory()
    for at, where in ((0x400, "mtvec"), (0x600, "mepc")):
        p.la("t0", at + (BASE if where == "mtvec" else 0))
        p.csrw(where, "t0")
    p.la("t1", MEMORY)
    p.li("t0", (BASE >> 12) << 10 | 0xcf)  # from 0 on there are the first GiB of memory, to do all with
    p.sd("t0", 0, "t1")
    p.li("t0", 8 << 60)
    p.li("t2", MEMORY >> 12)
    p.add("t0", "t0", "t2")
    p.csrw("satp", "t0")
    p.li("t0", 3 << 11)
    p.csr("rc", "zero", "mstatus", "t0")
    p.addi("t0", "zero", 1)
    p.slli("t0", "t0", 11)
    p.csr("rs", "zero", "mstatus", "t0")  # MPP: S
    for nr, event in ((3, DTLB_MISSES), (4, ITLB_MISSES)):
        p.set_csr(f"mhpmevent{nr}", event)
        p.csrw(f"mhpmcounter{nr}", "zero")
    p.li("t4", 4096)
    p.mret()
    p.pad(0x400)
    p.csrr("t0", "mhpmcounter3")
    p.csrr("t1", "mhpmcounter4")
    p.keep("t0")
    p.keep("t1")
    p.end()
    p.pad(0x600)
    for again in (False, True):
        if again and flush:
            p.emit(0x12000073)  # sfence.vma
        p.li("t1", 0x30000)
        for _ in range(pages):
            p.ld("t3", 0, "t1")
            p.add("t1", "t1", "t4")
    p.ecall()
    return p
