# SPDX-License-Identifier: Apache-2.0
"""A RISC-V counter block, the C model, cycle by cycle (docs/hw/hpm.md of the source tree)."""
from __future__ import annotations

import enum

from ._library import golden, refused, words


def _checked(what: str, value: int, most: int) -> int:
    """ctypes would cut what is too large, and the model would get another number."""
    if not 0 <= value <= most:
        raise ValueError(f"{what} is {value}, expected 0..{most}")
    return value


class Access(enum.IntEnum):
    READ = 0
    WRITE = 1
    SET = 2
    CLEAR = 3


class CounterBlock:
    """The counters of a hart, in reset, in cycle 0.

    Settings are those of the model: xlen, modes, counters, width, sscofpmf, smcntrpmf, smcdeleg, aia,
    lcofi_latency. ValueError: they do not go together. Each function raises it for a number that cannot be.

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
        self._lib.cs_golden_mode(self._block, _checked("mode", mode, 5))

    def time(self, value: int) -> None:
        """mtime of this cycle."""
        self._lib.cs_golden_time(self._block, _checked("time", value, 2**64 - 1))

    def event(self, number: int, increment: int) -> None:
        """How often an event happens in this cycle, 0 to 15."""
        self._lib.cs_golden_event(self._block, _checked("event", number, 255), _checked("increment", increment, 15))

    def access(self, csr: int, op: Access = Access.READ, operand: int = 0) -> int | None:
        """The CSR instruction of this cycle, at most one: the old value; None: an exception. A write
        acts from the next cycle on."""
        value = int(self._lib.cs_golden_access(self._block, _checked("csr", csr, 0xfff), Access(op),
                                               _checked("operand", operand, 2**64 - 1)))
        return None if self.exception else value

    @property
    def exception(self) -> int:
        """Of the last access: 0 none, 1 illegal instruction, 2 virtual instruction."""
        return int(self._lib.cs_golden_exception(self._block))

    def predict(self, csr: int) -> int:
        """What a read in M mode in this cycle would see; nothing happens."""
        return int(self._lib.cs_golden_predict(self._block, _checked("csr", csr, 0xfff)))

    @property
    def irq(self) -> int:
        """The interrupt lines of this cycle: bit 0 to M, 1 to S, 2 to VS."""
        return int(self._lib.cs_golden_irq(self._block))

    def step(self, cycles: int = 1, events: dict[int, int] | None = None) -> None:
        """The cycle ends, and with it as many more, in each of which the events happen. ValueError: a mode that
        the block does not have, a second access in a cycle, no memory; the block says so from then on."""
        happening = events or {}
        for _ in range(_checked("cycles", cycles, 2**64 - 1)):
            for number, increment in happening.items():
                self.event(number, increment)
            if self._lib.cs_golden_step(self._block):
                raise ValueError(self._lib.cs_golden_failure(self._block).decode())
