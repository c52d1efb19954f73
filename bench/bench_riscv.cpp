// SPDX-License-Identifier: Apache-2.0
// RISC-V by the command itself: a simulated hour with a sample a second on each of two harts, and a
// million samples; firmware, driver, ring, reader and database are all in it.
#include <benchmark/benchmark.h>

#include "run_command.hpp"

namespace
{

void sample(benchmark::State &state, const std::string &sets)
{
    for (auto _ : state) {
        const RunFigures f = run_command("--set perf.0.period=" + std::to_string(state.range(0)) +
                                         " --set 'perf.1={stat: [L1-dcache-load-misses], cpus: 1, "
                                         "exclude: [kernel], start: 300us,"
                                         " stop: 100ms}' --set perf.0.stop=" +
                                         std::to_string(state.range(1)) + "us " + sets +
                                         " " CS_SCENARIOS "/riscv_sample.yaml");

        state.SetIterationTime(f["wall_ns"] * 1e-9);
        state.counters["samples"] = f["hart_samples"];
        state.counters["us_a_sample"] = f["wall_ns"] * 1e-3 / f["hart_samples"];
        state.counters["wrong_counts"] = f["wrong_counts"];
    }
}

void Samples(benchmark::State &state)
{
    sample(state, "");
}

void SamplesWithoutTruth(benchmark::State &state)
{
    sample(state, "--set keep.samples_truth=false");
}

} // namespace

// Some 1.1e9 instructions a second.
#define HOUR                                                                                       \
    {                                                                                              \
        1100000000, 3600000000                                                                     \
    }
#define MILLION                                                                                    \
    {                                                                                              \
        10000, 4700000                                                                             \
    }
BENCHMARK(Samples)
    ->Args(HOUR)
    ->Args(MILLION)
    ->ArgNames({"period", "stop_us"})
    ->UseManualTime()
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK(SamplesWithoutTruth)
    ->Args(MILLION)
    ->ArgNames({"period", "stop_us"})
    ->UseManualTime()
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_MAIN();
