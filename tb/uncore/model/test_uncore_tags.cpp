// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Tags" and MATCH, MASK: units with `extended`.
#include "unit.hpp"

namespace
{

constexpr uint32_t MATCH(unsigned n)
{
    return 0x300 + 8 * n;
}
constexpr uint32_t MASK(unsigned n)
{
    return 0x400 + 8 * n;
}

// Event 5 counts one in each cycle, with the cycle's last two bits as its tag; others none.
class Tagged
{
  public:
    cs_cycle t = 0; // the cycle that comes next

    explicit Tagged(bool extended = true)
    {
        cs_uncore_config config = straps(2, 16);
        config.extended = extended;
        const cs_event_source plain = {
            [](void *, uint32_t, uint32_t, cs_cycle, cs_cycle) { return uint64_t{0}; },
            [](void *, uint32_t, uint32_t, cs_cycle, uint64_t) { return CS_NEVER; }, nullptr,
            nullptr, nullptr};
        const cs_uncore_env env = {plain, nullptr, {sum, nullptr}};
        EXPECT_EQ(CS_OK, cs_uncore_create(&config, &env, &uncore_, nullptr));
    }
    Tagged(const Tagged &) = delete;
    Tagged &operator=(const Tagged &) = delete;
    ~Tagged()
    {
        cs_uncore_destroy(uncore_);
    }
    cs_uncore *uncore()
    {
        return uncore_;
    }
    uint64_t read(uint32_t offset, bool wide = true)
    {
        uint64_t data = ~0ull;
        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_read(uncore_, t++, offset, wide, &data));
        return data;
    }
    void write(uint32_t offset, uint64_t data, bool wide = true)
    {
        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_write(uncore_, t++, offset, wide, data));
    }
    void run_to(cs_cycle cycle)
    {
        t = cycle;
        cs_uncore_advance(uncore_, t);
    }

  private:
    static uint64_t sum(void *, uint32_t event, uint64_t match, uint64_t mask, cs_cycle from,
                        cs_cycle to)
    {
        uint64_t total = 0;
        EXPECT_LE(to, cs_cycle{1} << 56) << "nobody tells what is behind it";
        if (event != 5)
            return 0;
        for (uint64_t tag = 0; tag < 4; tag++)
            if (((tag ^ match) & mask) == 0)
                total += (to + 3 - tag) / 4 - (from + 3 - tag) / 4;
        return total;
    }
    cs_uncore *uncore_ = nullptr;
};

TEST(UncoreTags, IdTellsThatTheyAreThere)
{
    EXPECT_EQ(0x00009002u, Tagged(true).read(ID));
    EXPECT_EQ(0x00001002u, Tagged(false).read(ID));
}

TEST(UncoreTags, RegistersKeepWhatIsWrittenByHalvesToo)
{
    Tagged unit;
    for (unsigned n = 0; n < 2; n++) {
        EXPECT_EQ(0u, unit.read(MATCH(n)));
        EXPECT_EQ(0u, unit.read(MASK(n)));
        unit.write(MATCH(n), 0x1111222233334444 + n);
        unit.write(MASK(n), 0x5555666677778888 + n);
    }
    for (unsigned n = 0; n < 2; n++) {
        EXPECT_EQ(0x1111222233334444 + n, unit.read(MATCH(n)));
        EXPECT_EQ(0x5555666677778888 + n, unit.read(MASK(n)));
    }
    unit.write(MATCH(1) + 4, 0xABCD, false);
    unit.write(MASK(1), 0xEF01, false);
    EXPECT_EQ(0x0000ABCD33334445u, unit.read(MATCH(1)));
    EXPECT_EQ(0x555566660000EF01u, unit.read(MASK(1)));
    EXPECT_EQ(0xABCDu, unit.read(MATCH(1) + 4, false));
    cs_uncore_reset(unit.uncore(), unit.t);
    EXPECT_EQ(0u, unit.read(MATCH(1)));
    EXPECT_EQ(0u, unit.read(MASK(1)));
}

