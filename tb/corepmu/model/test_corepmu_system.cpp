// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "The core's own access" and "Overflow interrupt".
#include "core.hpp"

namespace
{

constexpr uint16_t kSet = 0xC00, kClear = 0xC20, kIntSet = 0xC40, kIntClear = 0xC60, kFlags = 0xC80,
                   kControl = 0xE10, kFrameControl = 0xE04;
constexpr uint32_t kEnable = 1, kResetEvents = 2, kLong = 0x80;

constexpr uint16_t type(unsigned n)
{
    return static_cast<uint16_t>(0x400 + 8 * n);
}

class System : public testing::Test
{
  protected:
    static cs_corepmu_config config()
    {
        cs_corepmu_config config = {};

        config.counters = 6;
        config.hpmn = 4;
        config.hpme = true;
        return config;
    }

    uint64_t get(cs_cycle cycle, uint16_t offset, bool guest = false)
    {
        const cs_corepmu_access access = {offset, false, guest, 0};
        uint64_t data = ~0ull;

        EXPECT_TRUE(cs_corepmu_system(pmu.pmu(), cycle, &access, &data));
        return data;
    }
    void put(cs_cycle cycle, uint16_t offset, uint64_t value, bool guest = false)
    {
        const cs_corepmu_access access = {offset, true, guest, value};
        uint64_t data = ~0ull;

        EXPECT_TRUE(cs_corepmu_system(pmu.pmu(), cycle, &access, &data));
        EXPECT_EQ(data, 0u); // it is of a read
    }

    Pmu pmu{config()};
};

TEST_F(System, SharesItsRegistersWithTheFrame)
{
    put(1, type(2), 0x08);
    EXPECT_EQ(pmu.read(2, 0x408), 0x08u); // ext32: 4 bytes apart
    pmu.write(3, 0x408, 0x10);
    EXPECT_EQ(get(4, type(2)), 0x10u);
    put(5, 0x010, 0x123456789abcdef0);
    EXPECT_EQ(pmu.counter(6, 2), 0x123456789abcdef0u);
    EXPECT_EQ(get(7, 0x010), 0x123456789abcdef0u);
}

TEST_F(System, WaitsForTheFrame)
{
    const cs_corepmu_access access = {kControl, true, false, kEnable};
    uint64_t data;

    pmu.write(5, kFrameControl, 0);
    EXPECT_FALSE(cs_corepmu_system(pmu.pmu(), 5, &access, &data));
    EXPECT_EQ(pmu.read(6, kFrameControl), 0u);
    EXPECT_FALSE(cs_corepmu_system(pmu.pmu(), 6, &access, &data));
    EXPECT_TRUE(cs_corepmu_system(pmu.pmu(), 7, &access, &data));
    EXPECT_EQ(pmu.read(8, kFrameControl), 1u);
}

TEST_F(System, IsThereFromTheFirstCycleOn)
{
    EXPECT_EQ(get(0, kControl) & kEnable, 0u);
}

TEST_F(System, ControlTellsTheNumberOfCounters)
{
    EXPECT_EQ(get(1, kControl) >> 11 & 31, 6u);
    EXPECT_EQ(get(2, kControl, true) >> 11 & 31, 4u);
    EXPECT_EQ(pmu.read(3, kFrameControl), 0u);
}

TEST_F(System, AGuestSeesTheFirstRange)
{
    put(1, 8 * 3, 33);
    put(2, 8 * 4, 44);
    EXPECT_EQ(get(3, 8 * 3, true), 33u);
    EXPECT_EQ(get(4, 8 * 4, true), 0u);
    put(5, kSet, ~0ull, true);
    EXPECT_EQ(get(6, kSet), 0x8000000Fu);
    put(7, kSet, ~0ull);
    EXPECT_EQ(get(8, kSet), 0x8000003Fu);
    EXPECT_EQ(get(9, kSet, true), 0x8000000Fu);
    put(10, kClear, ~0ull, true);
    EXPECT_EQ(get(11, kSet), 0x30u);
    put(12, kControl, kResetEvents, true);
    EXPECT_EQ(get(13, 8 * 3), 0u);
    EXPECT_EQ(get(14, 8 * 4), 44u);
    put(15, kControl, kResetEvents);
    EXPECT_EQ(get(16, 8 * 4), 0u);
    put(17, type(3), 0x08);
    put(18, type(4), 0x10);
    EXPECT_EQ(get(19, type(3), true), 0x08u);
    EXPECT_EQ(get(20, type(4), true), 0u);
    EXPECT_EQ(get(21, type(4)), 0x10u);
    put(22, 8 * 4, 55);
    put(23, 8 * 4, 66, true);
    put(24, type(4), 0x20, true);
    EXPECT_EQ(get(25, 8 * 4), 55u);
    EXPECT_EQ(get(26, type(4)), 0x10u);
}

// Registers of a bit a counter, each pair: what a guest sets, clears and reads is of its own range.
TEST_F(System, AGuestReachesBitsOfTheFirstRange)
{
    const uint16_t pairs[][2] = {{kSet, kClear}, {kIntSet, kIntClear}, {0xCC0, kFlags}};
    cs_cycle t = 1;

    for (const auto &[set, clear] : pairs) {
        put(t++, set, ~0ull, true);
        EXPECT_EQ(get(t++, set), 0x8000000Fu) << set;
        put(t++, set, ~0ull);
        EXPECT_EQ(get(t++, clear), 0x8000003Fu) << set;
        EXPECT_EQ(get(t++, clear, true), 0x8000000Fu) << set;
        EXPECT_EQ(get(t++, set, true), 0x8000000Fu) << set;
        put(t++, clear, ~0ull, true);
        EXPECT_EQ(get(t++, set), 0x30u) << set;
        put(t++, clear, ~0ull);
        EXPECT_EQ(get(t++, set), 0u) << set;
    }
}

TEST_F(System, WhatIsNoSystemRegisterReadsZero)
{
    pmu.read(1, 0x200); // captures
    EXPECT_NE(pmu.read(2, 0x208), 0u);
    EXPECT_EQ(get(3, 0x200), 0u);
    EXPECT_EQ(get(4, 0x208), 0u);
    EXPECT_EQ(get(5, 0xE00), 0u);
}

TEST_F(System, TheOsLockDoesNotMatter)
{
    cs_corepmu_config config = this->config();
    const cs_corepmu_access write = {type(1), true, false, 7}, read = {type(1), false, false, 0};
    uint64_t data;

    config.locked = true;
    Pmu locked(config);
    EXPECT_TRUE(cs_corepmu_system(locked.pmu(), 1, &write, &data));
    EXPECT_TRUE(cs_corepmu_system(locked.pmu(), 2, &read, &data));
    EXPECT_EQ(data, 7u);
    EXPECT_EQ(cs_corepmu_read(locked.pmu(), 3, type(1), false, &data), CS_BUS_SLVERR);
    EXPECT_FALSE(cs_corepmu_system(locked.pmu(), 3, &read, &data)); // its error is an access, too
}

// A source that knows when a sum is reached.
struct Steady {
    cs_event_source source()
    {
        return {
            [](void *, uint32_t, uint32_t, cs_cycle from, cs_cycle to) { return 3 * (to - from); },
            [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) {
                return from + (n + 2) / 3;
            },
            [](void *, cs_cycle, cs_context *out) { *out = {}; }, this, nullptr};
    }
};

class Line : public testing::Test
{
  protected:
    Line()
    {
        const cs_corepmu_config config = {6, false, 4, true, false, false, false, false};
        const cs_corepmu_env env = {steady.source()};

        EXPECT_EQ(CS_OK, cs_corepmu_create(&config, &env, &pmu, nullptr));
    }
    ~Line() override
    {
        cs_corepmu_destroy(pmu);
    }
    void put(cs_cycle cycle, uint16_t offset, uint64_t value)
    {
        const cs_corepmu_access access = {offset, true, false, value};
        uint64_t data;

        EXPECT_TRUE(cs_corepmu_system(pmu, cycle, &access, &data));
    }
    // Counter 1 overflows with 30 more events, 10 cycles after it began in 6.
    void arm(uint64_t value = (1ull << 32) - 30)
    {
        put(1, 8, value);
        put(2, type(1), 0x08);
        put(3, kIntSet, 2);
        put(4, kControl, kEnable);
        put(5, kSet, 2);
    }

