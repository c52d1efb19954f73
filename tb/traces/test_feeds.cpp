// What traces are fed with, by hand: rings and AUX data that are cut anywhere.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

extern "C" {
#include "traces/common/pmcu_feed.h"
#include "traces/common/ring_feed.h"
#include "traces/perf/rounds.h"
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

// ---- AUX data ----

namespace
{

struct Fed {
    uint64_t sample;
    uint32_t subsample;
    cycle_t cycle;
    uint64_t first;
};

void keep_fed(void *ctx, const cs_pmcu_fed *s)
{
    uint64_t first;

    memcpy(&first, s->bytes, sizeof first);
    static_cast<std::vector<Fed> *>(ctx)->push_back({s->sample, s->subsample, s->cycle, first});
}

// One CPU, two groups of one event: subsamples of 24 bytes in buffers of 128.
std::vector<uint8_t> aux_data(unsigned samples)
{
    std::vector<uint8_t> aux;
    uint64_t number = 1;

    for (const uint32_t word : {128u, 1u, 1u, 0u, 24u, 2u, 2u, 0x08u, 0x11u})
        put(aux, word, 4);
    aux.resize(48);
    for (unsigned i = 0; i < samples; i++) {
        if (128 - aux.size() % 128 < 48)
            aux.resize((aux.size() / 128 + 1) * 128, 0xee);
        for (unsigned k = 0; k < 2; k++, number++) {
            put(aux, number, 8);
            aux.resize(aux.size() + 16);
        }
    }
    return aux;
}

void stored(cs_pmcu_feed *feed, unsigned count, cycle_t first, uint64_t samples_done)
{
    for (unsigned i = 0; i < count; i++) {
        cs_subsample s = {};

        s.cycle = first + i;
        cs_pmcu_feed_subsample(feed, &s);
    }
    cs_pmcu_trigger trigger = {};
    trigger.samples_done = samples_done;
    cs_pmcu_feed_trigger(feed, &trigger);
}

} // namespace

TEST(PmcuFeed, SubsamplesHaveTheTimesOfTheRunsThatCount)
{
    const std::vector<uint8_t> aux = aux_data(20);
    std::mt19937 random(5);

    for (const unsigned most : {1u, 5u, 130u, 5000u}) {
        std::vector<Fed> found;
        cs_pmcu_feed *feed = nullptr;
        auto scenario = std::make_unique<cs_scenario>();

        ASSERT_EQ(cs_pmcu_feed_create(scenario.get(), keep_fed, &found, &feed, nullptr), CS_OK);
        stored(feed, 7, 900, 0); // a run that failed: dropped
        stored(feed, 30, 1000, 15);
        stored(feed, 3, 1900, 0);
        stored(feed, 10, 2000, 5);
        for (size_t at = 0; at < aux.size();) {
            const size_t here = std::min<size_t>(1 + random() % most, aux.size() - at);
            const std::vector<uint8_t> piece(aux.begin() + at, aux.begin() + at + here);

            cs_pmcu_feed_aux(feed, piece.data(), piece.size());
            at += here;
        }
        EXPECT_EQ(cs_pmcu_feed_status(feed), CS_OK);
        ASSERT_EQ(found.size(), 40u);
        for (unsigned i = 0; i < 40; i++) {
            EXPECT_EQ(found[i].sample, i / 2);
            EXPECT_EQ(found[i].subsample, i % 2);
            EXPECT_EQ(found[i].first, i + 1);
            EXPECT_EQ(found[i].cycle, i < 30 ? 1000 + i : 2000 + i - 30);
        }
        cs_pmcu_feed_destroy(feed);
    }
}

TEST(PmcuFeed, DataThatAreNoneOfTheDriversAreRefused)
{
    std::vector<uint8_t> aux = aux_data(2);
    std::vector<Fed> found;
    cs_pmcu_feed *feed = nullptr;
    auto scenario = std::make_unique<cs_scenario>();

    // More subsamples than the hardware has stored.
    ASSERT_EQ(cs_pmcu_feed_create(scenario.get(), keep_fed, &found, &feed, nullptr), CS_OK);
    stored(feed, 1, 10, 1);
    cs_pmcu_feed_aux(feed, aux.data(), aux.size());
    EXPECT_EQ(cs_pmcu_feed_status(feed), CS_ERR_FORMAT);
    EXPECT_EQ(found.size(), 1u);
    cs_pmcu_feed_destroy(feed);

    // A header that contradicts itself.
    ASSERT_EQ(cs_pmcu_feed_create(scenario.get(), keep_fed, &found, &feed, nullptr), CS_OK);
    aux[16] = 25;
    cs_pmcu_feed_aux(feed, aux.data(), aux.size());
    EXPECT_EQ(cs_pmcu_feed_status(feed), CS_ERR_FORMAT);
    cs_pmcu_feed_destroy(feed);
}