TEST(UncoreTags, AreNotThereWithoutExtended)
{
    Tagged unit(false);
    unit.write(MATCH(0), ~0ull);
    unit.write(MASK(0), ~0ull);
    EXPECT_EQ(0u, unit.read(MATCH(0)));
    EXPECT_EQ(0u, unit.read(MASK(0)));
}

TEST(UncoreTags, CountsWhatFits)
{
    Tagged unit;
    unit.write(MATCH(1), 2);
    unit.write(MASK(1), 3);
    unit.write(SELECT(0), ON | 5);
    unit.write(SELECT(1), ON | 5);
    unit.write(CTL, EN);
    const cs_cycle began = unit.t;
    unit.run_to(began + 40);
    EXPECT_EQ(40u, unit.read(COUNT(0)));
    unit.run_to(began + 80);
    EXPECT_EQ(20u, unit.read(COUNT(1)));
}

TEST(UncoreTags, AWriteActsInTheNextCycle)
{
    for (const bool mask : {false, true}) {
        Tagged unit;
        unit.write(MATCH(0), mask ? 1 : 0);
        unit.write(MASK(0), mask ? 0 : 1);
        unit.write(SELECT(0), ON | 5);
        unit.write(CTL, EN); // cycle 3
        unit.run_to(20);     // 4..19: all with MASK 0; the even ones with MATCH 0
        unit.write(mask ? MASK(0) : MATCH(0), 1); // the old one in cycle 20, then odd ones
        unit.run_to(30);
        EXPECT_EQ((mask ? 17u : 9u) + 5, unit.read(COUNT(0))) << mask; // 21, 23 .. 29
    }
}

TEST(UncoreTags, TheOverflowIsForetold)
{
    for (const bool tagged : {false, true}) {
        Tagged unit;
        unit.write(COUNT(0), 0xFFF0);
        unit.write(MATCH(0), 1);
        unit.write(MASK(0), tagged ? 3 : 0);
        unit.write(IE, 1);
        unit.write(SELECT(0), ON | 5);
        unit.write(CTL, EN); // cycle 5: it counts from 6 on
        // 16 increments: cycles 6..21; with the tag 1 those in 9, 13 .. 69.
        const cs_cycle flag = tagged ? 70 : 22;
        EXPECT_EQ(flag, cs_uncore_next(unit.uncore())) << tagged;
        unit.run_to(flag - 1);
        EXPECT_FALSE(cs_uncore_irq(unit.uncore()));
        unit.run_to(flag);
        EXPECT_TRUE(cs_uncore_irq(unit.uncore()));
        EXPECT_EQ(1u, unit.read(OVF));
    }
}

TEST(UncoreTags, TheFirstOverflowIsForetold)
{
    for (const unsigned first : {0u, 1u}) {
        Tagged unit;
        unit.write(COUNT(first), 0xFFF0);
        unit.write(COUNT(1 - first), 0xFF00);
        unit.write(IE, 3);
        unit.write(SELECT(0), ON | 5);
        unit.write(SELECT(1), ON | 5);
        unit.write(CTL, EN); // cycle 5
        EXPECT_EQ(22u, cs_uncore_next(unit.uncore())) << first;
    }
}

TEST(UncoreTags, WhatNeverFitsNeverOverflows)
{
    Tagged unit;
    unit.write(COUNT(0), 0xFFFF);
    unit.write(MATCH(0), 4); // no tag has this bit
    unit.write(MASK(0), 4);
    unit.write(IE, 1);
    unit.write(SELECT(0), ON | 5);
    unit.write(CTL, EN);
    EXPECT_EQ(CS_NEVER, cs_uncore_next(unit.uncore()));
    unit.run_to(100000);
    EXPECT_FALSE(cs_uncore_irq(unit.uncore()));
    EXPECT_EQ(0xFFFFu, unit.read(COUNT(0)));
}

} // namespace
