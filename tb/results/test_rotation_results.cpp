// SPDX-License-Identifier: Apache-2.0
// Estimates of rotated events against the truth, and how even their shares are.
#include <gtest/gtest.h>

#include "results/rotation_feed.hpp"

using namespace cs_test;

namespace
{

std::string name_of(const cs_count &count)
{
    char buffer[40];

    return RotationFeed::family(count.pmu)->event_name(count.event, buffer, sizeof buffer);
}

} // namespace

TEST(RotationResults, TheTruthOfAUnit)
{
    RotationFeed feed;
    const cs_counted r = feed.add(RotationFeed::mc0(1000, 260));

    EXPECT_EQ(r.count.enabled, 4000u);
    EXPECT_EQ(r.truth, 1000u);
    EXPECT_DOUBLE_EQ(r.share, 0.25);
    EXPECT_DOUBLE_EQ(r.value, 1040.0);
    EXPECT_NEAR(r.error, 0.04, 1e-12);
    EXPECT_TRUE(r.ran);
    EXPECT_EQ(name_of(r.count), "uncore:3");

    // The other unit has the same number for another event.
    const cs_counted other =
        feed.add(RotationFeed::count(0, "link", 1, 0, 3, 1000, 5000, 4000, 8000));
    EXPECT_EQ(other.truth, 8000u);
    EXPECT_DOUBLE_EQ(other.error, 0);
    EXPECT_EQ(feed.add(RotationFeed::count(0, "link", 1, 0, 7, 10, 9010, 1, 0)).truth,
              cs_timeline_sum(feed.list[CS_UNCORE_TIMELINE(1)], CS_EVENT_UNCORE(7), CS_MODE_ALL, 10,
                              9010));
    EXPECT_EQ(feed.add(RotationFeed::count(0, "link", 1, 0, 0, 10, 9010, 9000, 9000)).truth, 9000u)
        << "the clock";
}

TEST(RotationResults, TheTruthOfACpu)
{
    RotationFeed feed;
    const auto truth = [&](unsigned cpu, uint32_t event) {
        return feed.add(RotationFeed::count(0, "cpu", 0, cpu, event, 100, 70100, 35000, 30000))
            .truth;
    };

    EXPECT_GT(truth(1, 0x08), 80000u);
    EXPECT_EQ(truth(1, 0x08), cs_timeline_sum(feed.list[1], 0x08, CS_MODE_ALL, 100, 70100));
    EXPECT_EQ(truth(0, 0x08), 0u) << "nothing runs there";
    EXPECT_EQ(name_of(RotationFeed::count(0, "cpu", 0, 1, 0x08, 0, 1, 1, 1)), "INST_RETIRED");
    EXPECT_EQ(name_of(RotationFeed::count(0, "cpu", 0, 1, 0xc123, 0, 1, 1, 1)), "0xc123");
}

// No estimate where there is nothing to scale, and no division by zero anywhere.
TEST(RotationResults, NeverCounted)
{
    RotationFeed feed;
    const cs_counted never = feed.add(RotationFeed::mc0(0, 0));

    EXPECT_FALSE(never.ran);
    EXPECT_EQ(never.truth, 1000u);
    EXPECT_EQ(never.value, 0);
    EXPECT_EQ(never.share, 0);
    EXPECT_EQ(never.error, 0);
    EXPECT_EQ(feed.commands().at(0).jain, 0) << "none ran";
    EXPECT_EQ(feed.commands().at(0).never, 1u);
    EXPECT_EQ(feed.commands().at(0).mean_error, 0);

    const cs_counted empty = feed.add(RotationFeed::count(0, "mc0", 0, 1, 3, 700, 700, 0, 0));
    EXPECT_EQ(empty.truth, 0u);
    EXPECT_EQ(empty.share, 0);
    // It ran, but nothing happened: no error, whatever it counted.
    EXPECT_EQ(feed.add(RotationFeed::count(0, "mc0", 0, 1, 9, 0, 400, 100, 0)).error, 0);
}

