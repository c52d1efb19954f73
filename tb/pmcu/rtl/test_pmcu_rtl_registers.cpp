// SPDX-License-Identifier: Apache-2.0
// docs/hw/pmcu.md, "Registers".
#include "oracle.hpp"

namespace
{

struct Row {
    uint16_t offset;
    uint32_t reset, kept;
};
const Row rows[] = {
    {reg::cfg, 0, 0x000FFFFF},
    {reg::event_h, 0, 0xFFFFFFFF},
    {reg::event_l, 0, 0xFFFFFFFF},
    {reg::kill_h, 0, 0xFFFFFFFF},
    {reg::kill_l, 0, 0xFFFFFFFF},
    {reg::store_h, 0, 0xFFFFFFFF},
    {reg::store_l, 0, 0xFFFFFFFF},
    {reg::wait_cnt, 0x249F0, ~0u},
    {reg::comp, 0, 1},
    {reg::int_en, 0, 3},
    {reg::int_msk, 0, 3},
    {reg::pmcr, 0xC1, 0xE1},
    {reg::pmccfiltr, 0, 0xFF000000},
};

const Row *row_of(unsigned offset)
{
    for (const Row &row : rows)
        if (row.offset == offset)
            return &row;
    return nullptr;
}

std::vector<uint32_t> frame(Pmcu &pmcu)
{
    std::vector<uint32_t> words;
    for (unsigned offset = 0; offset < 0x400; offset += 4)
        words.push_back(pmcu.read(offset));
    return words;
}

TEST(Registers, ResetValues)
{
    Pmcu pmcu(Plan{});
    for (unsigned offset = 0; offset < 0x10000; offset += 4) {
        const Row *row = row_of(offset);
        EXPECT_EQ(pmcu.read(offset), row != nullptr ? row->reset : 0) << std::hex << offset;
    }
    EXPECT_FALSE(pmcu.dut.irq_o);
}

TEST(Registers, AWriteChangesItsWordAndNoOther)
{
    for (uint32_t value : {0xFFFFFFFFu, 0u, 0x5A5A5A5Au}) {
        for (unsigned offset = 0; offset < 0x1000; offset += 4) {
            if (offset == reg::trigger || offset == reg::brk)
                continue;
            Pmcu pmcu(Plan{});
            std::vector<uint32_t> expected = frame(pmcu);
            if (const Row *row = row_of(offset))
                expected[offset / 4] = value & row->kept;
            pmcu.write(offset, value);
            EXPECT_EQ(frame(pmcu), expected) << std::hex << offset;
        }
    }
}

TEST(Registers, EightByteAccessesAreErrorsAndDoNothing)
{
    Pmcu pmcu(Plan{});
    std::vector<uint32_t> before = frame(pmcu);
    for (unsigned offset = 0; offset < 0x10000; offset += 8) {
        for (bool write : {true, false}) {
            pmcu.dut.reg_en_i = 1;
            pmcu.dut.reg_write_i = write;
            pmcu.dut.reg_wide_i = 1;
            pmcu.dut.reg_addr_i = offset;
            pmcu.dut.reg_wdata_i = ~0ull;
            pmcu.dut.clk_i = 0;
            pmcu.dut.eval();
            EXPECT_TRUE(pmcu.dut.reg_err_o);
            EXPECT_EQ(pmcu.dut.reg_rdata_o, 0u);
            pmcu.step();
            pmcu.dut.reg_en_i = pmcu.dut.reg_wide_i = 0;
        }
    }
    pmcu.step(3);
    EXPECT_EQ(frame(pmcu), before);
}

TEST(Interrupt, LineIsStatusEnabledAndNotMasked)
{
    Plan s;
    for (unsigned bits = 0; bits < 16; bits++) {
        uint32_t enabled = bits & 3, masked = bits >> 2;
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.write(reg::int_en, enabled);
        pmcu.write(reg::int_msk, masked);
        pmcu.trigger();
        pmcu.finish();
        EXPECT_EQ(pmcu.read(reg::int_stat), done) << "whatever INT_EN says";
        EXPECT_EQ(pmcu.dut.irq_o, (done & enabled & ~masked) != 0);
        pmcu.write(reg::brk, 1);
        pmcu.step(2);
        EXPECT_EQ(pmcu.read(reg::int_stat), done | broken);
        EXPECT_EQ(pmcu.dut.irq_o, (enabled & ~masked) != 0);
        pmcu.write(reg::int_clr, done);
        EXPECT_EQ(pmcu.read(reg::int_stat), broken);
        EXPECT_EQ(pmcu.dut.irq_o, (broken & enabled & ~masked) != 0);
        pmcu.write(reg::int_msk, 0);
        pmcu.write(reg::int_en, 3);
        EXPECT_TRUE(pmcu.dut.irq_o) << "level";
    }
}

// Cleared in each cycle about the one before IDLE, in which hardware sets DONE.
TEST(Interrupt, SetWinsOverClear)
{
    Plan s;
    Pmcu probe(s);
    probe.run();
    uint64_t idle = probe.states.back().second;
    for (uint64_t e = idle - 2; e <= idle + 1; e++) {
        Pmcu pmcu(s);
        pmcu.configure();
        pmcu.trigger();
        pmcu.step(e - pmcu.cycle);
        pmcu.write(reg::int_clr, 3);
        pmcu.step(3);
        EXPECT_EQ(pmcu.state(), IDLE);
        EXPECT_EQ(pmcu.dut.irq_o, e < idle) << "clear in " << e << ", IDLE from " << idle;
    }
}

TEST(Interrupt, DoneIsSetInTheFirstCycleOfIdle)
{
    Pmcu pmcu(Plan{});
    pmcu.configure();
    pmcu.trigger();
    for (int i = 0; i < 10000 && pmcu.state() != IDLE; i++) {
        EXPECT_FALSE(pmcu.dut.irq_o);
        pmcu.step();
    }
    EXPECT_TRUE(pmcu.dut.irq_o);
}

TEST(Status, ShowsEveryState)
{
    Pmcu pmcu(Plan{});
    pmcu.configure();
    pmcu.trigger();
    for (State state : {INIT, FETCH, PROGRAM, START, WAIT, STOP, READ, STORE}) {
        ASSERT_TRUE(pmcu.reach(state));
        EXPECT_EQ(pmcu.read(reg::status), uint32_t{state} | 0x10);
    }
    ASSERT_TRUE(pmcu.reach(SWITCH));
    EXPECT_EQ(pmcu.read(reg::status), uint32_t{SWITCH} | 0x10);
    pmcu.write(reg::brk, 1);
    ASSERT_TRUE(pmcu.reach(BREAK));
    EXPECT_EQ(pmcu.read(reg::status), uint32_t{BREAK} | 0x10);
}

} // namespace
