// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "The core's own access" and "Overflow interrupt".
#include <gtest/gtest.h>

#include "corepmu_bench.hpp"

namespace
{

constexpr uint16_t kIntSet = 0xC40, kControl = 0xE10;

class System : public testing::Test
{
  protected:
    static Straps straps()
    {
        Straps s;
        s.counters = 6;
        s.hpmn = 4;
        s.hpme = true;
        return s;
    }

    void ask(bool write, uint16_t offset, uint64_t value, bool guest)
    {
        pmu.dut.sys_en_i = 1;
        pmu.dut.sys_write_i = write;
        pmu.dut.sys_guest_i = guest;
        pmu.dut.sys_addr_i = offset;
        pmu.dut.sys_wdata_i = value;
    }
    uint64_t done()
    {
        pmu.dut.clk_i = 0;
        pmu.dut.eval();
        EXPECT_TRUE(pmu.dut.sys_ready_o);
        const uint64_t data = pmu.dut.sys_rdata_o;
        pmu.dut.clk_i = 1;
        pmu.dut.eval();
        pmu.dut.sys_en_i = 0;
        return data;
    }
    uint64_t get(uint16_t offset, bool guest = false)
    {
        ask(false, offset, 0, guest);
        return done();
    }
    void put(uint16_t offset, uint64_t value, bool guest = false)
    {
        ask(true, offset, value, guest);
        done();
    }

    CorePmu pmu{straps()};
};

TEST_F(System, SharesItsRegistersWithTheFrame)
{
    put(at::typer(true, 2), 0x08);
    EXPECT_EQ(pmu.access(false, at::typer(false, 2), 0, false).data, 0x08u);
    put(at::counter(2), 0x123456789abcdef0);
    EXPECT_EQ(pmu.access(false, at::counter(2) + 4, 0, false).data, 0x12345678u);
    EXPECT_EQ(get(at::counter(2)), 0x123456789abcdef0u);
}

TEST_F(System, WaitsForTheFrame)
{
    ask(true, kControl, 1, false);
    EXPECT_EQ(pmu.access(false, at::control(false), 0, false).data, 0u);
    EXPECT_EQ(pmu.access(false, at::control(false), 0, false).data, 0u); // still
    done();
    EXPECT_EQ(pmu.access(false, at::control(false), 0, false).data, 1u);
}

TEST_F(System, AGuestSeesTheFirstRange)
{
    put(at::counter(4), 44);
    EXPECT_EQ(get(kControl) >> 11, 6u);
    EXPECT_EQ(get(kControl, true) >> 11, 4u);
    EXPECT_EQ(get(at::counter(4), true), 0u);
    put(at::enable_set, ~0ull, true);
    EXPECT_EQ(get(at::enable_set), 0x8000000Fu);
    put(kControl, 2, true);
    EXPECT_EQ(get(at::counter(4)), 44u);
    put(kControl, 2);
    EXPECT_EQ(get(at::counter(4)), 0u);
    put(at::typer(true, 4), 0x10);
    EXPECT_EQ(get(at::typer(true, 4), true), 0u);
    EXPECT_EQ(get(at::typer(true, 4)), 0x10u);
}

// docs/hw/corepmu.md, "Power": every register is zero.
TEST_F(System, APowerOffClearsEnablesOfInterrupts)
{
    put(kIntSet, 2);
    EXPECT_EQ(get(kIntSet), 2u);
    pmu.dut.offline_i = 1;
    pmu.step();
    pmu.dut.offline_i = 0;
    EXPECT_EQ(get(kIntSet), 0u);
}

TEST_F(System, WhatIsNoSystemRegisterReadsZero)
{
    EXPECT_EQ(get(at::pc), 0u);
    EXPECT_FALSE(pmu.dut.capture_o);
    EXPECT_EQ(get(at::config), 0u);
}

TEST_F(System, TheLineIsHighWithFlagEnableAndRange)
{
    put(at::counter(1), (1ull << 32) - 2);
    put(at::enable_set, 2);
    put(kControl, 1);
    pmu.increment(1, 2);
    pmu.step();
    EXPECT_FALSE(pmu.dut.irq_o);
    put(kIntSet, 2);
    EXPECT_TRUE(pmu.dut.irq_o);
    put(kControl, 0);
    EXPECT_FALSE(pmu.dut.irq_o);
    put(kControl, 1);
    EXPECT_TRUE(pmu.dut.irq_o);
    put(at::overflow_clr, 2);
    EXPECT_FALSE(pmu.dut.irq_o);
}

TEST_F(System, TheLineIsThatOfTheCycleCounterToo)
{
    put(kIntSet, 1u << 31);
    put(at::enable_set, 1u << 31);
    put(at::cycles, (1ull << 32) - 2);
    pmu.dut.cycle_inc_i = 2;
    put(kControl, 1);
    pmu.step();
    EXPECT_TRUE(pmu.dut.irq_o);
    put(kControl, 0);
    EXPECT_FALSE(pmu.dut.irq_o);
    put(kControl, 1);
    EXPECT_TRUE(pmu.dut.irq_o);
}

} // namespace
