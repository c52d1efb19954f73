/* perf stat on uncore units as the environment knows it. */
#include <string.h>

#include "drivers/environment.h"
#include "drivers/uncore/uncore_driver.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

void cs_uncore_managers(const cs_scenario *s, cs_uncore_manager out[])
{
    cs_uncore_candidates candidates = {
        .units = s->uncore,
        .spec = s->uncore_driver,
        .access_cycles =
            (uint64_t)s->software->access_cycles + s->bus->forward_cycles + s->bus->return_cycles,
    };

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        candidates.may[cpu] = cs_scenario_can_manage(s, cpu);
    if (cs_scenario_runs(s, CS_SOFTWARE_uncore_driver))
        cs_uncore_choose(&candidates, out);
    else
        memset(out, 0, s->uncore->nr_units * sizeof *out);
}

cs_uncore_driver_config cs_uncore_driver_config_of(const cs_scenario *s)
{
    cs_uncore_driver_config config = {
        .spec = s->uncore_driver,
        .units = s->uncore,
        .nr_cpus = cs_scenario_cpus(s),
        .clock_mhz = s->bus->clock_mhz,
        .access_cycles = s->software->access_cycles,
    };

    cs_uncore_managers(s, config.managers);
    return config;
}

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    cs_uncore_driver_config config = cs_uncore_driver_config_of(env->scenario);

    config.soft = &env->soft;
    const cs_status status = cs_uncore_driver_create(&config, (cs_uncore_driver **)object, diag);

    return status == CS_OK ? cs_environment_add_task(env, env->scenario->software->cpu,
                                                     cs_uncore_driver_software(*object), diag)
                           : status;
}

static void destroy(void *object)
{
    cs_uncore_driver_destroy(object);
}

static const cs_rotating_report *rotating(const void *object)
{
    return cs_uncore_driver_get_report(object);
}

const cs_software_row cs_software_row_uncore_driver = {
    .create = create,
    .destroy = destroy,
    .rotating = rotating,
};

cs_uncore_driver *cs_uncore_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_uncore_driver];
}
