// SPDX-License-Identifier: Apache-2.0
// Run speed of whole scenarios, by the command itself: simulated time against wall time, and
// what a thousand times longer period costs.
#include <benchmark/benchmark.h>

#include "run_command.hpp"

namespace
{

const std::string headline = CS_SOURCE "/configs/pmcu/pmcu_headline.yaml";

} // namespace

static void BM_Headline(benchmark::State &state)
{
    for (auto _ : state) {
        const RunFigures f = run_command(headline);

        state.SetIterationTime(f["wall_ns"] * 1e-9);
        state.counters["simulated_s"] = f["simulated_ns"] * 1e-9;
        state.counters["faster_than_hardware"] = f["simulated_ns"] / f["wall_ns"];
    }
}
BENCHMARK(BM_Headline)->Iterations(3)->UseManualTime()->Unit(benchmark::kMillisecond);

// 1000 ms against 1 ms, turn and turn about: the ratio of the sums of their wall times.
static void BM_PeriodRatio(benchmark::State &state)
{
    double short_ns = 0;
    double long_ns = 0;

    for (auto _ : state) {
        for (int i = 0; i < 3; i++) {
            short_ns += run_command(headline)["wall_ns"];
            long_ns +=
                run_command(headline + " --set perf.0.record.0.sample_period_ms=1000")["wall_ns"];
        }
        state.SetIterationTime((short_ns + long_ns) * 1e-9);
        state.counters["wall_1000ms_over_1ms"] = long_ns / short_ns;
    }
}
BENCHMARK(BM_PeriodRatio)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

// What people write first instead: a loop over cycles that adds each counter's increment, drawn by a
// cheap generator. No bus, no unit, no file: 32 cores with 8 counters, as in the headline.
static void BM_PlainCycleLoop(benchmark::State &state)
{
    constexpr unsigned kCounters = 32 * 8;
    constexpr double kHertz = 1e9;
    uint64_t counters[kCounters] = {}, draws[kCounters];
    uint64_t cycles = 0;

    for (unsigned i = 0; i < kCounters; i++)
        draws[i] = 88172645463325252u + i;
    for (auto _ : state) {
        for (unsigned i = 0; i < kCounters; i++) {
            draws[i] ^= draws[i] << 13;
            draws[i] ^= draws[i] >> 7;
            draws[i] ^= draws[i] << 17;
            counters[i] += draws[i] & 3;
        }
        benchmark::DoNotOptimize(counters);
        cycles++;
    }
    state.counters["cycles_per_second"] =
        benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
    state.counters["faster_than_hardware"] =
        benchmark::Counter(static_cast<double>(cycles) / kHertz, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_PlainCycleLoop);

BENCHMARK_MAIN();
