// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Registers": what each one keeps, halves, and which accesses are refused.
#include <gtest/gtest.h>

#include "Viommu_hpm.h"
#include "bench.hpp"

namespace
{

using Unit = Iommu<Viommu_hpm>;

constexpr uint32_t word_of_ones = 0xFFFFFFFF;

// What a write of ones leaves in the word of this offset, while nothing counts.
uint32_t kept(const Straps &s, unsigned offset)
{
    const unsigned evt_end = 0x160 + 8 * s.counters;

    if (offset == at::inh)
        return static_cast<uint32_t>(bit(s.counters + 1) - 1);
    if (offset == at::cycles || offset == at::cycles + 4u)
        return static_cast<uint32_t>((all_of(s.width) | of) >> offset % 8 * 8);
    if (offset >= 0x068 && offset < 0x068 + 8 * s.counters)
        return static_cast<uint32_t>(all_of(s.width) >> offset % 8 * 8);
    if (offset >= 0x160 && offset < evt_end) // eventID 0x7fff is stored as 0
        return offset % 8 == 0 ? 0xFFFF8000 : word_of_ones;
    return 0;
}

// iocountovf of what was written.
uint32_t flags_of(const std::vector<uint32_t> &frame)
{
    uint32_t flags = frame[(at::cycles + 4) / 4] >> 31;
    for (unsigned n = 1; n < 32; n++)
        flags |= frame[(at::evt(n) + 4) / 4] >> 31 << n;
    return flags;
}

class Sizes : public testing::TestWithParam<Straps>
{
  protected:
    // Nothing counts.
    static std::vector<uint32_t> still(Unit &u)
    {
        u.write_half(at::inh, ones);
        u.write(at::cycles, 0);
        return u.frame();
    }
};

TEST_P(Sizes, ResetsToZeroAndCountsCyclesFromTheFirst)
{
    Unit u(GetParam());
    EXPECT_EQ(u.frame(), std::vector<uint32_t>(at::end / 4, 0));
    EXPECT_FALSE(u.irq());
    u.step(3);
    EXPECT_EQ(u.value(0), 3u);
}

TEST_P(Sizes, AWriteOfOnesChangesItsWordAndNoOther)
{
    const Straps s = GetParam();
    for (unsigned offset = 0; offset < at::end; offset += 4) {
        Unit u(s);
        std::vector<uint32_t> expected = still(u);
        expected[offset / 4] |= kept(s, offset);
        expected[at::ovf / 4] = flags_of(expected);
        EXPECT_EQ(u.access({true, static_cast<uint16_t>(offset), ones, false}), (Answer{0, false}));
        EXPECT_EQ(u.frame(), expected) << std::hex << offset;
    }
}

TEST_P(Sizes, AWideWriteChangesBothHalves)
{
    const Straps s = GetParam();
    for (unsigned offset = 0x060; offset < at::end; offset += 8) {
        Unit u(s);
        std::vector<uint32_t> expected = still(u);
        expected[offset / 4] |= kept(s, offset);
        expected[offset / 4 + 1] |= kept(s, offset + 4);
        expected[at::ovf / 4] = flags_of(expected);
        EXPECT_EQ(u.access({true, static_cast<uint16_t>(offset), ones, true}), (Answer{0, false}));
        EXPECT_EQ(u.frame(), expected) << std::hex << offset;
        EXPECT_EQ(u.peek(static_cast<uint16_t>(offset), true),
                  expected[offset / 4] | uint64_t{expected[offset / 4 + 1]} << 32);
    }
}

TEST_P(Sizes, AHalfOfZerosLeavesTheOther)
{
    const Straps s = GetParam();
    Unit full(s);
    still(full);
    for (unsigned offset = 0x060; offset < at::end; offset += 8)
        full.write(static_cast<uint16_t>(offset), ones);
    const std::vector<uint32_t> before = full.frame();
    for (unsigned offset = 0x060; offset < at::end; offset += 4) {
        std::vector<uint32_t> expected = before;
        expected[offset / 4] = 0;
        expected[at::ovf / 4] = flags_of(expected);
        full.write_half(static_cast<uint16_t>(offset), 0);
        EXPECT_EQ(full.frame(), expected) << std::hex << offset;
        full.write_half(static_cast<uint16_t>(offset), ones);
        ASSERT_EQ(full.frame(), before) << std::hex << offset;
    }
}

INSTANTIATE_TEST_SUITE_P(Some, Sizes,
                         testing::Values(Straps{7, 64}, Straps{1, 32}, Straps{31, 64},
                                         Straps{31, 40}, Straps{4, 63}, Straps{30, 33}),
                         [](const testing::TestParamInfo<Straps> &info) {
                             return "N" + std::to_string(info.param.counters) + "_W" +
                                    std::to_string(info.param.width);
                         });

TEST(Registers, TheEventIdKeepsWhatThereIs)
{
    for (unsigned wanted = 0; wanted < 0x8000; wanted += wanted < 0x20 ? 1 : 0x77) {
        Unit u;
        const uint64_t others = ~uint64_t{0x7FFF};
        u.write(at::evt(3), 5);
        u.write(at::evt(3), others | wanted);
        EXPECT_EQ(u.peek(at::evt(3), true), others | (wanted <= 8 ? wanted : 0)) << wanted;
    }
    Unit u; // by its half
    u.write(at::evt(3), 5);
    u.write_half(at::evt(3), 0x4005);
    EXPECT_EQ(u.peek(at::evt(3)), 0u);
}

TEST(Registers, AnAccessThatIsRefusedIsAnErrorReadsZeroAndChangesNothing)
{
    Unit u({31, 64});
    for (unsigned n = 1; n <= 31; n++) {
        u.write(at::counter(n), 0x0123456789ABCDEF * n);
        u.write(at::evt(n), did_gscid(n) | pid_pscid(n) | n % 9);
    }
    u.write_half(at::inh, 0x5A5A5A5B);
    const std::vector<uint32_t> before = u.frame();
    for (unsigned offset = 0; offset < 0x10000; offset += offset < at::end ? 1 : 0x3F1) {
        for (bool wide : {false, true}) {
            const auto where = static_cast<uint16_t>(offset);
            const bool wrong =
                offset % (wide ? 8 : 4) != 0 || (wide && (offset == 0x050 || offset == 0x058));
            ASSERT_EQ(u.drive({false, where, 0, wide}).error, wrong) << offset;
            u.dut.reg_en_i = 0;
            if (!wrong)
                continue;
            EXPECT_EQ(u.access({false, where, 0, wide}), (Answer{0, true})) << offset;
            EXPECT_EQ(u.access({true, where, ones, wide}), (Answer{0, true})) << offset;
            EXPECT_EQ(u.access({true, where, 0, wide}), (Answer{0, true})) << offset;
        }
    }
    EXPECT_EQ(u.frame(), before);
}

TEST(Registers, OffsetsWithoutOneReadZeroAndIgnoreWrites)
{
    Unit u({31, 64});
    u.write_half(at::inh, ones);
    for (unsigned n = 1; n <= 31; n++) {
        u.write(at::counter(n), ones - n);
        u.write(at::evt(n), ones ^ of);
    }
    const std::vector<uint32_t> before = u.frame();
    for (unsigned offset = 0; offset < 0x10000; offset += 4) {
        if (offset >= at::ipsr && offset < at::evt(32))
            continue;
        for (bool wide : {false, true}) {
            if (wide && (offset % 8 != 0 || offset == 0x050))
                continue;
            const auto where = static_cast<uint16_t>(offset);
            ASSERT_EQ(u.access({true, where, ones, wide}), (Answer{0, false})) << offset;
            ASSERT_EQ(u.access({false, where, 0, wide}), (Answer{0, false})) << offset;
        }
    }
    EXPECT_EQ(u.frame(), before);
}

TEST(Registers, NothingAnswersWithoutAnAccess)
{
    Unit u;
    u.write(at::counter(1), ones);
    u.drive({false, at::counter(1), 0, true});
    u.dut.reg_en_i = 0;
    u.settle();
    EXPECT_EQ(u.dut.reg_rdata_o, 0u);
    u.dut.reg_addr_i = 3;
    u.settle();
    EXPECT_EQ(u.dut.reg_err_o, 0);
}

TEST(Registers, BitNOfIocountinhIsCounterN)
{
    Record record;
    record.inc[1] = 1;
    for (unsigned n = 0; n <= 31; n++) {
        Unit u({31, 64});
        u.write_half(at::inh, ones);
        for (unsigned k = 1; k <= 31; k++)
            u.write(at::evt(k), 1);
        u.write(at::cycles, 0);
        u.report(record);
        u.write_half(at::inh, ~bit(n)); // nothing counts in this cycle
        u.step();
        for (unsigned k = 0; k <= 31; k++)
            EXPECT_EQ(u.value(k), k == n ? 1u : 0u) << n << " " << k;
    }
}

} // namespace
