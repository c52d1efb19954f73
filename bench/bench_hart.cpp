// SPDX-License-Identifier: Apache-2.0
// The counters of a RISC-V hart: what an overflow costs, found by the C model of the CSR block
// alone, and taken and armed again by software on a hart.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>

#include <countersink/drivers/hpm/hart_alone.h>

namespace
{

constexpr uint64_t kClockMhz = 1000;
constexpr uint64_t kSecond = kClockMhz * 1000000;
constexpr uint16_t kMcountinhibit = 0x320, kMhpmevent3 = 0x323, kMhpmcounter3 = 0xB03;
constexpr uint16_t kMie = 0x304, kMip = 0x344;
constexpr uint64_t kLcofi = 1 << 13;

void must(cs_status status)
{
    if (status != CS_OK)
        throw std::runtime_error(cs_status_name(status));
}

// A workload that runs for ever in U, and handlers that count cycles and instructions alone.
class Workload
{
  public:
    explicit Workload(cs_rate misses)
    {
        must(cs_stream_pool_create(&pool_, nullptr));
        must(cs_stream_rate(pool_, {1, 1}, 0, &cycles_, nullptr));
        must(cs_stream_random(pool_, {3, 2}, 4, 1, &instructions_, nullptr));
        must(cs_stream_random(pool_, misses, 4, 2, &misses_, nullptr));
        const cs_segment_event events[] = {{CS_HPM_EVENT_CYCLES, cycles_},
                                           {CS_HPM_EVENT_INSTRET, instructions_},
                                           {kEvent, misses_}};
        const cs_privilege modes[CS_HART_TRACKS] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS};
        std::copy(std::begin(events), std::end(events), events_);
        for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
            segments_[i] = {};
            segments_[i].length_cycles = CS_STREAM_END;
            segments_[i].mode = modes[i];
            segments_[i].events = events_;
            segments_[i].nr_events = i == CS_HART_WORKLOAD ? 3 : 2;
            tracks_[i] = {"track", &segments_[i], 1};
        }
        cs_timeline_desc desc = {};

        desc.seed = 1;
        desc.tracks = tracks_;
        desc.nr_tracks = CS_HART_TRACKS;
        must(cs_timeline_create(&desc, &timeline_, nullptr));
    }
    Workload(const Workload &) = delete;
    Workload &operator=(const Workload &) = delete;
    ~Workload()
    {
        cs_timeline_destroy(timeline_);
        cs_stream_pool_destroy(pool_);
    }

    static constexpr uint32_t kEvent = 4; // of the random stream

    cs_timeline *timeline()
    {
        return timeline_;
    }

  private:
    cs_stream_pool *pool_ = nullptr;
    const cs_stream *cycles_ = nullptr, *instructions_ = nullptr, *misses_ = nullptr;
    cs_segment_event events_[3];
    cs_segment segments_[CS_HART_TRACKS];
    cs_track tracks_[CS_HART_TRACKS];
    cs_timeline *timeline_ = nullptr;
};

// From M, one cycle each.
class Block
{
  public:
    explicit Block(cs_timeline *timeline)
    {
        const cs_hpm_config config = cs_hpm_default_config();
        const cs_event_source events = cs_timeline_event_source(timeline);
        const cs_hpm_env env = {events, nullptr};
        must(cs_hpm_create(&config, &env, &hpm_, nullptr));
    }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    ~Block()
    {
        cs_hpm_destroy(hpm_);
    }

    cs_hpm *get()
    {
        return hpm_;
    }
    void csr(uint16_t number, cs_hpm_op op, uint64_t value)
    {
        const cs_hpm_access access = {
            number, static_cast<uint8_t>(op), CS_HPM_MODE_M, value, 0, true, true};
        cs_hpm_access_csr(hpm_, cs_hpm_now(hpm_), &access);
    }

  private:
    cs_hpm *hpm_ = nullptr;
};