    Steady steady;
    cs_corepmu *pmu = nullptr;
};

TEST_F(Line, RisesWithTheFlag)
{
    arm();
    EXPECT_EQ(cs_corepmu_irq(pmu, 6, 15), 15u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 6, 1000), 16u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 20, 1000), 20u);
    put(30, kFlags, 2);
    EXPECT_EQ(cs_corepmu_irq(pmu, 31, 1000), 1000u);
}

TEST_F(Line, NeedsItsEnableAndTheRange)
{
    arm();
    put(20, kControl, 0);
    EXPECT_EQ(cs_corepmu_irq(pmu, 21, 1000), 1000u);
    put(25, kControl, kEnable);
    EXPECT_EQ(cs_corepmu_irq(pmu, 26, 1000), 26u);
    put(30, kIntClear, 2);
    EXPECT_EQ(cs_corepmu_irq(pmu, 31, 1000), 1000u);
}

TEST_F(Line, OfALongCounterComesFromBit63)
{
    arm();
    put(7, kControl, kEnable | kLong);
    EXPECT_EQ(cs_corepmu_irq(pmu, 8, 1000), 1000u);
    put(9, 8, ~0ull - 29); // counts from 10 on
    EXPECT_EQ(cs_corepmu_irq(pmu, 10, 1000), 20u);
}

// 2^64 are missing, which no reach is asked for.
TEST_F(Line, OfALongCounterThatBeginsWithZeroIsFarAway)
{
    arm();
    put(7, kControl, kEnable | kLong);
    put(9, 8, 0);
    EXPECT_EQ(cs_corepmu_irq(pmu, 10, 1000), 1000u);
}

