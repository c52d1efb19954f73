// SPDX-License-Identifier: Apache-2.0
/* docs/drivers/iommu_driver.md: what happens when. */
#include "drivers/iommu_hpm/iommu_driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "drivers/iommu_hpm/iommu_driver_impl.h"
#include "scenario/iommu_hpm/iommu_events.h"
#include <countersink/base/numbers.h>

static cs_cycle iommu_us(const cs_iommu_driver *d, uint64_t us)
{
    return us * d->config.clock_mhz;
}

/* ---- for perf ---- */

static cs_cycle iommu_now(void *ctx)
{
    const cs_iommu_driver *d = ctx;

    return d->routine.now;
}

static cs_cycle iommu_enter(void *ctx, const cs_unit_cpu *cpu)
{
    cs_iommu_driver *d = ctx;
    const cs_cycle entered = d->routine.now;

    (void)cpu;
    if (d->config.interrupts)
        cs_routine_enter(&d->routine, 0);
    cs_routine_delay(&d->routine, d->config.spec->handler_cycles);
    return entered;
}

static void iommu_leave(void *ctx, const cs_unit_cpu *cpu, cs_cycle entered)
{
    cs_iommu_driver *d = ctx;

    (void)cpu;
    if (!d->config.interrupts)
        return;
    d->units.report.rotating_cycles += d->routine.now - entered;
    cs_routine_leave(&d->routine, 0);
}

static const cs_units_ops iommu_ops = {.now = iommu_now,
                                       .enter = iommu_enter,
                                       .leave = iommu_leave,
                                       .change = cs_iommu_change,
                                       .read = cs_iommu_read};

static uint64_t iommu_truth(const cs_count *c, cs_timeline *const timelines[])
{
    const cs_unit_event *e = c->own;
    const cs_iommu_spec *of = e->owner;

    return cs_iommu_truth(of, e->spec, &timelines[CS_IOMMU_TIMELINE(of->first_source)], c->from,
                          c->to);
}

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", cs_iommu_event_name(event));
    return buffer;
}

const cs_count_family cs_iommu_family = {.name = "iommu",
                                         .timeline = CS_IOMMU_TIMELINE(0),
                                         .first_event = CS_EVENT_IOMMU(0),
                                         .truth = iommu_truth,
                                         .event_name = event_name};

/* ---- interrupts ---- */

static bool is_used(const cs_unit *unit)
{
    for (unsigned n = 0; n < IOMMU_COUNTERS; n++)
        if (unit->on[n] != NULL)
            return true;
    return false;
}

/* Until it is time, or the line of a monitor that is used is high. Returns those that were. */
static uint64_t sleep_until(cs_iommu_driver *d, cs_cycle cycle)
{
    uint64_t lines = 0;

    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        if (is_used(&d->units.units[i]))
            lines |= CS_LINE(CS_LINE_IOMMU(i));
    if (lines == 0) {
        cs_routine_sleep_until(&d->routine, cycle);
        return 0;
    }
    /* What is due looks at the lines, too. */
    const cs_cycle now = d->routine.now;
    const cs_op wait = {
        .kind = CS_OP_WAIT_IRQ, .cycles = now < cycle ? cycle - now : 1, .lines = lines};
    return cs_routine_perform(&d->routine, wait)->lines;
}

static void take_interrupts(cs_iommu_driver *d, uint64_t lines)
{
    for (unsigned i = 0; i < d->config.units->nr_units; i++) {
        if ((lines & CS_LINE(CS_LINE_IOMMU(i))) == 0)
            continue;
        cs_routine_delay(&d->routine, d->config.irq_latency_cycles);
        const cs_cycle entered = iommu_enter(d, &d->cpu);

        d->units.report.interrupts++;
        cs_iommu_take_overflows(d, &d->units.units[i]);
        iommu_leave(d, &d->cpu, entered);
    }
}

/* ---- what is next ---- */

static cs_unit_job next_job(cs_iommu_driver *d)
{
    cs_unit_job best = {.kind = CS_UNIT_NONE, .due = CS_NEVER};
    const cs_unit_job tick = {.kind = CS_UNIT_TICK, .due = d->cpu.tick, .cpu = &d->cpu};

    for (size_t i = 0; i < d->config.spec->nr_perf; i++) {
        const cs_unit_job other = cs_unit_session_job(&d->sessions[i]);

        cs_unit_offer(&best, &other);
    }
    cs_unit_offer(&best, &tick);
    return best;
}

/* iohpmcycles counts cycles, and every other counter all other events. */
static uint32_t iommu_allowed(const cs_unit *unit, uint32_t event)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << unit->counters) - 1);

    return event == CS_IOMMU_CYCLES ? 1 : all & ~UINT32_C(1);
}

