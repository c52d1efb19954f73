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
        check(cs_rotation_results_create(list.data(), &results, &diag), diag);
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
    const cs_rotated_result &add(cs_rotated_count count)
    {
        count.family = family(count.pmu);
        cs_unit_event asked = {};

        if (count.family == &cs_uncore_family) {
            asked.owner = &scenario->uncore->units[count.unit];
            count.own = &asked;
        }
        const cs_rotated_result *result = cs_rotation_results_add(results, &count);

        if (result == nullptr)
            throw std::bad_alloc();
        return *result;
    }
    static const cs_rotated_family *family(const std::string &pmu)
    {
        return pmu == "cpu" ? &cs_arm_pmu_family : &cs_uncore_family;
    }
    // Event 3 of mc0: 1 in 4 cycles.
    static cs_rotated_count mc0(uint64_t running, uint64_t raw, unsigned command = 0)
    {
        return {command,           "mc0", 0, 1,       3, 1000, 5000, running, raw,   true,
                &cs_uncore_family, false, 0, nullptr, 0, 0,    0,    nullptr, false, 0};
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
