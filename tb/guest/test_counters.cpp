// What the engines behind a guest's instructions count into memory, without a guest.
#include "fixture.hpp"
#include "guest/imc/kinds.h"

namespace
{

constexpr uint64_t kTable = 0x40000, kHomer = UINT64_C(0x203ffd800000);
constexpr uint32_t kPdbar = 0x1001220b, kEventMask = 0x20010aa8;
constexpr uint64_t kUserKernel = 0x0402010000000000; // quadrant 2 counts users, 3 the kernel
constexpr uint64_t kEnable = UINT64_C(1) << 63;
constexpr unsigned kTapLog2 = 10; // 2000 cycles

struct Core : Bridge {
    Core() : Bridge({1, kTapLog2, 0, 0})
    {
        b->events.core[0] = EVENTS_CYCLES;
        for (const unsigned slot : {64, 96})
            b->events.core[128 + slot] = EVENTS_INSTRUCTIONS;
        b->events.core[97] = EVENTS_LOADS;
    }

    void count()
    {
        scom(kPdbar, kTable);
        scom(kEventMask, kUserKernel);
        scom(kHtmMode, kOn);
    }

    uint64_t counter(unsigned slot, unsigned cpmc, uint64_t table = kTable) const
    {
        const uint8_t *at = ram.data() + table + 64 * slot + 0x18 + 8 * (cpmc - 1);
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | at[i];
        return value;
    }
};

struct Nest : Bridge {
    std::vector<uint8_t> homer = std::vector<uint8_t>(0x400000);

    Nest() : Bridge({1, 18, kHomer + 0x180000, 500000})
    {
        b->homer = {homer.data(), kHomer, homer.size()};
        for (auto &what : b->events.nest)
            what = EVENTS_CLOCK;
    }

    uint64_t word(uint64_t offset) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | homer[0x180000 + offset + i];
        return value;
    }
};

} // namespace

TEST_F(Core, EachWindowIsOfItsQuadrantsModes)
{
    count();
    execute(129 * 2000 + 1000);
    EXPECT_EQ(counter(0, 1), 2000u);
    EXPECT_EQ(counter(0, 4), 2000u);
    EXPECT_EQ(counter(5, 1), 0u); // nobody says what it counts
    // Of 2000 instructions the half each, and a quarter of these are loads.
    EXPECT_EQ(counter(64, 2), 1000u);
    EXPECT_EQ(counter(96, 2), 1000u);
    EXPECT_EQ(counter(64, 3), 1000u);
    EXPECT_EQ(counter(97, 1), 250u);
    EXPECT_EQ(lines('X').size(), 0u);
    ASSERT_EQ(lines('A').size(), 128u);
    EXPECT_EQ(lines('A')[0].f[3], 2000u);
}

TEST_F(Core, AThreadsTableGetsItsWindowsOnlyWhileLdbarIsOn)
{
    count();
    execute(2 * 2000 + 500);
    tell();
    bridge_ldbar(b.get(), now++, kEnable | kBuffer);
    execute(4 * 2000 + 500);
    tell();
    bridge_ldbar(b.get(), now++, kBuffer);
    execute(7 * 2000 + 500);
    EXPECT_EQ(counter(0, 4, kBuffer), 0u);
    EXPECT_EQ(counter(1, 4, kBuffer), 2000u);
    EXPECT_EQ(counter(2, 4, kBuffer), 2000u);
    EXPECT_EQ(counter(3, 4, kBuffer), 0u);
    EXPECT_EQ(counter(3, 4), 2000u);
}

TEST_F(Core, WhileTheCpuStandsStillWindowsGoByWithoutACount)
{
    count();
    execute(2 * 2000 + 500);
    tell();
    bridge_timebase(b.get(), now, (now + 4 * 2000) * 512 / 1000);
    bridge_execute(b.get(), now);
    execute(now + 3000);
    EXPECT_EQ(counter(1, 4) + counter(5, 4), 2000u); // a part before, a part after
    for (const unsigned slot : {2, 3, 4})
        EXPECT_EQ(counter(slot, 4), 0u);
    EXPECT_EQ(lines('X').size(), 0u);
}

TEST_F(Core, ALostPostingIsToldAndNotInMemory)
{
    b->fault = BRIDGE_LOST;
    b->faulty = 1;
    count();
    execute(4 * 2000 + 500);
    ASSERT_EQ(lines('A').size(), 3u);
    EXPECT_EQ(counter(0, 4), 2000u);
    EXPECT_EQ(counter(1, 4), 0u);
    EXPECT_EQ(counter(2, 4), 2000u);
}

TEST_F(Core, WhatTheDriverReadsIsTold)
{
    count();
    execute(3 * 2000 + 500);
    tell();
    bridge_driver(b.get(), now, BRIDGE_READ, kTable + 0x18, false);
    bridge_driver(b.get(), now, BRIDGE_READ, kTable + 0x18, true); // a store is no read
    const auto reads = lines('M');
    ASSERT_EQ(reads.size(), 1u);
    EXPECT_EQ(reads[0].f[0], static_cast<uint64_t>(BRIDGE_READ));
    EXPECT_EQ(reads[0].f[2], kTable + 0x18);
    EXPECT_EQ(reads[0].f[3], now + 1); // had it always counted
}

TEST_F(Nest, ItPostsIntoHomer)
{
    execute(40 * 500000);
    // It has configured itself, says that it runs, and its counters of the bus clock have gone on.
    EXPECT_EQ(word(0x3fc00), static_cast<uint64_t>(CS_NEST_STATUS_RUN));
    EXPECT_GT(word(0x80), 0u); // CYC of the power bus
    EXPECT_EQ(lines('X').size(), 0u);
    EXPECT_GT(lines('A').size(), 100u);
    EXPECT_NEAR(static_cast<double>(word(0x80)) * 256, 40 * 500000, 5 * 500000);
}

TEST(Kinds, LoadsStoresAndBranches)
{
    const struct {
        uint32_t word;
        unsigned kind;
    } words[] = {
        {0xe9230000, CS_POWER_LOADS},        // ld r9,0(r3)
        {0x812a0000, CS_POWER_LOADS},        // lwz
        {0x7d20182a, CS_POWER_LOADS},        // ldx r9,0,r3
        {0x7c0006ea, CS_POWER_LOADS},        // ldcix
        {0x7c005698, CS_POWER_LOADS},        // lxvd2x
        {0xf9230000, CS_POWER_STORES},       // std
        {0x9b8d0932, CS_POWER_STORES},       // stb
        {0xbc010000, CS_POWER_STORES},       // stmw
        {0x7d20192d, CS_POWER_STORES},       // stwcx.
        {0x7c005798, CS_POWER_STORES},       // stxvd2x
        {0xf4000005, CS_POWER_STORES},       // stxv
        {0xf4000001, CS_POWER_LOADS},        // lxv
        {0x4200ffe4, CS_POWER_BRANCHES},     // bdnz
        {0x48000001, CS_POWER_BRANCHES},     // bl
        {0x4e800020, CS_POWER_BRANCHES},     // blr
        {0x4c0002e4, CS_POWER_INSTRUCTIONS}, // stop
        {0x38630001, CS_POWER_INSTRUCTIONS}, // addi
        {0x44000002, CS_POWER_INSTRUCTIONS}, // sc
    };

    for (const auto &w : words)
        EXPECT_EQ(cs_power_kind(w.word), w.kind) << std::hex << w.word;
}