static void iommu_run(void *ctx)
{
    cs_iommu_driver *d = ctx;
    cs_units *u = &d->units;

    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        cs_iommu_detect(d, i);
    for (size_t i = 0; i < u->nr_events; i++)
        u->events[i].allowed = iommu_allowed(&u->units[u->events[i].unit], u->events[i].number);
    for (cs_unit_job j = next_job(d); j.kind != CS_UNIT_NONE && !u->failed; j = next_job(d)) {
        const uint64_t high = sleep_until(d, j.due);

        take_interrupts(d, high);
        if (high == 0 && d->routine.now >= j.due) /* else what is next may be something else */
            cs_units_do(u, &j);
    }
}

/* ---- outside ---- */

static void build_events(cs_iommu_driver *d, unsigned command, unsigned unit)
{
    const cs_iommu_perf_spec *p = &d->config.spec->perf[command];

    for (size_t i = 0; i < p->nr_events; i++) {
        const cs_iommu_event_spec *spec = &p->events[i];

        d->units.events[d->units.nr_events++] =
            (cs_unit_event){.command = command,
                            .unit = unit,
                            .cpu = d->config.cpu,
                            .number = spec->event - CS_EVENT_IOMMU(0),
                            .group = spec->group,
                            .pinned = spec->pinned,
                            .config = spec->config,
                            .name = spec->name,
                            .spec = spec,
                            .owner = &d->config.units->units[unit],
                            .counter = CS_UNIT_NO_COUNTER};
    }
}

static void build_units(cs_iommu_driver *d)
{
    d->cpu = (cs_unit_cpu){.number = d->config.cpu,
                           .units = d->numbers,
                           .nr_units = (unsigned)d->config.units->nr_units,
                           .interval = iommu_us(d, d->config.spec->tick_us),
                           .tick = CS_NEVER};
    for (unsigned i = 0; i < d->config.units->nr_units; i++) {
        cs_unit *unit = &d->units.units[i];

        d->numbers[i] = i;
        d->regs[i].base = CS_IOMMU_BASE + (uint64_t)i * CS_IOMMU_STRIDE;
        unit->name = d->config.units->units[i].name;
        unit->cpu = &d->cpu;
        unit->divider = 1;
    }
}

static void build_commands(cs_iommu_driver *d)
{
    const cs_iommu_driver_spec *spec = d->config.spec;

    for (unsigned i = 0; i < spec->nr_perf; i++) {
        const cs_iommu_perf_spec *p = &spec->perf[i];

        d->sessions[i] = cs_unit_session_of(i, &d->cpu, iommu_us(d, p->start_us),
                                            iommu_us(d, p->stop_us), iommu_us(d, p->interval_us));
        for (size_t u = 0; u < p->nr_units; u++)
            build_events(d, i, p->units[u]);
    }
}

static cs_status iommu_build(cs_iommu_driver *d, cs_diag *diag)
{
    const cs_units_config units = {.ops = &iommu_ops,
                                   .ctx = d,
                                   .nr_cpus = d->config.cpu + 1,
                                   .nr_units = (unsigned)d->config.units->nr_units,
                                   .most_events = CS_MAX_IOMMU_EVENTS,
                                   .family = &cs_iommu_family,
                                   .soft = d->config.soft};
    const cs_status status = cs_units_begin(&units, &d->units, diag);

    if (status != CS_OK)
        return status;
    d->sessions = calloc(d->config.spec->nr_perf + 1, sizeof *d->sessions);
    if (d->sessions == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on IOMMUs");
    build_units(d);
    build_commands(d);
    return cs_routine_create(&d->routine, iommu_run, d, diag);
}

cs_status cs_iommu_driver_create(const cs_iommu_driver_config *config, cs_iommu_driver **out,
                                 cs_diag *diag)
{
    cs_iommu_driver *d = calloc(1, sizeof *d);
    cs_status status;

    *out = NULL;
    if (d == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on IOMMUs");
    d->config = *config;
    status = iommu_build(d, diag);
    if (status == CS_OK)
        *out = d;
    else
        cs_iommu_driver_destroy(d);
    return status;
}

void cs_iommu_driver_destroy(cs_iommu_driver *d)
{
    if (d == NULL)
        return;
    cs_routine_destroy(&d->routine);
    cs_units_end(&d->units);
    free(d->sessions);
    free(d);
}

cs_software cs_iommu_driver_software(cs_iommu_driver *d)
{
    return cs_routine_software(&d->routine);
}

const cs_rotating_report *cs_iommu_driver_get_report(const cs_iommu_driver *d)
{
    return &d->units.report;
}

bool cs_iommu_driver_failed(const cs_iommu_driver *d)
{
    return d->units.failed;
}
