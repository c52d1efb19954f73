// SPDX-License-Identifier: Apache-2.0
// Caches and TLBs of a guest's hart against docs/hw/caches.md, rule by rule, and a list of what was used last.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "guest/hpm/caches.h"

namespace
{

constexpr uint64_t kMemory = 0x80000000, kVirtual = 0x3f00000000;

caches_byte at(uint64_t offset)
{
    return {kVirtual + offset, kMemory + offset, false};
}

caches_byte untranslated(uint64_t address)
{
    return {address, address, false};
}

class Caches : public testing::Test
{
  protected:
    caches *c = nullptr;

    void begin(cs_guest_cache l1d, cs_guest_cache l1i, cs_guest_cache dtlb, cs_guest_cache itlb)
    {
        const cs_guest_cache shapes[] = {l1d, l1i, dtlb, itlb};

        c = caches_create(shapes);
        ASSERT_NE(c, nullptr);
    }

    void TearDown() override
    {
        caches_destroy(c);
    }

    uint32_t load(uint64_t offset, unsigned bytes = 8)
    {
        return caches_access(c, at(offset), at(offset + bytes - 1), false);
    }

    uint32_t store(uint64_t offset, unsigned bytes = 8)
    {
        return caches_access(c, at(offset), at(offset + bytes - 1), true);
    }
};

TEST_F(Caches, WhatIsNotThereMissesNothing)
{
    begin({}, {}, {}, {});
    EXPECT_EQ(load(0), 0u);
    EXPECT_EQ(caches_fetch(c, at(0)), 0u);
    caches_empty_tlbs(c);
    caches_empty_code(c);
}

TEST_F(Caches, EachOfThemHasItsOwn)
{
    begin({4, 2, 64}, {4, 2, 64}, {1, 4, 0}, {1, 4, 0});
    EXPECT_EQ(load(0), CACHES_MISS(L1D_LOAD) | CACHES_MISS(DTLB));
    EXPECT_EQ(load(56), 0u);
    EXPECT_EQ(store(64), CACHES_MISS(L1D_STORE)); // brings it in
    EXPECT_EQ(load(64), 0u);
    EXPECT_EQ(caches_fetch(c, at(0)), CACHES_MISS(L1I) | CACHES_MISS(ITLB));
    EXPECT_EQ(caches_fetch(c, at(62)), 0u);
    EXPECT_EQ(caches_fetch(c, at(64)), CACHES_MISS(L1I));
}

TEST_F(Caches, AnAccessLooksForItsFirstAndItsLastByte)
{
    begin({64, 2, 64}, {}, {1, 4, 0}, {});
    EXPECT_EQ(load(60), CACHES_MISS(L1D_LOAD) | CACHES_MISS(DTLB)); // one miss of two lines
    EXPECT_EQ(load(0), 0u);
    EXPECT_EQ(load(64), 0u);
    EXPECT_EQ(load(4092), CACHES_MISS(L1D_LOAD) | CACHES_MISS(DTLB)); // and two pages
    EXPECT_EQ(load(4096), 0u);
}

TEST_F(Caches, PhysicalLinesVirtualPages)
{
    begin({4, 2, 64}, {}, {1, 4, 0}, {});
    const caches_byte other = {kVirtual + 0x10000, kMemory, false};
    const caches_byte device = {kVirtual, 0x10000000, true};

    load(0);
    EXPECT_EQ(caches_access(c, other, other, false), CACHES_MISS(DTLB));
    EXPECT_EQ(caches_access(c, untranslated(kMemory), untranslated(kMemory), false), 0u);
    EXPECT_EQ(caches_access(c, untranslated(kMemory + 64), untranslated(kMemory + 64), false),
              CACHES_MISS(L1D_LOAD));
    caches_empty_tlbs(c);
    EXPECT_EQ(caches_access(c, device, device, true), CACHES_MISS(DTLB));
    EXPECT_EQ(caches_access(c, device, device, true), 0u);
}

TEST_F(Caches, WhatEmptiesThem)
{
    begin({4, 2, 64}, {4, 2, 64}, {1, 4, 0}, {1, 4, 0});
    load(0);
    caches_fetch(c, at(0));
    caches_empty_tlbs(c);
    EXPECT_EQ(load(0), CACHES_MISS(DTLB));
    EXPECT_EQ(caches_fetch(c, at(0)), CACHES_MISS(ITLB));
    caches_empty_code(c);
    EXPECT_EQ(load(0), 0u);
    EXPECT_EQ(caches_fetch(c, at(0)), CACHES_MISS(L1I));
}

// Random loads of one page after the other: misses are those of lists of lines, the last used one first.
TEST_F(Caches, TheLeastRecentlyUsedWayIsReplaced)
{
    std::mt19937_64 random{7};

    for (const cs_guest_cache shape :
         {cs_guest_cache{1, 1, 16}, {1, 5, 64}, {8, 2, 32}, {16, 8, 64}}) {
        std::vector<std::vector<uint64_t>> sets(shape.sets);
        unsigned missed = 0;

        begin(shape, {}, {}, {});
        for (unsigned i = 0; i < 20000; i++) {
            const uint64_t line = random() % (2u * shape.sets * shape.ways);
            std::vector<uint64_t> &set = sets[line % shape.sets];
            const auto found = std::find(set.begin(), set.end(), line);
            const bool miss = found == set.end();

            if (!miss)
                set.erase(found);
            set.insert(set.begin(), line);
            if (set.size() > shape.ways)
                set.pop_back();
            missed += miss;
            ASSERT_EQ(load(line * shape.line) != 0, miss) << i;
        }
        EXPECT_GT(missed, 5000u);
        caches_destroy(c);
        c = nullptr;
    }
}

} // namespace
