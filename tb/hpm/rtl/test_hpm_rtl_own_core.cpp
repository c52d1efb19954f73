// SPDX-License-Identifier: Apache-2.0
// The example of docs/hw/hpm.md, section 14, as it stands there, with instructions of RISC-V on
// its pins.
#include <gtest/gtest.h>

#include "Vhart_counters.h"
#include "verilated.h"

namespace
{

constexpr unsigned CSRRW = 1, CSRRS = 2, CSRRC = 3, CSRRWI = 5, CSRRSI = 6, CSRRCI = 7;
constexpr unsigned U = 0, S = 1, M = 3;
constexpr uint64_t LCOFI = 1 << 13;

// Cycles of a core; what stands in its last stage retires unless it traps.
class Core
{
  public:
    Core()
    {
        dut.mode_i = M;
        dut.clock_runs_i = 1;
        dut.rst_ni = 0;
        clock();
        dut.rst_ni = 1;
    }
    ~Core()
    {
        dut.final();
    }

    void idle(unsigned cycles = 1)
    {
        dut.valid_i = 0;
        for (unsigned i = 0; i < cycles; i++)
            clock();
    }
    // Anything that is no CSR instruction.
    void other(unsigned cycles = 1)
    {
        dut.valid_i = 1;
        dut.is_csr_i = 0;
        for (unsigned i = 0; i < cycles; i++)
            clock();
        dut.valid_i = 0;
    }
    // `field` is the rs1 or uimm field. The answer is that of the cycle in which it retires.
    uint64_t csr(unsigned funct3, unsigned number, unsigned field, uint64_t operand)
    {
        dut.valid_i = 1;
        dut.is_csr_i = 1;
        dut.instr_i = number << 20 | field << 15 | funct3 << 12 | 1 << 7 | 0x73;
        dut.operand_i = operand;
        dut.eval();
        const uint64_t read = dut.csr_rdata_o;
        retired = dut.retires_o;
        illegal = dut.illegal_o;
        clock();
        dut.valid_i = 0;
        dut.is_csr_i = 0;
        dut.eval();
        return read;
    }
    uint64_t read(unsigned number)
    {
        return csr(CSRRS, number, 0, ~uint64_t{0});
    }
    void write(unsigned number, uint64_t value)
    {
        csr(CSRRW, number, 10, value);
    }

    Vhart_counters dut;
    bool retired = false, illegal = false;

