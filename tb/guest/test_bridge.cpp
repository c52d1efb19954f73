// The engine behind a guest's instructions, without a guest: when it writes what, and what is told.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "guest/imc/bridge.h"

namespace
{

constexpr uint64_t kBuffer = 0x20000;
constexpr uint64_t kTrace = UINT64_C(1) << 62;
constexpr uint64_t kOn = 0xe800000000000000, kOff = 0xe000000000000000;
constexpr uint32_t kHtmMode = 0x10012200, kTraceScom = 0x20010aa9;
// CPMC2 samples, begins at -251 and counts event 2, the 32 MHz clock: 4 ticks in 125 cycles.
constexpr uint64_t kEach251Ticks = 0x7fffffc142020000;

struct Line {
    char kind;
    std::vector<uint64_t> f;
};

struct Bridge : testing::Test {
    std::vector<uint8_t> ram = std::vector<uint8_t>(1 << 20);
    std::unique_ptr<bridge> b{new bridge()};
    char *text = nullptr;
    size_t bytes = 0;
    FILE *log = open_memstream(&text, &bytes);
    uint64_t now = 0;

    Bridge()
    {
        b->ram = ram.data();
        b->ram_bytes = ram.size();
        EXPECT_EQ(bridge_create(b.get(), log, nullptr), CS_OK);
    }

    ~Bridge() override
    {
        bridge_destroy(b.get());
        fclose(log);
        free(text);
    }

    static uint64_t pc_of(uint64_t instruction)
    {
        return 0x1000 + 4 * instruction;
    }

    // Executes instructions up to `to`, as a guest does that stops where it is told.
    void execute(uint64_t to)
    {
        while (bridge_next(b.get(), now) <= to) {
            now = bridge_next(b.get(), now);
            b->now = {pc_of(now), 7, 0, 3};
            bridge_execute(b.get(), now);
        }
        now = to;
    }

    void start()
    {
        bridge_scom(b.get(), now++, kTraceScom, kEach251Ticks);
        bridge_ldbar(b.get(), now++, kTrace | kBuffer);
        bridge_scom(b.get(), now++, kHtmMode, kOn);
    }

    uint64_t word(unsigned record, unsigned nr) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | ram[kBuffer + 64 * record + 8 * nr + i];
        return value;
    }

    std::vector<Line> lines(char kind)
    {
        std::vector<Line> out;
        fflush(log);
        std::istringstream all(text);
        std::string line;

        while (std::getline(all, line)) {
            std::istringstream words(line.substr(1));
            Line l{line[0], {}};

            for (std::string w; words >> w;)
                l.f.push_back(strtoull(w.c_str(), nullptr, 16));
            if (l.kind == kind)
                out.push_back(l);
        }
        return out;
    }
};

} // namespace

TEST_F(Bridge, ARecordIsOfTheInstructionAfterTheOverflow)
{
    start();
    execute(40000);

    const auto records = lines('R');
    ASSERT_EQ(records.size(), 5u); // 7843.75 instructions each
    for (unsigned i = 0; i < 5; i++) {
        const uint64_t cycle = records[i].f[2];

        EXPECT_EQ(records[i].f[0], i);
        EXPECT_EQ(records[i].f[4], pc_of(cycle));
        EXPECT_EQ(word(i, 1), pc_of(cycle)); // and memory has the same
        EXPECT_EQ(word(i, 0), cycle * 512 / 1000);
        EXPECT_EQ(word(i, 2), 7u);
        EXPECT_EQ(records[i].f[7], kBuffer + 64 * i);
        if (i > 0) {
            EXPECT_NEAR(static_cast<double>(cycle - records[i - 1].f[2]), 7844, 1);
        }
    }
    EXPECT_EQ(lines('X').size(), 0u);
}

TEST_F(Bridge, NothingIsWrittenBeforeTheEngineIsOnOrAfter)
{
    bridge_scom(b.get(), now++, kTraceScom, kEach251Ticks);
    bridge_ldbar(b.get(), now++, kTrace | kBuffer);
    EXPECT_FALSE(bridge_traces(b.get()));
    execute(20000);
    EXPECT_EQ(lines('R').size(), 0u);
    bridge_scom(b.get(), now++, kHtmMode, kOn);
    EXPECT_TRUE(bridge_traces(b.get()));
    execute(30000);
    EXPECT_EQ(lines('R').size(), 1u);
    bridge_scom(b.get(), now++, kHtmMode, kOff);
    EXPECT_FALSE(bridge_traces(b.get()));
    execute(90000);
    EXPECT_EQ(lines('R').size(), 1u);
}

