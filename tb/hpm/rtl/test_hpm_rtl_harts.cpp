// SPDX-License-Identifier: Apache-2.0
// hpm_unit: harts side by side. Each has pins of its own, and what is on another's is no matter.
#include <gtest/gtest.h>

#include "Vhpm_unit.h"
#include "hpm_bench.hpp"

namespace
{

constexpr unsigned HARTS = 2;

// What a hart does in a cycle, and what it is answered.
struct Act {
    uint16_t addr;
    unsigned op = Read;
    uint64_t operand = 0;
    unsigned mode = M;
};

class Harts
{
  public:
    Harts()
    {
        dut_.strap_xlen64_i = 1;
        dut_.strap_modes_i = 3;
        dut_.strap_counters_i = 0x38;
        for (unsigned n = 0; n < 32; n++)
            for (unsigned b = 0; b < 7; b++)
                if (64 >> b & 1)
                    dut_.strap_width_i[(7 * n + b) / 32] |= 1u << (7 * n + b) % 32;
        dut_.strap_sscofpmf_i = 1;
        dut_.rst_ni = 0;
        step();
        dut_.rst_ni = 1;
    }
    ~Harts()
    {
        dut_.final();
    }

    // In the cycle that comes, and all after it.
    void increments(unsigned hart, unsigned cycles, unsigned instret, unsigned third)
    {
        dut_.cycle_inc_i = (dut_.cycle_inc_i & ~(15u << 4 * hart)) | cycles << 4 * hart;
        dut_.instret_inc_i = (dut_.instret_inc_i & ~(15u << 4 * hart)) | instret << 4 * hart;
        for (unsigned n = 0; n < 32; n++)
            dut_.inc_i[4 * hart + n / 8] |= (n == 3 ? third : 0) << 4 * (n % 8);
    }

    std::array<Answer, HARTS> both(const Act &first, const Act &second)
    {
        const Act acts[HARTS] = {first, second};
        std::array<Answer, HARTS> answers{};
        dut_.csr_addr_i = dut_.csr_op_i = dut_.mode_i = dut_.v_i = 0;
        dut_.csr_valid_i = 3;
        for (unsigned h = 0; h < HARTS; h++) {
            dut_.csr_addr_i |= static_cast<uint32_t>(acts[h].addr) << 12 * h;
            dut_.csr_op_i |= acts[h].op << 2 * h;
            dut_.mode_i |= (acts[h].mode & 3) << 2 * h;
            dut_.v_i |= acts[h].mode >> 2 << h;
            dut_.csr_wdata_i[2 * h] = static_cast<uint32_t>(acts[h].operand);
            dut_.csr_wdata_i[2 * h + 1] = static_cast<uint32_t>(acts[h].operand >> 32);
        }
        dut_.eval();
        for (unsigned h = 0; h < HARTS; h++) {
            const uint64_t low = dut_.csr_rdata_o[2 * h], high = dut_.csr_rdata_o[2 * h + 1];
            answers[h] = {high << 32 | low, dut_.csr_exc_o >> 2 * h & 3u};
        }
        step();
        dut_.csr_valid_i = 0;
        return answers;
    }

    void step(unsigned cycles = 1)
    {
        for (unsigned i = 0; i < cycles; i++) {
            dut_.clk_i = 0;
            dut_.eval();
            dut_.clk_i = 1;
            dut_.eval();
        }
    }

    unsigned event(unsigned hart, unsigned n)
    {
        return dut_.event_o[16 * hart + n / 2] >> 16 * (n % 2) & 0xFFFF;
    }
    uint64_t counting()
    {
        return dut_.counting_o;
    }
    unsigned lines()
    {
        return dut_.lcofi_o;
    }
    Vhpm_unit &pins()
    {
        return dut_;
    }

