// SPDX-License-Identifier: Apache-2.0
// Counters that are read when their unit interrupts (docs/drivers/uncore_driver.md, "Wrap").
#include "uncore_rig.hpp"

using namespace cs_test;

namespace
{

std::string machine(const std::string &driver)
{
    return R"(
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 4}
software: {kind: uncore, access_cycles: 20, irq_latency_cycles: 200}
uncore:
  bridges: [{access_cycles: 10}]
  units:
    - name: a
      counters: 2
      width: 16
      segments: [{events: [{event: "uncore:1", rate: 1.25}, {event: "uncore:2", kind: random, rate: 0.3},
                           {event: "uncore:3", kind: random, rate: 3, max_increment: 15}]}]
    - name: b
      width: 14
      segments: [{events: [{event: "uncore:1", kind: random, rate: 0.7, max_increment: 3}]}]
uncore_driver:
  wrap: interrupt
  manager: nearest
  tick_us: 100
)" + driver;
}

const char *const kBoth =
    "  perf: [{stop_us: 4001, events: [{event: 'uncore:1'}, {event: 'uncore:3'}]}]\n";

bool is_count(const RegisterAccess &a)
{
    return a.offset >= kCount && a.offset < kCount + 128;
}

// What counters counted from a handler's read up to the write that sets them anew: by unit and event.
std::map<std::pair<unsigned, uint32_t>, uint64_t> lost(const UncoreRig &rig)
{
    std::map<std::pair<unsigned, uint32_t>, uint64_t> sums;
    std::map<std::pair<unsigned, unsigned>, uint32_t> on;

    for (size_t i = 1; i < rig.log.size(); i++) {
        const RegisterAccess &a = rig.log[i], &before = rig.log[i - 1];
        const unsigned n = a.offset % 0x100 / 8;

        if (a.write && a.offset >= kSelect && a.offset < kSelect + 128)
            on[{a.unit, n}] = a.value & 0xffff;
        if (a.write && is_count(a) && !before.write && before.unit == a.unit &&
            before.offset == a.offset)
            sums[{a.unit, on[{a.unit, n}]}] +=
                rig.truth(a.unit, on[{a.unit, n}], before.effect, a.effect + 1);
    }
    return sums;
}

void all_is_counted_but_what_is_lost(const UncoreRig &rig)
{
    std::map<std::pair<unsigned, uint32_t>, uint64_t> told;
    auto gone = lost(rig);

    for (const auto &c : rig.finals())
        told[{c.unit, c.event}] += c.raw;
    for (const auto &[what, counted] : rig.counted())
        EXPECT_EQ(told[what] + gone[what], counted)
            << "unit " << what.first << " event " << what.second;
}

// Where a handler read which counters of its unit had overflowed.
std::vector<RegisterAccess> handlers(const UncoreRig &rig)
{
    std::vector<RegisterAccess> list;

    for (const auto &a : rig.log)
        if (!a.write && a.offset == kOvf)
            list.push_back(a);
    return list;
}

} // namespace

TEST(UncoreInterrupts, AnOverflowIsAHandler)
{
    UncoreRig rig(machine(kBoth));
    rig.run();
    ASSERT_TRUE(rig.ended());
    all_is_counted_but_what_is_lost(rig);
    EXPECT_GT(rig.finals()[1].raw, 8u * 65536) << "it comes round many times";
    EXPECT_GT(lost(rig).at({0, 3}), 0u);
    EXPECT_EQ(rig.report().interrupts, handlers(rig).size());
    EXPECT_EQ(rig.report().overdue_reads, 0u);
    // 1.25 and 3 each cycle, and half of 2^16; 0.7, and half of 2^14; two counters may come at once.
    EXPECT_GE(rig.report().interrupts, 4000000u * 3 / 32768 - 4);
    EXPECT_LE(rig.report().interrupts,
              4000000u * 3 / 32768 + 4000000 / 32768 * 5 / 4 + 4000000 / 8192);
    for (const auto &a : rig.log) {
        const uint64_t half = a.unit == 0 ? 1u << 15 : 1u << 13;

        if (a.write && is_count(a)) {
            EXPECT_EQ(a.value, half);
        }
        if (a.write && a.offset == kIe) {
            EXPECT_TRUE(a.value == 3 || a.value == 0) << a.value;
        }
    }
}

