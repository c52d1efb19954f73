// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "results/feed.hpp"

using namespace cs_test;

TEST(Collector, TellsTheListenerOfEachSubsample)
{
    Feed feed;

    two_subsamples(feed);

    ASSERT_EQ(feed.seen.size(), 2u);
    for (unsigned n = 0; n < 2; n++) {
        const Seen &s = feed.seen[n];

        EXPECT_EQ(s.number, n);
        EXPECT_EQ(s.cycle, n == 0 ? 1600u : 3500u);
        EXPECT_EQ(s.addr, 0x80001000 + 128 * n);
        EXPECT_TRUE(s.has_cycles);
        EXPECT_EQ(s.events, (std::vector<uint32_t>{0x08, 0x04}));
        EXPECT_EQ(s.cid1, (std::vector<uint32_t>{0x100, 0x101, 0x102, 0x103}));
        EXPECT_EQ(s.cid2, (std::vector<uint32_t>{0x200, 0x201, 0x202, 0x203}));
    }
}

TEST(Collector, AWindowBeginsAfterTheEnableAndEndsWithTheDisable)
{
    Feed feed;

    two_subsamples(feed);

    ASSERT_EQ(feed.seen.size(), 2u);
    for (unsigned n = 0; n < 2; n++)
        for (unsigned cpu = 0; cpu < 3; cpu++) {
            const cs_pmcu_window &w = feed.seen[n].windows[cpu];

            EXPECT_TRUE(w.counted);
            EXPECT_EQ(w.start, (n == 0 ? 101u : 2001u) + 10 * cpu);
            EXPECT_EQ(w.stop, (n == 0 ? 1301u : 3201u) + 15 * cpu);
        }
}

TEST(Collector, EachValueComesWithTheTruthOfItsWindow)
{
    Feed feed;

    two_subsamples(feed);

    ASSERT_EQ(feed.seen.size(), 2u);
    for (const Seen &s : feed.seen) {
        EXPECT_EQ(s.values, s.truths);
        for (unsigned i = 0; i < 3; i++)
            for (unsigned cpu = 0; cpu < 3; cpu++)
                EXPECT_NE(s.values[i * 4 + cpu], 0u) << "field " << i << ", CPU " << cpu;
    }
}

TEST(Collector, TruthsAreLeftOutWhenNotAskedFor)
{
    Feed feed({}, false);

    two_subsamples(feed);
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 2u);
    EXPECT_FALSE(feed.seen[0].has_truths);
    ASSERT_EQ(r->nr_events, 3u);
    EXPECT_EQ(r->events[0].window_truth, 0u);
    EXPECT_NE(r->events[0].truth, 0u);
}

TEST(Collector, SpanSkewsAndBlindCycles)
{
    Feed feed;

    two_subsamples(feed);
    const cs_pmcu_results *r = feed.finish();

    EXPECT_EQ(r->first_start, 101u);
    EXPECT_EQ(r->last_stop, 3231u);
    EXPECT_EQ(r->start_skew_cycles, 20u);
    EXPECT_EQ(r->stop_skew_cycles, 30u);
    EXPECT_EQ(r->armed_cpus, 3u);
    EXPECT_EQ(r->counted_cycles, 2u * (1200 + 1205 + 1210));
    EXPECT_EQ(r->blind_cycles, 3130u - 2 * 1205);
    EXPECT_DOUBLE_EQ(r->blind_fraction, (3130.0 - 2410) / 3130);
    EXPECT_EQ(r->samples, 2u);
    EXPECT_EQ(r->sample_bytes, 2u * 128);
    EXPECT_EQ(r->interrupts, 1u);
}

TEST(Collector, EventsAreInOrderOfAppearanceAndTheCycleCounterIsLast)
{
    Feed feed;

    two_subsamples(feed);
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(r->nr_events, 3u);
    EXPECT_EQ(r->events[0].event, 0x08u);
    EXPECT_EQ(r->events[1].event, 0x04u);
    EXPECT_EQ(r->events[2].event, kCycles);
    EXPECT_FALSE(r->events[0].cycle_counter);
    EXPECT_FALSE(r->events[1].cycle_counter);
    EXPECT_TRUE(r->events[2].cycle_counter);
}

TEST(Collector, ScaledIsWhatAReaderOfTheSamplesWouldSay)
{
    Feed feed;

    two_subsamples(feed);
    const cs_pmcu_results *r = feed.finish();
    const double span = 3130;
    const double nominal = 2 * 60 * 20;
    const double counted = 2 * (1200 + 1205 + 1210);

    ASSERT_EQ(r->nr_events, 3u);
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_pmcu_event_result &e = r->events[i];
        uint64_t sampled = 0;
        uint64_t truth = 0;

        for (const Seen &s : feed.seen)
            for (unsigned cpu = 0; cpu < 4; cpu++)
                sampled += s.values[i * 4 + cpu];
        for (unsigned cpu = 0; cpu < 3; cpu++) {
            const uint64_t one = feed.truth(cpu, e.event, 101, 3231);

            EXPECT_EQ(cs_pmcu_collector_span_truth(feed.collector, &e, cpu), one);
            truth += one;
        }
        EXPECT_EQ(e.subsamples, 2u);
        EXPECT_EQ(e.sampled, sampled);
        EXPECT_EQ(e.window_truth, sampled);
        EXPECT_EQ(e.truth, truth);
        EXPECT_DOUBLE_EQ(e.scaled, static_cast<double>(sampled) * span * 3 / counted);
        EXPECT_DOUBLE_EQ(e.error, e.scaled / static_cast<double>(truth) - 1);
        EXPECT_DOUBLE_EQ(e.nominal, static_cast<double>(sampled) * span / nominal);
        EXPECT_DOUBLE_EQ(e.nominal_error, e.nominal / static_cast<double>(truth) - 1);
    }
}

TEST(Collector, TheBusIsSummedByManager)
{
    Feed feed;

    feed.bus(CS_MANAGER_CPU, 10, 12, 20, 4);
    feed.bus(CS_MANAGER_PMCU(0), 30, 30, 30, 64);
    feed.bus(CS_MANAGER_PMCU(0), 40, 45, 46, 8, CS_BUS_SLVERR);

    EXPECT_EQ(feed.carried.transactions, 3u);
    const cs_manager_result &cpu = feed.carried.managers[CS_MANAGER_CPU];
    EXPECT_EQ(cpu.transactions, 1u);
    EXPECT_EQ(cpu.bytes, 4u);
    EXPECT_EQ(cpu.wait_cycles, 2u);
    EXPECT_EQ(cpu.held_cycles, 9u);
    EXPECT_EQ(cpu.errors, 0u);
    const cs_manager_result &lane = feed.carried.managers[CS_MANAGER_PMCU(0)];
    EXPECT_EQ(lane.transactions, 2u);
    EXPECT_EQ(lane.bytes, 72u);
    EXPECT_EQ(lane.wait_cycles, 5u);
    EXPECT_EQ(lane.held_cycles, 3u);
    EXPECT_EQ(lane.errors, 1u);
}

TEST(Collector, NothingHappenedIsAllZero)
{
    Feed feed;
    const cs_pmcu_results *r = feed.finish();

    EXPECT_EQ(r->samples, 0u);
    EXPECT_EQ(r->first_start, 0u);
    EXPECT_EQ(r->last_stop, 0u);
    EXPECT_EQ(r->blind_cycles, 0u);
    EXPECT_EQ(r->blind_fraction, 0.0);
    EXPECT_EQ(r->armed_cpus, 0u);
    EXPECT_EQ(r->nr_events, 0u);
}
