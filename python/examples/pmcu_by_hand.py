# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A PMCU, by hand
#
# The C model of a PMCU and of the core PMUs behind it, with a bus in Python: programmed as a driver
# programs it, and looked into between two cycles. Open this file in Jupyter or VS Code (cells begin with
# `# %%`), or run it: `python pmcu_by_hand.py`.

# %%
import struct

from countersink import Pmcu

INST_RETIRED, BR_RETIRED = 0x08, 0x21
EVENTS, STORE = 0x1000, 0x8000

# %% [markdown]
# A die of four clusters with a core each: each retires more than the one before.

# %%


def die(lanes: int) -> Pmcu:
    pmcu = Pmcu(clusters=4, slots=1, lanes=lanes, tick_cycles=20)
    for cpu, core in enumerate(pmcu.board.cores):
        assert core is not None
        core.rate(INST_RETIRED, 2 + cpu, 2)
        core.rate(BR_RETIRED, 1, 5)
        core.context(cid1=1000 + cpu)
    pmcu.board.memory.write(EVENTS, struct.pack("<2I", INST_RETIRED, BR_RETIRED))
    pmcu.write(Pmcu.FSM_CFG, 2 | 1 << 8 | 2 << 16)  # two events in one group, one loop
    pmcu.write(Pmcu.EVENT_BASE_L, EVENTS)
    pmcu.write(Pmcu.STORE_BASE_L, STORE)
    pmcu.write(Pmcu.KILL_BASE_L, STORE + 4096)
    pmcu.write(Pmcu.WAIT_CNT, 500)                  # ticks: 10,000 cycles
    pmcu.write(Pmcu.INT_EN, 1)
    pmcu.write(Pmcu.FSM_CTRL, 1)                    # TRIGGER
    return pmcu


# %% [markdown]
# To the interrupt. What lies in memory then: context ids, and a row of four for each event and the cycles.

# %%
pmcu = die(lanes=1)
assert pmcu.run() and pmcu.read(Pmcu.INT_STAT) == 1
data = pmcu.board.memory.read(STORE, (2 + 2) * 8 * 4)
who, inst, branches, cycles = (struct.unpack("<4I", data[:16]), *(
    struct.unpack("<4Q", data[32 + 32 * i:64 + 32 * i]) for i in range(3)))
for cpu in range(4):
    print(f"cid1 {who[cpu]}: {inst[cpu]} instructions in {cycles[cpu]} cycles, {branches[cpu]} branches")
    assert abs(inst[cpu] - cycles[cpu] * (2 + cpu) / 2) <= 1

# %% [markdown]
# How long each state takes, with one lane and with four.

# %%
NAMES = "IDLE INIT FETCH PROGRAM START WAIT STOP READ STORE SWITCH BREAK".split()
for lanes in (1, 4):
    pmcu, taken = die(lanes), dict.fromkeys(NAMES, 0)
    while not pmcu.irq:
        taken[NAMES[pmcu.read(Pmcu.FSM_STATUS) & 15]] += 1
        pmcu.step()
    print(f"{lanes} lane(s):", {n: c for n, c in taken.items() if c})
