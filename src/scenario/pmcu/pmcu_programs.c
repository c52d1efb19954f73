// SPDX-License-Identifier: Apache-2.0
#include "scenario/pmcu/pmcu_programs.h"

#include <string.h>

#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"

static bool online(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_state state = cs_arm_class.state(s, cpu);

    return state == CS_CPU_ONLINE || state == CS_CPU_LOCKED;
}

/* software.cpu manages its own die's PMCU; the first CPU that is online another die's. */
static unsigned default_cpu(const cs_scenario *s, unsigned die)
{
    const unsigned cpus = cs_scenario_die_cpus(s);
    const unsigned own = s->software->cpu;

    if (s->pmcu->dies == 1 || (own >= die * cpus && own < (die + 1) * cpus))
        return own;
    for (unsigned cpu = die * cpus; cpu < (die + 1) * cpus; cpu++)
        if (online(s, cpu))
            return cpu;
    return own;
}

/* What all of them do. */
static cs_pmcu_program common(const cs_scenario *s, unsigned die)
{
    const cs_pmcu_driver_spec *d = s->pmcu_driver;
    cs_pmcu_program p = {
        .sccl = cs_scenario_sccl(s, die),
        .runs = d->nr_dies == 0,
        .cpu = default_cpu(s, die),
        .nr_user_events = d->nr_user_events,
        .nr_ignored_events = d->nr_ignored_events,
        .nr_sample = d->nr_sample,
        .sample_period_ms = d->sample_period_ms,
        .sample_period_ticks = d->sample_period_ticks,
        .pmccfiltr = d->pmccfiltr,
        .stop_at_cycle = d->stop_at_cycle,
        .aux_base = d->aux_base + die * d->aux_buffer_bytes * d->aux_buffers,
        .data_base = d->data_base + die * CS_PMCU_DATA_BYTES,
    };

    memcpy(p.user_events, d->user_events, sizeof p.user_events);
    return p;
}

static bool given(cs_check *check, size_t place, const char *key)
{
    return cs_check_at(check, "pmcu_driver.dies.%zu.%s", place, key) != NULL;
}

/* What is given for one die alone. */
static void lay_over(cs_check *check, size_t place, cs_pmcu_program *p)
{
    const cs_pmcu_program *own = &check->scenario->pmcu_driver->dies[place];

    p->runs = true;
    p->place = place;
    if (given(check, place, "cpu"))
        p->cpu = own->cpu;
    if (given(check, place, "user_events")) {
        p->own_events = true;
        memcpy(p->user_events, own->user_events, sizeof p->user_events);
        p->nr_user_events = own->nr_user_events;
        p->nr_ignored_events = own->nr_ignored_events;
    }
    if (given(check, place, "nr_sample")) {
        p->own_samples = true;
        p->nr_sample = own->nr_sample;
    }
    if (given(check, place, "sample_period_ms")) {
        p->sample_period_ms = own->sample_period_ms;
        p->sample_period_ticks = own->sample_period_ms * CS_PMCU_TICKS_PER_MS;
    }
    if (given(check, place, "sample_period_ticks")) {
        p->sample_period_ms = 0;
        p->sample_period_ticks = own->sample_period_ticks;
    }
    if (given(check, place, "pmccfiltr"))
        p->pmccfiltr = own->pmccfiltr;
    if (given(check, place, "stop_at_cycle"))
        p->stop_at_cycle = own->stop_at_cycle;
}

static cs_pmcu_program *program_of(cs_pmcu_driver_spec *d, const cs_scenario *s, unsigned sccl)
{
    for (unsigned die = 0; die < s->pmcu->dies; die++)
        if (d->programs[die].sccl == sccl)
            return &d->programs[die];
    return NULL;
}

void cs_pmcu_programs_make(cs_check *check)
{
    cs_scenario *s = check->scenario;
    cs_pmcu_driver_spec *d = s->pmcu_driver;

    for (unsigned die = 0; die < s->pmcu->dies && cs_scenario_has_pmcu(s); die++)
        d->programs[die] = common(s, die);
    for (size_t i = 0; i < d->nr_dies; i++) {
        cs_pmcu_program *p = program_of(d, s, d->dies[i].sccl);

        if (p != NULL && !p->runs)
            lay_over(check, i, p);
    }
}

static cs_status check_place(cs_check *check, size_t place)
{
    const cs_scenario *s = check->scenario;
    const unsigned sccl = s->pmcu_driver->dies[place].sccl;
    const cs_pmcu_program *p = program_of(s->pmcu_driver, s, sccl);

    cs_check_at(check, "pmcu_driver.dies.%zu.sccl", place);
    if (p == NULL)
        return cs_check_fail(check, "there is no hisi_pmcu_sccl%u: dies are numbered from %u on%s",
                             sccl, s->pmcu->sccl,
                             s->pmcu->dies == 1 ? ", and there is one (pmcu.dies)"
                                                : " by pmcu.sccl_step");
    if (p->place != place)
        return cs_check_fail(check, "sccl%u stands there twice", sccl);
    if (given(check, place, "sample_period_ms") && given(check, place, "sample_period_ticks"))
        return cs_check_fail(check, "not allowed beside sample_period_ms");
    return CS_OK;
}

static cs_status check_cpu(cs_check *check, const cs_pmcu_program *p)
{
    const cs_scenario *s = check->scenario;

    if (!p->runs || cs_check_at(check, "pmcu_driver.dies.%zu.cpu", p->place) == NULL)
        return CS_OK;
    if (!cs_scenario_is_arm(s, p->cpu))
        return cs_check_fail(check, "there is no CPU %u of the PMCU: there are %u", p->cpu,
                             cs_scenario_arm_cpus(s));
    if (!online(s, p->cpu))
        return cs_check_fail(check, "CPU %u is not online", p->cpu);
    return CS_OK;
}

cs_status cs_pmcu_programs_check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->pmcu_driver->nr_dies && status == CS_OK; i++)
        status = check_place(check, i);
    for (unsigned die = 0; die < s->pmcu->dies && status == CS_OK; die++)
        status = check_cpu(check, &s->pmcu_driver->programs[die]);
    return status;
}

bool cs_pmcu_programs_run_on(const cs_scenario *s, unsigned cpu)
{
    for (unsigned die = 0; die < s->pmcu->dies; die++)
        if (s->pmcu_driver->programs[die].runs && s->pmcu_driver->programs[die].cpu == cpu)
            return true;
    return false;
}
