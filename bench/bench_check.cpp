// SPDX-License-Identifier: Apache-2.0
// `check` of a timeline by the command itself: events a second of processor time, of the headline with
// the truth of each of its values. 128 samples are 9.3 million events, in a file of 1.5 GB.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace
{

void call(const std::string &command)
{
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("failed: " + command);
}

double processor_seconds()
{
    rusage used = {};

    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

double events_of(const std::string &file)
{
    std::ifstream in(file);
    std::string line;
    double events = 0;

    while (std::getline(in, line))
        events += line.compare(0, 6, "{\"ph\":") == 0 && line.compare(0, 9, "{\"ph\":\"M\"") != 0;
    return events;
}

void Check(benchmark::State &state)
{
    char folder[] = "/tmp/cs-bench-XXXXXX";

    if (mkdtemp(folder) == nullptr)
        throw std::runtime_error("no temporary folder");
    const std::string file = std::string(folder) + "/timeline.json";
    call(CS_COMMAND " trace --format perfetto -o " + file + " --set keep.samples_truth=true" +
         " --set perf.0.record.0.nr_sample=" + std::to_string(state.range(0)) +
         " " CS_SOURCE "/configs/pmcu/pmcu_headline.yaml > /dev/null");
    for (auto _ : state) {
        const double before = processor_seconds();

        call(CS_COMMAND " check " + file + " > /dev/null");
        state.SetIterationTime(processor_seconds() - before);
    }
    state.counters["events"] = events_of(file);
    state.counters["events_per_s"] = benchmark::Counter(
        events_of(file) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
    std::filesystem::remove_all(folder);
}

} // namespace

BENCHMARK(Check)
    ->Arg(8)
    ->Arg(128)
    ->ArgNames({"samples"})
    ->UseManualTime()
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_MAIN();
