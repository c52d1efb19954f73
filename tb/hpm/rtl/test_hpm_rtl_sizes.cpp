// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, 1: a build with fewer counters is the large one with fewer bits in counters_i.
#include <gtest/gtest.h>

#include <random>

#include "Vhpm.h"
#include "Vhpm_6.h"

namespace
{

constexpr unsigned small_counters = 0x1F8; // NrHpm = 6

// What one cycle drives, the same on both.
struct Cycle {
    uint64_t wdata, time, inc[2];
    unsigned mode, v, stateen, cycle, instret, valid, addr, op;
};

class Source
{
  public:
    Cycle next()
    {
        static const unsigned modes[] = {3, 3, 3, 1, 0, 5, 4};
        unsigned mode = modes[bits() % 7];
        Cycle c{};
        c.wdata = bits() % 4 == 0 ? ~uint64_t{0} >> bits() % 64 : bits();
        c.time = bits();
        c.inc[0] = bits();
        c.inc[1] = bits();
        c.mode = mode & 3;
        c.v = mode >> 2;
        c.stateen = bits() & 3;
        c.cycle = bits() & 15;
        c.instret = bits() & 15;
        c.valid = bits() % 4 != 0;
        c.addr = number();
        c.op = bits() & 3;
        return c;
    }

  private:
    // Near to what is there.
    unsigned number()
    {
        static const unsigned bases[] = {0xB00, 0xB80, 0xC00, 0xC80, 0x320, 0x720, 0x150, 0x250,
                                         0x300, 0x340, 0x100, 0x600, 0x640, 0xDA0, 0x240};
        return bases[bits() % 15] + bits() % (bits() % 4 == 0 ? 32 : 9);
    }
    uint64_t bits()
    {
        return random_();
    }
    std::mt19937_64 random_{1};
};

template <class Dut> class Side
{
  public:
    void reset(bool wide)
    {
        dut.xlen64_i = wide;
        dut.modes_i = 3;
        dut.counters_i = small_counters;
        for (unsigned i = 0; i < 7; i++)
            dut.width_i[i] = 0x04081020 << i % 3; // widths of one bit and two, somewhere
        for (unsigned n = 3; n < 9; n++)
            width(n, 4 + n);
        dut.sscofpmf_i = dut.smcntrpmf_i = dut.smcdeleg_i = dut.aia_i = 1;
        dut.lcofi_latency_i = 2;
        dut.rst_ni = 0;
        clock();
        dut.rst_ni = 1;
    }
    void drive(const Cycle &c)
    {
        dut.mode_i = c.mode;
        dut.v_i = c.v;
        dut.stateen_m_i = c.stateen & 1;
        dut.stateen_h_i = c.stateen >> 1;
        dut.time_i = c.time;
        dut.cycle_inc_i = c.cycle;
        dut.instret_inc_i = c.instret;
        for (unsigned i = 0; i < 4; i++)
            dut.inc_i[i] = c.inc[i / 2] >> 32 * (i % 2);
        dut.csr_valid_i = c.valid;
        dut.csr_addr_i = c.addr;
        dut.csr_op_i = c.op;
        dut.csr_wdata_i = c.wdata;
        dut.clk_i = 0;
        dut.eval();
    }
    void clock()
    {
        dut.clk_i = 0;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
    }
    Dut dut;

  private:
    void width(unsigned n, unsigned to)
    {
        for (unsigned b = 0; b < 7; b++) {
            unsigned at = 7 * n + b;
            dut.width_i[at / 32] &= ~(1u << at % 32);
            dut.width_i[at / 32] |= (to >> b & 1) << at % 32;
        }
    }
};

TEST(Check16_FewerCountersAreBuilt, f1_2_15)
{
    for (bool wide : {false, true}) {
        Side<Vhpm> large;
        Side<Vhpm_6> small;
        Source source;
        large.reset(wide);
        small.reset(wide);
        unsigned answers = 0, interrupts = 0;
        for (unsigned cycle = 0; cycle < 50000; cycle++) {
            Cycle c = source.next();
            large.drive(c);
            small.drive(c);
            ASSERT_EQ(small.dut.csr_exc_o, large.dut.csr_exc_o) << cycle;
            ASSERT_EQ(small.dut.csr_rdata_o, large.dut.csr_rdata_o) << cycle;
            ASSERT_EQ(small.dut.counting_o, large.dut.counting_o) << cycle;
            ASSERT_EQ(small.dut.lcofi_o, large.dut.lcofi_o) << cycle;
            for (unsigned i = 0; i < 16; i++)
                ASSERT_EQ(small.dut.event_o[i], large.dut.event_o[i]) << cycle;
            answers += large.dut.csr_rdata_o != 0;
            interrupts += large.dut.lcofi_o != 0;
            large.clock();
            small.clock();
        }
        EXPECT_GT(answers, 1000u);
        EXPECT_GT(interrupts, 100u);
        large.dut.final();
        small.dut.final();
    }
}

} // namespace
