// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Parameters" and "Registers".
#include "support/refused_calloc.hpp"
#include "support/still.hpp"
#include "unit.hpp"

namespace
{

TEST(UncoreParameters, RefusesWhatIsOutOfRange)
{
    const struct {
        unsigned counters, width;
        cs_status status;
    } cases[] = {
        {0, 48, CS_ERR_RANGE}, {1, 48, CS_OK},        {16, 48, CS_OK}, {17, 48, CS_ERR_RANGE},
        {4, 7, CS_ERR_RANGE},  {4, 8, CS_OK},         {4, 64, CS_OK},  {4, 65, CS_ERR_RANGE},
        {4, 0, CS_ERR_RANGE},  {32, 8, CS_ERR_RANGE},
    };

    for (const auto &c : cases) {
        const cs_uncore_config config = straps(c.counters, c.width);
        const cs_event_source source = still_events();
        cs_uncore *uncore = reinterpret_cast<cs_uncore *>(1);
        cs_diag diag = {};

        const cs_uncore_env env = {source, nullptr, {}};
        EXPECT_EQ(c.status, cs_uncore_create(&config, &env, &uncore, &diag))
            << c.counters << " " << c.width;
        EXPECT_EQ(c.status == CS_OK, uncore != nullptr);
        EXPECT_EQ(c.status, diag.status);
        cs_uncore_destroy(uncore);
    }
}

TEST(UncoreParameters, SayWhatIsWrong)
{
    const cs_uncore_config counters = straps(17), width = straps(4, 7);
    const cs_event_source source = still_events();
    cs_uncore *uncore;
    cs_diag diag = {};

    const cs_uncore_env env = {source, nullptr, {}};
    cs_uncore_create(&counters, &env, &uncore, &diag);
    EXPECT_STREQ("counters is 17: must be 1..16", diag.text);
    cs_uncore_create(&width, &env, &uncore, &diag);
    EXPECT_STREQ("width is 7: must be 8..64", diag.text);
    cs_uncore_destroy(nullptr);
}

#ifndef __SANITIZE_ADDRESS__
TEST(UncoreParameters, NoMemoryIsTold)
{
    const cs_uncore_config config = straps();
    const cs_uncore_env env = {still_events(), nullptr, {}};

    expect_no_memory<cs_uncore>("uncore", [&](cs_uncore **out, cs_diag *diag) {
        return cs_uncore_create(&config, &env, out, diag);
    });
}
#endif

TEST(UncoreParameters, NeedsWhatItAsks)
{
    cs_event_source no_reach = still_events();
    no_reach.reach = nullptr;
    cs_uncore_config extended = straps();
    extended.extended = true;
    const cs_uncore_env none = {{}, nullptr, {}}, half = {no_reach, nullptr, {}},
                        plain = {still_events(), nullptr, {}};
    const struct {
        cs_uncore_config config;
        const cs_uncore_env *env;
        const char *text;
    } cases[] = {
        {straps(), nullptr, "env: events.sum and events.reach must be set"},
        {straps(), &none, "env: events.sum and events.reach must be set"},
        {straps(), &half, "env: events.sum and events.reach must be set"},
        {extended, &plain, "env: tagged.sum must be set, as extended is on"},
    };

    for (const auto &c : cases) {
        cs_uncore *uncore = reinterpret_cast<cs_uncore *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_uncore_create(&c.config, c.env, &uncore, &diag));
        EXPECT_EQ(nullptr, uncore);
        EXPECT_STREQ(c.text, diag.text);
    }
}

TEST(UncoreRegisters, IdTellsTheStraps)
{
    EXPECT_EQ(0x00003004u, Unit(straps()).read(ID));
    EXPECT_EQ(0xABCD4010u, Unit(straps(16, 64, 0xABCD)).read(ID));
    EXPECT_EQ(0xFFFF0801u, Unit(straps(1, 8, 0xFFFF)).read(ID));

    Unit u(straps(4, 48, 0x1234));
    u.write(ID, ~0ull);
    EXPECT_EQ(0x12343004u, u.read(ID));
    EXPECT_EQ(0x12343004u, u.read4(ID));
    EXPECT_EQ(0u, u.read4(ID + 4));
}

