// SPDX-License-Identifier: Apache-2.0
// What units counted, by their register accesses, against what software tells.
#include <gtest/gtest.h>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/uncore/uncore_driver.h"
#include "results/rotation_feed.hpp"
#include "results/uncore/collector.h"

using namespace cs_test;

namespace
{

// Event 3 of mc0 counts in every fourth cycle, 3 of link twice in each.
struct UncoreCollector : testing::Test {
    RotationFeed feed;
    cs_uncore_collector *collector = nullptr;
    cs_uncore_results results = {};

    void SetUp() override
    {
        ASSERT_EQ(cs_uncore_collector_create(feed.scenario, feed.list.data(), &collector, nullptr),
                  CS_OK);
    }
    void TearDown() override
    {
        cs_uncore_collector_destroy(collector);
    }
    void access(unsigned unit, cs_cycle cycle, bool write, uint32_t offset, uint64_t value,
                uint8_t resp = CS_BUS_OKAY)
    {
        cs_probe_record r = {};

        r.kind = CS_PROBE_REG;
        r.cycle = cycle;
        r.source = static_cast<uint16_t>(CS_UNIT_UNCORE(unit));
        r.write = write;
        r.addr = offset;
        r.value = value;
        r.resp = resp;
        r.bytes = 8;
        cs_uncore_collector_record(collector, &r);
    }
    void write(unsigned unit, cs_cycle cycle, uint32_t offset, uint64_t value)
    {
        access(unit, cycle, true, offset, value);
    }
    void tell(unsigned unit, uint32_t event, uint64_t raw, const char *pmu = "mc0",
              bool final = true, unsigned serial = 0)
    {
        cs_count c = {};

        c.pmu = pmu;
        c.unit = unit;
        c.event = event;
        c.to = c.enabled = 1000;
        c.running = 500;
        c.raw = raw;
        c.turns = true;
        c.final = final;
        c.family = std::string(pmu) == CS_CPU_PMU_NAME ? &cs_arm_pmu_family : &cs_uncore_family;
        c.serial = serial;

        cs_uncore_collector_count(collector, &c);
    }
    void place(unsigned unit, unsigned counter, unsigned event, unsigned serial)
    {
        const cs_uncore_placed placed = {unit, counter, event, serial};

        cs_uncore_collector_placed(collector, &placed);
    }
    uint64_t wrong(bool ended = true)
    {
        EXPECT_EQ(cs_uncore_collector_finish(collector, ended, &results, nullptr), CS_OK);
        return results.wrong;
    }
};

constexpr uint32_t kCtl = 8, kSelect0 = 0x100, kSelect1 = 0x108, kCount0 = 0x200;

} // namespace

// From the cycle after the start to the cycle of the stop, that one included.
TEST_F(UncoreCollector, FromStartToStop)
{
    for (const auto &[raw, expected] :
         {std::pair<uint64_t, uint64_t>{200, 0}, {199, 1}, {201, 1}}) {
        TearDown();
        SetUp();
        write(1, 100, kSelect0, 0x10003);
        write(1, 200, kCtl, 1);
        write(1, 300, kCtl, 0);
        tell(1, 3, raw);
        EXPECT_EQ(wrong(), expected) << raw;
        EXPECT_EQ(results.units[1].wrong, expected);
        EXPECT_EQ(results.units[1].accesses, 3u);
        EXPECT_EQ(results.units[0].accesses, 0u);
    }
}

// Two commands count the same event: one has too much, the other too little.
TEST_F(UncoreCollector, EachEventHasItsOwnCount)
{
    place(1, 0, 3, 0);
    place(1, 1, 3, 1);
    write(1, 10, kSelect0, 0x10003);
    write(1, 11, kSelect1, 0x10003);
    write(1, 20, kCtl, 1);
    write(1, 40, kCtl, 0);
    tell(1, 3, 30, "link", true, 0);
    tell(1, 3, 50, "link", true, 1);
    EXPECT_EQ(wrong(), 2u) << "together they are right";
}

TEST_F(UncoreCollector, CountersAndCommandsAddUp)
{
    write(1, 10, kSelect0, 0x10003);
    write(1, 11, kSelect1, 0x10000); // the clock
    write(1, 20, kCtl, 1);
    write(1, 30, kSelect1, 0x10003); // 10 cycles of the clock; then event 3 twice
    write(1, 40, kSelect0, 3);       // off
    write(1, 50, kCtl, 0);
    access(1, 51, false, kCount0, 40);
    tell(1, 0, 10);
    tell(1, 3, 2 * 20);
    tell(1, 3, 2 * 20); // another command's
    EXPECT_EQ(wrong(), 0u);
    EXPECT_EQ(results.units[1].accesses, 7u);
}

// The increment of the cycle in which a counter is set or reset is lost.
TEST_F(UncoreCollector, WritesToCounters)
{
    write(1, 10, kSelect0, 0x10003);
    write(1, 20, kCtl, 1);
    write(1, 25, kCount0, 7);
    write(1, 30, kCtl, 0x101);
    write(1, 40, kCtl, 0);
    tell(1, 3, 2 * (4 + 4 + 10));
    EXPECT_EQ(wrong(), 0u);
}

TEST_F(UncoreCollector, WhatIsPassedOver)
{
    write(1, 10, kSelect0, 0x10003);
    access(1, 15, true, kCtl, 1, CS_BUS_SLVERR);
    write(2, 16, kCtl, 1); // nobody
    tell(1, 3, 5, "cpu");
    tell(1, 3, 6, "link", false);
    EXPECT_EQ(wrong(), 0u);
    EXPECT_EQ(results.units[1].accesses, 1u);
}

TEST_F(UncoreCollector, ARunThatWasCut)
{
    write(1, 10, kSelect0, 0x10003);
    write(1, 20, kCtl, 1);
    write(1, 30, kCtl, 0);
    EXPECT_EQ(wrong(false), 0u) << "nothing has been told yet";
    EXPECT_EQ(wrong(true), 1u);
}

TEST_F(UncoreCollector, ManyEvents)
{
    for (unsigned i = 0; i < 300; i++) {
        write(0, 100 * i + 1, kSelect0, 0x10000 | i);
        write(0, 100 * i + 10, kCtl, 1);
        write(0, 100 * i + 50, kCtl, 0);
        tell(0, i, i == 0 ? 40 : i == 3 ? 10 : 0);
    }
    EXPECT_EQ(wrong(), 0u);
    tell(0, 200, 1);
    EXPECT_EQ(wrong(), 1u);
}
