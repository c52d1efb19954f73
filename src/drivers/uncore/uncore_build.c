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
    const bool contexts = c->spec->list == CS_UNCORE_LIST_CONTEXTS;

    d->units.units[number].name = spec->name;
    d->units.units[number].counters = spec->counters;
    d->units.units[number].divider = contexts ? 1 : spec->divider;
    d->regs[number] = (uncore_unit){
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
    d->regs[number].start = UINT64_C(1) << (spec->width - 1);
    d->regs[number].poll_cycles = d->regs[number].wrap_cycles = CS_NEVER;
}

/* A CPU, with the units that it manages; with `only` not NULL, of those this one. */
static void add_cpu(cs_uncore_driver *d, unsigned number, const unsigned *only)
{
    const cs_uncore_driver_config *c = &d->config;
    uncore_cpu *cpu = &d->cpus[d->nr_cpus];

    *cpu = (uncore_cpu){.look = CS_NEVER, .off = CS_NEVER, .on = CS_NEVER};
    cpu->cpu = (cs_unit_cpu){.number = number,
                             .units = cpu->numbers,
                             .interval = cs_uncore_us(d, c->spec->tick_us),
                             .aligned = only == NULL,
                             .tick = CS_NEVER};
    for (unsigned unit = 0; unit < c->units->nr_units; unit++)
        if (c->managers[unit].managed && c->managers[unit].cpu == number &&
            (only == NULL || unit == *only)) {
            cpu->numbers[cpu->cpu.nr_units++] = unit;
            d->units.units[unit].cpu = &cpu->cpu;
        }
    if (only != NULL) {
        cpu->unit = *only;
        cpu->cpu.interval *= c->units->units[*only].divider;
    }
    if (c->spec->choice == CS_UNCORE_BUSY || c->spec->choice == CS_UNCORE_IDLE)
        cpu->look = cs_uncore_us(d, c->spec->look_us);
    cs_uncore_expect_off(d, cpu, 0);
    d->nr_cpus += cpu->cpu.nr_units != 0 || (cs_uncore_moves(c->spec) && c->may[number]);
}

/* CPUs by rising number, each with its units; with contexts, unit by unit. Their ticks are spread. */
static bool build_machine(cs_uncore_driver *d)
{
    const cs_uncore_driver_config *c = &d->config;
    const bool contexts = c->spec->list == CS_UNCORE_LIST_CONTEXTS;
    const size_t each = contexts ? c->units->nr_units : 1;

    d->regs = calloc(c->units->nr_units, sizeof *d->regs);
    d->cpus = calloc(c->nr_cpus * each + 1, sizeof *d->cpus);
    if (d->regs == NULL || d->cpus == NULL)
        return false;
    for (unsigned unit = 0; unit < c->units->nr_units; unit++)
        build_unit(d, unit, &c->managers[unit]);
    for (unsigned number = 0; number < c->nr_cpus; number++)
        for (unsigned unit = 0; unit < each; unit++)
            if (!contexts || c->managers[unit].managed)
                add_cpu(d, number, contexts ? &unit : NULL);
    for (unsigned i = 0; i < d->nr_cpus; i++)
        d->cpus[i].cpu.phase = i * cs_uncore_us(d, c->spec->tick_us) / d->nr_cpus;
    return true;
}

static void build_events(cs_uncore_driver *d, unsigned command, unsigned unit)
{
    const cs_uncore_perf_spec *p = &d->config.spec->perf[command];
    const uint32_t all = (1u << d->units.units[unit].counters) - 1;

    for (size_t i = 0; i < p->nr_events; i++) {
        const cs_uncore_event_spec *spec = &p->events[i];

        d->units.events[d->units.nr_events++] = (cs_unit_event){
            .command = command,
            .unit = unit,
            .cpu = d->config.managers[unit].cpu,
            .number = spec->event - CS_EVENT_UNCORE(0),
            .allowed = spec->counters != 0 ? spec->counters & all : all,
            .group = spec->group,
            .pinned = spec->pinned,
            .config1 = spec->config1,
            .config2 = spec->config2,
            .name = spec->name[0] != '\0' ? spec->name : NULL,
            .spec = spec,
            .owner = &d->config.units->units[unit],
            .counter = CS_UNIT_NO_COUNTER,
        };
    }
}

static bool has_part(const cs_uncore_driver *d, const cs_unit_cpu *cpu,
                     const cs_uncore_perf_spec *p)
{
    bool any = cs_uncore_moves(d->config.spec);

    for (unsigned k = 0; k < cpu->nr_units; k++)
        any = any || p->units[cpu->units[k]];
    return any;
}

/* By CPU, then by command. */
static bool build_sessions(cs_uncore_driver *d)
{
    const cs_uncore_driver_spec *spec = d->config.spec;

    d->sessions = calloc(d->nr_cpus * spec->nr_perf + 1, sizeof *d->sessions);
    if (d->sessions == NULL)
        return false;
    for (unsigned i = 0; i < d->nr_cpus; i++)
        for (unsigned command = 0; command < spec->nr_perf; command++) {
            const cs_uncore_perf_spec *p = &spec->perf[command];

            if (has_part(d, &d->cpus[i].cpu, p))
                d->sessions[d->nr_sessions++] = cs_unit_session_of(
                    command, &d->cpus[i].cpu, cs_uncore_us(d, p->start_us),
                    cs_uncore_us(d, p->stop_us), cs_uncore_us(d, p->interval_us));
        }
    return true;
}

static cs_units_config perf_config(cs_uncore_driver *d, const cs_units_ops *ops)
{
    const cs_uncore_driver_spec *spec = d->config.spec;

    return (cs_units_config){
        .ops = ops,
        .ctx = d,
        .nr_cpus = d->config.nr_cpus,
        .nr_units = (unsigned)d->config.units->nr_units,
        .most_events = CS_MAX_UNCORE_EVENTS,
        .global = spec->list == CS_UNCORE_LIST_GLOBAL,
        .last_first = spec->list != CS_UNCORE_LIST_CONTEXTS,
        .keeps = !spec->take_out_all,
        .adaptive = spec->adaptive,
        .limits = {spec->limit_percent * cs_uncore_us(d, spec->tick_us), spec->most_divider},
        .handler_cycles = spec->handler_cycles,
        .ends_at_switch = true,
        .family = &cs_uncore_family,
        .soft = d->config.soft};
}

cs_status cs_uncore_build(cs_uncore_driver *d, const cs_units_ops *ops, cs_diag *diag)
{
    const cs_uncore_driver_spec *spec = d->config.spec;
    const cs_units_config perf = perf_config(d, ops);
    const cs_status status = cs_units_begin(&perf, &d->units, diag);

    if (status != CS_OK)
        return status;
    if (!build_machine(d) || !build_sessions(d))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    for (unsigned command = 0; command < spec->nr_perf; command++)
        for (size_t i = 0; i < spec->perf[command].nr_units; i++)
            build_events(d, command, spec->perf[command].unit_list[i]);
    return CS_OK;
}
