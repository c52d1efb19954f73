// SPDX-License-Identifier: Apache-2.0
// IMC by the command itself: trace mode at full width, in bytes of records a second of wall time; and
// what an hour of nest accumulation costs for each posting, against a minute of it.
#include <benchmark/benchmark.h>

#include "run_command.hpp"

namespace
{

constexpr double kRecordBytes = 64;

void trace(benchmark::State &state, const char *keep)
{
    for (auto _ : state) {
        const RunFigures f = run_command(std::string("--set keep.records=") + keep +
                                         " " CS_SCENARIOS "/imc_bandwidth.yaml");
        const double seconds = f["wall_ns"] * 1e-9;

        state.SetIterationTime(seconds);
        state.counters["records"] = f["imc_records"];
        state.counters["MB_a_second"] = f["imc_records"] * kRecordBytes / 1e6 / seconds;
    }
}

void TraceToFiles(benchmark::State &state)
{
    trace(state, "true");
}

void TraceWithoutFiles(benchmark::State &state)
{
    trace(state, "false");
}

void Nest(benchmark::State &state)
{
    for (auto _ : state) {
        const RunFigures f = run_command(
            "--set perf.0.interval=0us --set perf.0.stop=" + std::to_string(state.range(0)) +
            "s " CS_SCENARIOS "/imc_nest.yaml");

        state.SetIterationTime(f["wall_ns"] * 1e-9);
        state.counters["postings"] = f["nest_postings"];
        state.counters["us_a_posting"] = f["wall_ns"] * 1e-3 / f["nest_postings"];
    }
}

} // namespace

BENCHMARK(TraceToFiles)->UseManualTime()->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(TraceWithoutFiles)->UseManualTime()->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(Nest)
    ->Arg(60)
    ->Arg(3600)
    ->ArgName("simulated_s")
    ->UseManualTime()
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_MAIN();
