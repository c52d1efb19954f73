// SPDX-License-Identifier: Apache-2.0
// Thousands of random small scenarios against a plain loop over cycles.
#include <random>

#include "multiplex_reference.hpp"
#include "scenario/corepmu/multiplex_spec.h"

using namespace cs_multiplex_test;

namespace
{

struct Case {
    cs_multiplex_spec spec;
    unsigned cpus, tool_cpu, wake_every;
    unsigned busy; // increments are below this
    bool shared;   // several events have the same number
};

Case random_case(std::mt19937 &random)
{
    auto up_to = [&random](unsigned most) { return random() % (most + 1); };
    Case c = {};
    const unsigned events = 1 + up_to(6);
    const unsigned most_cost = std::vector<unsigned>{0, 2, 9, 40}[up_to(3)];
    unsigned *const costs[] = {
        &c.spec.irq_entry_cycles,     &c.spec.irq_exit_cycles,       &c.spec.timer_cycles,
        &c.spec.register_read_cycles, &c.spec.register_write_cycles, &c.spec.rotation_cycles,
        &c.spec.event_out_cycles,     &c.spec.event_in_cycles,       &c.spec.event_skip_cycles,
        &c.spec.event_read_cycles,    &c.spec.overflow_cycles,       &c.spec.syscall_cycles,
        &c.spec.migration_cycles,     &c.spec.wakeup_cycles,         &c.spec.ipi_cycles,
    };

    for (unsigned i = 0; i < events; i++)
        c.spec.events[i] = up_to(3) == 0 ? kCycles : 0x20 + up_to(4);
    c.spec.nr_events = events;
    c.cpus = 1 + up_to(3);
    c.tool_cpu = up_to(c.cpus - 1);
    for (unsigned cpu = 0; cpu < c.cpus; cpu++)
        c.spec.cpus[cpu] = up_to(3) != 0;
    c.spec.cpus[up_to(c.cpus - 1)] = true;
    c.spec.counters = 1 + up_to(3);
    c.spec.counter_bits = std::vector<unsigned>{8, 10, 16, 32, 63, 64}[up_to(5)];
    c.spec.tick_us = 1 + up_to(up_to(1) != 0 ? 30 : 200);
    c.spec.divider = 1 + (up_to(2) == 0 ? up_to(3) : 0);
    c.spec.interval_us = up_to(1) != 0 ? 0 : 1 + up_to(300);
    c.spec.stop_us = 1 + up_to(900);
    c.spec.calls = up_to(1) != 0;
    for (unsigned *cost : costs)
        *cost = up_to(most_cost);
    c.wake_every = up_to(3) == 0 ? 2 + up_to(40) : 0;
    c.busy = 1 + up_to(CS_MAX_INCREMENT);
    return c;
}

std::string describe(const Case &c, unsigned number)
{
    const cs_multiplex_spec &s = c.spec;

    return "case " + std::to_string(number) + ": events " + std::to_string(s.nr_events) + " cpus " +
           std::to_string(c.cpus) + " tool " + std::to_string(c.tool_cpu) + " counters " +
           std::to_string(s.counters) + " bits " + std::to_string(s.counter_bits) + " tick " +
           std::to_string(s.tick_us) + " divider " + std::to_string(s.divider) + " interval " +
           std::to_string(s.interval_us) + " stop " + std::to_string(s.stop_us) + " calls " +
           std::to_string(s.calls) + " entry " + std::to_string(s.irq_entry_cycles);
}

struct Seen {
    unsigned overflows = 0, late = 0, calls = 0, free = 0, unserved = 0, came_round = 0;
};

void compare(const Case &c, std::mt19937 &random, Seen &seen)
{
    constexpr cs_cycle kMost = 25000;
    const std::vector<uint32_t> events = {kCycles, 0x20, 0x21, 0x22, 0x23, 0x24};
    Streams streams(c.cpus, events, 1009, [&](unsigned, uint32_t event, cs_cycle) {
        return event == kCycles ? 3u : unsigned(random()) % (c.busy + 1);
    });
    Reference reference(c.spec, c.cpus, c.tool_cpu, streams);
    Rig rig(c.spec, c.cpus);

    rig.tool_cpu = c.tool_cpu;
    rig.wake_every = c.wake_every;
    reference.run(kMost);
    // A tick whose rotation takes longer than the tick leaves nothing for perf: both never end.
    const bool ends = reference.end < kMost;
    ASSERT_EQ(rig.run(streams, kMost), ends);
    seen.unserved += !ends;
    if (!ends)
        return;
    ASSERT_EQ(rig.end, reference.end);
    ASSERT_EQ(rig.told.size(), reference.told.size());
    for (size_t i = 0; i < rig.told.size(); i++)
        ASSERT_EQ(text(rig.told[i]), text(reference.told[i])) << "count " << i;
    ASSERT_EQ(rig.stays, reference.stays);

    const cs_multiplex_report &a = rig.report(), &b = reference.report;
    EXPECT_EQ(a.rotating.ticks, b.rotating.ticks);
    EXPECT_EQ(a.rotating.rotations, b.rotating.rotations);
    EXPECT_EQ(a.rotating.late_ticks, b.rotating.late_ticks);
    EXPECT_EQ(a.rotating.rotating_cycles, b.rotating.rotating_cycles);
    EXPECT_EQ(a.rotating.register_accesses, b.rotating.register_accesses);
    EXPECT_EQ(a.rotating.bus_cycles, 0u);
    EXPECT_EQ(a.rotating.interrupts, b.rotating.interrupts);
    EXPECT_EQ(a.overflows, b.overflows);
    EXPECT_EQ(a.calls, b.calls);
    EXPECT_EQ(a.system_calls, b.system_calls);

    // Each final count is what happened while its counter counted, but for ranges that nobody saw.
    size_t finals = 0;
    for (const cs_rotated_count &count : rig.told)
        if (count.final) {
            const unsigned number = unsigned(finals++ % c.spec.nr_events);
            EXPECT_EQ(count.event, c.spec.events[number]);
            EXPECT_EQ(count.running, reference.on_counter[count.cpu][number]);
            const uint64_t counted = reference.counted[count.cpu][number];
            EXPECT_LE(count.raw, counted);
            EXPECT_TRUE(reference.overflowed || count.raw == counted);
        }
    uint64_t stolen = 0;
    for (unsigned cpu = 0; cpu < c.cpus; cpu++) {
        EXPECT_EQ(cs_multiplex_stolen(rig.mux, cpu, rig.end), rig.stolen(cpu)) << "CPU " << cpu;
        stolen += rig.stolen(cpu);
    }
    EXPECT_EQ(a.rotating.rotating_cycles, stolen);
    seen.overflows += a.overflows != 0;
    seen.late += a.rotating.late_ticks != 0;
    seen.calls += a.calls != 0;
    seen.free += stolen == 0;
    seen.came_round += reference.overflowed;
}

TEST(MultiplexReference, RandomScenarios)
{
    std::mt19937 random(20260);
    Seen seen;

    for (unsigned i = 0; i < 3000; i++) {
        const Case c = random_case(random);

        SCOPED_TRACE(describe(c, i));
        compare(c, random, seen);
        if (HasFailure())
            return;
    }
    // The cases are of all kinds.
    EXPECT_GT(seen.overflows, 100u);
    EXPECT_GT(seen.late, 100u);
    EXPECT_GT(seen.calls, 500u);
    EXPECT_GT(seen.free, 300u);
    EXPECT_GT(seen.came_round, seen.overflows / 2);
    EXPECT_LT(seen.unserved, 1500u);
}

} // namespace
