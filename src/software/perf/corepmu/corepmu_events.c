// SPDX-License-Identifier: Apache-2.0
/* On which counters an event can be, and in which modes it counts. */
#include "software/perf/corepmu/corepmu_pmu.h"
#include "software/perf/counters/core_events.h"

#include <countersink/regs/corepmu_regs.h>

/* As places of the set: the cycle counter is the first where there is one. */
static uint32_t events_counters(const cs_perf_core *core, const cs_perf_map *map)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << core->counters) - 1);
    const uint32_t general = map->counters != 0 ? map->counters & all : all;

    if (!core->cycle_counter)
        return general;
    return (uint32_t)((uint64_t)general << 1) | (map->event == CS_PERF_CORE_CYCLES);
}

/* EL1 and EL2 are the kernel's; firmware at EL3 is nobody's. */
static uint32_t events_filter(const cs_perf_event *e)
{
    uint32_t filter = 0;

    if (!cs_perf_counts_user(e))
        filter |= CS_COREPMU_EXT64_PMEVTYPER_U_MASK;
    if (cs_perf_counts_kernel(e))
        filter |= CS_COREPMU_EXT64_PMEVTYPER_NSH_MASK | CS_COREPMU_EXT64_PMEVTYPER_M_MASK;
    else
        filter |= CS_COREPMU_EXT64_PMEVTYPER_P_MASK;
    return filter;
}

int cs_perf_corepmu_event_init(cs_pmu *pmu, cs_perf_event *event)
{
    const cs_perf_core *core = cs_perf_corepmu_core(pmu);
    cs_perf_map map;
    const int error = cs_perf_core_find(core, &event->attr, &map);

    if (error != 0)
        return error;
    event->hw.event = core->first_event + map.event;
    event->hw.filter = events_filter(event);
    event->hw.modes = cs_corepmu_filter_modes(event->hw.filter) & ~CS_MODE_MASK(CS_MODE_EL3);
    event->hw.allowed = events_counters(core, &map);
    return 0;
}
