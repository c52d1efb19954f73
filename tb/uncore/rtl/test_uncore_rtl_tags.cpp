// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Tags": MATCH and MASK of an extended unit, on its registers and its pins.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "Vuncore_tags.h"
#include "uncore_bench.hpp"

namespace
{

using Tagged = UncoreRtl<Vuncore_tags>; // five counters are built

constexpr unsigned kBuilt = 5;
constexpr uint16_t kMatch = 0x300, kMask = 0x400;

struct Expected {
    std::array<uint64_t, kBuilt> match = {}, mask = {};

    void write(uint16_t offset, uint64_t data, bool wide, unsigned counters)
    {
        if (offset < kMatch || offset % 0x100 >= 8 * counters || offset >= kMask + 0x100)
            return;
        uint64_t &word = (offset < kMask ? match : mask)[offset % 0x100 / 8];
        const unsigned shift = offset % 8 != 0 ? 32 : 0;

        if (wide)
            word = data;
        else
            word = (word & ~(0xFFFFFFFFull << shift)) | (data & 0xFFFFFFFF) << shift;
    }
};

void expect_tags(Tagged &unit, const Expected &expected, unsigned counters)
{
    for (unsigned n = 0; n < kBuilt; n++) {
        const uint16_t at = static_cast<uint16_t>(8 * n);

        ASSERT_EQ(expected.match[n], unit.match(n)) << n;
        ASSERT_EQ(expected.mask[n], unit.mask(n)) << n;
        ASSERT_EQ(n < counters ? expected.match[n] : 0, unit.peek(kMatch + at)) << n;
        ASSERT_EQ(n < counters ? expected.mask[n] : 0, unit.peek(kMask + at)) << n;
    }
}

TEST(UncoreTags, IdTellsOfThem)
{
    EXPECT_EQ(0x8000u, Tagged({4, 48, 0, true}).read(at::id) & 0x8000);
    EXPECT_EQ(0u, Tagged({4, 48, 0, false}).read(at::id) & 0x8000);
}

// Words and halves of them, in any order, beside writes to all other registers.
TEST(UncoreTags, AWriteChangesItsWordAndNoOther)
{
    std::mt19937_64 random(5);

    for (unsigned counters : {1u, 4u, kBuilt}) {
        Tagged unit({counters, 48, 0, true});
        Expected expected;

        expect_tags(unit, expected, counters);
        for (unsigned i = 0; i < 3000; i++) {
            const bool wide = random() % 2 != 0;
            const uint64_t data = random();
            const uint64_t block =
                random() % 4 != 0 ? kMatch + random() % 2 * 0x100 : random() % 6 * 0x100;
            const auto offset = static_cast<uint16_t>(
                block + (wide ? 8 : 4) * (random() % (wide ? kBuilt + 1 : 2 * kBuilt + 2)));

            unit.access(true, offset, data, wide);
            expected.write(offset, data, wide, counters);
            expect_tags(unit, expected, counters);
            ASSERT_FALSE(HasFatalFailure()) << std::hex << offset;
        }
        unit.reset();
        expect_tags(unit, {}, counters);
    }
}

// A refused access, and a read, change nothing.
TEST(UncoreTags, OnlyAWriteThatIsNotRefusedChangesThem)
{
    Tagged unit({4, 48, 0, true});

    for (uint16_t base : {kMatch, kMask})
        for (uint16_t off : {1, 2, 3, 4}) {
            EXPECT_TRUE(unit.access(true, base + off, ones, true).error);
            if (off != 4) {
                EXPECT_TRUE(unit.access(true, base + off, ones, false).error);
            }
        }
    unit.access(false, kMatch, ones, true);
    unit.access(false, kMask, ones, true);
    expect_tags(unit, {}, 4);
}

TEST(UncoreTags, WithoutTheStrapTheyAreNotThere)
{
    Tagged unit({4, 48, 0, false});

    for (unsigned n = 0; n < kBuilt; n++) {
        unit.write(static_cast<uint16_t>(kMatch + 8 * n), ones);
        unit.write(static_cast<uint16_t>(kMask + 8 * n), ones);
    }
    expect_tags(unit, {}, 4);
}

} // namespace
