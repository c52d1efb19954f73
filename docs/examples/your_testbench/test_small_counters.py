# SPDX-License-Identifier: Apache-2.0
"""The golden counter block in a cocotb test: docs/yours/testbench.md."""
import random

import cocotb
from cocotb.triggers import Timer

from countersink_golden import CYCLES, INSTRET, READ, WRITE, Golden

CSRS = (0xB00, 0xB80, 0xB02, 0xB82, 0xB03, 0xB83, 0x323, 0x320)


@cocotb.test()
async def counters_are_golden(dut):
    draw = random.Random(1)
    golden = Golden(xlen=32, counters=0x8, width=40)
    dut.clk.value = dut.rst_n.value = dut.csr_valid.value = 0
    await Timer(2, "ns")
    dut.rst_n.value = 1
    for _ in range(5000):
        retired, csr, write = draw.getrandbits(1), draw.choice(CSRS), draw.random() < 0.25
        load = retired & draw.getrandbits(1)
        operand = {0x323: draw.choice((0, 7)), 0x320: draw.getrandbits(4) & 0xD}.get(
            csr, 2**32 - 1 - draw.getrandbits(4))
        dut.retired.value, dut.load.value, dut.csr_valid.value = retired, load, 1
        dut.csr.value, dut.csr_write.value, dut.operand.value = csr, write, operand
        await Timer(1, "ns")
        golden.event(CYCLES, 1)
        golden.event(INSTRET, retired)
        golden.event(7, load)
        wanted = golden.access(csr, WRITE if write else READ, operand)
        assert dut.old_value.value == wanted, f"cycle {golden.cycle}, csr {csr:#x}"
        golden.step()
        dut.clk.value = 1
        await Timer(1, "ns")
        dut.clk.value = 0