TEST(UncoreRegisters, AllZeroAfterResetButId)
{
    Unit u(straps(16, 64, 7));

    for (uint32_t offset = 8; offset < 0x400; offset += 8)
        EXPECT_EQ(0u, u.read(offset)) << std::hex << offset;
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(CS_NEVER, u.next());
    EXPECT_TRUE(u.records.empty());
}

TEST(UncoreRegisters, OnlyTheirBitsCanBeWritten)
{
    for (unsigned counters : {1u, 4u, 16u}) {
        for (unsigned width : {8u, 31u, 32u, 33u, 48u, 64u}) {
            Unit u(straps(counters, width));

            for (uint32_t offset = 0; offset < 0x400; offset += 8) {
                u.write(offset, ~0ull);
                uint64_t expected = 0;
                if (offset == ID)
                    expected = counters | width << 8;
                if (offset == CTL)
                    expected = EN | FREEZE;
                if (offset == IE)
                    expected = (1u << counters) - 1;
                if (offset >= SELECT(0) && offset < SELECT(counters))
                    expected = 0x1FFFF;
                if (offset >= COUNT(0) && offset < COUNT(counters))
                    expected = all_ones(width);
                EXPECT_EQ(expected, u.read(offset)) << std::hex << offset;
                if (offset == CTL) // or COUNT would not hold still
                    u.write(CTL, 0);
            }
        }
    }
}

TEST(UncoreRegisters, AWriteActsInTheNextCycle)
{
    Unit u;

    for (uint32_t offset : {CTL, IE, SELECT(3), COUNT(3)}) {
        u.write(offset, 2);
        EXPECT_EQ(2u, u.read(offset));
        u.write(offset, 1);
        EXPECT_EQ(1u, u.read(offset));
        u.write(offset, 0);
    }
}

TEST(UncoreRegisters, AHalfOfSelect)
{
    Unit u;

    u.write4(SELECT(1), 0x1BEEF);
    EXPECT_EQ(0x1BEEFu, u.read(SELECT(1)));
    EXPECT_EQ(0x1BEEFu, u.read4(SELECT(1)));
    u.write4(SELECT(1) + 4, 0xFFFFFFFF);
    EXPECT_EQ(0x1BEEFu, u.read(SELECT(1)));
    EXPECT_EQ(0u, u.read4(SELECT(1) + 4));
    u.write4(SELECT(1) + 4, 0);
    EXPECT_EQ(0x1BEEFu, u.read(SELECT(1)));
}

TEST(UncoreRegisters, AHalfOfCount)
{
    Unit u(straps(4, 64));

    u.write(COUNT(2), 0x1122334455667788);
    EXPECT_EQ(0x55667788u, u.read4(COUNT(2)));
    EXPECT_EQ(0x11223344u, u.read4(COUNT(2) + 4));
    u.write4(COUNT(2), 0xAABBCCDD);
    EXPECT_EQ(0x11223344AABBCCDDu, u.read(COUNT(2)));
    u.write4(COUNT(2) + 4, 0x99887766);
    EXPECT_EQ(0x99887766AABBCCDDu, u.read(COUNT(2)));
    // What a caller has above bit 31 of a 4-byte access is no data.
    u.write4(COUNT(2), 0xF00000000 | 1);
    EXPECT_EQ(0x9988776600000001u, u.read(COUNT(2)));
}

TEST(UncoreRegisters, AHalfOfIe)
{
    Unit u(straps(16));

    u.write4(IE, 0xFFFFF);
    EXPECT_EQ(0xFFFFu, u.read(IE));
    u.write4(IE + 4, 0);
    EXPECT_EQ(0xFFFFu, u.read4(IE));
    EXPECT_EQ(0u, u.read4(IE + 4));
}