  private:
    VerilatedContext context_;
    Vhpm_unit dut_{&context_};
};

TEST(HartsSideBySide, CountTheirOwn)
{
    Harts harts;
    harts.both({csr::event(3), Write, 7}, {csr::event(3), Write, 0x1234});
    EXPECT_EQ(7u, harts.event(0, 3));
    EXPECT_EQ(0x1234u, harts.event(1, 3));
    harts.both({csr::mcountinhibit, Write, 1}, {csr::mcountinhibit, Write, 4});
    EXPECT_EQ(uint64_t{0xC} | uint64_t{9} << 32, harts.counting());
    harts.both({csr::mcountinhibit, Write, ones}, {csr::mcountinhibit, Write, ones});
    const Act zeros[] = {{csr::mcycle, Write, 0}, {csr::minstret, Write, 0}};
    for (const Act &zero : zeros)
        harts.both(zero, zero);
    harts.increments(0, 1, 2, 3);
    harts.increments(1, 4, 5, 6);
    harts.both({csr::mcountinhibit, Write, 0}, {csr::mcountinhibit, Write, 0});
    harts.step(10);
    harts.both({csr::mcountinhibit, Write, ones}, {csr::mcountinhibit, Write, ones});
    const struct {
        uint16_t addr;
        uint64_t first, second;
    } counts[] = {{csr::mcycle, 1, 4}, {csr::minstret, 2, 5}, {csr::counter(3), 3, 6}};
    for (const auto &c : counts) {
        const auto found = harts.both({c.addr}, {c.addr});
        EXPECT_EQ((Answer{11 * c.first, None}), found[0]) << c.addr;
        EXPECT_EQ((Answer{11 * c.second, None}), found[1]) << c.addr;
    }
}

TEST(HartsSideBySide, AccessTheirOwn)
{
    constexpr uint64_t a = 0x123456789ABCDEF0, b = 0x0FEDCBA987654321;
    Harts harts;
    harts.both({csr::counter(4), Write, a}, {csr::counter(4), Write, b});
    harts.both({csr::counter(5), Write, b}, {csr::counter(4)}); // one reads
    auto found = harts.both({csr::counter(4)}, {csr::counter(5)});
    EXPECT_EQ((Answer{a, None}), found[0]);
    EXPECT_EQ((Answer{0, None}), found[1]);
    found = harts.both({csr::counter(5), Set, 15}, {csr::counter(4), Clear, 1});
    EXPECT_EQ((Answer{b, None}), found[0]);
    EXPECT_EQ((Answer{b, None}), found[1]);
    found = harts.both({csr::counter(5)}, {csr::counter(4)});
    EXPECT_EQ((Answer{b | 15, None}), found[0]);
    EXPECT_EQ((Answer{b & ~uint64_t{1}, None}), found[1]);
}

TEST(HartsSideBySide, AreInTheirOwnModes)
{
    const Act by_m{csr::hcounteren}, by_u{csr::hcounteren, Read, 0, U},
        by_vs{csr::hcounteren, Read, 0, VS};
    Harts harts;
    EXPECT_EQ((std::array<Answer, 2>{Answer{0, None}, illegal}), harts.both(by_m, by_u));
    EXPECT_EQ((std::array<Answer, 2>{virtual_instruction, {0, None}}), harts.both(by_vs, by_m));
    EXPECT_EQ((std::array<Answer, 2>{illegal, virtual_instruction}), harts.both(by_u, by_vs));
}

TEST(HartsSideBySide, InterruptThemselves)
{
    for (unsigned hart : {0u, 1u}) {
        Harts harts;
        const Act nothing{csr::mie};
        const Act acts[] = {{csr::mie, Write, lcofi},
                            {csr::event(3), Write, 7},
                            {csr::counter(3), Write, ones - 20}};
        for (const Act &act : acts)
            harts.both(hart == 0 ? act : nothing, hart == 1 ? act : nothing);
        harts.increments(hart, 0, 0, 15);
        EXPECT_EQ(0u, harts.lines());
        harts.step(4);
        EXPECT_EQ(1u << 3 * hart, harts.lines());
    }
}

// The port of a hart's software: its pins are the die's.
TEST(HartsSideBySide, ThePortsAreThePins)
{
    Harts harts;
    Vhpm_unit &pins = harts.pins();
    for (unsigned word = 0; word < sizeof pins.req_i / sizeof(uint32_t) - 1; word++) {
        pins.req_i[word] = 0x9E3779B9 * (word + 1);
        pins.eval();
        EXPECT_EQ(pins.req_i[word], pins.m_req_o[word]);
    }
}

} // namespace
