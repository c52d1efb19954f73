/* The way without PMCU as the environment knows it. */
#include "drivers/corepmu/multiplex.h"
#include "drivers/environment.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_event_source events[CS_MAX_CPUS];
    const cs_multiplex_config config = {
        .spec = s->multiplex,
        .clock_mhz = s->bus->clock_mhz,
        .nr_cpus = env->nr_cpus,
        .tool_cpu = s->software->cpu,
        .events = events,
        .soft = &env->soft,
    };

    cs_environment_all_events(env, events);
    const cs_status status = cs_multiplex_create(&config, (cs_multiplex **)object, diag);

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