// What the frame does in a cycle is not seen in that cycle yet.
TEST_F(Line, IsThatOfTheCycleBeforeTheFramesWrite)
{
    arm();
    EXPECT_EQ(cs_corepmu_write(pmu, 15, kClear, false, 2), CS_BUS_OKAY); // the carry is in 15
    EXPECT_EQ(cs_corepmu_irq(pmu, 15, 16), 16u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 15, 1000), 16u);
    EXPECT_EQ(cs_corepmu_write(pmu, 20, kFlags, false, 2), CS_BUS_OKAY);
    EXPECT_EQ(cs_corepmu_irq(pmu, 20, 1000), 20u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 21, 1000), 1000u);
}

// Nor is what it does to the interrupt's enable.
TEST_F(Line, IsThatOfTheEnableBeforeTheFramesWrite)
{
    arm();
    EXPECT_EQ(cs_corepmu_write(pmu, 20, kIntClear, false, 2), CS_BUS_OKAY);
    EXPECT_EQ(cs_corepmu_irq(pmu, 20, 1000), 20u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 21, 1000), 1000u);
    EXPECT_EQ(cs_corepmu_write(pmu, 30, kIntSet, false, 2), CS_BUS_OKAY);
    EXPECT_EQ(cs_corepmu_irq(pmu, 30, 31), 31u);
    EXPECT_EQ(cs_corepmu_irq(pmu, 30, 1000), 31u);
}

TEST_F(Line, IsOfCountersWithAnInterruptEnable)
{
    arm();
    put(7, kIntClear, 2);
    put(8, kIntSet, 4); // a counter that stands still
    EXPECT_EQ(cs_corepmu_irq(pmu, 9, 1000), 1000u);
}

// There is no cycle in it, so none is counted.
TEST_F(Line, OfNoCyclesIsLow)
{
    uint64_t data = 0;

    arm();
    EXPECT_EQ(cs_corepmu_read(pmu, 9, 8, false, &data), CS_BUS_OKAY);
    EXPECT_EQ(cs_corepmu_irq(pmu, 9, 9), 9u);
    const uint64_t value = data;
    EXPECT_EQ(cs_corepmu_read(pmu, 9, 8, false, &data), CS_BUS_OKAY);
    EXPECT_EQ(value, data);
}

// An access that is refused looks at the line, too.
TEST_F(Line, IsSeenInTheCycleOfARefusedAccess)
{
    uint64_t data;

    arm();
    EXPECT_EQ(cs_corepmu_read(pmu, 16, 0x000, true, &data),
              CS_BUS_SLVERR); // ext32 has no wide ones
    EXPECT_EQ(cs_corepmu_irq(pmu, 16, 1000), 16u);
}

// Each width, from each value: what is foretold is what the page says, and seen by the frame.
TEST(CorePmuLine, IsForetoldForEachCounterAndValue)
{
    const uint64_t one = 1;
    const uint64_t values[] = {0,
                               29,
                               (one << 31) - 30,
                               (one << 32) - 30,
                               one << 32,
                               ~0u,
                               (one << 33) - 30,
                               (one << 48) - 30,
                               0 - one * 30,
                               (one << 63) - 30};

    for (unsigned n : {0u, 1u, 3u, 4u, 31u})
        for (bool wide : {false, true})
            for (uint64_t value : values) {
                const cs_corepmu_config config = {6, false, 4, true, false, false, false, false};
                const bool from_63 = wide || n == 4; // of the second range it always is
                Steady steady;
                const cs_corepmu_env env = {steady.source()};
                cs_corepmu *pmu = nullptr;
                ASSERT_EQ(CS_OK, cs_corepmu_create(&config, &env, &pmu, nullptr));
                const auto put = [&](cs_cycle cycle, uint16_t offset, uint64_t data) {
                    const cs_corepmu_access access = {offset, true, false, data};
                    uint64_t nothing;

                    ASSERT_TRUE(cs_corepmu_system(pmu, cycle, &access, &nothing));
                };
                put(1, static_cast<uint16_t>(8 * n), value);
                put(3, kIntSet, one << n);
                put(4, kControl, kEnable | (wide ? 0xC0 : 0));
                put(5, kSet, one << n); // counts 3 a cycle, from 6 on

                const uint64_t left = from_63 ? 0 - value : (one << 32) - (value & ~0u);
                const uint64_t cycles = left == 0 ? 1000 : left / 3 + (left % 3 != 0);
                const cs_cycle rises = cycles < 500 ? 6 + cycles : 1000;
                SCOPED_TRACE(testing::Message()
                             << "counter " << n << ", " << wide << ", from " << std::hex << value);
                EXPECT_EQ(rises, cs_corepmu_irq(pmu, 6, 1000));
                EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_write(pmu, 600, kFlags, false, ~0u));
                EXPECT_EQ(rises < 1000 ? 600u : 1000u, cs_corepmu_irq(pmu, 600, 1000));
                EXPECT_EQ(1000u, cs_corepmu_irq(pmu, 601, 1000));
                cs_corepmu_destroy(pmu);
            }
}

} // namespace
