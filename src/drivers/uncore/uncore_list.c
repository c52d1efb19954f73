// SPDX-License-Identifier: Apache-2.0
/* What is open on a CPU, in the order of its lists, and how that is scheduled. */
#include <stdlib.h>
#include <string.h>

#include "drivers/uncore/uncore_impl.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

_Static_assert(CS_MAX_UNCORE_EVENTS <= CS_ROTATION_MAX_EVENTS, "a list holds all events");
_Static_assert(CS_MAX_UNCORE <= CS_ROTATION_MAX_PMUS, "and all units");

typedef struct growing {
    uncore_event **list;
    size_t nr;
} growing;

static bool is_of(const cs_uncore_driver *d, const uncore_cpu *cpu, const uncore_event *event)
{
    return d->units[event->unit].cpu == cpu && !d->units[event->unit].moving;
}

static void add_if_open(const cs_uncore_driver *d, const uncore_cpu *cpu, growing *g,
                        uncore_event *event)
{
    if (event->open && is_of(d, cpu, event))
        g->list[g->nr++] = event;
}

/* The group of each event that stands first, in the order in which they would have their turn. */
static void add_flexible(const cs_uncore_driver *d, growing *g, const uncore_cpu *cpu, unsigned pmu)
{
    unsigned order[CS_ROTATION_MAX_EVENTS];
    const size_t nr = cs_rotation_order(cpu->rotation, pmu, order, CS_ROTATION_MAX_EVENTS);

    for (size_t i = 0; i < nr; i++)
        for (size_t k = order[i]; k < cpu->nr_list; k++)
            if (cpu->list[k]->group == cpu->list[order[i]]->group)
                add_if_open(d, cpu, g, cpu->list[k]);
}

static void uncore_keep(const cs_uncore_driver *d, const uncore_cpu *cpu, growing *g)
{
    const bool global = d->config.spec->list == CS_UNCORE_LIST_GLOBAL;

    if (cpu->rotation == NULL)
        return;
    for (size_t i = 0; i < cpu->nr_list; i++)
        if (cpu->list[i]->pinned)
            add_if_open(d, cpu, g, cpu->list[i]);
    for (unsigned pmu = 0; pmu < (global ? 1 : CS_ROTATION_MAX_PMUS); pmu++)
        add_flexible(d, g, cpu, pmu);
}

static unsigned place_of(const uncore_cpu *cpu, unsigned unit)
{
    unsigned place = 0;

    while (cpu->units[place] != unit)
        place++;
    return place;
}

static cs_status make_rotation(const cs_uncore_driver *d, const uncore_cpu *cpu, const growing *g,
                               cs_rotation **out)
{
    const cs_uncore_driver_config *c = &d->config;
    const bool contexts = c->spec->list == CS_UNCORE_LIST_CONTEXTS;
    cs_rotation_pmu pmus[CS_MAX_UNCORE];
    cs_rotation_event events[CS_ROTATION_MAX_EVENTS];
    const cs_rotation_config config = {
        .list = c->spec->list == CS_UNCORE_LIST_GLOBAL ? CS_ROTATION_GLOBAL : CS_ROTATION_PER_PMU,
        .first_to_end = contexts,
        .pmus = pmus,
        .nr_pmus = cpu->nr_units,
        .events = events,
        .nr_events = g->nr,
        .tick_cycles = d->tick_cycles,
        .limit_percent = c->spec->limit_percent,
        .most_divider = c->spec->most_divider,
    };

    for (unsigned i = 0; i < cpu->nr_units; i++) {
        const cs_uncore_unit_spec *spec = d->units[cpu->units[i]].spec;

        pmus[i] =
            (cs_rotation_pmu){spec->counters, contexts ? 1 : spec->divider, c->spec->adaptive};
    }
    for (size_t i = 0; i < g->nr; i++)
        events[i] = (cs_rotation_event){place_of(cpu, g->list[i]->unit), g->list[i]->group,
                                        g->list[i]->allowed, g->list[i]->pinned, g->list[i]->error};
    return cs_rotation_create(&config, out, NULL);
}

/* A pinned event without a counter stays in error, whatever becomes of the list. */
static void note_errors(const uncore_cpu *cpu)
{
    for (size_t i = 0; i < cpu->nr_list; i++)
        cpu->list[i]->error =
            cpu->list[i]->pinned && cs_rotation_counters(cpu->rotation)[i] == NO_COUNTER;
}

/* The list that was built takes the place of the CPU's. */
static bool take_list(cs_uncore_driver *d, uncore_cpu *cpu, const growing *g)
{
    cs_rotation *rotation = NULL;

    if (g->nr != 0 && make_rotation(d, cpu, g, &rotation) != CS_OK) {
        free(g->list);
        return false;
    }
    cs_rotation_destroy(cpu->rotation);
    free(cpu->list);
    cpu->rotation = rotation;
    cpu->list = g->list;
    cpu->nr_list = g->nr;
    note_errors(cpu);
    return true;
}

bool cs_uncore_list(cs_uncore_driver *d, uncore_cpu *cpu, unsigned command, bool open)
{
    growing g = {calloc(d->nr_events, sizeof(uncore_event *)), 0};

    if (g.list == NULL)
        return false;
    for (size_t i = 0; i < d->nr_events && !open; i++)
        if (d->events[i].command == command && d->units[d->events[i].unit].cpu == cpu)
            d->events[i].open = false;
    uncore_keep(d, cpu, &g);
    for (size_t i = 0; i < d->nr_events && open; i++) {
        uncore_event *e = &d->events[i];

        if (e->command != command || d->units[e->unit].cpu != cpu)
            continue;
        e->open = true;
        if (!d->units[e->unit].moving)
            g.list[g.nr++] = e;
    }
    return take_list(d, cpu, &g);
}

static bool uncore_has(const growing *g, const uncore_event *event)
{
    for (size_t i = 0; i < g->nr; i++)
        if (g->list[i] == event)
            return true;
    return false;
}

bool cs_uncore_relist(cs_uncore_driver *d, uncore_cpu *cpu)
{
    growing g = {calloc(d->nr_events, sizeof(uncore_event *)), 0};

    if (g.list == NULL)
        return false;
    uncore_keep(d, cpu, &g);
    for (size_t i = 0; i < d->nr_events; i++)
        if (d->events[i].open && is_of(d, cpu, &d->events[i]) && !uncore_has(&g, &d->events[i]))
            g.list[g.nr++] = &d->events[i];
    return take_list(d, cpu, &g);
}