TEST_F(Bridge, WhileTheCpuStandsStillTimeGoesOnAndCountersDoNot)
{
    start();
    execute(10000);
    // It reads a timebase that is 1,000,000 cycles ahead.
    bridge_timebase(b.get(), now, (now + 1000000) * 512 / 1000);
    b->now = {pc_of(now), 7, 0, 3};
    bridge_execute(b.get(), now);
    execute(16000);

    const auto records = lines('R');
    ASSERT_EQ(records.size(), 2u);
    EXPECT_NEAR(static_cast<double>(records[1].f[2] - records[0].f[2]), 1007844, 4);
    EXPECT_NEAR(static_cast<double>((records[1].f[4] - records[0].f[4]) / 4), 7844, 1);
    EXPECT_EQ(lines('X').size(), 0u);
}

TEST_F(Bridge, ATimebaseThatIsNotAheadChangesNothing)
{
    execute(10000);
    const cycle_t cycle = bridge_cycle(b.get(), now);

    bridge_timebase(b.get(), now, 1000);
    bridge_timebase(b.get(), now, cycle * 512 / 1000);
    EXPECT_EQ(bridge_cycle(b.get(), now), cycle);
}

TEST_F(Bridge, AWrongAddressIsInMemoryAndNotInTheTruth)
{
    b->fault = BRIDGE_WRONG_ADDRESS;
    b->faulty = 1;
    start();
    execute(30000);

    const auto records = lines('R');
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(word(0, 1), records[0].f[4]);
    EXPECT_EQ(word(1, 1), records[1].f[4] + 4);
    EXPECT_EQ(word(2, 1), records[2].f[4]);
}

TEST_F(Bridge, ALostRecordIsInTheTruthAndNotInMemory)
{
    b->fault = BRIDGE_LOST;
    b->faulty = 1;
    start();
    execute(30000);
    ASSERT_EQ(lines('R').size(), 3u);
    EXPECT_NE(word(0, 0), 0u);
    EXPECT_EQ(word(1, 0), 0u);
    EXPECT_NE(word(2, 0), 0u);
}

TEST_F(Bridge, WhatTheDriverTakes)
{
    start();
    execute(24000);
    ASSERT_EQ(lines('R').size(), 3u);
    for (const uint64_t slot : {0, 0, 1, 2, 3})
        bridge_driver(b.get(), kBuffer + 64 * slot, false);
    bridge_driver(b.get(), kBuffer + 8, false); // another word of it
    EXPECT_EQ(lines('D').size(), 3u);
    execute(32000);
    bridge_driver(b.get(), kBuffer + 64 * 7, true); // no buffer's, as its stack
    bridge_driver(b.get(), kBuffer + 64 * 3, false);
    EXPECT_EQ(lines('D').size(), 4u);
    bridge_driver(b.get(), kBuffer, true); // it clears the first: nothing is found again
    bridge_driver(b.get(), kBuffer, false);
    EXPECT_EQ(lines('D').size(), 4u);
    execute(40000); // one more, behind one that is cleared
    bridge_driver(b.get(), kBuffer + 64 * 4, false);
    EXPECT_EQ(lines('D').size(), 4u);
}

TEST_F(Bridge, MemoryThatIsNotThereIsAnErrorOfTheBus)
{
    bridge_scom(b.get(), now++, kTraceScom, kEach251Ticks);
    bridge_ldbar(b.get(), now++, kTrace | (UINT64_C(1) << 40));
    bridge_scom(b.get(), now++, kHtmMode, kOn);
    execute(20000);
    EXPECT_EQ(lines('R').size(), 0u);
    uint64_t fir = 0;
    EXPECT_EQ(cs_imc_core_read(b->core, bridge_cycle(b.get(), now) + 1, CS_IMC_REG_FIR, &fir),
              CS_BUS_OKAY);
    EXPECT_NE(fir, 0u);
}
