// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Timebase".
#include <gtest/gtest.h>

#include "Vimc_timebase.h"

namespace
{

struct Case {
    uint64_t start;
    unsigned num, den;
};

class Timebase : public testing::TestWithParam<Case>
{
};

TEST_P(Timebase, IsTheFloorOfItsRate)
{
    const Case c = GetParam();
    Vimc_timebase dut;
    auto clock = [&] {
        dut.clk_i = 0;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
    };
    dut.tb_start_i = c.start;
    dut.tb_num_i = c.num;
    dut.tb_den_i = c.den;
    dut.rst_ni = 0;
    clock();
    clock();
    dut.rst_ni = 1;

    uint64_t before = 0;
    for (uint64_t t = 0; t < 200000; t++) {
        dut.clk_i = 0;
        dut.eval();
        uint64_t tb = c.start + t * c.num / c.den;
        ASSERT_EQ(dut.tb_o, tb) << t;
        ASSERT_EQ(dut.tb_tick_o, t > 0 && tb != before) << t;
        before = tb;
        dut.clk_i = 1;
        dut.eval();
    }
    dut.final();
}

INSTANTIATE_TEST_SUITE_P(Rates, Timebase,
                         testing::Values(Case{0, 512, 1000}, Case{7, 1, 1}, Case{0, 1, 65535},
                                         Case{0, 65535, 65535}, Case{0, 65534, 65535},
                                         Case{UINT64_MAX - 5, 3, 7},
                                         Case{0x123456789ABCDEF0, 2, 3}));

} // namespace
