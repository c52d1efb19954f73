// SPDX-License-Identifier: Apache-2.0
// Sums of event streams: what a counter costs each time it is read.
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "scenario/build.h"
#include "scenario/load.h"
#include <countersink/base/stream/timeline.h>

namespace
{

// One core whose event 0x08 (or more) is a stream of the given kind.
class Core
{
  public:
    explicit Core(const std::string &stream, const std::string &events = "0x08")
    {
        const std::string text = "name: bench\n"
                                 "pmcu: {clusters: 1, slots: 1}\n"
                                 "workloads:\n"
                                 "  - name: w\n"
                                 "    cpus: all\n"
                                 "    segments:\n"
                                 "      - {cycles: 90000, mode: el0, events: [{event: " +
                                 events + ", " + stream +
                                 "}]}\n"
                                 "      - {cycles: 10000, mode: el1}\n"
                                 "pmcu_driver: {user_events: \"0x08\"}\n";
        cs_diag diag;

        if (cs_scenario_parse(text.data(), text.size(), "bench", ".", nullptr, 0, &scenario_,
                              &diag) != CS_OK ||
            cs_scenario_timelines(scenario_, &timelines_, &diag) != CS_OK)
            throw std::runtime_error(diag.text);
    }

    ~Core()
    {
        cs_timelines_destroy(timelines_);
        cs_scenario_destroy(scenario_);
    }

    cs_timeline *timeline()
    {
        return cs_timelines_cpu(timelines_, 0);
    }

  private:
    cs_scenario *scenario_ = nullptr;
    cs_timelines *timelines_ = nullptr;
};

const char *const kinds[] = {"kind: rate, rate: 0.7", "kind: random, rate: 0.7",
                             "kind: periodic, period_cycles: 100, increment: 1"};

} // namespace

// Windows of a millisecond at 1 GHz, one after the other, as the PMCU reads them.
static void BM_WindowSum(benchmark::State &state)
{
    Core core(kinds[state.range(0)]);
    cs_cycle from = 0;

    for (auto _ : state) {
        benchmark::DoNotOptimize(
            cs_timeline_sum(core.timeline(), 0x08, CS_MODE_ALL, from, from + 1000000));
        from += 1020000;
    }
    state.SetItemsProcessed(state.iterations());
    state.SetLabel(kinds[state.range(0)]);
}
BENCHMARK(BM_WindowSum)->DenseRange(0, 2);

// The same of the eight counters of a core, which a PMU asks for together.
static void BM_WindowSums(benchmark::State &state)
{
    constexpr uint32_t kFirst = 0x08, kEvents = 8;
    Core core(kinds[state.range(0)], "\"0x08-0x0f\"");
    const cs_event_source source = cs_timeline_event_source(core.timeline());
    uint32_t events[kEvents];
    cs_cycle from = 0;

    for (uint32_t i = 0; i < kEvents; i++)
        events[i] = kFirst + i;
    for (auto _ : state) {
        cs_events_prepare(&source, events, kEvents, CS_MODE_ALL, from, from + 1000000);
        for (const uint32_t event : events)
            benchmark::DoNotOptimize(
                source.sum(source.ctx, event, CS_MODE_ALL, from, from + 1000000));
        from += 1020000;
    }
    state.SetItemsProcessed(state.iterations() * kEvents);
    state.SetLabel(kinds[state.range(0)]);
}
BENCHMARK(BM_WindowSums)->DenseRange(0, 2);

// Neighbouring windows of one random stream, some at a time: each but the first needs one edge.
static void BM_NeighbourSums(benchmark::State &state)
{
    const auto windows = static_cast<size_t>(state.range(0));
    cs_stream_pool *pool = nullptr;
    const cs_stream *stream = nullptr;
    std::vector<cs_stream_ask> asks(windows);
    uint64_t before = 0;
    cs_cycle to = 0;

    if (cs_stream_pool_create(&pool, nullptr) != CS_OK ||
        cs_stream_random(pool, {7, 10}, 15, 1, &stream, nullptr) != CS_OK)
        throw std::runtime_error("no stream");
    for (auto _ : state) {
        for (cs_stream_ask &ask : asks)
            ask = {stream, to += 1000000, 0};
        cs_stream_prefixes(asks.data(), asks.size());
        for (const cs_stream_ask &ask : asks) {
            benchmark::DoNotOptimize(ask.prefix - before);
            before = ask.prefix;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(windows));
    cs_stream_pool_destroy(pool);
}
BENCHMARK(BM_NeighbourSums)->Arg(1)->Arg(4)->Arg(8)->Arg(16)->Arg(32)->ArgName("at_a_time");

// Single cycles in blocks of 64, as the RTL is driven.
static void BM_Increments(benchmark::State &state)
{
    Core core(kinds[state.range(0)]);
    uint8_t block[64];
    cs_cycle first = 0;

    for (auto _ : state) {
        cs_timeline_increments(core.timeline(), 0x08, first, sizeof block, block);
        benchmark::DoNotOptimize(block);
        first += sizeof block;
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(sizeof block));
    state.SetLabel(kinds[state.range(0)]);
}
BENCHMARK(BM_Increments)->DenseRange(0, 2);

BENCHMARK_MAIN();
