// SPDX-License-Identifier: Apache-2.0
// What traces are fed with, by hand: rings and AUX data that are cut anywhere.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

extern "C" {
#include "traces/hpm/ring_feed.h"
#include "traces/perf/rounds.h"
#include "traces/pmcu/pmcu_feed.h"
}

namespace
{

void put(std::vector<uint8_t> &to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// Record i of a ring: samples, and now and then LOST and THROTTLE.
std::vector<uint8_t> record(unsigned i)
{
    std::vector<uint8_t> r;
    const uint64_t id = 1 + i % 3;
    const auto trailer = [&] {
        put(r, 100 + i, 4);
        put(r, 200 + i, 4);
        put(r, 1000 + i, 8);
        put(r, 0, 8);
    };

    if (i % 7 == 3) {
        put(r, 2 | uint64_t{56} << 48, 8);
        put(r, id, 8);
        put(r, 5 + i, 8);
        trailer();
        put(r, id, 8);
    } else if (i % 7 == 5) {
        put(r, 5 | uint64_t{64} << 48, 8);
        put(r, 1000 + i, 8);
        put(r, id, 8);
        put(r, id, 8);
        trailer();
        put(r, id, 8);
    } else {
        put(r, 9 | uint64_t{2} << 32 | uint64_t{56} << 48, 8);
        put(r, id, 8);
        put(r, 0x4000 + i, 8);
        trailer();
        put(r, 77 + i, 8);
    }
    return r;
}

void keep(void *ctx, unsigned hart, bool guest, const cs_perf_record *r)
{
    EXPECT_EQ(hart, 3u);
    EXPECT_TRUE(guest);
    static_cast<std::vector<cs_perf_record> *>(ctx)->push_back(*r);
}

} // namespace

// ---- rounds ----

TEST(Rounds, OnesIsWrittenWhenNothingOlderCanCome)
{
    cs_perf_rounds *rounds = cs_perf_rounds_create(2);
    unsigned written = 0;

    ASSERT_NE(rounds, nullptr);
    // the other ring says nothing: the first round may end all the same, but no other
    for (uint64_t i = 0; i < 10240; i++)
        written += cs_perf_rounds_put(rounds, 0, 1000 + i);
    EXPECT_EQ(written, 1u);
    // it has come as far as the first round had
    cs_perf_rounds_put(rounds, 1, 1000 + 1022);
    for (uint64_t i = 0; i < 2048; i++)
        written += cs_perf_rounds_put(rounds, 0, 20000 + i);
    EXPECT_EQ(written, 1u);
    cs_perf_rounds_put(rounds, 1, 1000 + 1023);
    for (uint64_t i = 0; i < 1024; i++)
        written += cs_perf_rounds_put(rounds, 0, 30000 + i);
    EXPECT_EQ(written, 2u);
    cs_perf_rounds_destroy(rounds);
}

TEST(RingFeed, RecordsComeWholeHoweverTheyAreCut)
{
    std::mt19937 random(3);
    std::vector<uint8_t> all;

    for (unsigned i = 0; i < 100; i++) {
        const std::vector<uint8_t> r = record(i);

        all.insert(all.end(), r.begin(), r.end());
    }
    for (const unsigned most : {1u, 7u, 64u, 5000u}) {
        std::vector<cs_perf_record> found;
        auto feed = std::make_unique<cs_ring_feed>();

        feed->record = keep;
        feed->ctx = &found;
        for (size_t at = 0; at < all.size();) {
            const size_t here = std::min<size_t>(1 + random() % most, all.size() - at);
            const std::vector<uint8_t> piece(all.begin() + at, all.begin() + at + here);

            ASSERT_TRUE(cs_ring_feed_put(feed.get(), 3, true, piece.data(), piece.size()));
            at += here;
        }
        ASSERT_EQ(found.size(), 100u);
        for (unsigned i = 0; i < 100; i++) {
            const cs_perf_record &r = found[i];
            const bool sample = i % 7 != 3 && i % 7 != 5;

            EXPECT_EQ(r.type, sample ? 9u : i % 7 == 3 ? 2u : 5u);
            EXPECT_EQ(r.id, 1 + i % 3);
            EXPECT_EQ(r.pid, 100 + i);
            EXPECT_EQ(r.tid, 200 + i);
            EXPECT_EQ(r.time, 1000 + i);
            EXPECT_EQ(r.ip, sample ? 0x4000 + i : 0);
            EXPECT_EQ(r.period, sample ? 77 + i : 0);
            EXPECT_EQ(r.lost, i % 7 == 3 ? 5 + i : 0);
        }
    }
}

TEST(RingFeed, WhatIsNoRecordIsRefused)
{
    for (const unsigned size : {0u, 8u, 32u, CS_PERF_RECORD_MOST + 8, 65535u}) {
        auto feed = std::make_unique<cs_ring_feed>();
        std::vector<uint8_t> r;

        feed->record = keep;
        put(r, 9 | uint64_t{size} << 48, 8);
        r.resize(64);
        EXPECT_FALSE(cs_ring_feed_put(feed.get(), 0, false, r.data(), r.size())) << size;
    }
}

// ---- subsamples ----

namespace
{

struct Fed {
    uint32_t subsample;
    cs_cycle cycle;
    uint32_t pid;
    std::vector<uint64_t> values;
};

void keep_fed(void *ctx, const cs_pmcu_fed *s)
{
    const size_t n = size_t(s->nr_events + s->has_cycles) * s->nr_cpus;

    static_cast<std::vector<Fed> *>(ctx)->push_back(
        {s->subsample, s->cycle, s->pids[s->nr_cpus - 1], {s->values, s->values + n}});
}

// Two CPUs, samples of two subsamples with one event and the cycle counter, 32 bytes each.
struct PmcuFeed : testing::Test {
    std::vector<Fed> found;
    cs_pmcu_feed *feed = nullptr;

