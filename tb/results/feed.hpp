// SPDX-License-Identifier: Apache-2.0
// A collector on a small die whose probe records and samples the test makes by hand.
#ifndef CS_TB_RESULTS_FEED_HPP
#define CS_TB_RESULTS_FEED_HPP

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/bus/part.h"
#include "results/pmcu/collector.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/pmcu/pmcu_spec.h"
extern "C" {
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>
}

namespace cs_test
{

constexpr uint32_t kAllModes = 0xf;
constexpr uint32_t kCycles = 0x11;

// 2 clusters of 2 slots; CPU 3 is offline. A tick is 20 cycles.
inline const char *const kSmall = R"(
name: small
seed: 5
pmcu: {clusters: 2, slots: 2}
corepmu: {offline: [3]}
workloads:
  - name: mixed
    segments:
      - cycles: 310
        mode: el0
        events:
          - {event: INST_RETIRED, kind: random, rate: 1.7}
          - {event: L1D_CACHE, rate: 0.613}
      - cycles: 90
        mode: el1
        events:
          - {event: INST_RETIRED, kind: random, rate: 0.8}
pmcu_driver:
  user_events: "08 04"
  nr_sample: 1
  sample_period_ticks: 60
  aux_buffer_bytes: 64 KiB
)";

// States of the PMCU.
constexpr unsigned kInit = 1, kProgram = 3, kStart = 4, kStop = 6, kRead = 7;

// A subsample as the listener saw it, kept.
struct Seen {
    uint64_t number;
    cs_cycle cycle;
    uint64_t addr;
    bool has_cycles;
    bool has_truths;
    std::vector<uint32_t> events;
    std::vector<cs_pmcu_window> windows;
    std::vector<uint32_t> cid1;
    std::vector<uint32_t> cid2;
    std::vector<uint64_t> values;
    std::vector<uint64_t> truths;
};

class Feed
{
  public:
    explicit Feed(const std::vector<const char *> &sets = {}, bool window_truth = true,
                  std::function<void(const cs_pmcu_subsample *)> also = {})
        : also_(std::move(also))
    {
        const std::string text = kSmall;
        cs_diag diag = {};

        check(cs_scenario_parse(text.data(), text.size(), "small.yaml", ".", sets.data(),
                                sets.size(), &scenario, &diag),
              diag);
        check(cs_scenario_timelines(scenario, &timelines_, &diag), diag);
        check(cs_memory_create(&memory, &diag), diag);
        for (unsigned cpu = 0; cpu < nr_cpus(); cpu++)
            list_.push_back(cs_timelines_cpu(timelines_, cpu));
        check(cs_pmcu_collector_create(scenario, 0, memory, list_.data(), window_truth, &soft_,
                                       &collector, &diag),
              diag);
    }
    Feed(const Feed &) = delete;
    Feed &operator=(const Feed &) = delete;
    ~Feed()
    {
        cs_pmcu_collector_destroy(collector);
        cs_memory_destroy(memory);
        cs_timelines_destroy(timelines_);
        cs_scenario_destroy(scenario);
    }

    unsigned nr_cpus() const
    {
        return cs_scenario_cpus(scenario);
    }
    uint64_t truth(unsigned cpu, uint32_t event, cs_cycle from, cs_cycle to,
                   uint32_t modes = kAllModes) const
    {
        return cs_timeline_sum(list_[cpu], event, modes, from, to);
    }

    // ---- records ----

