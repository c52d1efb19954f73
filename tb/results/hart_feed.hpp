// SPDX-License-Identifier: Apache-2.0
// A hart collector whose probe records the test makes by hand.
#ifndef CS_TB_RESULTS_HART_FEED_HPP
#define CS_TB_RESULTS_HART_FEED_HPP

#include <stdexcept>
#include <string>
#include <vector>

#include "results/hpm/collector.h"
#include "scenario/build.h"
#include "scenario/load.h"

namespace cs_test
{

// One round of a hart: 100 cycles of U, 60 of S, 40 of M, 30 of VU, 20 of VS. Event 0x40 counts 1 in each of
// its cycles, 0x41 counts 3 in U and nothing elsewhere, 2 (instret) counts 2 in U and 1 in S.
inline const char *const kHarts = R"(
name: harts
bus: {clock_mhz: 1000}
corepmu: {clock_mhz: 1000}
harts: {count: 2}
workloads:
  - name: round
    cpus: all
    segments:
      - cycles: 100
        mode: u
        functions: [{name: user, base: 0x1000, size: 0x40}]
        events:
          - {event: "hpm:0x40", rate: 1}
          - {event: "hpm:0x41", rate: 3}
          - {event: INST.RET, rate: 2}
      - cycles: 60
        mode: s
        functions: [{name: kernel, base: 0x2000, size: 4}]
        events: [{event: "hpm:0x40", rate: 1}, {event: INST.RET, rate: 1}]
      - cycles: 40
        mode: m
        functions: [{name: firmware, base: 0x3000, size: 4}]
        events: [{event: "hpm:0x40", rate: 1}]
      - cycles: 30
        mode: vu
        events: [{event: "hpm:0x40", rate: 1}]
      - cycles: 20
        mode: vs
        events: [{event: "hpm:0x40", rate: 1}]
riscv:
  perf:
    - {events: [cycles, instructions], stop_us: 500}
    - {events: [r40], stop_us: 500}
)";

class HartFeed
{
  public:
    explicit HartFeed(const std::vector<const char *> &sets = {})
    {
        const std::string text = kHarts;
        cs_diag diag = {};

        check(cs_scenario_parse(text.data(), text.size(), "harts.yaml", ".", sets.data(),
                                sets.size(), &scenario, &diag),
              diag);
        check(cs_scenario_timelines(scenario, &timelines_, &diag), diag);
        list.resize(CS_MAX_TIMELINES);
        for (unsigned cpu = 0; cpu < CS_MAX_TIMELINES; cpu++)
            list[cpu] = cs_timelines_cpu(timelines_, cpu);
        check(cs_hart_collector_create(scenario, list.data(), &collector, &diag), diag);
    }
    HartFeed(const HartFeed &) = delete;
    HartFeed &operator=(const HartFeed &) = delete;
    ~HartFeed()
    {
        cs_hart_collector_destroy(collector);
        cs_timelines_destroy(timelines_);
        cs_scenario_destroy(scenario);
    }

    void emit(const cs_probe_record &r)
    {
        cs_hart_collector_record(collector, &r);
    }
    // As the hpm block tells it: what was read, then what is written.
    void write(uint64_t csr, uint64_t value, cs_cycle cycle, unsigned hart = 0)
    {
        read(csr, cycle, hart);
        emit(access(csr, value, cycle, hart, true));
    }
    void read(uint64_t csr, cs_cycle cycle, unsigned hart = 0)
    {
        emit(access(csr, 0, cycle, hart, false));
    }
    static cs_probe_record access(uint64_t csr, uint64_t value, cs_cycle cycle, unsigned hart,
                                  bool write)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = CS_PROBE_REG;
        r.write = write;
        r.source = static_cast<uint16_t>(CS_UNIT_HART(hart));
        r.addr = csr;
        r.value = value;
        r.bytes = 8;
        return r;
    }
    // Counters run from the cycle after `cycle` on, or stand from there on.
    void run(unsigned counter, cs_cycle cycle)
    {
        write(0x320, ~(1ull << counter), cycle);
    }
    void halt(cs_cycle cycle)
    {
        write(0x320, ~0ull, cycle);
    }

    void begun(int counter, cs_cycle adding, cs_riscv_which which = {0, 1, 0})
    {
        cs_hart_collector_begun(collector, &which, counter, adding);
    }
    cs_hart_count count(int counter, uint64_t value, cs_riscv_which which = {0, 1, 0},
                        uint64_t told = 0)
    {
        const cs_riscv_reading reading = {which, counter, told, 0};
        cs_count c = {};

        c.from = 1;
        c.to = 999;
        c.raw = value;
        c.own = &reading;
        return cs_hart_collector_count(collector, &c);
    }
    cs_hart_sample sample(unsigned counter, cs_cycle trap, uint64_t period, uint64_t ip = 0,
                          cs_riscv_which which = {0, 1, 0})
    {
        cs_riscv_sample s = {};

        s.counter = counter;
        s.cycle = trap;
        s.period = period;
        s.ip = ip;
        return cs_hart_collector_sample(collector, &which, &s);
    }
    const cs_hart_results &results() const
    {
        return *cs_hart_collector_results(collector);
    }

    cs_scenario *scenario = nullptr;
    cs_hart_collector *collector = nullptr;
    std::vector<cs_timeline *> list;

  private:
    static void check(cs_status status, const cs_diag &diag)
    {
        char text[1024];

        if (status != CS_OK)
            throw std::runtime_error(cs_diag_print(&diag, text, sizeof text));
    }

    cs_timelines *timelines_ = nullptr;
};

} // namespace cs_test

#endif