// An hour in which a counter overflows every second, found by cs_hpm_next. `others` counters
// count too, far from their ends.
void HourOfOverflows(benchmark::State &state)
{
    const cs_rate misses = {1, 100};
    uint64_t overflows = 0;

    for (auto _ : state) {
        Workload workload(misses);
        Block block(workload.timeline());
        const cs_cycle end = 3600 * kSecond;
        cs_cycle at;

        for (uint16_t n = 0; n <= state.range(0); n++)
            block.csr(static_cast<uint16_t>(kMhpmevent3 + n), CS_HPM_OP_WRITE, Workload::kEvent);
        block.csr(kMie, CS_HPM_OP_WRITE, kLcofi);
        block.csr(kMhpmcounter3, CS_HPM_OP_WRITE, 0 - kSecond / 100);
        while ((at = cs_hpm_next(block.get())) < end) {
            cs_hpm_advance(block.get(), at);
            block.csr(kMip, CS_HPM_OP_CLEAR, kLcofi);
            block.csr(kMhpmcounter3, CS_HPM_OP_WRITE, 0 - kSecond / 100);
            block.csr(kMhpmevent3, CS_HPM_OP_WRITE, Workload::kEvent);
            overflows++;
        }
        cs_hpm_advance(block.get(), end);
    }
    state.counters["overflows"] = static_cast<double>(overflows) / state.iterations();
    state.counters["wall_per_overflow"] = benchmark::Counter(
        static_cast<double>(overflows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Firmware takes the interrupt and arms the counter again, with a period of `period` events: a
// million times.
void TakenAndArmedAgain(benchmark::State &state)
{
    const uint64_t period = static_cast<uint64_t>(state.range(0));
    Workload workload({1, 100});
    cs_hart_alone_config config = {};
    cs_hart_alone *alone = nullptr;
    uint64_t overflows = 0;

    config.hart.xlen = 64;
    config.hart.costs = {4, 100, 60, 20, 2};
    config.hart.time_mhz = 10;
    config.hart.clock_mhz = kClockMhz;
    config.hpm = cs_hpm_default_config();
    config.timeline = workload.timeline();
    config.memory_cycles = 20;
    must(cs_hart_alone_create(&config, &alone, nullptr));
    const std::unique_ptr<cs_hart_alone, decltype(&cs_hart_alone_destroy)> owner(
        alone, cs_hart_alone_destroy);
    cs_hart *hart = cs_hart_alone_hart(alone);

    cs_hart_run(hart, CS_HART_FIRMWARE);
    cs_hart_csr_write(hart, kMie, kLcofi);
    cs_hart_csr_write(hart, kMhpmcounter3, 0 - period);
    cs_hart_csr_write(hart, kMhpmevent3, Workload::kEvent);
    cs_hart_return(hart, CS_HART_WORKLOAD);
    for (auto _ : state) {
        if (cs_hart_wait(hart, CS_STREAM_END - 1, CS_HART_LCOFI_M) == 0)
            throw std::runtime_error("no overflow came");
        cs_hart_trap(hart, CS_HART_FIRMWARE);
        cs_hart_csr_set(hart, kMcountinhibit, 8);
        cs_hart_csr_clear(hart, kMip, kLcofi);
        benchmark::DoNotOptimize(cs_hart_csr_read(hart, kMhpmcounter3));
        cs_hart_csr_write(hart, kMhpmcounter3, 0 - period);
        cs_hart_csr_write(hart, kMhpmevent3, Workload::kEvent);
        cs_hart_csr_clear(hart, kMcountinhibit, 8);
        cs_hart_return(hart, CS_HART_WORKLOAD);
        overflows++;
    }
    if (cs_hart_failed(hart) != nullptr)
        throw std::runtime_error(cs_hart_failed(hart));
    state.counters["simulated_s"] =
        static_cast<double>(cs_hart_now(hart)) / static_cast<double>(kSecond);
    state.counters["wall_per_overflow"] = benchmark::Counter(
        static_cast<double>(overflows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

} // namespace

BENCHMARK(HourOfOverflows)
    ->Arg(0)
    ->Arg(28)
    ->ArgName("others")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(TakenAndArmedAgain)
    ->Arg(1000)
    ->Arg(100000)
    ->ArgName("period")
    ->Iterations(1000000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