    void emit(const cs_probe_record &r)
    {
        if (r.kind == CS_PROBE_BUS)
            cs_bus_part_transfer(&carried, &r);
        else
            cs_pmcu_collector_record(collector, &r);
    }
    void write(uint16_t unit, uint64_t offset, uint64_t value, cs_cycle effect,
               uint8_t resp = CS_BUS_OKAY)
    {
        cs_probe_record r = {};

        r.cycle = effect;
        r.kind = CS_PROBE_REG;
        r.write = 1;
        r.resp = resp;
        r.source = unit;
        r.addr = offset;
        r.value = value;
        r.bytes = 4;
        emit(r);
    }
    void pmcu(uint64_t offset, uint64_t value)
    {
        write(CS_UNIT_PMCU, offset, value, 0);
    }
    void state(unsigned state, cs_cycle cycle)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = CS_PROBE_STATE;
        r.value = state;
        state_ = state;
        emit(r);
    }
    void irq(bool level, cs_cycle cycle)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = CS_PROBE_IRQ;
        r.value = level;
        emit(r);
    }
    void bus(unsigned manager, cs_cycle request, cs_cycle grant, cs_cycle last, uint32_t bytes,
             uint8_t resp = CS_BUS_OKAY)
    {
        cs_probe_record r = {};

        r.cycle = last;
        r.kind = CS_PROBE_BUS;
        r.resp = resp;
        r.source = static_cast<uint16_t>(manager);
        r.request = request;
        r.grant = grant;
        r.bytes = bytes;
        emit(r);
    }

    // A run of p counters that waits `ticks` for each group.
    void trigger(unsigned p, uint32_t ticks, bool comp = false, cs_cycle cycle = 10)
    {
        pmcu(CS_PMCU_FSM_CFG, p << CS_PMCU_FSM_CFG_NR_PMU_SHIFT | 1u << 8 | p);
        pmcu(CS_PMCU_WAIT_CNT, ticks);
        pmcu(CS_PMCU_COMP, comp);
        pmcu(CS_PMCU_FSM_CTRL, CS_PMCU_FSM_CTRL_TRIGGER_MASK);
        state(1, cycle);
    }
    // An access of the PMCU in one of its states (docs/hw/pmcu.md, "States") to a slot of a cluster:
    // its effect, and the transfer that brought it. A bus error never gets to the core.
    void walk(unsigned in, unsigned cluster, unsigned slot, uint64_t offset, uint64_t value,
              cs_cycle effect, uint8_t resp = CS_BUS_OKAY, bool bus_error = false)
    {
        cs_probe_record r = {};

        if (state_ != in)
            state(in, effect - 10);
        if (!bus_error)
            write(static_cast<uint16_t>(slot == 15 ? CS_UNIT_BROADCAST(cluster)
                                                   : CS_UNIT_CORE(slot + 2 * cluster)),
                  offset, value, effect, resp);
        r.cycle = effect + 1;
        r.kind = CS_PROBE_BUS;
        r.write = 1;
        r.resp = resp;
        r.source = CS_MANAGER_PMCU(0);
        r.addr = 0x20000000 + 0x100000 * cluster + 0x10000 * slot + offset;
        r.grant = effect - 5;
        r.request = r.grant - 1;
        r.bytes = 4;
        cs_pmcu_collector_record(collector, &r);
    }
    // The same of a CPU, by its number.
    void of_cpu(unsigned in, unsigned cpu, uint64_t offset, uint64_t value, cs_cycle effect,
                uint8_t resp = CS_BUS_OKAY, bool bus_error = false)
    {
        walk(in, cpu / 2, cpu % 2, offset, value, effect, resp, bus_error);
    }
    // PMEVTYPER<first> .. on one CPU.
    void program(unsigned cpu, const std::vector<uint32_t> &events, unsigned first = 0)
    {
        for (unsigned i = 0; i < events.size(); i++)
            of_cpu(kProgram, cpu,
                   CS_COREPMU_EXT32_PMEVTYPER + (first + i) * CS_COREPMU_EXT32_PMEVTYPER_STRIDE,
                   events[i], 20);
    }
    void enable(unsigned cpu, uint32_t mask, cs_cycle effect, uint8_t resp = CS_BUS_OKAY)
    {
        of_cpu(kStart, cpu, CS_COREPMU_EXT32_PMCNTENSET, mask, effect, resp);
    }
    void disable(unsigned cpu, uint32_t mask, cs_cycle effect, uint8_t resp = CS_BUS_OKAY)
    {
        of_cpu(kStop, cpu, CS_COREPMU_EXT32_PMCNTENCLR, mask, effect, resp);
    }

    // Lays a subsample into memory (docs/hw/pmcu.md, "What is written") and commits it.
    // values: [field][cpu], the context IDs are 0x100 + cpu and 0x200 + cpu.
    void sample(cs_cycle cycle, uint64_t addr, const std::vector<std::vector<uint64_t>> &values)
    {
        const unsigned n = nr_cpus();
        const unsigned clusters = scenario->pmcu->clusters;
        std::vector<uint8_t> bytes(8 * n * (1 + values.size()));
        auto put = [&](size_t at, uint64_t value, unsigned size) {
            for (unsigned i = 0; i < size; i++)
                bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
        };

        for (unsigned cpu = 0; cpu < n; cpu++) {
            const unsigned idx =
                cpu % scenario->pmcu->slots * clusters + cpu / scenario->pmcu->slots;

            put(4 * idx, 0x100 + cpu, 4);
            put(4 * n + 4 * idx, 0x200 + cpu, 4);
            for (size_t i = 0; i < values.size(); i++)
                put(8 * n * (1 + i) + 8 * idx, values[i][cpu], 8);
        }
        cs_memory_write(memory, addr, bytes.size(), bytes.data(), nullptr);

        cs_probe_record r = {};
        r.cycle = cycle;
        r.kind = CS_PROBE_SAMPLE;
        r.addr = addr;
        r.bytes = static_cast<uint32_t>(bytes.size());
        emit(r);
    }

    // What the hardware would have counted: 0 for a CPU without a window.
    std::vector<uint64_t> counts(uint32_t event,
                                 const std::map<unsigned, cs_pmcu_window> &windows) const
    {
        std::vector<uint64_t> result(nr_cpus());

        for (const auto &[cpu, w] : windows)
            result[cpu] = truth(cpu, event, w.start, w.stop);
        return result;
    }

    const cs_pmcu_results *finish()
    {
        return cs_pmcu_collector_finish(collector);
    }

    cs_scenario *scenario = nullptr;
    cs_memory *memory = nullptr;
    cs_pmcu_collector *collector = nullptr;
    cs_bus_part carried = {};
    std::vector<Seen> seen;

  private:
    static void check(cs_status status, const cs_diag &diag)
    {
        char text[1024];

        if (status != CS_OK)
            throw std::runtime_error(cs_diag_print(&diag, text, sizeof text));
    }
    static void subsample(void *ctx, const cs_soft_record *record)
    {
        auto *feed = static_cast<Feed *>(ctx);
        const auto *s = cs_told_pmcu_subsample(record);
        const size_t n = size_t(s->nr_events + s->has_cycles) * s->nr_cpus;
        Seen seen = {};

        seen.number = s->number;
        seen.cycle = s->cycle;
        seen.addr = s->addr;
        seen.has_cycles = s->has_cycles;
        seen.has_truths = s->truths != nullptr;
        seen.events.assign(s->events, s->events + s->nr_events);
        seen.windows.assign(s->windows, s->windows + s->nr_cpus);
        seen.cid1.assign(s->cid1, s->cid1 + s->nr_cpus);
        seen.cid2.assign(s->cid2, s->cid2 + s->nr_cpus);
        seen.values.assign(s->values, s->values + n);
        if (seen.has_truths)
            seen.truths.assign(s->truths, s->truths + n);
        feed->seen.push_back(seen);
        if (feed->also_)
            feed->also_(s);
    }

    unsigned state_ = 0;
    std::function<void(const cs_pmcu_subsample *)> also_;
    cs_timelines *timelines_ = nullptr;
    std::vector<cs_timeline *> list_;
    const cs_soft_sink soft_ = {subsample, this};
};

