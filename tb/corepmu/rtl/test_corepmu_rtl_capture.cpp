// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "Capture".
#include <gtest/gtest.h>

#include "corepmu_bench.hpp"

namespace
{

constexpr uint64_t pc = 0xFFABCDEF12345678; // bits 63:56 are not the program counter's
constexpr uint64_t pc_low = 0x12345678, pc_high = 0x00ABCDEF;

void say(CorePmu &pmu, uint64_t program_counter, uint32_t cid1, uint32_t cid2, unsigned mode)
{
    pmu.dut.pc_i = program_counter;
    pmu.dut.cid1_i = cid1;
    pmu.dut.cid2_i = cid2;
    pmu.dut.mode_i = mode;
}

TEST(Capture, TheLowWordTakesASampleAtEitherAddress)
{
    for (bool ext64 : {false, true}) {
        for (uint16_t offset : {at::pc, at::pc_alias}) {
            Straps s;
            s.ext64 = ext64;
            CorePmu pmu(s);
            say(pmu, pc, 0x11, 0x22, 0);
            EXPECT_EQ(pmu.read(offset).data, pc_low);
            EXPECT_TRUE(pmu.captured);
            say(pmu, 0, 0, 0, 3);
            for (uint16_t high : {at::pc, at::pc_alias})
                EXPECT_EQ(pmu.read(high + 4).data, 0x80000000 | pc_high);
            EXPECT_EQ(pmu.read(at::cid1).data, 0x11u);
            EXPECT_EQ(pmu.read(at::cid1_alias).data, 0x11u);
            EXPECT_EQ(pmu.read(at::cid2).data, 0x22u);
            EXPECT_EQ(pmu.read(at::vid).data, 0u);
            EXPECT_FALSE(pmu.captured);
        }
    }
}

TEST(Capture, ExceptionLevelAndSecurity)
{
    // The mode counts even when no counter is enabled.
    const uint32_t high[] = {0x80000000, 0xA0000000, 0xC0000000, 0x60000000};
    CorePmu pmu({});
    for (unsigned mode = 0; mode < 4; mode++) {
        say(pmu, 0, 0, 0, mode);
        pmu.read(at::pc);
        say(pmu, 0, 0, 0, 3 - mode);
        EXPECT_EQ(pmu.read(at::pc + 4).data, high[mode]);
    }
}

TEST(Capture, NothingElseChangesTheSample)
{
    CorePmu pmu({});
    say(pmu, pc, 0x11, 0x22, 1);
    for (unsigned offset = 0; offset < 0x1000; offset += 4) {
        pmu.write(offset, 0xFFFFFFFF);
        EXPECT_FALSE(pmu.captured) << offset;
        if (offset == at::pc || offset == at::pc_alias)
            continue;
        pmu.read(offset);
        EXPECT_FALSE(pmu.captured) << offset;
    }
    EXPECT_EQ(pmu.read(at::pc + 4).data, 0u);
    EXPECT_EQ(pmu.read(at::cid1).data, 0u);
    EXPECT_EQ(pmu.read(at::cid2).data, 0u);
}

TEST(Capture, AWideReadGivesBothWordsOfItsOwnSample)
{
    Straps s;
    s.ext64 = true;
    CorePmu pmu(s);
    say(pmu, 0x5555555555555555, 1, 2, 2);
    pmu.read_wide(at::pc);
    say(pmu, pc, 0x11, 0x22, 0);
    EXPECT_EQ(pmu.read_wide(at::pc_alias).data, (0x80000000 | pc_high) << 32 | pc_low);
    EXPECT_TRUE(pmu.captured);
    say(pmu, 0, 0, 0, 0);
    EXPECT_EQ(pmu.read_wide(at::cid1_alias).data, 0x0000002200000011u);
    EXPECT_EQ(pmu.read_wide(at::cid1).data, 0x11u);
    EXPECT_FALSE(pmu.captured);
}

} // namespace
