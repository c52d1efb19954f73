# SPDX-License-Identifier: Apache-2.0
"""A PMCU, the C model, on a bus in Python (docs/hw/pmcu.md of the source tree)."""
from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from dataclasses import dataclass

from ._library import BUS, golden, refused, words

NEVER = 2**64 - 1
CLUSTERS = 0x2000_0000
CLUSTER_BYTES = 0x10_0000
FRAME_BYTES = 0x1_0000
REGISTER_BYTES = 0x1_0000
BROADCAST_SLOT = 15


def _checked(offset: int, size: int, within: int, value: int | None) -> None:
    """ctypes would cut what is too large, and the model would get another number."""
    if size not in (4, 8):
        raise ValueError(f"size is {size}, expected 4 or 8")
    if not 0 <= offset < within or offset % size:
        raise ValueError(f"offset is {hex(offset)}, expected a multiple of {size} below {hex(within)}")
    if value is not None and not 0 <= value < 2**(8 * size):
        raise ValueError(f"value is {hex(value)}, expected 0..{hex(2**(8 * size) - 1)}")


class Response(enum.IntEnum):
    OKAY = 0
    SLVERR = 2
    DECERR = 3


class BusError(Exception):
    """An access was answered with an error."""

    def __init__(self, offset: int, response: int) -> None:
        super().__init__(f"offset 0x{offset:x}: {Response(response).name}")
        self.response = Response(response)


@dataclass
class Transfer:
    """A burst of a PMCU. To be answered: `data` of a read, `response`, and the cycles of its grant and
    completion; request <= grant < complete."""

    port: int
    write: bool
    address: int
    data: bytes
    request: int
    response: Response = Response.OKAY
    grant: int = 0
    complete: int = 0


class Memory:
    """Sparse memory. What was never written is zero."""

    PAGE = 4096

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def read(self, address: int, size: int) -> bytes:
        out = bytearray()
        while size > 0:
            page, at = divmod(address, self.PAGE)
            some = min(size, self.PAGE - at)
            out += self._pages.get(page, bytes(self.PAGE))[at:at + some]
            address, size = address + some, size - some
        return bytes(out)

    def write(self, address: int, data: bytes) -> None:
        while data:
            page, at = divmod(address, self.PAGE)
            some = min(len(data), self.PAGE - at)
            self._pages.setdefault(page, bytearray(self.PAGE))[at:at + some] = data[:some]
            address, data = address + some, data[some:]


class CorePmu:
    """A core's PMU, the C model of docs/hw/corepmu.md, in reset. Events of the core have fixed rates.

    Settings: counters, ext64, hpmn, hpme, hpmd, spme, offline, locked. ValueError: they do not go together.
    """

    CLOCK = 0x50000  # the event that the cycle counter counts

    def __init__(self, **settings: int) -> None:
        self._lib = golden()
        self._pmu = self._lib.cs_golden_corepmu_create(words(settings))
        if not self._pmu:
            raise refused()
        self._cycle = 0
        self.rate(self.CLOCK, 1)

    def __del__(self) -> None:
        if getattr(self, "_pmu", None):
            self._lib.cs_golden_corepmu_destroy(self._pmu)

    def rate(self, event: int, times: int, cycles: int = 1) -> None:
        """From cycle 0 on the event happens `times` times in each `cycles` cycles. To be told first."""
        if not 0 <= event < 2**32 or not 0 <= times < 2**32 or not 0 < cycles < 2**32 or \
                not self._lib.cs_golden_corepmu_rate(self._pmu, event, times, cycles):
            raise ValueError(f"event 0x{event:x}: {times} in {cycles} cycles, expected numbers below "
                             "2^32, and at most 64 events")

    def context(self, cid1: int, cid2: int = 0, el: int = 0) -> None:
        """Who runs: CONTEXTIDR_EL1 and _EL2, and the exception level."""
        if not 0 <= cid1 < 2**32 or not 0 <= cid2 < 2**32 or el not in range(4):
            raise ValueError(f"cid1 {hex(cid1)}, cid2 {hex(cid2)}, el {el}: expected 32 bits each, and 0..3")
        self._lib.cs_golden_corepmu_context(self._pmu, cid1, cid2, el)

    def access(self, cycle: int, offset: int, size: int = 4, write: int | None = None) -> int:
        """A register of its frame, read or written in a cycle not before that of the last access."""
        if not self._cycle <= cycle < NEVER:
            raise ValueError(f"cycle is {cycle}, expected {self._cycle} or a later one")
        _checked(offset, size, FRAME_BYTES, write)
        self._cycle = cycle
        value = ctypes.c_uint64(0 if write is None else write)
        response = self._lib.cs_golden_corepmu_access(self._pmu, cycle, offset, size,
                                                      write is not None, ctypes.byref(value))
        if response:
            raise BusError(offset, response)
        return int(value.value)