  private:
    void clock()
    {
        dut.clk_i = 0;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
    }
};

TEST(OwnCore, ItsInstructionsCountThemselves)
{
    Core core;
    core.write(0xB02, 100);
    core.other(5);
    EXPECT_EQ(core.read(0xB02), 105u) << "not yet this one";
    EXPECT_EQ(core.read(0xB02), 106u) << "the read before is counted";
    core.dut.traps_i = 1;
    core.other(3);
    core.csr(CSRRW, 0xB02, 10, 0);
    EXPECT_FALSE(core.retired);
    core.dut.traps_i = 0;
    EXPECT_EQ(core.read(0xB02), 107u) << "what traps is neither counted nor carried out";
    core.read(0x7C0);
    EXPECT_TRUE(core.illegal);
    EXPECT_FALSE(core.retired);
    EXPECT_EQ(core.read(0xB02), 108u) << "nor is what the block refuses";
}

TEST(OwnCore, OperationsOfTheInstructions)
{
    Core core;
    core.write(0x320, ~uint64_t{0});
    EXPECT_EQ(core.read(0x320), 0x7FDu) << "eight counters, mcycle and minstret";
    EXPECT_EQ(core.csr(CSRRC, 0x320, 10, 0x18), 0x7FDu);
    EXPECT_EQ(core.csr(CSRRSI, 0x320, 8, 8), 0x7E5u);
    EXPECT_EQ(core.csr(CSRRCI, 0x320, 4, 4), 0x7EDu);
    EXPECT_EQ(core.csr(CSRRWI, 0x320, 0, 0), 0x7E9u) << "csrrwi of 0 writes";
    EXPECT_EQ(core.read(0x320), 0u);
    core.write(0xB03, ~uint64_t{0});
    EXPECT_EQ(core.read(0xB03), (uint64_t{1} << 48) - 1);
    EXPECT_EQ(core.read(0xB0B), 0u) << "there is no ninth";
    core.csr(CSRRW, 0xC00, 10, 1);
    EXPECT_TRUE(core.illegal);
    core.csr(CSRRS, 0xC00, 0, 1);
    EXPECT_FALSE(core.illegal) << "csrrs of x0 only reads";
    core.csr(CSRRCI, 0xC00, 0, 0);
    EXPECT_FALSE(core.illegal) << "as does csrrci of 0";
}

TEST(OwnCore, ClocksThatMustNotCount)
{
    Core core;
    core.write(0xB00, 0);
    core.idle(7);
    core.dut.clock_runs_i = 0;
    core.idle(20);
    core.dut.clock_runs_i = 1;
    EXPECT_EQ(core.read(0xB00), 7u);
}

TEST(OwnCore, TimeAndEnables)
{
    Core core;
    core.dut.mtime_i = 0x123456789ABCDEF0;
    core.dut.mode_i = U;
    core.read(0xC01);
    EXPECT_TRUE(core.illegal);
    core.dut.mode_i = M;
    core.write(0x306, 2);
    core.write(0x106, 2);
    core.dut.mode_i = U;
    EXPECT_EQ(core.read(0xC01), 0x123456789ABCDEF0u);
    EXPECT_FALSE(core.illegal);
}

struct Event {
    unsigned encoding;
    void (*happens)(Vhart_counters &dut);
    unsigned a_cycle;
};

TEST(OwnCore, EventsOfItsMap)
{
    const Event events[] = {
        {1, [](Vhart_counters &) {}, 1},
        {2, [](Vhart_counters &dut) { dut.valid_i = 1; }, 1},
        {3, [](Vhart_counters &dut) { dut.l1d_read_i = 1; }, 1},
        {4, [](Vhart_counters &dut) { dut.l1d_miss_i = 1; }, 1},
        {6, [](Vhart_counters &dut) { dut.mispredict_i = 1; }, 1},
        {20, [](Vhart_counters &dut) { dut.slots_i = 9; }, 9},
        {5, [](Vhart_counters &dut) { dut.slots_i = 9; }, 0},
    };
    for (const Event &event : events) {
        Core core;
        core.write(0x320, ~uint64_t{0});
        core.write(0x32A, event.encoding); // the last of the eight
        core.write(0xB0A, 0);
        core.write(0x320, 0);
        event.happens(core.dut);
        for (unsigned cycle = 0; cycle < 10; cycle++)
            core.dut.valid_i ? core.other() : core.idle(), event.happens(core.dut);
        core.dut.l1d_read_i = core.dut.l1d_miss_i = core.dut.mispredict_i = core.dut.slots_i = 0;
        core.dut.valid_i = 0;
        EXPECT_EQ(core.read(0xB0A), 10 * event.a_cycle) << event.encoding;
    }
}

TEST(OwnCore, OverflowsReachTheHart)
{
    Core core;
    core.write(0x304, LCOFI);
    core.write(0xB03, ~uint64_t{0} - 1);
    core.write(0x323, 4);
    core.dut.l1d_miss_i = 1;
    core.idle();
    EXPECT_EQ(core.dut.lcofi_m_o, 0);
    core.idle();
    core.dut.l1d_miss_i = 0;
    EXPECT_EQ(core.dut.lcofi_m_o, 1) << "48 bits have wrapped";
    EXPECT_EQ(core.dut.lcofi_s_o, 0);
    core.write(0x303, LCOFI);
    EXPECT_EQ(core.dut.lcofi_m_o, 0);
    EXPECT_EQ(core.dut.lcofi_s_o, 1);
    core.dut.mode_i = S;
    core.csr(CSRRC, 0x144, 10, LCOFI);
    EXPECT_EQ(core.dut.lcofi_s_o, 0);
    core.dut.mode_i = M;
    EXPECT_EQ(core.read(0xDA0), 8u) << "OF stays";
}

} // namespace
