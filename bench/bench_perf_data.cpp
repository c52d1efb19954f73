// SPDX-License-Identifier: Apache-2.0
// Writing perf.data: MB/s of samples and of AUX data, to nowhere (the writer alone) and to a file.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "formats/perf/write/data.h"

namespace
{

cs_status drop(void *, const void *bytes, size_t, cs_diag *)
{
    benchmark::DoNotOptimize(bytes);
    return CS_OK;
}

cs_status drop_patch(void *, uint64_t, const void *, size_t, cs_diag *)
{
    return CS_OK;
}

constexpr unsigned kSamples = 4000000;
constexpr unsigned kPieces = 64;
constexpr size_t kPieceBytes = 4u << 20;

cs_perf_data_writer *create(const cs_perf_data_sink &sink)
{
    const uint64_t id = 1;
    cs_perf_data_event event = {};
    cs_perf_data_writer *writer = nullptr;

    event.name = "trace_imc/trace_cycles/";
    event.attr.type = 42;
    event.attr.sample_type = CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID |
                             CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD;
    event.attr.flags = CS_PERF_ATTR_SAMPLE_ID_ALL;
    event.ids = &id;
    event.nr_ids = 1;
    if (cs_perf_data_create(&sink, &event, 1, &writer, nullptr) != CS_OK)
        throw std::runtime_error("cannot create");
    return writer;
}

void samples(cs_perf_data_writer *writer)
{
    cs_perf_data_sample s = {};

    for (unsigned i = 0; i < kSamples; i++) {
        s.where.time_ns = i;
        s.where.cpu = i % 8;
        s.ip = 0x10000000 + i;
        cs_perf_data_put_sample(writer, &s);
    }
}

void aux(cs_perf_data_writer *writer)
{
    static const std::vector<uint8_t> payload(kPieceBytes, 0x5a);
    cs_perf_data_auxtrace a = {};

    for (unsigned i = 0; i < kPieces; i++, a.offset += kPieceBytes)
        cs_perf_data_put_auxtrace(writer, &a, payload.data(), payload.size());
}

void measure(benchmark::State &state, void (*fill)(cs_perf_data_writer *), bool to_file)
{
    const cs_perf_data_features features = {};
    uint64_t bytes = 0;

    for (auto _ : state) {
        FILE *stream = to_file ? std::tmpfile() : nullptr;
        cs_perf_data_file file = {stream, "temporary file"};
        cs_perf_data_sink sink = {drop, drop_patch, nullptr};

        if (to_file && stream == nullptr)
            throw std::runtime_error("no temporary file");
        if (to_file)
            sink = cs_perf_data_to_file(&file);
        cs_perf_data_writer *writer = create(sink);
        fill(writer);
        bytes += cs_perf_data_get_totals(writer).data_bytes;
        if (cs_perf_data_finish(writer, &features, nullptr) != CS_OK)
            throw std::runtime_error("cannot write");
        if (to_file)
            std::fclose(stream);
    }
    state.counters["MB_per_s"] =
        benchmark::Counter(static_cast<double>(bytes) * 1e-6, benchmark::Counter::kIsRate);
}

} // namespace

BENCHMARK_CAPTURE(measure, samples_to_nowhere, samples, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(measure, samples_to_file, samples, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(measure, aux_to_nowhere, aux, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(measure, aux_to_file, aux, true)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
