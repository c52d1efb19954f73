// SPDX-License-Identifier: Apache-2.0
#include "scenario/corepmu/outages.h"

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

/* An outage in cycles. */
typedef struct span {
    cs_cycle off, on, unlocked;
} span;

static span cycles_of(const cs_scenario *s, const cs_outage_spec *o)
{
    return (span){cs_scenario_us(s, o->at_us), cs_scenario_us(s, o->at_us + o->for_us),
                  cs_scenario_us(s, o->at_us + o->for_us + o->unlock_us)};
}

static bool takes_power(const cs_outage_spec *o)
{
    return o->kind != CS_OUTAGE_CLOCK_STOP;
}

size_t cs_outages_changes(const cs_scenario *s, unsigned cpu, cs_power_change out[])
{
    const bool locked = s->corepmu->locked[cpu];
    size_t n = 0;

    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];
        const span at = cycles_of(s, o);

        if (o->cpu != cpu || !takes_power(o))
            continue;
        if (out != NULL) {
            out[n] = (cs_power_change){at.off, true, locked};
            out[n + 1] = (cs_power_change){at.on, false, locked || o->unlock_us != 0};
            out[n + 2] = (cs_power_change){at.unlocked, false, locked};
        }
        n += 3;
    }
    return n;
}

size_t cs_outages_off(const cs_scenario *s, unsigned cpu, cs_timeline_off out[])
{
    size_t n = 0;

    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const span at = cycles_of(s, &s->corepmu->outages[i]);

        if (s->corepmu->outages[i].cpu != cpu)
            continue;
        if (out != NULL)
            out[n] = (cs_timeline_off){at.off, at.on};
        n++;
    }
    return n;
}

bool cs_outages_refuse(const cs_scenario *s, unsigned cpu, cs_cycle from, cs_cycle to)
{
    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];
        const span at = cycles_of(s, o);

        if (o->cpu == cpu && takes_power(o) && at.off < to && at.unlocked > from)
            return true;
    }
    return false;
}

bool cs_outages_lose(const cs_scenario *s, unsigned cpu, cs_cycle from, cs_cycle to)
{
    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];
        const span at = cycles_of(s, o);

        if (o->cpu == cpu && takes_power(o) && at.off < to && at.on > from)
            return true;
    }
    return false;
}

const cs_outage_spec *cs_outages_at(const cs_scenario *s, unsigned cpu, cs_cycle cycle,
                                    cs_cycle *back)
{
    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];
        const span at = cycles_of(s, o);

        if (o->cpu != cpu || cycle < at.off || cycle >= at.on)
            continue;
        *back = at.on;
        return o;
    }
    return NULL;
}

bool cs_outages_hotplug(const cs_scenario *s, unsigned cpu, cs_cycle cycle)
{
    cs_cycle back;
    const cs_outage_spec *o = cs_outages_at(s, cpu, cycle, &back);

    return o != NULL && o->kind == CS_OUTAGE_HOTPLUG;
}

/* A script takes no time from its CPU; arm_pmu goes off with each CPU, and the PMCU's driver to
 * another (pmcu/pmcu_moves.h). */
static bool needs_its_cpu(const cs_scenario *s)
{
    const unsigned others = CS_SOFTWARE_BIT(CS_SOFTWARE_script) |
                            CS_SOFTWARE_BIT(CS_SOFTWARE_arm_pmu) |
                            CS_SOFTWARE_BIT(CS_SOFTWARE_pmcu_driver);

    return cs_scenario_runs_on_a_cpu(s) && (s->software->kinds & ~others) != 0;
}

static cs_status check_cpu(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_outage_spec *o = &s->corepmu->outages[i];

    cs_check_at(check, "corepmu.outages.%zu.cpu", i);
    if (o->cpu >= cs_scenario_arm_cpus(s))
        return cs_check_fail(check, "CPU %u is none of the PMCU's clusters", o->cpu);
    if (s->corepmu->absent[o->cpu] || s->corepmu->offline[o->cpu])
        return cs_check_fail(check, "CPU %u is %s (corepmu.%s) all the time", o->cpu,
                             cs_cpu_state_name(cs_scenario_cpu_state(s, o->cpu)),
                             cs_cpu_state_name(cs_scenario_cpu_state(s, o->cpu)));
    if (o->cpu == s->software->cpu && needs_its_cpu(s))
        return cs_check_fail(
            check, "CPU %u runs the software (software.cpu), so that it cannot go off", o->cpu);
    return CS_OK;
}

cs_status cs_outages_check(cs_check *check)
{
    const cs_corepmu_spec *spec = check->scenario->corepmu;

    for (size_t i = 0; i < spec->nr_outages; i++) {
        const cs_outage_spec *o = &spec->outages[i];
        const cs_status status = check_cpu(check, i);

        if (status != CS_OK)
            return status;
        cs_check_at(check, "corepmu.outages.%zu.at_us", i);
        for (size_t k = 0; k < i; k++) {
            const cs_outage_spec *before = &spec->outages[k];
            const uint64_t end = before->at_us + before->for_us + before->unlock_us;

            if (before->cpu == o->cpu && o->at_us <= end)
                return cs_check_fail(check,
                                     "CPU %u is off or locked until %llu us "
                                     "(corepmu.outages.%zu)",
                                     o->cpu, (unsigned long long)end, k);
        }
    }
    return CS_OK;
}