TEST(UncoreRegisters, AHalfOfCtl)
{
    Unit u;

    u.write4(CTL, EN | FREEZE);
    EXPECT_EQ(3u, u.read(CTL));
    u.write4(CTL + 4, 0);
    u.write4(CTL + 4, ~0u);
    EXPECT_EQ(3u, u.read4(CTL));
    EXPECT_EQ(0u, u.read4(CTL + 4));

    u.write(COUNT(0), 77);
    u.write4(CTL + 4, RESET);
    EXPECT_EQ(77u, u.read(COUNT(0)));
    u.write4(CTL, RESET);
    EXPECT_EQ(0u, u.read(COUNT(0)));
    EXPECT_EQ(0u, u.read(CTL));
}

TEST(UncoreRegisters, AHalfOfOvf)
{
    Unit u(straps(4, 8));

    u.set_up(0, 0, 0xFF);
    u.write(CTL, EN | FREEZE);
    u.run(3);
    EXPECT_EQ(1u, u.read4(OVF));
    EXPECT_EQ(0u, u.read4(OVF + 4));
    u.write4(OVF + 4, ~0u);
    EXPECT_EQ(1u, u.read(OVF));
    u.write4(OVF, ~0u);
    EXPECT_EQ(0u, u.read(OVF));
}

TEST(UncoreRegisters, AnAccessThatIsNotAlignedIsAnErrorAndChangesNothing)
{
    Unit u(straps(4, 32));
    uint64_t data;

    u.set_up(1, 0, 0x1234);
    u.write(CTL, EN);
    const cs_cycle start = u.t;
    for (uint32_t offset = 0; offset < 0x300; offset++) {
        for (bool wide : {false, true}) {
            if (offset % (wide ? 8 : 4) == 0)
                continue;
            data = 5;
            EXPECT_EQ(CS_BUS_SLVERR, cs_uncore_read(u.uncore(), u.t++, offset, wide, &data));
            EXPECT_EQ(0u, data);
            EXPECT_EQ(CS_BUS_SLVERR, cs_uncore_write(u.uncore(), u.t++, offset, wide, ~0ull));
        }
    }
    const uint64_t counted = u.t - start;
    EXPECT_EQ(0x1234 + counted, u.read(COUNT(1)));
    EXPECT_EQ(ON, u.read(SELECT(1)));
    EXPECT_EQ(0u, u.read(SELECT(0)));
    EXPECT_EQ(EN, u.read(CTL));
    EXPECT_EQ(0u, u.read(IE));
    EXPECT_EQ(0u, u.read(OVF));
}

TEST(UncoreRegisters, OtherOffsetsAndCountersReadZeroAndIgnoreWrites)
{
    for (unsigned counters : {1u, 4u, 16u}) {
        Unit u(straps(counters, 64));

        for (uint32_t offset = 0x20; offset < 0x10000; offset += offset < 0x400 ? 4 : 0x404) {
            const bool there = (offset >= SELECT(0) && offset < SELECT(counters)) ||
                               (offset >= COUNT(0) && offset < COUNT(counters));
            if (there)
                continue;
            u.write4(offset, ~0u);
            EXPECT_EQ(0u, u.read4(offset)) << std::hex << offset;
        }
        for (unsigned n = 0; n < counters; n++) {
            EXPECT_EQ(0u, u.read(SELECT(n)));
            EXPECT_EQ(0u, u.read(COUNT(n)));
        }
        EXPECT_EQ(0u, u.read(CTL) | u.read(IE) | u.read(OVF));
        u.write(0xFFF8, ~0ull);
        EXPECT_EQ(0u, u.read(0xFFF8));
    }
}

TEST(UncoreRegisters, ResetTakesEverythingBack)
{
    Unit u(straps(4, 8, 9));

    for (unsigned n = 0; n < 4; n++)
        u.set_up(n, 0, 0xF0);
    u.write(IE, 0xF);
    u.write(CTL, EN | FREEZE);
    u.run(100);
    EXPECT_TRUE(u.irq());
    u.t += 10;
    cs_uncore_reset(u.uncore(), u.t);
    EXPECT_EQ(u.t, cs_uncore_now(u.uncore()));
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(u.t, u.records.back().cycle);
    EXPECT_EQ(0u, u.records.back().value);
    for (uint32_t offset = 8; offset < 0x300; offset += 8)
        EXPECT_EQ(0u, u.read(offset)) << std::hex << offset;
    EXPECT_EQ(0x00090804u, u.read(ID));
}

