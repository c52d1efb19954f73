// SPDX-License-Identifier: Apache-2.0
// Writing timelines: events a second of CTF (into a folder that is thrown away), and of Perfetto's two
// forms (to nowhere: the writer alone). An event is a transfer on the bus, as in src/traces.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "formats/ctf/write/ctf.h"
#include "formats/perfetto/write/json.h"
#include "formats/perfetto/write/proto.h"

namespace
{

constexpr unsigned kEvents = 1000000;
const cs_field_label kDirections[] = {{0, "read"}, {1, "write"}};
const cs_field_label kResponses[] = {{0, "OKAY"}, {2, "SLVERR"}, {3, "DECERR"}};
const cs_field kFields[] = {
    {"cycles", CS_FIELD_DECIMAL, 64, nullptr, 0},    {"grant", CS_FIELD_DECIMAL, 64, nullptr, 0},
    {"direction", CS_FIELD_ENUM, 8, kDirections, 2}, {"addr", CS_FIELD_HEX, 64, nullptr, 0},
    {"bytes", CS_FIELD_DECIMAL, 32, nullptr, 0},     {"resp", CS_FIELD_ENUM, 8, kResponses, 3},
};
constexpr size_t kNrFields = sizeof kFields / sizeof kFields[0];

// Calls put(cycle, length, values) for each event.
template <class Put> void each(Put put)
{
    for (uint64_t i = 0; i < kEvents; i++) {
        const uint64_t length = 20 + i % 7;
        const cs_field_value values[kNrFields] = {
            {length}, {30 * i + 2}, {i % 2}, {0x80000000 + 8 * i}, {8}, {0}};

        put(30 * i, length, values);
    }
}

void rate(benchmark::State &state)
{
    state.counters["events_per_s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * kEvents, benchmark::Counter::kIsRate);
}

cs_status drop(void *, const char *text, size_t)
{
    benchmark::DoNotOptimize(text);
    return CS_OK;
}

void ctf(benchmark::State &state)
{
    static const cs_ctf_event_class event = {"transfer", kFields, kNrFields};
    static const cs_ctf_stream_class kind = {"manager_id", &event, 1};
    std::string folder = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    cs_ctf_config config = {};

    if (mkdtemp(folder.data()) == nullptr)
        throw std::runtime_error("cannot make " + folder);
    config.clock_hz = 1000000000;
    config.clock_name = "bus";
    config.classes = &kind;
    config.nr_classes = 1;
    for (auto _ : state) {
        cs_ctf *trace = nullptr;
        cs_ctf_stream *stream = nullptr;

        if (cs_ctf_create(folder.c_str(), &config, &trace, nullptr) != CS_OK ||
            cs_ctf_open(trace, 0, 0, "bus", &stream, nullptr) != CS_OK)
            throw std::runtime_error("cannot create");
        each([&](uint64_t cycle, uint64_t, const cs_field_value *values) {
            cs_ctf_put(stream, 0, cycle, values);
        });
        cs_ctf_abandon(trace);
    }
    std::filesystem::remove_all(folder);
    rate(state);
}

void json(benchmark::State &state)
{
    const cs_text_sink sink = {drop, nullptr};
    const cs_perfetto_args none = {nullptr, nullptr, 0};
    static cs_perfetto timeline;

    for (auto _ : state) {
        cs_perfetto_begin(&timeline, &sink, 1000, &none);
        each([](uint64_t cycle, uint64_t length, const cs_field_value *values) {
            const cs_perfetto_args args = {kFields, values, kNrFields};
            cs_perfetto_slice(&timeline, {1, 101}, "read", cycle, cycle + length, &args);
        });
        cs_perfetto_end(&timeline);
    }
    rate(state);
}

void proto(benchmark::State &state)
{
    const cs_text_sink sink = {drop, nullptr};

    for (auto _ : state) {
        cs_perfetto_pb *timeline = nullptr;

        if (cs_perfetto_pb_create(&sink, 1000, &timeline) != CS_OK)
            throw std::runtime_error("cannot create");
        each([&](uint64_t cycle, uint64_t length, const cs_field_value *values) {
            const cs_perfetto_args args = {kFields, values, kNrFields};
            cs_perfetto_pb_slice(timeline, {1, 101}, "read", cycle, cycle + length, &args);
        });
        cs_perfetto_pb_end(timeline);
        cs_perfetto_pb_destroy(timeline);
    }
    rate(state);
}

} // namespace

BENCHMARK(ctf)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(json)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(proto)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
