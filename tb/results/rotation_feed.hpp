// SPDX-License-Identifier: Apache-2.0
// Rotated counts that a test tells by hand, on a die with two CPUs and two uncore units.
#ifndef CS_TB_RESULTS_ROTATION_FEED_HPP
#define CS_TB_RESULTS_ROTATION_FEED_HPP

#include <stdexcept>
#include <string>
#include <vector>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/uncore/uncore_driver.h"
#include "drivers/unit_pmu/unit_pmu.h"
#include "results/rotation/results.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/uncore/uncore_spec.h"

namespace cs_test
{

inline const char *const kRotation = R"(
name: turns
seed: 3
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 2}
workloads:
  - cpus: 1
    segments: [{events: [{event: INST_RETIRED, kind: random, rate: 1.2, max_increment: 6},
                         {event: 0xc001, rate: 0.5}]}]
uncore:
  bridges: [{access_cycles: 10}]
  units:
    - {name: mc0, segments: [{events: [{event: "uncore:3", rate: 0.25}]}]}
    - {name: link, segments: [{events: [{event: "uncore:3", rate: 2},
                                        {event: "uncore:7", kind: random, rate: 0.7}]}]}
)";

class RotationFeed
{
  public:
    RotationFeed()
    {
        const std::string text = kRotation;
        cs_diag diag = {};

        check(cs_scenario_parse(text.data(), text.size(), "turns.yaml", ".", nullptr, 0, &scenario,
                                &diag),
              diag);
        check(cs_scenario_timelines(scenario, &timelines_, &diag), diag);
        list.resize(CS_MAX_TIMELINES);
        for (unsigned i = 0; i < CS_MAX_TIMELINES; i++)
            list[i] = cs_timelines_cpu(timelines_, i);
        check(cs_rotation_results_create(&results, &diag), diag);
    }
    ~RotationFeed()
    {
        cs_rotation_results_destroy(results);
        cs_timelines_destroy(timelines_);
        cs_scenario_destroy(scenario);
    }
    RotationFeed(const RotationFeed &) = delete;
    RotationFeed &operator=(const RotationFeed &) = delete;

    // Of the family that the PMU's name says.
    cs_counted add(cs_count count)
    {
        count.family = family(count.pmu);
        cs_unit_event asked = {};

        if (count.family == &cs_uncore_family) {
            asked.owner = &scenario->uncore->units[count.unit];
            count.own = &asked;
        }
        const cs_counted one = cs_counted_of(&count, cs_count_truth(&count, list.data()));

        if (cs_rotation_results_add(results, &one) != CS_OK)
            throw std::bad_alloc();
        return one;
    }
    static const cs_count_family *family(const std::string &pmu)
    {
        return pmu == "cpu" ? &cs_arm_pmu_family : &cs_uncore_family;
    }
    // A whole command's, in turns.
    static cs_count count(unsigned command, const char *pmu, unsigned unit, unsigned cpu,
                          uint32_t event, cs_cycle from, cs_cycle to, uint64_t running,
                          uint64_t raw)
    {
        cs_count c = {};

        c.command = command;
        c.pmu = pmu;
        c.unit = unit;
        c.cpu = cpu;
        c.event = event;
        c.from = from;
        c.to = to;
        c.enabled = to - from;
        c.running = running;
        c.raw = raw;
        c.turns = c.final = true;
        c.family = family(pmu);
        return c;
    }
    // Event 3 of mc0: 1 in 4 cycles.
    static cs_count mc0(uint64_t running, uint64_t raw, unsigned command = 0)
    {
        return count(command, "mc0", 0, 1, 3, 1000, 5000, running, raw);
    }
    std::vector<cs_rotated_fairness> commands() const
    {
        size_t count;
        const cs_rotated_fairness *first = cs_rotation_results_commands(results, &count);

        return {first, first + count};
    }

    cs_scenario *scenario = nullptr;
    std::vector<cs_timeline *> list;
    cs_rotation_results *results = nullptr;

  private:
    static void check(cs_status status, const cs_diag &diag)
    {
        if (status != CS_OK)
            throw std::runtime_error(std::string(diag.where) + ": " + diag.text);
    }
    cs_timelines *timelines_ = nullptr;
};

} // namespace cs_test

#endif