TEST(UncoreRegisters, ResetHidesWhatWouldBeSeenFirstInItsCycle)
{
    for (unsigned late : {0u, 1u, 2u}) {
        Unit u(straps(4, 8));

        u.set_up(0, 0, 0xF0);
        u.write(IE, 1);
        u.write(CTL, EN);
        const cs_cycle up = u.t + 16;
        EXPECT_EQ(up, u.next());
        cs_uncore_reset(u.uncore(), up + late);
        if (late == 0)
            EXPECT_TRUE(u.levels().empty());
        else
            EXPECT_EQ((std::vector<std::pair<cs_cycle, uint64_t>>{{up, 1}, {up + late, 0}}),
                      u.levels());
    }
}

// A write executes its cycle, a read does not.
TEST(UncoreTime, Now)
{
    Unit u;

    EXPECT_EQ(0u, cs_uncore_now(u.uncore()));
    u.run_to(5);
    EXPECT_EQ(5u, cs_uncore_now(u.uncore()));
    cs_uncore_advance(u.uncore(), 3);
    EXPECT_EQ(5u, cs_uncore_now(u.uncore()));
    u.read(CTL);
    EXPECT_EQ(5u, cs_uncore_now(u.uncore()));
    u.write(CTL, 0);
    EXPECT_EQ(7u, cs_uncore_now(u.uncore()));
    u.write(ID, 0);
    EXPECT_EQ(8u, cs_uncore_now(u.uncore()));
}

// Asked in any cycle, a unit answers what a read gives then, and goes on as one that is never asked.
TEST(UncoreRegisters, AskedAsRead)
{
    const uint32_t offsets[] = {ID, CTL, OVF, IE, SELECT(0), COUNT(0), COUNT(1), 0x500};
    Unit asked, other;
    uint64_t answer;

    for (Unit *u : {&asked, &other}) {
        u->write(SELECT(0), ON);
        u->write(COUNT(0), all_ones(48) - 30);
        u->write(IE, 1);
        u->write(CTL, EN | FREEZE);
    }
    for (int i = 0; i < 64; i++) {
        const uint32_t offset = offsets[i % 8];
        const size_t records = asked.records.size();

        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_ask(asked.uncore(), offset, true, &answer));
        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_ask(asked.uncore(), offset, true, &answer));
        EXPECT_EQ(records, asked.records.size());
        EXPECT_EQ(answer, other.read(offset)) << std::hex << offset;
        asked.run(1);
        other.run(0); // a read does not execute its cycle
        ASSERT_EQ(asked.irq(), other.irq());
    }
    EXPECT_TRUE(asked.irq());
    EXPECT_EQ(CS_BUS_SLVERR, cs_uncore_ask(asked.uncore(), CTL + 4, true, &answer));
    EXPECT_EQ(0u, answer);
}

TEST(UncoreTimeDeathTest, OneAccessACycleAndNoneInThePast)
{
    Unit u;
    uint64_t data;

    u.t = 10;
    u.read(CTL);
    EXPECT_DEATH(cs_uncore_read(u.uncore(), 10, CTL, true, &data),
                 "^countersink: uncore: an access in cycle 10: must be in 11 or later\n$");
    EXPECT_DEATH(cs_uncore_write(u.uncore(), 10, CTL, true, 0), "an access in cycle 10");
    u.run(10);
    EXPECT_DEATH(cs_uncore_read(u.uncore(), 19, CTL, true, &data), "must be in 21 or later");
    EXPECT_DEATH(cs_uncore_reset(u.uncore(), 20),
                 "uncore: a reset in cycle 20: must be in 21 or later");
}

} // namespace
