// SPDX-License-Identifier: Apache-2.0
/* What is open, in the order of perf's lists, and how that is scheduled (docs/drivers/rotation.md). */
#include "drivers/iommu_hpm/iommu_driver_impl.h"

#include <string.h>

#include "scenario/iommu_hpm/iommu_events.h"

_Static_assert(CS_MAX_IOMMU_EVENTS <= CS_ROTATION_MAX_EVENTS, "a list holds all events");

typedef struct growing {
    iommu_event *list[CS_MAX_IOMMU_EVENTS];
    size_t nr;
} growing;

static void add_if_open(growing *g, iommu_event *event)
{
    if (event->open)
        g->list[g->nr++] = event;
}

/* Those that were open before: pinned ones, then the others in the order of their turns. */
static void iommu_keep(const cs_iommu_driver *d, growing *g)
{
    unsigned order[CS_ROTATION_MAX_EVENTS];

    for (size_t i = 0; i < d->nr_list; i++)
        if (d->list[i]->spec->pinned)
            add_if_open(g, d->list[i]);
    for (unsigned unit = 0; d->rotation != NULL && unit < d->config.units->nr_units; unit++) {
        const size_t nr = cs_rotation_order(d->rotation, unit, order, CS_ROTATION_MAX_EVENTS);

        for (size_t i = 0; i < nr; i++)
            for (size_t k = order[i]; k < d->nr_list; k++)
                if (d->list[k]->group == d->list[order[i]]->group)
                    add_if_open(g, d->list[k]);
    }
}

/* iohpmcycles counts cycles, and every other counter all other events. */
static uint32_t iommu_allowed(const cs_iommu_driver *d, const iommu_event *event)
{
    if (event->spec->event == CS_EVENT_IOMMU(CS_IOMMU_CYCLES))
        return 1;
    return UINT32_MAX >> (IOMMU_COUNTERS - d->units[event->unit].counters) & ~1u;
}

static bool iommu_schedule(cs_iommu_driver *d)
{
    cs_rotation_pmu pmus[CS_MAX_IOMMUS];
    cs_rotation_event events[CS_MAX_IOMMU_EVENTS];
    const cs_rotation_config config = {.list = CS_ROTATION_PER_PMU,
                                       .first_to_end = true,
                                       .pmus = pmus,
                                       .nr_pmus = d->config.units->nr_units,
                                       .events = events,
                                       .nr_events = d->nr_list,
                                       .tick_cycles = d->tick_cycles,
                                       .limit_percent = 100,
                                       .most_divider = 1};

    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        pmus[i] = (cs_rotation_pmu){.counters = d->units[i].counters, .divider = 1};
    for (size_t i = 0; i < d->nr_list; i++) {
        const iommu_event *e = d->list[i];

        events[i] =
            (cs_rotation_event){e->unit, e->group, iommu_allowed(d, e), e->spec->pinned, e->error};
    }
    return cs_rotation_create(&config, &d->rotation, NULL) == CS_OK;
}

bool cs_iommu_list(cs_iommu_driver *d, unsigned command, bool open)
{
    growing g = {.nr = 0};

    for (size_t i = 0; i < d->nr_events && !open; i++)
        if (d->events[i].command == command)
            d->events[i].open = false;
    iommu_keep(d, &g);
    for (size_t i = 0; i < d->nr_events && open; i++)
        if (d->events[i].command == command) {
            d->events[i].open = true;
            g.list[g.nr++] = &d->events[i];
        }
    cs_rotation_destroy(d->rotation);
    d->rotation = NULL;
    memcpy(d->list, g.list, sizeof d->list);
    d->nr_list = g.nr;
    if (g.nr != 0 && !iommu_schedule(d))
        return false;
    /* A pinned event without a counter stays in error, whatever becomes of the list. */
    for (size_t i = 0; i < d->nr_list; i++)
        d->list[i]->error =
            d->list[i]->spec->pinned && cs_rotation_counters(d->rotation)[i] == NO_COUNTER;
    return true;
}
