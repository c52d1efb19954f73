// SPDX-License-Identifier: Apache-2.0
/* The way without PMCU as the environment knows it. */
#include "drivers/corepmu/multiplex.h"

#include <stdlib.h>

#include "drivers/environment.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

static cs_multiplex_outage *make_outages(const cs_scenario *s)
{
    const size_t n = s->corepmu->nr_outages;
    cs_multiplex_outage *out = calloc(n + 1, sizeof *out);

    for (size_t i = 0; out != NULL && i < n; i++) {
        const cs_outage_spec *o = &s->corepmu->outages[i];

        out[i] = (cs_multiplex_outage){o->cpu, cs_scenario_us(s, o->at_us),
                                       cs_scenario_us(s, o->at_us + o->for_us),
                                       o->kind == CS_OUTAGE_HOTPLUG};
    }
    return out;
}

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_multiplex_outage *outages = make_outages(s);
    cs_event_source events[CS_MAX_CPUS];
    const cs_multiplex_config config = {
        .spec = s->multiplex,
        .clock_mhz = s->bus->clock_mhz,
        .nr_cpus = env->nr_cpus,
        .tool_cpu = s->software->cpu,
        .events = events,
        .outages = outages,
        .nr_outages = s->corepmu->nr_outages,
        .soft = &env->soft,
    };
    cs_status status;

    if (outages == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "multiplex", "no memory for the software");
    cs_environment_all_events(env, events);
    status = cs_multiplex_create(&config, (cs_multiplex **)object, diag);
    free(outages);
    return status == CS_OK ? cs_environment_add_task(env, env->scenario->software->cpu,
                                                     cs_multiplex_software(*object), diag)
                           : status;
}

static void destroy(void *object)
{
    cs_multiplex_destroy(object);
}

static const cs_rotating_report *rotating(const void *object)
{
    return &cs_multiplex_get_report(object)->rotating;
}

const cs_software_row cs_software_row_multiplex = {
    .create = create,
    .destroy = destroy,
    .rotating = rotating,
};

cs_multiplex *cs_multiplex_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_multiplex];
}
