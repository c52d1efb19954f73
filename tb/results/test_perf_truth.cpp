// SPDX-License-Identifier: Apache-2.0
// What a count of perf ought to be: streams, filters of the quadrants, threads of a core.
#include <gtest/gtest.h>

#include <memory>

#include "formats/imc/catalog/catalog.h"
#include "nest_rows.h"
#include "results/imc/perf_truth.h"
#include "results/imc_feed.hpp"
#include "scenario/imc/imc_spec.h"

using namespace cs_test;

namespace
{

constexpr uint32_t kHost = CS_MODE_MASK(CS_MODE_HOST_USER) | CS_MODE_MASK(CS_MODE_HOST_KERNEL);
constexpr uint32_t kUser = CS_MODE_MASK(CS_MODE_HOST_USER) | CS_MODE_MASK(CS_MODE_GUEST_USER);
constexpr uint32_t kKernel = CS_MODE_MASK(CS_MODE_HOST_KERNEL) | CS_MODE_MASK(CS_MODE_GUEST_KERNEL);

const std::string kStreams =
    "[{event: CPM_CS_INST, kind: random, rate: 1.1, max_increment: 12}, "
    "{event: CPM_NON_IDLE_INST, kind: random, rate: 0.9, max_increment: 12}, "
    "{event: CPM_CS_DERAT_MISS, kind: random, rate: 0.03}, "
    "{event: 'cpmc1:58', rate: 0.5}]";

// A PMCU's CPUs come first: 2 Arm CPUs, then two cores of two threads. Every mode has its time.
std::string machine(const std::string &more = "")
{
    std::string text = R"(
pmcu: {clusters: 1, slots: 2}
imc: {cores: 2, threads: 2}
catalog: power9_small.dts
software: {kind: imc, cpu: 2}
workloads:
  - cpus: "2-5"
    segments:
)";
    for (const char *mode : {"guest_kernel", "guest_user", "host_kernel", "host_user"})
        text +=
            std::string("      - {cycles: 700, mode: ") + mode + ", events: " + kStreams + "}\n";
    text += R"(
nest:
  present: true
  segments: [{events: [{event: PM_MBA0_READ_BYTES, kind: random, rate: 0.6},
                       {event: PM_MBA0_CLK_CYC, rate: 0.25},
                       {event: PM_MCS01_128B_RD_DISP_PORT01, rate: 0.04},
                       {event: PM_PB_CYC, rate: 0.5}]}]
)";
    return text +
           "imc_driver:\n  perf: [{pmu: core, cpus: [2], events: [CPM_INST], stop_us: 2}]\n" + more;
}

struct PerfTruth : testing::Test {
    std::unique_ptr<ImcFeed> feed;

    void with(const std::string &more = "")
    {
        feed = std::make_unique<ImcFeed>(machine(more), CS_SOURCE_DIR "/configs/imc");
    }
    cs_counted count(const std::string &event, unsigned cpu, cs_cycle from = 1000,
                     cs_cycle to = 99000, uint64_t raw = 7)
    {
        const cs_imc_event *found = nullptr;
        cs_count c = {};
        cs_diag diag = {};

        if (cs_imc_catalog_find(feed->scenario->imc->catalog, event.c_str(), &found, &diag) !=
            CS_OK)
            throw std::runtime_error(diag.text);
        c.pmu = found->of->pmu;
        c.name = found->name;
        c.own = found;
        c.command = 3;
        c.cpu = cpu;
        c.from = from;
        c.to = to;
        c.raw = raw;
        return cs_imc_counted_of(feed->scenario, feed->list.data(), &c);
    }
    uint64_t sum(unsigned cpu, uint32_t number, uint32_t modes = CS_MODE_ALL, cs_cycle from = 1000,
                 cs_cycle to = 99000)
    {
        return cs_timeline_sum(feed->list[cpu], number, modes, from, to);
    }
};

constexpr uint32_t kInst = CS_EVENT_IMC(128 + 32), kDerat = CS_EVENT_IMC(59);

} // namespace

TEST_F(PerfTruth, WhatIsHandedOn)
{
    with();
    const cs_counted c = count("core_imc/CPM_CS_INST", 3, 500, 600, 11);

    EXPECT_EQ(c.count.command, 3u);
    EXPECT_STREQ(c.count.name, "CPM_CS_INST");
    EXPECT_EQ(c.from, 500u);
    EXPECT_EQ(c.to, 600u);
    EXPECT_EQ(c.count.raw, 11u);
    EXPECT_DOUBLE_EQ(c.value, 11 * 512.0) << "the catalog's scale";
    EXPECT_EQ(c.unit, nullptr);
}

TEST_F(PerfTruth, ACoreIsTheSumOfItsThreads)
{
    with();
    for (unsigned cpu = 2; cpu < 6; cpu++) {
        const unsigned first = cpu < 4 ? 2 : 4;

        EXPECT_EQ(count("core_imc/CPM_CS_INST", cpu).truth,
                  sum(first, kInst) + sum(first + 1, kInst))
            << cpu;
        EXPECT_GT(count("core_imc/CPM_CS_INST", cpu).truth, 300000u);
    }
    EXPECT_NE(count("core_imc/CPM_CS_INST", 2).truth, count("core_imc/CPM_CS_INST", 4).truth);
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2, 5000, 5000).truth, 0u);
}

