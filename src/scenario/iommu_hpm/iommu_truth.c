// SPDX-License-Identifier: Apache-2.0
#include "scenario/iommu_hpm/iommu_driver_spec.h"

#include "scenario/check.h"
#include "scenario/iommu_hpm/iommu_events.h"

/* With `partial` all IDs that differ in the bits up to the lowest 0 alone. */
static bool is_device(const cs_iommu_event_spec *event, uint32_t asked, uint32_t id)
{
    unsigned low = 0;

    while (event->partial && low < 24 && (asked >> low & 1) != 0)
        low++;
    return !event->partial ? id == asked : id >> low >> 1 == asked >> low >> 1;
}

static bool is_of(const cs_iommu_event_spec *e, const cs_iommu_source_spec *o)
{
    return (!e->by_device || is_device(e, e->device_id, o->device_id)) &&
           (!e->by_process || (o->has_process && o->process_id == e->process_id)) &&
           (!e->by_gscid || (o->has_gscid && is_device(e, e->gscid, o->gscid))) &&
           (!e->by_pscid || (o->has_pscid && o->pscid == e->pscid));
}

uint64_t cs_iommu_truth(const cs_iommu_spec *unit, const cs_iommu_event_spec *event,
                        cs_timeline *const timelines[], cs_cycle from, cs_cycle to)
{
    uint64_t total = 0;

    if (event->event == CS_EVENT_IOMMU(CS_IOMMU_CYCLES))
        return to - from;
    for (size_t i = 0; i < unit->nr_sources; i++)
        if (is_of(event, &unit->sources[i]))
            total += cs_timeline_sum(timelines[i], event->event, CS_MODE_ALL, from, to);
    return total;
}

static bool has_stream(const cs_iommu_source_spec *o, uint32_t event)
{
    for (size_t i = 0; i < o->nr_segments; i++)
        if (cs_check_segment_counts(&o->segments[i], event))
            return true;
    return false;
}

bool cs_iommu_counts(const cs_iommu_spec *unit, const cs_iommu_event_spec *event)
{
    bool counts = event->event == CS_EVENT_IOMMU(CS_IOMMU_CYCLES);

    for (size_t i = 0; i < unit->nr_sources; i++)
        counts |= is_of(event, &unit->sources[i]) && has_stream(&unit->sources[i], event->event);
    return counts;
}
