// SPDX-License-Identifier: Apache-2.0
#include "scenario/uncore/uncore_away.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/scenario.h"
#include "scenario/uncore/uncore_driver_spec.h"

typedef unsigned long long ull;

static size_t count_off(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);

    return cs_uncore_may_manage(s, cpu) && class->off != NULL ? class->off(s, cpu, NULL) : 0;
}

/* A CPU that idles is woken by its timer: only the system takes one away from its units. */
static cs_status take_span(cs_check *check, unsigned cpu, const cs_timeline_off *span,
                           cs_uncore_hotplug_spec *out)
{
    const cs_scenario *s = check->scenario;
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);
    const uint64_t at_us = span->from / s->bus->clock_mhz;
    const uint64_t teardown_us = s->uncore_driver->teardown_us;

    if (class->taken_away == NULL || !class->taken_away(s, cpu, span->from)) {
        cs_check_at(check, "uncore_driver.cpus");
        return cs_check_fail(check,
                             "CPU %u sleeps from %llu us on, but the timer of a CPU that manages "
                             "units would wake it: leave it out, or let the system take it away",
                             cpu, (ull)at_us);
    }
    cs_check_at(check, "uncore_driver.teardown_us");
    if (at_us <= teardown_us)
        return cs_check_fail(check, "CPU %u loses its power at %llu us, no later than that", cpu,
                             (ull)at_us);
    *out = (cs_uncore_hotplug_spec){.cpu = cpu,
                                    .at_us = at_us - teardown_us,
                                    .for_us = span->to / s->bus->clock_mhz - (at_us - teardown_us),
                                    .power_us = at_us};
    return CS_OK;
}

static cs_status take_cpu(cs_check *check, unsigned cpu)
{
    cs_uncore_driver_spec *d = check->scenario->uncore_driver;
    const size_t nr = count_off(check->scenario, cpu);
    cs_timeline_off *spans = calloc(nr + 1, sizeof *spans);
    cs_status status = CS_OK;

    if (spans == NULL)
        return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a scenario");
    if (nr != 0)
        cs_scenario_cpu_class(check->scenario, cpu)->off(check->scenario, cpu, spans);
    for (size_t i = 0; i < nr && status == CS_OK; i++)
        status = take_span(check, cpu, &spans[i], &d->hotplug[d->nr_hotplug++]);
    free(spans);
    return status;
}

/* Of all CPUs that have no power for a while. */
static cs_status take_outages(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_uncore_driver_spec *d = s->uncore_driver;
    cs_uncore_hotplug_spec *all;
    size_t more = 0;
    cs_status status = CS_OK;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        more += count_off(s, cpu);
    if (more == 0)
        return CS_OK;
    all = cs_yaml_alloc(check->memory, (d->nr_hotplug + more) * sizeof *all, check->diag);
    if (all == NULL)
        return CS_ERR_NO_MEMORY;
    if (d->nr_hotplug != 0)
        memcpy(all, d->hotplug, d->nr_hotplug * sizeof *all);
    d->hotplug = all;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s) && status == CS_OK; cpu++)
        status = take_cpu(check, cpu);
    return status;
}

static bool overlap(const cs_uncore_hotplug_spec *a, const cs_uncore_hotplug_spec *b)
{
    return a->cpu == b->cpu && (a->for_us == 0 || b->at_us <= a->at_us + a->for_us) &&
           (b->for_us == 0 || a->at_us <= b->at_us + b->for_us);
}

cs_status cs_uncore_away_check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_driver_spec *d = s->uncore_driver;

    for (size_t i = 0; i < d->nr_hotplug; i++) {
        cs_check_at(check, "uncore_driver.hotplug.%zu.cpu", i);
        if (d->hotplug[i].cpu >= cs_scenario_cpus(s))
            return cs_check_fail(check, "%u is outside the CPUs 0..%u", d->hotplug[i].cpu,
                                 cs_scenario_cpus(s) - 1);
        if (!cs_uncore_may_manage(s, d->hotplug[i].cpu))
            return cs_check_fail(check, "CPU %u manages nothing anyhow", d->hotplug[i].cpu);
    }
    const size_t own = d->nr_hotplug;
    const cs_status status = take_outages(check);

    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < own; i++)
        for (size_t k = 0; k < d->nr_hotplug; k++) {
            cs_check_at(check, "uncore_driver.hotplug.%zu.at_us", i);
            if (k != i && overlap(&d->hotplug[i], &d->hotplug[k]))
                return cs_check_fail(check, "CPU %u is away from %llu us on already (%s)",
                                     d->hotplug[i].cpu, (ull)d->hotplug[k].at_us,
                                     k < own ? "another of the list" : "its power goes then");
        }
    return CS_OK;
}
