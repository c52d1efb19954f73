// SPDX-License-Identifier: Apache-2.0
/* The driver's objects from the scenario. */
#include <stdlib.h>

#include "drivers/uncore/uncore_impl.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/numbers.h>

#define SLOT_BYTES 0x10000u /* of a register bridge (docs/hw/bus.md) */
#define MOST_INCREMENT 15u

static void build_unit(cs_uncore_driver *d, unsigned number, const cs_uncore_manager *manager)
{
    const cs_uncore_driver_config *c = &d->config;
    const cs_uncore_unit_spec *spec = &c->units->units[number];
    const uint64_t half = (UINT64_C(1) << (spec->width - 1)) / MOST_INCREMENT;
    const uint64_t mask = UINT64_MAX >> (64 - spec->width);

    d->units[number] = (uncore_unit){
        .spec = spec,
        .base = CS_UNCORE_BASE + (uint64_t)spec->bridge * CS_UNCORE_BYTES +
                (uint64_t)spec->slot * SLOT_BYTES,
        .mask = mask,
        .far_cycles = manager->near ? 0 : c->units->bridges[spec->bridge].remote_cycles,
        .poll_cycles = half > c->spec->poll_cycles ? half : c->spec->poll_cycles,
        .wrap_cycles = mask / MOST_INCREMENT,
    };
    if (!c->spec->by_interrupt)
        return;
    d->units[number].start = UINT64_C(1) << (spec->width - 1);
    d->units[number].poll_cycles = d->units[number].wrap_cycles = CS_NEVER;
}

/* A CPU, with the units that it manages; with `only` not NULL, of those this one. */
static void add_cpu(cs_uncore_driver *d, unsigned number, const unsigned *only)
{
    const cs_uncore_driver_config *c = &d->config;
    uncore_cpu *cpu = &d->cpus[d->nr_cpus];

    *cpu = (uncore_cpu){.cpu = number,
                        .interval = d->tick_cycles,
                        .tick = CS_NEVER,
                        .look = CS_NEVER,
                        .off = CS_NEVER,
                        .on = CS_NEVER};
    for (unsigned unit = 0; unit < c->units->nr_units; unit++)
        if (c->managers[unit].managed && c->managers[unit].cpu == number &&
            (only == NULL || unit == *only)) {
            cpu->units[cpu->nr_units++] = unit;
            d->units[unit].cpu = cpu;
        }
    if (only != NULL) {
        cpu->unit = *only;
        cpu->interval *= c->units->units[*only].divider;
    }
    if (c->spec->choice == CS_UNCORE_BUSY || c->spec->choice == CS_UNCORE_IDLE)
        cpu->look = cs_uncore_us(d, c->spec->look_us);
    cs_uncore_expect_off(d, cpu, 0);
    d->nr_cpus += cpu->nr_units != 0 || (cs_uncore_moves(c->spec) && c->may[number]);
}

/* CPUs by rising number, each with its units; with contexts, unit by unit. */
static bool build_machine(cs_uncore_driver *d)
{
    const cs_uncore_driver_config *c = &d->config;
    const bool contexts = c->spec->list == CS_UNCORE_LIST_CONTEXTS;
    const size_t each = contexts ? c->units->nr_units : 1;

    d->units = calloc(c->units->nr_units, sizeof *d->units);
    d->cpus = calloc(c->nr_cpus * each + 1, sizeof *d->cpus);
    if (d->units == NULL || d->cpus == NULL)
        return false;
    for (unsigned unit = 0; unit < c->units->nr_units; unit++)
        build_unit(d, unit, &c->managers[unit]);
    for (unsigned number = 0; number < c->nr_cpus; number++)
        for (unsigned unit = 0; unit < each; unit++)
            if (!contexts || c->managers[unit].managed)
                add_cpu(d, number, contexts ? &unit : NULL);
    return true;
}

/* The number that events of a group share: that of the first one. */
static unsigned group_of(const cs_uncore_driver *d, size_t event, unsigned group, size_t first)
{
    const cs_uncore_event_spec *specs = d->config.spec->perf[d->events[event].command].events;

    for (size_t i = first; i < event && group != 0; i++)
        if (specs[i - first].group == group)
            return (unsigned)i;
    return (unsigned)event;
}

static void build_events_of(cs_uncore_driver *d, unsigned command, unsigned unit)
{
    const cs_uncore_perf_spec *p = &d->config.spec->perf[command];
    const uint32_t all = (1u << d->units[unit].spec->counters) - 1;
    const size_t first = d->nr_events;

    for (size_t i = 0; i < p->nr_events; i++) {
        const cs_uncore_event_spec *spec = &p->events[i];

        d->events[d->nr_events] = (uncore_event){
            .command = command,
            .unit = unit,
            .event = spec->event - CS_EVENT_UNCORE(0),
            .spec = spec,
            .allowed = spec->counters != 0 ? spec->counters & all : all,
            .pinned = spec->pinned,
            .counter = NO_COUNTER,
        };
        d->events[d->nr_events].group = group_of(d, d->nr_events, spec->group, first);
        d->nr_events++;
    }
}

static bool build_events(cs_uncore_driver *d)
{
    const cs_uncore_driver_config *c = &d->config;

    d->events = calloc(CS_MAX_UNCORE_EVENTS, sizeof *d->events);
    if (d->events == NULL)
        return false;
    for (unsigned command = 0; command < c->spec->nr_perf; command++)
        for (size_t i = 0; i < c->spec->perf[command].nr_units; i++)
            build_events_of(d, command, c->spec->perf[command].unit_list[i]);
    return true;
}

/* By CPU, then by command. */
static bool build_sessions(cs_uncore_driver *d)
{
    const cs_uncore_driver_config *c = &d->config;

    d->sessions = calloc(d->nr_cpus * c->spec->nr_perf + 1, sizeof *d->sessions);
    if (d->sessions == NULL)
        return false;
    for (unsigned i = 0; i < d->nr_cpus; i++)
        for (unsigned command = 0; command < c->spec->nr_perf; command++) {
            const cs_uncore_perf_spec *p = &c->spec->perf[command];
            const cs_cycle start = cs_uncore_us(d, p->start_us);
            bool any = cs_uncore_moves(c->spec);

            for (unsigned k = 0; k < d->cpus[i].nr_units; k++)
                any = any || p->units[d->cpus[i].units[k]];
            if (any)
                d->sessions[d->nr_sessions++] = (uncore_session){
                    .command = command,
                    .cpu = &d->cpus[i],
                    .start = start,
                    .stop = cs_uncore_us(d, p->stop_us),
                    .interval =
                        p->interval_us != 0 ? start + cs_uncore_us(d, p->interval_us) : CS_NEVER,
                };
        }
    return true;
}

bool cs_uncore_build(cs_uncore_driver *d, const cs_uncore_driver_config *config)
{
    d->config = *config;
    d->tick_cycles = cs_uncore_us(d, config->spec->tick_us);
    return build_machine(d) && build_events(d) && build_sessions(d);
}
