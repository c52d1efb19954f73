// SPDX-License-Identifier: Apache-2.0
// Cores that fail, broadcast, compatibility mode, filters, and what a run leaves behind.
#include <gtest/gtest.h>

#include "results/feed.hpp"

using namespace cs_test;

// One window [101, 1301) on each of `cpus`, one event.
static void one_subsample(Feed &feed, const std::vector<unsigned> &cpus, uint32_t event)
{
    std::map<unsigned, cs_pmcu_window> windows;

    feed.trigger(1, 60);
    for (unsigned cpu : cpus) {
        feed.program(cpu, {event});
        feed.enable(cpu, 0x80000001, 100);
        feed.disable(cpu, 0x80000001, 1300);
        windows[cpu] = {101, 1301, true, 0};
    }
    feed.sample(1500, 0x80001000, {feed.counts(event, windows), feed.counts(kCycles, windows)});
}

TEST(CollectorEdges, AnOfflineCoreHasNoWindowAndNoCounts)
{
    Feed feed;

    feed.trigger(1, 60);
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        const uint8_t resp = cpu == 3 ? CS_BUS_SLVERR : CS_BUS_OKAY;

        feed.program(cpu, {0x08});
        feed.enable(cpu, 0x80000001, 100, resp);
        feed.disable(cpu, 0x80000001, 1300, resp);
    }
    feed.sample(1500, 0x80001000, {{1, 2, 3, 0}, {4, 5, 6, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_FALSE(feed.seen[0].windows[3].counted);
    EXPECT_EQ(feed.seen[0].truths[3], 0u);
    EXPECT_EQ(feed.seen[0].values[3], 0u);
    EXPECT_EQ(r->armed_cpus, 3u);
    EXPECT_EQ(cs_pmcu_collector_span_truth(feed.collector, &r->events[0], 3), 0u);
    EXPECT_EQ(r->events[0].truth, feed.truth(0, 8, 101, 1301) + feed.truth(1, 8, 101, 1301) +
                                      feed.truth(2, 8, 101, 1301));
}

// results/pmcu/collector.h: a window is counted only where a start and a stop reached the core.
TEST(CollectorEdges, WithoutAStopThereIsNoWindow)
{
    Feed feed;

    feed.trigger(1, 60);
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        feed.program(cpu, {0x08});
        feed.enable(cpu, 0x80000001, 100);
        feed.disable(cpu, 0x80000001, 1300, cpu == 1 ? CS_BUS_SLVERR : CS_BUS_OKAY);
    }
    feed.sample(1500, 0x80001000, {{7, 7, 0, 0}, {7, 7, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_TRUE(feed.seen[0].windows[0].counted);
    EXPECT_FALSE(feed.seen[0].windows[1].counted);
    EXPECT_EQ(feed.seen[0].truths[1], 0u);
    EXPECT_EQ(r->stop_skew_cycles, 0u);
    EXPECT_EQ(r->last_stop, 1301u);
    EXPECT_EQ(r->armed_cpus, 1u);
}

TEST(CollectorEdges, AWindowIsOfOneSubsampleOnly)
{
    Feed feed;

    one_subsample(feed, {0, 1}, 0x08);
    feed.enable(0, 0x80000001, 2000);
    feed.disable(0, 0x80000001, 3200);
    feed.sample(3500, 0x80001080, {{1, 0, 0, 0}, {1, 0, 0, 0}});

    ASSERT_EQ(feed.seen.size(), 2u);
    EXPECT_TRUE(feed.seen[1].windows[0].counted);
    EXPECT_FALSE(feed.seen[1].windows[1].counted);
}

// The windows of a group that BRK has dropped are no windows of the next run.
TEST(CollectorEdges, ABrokenGroupLeavesNoWindow)
{
    Feed feed;

    feed.trigger(1, 60);
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        feed.program(cpu, {0x08});
        feed.enable(cpu, 0x80000001, 100);
        feed.disable(cpu, 0x80000001, 400);
    }
    feed.trigger(1, 60, false, 1000);
    feed.enable(0, 0x80000001, 2000);
    feed.disable(0, 0x80000001, 3200);
    feed.sample(3500, 0x80001000, {{1, 0, 0, 0}, {1, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_EQ(feed.seen[0].windows[0].start, 2001u);
    EXPECT_FALSE(feed.seen[0].windows[1].counted);
    EXPECT_EQ(r->stop_skew_cycles, 0u);
    EXPECT_EQ(r->first_start, 2001u) << "what the cores counted before is in no sample";
    EXPECT_EQ(r->last_stop, 3201u);
    EXPECT_EQ(r->armed_cpus, 1u);
    EXPECT_EQ(r->counted_cycles, 1200u);
    EXPECT_EQ(r->blind_cycles, 0u);
}

// Nor does a group that was still counting when the run ended, as after an error on a store.
TEST(CollectorEdges, AGroupThatIsNotStoredIsNoPartOfTheSpan)
{
    Feed feed;

    one_subsample(feed, {0}, 0x08);
    for (unsigned cpu = 0; cpu < 3; cpu++) {
        feed.enable(cpu, 0x80000001, 2000);
        feed.disable(cpu, 0x80000001, 3200);
    }
    const cs_pmcu_results *r = feed.finish();

    EXPECT_EQ(r->armed_cpus, 1u);
    EXPECT_EQ(r->last_stop, 1301u);
    EXPECT_EQ(r->events[0].truth, feed.truth(0, 0x08, 101, 1301));
    EXPECT_EQ(r->blind_cycles, 0u);
}

// docs/traces/truth.md, "Windows and the period": the subsample was to be of the event, and is told
// to be.
TEST(CollectorEdges, AnEventThatNoCoreTookHasItsSubsample)
{
    const uint8_t words[] = {0x08, 0, 0, 0, 0x04, 0, 0, 0};
    Feed feed;

    ASSERT_EQ(cs_memory_write(feed.memory, 0x80000024, sizeof words, words, nullptr), CS_OK);
    feed.pmcu(CS_PMCU_EVENT_BASE_L, 0x80000024);
    feed.trigger(2, 60);
    feed.of_cpu(kProgram, 0, CS_COREPMU_EXT32_PMEVTYPER, 0x08, 20);
    feed.of_cpu(kProgram, 0, CS_COREPMU_EXT32_PMEVTYPER + CS_COREPMU_EXT32_PMEVTYPER_STRIDE, 0x04,
                30, CS_BUS_SLVERR, true);
    feed.sample(1500, 0x80001000, {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_EQ(feed.seen[0].events, (std::vector<uint32_t>{0x08, 0x04}));
    ASSERT_EQ(r->nr_events, 3u);
    EXPECT_EQ(r->events[1].event, 0x04u);
    EXPECT_EQ(r->events[1].subsamples, 1u);
}

TEST(CollectorEdges, ABroadcastReachesTheOnlineCoresOfItsCluster)
{
    Feed feed({"pmcu.broadcast=true"});

    feed.trigger(1, 60);
    for (unsigned cpu = 0; cpu < 3; cpu++)
        feed.program(cpu, {0x08});
    for (unsigned k = 0; k < 2; k++)
        feed.walk(kStart, k, 15, CS_COREPMU_EXT32_PMCNTENSET, 0x80000001, 100 + 7 * k);
    for (unsigned k = 0; k < 2; k++)
        feed.walk(kStop, k, 15, CS_COREPMU_EXT32_PMCNTENCLR, 0x80000001, 1300 + 7 * k);
    feed.sample(1500, 0x80001000, {{1, 1, 1, 0}, {1, 1, 1, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    const struct {
        bool counted;
        cs_cycle start, stop;
    } expected[] = {{true, 101, 1301}, {true, 101, 1301}, {true, 108, 1308}, {false, 0, 0}};
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        const cs_pmcu_window &w = feed.seen[0].windows[cpu];

        EXPECT_EQ(w.counted, expected[cpu].counted) << "CPU " << cpu;
        if (w.counted) {
            EXPECT_EQ(w.start, expected[cpu].start) << "CPU " << cpu;
            EXPECT_EQ(w.stop, expected[cpu].stop) << "CPU " << cpu;
        }
    }
    EXPECT_EQ(r->start_skew_cycles, 7u);
    EXPECT_EQ(r->stop_skew_cycles, 7u);
}

TEST(CollectorEdges, CompatibilityModeUsesCountersFrom3AndHasNoCycles)
{
    Feed feed;

    feed.trigger(2, 60, true);
    feed.program(0, {0x08, 0x04}, 3);
    feed.enable(0, 0x18, 100);
    feed.disable(0, 0x18, 1300);
    feed.sample(1500, 0x80001000, {{1, 0, 0, 0}, {2, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_FALSE(feed.seen[0].has_cycles);
    EXPECT_EQ(feed.seen[0].events, (std::vector<uint32_t>{0x08, 0x04}));
    EXPECT_EQ(feed.seen[0].truths[0], feed.truth(0, 0x08, 101, 1301));
    EXPECT_EQ(feed.seen[0].truths[4], feed.truth(0, 0x04, 101, 1301));
    EXPECT_EQ(r->nr_events, 2u);
    EXPECT_EQ(r->sample_bytes, 3u * 8 * 4);
}

TEST(CollectorEdges, CountersThatTheUnitDoesNotUseMakeNoWindow)
{
    Feed feed;

    feed.trigger(2, 60, true);
    feed.write(CS_UNIT_CORE(0), CS_COREPMU_EXT32_PMCNTENSET, 0x7, 100); /* 0..2 are a guest's */
    feed.write(CS_UNIT_CORE(0), CS_COREPMU_EXT32_PMCNTENCLR, 0x7, 1300);
    feed.sample(1500, 0x80001000, {{0, 0, 0, 0}, {0, 0, 0, 0}});

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_FALSE(feed.seen[0].windows[0].counted);
}

TEST(CollectorEdges, TheNullEventIsNotAnEvent)
{
    Feed feed;

    feed.trigger(2, 60);
    feed.program(0, {0x08, CS_PMCU_AUX_NULL_EVENT});
    feed.enable(0, kTwoAndCycles, 100);
    feed.disable(0, kTwoAndCycles, 1300);
    feed.sample(1500, 0x80001000, {{1, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    EXPECT_EQ(feed.seen[0].events[1], CS_PMCU_AUX_NULL_EVENT);
    ASSERT_EQ(r->nr_events, 2u);
    EXPECT_EQ(r->events[0].event, 0x08u);
    EXPECT_TRUE(r->events[1].cycle_counter);
}

TEST(CollectorEdges, Event0x11OnACounterIsNotTheCycleCounter)
{
    Feed feed;

    one_subsample(feed, {0}, kCycles);
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(r->nr_events, 2u);
    EXPECT_FALSE(r->events[0].cycle_counter);
    EXPECT_TRUE(r->events[1].cycle_counter);
    EXPECT_EQ(r->events[0].sampled, r->events[1].sampled);
}

TEST(CollectorEdges, TheTruthOfTheCycleCounterFollowsItsFilter)
{
    const uint32_t no_el0 = 1u << 30; /* PMCCFILTR.U */
    Feed feed;

    feed.pmcu(CS_PMCU_PMCCFILTR, no_el0);
    one_subsample(feed, {0, 1, 2}, 0x08);

    ASSERT_EQ(feed.seen.size(), 1u);
    for (unsigned cpu = 0; cpu < 3; cpu++) {
        EXPECT_EQ(feed.seen[0].truths[cpu], feed.truth(cpu, 0x08, 101, 1301));
        EXPECT_EQ(feed.seen[0].truths[4 + cpu],
                  feed.truth(cpu, kCycles, 101, 1301, CS_MODE_MASK(CS_MODE_EL1)));
    }
}

TEST(CollectorEdges, ARunWorksOnItsCopiesOfTheRegisters)
{
    Feed feed;

    feed.trigger(1, 60);
    feed.pmcu(CS_PMCU_FSM_CFG, 0); /* for the next run */
    feed.pmcu(CS_PMCU_WAIT_CNT, 1);
    feed.pmcu(CS_PMCU_COMP, 1);
    feed.program(0, {0x08});
    feed.enable(0, 0x80000001, 100);
    feed.disable(0, 0x80000001, 1300);
    feed.sample(1500, 0x80001000, {{100, 0, 0, 0}, {1, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_TRUE(feed.seen[0].has_cycles);
    ASSERT_EQ(r->nr_events, 2u);
    EXPECT_DOUBLE_EQ(r->events[0].scaled, 100.0 * 1200 / (60 * 20));
}

// Two scripts, or arm_pmu beside the PMCU: what another one does to the counters is no window of
// the PMCU's, and no event.
TEST(CollectorEdges, OtherSoftwareMovesNoWindow)
{
    Feed feed;
    const uint16_t core = CS_UNIT_CORE(0);

    feed.trigger(1, 60);
    feed.write(core, CS_COREPMU_EXT32_PMCNTENSET, 0x80000001, 30);
    feed.program(0, {0x08});
    feed.write(core, CS_COREPMU_EXT32_PMEVTYPER, 0x04, 90);
    feed.enable(0, 0x80000001, 100);
    feed.write(core, CS_COREPMU_EXT32_PMCNTENCLR, 0x1, 500);
    feed.write(core, CS_COREPMU_EXT32_PMCNTENSET, 0x1, 700);
    feed.disable(0, 0x80000001, 1300);
    feed.write(core, CS_COREPMU_EXT32_PMCNTENCLR, 0x80000001, 1400);
    feed.sample(1500, 0x80001000, {{7, 0, 0, 0}, {7, 0, 0, 0}});
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_EQ(feed.seen[0].events, (std::vector<uint32_t>{0x08}));
    EXPECT_EQ(feed.seen[0].windows[0].start, 101u);
    EXPECT_EQ(feed.seen[0].windows[0].stop, 1301u);
    EXPECT_EQ(feed.seen[0].truths[0], feed.truth(0, 0x08, 101, 1301));
    EXPECT_EQ(r->values, 2u);
    EXPECT_EQ(r->wrong_values, 2u);
    EXPECT_EQ(r->last_stop, 1301u);
}

// docs/hw/pmcu.md, "Failed slots": which of two subsamples a lost access of CPU 1 spoils.
TEST(CollectorEdges, AFailedSlotHasNoWindow)
{
    const struct {
        unsigned state;
        uint64_t offset;
        bool fails[2];
    } rows[] = {
        {kInit, CS_COREPMU_EXT32_PMCCFILTR, {true, true}},
        {kProgram, CS_COREPMU_EXT32_PMEVTYPER, {true, false}},
        {kStart, CS_COREPMU_EXT32_PMCNTENSET, {true, false}},
        {kStop, CS_COREPMU_EXT32_PMCNTENCLR, {true, true}},
        {kRead, CS_COREPMU_EXT32_PMCR, {false, true}},
    };

    for (const auto &row : rows)
        for (bool bus_error : {false, true}) {
            Feed feed;

            feed.trigger(1, 60);
            for (unsigned n = 0; n < 2; n++) {
                const cs_cycle t = 100 + 2000 * n;
                for (unsigned state : {kInit, kProgram, kStart, kStop, kRead}) {
                    static const std::map<unsigned, uint64_t> offsets = {
                        {kInit, CS_COREPMU_EXT32_PMCCFILTR},
                        {kProgram, CS_COREPMU_EXT32_PMEVTYPER},
                        {kStart, CS_COREPMU_EXT32_PMCNTENSET},
                        {kStop, CS_COREPMU_EXT32_PMCNTENCLR},
                        {kRead, CS_COREPMU_EXT32_PMCR}};
                    if (state == kInit && n == 1)
                        continue;
                    for (unsigned cpu = 0; cpu < 2; cpu++) {
                        const bool bad = n == 0 && cpu == 1 && state == row.state;
                        const uint32_t value = state == kStop ? 0x80000001u : 8;
                        feed.of_cpu(state, cpu, offsets.at(state), value, t + 100 * state,
                                    bad ? CS_BUS_SLVERR : CS_BUS_OKAY, bad && bus_error);
                    }
                }
                feed.sample(t + 900, 0x80001000 + 128 * n, {{1, 1, 0, 0}, {1, 1, 0, 0}});
            }
            const cs_pmcu_results *r = feed.finish();

            ASSERT_EQ(feed.seen.size(), 2u);
            unsigned failed = 0;
            for (unsigned n = 0; n < 2; n++) {
                EXPECT_TRUE(feed.seen[n].windows[0].counted);
                EXPECT_EQ(feed.seen[n].windows[1].counted, !row.fails[n]) << row.state << n;
                EXPECT_EQ(feed.seen[n].windows[1].spoilt, row.fails[n] ? row.state : 0u);
                EXPECT_EQ(feed.seen[n].events[0], 8u);
                failed += row.fails[n];
            }
            EXPECT_EQ(r->failed_online, failed);
            EXPECT_EQ(r->windows, 4u - failed);
        }
}

// A write that the unit answers with an error, as one of 8 bytes, does nothing.
TEST(CollectorEdges, ARefusedWriteOfTheUnitIsNone)
{
    Feed feed;

    feed.pmcu(CS_PMCU_FSM_CFG, 1u << CS_PMCU_FSM_CFG_NR_PMU_SHIFT | 1u << 8 | 1);
    feed.write(CS_UNIT_PMCU, CS_PMCU_FSM_CFG, 0, 0, CS_BUS_SLVERR);
    feed.write(CS_UNIT_PMCU, CS_PMCU_FSM_CTRL, 1, 0, CS_BUS_SLVERR);
    feed.pmcu(CS_PMCU_FSM_CTRL, 1);
    feed.state(kInit, 10);
    feed.program(0, {0x08});
    feed.enable(0, 0x80000001, 100);
    feed.disable(0, 0x80000001, 1300);
    feed.sample(1500, 0x80001000, {{1, 0, 0, 0}, {1, 0, 0, 0}});

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_EQ(feed.seen[0].events.size(), 1u);
    EXPECT_EQ(feed.finish()->triggers, 1u);
}

// A slot without a core is zero in each subsample, and no failure. One whose core is off is one.
TEST(CollectorEdges, ASlotWithoutACoreHasNotFailed)
{
    Feed feed({"corepmu.absent=[1]", "corepmu.offline=[3]"});

    feed.trigger(1, 60);
    for (unsigned n = 0; n < 2; n++) {
        const cs_cycle t = 20000 * n;

        feed.program(0, {0x08});
        feed.enable(0, 0x80000001, t + 100);
        feed.disable(0, 0x80000001, t + 5000);
        feed.disable(1, 0x80000001, t + 5010, CS_BUS_SLVERR);
        feed.disable(3, 0x80000001, t + 5020, CS_BUS_SLVERR);
        feed.sample(t + 9100, 0x80001000 + 128 * n, {{1, 0, 0, 0}, {1, 0, 0, 0}});
    }
    const cs_pmcu_results *r = feed.finish();

    EXPECT_EQ(r->absent_slots, 2u) << "one CPU, two subsamples";
    EXPECT_EQ(r->failed_slots, 2u) << "CPU 3, which is there, and off";
    EXPECT_EQ(r->failed_online, 0u);
}

// A core that was off when its slot failed ought not to have answered; one that was off and back
// within its window has lost its counters, and nobody was told.
TEST(CollectorEdges, OutagesSayWhyASlotFailed)
{
    Feed feed({"software.cpu=3", "corepmu.offline=[]",
               "corepmu.outages=[{cpu: 1, at_us: 1, for_us: 5, unlock_us: 1}, {cpu: 2, at_us: 1, "
               "for_us: 3, kind: power_down, unlock_us: 0}, {cpu: 0, at_us: 1, for_us: 3, kind: "
               "clock_stop}]"});

    feed.trigger(1, 60);
    for (unsigned n = 0; n < 2; n++) {
        const cs_cycle t = 20000 * n;

        for (unsigned cpu = 0; cpu < 3; cpu++)
            feed.program(cpu, {0x08});
        for (unsigned cpu = 0; cpu < 3; cpu++)
            feed.enable(cpu, 0x80000001, t + 100);
        feed.disable(0, 0x80000001, t + 5000);
        feed.disable(1, 0x80000001, t + 5010, n == 0 ? CS_BUS_SLVERR : CS_BUS_OKAY);
        feed.disable(2, 0x80000001, t + 5020);
        feed.sample(t + 9100, 0x80001000 + 128 * n, {{1, 0, 1, 0}, {1, 0, 1, 0}});
    }
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 2u);
    EXPECT_EQ(r->failed_slots, 2u) << "an error on STOP is one of two subsamples";
    EXPECT_EQ(r->off_slots, 2u);
    EXPECT_EQ(r->failed_online, 0u);
    EXPECT_EQ(r->lost_slots, 1u) << "CPU 2, whose power went and came between two walks";
    EXPECT_TRUE(feed.seen[0].windows[0].counted);
    EXPECT_EQ(feed.seen[0].truths[0],
              feed.truth(0, 0x08, 101, 1000) + feed.truth(0, 0x08, 4000, 5001))
        << "a clock that stands counts nothing";
}

// docs/hw/pmcu.md, "A core that goes off": PMCCFILTR comes back with the next trigger alone.
TEST(CollectorEdges, ALostFilterIsLostToTheEndOfTheRun)
{
    for (const uint32_t filter : {0u, 0x08000000u}) {
        Feed feed(
            {"corepmu.outages=[{cpu: 1, at_us: 12, for_us: 1, kind: power_down, unlock_us: 0}]"});

        feed.pmcu(CS_PMCU_PMCCFILTR, filter);
        feed.trigger(1, 60);
        for (unsigned n = 0; n < 3; n++) {
            const cs_cycle t = 10000 * n;

            for (unsigned cpu = 0; cpu < 2; cpu++) {
                feed.enable(cpu, 0x80000001, t + 100);
                feed.disable(cpu, 0x80000001, t + 5000);
            }
            feed.sample(t + 9100, 0x80001000 + 128 * n, {{1, 1, 0, 0}, {1, 1, 0, 0}});
        }
        EXPECT_EQ(feed.finish()->lost_slots, filter != 0 ? 2u : 1u) << filter;
    }
}

// Posted writes take effect after their transfer, or, with a bridge that is fast, before it is
// complete: the window follows the effect. An error of one comes at a read.
TEST(CollectorEdges, WindowsFollowTheEffectsOfPostedWrites)
{
    Feed feed({"corepmu.bus_posted=4", "corepmu.bus_ratio=2"});
    const auto transfer = [&](unsigned cpu, uint64_t offset, bool write, cs_cycle cycle,
                              uint8_t resp) {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = CS_PROBE_BUS;
        r.write = write;
        r.resp = resp;
        r.source = CS_MANAGER_PMCU(0);
        r.addr = 0x20000000 + 0x100000 * (cpu / 2) + 0x10000 * (cpu % 2) + offset;
        r.bytes = 4;
        cs_pmcu_collector_record(feed.collector, &r);
    };
    const auto posted = [&](unsigned cpu, uint64_t offset, uint64_t value, cs_cycle asked,
                            cs_cycle effect, uint8_t resp = CS_BUS_OKAY) {
        const auto unit = static_cast<uint16_t>(CS_UNIT_CORE(cpu));

        if (effect < asked)
            feed.write(unit, offset, value, effect, resp);
        transfer(cpu, offset, true, asked, CS_BUS_OKAY);
        if (effect >= asked)
            feed.write(unit, offset, value, effect, resp);
    };

    feed.trigger(1, 60);
    for (unsigned n = 0; n < 3; n++) {
        const cs_cycle t = 10000 * n;

        feed.state(kProgram, t + 20);
        for (unsigned cpu = 0; cpu < 3; cpu++)
            posted(cpu, CS_COREPMU_EXT32_PMEVTYPER, 0x08, t + 30, t + 32);
        feed.state(kStart, t + 50);
        posted(0, CS_COREPMU_EXT32_PMCNTENSET, 0x80000001, t + 60, t + 100);
        posted(1, CS_COREPMU_EXT32_PMCNTENSET, 0x80000001, t + 62, t + 120);
        posted(2, CS_COREPMU_EXT32_PMCNTENSET, 0x80000001, t + 64, t + 63,
               n == 1 ? CS_BUS_SLVERR : CS_BUS_OKAY);
        feed.state(5, t + 70);
        feed.state(kStop, t + 2000);
        for (unsigned cpu = 0; cpu < 3; cpu++)
            posted(cpu, CS_COREPMU_EXT32_PMCNTENCLR, 0x80000001, t + 2010, t + 2100 + cpu);
        feed.state(kRead, t + 2020);
        transfer(2, 0x200, false, t + 2200, n == 1 ? CS_BUS_SLVERR : CS_BUS_OKAY);
        feed.state(9, t + 2300);
        feed.sample(t + 2300, 0x80001000 + 128 * n, {{1, 1, 1, 0}, {1, 1, 1, 0}});
    }
    const cs_pmcu_results *r = feed.finish();

    ASSERT_EQ(feed.seen.size(), 3u);
    EXPECT_EQ(feed.seen[0].events, std::vector<uint32_t>{0x08});
    EXPECT_EQ(feed.seen[0].windows[0].start, 101u);
    EXPECT_EQ(feed.seen[0].windows[0].stop, 2101u);
    EXPECT_EQ(feed.seen[0].windows[1].start, 121u);
    EXPECT_EQ(feed.seen[0].windows[2].start, 64u) << "the effect came before the answer";
    EXPECT_EQ(r->start_skew_cycles, 57u);
    EXPECT_TRUE(feed.seen[0].windows[2].counted);
    EXPECT_EQ(feed.seen[1].windows[2].spoilt, kRead) << "a late error";
    EXPECT_EQ(feed.seen[2].windows[2].spoilt, kRead) << "and nobody knows of which write";
    EXPECT_TRUE(feed.seen[1].windows[1].counted);
}