TEST_F(PerfTruth, UserAndKernelShares)
{
    with();
    const auto core = [&](uint32_t event, uint32_t modes) {
        return sum(2, event, modes) + sum(3, event, modes);
    };

    EXPECT_EQ(count("core_imc/CPM_CS_INST_USER", 2).truth, core(kInst, kUser));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_KERNEL", 2).truth, core(kInst, kKernel));
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2).truth,
              count("core_imc/CPM_CS_INST_USER", 2).truth +
                  count("core_imc/CPM_CS_INST_KERNEL", 2).truth);
    EXPECT_EQ(count("core_imc/CPM_CS_DERAT_MISS_KERNEL", 2).truth, core(kDerat, kKernel))
        << "its slot is that of another event's share";
    EXPECT_EQ(count("core_imc/CPM_NON_IDLE_INST", 2).truth, core(CS_EVENT_IMC(256), CS_MODE_ALL));
    EXPECT_EQ(count("core_imc/CPM_NON_IDLE_PCYC", 2).truth, core(CS_EVENT_IMC(257), CS_MODE_ALL));
}

// EVENT_MASK may ask for other filters: here SET0 lets the hypervisor pass, SET1 and SET2 nothing.
TEST_F(PerfTruth, TheMaskDecides)
{
    with("  event_mask: 0x2000000000000000\n");
    const uint32_t host_kernel = CS_MODE_MASK(CS_MODE_HOST_KERNEL);
    const uint32_t host_user = CS_MODE_MASK(CS_MODE_HOST_USER);
    const auto core = [&](uint32_t modes) { return sum(2, kInst, modes) + sum(3, kInst, modes); };
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2).truth, core(host_kernel));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_USER", 2).truth, 0u);

    // ECA in SET1; ECS and ECP in SET2: everything; SET0 nothing of its own.
    with("  event_mask: 0x0001018000000000\n");
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2).truth, core(CS_MODE_ALL));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_USER", 2).truth, core(host_user));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_KERNEL", 2).truth, core(CS_MODE_ALL));

    // skiboot's up to 2017: the host alone.
    with("  event_mask: 0x0001020000000000\n");
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2).truth, core(kHost));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_USER", 2).truth, core(host_user));
    EXPECT_EQ(count("core_imc/CPM_CS_INST_KERNEL", 2).truth, core(host_kernel));
}

// A core without power executes nothing, and its workload goes on where it was.
TEST_F(PerfTruth, WithoutPowerNothingRuns)
{
    with();
    const uint64_t all = count("core_imc/CPM_CS_INST", 2, 1000, 69000).truth;
    const uint64_t other = count("core_imc/CPM_CS_INST", 4).truth;
    std::string text = machine();
    text.replace(text.find("threads: 2}"), 11,
                 "threads: 2, deep_stops: [{core: 0, at_us: 20, for_us: 30}]}");
    feed = std::make_unique<ImcFeed>(text, CS_SOURCE_DIR "/configs/imc");

    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2).truth, all);
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 2, 20000, 50000).truth, 0u);
    EXPECT_EQ(count("core_imc/CPM_32MHZ_CYC", 2, 20000, 50000).truth, 0u);
    EXPECT_EQ(count("core_imc/CPM_CS_INST", 4).truth, other);
    for (unsigned cpu : {2u, 3u}) {
        cs_context context;
        cs_timeline_context(feed->list[cpu], 30000, &context);
        EXPECT_EQ(context.pc, 0u);
        EXPECT_EQ(context.mode, CS_MODE_HOST_KERNEL);
    }
}

TEST_F(PerfTruth, AThreadIsItself)
{
    with();
    for (unsigned cpu = 2; cpu < 6; cpu++)
        EXPECT_EQ(count("thread_imc/CPM_CS_INST_USER", cpu).truth, sum(cpu, kInst, kUser)) << cpu;
}

TEST_F(PerfTruth, TheNest)
{
    with();
    const auto nest = [&](unsigned offset) {
        return sum(CS_NEST_TIMELINE, CS_EVENT_NEST(offset / 8));
    };
    const cs_counted reads = count("PM_MCS01_128B_RD_DISP_PORT01", 2);

    EXPECT_EQ(reads.truth, nest(0xd0));
    EXPECT_EQ(reads.truth, 98000u * 104 / 1000);
    EXPECT_DOUBLE_EQ(reads.value, 7 * 256.0);
    EXPECT_EQ(count("PM_MCS01_128B_RD_DISP_PORT01", 5).truth, reads.truth) << "of the chip";
    EXPECT_EQ(count("PM_PB_CYC", 2).truth, 98000u * 13 / 10);
}

// A counter of a row with WRAP2 is posted twice as large as it is (docs/hw/nest.md).
TEST_F(PerfTruth, NestCountersThatArePostedTwice)
{
    with();
    const cs_imc_catalog *names = feed->scenario->imc->catalog;
    unsigned twice = 0, once = 0;

    for (unsigned r = 0; r < CS_NEST_ROWS; r++) {
        const cs_nest_row &row = cs_nest_rows[r];
        const unsigned times = row.style == CS_NEST_WRAP2 ? 2 : 1;

        for (unsigned i = 0; row.kind == CS_NEST_COUNTERS && i < row.count; i++) {
            const cs_imc_event *e =
                cs_imc_catalog_at(names, CS_IMC_DOMAIN_NEST, row.offset + 8 * i, nullptr);
            if (e == nullptr || sum(CS_NEST_TIMELINE, CS_EVENT_NEST(e->value / 8)) == 0)
                continue;
            EXPECT_EQ(count(std::string(e->of->pmu) + "/" + e->name, 2).truth,
                      times * sum(CS_NEST_TIMELINE, CS_EVENT_NEST(e->value / 8)))
                << e->name;
            (times == 2 ? twice : once)++;
        }
    }
    EXPECT_EQ(twice, 1u);
    EXPECT_EQ(once, 3u);
}