// Two counters and the cycle counter, as in normal mode.
constexpr uint32_t kTwoAndCycles = 0x80000003;

// Two subsamples with windows on CPUs 0, 1 and 2:
//   first   [101, 1301) [111, 1316) [121, 1331)
//   second  [2001, 3201) [2011, 3216) [2021, 3231)
inline void two_subsamples(Feed &feed)
{
    const cs_cycle first[] = {100, 2000};

    feed.trigger(2, 60);
    for (unsigned n = 0; n < 2; n++) {
        std::map<unsigned, cs_pmcu_window> windows;

        for (unsigned cpu = 0; cpu < 3; cpu++) {
            const cs_cycle start = first[n] + 10 * cpu;
            const cs_cycle stop = first[n] + 1200 + 15 * cpu;

            feed.program(cpu, {0x08, 0x04});
            feed.enable(cpu, kTwoAndCycles, start);
            feed.disable(cpu, kTwoAndCycles, stop);
            windows[cpu] = {start + 1, stop + 1, true, 0};
        }
        feed.sample(first[n] + 1500, 0x80001000 + 128 * n,
                    {feed.counts(0x08, windows), feed.counts(0x04, windows),
                     feed.counts(kCycles, windows)});
    }
    feed.irq(true, 3600);
    feed.irq(false, 3700);
}

} // namespace cs_test

#endif
