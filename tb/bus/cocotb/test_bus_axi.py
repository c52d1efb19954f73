# SPDX-License-Identifier: Apache-2.0
"""cocotbext-axi's managers and memory on the fabric: what they ask, they get, and neither they
nor axi_checker find fault (docs/hw/bus.md, "What a manager may ask for")."""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine
from cocotb.regression import TestFactory
from cocotbext.axi import AxiBus, AxiMaster, AxiRam, AxiResp

RAM_BASE = 0x8000_0000
RAM_SIZE = 0x1_0000
REGISTERS = (0x1000_0000, 0x2000_0000)
HOLE = 0x4000_0000
TRANSFERS = int(os.environ.get("BUS_TRANSFERS", "60"))


def pauses(rng, percent):
    while True:
        yield rng.randrange(100) < percent


class System:
    def __init__(self, dut, seed):
        self.dut = dut
        self.rng = random.Random(seed)
        reset = dict(reset=dut.rst_ni, reset_active_level=False)
        self.managers = [
            AxiMaster(AxiBus.from_prefix(dut, f"m{m}_axi"), dut.clk_i, **reset) for m in (0, 1)
        ]
        # The memory partner sees whole addresses; its storage is as large as they are.
        self.ram = AxiRam(AxiBus.from_prefix(dut, "ram_axi"), dut.clk_i, **reset, size=2**32)
        for part in (*self.managers, self.ram):
            for interface in (part.write_if, part.read_if):
                interface.log.setLevel(logging.WARNING)
        cocotb.start_soon(Clock(dut.clk_i, 2, units="ns").start())

    def pause(self, percent):
        for part in (*self.managers, self.ram):
            for channel in (
                part.write_if.aw_channel,
                part.write_if.w_channel,
                part.write_if.b_channel,
                part.read_if.ar_channel,
                part.read_if.r_channel,
            ):
                channel.set_pause_generator(pauses(self.rng, percent))

    async def reset(self, shared, forward, back, access):
        self.dut.shared_i.value = shared
        self.dut.forward_cycles_i.value = forward
        self.dut.return_cycles_i.value = back
        self.dut.access_cycles_i.value = access
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    def burst(self, base):
        """An address and a number of bytes that are one legal burst."""
        beats = self.rng.randint(1, 16)
        page = base + 0x1000 * self.rng.randrange(2)
        return page + 8 * self.rng.randint(0, 512 - beats), 8 * beats


async def memory_writer(system, m, image):
    """Writes to the manager's own quarter; `image` is what is there."""
    rng, manager = system.rng, system.managers[m]
    base = RAM_BASE + 0x4000 * m
    for _ in range(TRANSFERS):
        if rng.randrange(4):
            addr, length = system.burst(base)
            size = None
        else:
            size = rng.randrange(4)
            addr, length = base + (rng.randrange(256) << size), 1 << size
        data = rng.randbytes(length)
        answer = await manager.write(addr, data, size=size)
        assert answer.resp == AxiResp.OKAY
        image[addr - RAM_BASE : addr - RAM_BASE + length] = data


async def memory_reader(system, m, image):
    """Reads what nobody writes: the upper half."""
    rng, manager = system.rng, system.managers[m]
    for _ in range(TRANSFERS):
        addr, length = system.burst(RAM_BASE + 0x8000)
        answer = await manager.read(addr, length)
        assert answer.resp == AxiResp.OKAY
        assert answer.data == image[addr - RAM_BASE : addr - RAM_BASE + length]


async def reader_of_all_kinds(system, m):
    """Registers, holes and what the fabric refuses. Manager m owns words 16 m .. 16 m + 15."""
    rng, manager = system.rng, system.managers[m]
    words = {}
    for _ in range(TRANSFERS):
        kind = rng.randrange(5)
        if kind == 0:
            length = 8 * rng.randint(1, 16)
            answer = await manager.read(HOLE, length)
            assert answer.resp == AxiResp.DECERR and answer.data == bytes(length)
            assert (await manager.write(HOLE, bytes(length))).resp == AxiResp.DECERR
        elif kind == 1:  # narrow burst
            assert (await manager.read(RAM_BASE, 16, size=2)).resp == AxiResp.SLVERR
            assert (await manager.write(RAM_BASE, bytes(8), size=1)).resp == AxiResp.SLVERR
        elif kind == 2:  # a burst to registers
            assert (await manager.read(rng.choice(REGISTERS), 24)).resp == AxiResp.SLVERR
        else:
            base = rng.choice(REGISTERS)
            size = rng.choice((2, 3))
            addr = base + 128 * m + (rng.randrange(128 >> size) << size)
            data = rng.randbytes(1 << size)
            assert (await manager.write(addr, data, size=size)).resp == AxiResp.OKAY
            words.update({addr + i: byte for i, byte in enumerate(data)})
            answer = await manager.read(addr, 1 << size, size=size)
            assert answer.resp == AxiResp.OKAY and answer.data == data
            answer = await manager.read(addr & ~7, 8, size=3)
            assert answer.resp == AxiResp.OKAY
            assert answer.data == bytes(words.get((addr & ~7) + i, 0) for i in range(8))


async def traffic(dut, shared, forward, back, access, percent):
    system = System(dut, seed=f"{shared}{forward}{back}{percent}")
    await system.reset(shared, forward, back, access)
    image = bytearray(system.rng.randbytes(RAM_SIZE))
    system.ram.write(RAM_BASE, image)
    if percent:
        system.pause(percent)

    # One read and one write of each manager at a time: first memory, then everything else.
    tasks = [cocotb.start_soon(memory_writer(system, m, image)) for m in (0, 1)]
    tasks += [cocotb.start_soon(memory_reader(system, m, image)) for m in (0, 1)]
    await Combine(*tasks)
    assert system.ram.read(RAM_BASE, RAM_SIZE) == image

    await Combine(*[cocotb.start_soon(reader_of_all_kinds(system, m)) for m in (0, 1)])
    assert system.ram.read(RAM_BASE, RAM_SIZE) == image
    await ClockCycles(dut.clk_i, 10)
    assert dut.violation_o.value.binstr == "0" * 80, f"axi_checker: {dut.violation_o.value}"


factory = TestFactory(traffic)
factory.add_option(
    ("shared", "forward", "back", "access", "percent"),
    [(1, 0, 0, 1, 0), (1, 2, 2, 4, 40), (0, 0, 0, 1, 30), (0, 1, 3, 2, 0), (0, 3, 0, 5, 70)],
)
factory.generate_tests()
