// SPDX-License-Identifier: Apache-2.0
// An IMC collector whose probe records and memory the test makes by hand.
#ifndef CS_TB_RESULTS_IMC_FEED_HPP
#define CS_TB_RESULTS_IMC_FEED_HPP

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/imc/part.h"
#include "results/nest/part.h"
#include "results/parts.h"
#include "scenario/build.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/load.h"

namespace cs_test
{

// Two cores of two threads: a program in two segments on CPUs 0 and 1, another on CPU 2; CPU 3 is
// idle. Nothing runs at 0x9000.
inline const char *const kPower = R"(
name: power
seed: 5
imc: {cores: 2, threads: 2}
software: {kind: script}
script: [{delay: 1}]
nest: {present: true}
workloads:
  - name: web
    cpus: "0-1"
    segments:
      - cycles: 600
        mode: host_user
        cid1: 11
        functions:
          - {name: parse, base: 0x1000, size: 0x100, weight: 3}
          - {name: reply, base: 0x3000, size: 0x100, weight: 1}
        events: [{event: cpmc3, rate: 1}]
      - cycles: 200
        mode: host_kernel
        cid1: 11
        functions:
          - {name: send, base: 0x2000, size: 0x80}
  - name: batch
    cpus: 2
    segments:
      - mode: guest_user
        cid1: 12
        cid2: 7
        functions:
          - {name: solve, base: 0x5000, size: 0x40, weight: 1}
          - {name: unused, base: 0x6000, size: 0x40, weight: 0}
)";

struct SeenSample {
    unsigned cpu;
    uint64_t number;
    cs_cycle snapshot, cycle;
    uint64_t addr;
    uint8_t resp;
    cs_context truth;
    std::vector<uint8_t> bytes;
};

class ImcFeed
{
  public:
    explicit ImcFeed(const std::string &text = kPower, const std::string &folder = ".")
    {
        cs_diag diag = {};

        check(cs_scenario_parse(text.data(), text.size(), "power.yaml", folder.c_str(), nullptr, 0,
                                &scenario, &diag),
              diag);
        check(cs_scenario_timelines(scenario, &timelines_, &diag), diag);
        check(cs_memory_create(&memory, &diag), diag);
        list.resize(CS_MAX_TIMELINES);
        for (unsigned cpu = 0; cpu < CS_MAX_TIMELINES; cpu++)
            list[cpu] = cs_timelines_cpu(timelines_, cpu);
        check(cs_imc_collector_create(scenario, memory, list.data(), &soft_, &collector, &diag),
              diag);
        check(cs_functions_create(scenario, &functions_, &diag), diag);
    }
    ImcFeed(const ImcFeed &) = delete;
    ImcFeed &operator=(const ImcFeed &) = delete;
    ~ImcFeed()
    {
        cs_imc_collector_destroy(collector);
        cs_functions_destroy(functions_);
        cs_memory_destroy(memory);
        cs_timelines_destroy(timelines_);
        cs_scenario_destroy(scenario);
    }

    cs_context context(unsigned cpu, cs_cycle cycle)
    {
        cs_context c;

        cs_timeline_context(list[cpu], cycle, &c);
        return c;
    }
    // What the hardware does at a snapshot, `late` cycles later: a record with that program counter.
    void put(unsigned cpu, cs_cycle snapshot, uint64_t pc, uint8_t resp = CS_BUS_OKAY,
             unsigned late = 20)
    {
        const unsigned threads = scenario->imc->threads;
        const uint64_t addr = 0x81000000 + 0x40000 * cpu + 64 * numbers_[cpu];
        uint8_t bytes[CS_IMC_TRACE_RECORD_BYTES];
        cs_probe_record r = {};

        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = static_cast<uint8_t>(numbers_[cpu] + i);
        for (unsigned i = 0; i < 8; i++)
            bytes[8 + i] = static_cast<uint8_t>(pc >> (56 - 8 * i));
        if (resp == CS_BUS_OKAY)
            cs_memory_write(memory, addr, sizeof bytes, bytes, nullptr);
        r.kind = CS_PROBE_SAMPLE;
        r.source = static_cast<uint16_t>(CS_UNIT_IMC(cpu / threads));
        r.index = static_cast<uint16_t>(cpu % threads);
        r.request = snapshot;
        r.cycle = snapshot + (resp == CS_SAMPLE_LOST ? 0 : late);
        r.resp = resp;
        if (resp != CS_SAMPLE_LOST) {
            r.addr = addr;
            r.value = numbers_[cpu]++;
            r.bytes = sizeof bytes;
        }
        emit(r);
    }
    // With the truth.
    void put(unsigned cpu, cs_cycle snapshot)
    {
        put(cpu, snapshot, context(cpu, snapshot).pc);
    }
    void post(unsigned group, cs_cycle cycle)
    {
        cs_probe_record r = {};

        r.kind = CS_PROBE_SAMPLE;
        r.source = CS_UNIT_NEST;
        r.index = static_cast<uint16_t>(group);
        r.cycle = cycle;
        emit(r);
    }
    void emit(const cs_probe_record &r)
    {
        cs_imc_collector_record(collector, &r);
        if (r.kind == CS_PROBE_SAMPLE)
            cs_part_nest.probe(&nest, &r);
    }
    // What the records say, of the functions, too.
    struct Results : cs_imc_results {
        const cs_function_result *functions;
        size_t nr_functions;
    };
    const Results *finish()
    {
        static_cast<cs_imc_results &>(results_) = *cs_imc_collector_finish(collector);
        results_.functions = cs_functions_finish(functions_, &results_.nr_functions);
        return &results_;
    }

    cs_scenario *scenario = nullptr;
    cs_memory *memory = nullptr;
    cs_imc_collector *collector = nullptr;
    cs_nest_part nest = {};
    std::vector<cs_timeline *> list; // the nest's too
    std::vector<SeenSample> seen;

  private:
    static void check(cs_status status, const cs_diag &diag)
    {
        char text[1024];

        if (status != CS_OK)
            throw std::runtime_error(cs_diag_print(&diag, text, sizeof text));
    }
    static void sample(void *ctx, const cs_soft_record *record)
    {
        auto *feed = static_cast<ImcFeed *>(ctx);
        const auto *s = cs_told_imc_record(record);
        SeenSample seen = {s->cpu,  s->number, s->snapshot, s->cycle,
                           s->addr, s->resp,   s->truth,    {}};

        if (s->bytes != nullptr)
            seen.bytes.assign(s->bytes, s->bytes + CS_IMC_TRACE_RECORD_BYTES);
        feed->seen.push_back(seen);
        if (s->bytes != nullptr)
            cs_functions_add(feed->functions_, s->cpu, s->pc);
    }

    cs_timelines *timelines_ = nullptr;
    cs_functions *functions_ = nullptr;
    Results results_ = {};
    std::map<unsigned, uint64_t> numbers_;
    const cs_soft_sink soft_ = {sample, this};
};

} // namespace cs_test

#endif