// The handler begins irq_latency_cycles after the line has risen: not a cycle before.
TEST(UncoreInterrupts, TheHandlerBeginsAfterTheLatency)
{
    for (unsigned latency : {1u, 2000u}) {
        UncoreRig rig(machine("  handler_cycles: 300\n  perf: [{units: [a], stop_us: 50, events: "
                              "[{event: 'uncore:1'}]}]\n"),
                      {("software.irq_latency_cycles=" + std::to_string(latency)).c_str()});
        rig.run();
        ASSERT_EQ(handlers(rig).size(), 1u);
        cs_cycle began = 0;
        for (const auto &a : rig.log)
            if (a.write && a.offset == kCtl && a.value == 1 && began == 0)
                began = a.effect + 1;
        // The line is seen in its first cycle; what comes next begins in the one after.
        const cs_cycle line =
            cs_timeline_reach(rig.timeline(0), CS_EVENT_UNCORE(1), CS_MODE_ALL, began, 32768);
        EXPECT_EQ(handlers(rig)[0].rose, line + 1 + latency + 300 + 20);
    }
}

// Events in turns leave their counters with flags that nobody has taken: nothing is counted twice.
TEST(UncoreInterrupts, InTurns)
{
    UncoreRig rig(machine("  perf: [{units: [a], stop_us: 4001, interval_us: 333, events: [{event: "
                          "'uncore:1'}, {event: 'uncore:3'}, {event: 'uncore:2'}]}]\n"),
                  {"uncore_driver.tick_us=30"});
    rig.run();
    ASSERT_TRUE(rig.ended());
    all_is_counted_but_what_is_lost(rig);
    EXPECT_GT(rig.report().rotations, 100u);
    EXPECT_GT(rig.report().interrupts, 100u);
}

// The interrupt goes with the unit: whoever manages it takes it.
TEST(UncoreInterrupts, MoveWithTheUnit)
{
    UncoreRig rig(
        machine("  hotplug: [{cpu: 0, at_us: 1000}, {cpu: 1, at_us: 2000, for_us: 500}]\n" +
                std::string(kBoth)));
    rig.run();
    ASSERT_TRUE(rig.ended());
    all_is_counted_but_what_is_lost(rig);
    ASSERT_EQ(rig.moves.size(), 4u);
    unsigned by[3] = {};
    for (const auto &a : handlers(rig)) {
        const unsigned cpu = a.rose < rig.moves[0].left ? 0 : a.rose < rig.moves[2].left ? 1 : 2;

        EXPECT_EQ(a.cpu, cpu) << a.rose;
        by[cpu]++;
    }
    for (unsigned count : by)
        EXPECT_GT(count, 50u);
}

// A line that does not fall because OVF cannot be reached holds nothing up for ever.
TEST(UncoreInterrupts, AFlagThatCannotBeReached)
{
    UncoreRig rig(machine(kBoth));

    rig.refuses = [](const RegisterAccess &a) { return a.offset == kOvf; };
    rig.run();
    EXPECT_TRUE(rig.ended());
    EXPECT_EQ(rig.finals().size(), 4u);
    EXPECT_GT(rig.report().failed_accesses, 100u);
}

// What a handler's read that failed did not get is read the next time: the counter is not set anew.
TEST(UncoreInterrupts, FailedReads)
{
    UncoreRig rig(machine("  perf: [{units: [b], stop_us: 101, interval_us: 7, events: [{event: "
                          "'uncore:1'}]}]\n"));
    unsigned reads = 0;

    rig.refuses = [&](const RegisterAccess &a) {
        return !a.write && is_count(a) && rig.log.back().offset == kOvf && ++reads == 2;
    };
    rig.run();
    EXPECT_GT(reads, 3u);
    EXPECT_EQ(rig.report().failed_accesses, 1u);
    all_is_counted_but_what_is_lost(rig);
}
