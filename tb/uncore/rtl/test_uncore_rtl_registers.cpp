// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Registers": what each one keeps, halves, and which accesses are refused.
#include <gtest/gtest.h>

#include "Vuncore.h"
#include "uncore_bench.hpp"

namespace
{

using Uncore = UncoreRtl<Vuncore>;

constexpr uint16_t id = 0xBEEF;

// Every register as frame() has it, ID aside zero.
std::vector<uint64_t> after_reset(const Straps &s)
{
    std::vector<uint64_t> words(0x80, 0);
    words[at::id / 8] = uint64_t{s.id} << 16 | s.width << 8 | s.counters;
    return words;
}

// What a write of ones leaves, by register.
std::vector<uint64_t> kept(const Straps &s)
{
    std::vector<uint64_t> words(0x80, 0);
    words[at::ctl / 8] = en | freeze;
    words[at::ie / 8] = bit(s.counters) - 1;
    for (unsigned n = 0; n < s.counters; n++) {
        words[at::select(n) / 8] = 0x1FFFF;
        words[at::count(n) / 8] = all_of(s.width);
    }
    return words;
}

class Sizes : public testing::TestWithParam<Straps>
{
};

TEST_P(Sizes, IdTellsTheStraps)
{
    const Straps s = GetParam();
    Uncore u(s);
    uint64_t expected = s.counters + 256 * s.width + 65536 * uint64_t{s.id};
    EXPECT_EQ(u.read(at::id), expected);
    EXPECT_EQ(u.read_half(at::id), expected);
    EXPECT_EQ(u.read_half(at::id + 4), 0u);
}

TEST_P(Sizes, ResetsToZeroButForId)
{
    Uncore u(GetParam());
    EXPECT_EQ(u.frame(), after_reset(GetParam()));
}

TEST_P(Sizes, AWriteOfOnesChangesItsRegisterAndNoOther)
{
    const Straps s = GetParam();
    for (unsigned offset = 0; offset < 0x400; offset += 8) {
        Uncore u(s);
        std::vector<uint64_t> expected = after_reset(s);
        expected[offset / 8] |= kept(s)[offset / 8];
        EXPECT_EQ(u.access(true, offset, ones, true), (Answer{0, false}));
        EXPECT_EQ(u.frame(), expected) << std::hex << offset;
    }
}

TEST_P(Sizes, AHalfWriteChangesItsHalfAlone)
{
    const Straps s = GetParam();
    for (unsigned offset = 0; offset < 0x400; offset += 4) {
        const uint64_t half = offset % 8 == 4 ? ones << 32 : ones >> 32;
        Uncore u(s);
        std::vector<uint64_t> expected = after_reset(s);
        expected[offset / 8] |= kept(s)[offset / 8] & half;
        EXPECT_EQ(u.access(true, offset, ones, false), (Answer{0, false}));
        EXPECT_EQ(u.frame(), expected) << std::hex << offset << " from zeros";

        // The other way round: all ones, this half zero. FREEZE and EN stop by themselves no more.
        for (unsigned all = 0; all < 0x400; all += 8)
            u.write(all, all == at::ctl ? en | freeze : ones);
        expected = u.frame();
        if (offset / 8 != at::id / 8)
            expected[offset / 8] &= ~half;
        u.access(true, offset, 0, false);
        EXPECT_EQ(u.frame(), expected) << std::hex << offset << " from ones";
    }
}

INSTANTIATE_TEST_SUITE_P(Some, Sizes,
                         testing::Values(Straps{4, 48, 0}, Straps{1, 8, 1}, Straps{16, 64, 0xFFFF},
                                         Straps{16, 32, id}, Straps{7, 33, 0x8000},
                                         Straps{15, 31, id}, Straps{8, 63, id}),
                         [](const testing::TestParamInfo<Straps> &info) {
                             return "N" + std::to_string(info.param.counters) + "_W" +
                                    std::to_string(info.param.width);
                         });

TEST(Registers, AHalfReadGivesItsHalfInTheLowBits)
{
    Uncore u({16, 64, id});
    for (unsigned n = 0; n < 16; n++) {
        u.put(at::count(n), 0xFEDCBA9876543210 + n);
        EXPECT_EQ(u.read_half(at::count(n)), 0x76543210u + n);
        EXPECT_EQ(u.read_half(at::count(n) + 4), 0xFEDCBA98u);
        u.put(at::select(n), ones);
        EXPECT_EQ(u.read_half(at::select(n)), 0x1FFFFu);
        EXPECT_EQ(u.read_half(at::select(n) + 4), 0u);
    }
}

TEST(Registers, AHalfWriteTakesTheLowBits)
{
    Uncore u({2, 64, 0});
    u.write_half(at::count(1) + 4, 0xAAAAAAAA12345678);
    u.write_half(at::count(1), 0xBBBBBBBB9ABCDEF0);
    EXPECT_EQ(u.value(1), 0x123456789ABCDEF0u);
    EXPECT_EQ(u.value(0), 0u);
}

TEST(Registers, TheUpperHalvesOfCtlAndOvfWriteNothing)
{
    Uncore u;
    u.arm(0, all_of(48));
    u.put(at::ctl, en);
    u.increment(0, 1);
    u.step();
    ASSERT_EQ(u.peek(at::ovf), 1u);
    u.write_half(at::ctl + 4, reset_counters | freeze); // it would stop and clear
    u.write_half(at::ovf + 4, ones);
    EXPECT_EQ(u.peek(at::ctl), en);
    EXPECT_EQ(u.peek(at::ovf), 1u);
    EXPECT_EQ(u.value(0), 2u);
}

TEST(Registers, OtherOffsetsReadZeroAndIgnoreWritesWithoutAnError)
{
    const Straps s{16, 64, 0};
    Uncore u(s);
    for (unsigned n = 0; n < 16; n++) {
        u.put(at::select(n), 0x1234 + n);
        u.put(at::count(n), ones - n);
    }
    const std::vector<uint64_t> before = u.frame();
    for (unsigned offset = 0; offset < 0x10000; offset += 4) {
        const bool is_one = offset < 0x20 || (offset >= 0x100 && offset < 0x180) ||
                            (offset >= 0x200 && offset < 0x280);
        if (is_one)
            continue;
        for (bool wide : {false, true}) {
            if (wide && offset % 8 != 0)
                continue;
            ASSERT_EQ(u.access(true, offset, ones, wide), (Answer{0, false})) << offset;
            ASSERT_EQ(u.access(false, offset, 0, wide), (Answer{0, false})) << offset;
        }
    }
    EXPECT_EQ(u.frame(), before);
}

TEST(Registers, OfCountersThatAreNotThereReadZeroAndIgnoreWrites)
{
    for (unsigned counters : {1u, 4u, 15u}) {
        Uncore u({counters, 48, 0});
        for (unsigned n = counters; n < 16; n++) {
            u.write(at::select(n), ones);
            u.write(at::count(n), ones);
            u.write_half(at::count(n), ones);
            u.write_half(at::count(n) + 4, ones);
        }
        u.write(at::ie, ~(bit(counters) - 1));
        EXPECT_EQ(u.frame(), after_reset(u.straps));
        for (unsigned n = 0; n < 16; n++)
            EXPECT_EQ(u.event(n), 0u);
    }
}

TEST(Registers, AMisalignedAccessIsAnErrorReadsZeroAndChangesNothing)
{
    Uncore u({16, 64, id});
    for (unsigned n = 0; n < 16; n++) {
        u.put(at::select(n), 0x1234 + n);
        u.put(at::count(n), ones - n);
    }
    u.put(at::ctl, freeze);
    u.put(at::ie, 0x5A5A);
    const std::vector<uint64_t> before = u.frame();
    for (unsigned offset = 0; offset < 0x400; offset++) {
        for (bool wide : {false, true}) {
            const bool wrong = offset % (wide ? 8 : 4) != 0;
            EXPECT_EQ(u.drive(false, offset, 0, wide).error, wrong) << offset;
            u.dut.reg_en_i = 0;
            if (!wrong)
                continue;
            EXPECT_EQ(u.access(false, offset, 0, wide), (Answer{0, true})) << offset;
            EXPECT_EQ(u.access(true, offset, ones, wide), (Answer{0, true})) << offset;
            EXPECT_EQ(u.access(true, offset, 0, wide), (Answer{0, true})) << offset;
        }
    }
    EXPECT_EQ(u.frame(), before);
}

TEST(Registers, TheErrorIsTheSameAtOffsetsWithoutARegister)
{
    Uncore u;
    for (unsigned page = 0x400; page < 0x10000; page += 0x400)
        for (unsigned low = 0; low < 8; low++)
            for (bool wide : {false, true})
                for (bool write : {false, true})
                    EXPECT_EQ(u.access(write, page + low, ones, wide),
                              (Answer{0, low % (wide ? 8 : 4) != 0}));
}

TEST(Registers, AReadGivesTheStateOfItsCycle)
{
    Uncore u;
    u.arm(0, 0x10);
    u.put(at::ctl, en);
    u.increment(0, 3);
    EXPECT_EQ(u.read(at::count(0)), 0x10u);
    EXPECT_EQ(u.read(at::count(0)), 0x13u);
    EXPECT_EQ(u.read_half(at::count(0)), 0x16u);
    EXPECT_EQ(u.value(0), 0x19u) << "a read does not stop it";
}

TEST(Registers, AWriteActsInTheNextCycle)
{
    const struct {
        uint16_t offset;
        uint64_t data;
    } cases[] = {
        {at::ctl, freeze}, {at::ie, 5}, {at::select(3), 0x10042}, {at::count(3), 0x123456789A}};
    for (const auto &c : cases) {
        Uncore u;
        u.drive(true, c.offset, c.data, true);
        u.dut.reg_write_i = 0; // no edge yet: the same cycle
        u.settle();
        EXPECT_EQ(u.dut.reg_rdata_o, 0u);
        u.access(true, c.offset, c.data, true);
        EXPECT_EQ(u.read(c.offset), c.data);
    }
}

TEST(Registers, ResetReadsZero)
{
    Uncore u;
    u.write(at::ctl, ones & ~en);
    EXPECT_EQ(u.read(at::ctl), freeze);
}

TEST(Registers, OnesDoNotSetAFlag)
{
    Uncore u({16, 48, 0});
    u.write(at::ovf, ones);
    u.write_half(at::ovf, ones);
    EXPECT_EQ(u.read(at::ovf), 0u);
}

} // namespace
