// SPDX-License-Identifier: Apache-2.0
/* perf by the kernel's driver, as the environment knows it: its code runs on the cores themselves, not
 * on the CPU port. */
#include <stdlib.h>

#include "drivers/corepmu/arm_pmu_impl.h"
#include "drivers/environment.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"

static void arm_put_outages(const cs_scenario *s, cs_arm_outage *out)
{
    for (size_t i = 0; i < s->corepmu->nr_outages; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];

        out[i] = (cs_arm_outage){
            .cpu = o->cpu,
            .off = cs_scenario_us(s, o->at_us),
            .on = cs_scenario_us(s, o->at_us + o->for_us),
            .power = o->kind != CS_OUTAGE_CLOCK_STOP,
            .hotplug = o->kind == CS_OUTAGE_HOTPLUG,
        };
    }
}

static cs_status arm_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const size_t nr_outages = s->corepmu->nr_outages;
    cs_arm_outage *outages = nr_outages != 0 ? calloc(nr_outages, sizeof *outages) : NULL;

    if (nr_outages != 0 && outages == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "arm_pmu", "no memory for the software");
    arm_put_outages(s, outages);
    const cs_arm_pmu_config config = {
        .outages = outages,
        .nr_outages = nr_outages,
        .spec = s->arm_pmu,
        .clock_mhz = s->bus->clock_mhz,
        .nr_cpus = cs_scenario_arm_cpus(s),
        .die_cpus = cs_scenario_die_cpus(s),
        .home = s->software->cpu,
        .timelines = env->timelines,
        .soft = &env->soft,
    };

    return cs_arm_pmu_create(&config, (cs_arm_pmu **)object, diag);
}

static void arm_destroy(void *object)
{
    cs_arm_pmu_destroy(object);
}

/* Events of perf stat have their counters all the time, but where they yield them: their counts are told
 * as those of events that take turns. */
static const cs_rotating_report *arm_rotating(const void *object)
{
    const cs_arm_pmu *pmu = object;
    const cs_arm_pmu_spec *spec = pmu->config.spec;

    return spec->command == CS_ARM_STAT && !spec->guest ? &pmu->report.rotating : NULL;
}

const cs_software_row cs_software_row_arm_pmu = {
    .create = arm_create, .destroy = arm_destroy, .rotating = arm_rotating};

cs_arm_pmu *cs_arm_pmu_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_arm_pmu];
}

bool cs_environment_arm_core(const cs_environment *env, unsigned cpu, cs_arm_core_config *out)
{
    cs_arm_pmu *pmu = cs_arm_pmu_of(env);

    if (pmu == NULL || !cs_arm_pmu_uses(pmu, cpu))
        return false;
    cs_arm_pmu_core(pmu, cpu, out);
    return true;
}

bool cs_environment_arm_guest(const cs_environment *env)
{
    return env->scenario->arm_pmu->guest;
}