class Board:
    """A bus with a memory and a core PMU a slot, for a Pmcu. A transfer takes `latency` cycles, and one more
    for each doubleword behind the first.

    `cores[cpu]` is the core PMU of slot cpu % slots in cluster cpu // slots; None: no core is there, and an
    access is DECERR.
    """

    def __init__(self, clusters: int, slots: int, *, latency: int = 20, **settings: int) -> None:
        self.slots = slots
        self.latency = latency
        self.memory = Memory()
        self.cores: list[CorePmu | None] = [CorePmu(**settings) for _ in range(clusters * slots)]

    def __call__(self, t: Transfer) -> None:
        t.grant = t.request + 1
        t.complete = t.request + self.latency + max(0, len(t.data) - 1) // 8
        cluster, at = divmod(t.address - CLUSTERS, CLUSTER_BYTES)
        if 0 <= cluster < len(self.cores) // self.slots:
            self._frame(t, cluster, *divmod(at, FRAME_BYTES))
        elif t.write:
            self.memory.write(t.address, t.data)
        else:
            t.data = self.memory.read(t.address, len(t.data))

    def _frame(self, t: Transfer, cluster: int, slot: int, offset: int) -> None:
        slots = range(self.slots) if slot == BROADCAST_SLOT else range(slot, slot + 1)
        size = len(t.data)
        if size not in (4, 8):  # a bridge takes no bursts
            t.response = Response.SLVERR
            return
        for s in slots:
            core = self.cores[cluster * self.slots + s] if s < self.slots else None
            if core is None:
                t.response = Response.DECERR
                continue
            try:
                value = core.access(t.complete, offset, size,
                                    int.from_bytes(t.data, "little") if t.write else None)
            except BusError as error:
                t.response = max(t.response, error.response)
                continue
            if not t.write:
                t.data = value.to_bytes(8, "little")[:size]


