# SPDX-License-Identifier: Apache-2.0
"""A RISC-V counter block, the C model, cycle by cycle (docs/hw/hpm.md of the source tree)."""
from __future__ import annotations

import enum

from ._library import golden, refused, words


class Access(enum.IntEnum):
    READ = 0
    WRITE = 1
    SET = 2
    CLEAR = 3


class CounterBlock:
    """The counters of a hart, in reset, in cycle 0.

    Settings are those of the model: xlen, modes, counters, width, sscofpmf, smcntrpmf, smcdeleg, aia,
    lcofi_latency. ValueError: they do not go together.

        block = CounterBlock(counters=0x18, sscofpmf=1)
        block.access(0x323, Access.WRITE, 7)       # mhpmevent3 := event 7
        block.step(events={7: 2}, cycles=100)
        block.access(0xB03)                        # mhpmcounter3: 198
    """

    CYCLES, INSTRET = 1, 2
    U, S, M, VU, VS = 0, 1, 3, 4, 5

    def __init__(self, **settings: int) -> None:
        self._lib = golden()
        self._block = self._lib.cs_golden_create(words(settings))
        if not self._block:
            raise refused()

    def __del__(self) -> None:
        if getattr(self, "_block", None):
            self._lib.cs_golden_destroy(self._block)

    @property
    def cycle(self) -> int:
        return int(self._lib.cs_golden_cycle(self._block))

    def mode(self, mode: int) -> None:
        """The core's mode from this cycle on; M after reset."""
        self._lib.cs_golden_mode(self._block, mode)

    def time(self, value: int) -> None:
        """mtime of this cycle."""
        self._lib.cs_golden_time(self._block, value)

    def event(self, number: int, increment: int) -> None:
        """How often an event happens in this cycle, 0 to 15."""
        self._lib.cs_golden_event(self._block, number, increment)

    def access(self, csr: int, op: Access = Access.READ, operand: int = 0) -> int | None:
        """The CSR instruction of this cycle, at most one: the old value; None: an exception. A write
        acts from the next cycle on."""
        value = int(self._lib.cs_golden_access(self._block, csr, op, operand))
        return None if self.exception else value

    @property
    def exception(self) -> int:
        """Of the last access: 0 none, 1 illegal instruction, 2 virtual instruction."""
        return int(self._lib.cs_golden_exception(self._block))

    def predict(self, csr: int) -> int:
        """What a read in M mode in this cycle would see; nothing happens."""
        return int(self._lib.cs_golden_predict(self._block, csr))

    @property
    def irq(self) -> int:
        """The interrupt lines of this cycle: bit 0 to M, 1 to S, 2 to VS."""
        return int(self._lib.cs_golden_irq(self._block))

    def step(self, cycles: int = 1, events: dict[int, int] | None = None) -> None:
        """The cycle ends, and with it as many more, in each of which the events happen."""
        happening = events or {}
        for _ in range(cycles):
            for number, increment in happening.items():
                self._lib.cs_golden_event(self._block, number, increment)
            self._lib.cs_golden_step(self._block)