TEST(RotationResults, Fairness)
{
    struct {
        std::vector<uint64_t> running; // of 4000 cycles
        double least, most, jain;
        uint64_t never;
    } const cases[] = {
        {{1000}, 0.25, 0.25, 1, 0},          {{1000, 1000, 1000}, 0.25, 0.25, 1, 0},
        {{4000, 0, 0, 0}, 0, 1, 0.25, 3},    {{2000, 1000}, 0.25, 0.5, 0.9, 0},
        {{0, 4000, 4000}, 0, 1, 2.0 / 3, 1}, {{0, 0}, 0, 0, 0, 2},
    };

    for (const auto &c : cases) {
        RotationFeed feed;

        for (uint64_t running : c.running)
            feed.add(RotationFeed::mc0(running, running / 4));
        const cs_rotated_fairness all = cs_rotation_results_all(feed.results);
        EXPECT_EQ(all.events, c.running.size());
        EXPECT_DOUBLE_EQ(all.least_share, c.least);
        EXPECT_DOUBLE_EQ(all.most_share, c.most);
        EXPECT_DOUBLE_EQ(all.jain, c.jain);
        EXPECT_EQ(all.never, c.never);
        EXPECT_EQ(all.mean_error, 0);
        EXPECT_EQ(all.most_error, 0);
    }
}

// Absolute errors, of those that ran: 10 % too many and 30 % too few are 20 % on the average.
TEST(RotationResults, Errors)
{
    RotationFeed feed;

    feed.add(RotationFeed::mc0(2000, 550));
    feed.add(RotationFeed::mc0(1000, 175));
    feed.add(RotationFeed::mc0(0, 0));
    const cs_rotated_fairness all = cs_rotation_results_all(feed.results);

    EXPECT_NEAR(all.mean_error, 0.2, 1e-12);
    EXPECT_NEAR(all.most_error, 0.3, 1e-12);
}

TEST(RotationResults, ByCommandAndIntervalsAside)
{
    RotationFeed feed;
    cs_count interval = RotationFeed::mc0(1, 1, 4);

    interval.final = false;
    feed.add(interval);
    EXPECT_TRUE(feed.commands().empty());
    EXPECT_EQ(cs_rotation_results_all(feed.results).events, 0u);

    for (unsigned command = 20; command > 0; command--)
        feed.add(RotationFeed::mc0(100 * command, 0, command));
    feed.add(
        RotationFeed::count(7, "cpu", 0, 1, 8, 0, 100, 50, 5)); // its own, not the unit's command 7
    feed.add(RotationFeed::mc0(4000, 1000, 7));

    const auto commands = feed.commands();
    ASSERT_EQ(commands.size(), 21u);
    EXPECT_EQ(commands[0].command, 20u) << "in the order in which they ended";
    EXPECT_EQ(commands[13].command, 7u);
    EXPECT_EQ(commands[13].events, 2u);
    EXPECT_DOUBLE_EQ(commands[13].least_share, 700.0 / 4000);
    EXPECT_DOUBLE_EQ(commands[13].most_share, 1);
    EXPECT_TRUE(commands[20].family->of_cpus);
    EXPECT_EQ(commands[20].events, 1u);
    EXPECT_EQ(cs_rotation_results_all(feed.results).events, 22u);

    size_t count;
    const cs_counted *finals = cs_rotation_results_finals(feed.results, &count);
    ASSERT_EQ(count, 22u);
    EXPECT_EQ(finals[0].count.command, 20u);
    uint64_t readings;
    EXPECT_EQ(cs_rotation_results_intervals(feed.results, &readings), 1u);
    EXPECT_EQ(readings, 1u);
}

TEST(RotationResults, CostsOfSeveralSoftwares)
{
    cs_rotating_report all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const cs_rotating_report more = {10, 20, 30, 40, 50, 60, 70, 80, 90};

    cs_rotating_report_add(&all, &more);
    EXPECT_EQ(all.ticks, 11u);
    EXPECT_EQ(all.rotations, 22u);
    EXPECT_EQ(all.late_ticks, 33u);
    EXPECT_EQ(all.rotating_cycles, 44u);
    EXPECT_EQ(all.register_accesses, 55u);
    EXPECT_EQ(all.bus_cycles, 66u);
    EXPECT_EQ(all.interrupts, 77u);
    EXPECT_EQ(all.overdue_reads, 88u);
    EXPECT_EQ(all.failed_accesses, 99u);
}