class Pmcu:
    """A PMCU in reset, in cycle 0.

    Settings are its straps: clusters, slots, lanes, broadcast, prefetch, ext64, tick_cycles, die, order,
    posted. ValueError: they do not go together. `bus` is called with each of its transfers, and answers it
    (Transfer); None: a Board of its own, `pmcu.board`.

        pmcu = Pmcu(clusters=1, slots=2)
        pmcu.board.cores[0].rate(0x08, 3, 2)           # INST_RETIRED: 1.5 a cycle
        pmcu.board.memory.write(0x1000, (0x08).to_bytes(4, "little"))
        pmcu.write(Pmcu.EVENT_BASE_L, 0x1000)
        ...
        pmcu.write(Pmcu.FSM_CTRL, 1)                   # TRIGGER
        pmcu.run()                                     # to the interrupt
    """

    FSM_STATUS, FSM_CFG = 0x000, 0x004
    EVENT_BASE_H, EVENT_BASE_L = 0x008, 0x00C
    KILL_BASE_H, KILL_BASE_L = 0x010, 0x014
    STORE_BASE_H, STORE_BASE_L = 0x018, 0x01C
    WAIT_CNT, FSM_CTRL, FSM_BRK, COMP = 0x020, 0x038, 0x03C, 0x044
    INT_EN, INT_MSK, INT_STAT, INT_CLR = 0x100, 0x104, 0x108, 0x10C
    PMCR, PMCCFILTR = 0x200, 0x204

    def __init__(self, bus: Callable[[Transfer], None] | None = None, **settings: int) -> None:
        self._lib = golden()
        self._failure: BaseException | None = None
        self._board = None
        if bus is None:
            self._board = Board(settings.get("clusters", 4), settings.get("slots", 8),
                                ext64=settings.get("ext64", 0))
            bus = self._board
        self._bus = bus
        self._callback = BUS(self._submit)
        self._pmcu = self._lib.cs_golden_pmcu_create(words(settings), self._callback, None)
        if not self._pmcu:
            raise refused()

    def __del__(self) -> None:
        if getattr(self, "_pmcu", None):
            self._lib.cs_golden_pmcu_destroy(self._pmcu)

    @property
    def board(self) -> Board:
        if self._board is None:
            raise AttributeError("the bus is the caller's")
        return self._board

    def _submit(self, _ctx: int, port: int, write: int, address: int, size: int,
                data: ctypes._Pointer[ctypes.c_uint8], request: int,
                when: ctypes._Pointer[ctypes.c_uint64]) -> int:
        t = Transfer(port, bool(write), address, bytes(data[:size]), request, grant=request,
                     complete=request + 1)
        try:
            self._bus(t)
            if not write and t.response == Response.OKAY:
                if len(t.data) != size:
                    raise ValueError(f"{len(t.data)} bytes for a read of {size} at 0x{address:x}")
                ctypes.memmove(data, t.data, size)
            if not request <= t.grant < t.complete:
                raise ValueError(f"requested in {request}, granted in {t.grant}, complete in "
                                 f"{t.complete}")
            when[0], when[1] = t.grant, t.complete
            return int(t.response)
        except BaseException as error:  # C is in between: it is raised behind it
            self._failure = self._failure or error
            return int(Response.SLVERR)

    def _raise(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    @property
    def cycle(self) -> int:
        """All cycles below it are over."""
        return int(self._lib.cs_golden_pmcu_cycle(self._pmcu))

    @property
    def irq(self) -> bool:
        """The interrupt line in this cycle."""
        return bool(self._lib.cs_golden_pmcu_irq(self._pmcu))

    @property
    def next(self) -> int | None:
        """The next cycle in which it does anything by itself; None: it waits for a write."""
        cycle = int(self._lib.cs_golden_pmcu_next(self._pmcu))
        return None if cycle == NEVER else cycle

    def read(self, offset: int) -> int:
        """A register in this cycle; 0 where there is none. ValueError: outside of the PMCU's 64 KiB."""
        _checked(offset, 4, REGISTER_BYTES, None)
        value = ctypes.c_uint64()
        response = self._lib.cs_golden_pmcu_access(self._pmcu, offset, 4, 0, ctypes.byref(value))
        self._raise()
        if response:
            raise BusError(offset, response)
        return int(value.value)

    def write(self, offset: int, value: int) -> None:
        """Writes a register in this cycle, which is over then: the write acts in the next. ValueError:
        outside of the PMCU's 64 KiB, or more than 32 bits."""
        _checked(offset, 4, REGISTER_BYTES, value)
        data = ctypes.c_uint64(value)
        response = self._lib.cs_golden_pmcu_access(self._pmcu, offset, 4, 1, ctypes.byref(data))
        self._raise()
        if response:
            raise BusError(offset, response)
        self.step()

    def step(self, cycles: int = 1) -> None:
        """Executes N cycles."""
        end = self.cycle + cycles
        if not self.cycle <= end < NEVER:
            raise ValueError(f"cycles is {cycles}, expected 0..{NEVER - 1 - self.cycle}")
        while self.cycle < end:
            self._lib.cs_golden_pmcu_advance(self._pmcu, end)
            self._raise()

    def run(self, limit: int | None = None) -> bool:
        """Goes on until the interrupt line is high, or nothing happens any more, or cycle `limit`. Whether the
        line is high."""
        while not self.irq:
            cycle = self.next
            if cycle is None or (limit is not None and cycle >= limit):
                break
            self._lib.cs_golden_pmcu_advance(self._pmcu, cycle + 1)
            self._raise()
        return self.irq
