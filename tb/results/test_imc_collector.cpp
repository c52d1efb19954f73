// SPDX-License-Identifier: Apache-2.0
// Records of trace mode and postings of the nest, as the probe stream tells them.
#include <gtest/gtest.h>

#include "results/imc_feed.hpp"

using namespace cs_test;

namespace
{

const cs_function_result *function(const ImcFeed::Results *r, const std::string &name)
{
    for (size_t i = 0; i < r->nr_functions; i++)
        if (r->functions[i].name == name)
            return &r->functions[i];
    throw std::runtime_error("no function " + name);
}

} // namespace

TEST(ImcCollector, ASampleAsTheHardwareMadeIt)
{
    ImcFeed feed;

    feed.put(0, 100);
    feed.put(2, 150, 0x5000);
    feed.put(2, 190, 0x5000);

    ASSERT_EQ(feed.seen.size(), 3u);
    const SeenSample &first = feed.seen[0], &last = feed.seen[2];
    EXPECT_EQ(first.cpu, 0u);
    EXPECT_EQ(first.snapshot, 100u);
    EXPECT_EQ(first.cycle, 120u);
    EXPECT_EQ(first.addr, 0x81000000u);
    EXPECT_EQ(first.resp, CS_BUS_OKAY);
    EXPECT_EQ(first.truth.pc, feed.context(0, 100).pc);
    EXPECT_EQ(first.truth.cid1, 11u);
    EXPECT_EQ(first.truth.mode, CS_MODE_HOST_USER);
    ASSERT_EQ(first.bytes.size(), 64u);
    EXPECT_EQ(first.bytes[63], 63u);
    EXPECT_EQ(last.cpu, 2u) << "core 1, thread 0";
    EXPECT_EQ(last.number, 1u);
    EXPECT_EQ(last.truth.cid2, 7u);
    EXPECT_EQ(last.truth.mode, CS_MODE_GUEST_USER);
    EXPECT_EQ(last.bytes[63], 64u) << "the bytes are those of its own address";
}

// The truth is that of the snapshot, not that of the write.
TEST(ImcCollector, TheTruthIsTheSnapshots)
{
    ImcFeed feed;

    feed.put(0, 599, feed.context(0, 599).pc);
    feed.put(0, 599 + 800, feed.context(0, 599 + 800 + 20).pc);

    EXPECT_EQ(feed.seen[0].truth.mode, CS_MODE_HOST_USER);
    EXPECT_EQ(feed.finish()->cpus[0].wrong, 1u) << "the second is the kernel's of 20 cycles later";
}

TEST(ImcCollector, WrittenFailedLostWrong)
{
    ImcFeed feed;

    for (unsigned i = 0; i < 5; i++)
        feed.put(0, 1000 + 100 * i);
    feed.put(0, 2000, feed.context(0, 2000).pc ^ 4);
    feed.put(0, 2100, 0, CS_BUS_SLVERR);
    feed.put(0, 2200, 0, CS_BUS_DECERR);
    feed.put(1, 2300, 0, CS_SAMPLE_LOST);
    feed.put(3, 2400); // idle: its program counter is 0, and right
    const ImcFeed::Results *r = feed.finish();

    EXPECT_EQ(r->cpus[0].records, 6u);
    EXPECT_EQ(r->cpus[0].failed, 2u);
    EXPECT_EQ(r->cpus[0].lost, 0u);
    EXPECT_EQ(r->cpus[0].wrong, 1u);
    EXPECT_EQ(r->cpus[1].lost, 1u);
    EXPECT_EQ(r->cpus[1].records, 0u);
    EXPECT_EQ(r->cpus[3].records, 1u);
    EXPECT_EQ(r->cpus[3].wrong, 0u);
    EXPECT_EQ(r->all.records, 7u);
    EXPECT_EQ(r->all.failed, 2u);
    EXPECT_EQ(r->all.lost, 1u);
    EXPECT_EQ(r->all.wrong, 1u);
    ASSERT_EQ(feed.seen.size(), 10u) << "the listener hears of all";
    EXPECT_TRUE(feed.seen[6].bytes.empty());
    EXPECT_TRUE(feed.seen[8].bytes.empty());
    EXPECT_EQ(feed.seen[8].resp, CS_SAMPLE_LOST);
}

