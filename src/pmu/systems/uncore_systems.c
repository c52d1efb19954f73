// SPDX-License-Identifier: Apache-2.0
#include "pmu/systems/uncore_systems.h"

#include "scenario/scenario.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/numbers.h>

static void fill(const cs_uncore_unit_spec *spec, cs_timeline *timeline, uint32_t type,
                 cs_perf_uncore *unit, cs_perf_system *system)
{
    const cs_perf_uncore_kind *kind = cs_perf_uncore_kind_of(spec->name);

    *unit = kind->unit;
    unit->counters = spec->counters;
    unit->width = spec->width;
    unit->work = cs_timeline_event_source(timeline);
    *system = (cs_perf_system){.driver = &cs_perf_uncore_driver,
                               .name = spec->name,
                               .type = type,
                               .cpumask = "0",
                               .config = unit,
                               .formats = kind->formats,
                               .nr_formats = kind->nr_formats,
                               .events = kind->events,
                               .nr_events = kind->nr_events};
}

cs_status cs_pmu_uncore_systems(const cs_scenario *scenario, cs_timelines *timelines,
                                uint32_t first_type, cs_perf_uncore units[],
                                cs_perf_system systems[], size_t *nr_systems, cs_diag *diag)
{
    const cs_uncore_spec *spec = scenario->uncore;

    for (size_t i = 0; i < spec->nr_units; i++) {
        if (spec->units[i].extended)
            return cs_diag_set(
                diag, CS_ERR_SCENARIO, scenario->source,
                "uncore.units.%zu.extended: a unit that counts by tags has no PMU here", i);
        fill(&spec->units[i], cs_timelines_cpu(timelines, CS_UNCORE_TIMELINE((unsigned)i)),
             first_type + (uint32_t)i, &units[i], &systems[(*nr_systems)++]);
    }
    return CS_OK;
}
