// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Counters and states": 32 bits, modulo 2^32. In a window that takes hundreds
// of millions of cycles, so the counters stand alone here and are loaded as in trace mode.
#include <gtest/gtest.h>

#include "Vimc_cpmc.h"

namespace
{

class Cpmc : public testing::Test
{
  protected:
    Cpmc()
    {
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
        dut.filter_i = 15;
    }
    ~Cpmc()
    {
        dut.final();
    }
    void step()
    {
        dut.clk_i = 0;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
    }
    void load(unsigned sampsel, uint32_t value)
    {
        dut.sampsel_i = sampsel;
        dut.load_i = value;
        dut.put_i = dut.put_trace_i = 1;
        step();
        dut.put_i = dut.put_trace_i = 0;
    }

    Vimc_cpmc dut;
};

TEST_F(Cpmc, ResetIsZero)
{
    for (unsigned n = 0; n < 4; n++)
        EXPECT_EQ(dut.value_o[n], 0u) << n;
    EXPECT_FALSE(dut.capture_o);
}

TEST_F(Cpmc, AWindowWrapsWithoutASnapshot)
{
    for (unsigned n = 0; n < 4; n++) {
        for (bool trace : {false, true}) {
            load(n, 0xFFFFFFFA);
            dut.trace_i = trace;
            dut.active_i = 1;
            dut.inc_i = 0xFu << (4 * n);
            step();
            EXPECT_EQ(dut.value_o[n], trace ? 0xFFFFFFFA : 9u) << n;
            EXPECT_EQ(dut.capture_o, trace) << n;
            dut.active_i = dut.trace_i = 0;
        }
    }
}

TEST_F(Cpmc, TheCarryOfEachAddend)
{
    for (unsigned below = 1; below <= 40; below++) { // the counter is 2^32 - below
        for (unsigned inc = 0; inc < 16; inc++) {
            load(2, 0u - below);
            dut.trace_i = dut.active_i = 1;
            dut.inc_i = inc << 8;
            step();
            EXPECT_EQ(dut.capture_o, inc >= below) << below << " " << inc;
            EXPECT_EQ(dut.value_o[2], inc >= below ? 0u - below : inc - below);
            dut.active_i = dut.trace_i = 0;
        }
    }
}

} // namespace