TEST(ImcCollector, SharesAgainstWeights)
{
    ImcFeed feed;

    // 8 records of web: 4 parse, 2 reply, 1 send, 1 at no function's address; 2 of batch.
    for (uint64_t pc : {0x1000, 0x10fc, 0x1004, 0x1008, 0x3000, 0x30fc, 0x207c, 0x2080})
        feed.put(pc < 0x2000 ? 0 : 1, 1000 + pc, pc);
    feed.put(2, 5000, 0x5000);
    feed.put(2, 5100, 0x503c);
    feed.put(3, 5200, 0x1000); // idle: of no workload
    feed.put(2, 5300, 0x1000); // a function, but of another workload
    const ImcFeed::Results *r = feed.finish();

    ASSERT_EQ(r->nr_functions, 5u);
    EXPECT_EQ(function(r, "parse")->samples, 4u);
    EXPECT_EQ(function(r, "reply")->samples, 2u);
    EXPECT_EQ(function(r, "send")->samples, 1u);
    EXPECT_EQ(function(r, "solve")->samples, 2u);
    EXPECT_EQ(function(r, "unused")->samples, 0u);
    EXPECT_EQ(function(r, "parse")->base, 0x1000u);
    EXPECT_DOUBLE_EQ(function(r, "parse")->share, 4.0 / 9);
    // Web has 7 of the 9 records: three quarters of its time go to parse and reply as 3 to 1.
    EXPECT_DOUBLE_EQ(function(r, "parse")->expected, 7.0 / 9 * 0.75 * 0.75);
    EXPECT_DOUBLE_EQ(function(r, "reply")->expected, 7.0 / 9 * 0.75 * 0.25);
    EXPECT_DOUBLE_EQ(function(r, "send")->expected, 7.0 / 9 * 0.25);
    EXPECT_DOUBLE_EQ(function(r, "solve")->expected, 2.0 / 9);
    EXPECT_DOUBLE_EQ(function(r, "unused")->expected, 0.0);
    for (size_t i = 1; i < r->nr_functions; i++)
        EXPECT_GE(r->functions[i - 1].samples, r->functions[i].samples) << "by falling share";
}

// Time in a segment without functions belongs to none: shares are of what is in functions.
TEST(ImcCollector, SegmentsWithoutFunctions)
{
    ImcFeed feed(R"(
imc: {cores: 1, threads: 1}
software: {kind: script}
script: [{delay: 1}]
workloads:
  - segments:
      - {cycles: 300, functions: [{name: a, base: 0x1000, size: 16}]}
      - {cycles: 600}
      - {cycles: 100, functions: [{name: b, base: 0x2000, size: 16}]}
)");

    for (cs_cycle t = 5; t < 10000; t += 10)
        feed.put(0, t);
    const ImcFeed::Results *r = feed.finish();

    EXPECT_EQ(r->all.records, 1000u);
    EXPECT_EQ(r->all.wrong, 0u);
    EXPECT_DOUBLE_EQ(function(r, "a")->share, 0.75);
    EXPECT_DOUBLE_EQ(function(r, "a")->expected, 0.75);
    EXPECT_DOUBLE_EQ(function(r, "b")->expected, 0.25);
}

// One function in two segments is one row; two workloads with the same function share it, too.
TEST(ImcCollector, AFunctionOfSeveralSegmentsAndWorkloads)
{
    ImcFeed feed(R"(
imc: {cores: 1, threads: 2}
software: {kind: script}
script: [{delay: 1}]
workloads:
  - cpus: 0
    segments:
      - {cycles: 100, functions: [{name: memcpy, base: 0x1000, size: 64, weight: 1},
                                  {name: a, base: 0x2000, size: 64, weight: 3}]}
      - {cycles: 100, functions: [{name: memcpy, base: 0x1000, size: 128}]}
  - cpus: 1
    segments: [{functions: [{name: memcpy, base: 0x1000, size: 64}]}]
)");

    feed.put(0, 10, 0x1000);
    feed.put(0, 20, 0x107c); // only the second segment's memcpy is so long
    feed.put(0, 30, 0x2000);
    feed.put(0, 40, 0x2004);
    feed.put(1, 50, 0x1000);
    feed.put(1, 60, 0x1000);
    const ImcFeed::Results *r = feed.finish();

    ASSERT_EQ(r->nr_functions, 2u);
    EXPECT_EQ(function(r, "memcpy")->samples, 4u);
    EXPECT_DOUBLE_EQ(function(r, "memcpy")->share, 4.0 / 6);
    EXPECT_DOUBLE_EQ(function(r, "memcpy")->expected, (4 * 0.625 + 2 * 1.0) / 6);
    EXPECT_DOUBLE_EQ(function(r, "a")->expected, 4 * 0.375 / 6);
}