    void SetUp() override
    {
        ASSERT_EQ(cs_pmcu_feed_create(keep_fed, &found, &feed, nullptr), CS_OK);
        cs_pmcu_feed_begin(feed, 2);
    }
    void TearDown() override
    {
        cs_pmcu_feed_destroy(feed);
    }
    // A trigger; the hardware stores from the address on.
    void run(unsigned count, uint64_t address, cs_cycle first, uint64_t samples_done)
    {
        for (unsigned i = 0; i < count; i++) {
            const uint32_t cid1[] = {1, uint32_t(first + i)};
            const uint32_t cid2[] = {0, 0};
            const uint64_t values[] = {first, i, 3, 4};
            cs_pmcu_subsample s = {};

            s.of_trigger = i;
            s.cycle = first + i;
            s.addr = address + 32 * i;
            s.bytes = 32;
            s.nr_cpus = 2;
            s.nr_events = 1;
            s.has_cycles = true;
            s.cid1 = cid1;
            s.cid2 = cid2;
            s.values = values;
            cs_pmcu_feed_subsample(feed, &s);
        }
        cs_pmcu_trigger trigger = {};
        trigger.samples_done = samples_done;
        cs_pmcu_feed_trigger(feed, &trigger);
    }
    void hand_over(uint64_t address, uint64_t bytes)
    {
        const cs_pmcu_aux_stretch stretch = {0, address, bytes, false};

        cs_pmcu_feed_aux(feed, &stretch);
    }
};

} // namespace

TEST_F(PmcuFeed, AStretchHasTheSubsamplesOfTheRunsThatCount)
{
    run(7, 0x1000, 900, 0); // a run that failed: dropped
    run(30, 0x1040, 1000, 15);
    run(3, 0x1400, 1900, 0);
    hand_over(0x1000, 0x400);
    ASSERT_EQ(found.size(), 30u);
    run(10, 0x1400, 2000, 5);
    hand_over(0x1400, 0x400);

    EXPECT_EQ(cs_pmcu_feed_status(feed), CS_OK);
    ASSERT_EQ(found.size(), 40u);
    for (unsigned i = 0; i < 40; i++) {
        const cs_cycle first = i < 30 ? 1000 : 2000;
        const unsigned k = i < 30 ? i : i - 30;

        EXPECT_EQ(found[i].subsample, k % 2);
        EXPECT_EQ(found[i].cycle, first + k);
        EXPECT_EQ(found[i].pid, first + k);
        EXPECT_EQ(found[i].values, (std::vector<uint64_t>{first, k, 3, 4}));
    }
}

TEST_F(PmcuFeed, AStretchEndsWhereItEnds)
{
    run(4, 0x1000, 100, 2);
    run(4, 0x2000, 200, 2); // the next buffer
    hand_over(0x1000, 0x60);
    EXPECT_EQ(found.size(), 3u);
    hand_over(0x1060, 0x20);
    EXPECT_EQ(found.size(), 4u);
    hand_over(0x1080, 0x80); // nothing was stored there
    EXPECT_EQ(found.size(), 4u);
    hand_over(0x2000, 0x1000);
    EXPECT_EQ(found.size(), 8u);
}

TEST_F(PmcuFeed, WhatIsNeverHandedOverIsFreed)
{
    for (unsigned i = 0; i < 100; i++)
        run(3, 0x1000 + 0x100 * i, 10 * i, 1);
    hand_over(0x1000, 0x100 * 60);

    EXPECT_EQ(found.size(), 180u);
}
