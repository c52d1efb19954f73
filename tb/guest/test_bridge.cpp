// SPDX-License-Identifier: Apache-2.0
// The engine behind a guest's instructions, without a guest: when it writes what, and what is told.
#include "fixture.hpp"

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
    EXPECT_NE(bridge_counts(b.get(), 0), BRIDGE_BY_TRACE);
    execute(20000);
    EXPECT_EQ(lines('R').size(), 0u);
    bridge_scom(b.get(), now++, kHtmMode, kOn);
    EXPECT_EQ(bridge_counts(b.get(), 0), BRIDGE_BY_TRACE);
    execute(30000);
    EXPECT_EQ(lines('R').size(), 1u);
    bridge_scom(b.get(), now++, kHtmMode, kOff);
    EXPECT_NE(bridge_counts(b.get(), 0), BRIDGE_BY_TRACE);
    execute(90000);
    EXPECT_EQ(lines('R').size(), 1u);
}

TEST_F(Bridge, WhileTheCpuStandsStillTimeGoesOnAndCountersDoNot)
{
    start();
    execute(10000);
    // It reads a timebase that is 1,000,000 cycles ahead.
    bridge_timebase(b.get(), now, (now + 1000000) * 512 / 1000);
    b->cpus[0].now = {pc_of(now), 7, 0, 3, 0};
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
    const cs_cycle cycle = bridge_cycle(b.get(), now);

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
        bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * slot, false);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 8, false); // another word of it
    EXPECT_EQ(lines('D').size(), 3u);
    execute(32000);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * 7, true); // no buffer's, as its stack
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * 3, false);
    EXPECT_EQ(lines('D').size(), 4u);
    // It clears the first: nothing is found again.
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, true);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, false);
    EXPECT_EQ(lines('D').size(), 4u);
    execute(40000); // one more, behind one that is cleared
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * 4, false);
    EXPECT_EQ(lines('D').size(), 4u);
}

TEST_F(Bridge, WhatLdbarHasLeftInTheBufferCanStillBeTaken)
{
    start();
    execute(24000);
    ASSERT_EQ(lines('R').size(), 3u);
    // The kernel writes it anew, as it does when a CPU goes off: the engine begins again at the first.
    tell();
    bridge_ldbar(b.get(), now++, kTrace | kBuffer);
    for (const uint64_t slot : {0, 1, 2, 3})
        bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * slot, false);
    EXPECT_EQ(lines('D').size(), 3u);
    // What it has overwritten is gone, and what lies behind that is older.
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, true);
    tell();
    bridge_ldbar(b.get(), now++, kTrace | kBuffer);
    execute(now + 8000);
    ASSERT_EQ(lines('R').size(), 4u);
    bridge_dump(b.get(), 0);
    for (const uint64_t slot : {0, 1, 2})
        bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer + 64 * slot, false);
    ASSERT_EQ(lines('D').size(), 4u);
    EXPECT_EQ(lines('D')[3].f[0], 3u);
}

TEST_F(Bridge, ASessionARecordAndWhatIsTakenNameTheEventOfPerf)
{
    bridge_begin(b.get(), 42);
    start();
    execute(10000);
    EXPECT_EQ(bridge_event(b.get(), 0), 42u);
    // A tick of frequency mode reads the buffer; the profile goes on.
    bridge_dump(b.get(), 42);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, false);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, true);
    EXPECT_EQ(bridge_event(b.get(), 0), 42u);
    bridge_end(b.get(), 42);
    bridge_dump(b.get(), 42);
    EXPECT_EQ(bridge_event(b.get(), 0), 42u);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, true); // that was the last of it
    EXPECT_EQ(bridge_event(b.get(), 0), 0u);
    execute(20000);

    ASSERT_EQ(lines('S').size(), 1u);
    EXPECT_EQ(lines('S')[0].f[4], 42u);
    ASSERT_EQ(lines('R').size(), 2u);
    EXPECT_EQ(lines('R')[0].f[10], 42u);
    EXPECT_EQ(lines('R')[1].f[10], 0u);
    ASSERT_EQ(lines('D').size(), 1u);
    EXPECT_EQ(lines('D')[0].f[2], 42u);
}

TEST_F(Bridge, OfTwoEventsOnACpuTheOneThatEndsDoesNotEndTheOther)
{
    bridge_begin(b.get(), 41);
    start();
    bridge_begin(b.get(), 42);
    bridge_end(b.get(), 41);
    bridge_dump(b.get(), 41);
    bridge_driver(b.get(), now, BRIDGE_TRACE, kBuffer, true);
    EXPECT_EQ(bridge_event(b.get(), 0), 42u);
}

TEST_F(Bridge, ACoreWhoseCpuWasLeftInTraceModeDoesNotCountIt)
{
    constexpr uint64_t kTable = 0x40000;

    start();
    EXPECT_EQ(bridge_counts(b.get(), 0), BRIDGE_BY_TRACE);
    scom(kHtmMode, kOff);
    scom(0x1001220b, kTable); // PDBAR
    scom(kHtmMode, kOn);
    tell();
    bridge_driver(b.get(), now, BRIDGE_BEGIN, kTable + 0x18, false);
    EXPECT_EQ(bridge_counts(b.get(), 0), BRIDGE_LEFT_OUT);
    tell();
    bridge_ldbar(b.get(), now++, kBuffer);
    EXPECT_EQ(bridge_counts(b.get(), 0), BRIDGE_BY_CORE);
}

TEST_F(Bridge, MemoryThatIsNotThereIsAnErrorOfTheBus)
{
    bridge_scom(b.get(), now++, kTraceScom, kEach251Ticks);
    bridge_ldbar(b.get(), now++, kTrace | (UINT64_C(1) << 40));
    bridge_scom(b.get(), now++, kHtmMode, kOn);
    execute(20000);
    EXPECT_EQ(lines('R').size(), 0u);
    uint64_t fir = 0;
    EXPECT_EQ(
        cs_imc_core_read(b->cores[0].engine, bridge_cycle(b.get(), now) + 1, CS_IMC_REG_FIR, &fir),
        CS_BUS_OKAY);
    EXPECT_NE(fir, 0u);
}