// Over many snapshots the sampled shares are the weights.
TEST(ImcCollector, RegularSnapshotsSeeTheWeights)
{
    ImcFeed feed;

    for (cs_cycle t = 0; t < 4000000; t += 997)
        for (unsigned cpu = 0; cpu < 3; cpu++)
            feed.put(cpu, t);
    const ImcFeed::Results *r = feed.finish();

    EXPECT_EQ(r->all.wrong, 0u);
    EXPECT_EQ(r->all.records, 3u * 4013);
    // n = 12039 independent draws: four standard deviations are 4 sqrt(p (1 - p) / n) < 0.0183.
    for (size_t i = 0; i < r->nr_functions; i++)
        EXPECT_NEAR(r->functions[i].share, r->functions[i].expected, 0.0183)
            << r->functions[i].name;
}

TEST(ImcCollector, PostingsOfTheNest)
{
    ImcFeed feed;

    for (unsigned group : {1, 2, 1, 7, 3, 1})
        feed.post(group, 100);
    const ImcFeed::Results *r = feed.finish();

    EXPECT_EQ(feed.nest.postings, 6u);
    EXPECT_TRUE(feed.seen.empty());
    EXPECT_EQ(r->all.records, 0u);
}

TEST(ImcCollector, OtherUnitsAreNotItsBusiness)
{
    ImcFeed feed;
    cs_probe_record r = {};

    for (unsigned kind : {CS_PROBE_BUS, CS_PROBE_REG, CS_PROBE_STATE, CS_PROBE_IRQ}) {
        r.kind = static_cast<uint8_t>(kind);
        r.source = CS_UNIT_IMC(0);
        feed.emit(r);
    }
    r.kind = CS_PROBE_SAMPLE;
    for (unsigned source : {CS_UNIT_PMCU, CS_UNIT_SCOM, CS_UNIT_SPR, CS_UNIT_HART(0)}) {
        r.source = static_cast<uint16_t>(source);
        feed.emit(r);
    }
    const ImcFeed::Results *results = feed.finish();

    EXPECT_TRUE(feed.seen.empty());
    EXPECT_EQ(results->all.records + results->all.lost + results->all.failed, 0u);
}

TEST(ImcCollector, CpuNumbersBesideAPmcu)
{
    ImcFeed feed(R"(
pmcu: {clusters: 1, slots: 2}
imc: {cores: 2, threads: 2}
software: {kind: script}
script: [{delay: 1}]
workloads: [{cpus: 5, segments: [{cid1: 99, functions: [{name: f, base: 0x1000, size: 4}]}]}]
)");
    cs_probe_record r = {};

    r.kind = CS_PROBE_SAMPLE;
    r.source = CS_UNIT_IMC(1);
    r.index = 1;
    r.resp = CS_SAMPLE_LOST;
    r.request = 77;
    feed.emit(r);

    ASSERT_EQ(feed.seen.size(), 1u);
    EXPECT_EQ(feed.seen[0].cpu, 5u);
    EXPECT_EQ(feed.seen[0].truth.cid1, 99u);
    EXPECT_EQ(feed.finish()->cpus[5].lost, 1u);
}

TEST(ImcCollector, NothingHappened)
{
    ImcFeed feed;
    const ImcFeed::Results *r = feed.finish();

    EXPECT_EQ(r->all.records, 0u);
    EXPECT_EQ(r->nr_functions, 5u);
    for (size_t i = 0; i < r->nr_functions; i++) {
        EXPECT_EQ(r->functions[i].share, 0.0);
        EXPECT_EQ(r->functions[i].expected, 0.0);
    }
    cs_imc_collector_destroy(nullptr);
}
