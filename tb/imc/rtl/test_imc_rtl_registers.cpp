// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Access" and the tables of registers.
#include "imc_bench.hpp"

using namespace imc;

namespace
{

constexpr uint64_t pattern = 0x9B5A7C3E1F2D4860;

TEST(Registers, AreZeroAfterReset)
{
    Core core;
    for (unsigned sel = 0; sel < 7; sel++)
        EXPECT_EQ(core.access(false, sel, 0), (Answer{0, false})) << sel;
    for (unsigned t = 0; t < 4; t++)
        EXPECT_EQ(core.access_ldbar(false, t, 0), (Answer{0, false}));
}

TEST(Registers, KeepAllBitsAsWritten)
{
    for (bool power10 : {false, true}) {
        Straps s;
        s.power10 = power10;
        Core core(s);
        for (uint64_t value : {pattern & ~bit(0), ~uint64_t{0}, uint64_t{0}}) {
            for (Reg reg : {HTM_MODE, PDBAR, EVENT_MASK, TRACE}) {
                core.write(reg, value);
                EXPECT_EQ(core.read(reg), value);
            }
            for (unsigned t = 0; t < 4; t++) {
                core.write_ldbar(t, value ^ t);
                EXPECT_EQ(core.access_ldbar(false, t, 0), (Answer{value ^ t, false}));
            }
        }
    }
}

TEST(Registers, FirAndErrRptHaveTheirBitsOnly)
{
    Core core;
    core.write(FIR, ~uint64_t{0});
    core.write(ERR_RPT, ~uint64_t{0});
    EXPECT_EQ(core.read(FIR), 0x000C000000000000u);
    EXPECT_EQ(core.read(ERR_RPT), 0x0000008000000000u);
    core.write(FIR, fir_dead);
    EXPECT_EQ(core.read(FIR), fir_dead);
    core.write(FIR, ~fir_dead);
    core.write(ERR_RPT, ~rpt_timeout);
    EXPECT_EQ(core.read(FIR), fir_address);
    EXPECT_EQ(core.read(ERR_RPT), 0u);
}

TEST(Registers, WhatIsAnsweredWithAnError)
{
    Core core;
    EXPECT_EQ(core.access(true, STATUS, ~uint64_t{0}), (Answer{0, true}));
    for (unsigned sel = 7; sel < 16; sel++) {
        for (bool write : {false, true})
            EXPECT_EQ(core.access(write, sel, ~uint64_t{0}), (Answer{0, true})) << sel;
    }
    for (unsigned sel = 0; sel < 7; sel++)
        EXPECT_EQ(core.access(false, sel, 0), (Answer{0, false}));
}

TEST(Registers, ThreadsThatDoNotExist)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Straps s;
        s.threads = threads;
        Core core(s);
        for (unsigned t = 0; t < 4; t++) {
            EXPECT_EQ(core.access_ldbar(true, t, pattern), (Answer{0, t >= threads}));
            EXPECT_EQ(core.access_ldbar(false, t, 0),
                      (Answer{t >= threads ? 0 : pattern, t >= threads}));
        }
    }
}

TEST(Registers, BothPortsInOneCycle)
{
    Core core;
    core.in.ldbar = 2;
    core.in.ldbar_write = true;
    core.in.ldbar_data = pattern;
    core.write(PDBAR, ~pattern);
    EXPECT_EQ(core.read(PDBAR), ~pattern);
    EXPECT_EQ(core.access_ldbar(false, 2, 0), (Answer{pattern, false}));
}

TEST(Status, TheCoreIsOnWithThreeFields)
{
    const uint64_t clear[] = {0, bit(0), bit(1), bit(2), bit(4)};
    for (uint64_t gone : clear) {
        for (uint64_t others : {uint64_t{0}, ~mode_on}) {
            Core core;
            core.write(HTM_MODE, (mode_on | others) & ~gone);
            EXPECT_EQ(core.state(), gone == 0 ? SYNC : OFF);
            EXPECT_EQ(core.status(5, 11), gone == 0 ? 1u : 0u);
        }
    }
}

TEST(Status, StateIsAFunctionOfTheRegisters)
{
    Core core;
    core.write(EVENT_MASK, freeze);
    EXPECT_EQ(core.state(), OFF);
    core.write(HTM_MODE, mode_on);
    EXPECT_EQ(core.state(), FROZEN);
    EXPECT_EQ(core.status(5, 11), 4u);
    core.step(8); // boundaries do not act
    core.write(EVENT_MASK, 0);
    EXPECT_EQ(core.state(), SYNC);
    core.step(4);
    EXPECT_EQ(core.state(), RUN);
    EXPECT_EQ(core.status(5, 11), 2u);
    core.write(EVENT_MASK, freeze);
    EXPECT_EQ(core.state(), FROZEN);
    core.write(EVENT_MASK, 0);
    EXPECT_EQ(core.state(), RUN);
    core.write(HTM_MODE, 0);
    EXPECT_EQ(core.state(), OFF);
}

TEST(Status, TraceActive)
{
    Core core;
    core.tb_runs = false;             // no windows
    core.write_ldbar(3, ldbar_trace); // the core need not be on
    EXPECT_EQ(core.status(1, 1), 1u);
    core.write_ldbar(3, ldbar_enable);
    EXPECT_EQ(core.status(1, 1), 0u);

    // A record that is being written, while no thread traces any more.
    core.memory.stuck = true;
    core.write(TRACE, trace(0, 0xFFFFFFFF));
    core.write(HTM_MODE, mode_on);
    core.count({1, 0, 0, 0});
    core.write_ldbar(0, ldbar_trace);
    core.step(4);
    core.write_ldbar(0, 0);
    EXPECT_EQ(core.read(STATUS), status_trace | put(core.state(), 11) | put(1, 15));
    core.memory.stuck = false;
    core.settle();
    EXPECT_EQ(core.status(1, 1), 0u);
    EXPECT_EQ(core.status(12, 15), 0u);
}

} // namespace
