// SPDX-License-Identifier: Apache-2.0
// How a driver has a counter found (docs/drivers/riscv_driver.md, "Finding a counter").
#include "kernel.hpp"

using namespace cs_test;

namespace
{

// Counters 3..6. Cache references are counted by 5 and 6 alone.
const cs_riscv_pmu_map *late_map()
{
    static const cs_riscv_pmu_map map = [] {
        cs_riscv_pmu_map m = {};

        m.nr_selects = 1;
        m.selects[0] = {3, kOne};
        m.nr_ranges = 1;
        m.ranges[0] = {3, 3, 0x60};
        m.nr_raws = 1;
        m.raws[0] = {0, 0, 0x78};
        return m;
    }();

    return &map;
}

Machine proposal(cs_riscv_find find, unsigned xlen = 64)
{
    Machine m = machine(CS_RISCV_V3, xlen);

    m.driver.find = find;
    m.fw.map = late_map();
    m.fw.set_event = find == CS_RISCV_FIND_MASK  ? CS_RISCV_SET_EVENT_MASK
                     : find == CS_RISCV_FIND_ANY ? CS_RISCV_SET_EVENT_BOOLEAN
                                                 : CS_RISCV_SET_EVENT_PLAIN;
    return m;
}

} // namespace

TEST(RiscvPmuFind, CallsOfEachWay)
{
    const struct {
        const char *name;
        cs_riscv_find find;
        const char *first, *second, *none;
    } rows[] = {
        {"one after the other", CS_RISCV_FIND_EACH, "EVENT(3,2) EVENT(4,2) EVENT(5,2)",
         "EVENT(3,2) EVENT(4,2) EVENT(6,2)", "EVENT(3,2) EVENT(4,2)"},
        {"by the mask", CS_RISCV_FIND_MASK, "EVENT(3,2) EVENT(5,2)", "EVENT(3,2) EVENT(6,2)",
         "EVENT(3,2)"},
        {"the firmware picks", CS_RISCV_FIND_ANY, "EVENT(3,2,0,1)", "EVENT(3,2,0,1)",
         "EVENT(3,2,0,1)"},
        {"of the free ones", CS_RISCV_FIND_FREE, "CONFIG(0,78,2)", "CONFIG(0,58,2)",
         "CONFIG(0,18,2)"},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Kernel k(proposal(row.find));

        cs_riscv_perf_event *a = k.open(hardware(2)), *b = k.open(hardware(2)),
                            *c = k.open(hardware(2));
        EXPECT_EQ(k.add(a, 0), 0);
        EXPECT_EQ(k.taken(), row.first);
        k.start(a);
        k.taken();
        EXPECT_EQ(k.add(b, 0), 0);
        EXPECT_EQ(k.taken(), row.second);
        k.start(b);
        k.taken();
        EXPECT_EQ(k.add(c), -ENOENT);
        EXPECT_EQ(k.taken(), row.none);
        EXPECT_EQ(cs_riscv_perf_index(a), 5);
        EXPECT_EQ(cs_riscv_perf_index(b), 6);
        k.run(100);
        EXPECT_EQ(k.read(a), 100u);
        EXPECT_EQ(k.read(b), 100u);
    }
}

TEST(RiscvPmuFind, EachWayWithThirtyTwoBits)
{
    for (cs_riscv_find find :
         {CS_RISCV_FIND_EACH, CS_RISCV_FIND_MASK, CS_RISCV_FIND_ANY, CS_RISCV_FIND_FREE}) {
        Kernel k(proposal(find, 32));
        cs_riscv_perf_event *a = k.start(hardware(2)), *b = k.start(raw(kFifteen)),
                            *c = k.start(firmware(4));

        EXPECT_EQ(cs_riscv_perf_index(a), 5) << find;
        EXPECT_EQ(cs_riscv_perf_index(b), 3) << find;
        EXPECT_EQ(cs_riscv_perf_index(c), 7) << find;
        k.run(10);
        k.firmware_event(4, 3);
        EXPECT_EQ(k.read(a), 10u) << find;
        EXPECT_EQ(k.read(b), 150u) << find;
        EXPECT_EQ(k.read(c), 3u) << find;
    }
}

// The firmware does not know who owns what: a counter that stands is taken from its event.
TEST(RiscvPmuFind, TheBooleanTakesFromAStoppedEvent)
{
    Kernel k(proposal(CS_RISCV_FIND_ANY));
    cs_riscv_perf_event *mine = k.start(raw(kOne)), *other = k.open(raw(kFifteen));

    k.run(10);
    k.stop(mine);
    EXPECT_EQ(k.add(other), -ENOENT) << "it is told 3, which is not free";
    k.start(mine);
    k.run(10);
    EXPECT_EQ(k.read(mine), 10u + 150u) << "its counter has the other's event now";

    Kernel careful(proposal(CS_RISCV_FIND_FREE));
    mine = careful.start(raw(kOne));
    careful.run(10);
    careful.stop(mine);
    EXPECT_EQ(careful.add(careful.open(raw(kFifteen))), 0);
    careful.start(mine);
    careful.run(10);
    EXPECT_EQ(careful.read(mine), 20u);
}

TEST(RiscvPmuFind, AllAsThePublishedKernel)
{
    Machine m = machine();
    m.driver.find = CS_RISCV_FIND_ALL;
    Kernel k(m);
    cs_riscv_perf_event *mine = k.start(raw(kOne));

    EXPECT_EQ(k.taken(), "CONFIG(0,1fd,0,30000,40) START(3,1,1,8000000000000001)");
    k.run(10);
    EXPECT_EQ(k.add(k.open(raw(kFifteen))), 0) << "one that runs is not taken";
    k.stop(mine);
    EXPECT_EQ(k.add(k.open(raw(kFifteen))), -ENOENT) << "one that stands is";
    k.start(mine);
    k.run(10);
    EXPECT_EQ(k.read(mine), 10u + 150u);

    m.fw.deviations = cs_sbi_group_mask(CS_SBI_OPENSBI_1_9);
    Kernel released(m);
    mine = released.start(raw(kOne));
    released.run(10);
    released.stop(mine);
    EXPECT_EQ(released.add(released.open(raw(kFifteen))), 0)
        << "its firmware keeps a stopped one's";
    released.start(mine);
    released.run(10);
    EXPECT_EQ(released.read(mine), 20u);
}

TEST(RiscvPmuFind, WhatAKindDoesNotHave)
{
    cs_riscv_pmu_config config = machine().driver;
    cs_riscv_pmu *pmu = nullptr;
    cs_diag diag = {};

    config.sbi.call = [](void *, cs_hart *, uint64_t, uint64_t, const uint64_t *) {
        return cs_sbi_ret{};
    };
    config.find = CS_RISCV_FIND_EACH;
    EXPECT_EQ(cs_riscv_pmu_create(&config, nullptr, &pmu, &diag), CS_ERR_RANGE);
    config.kind = CS_RISCV_V3;
    config.find = CS_RISCV_FIND_ALL;
    EXPECT_EQ(cs_riscv_pmu_create(&config, nullptr, &pmu, &diag), CS_ERR_RANGE);
}
