// SPDX-License-Identifier: Apache-2.0
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
        candidates.may[cpu] = cs_uncore_may_manage(s, cpu);
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
        .side_by_side = s->software->port_per_cpu,
        .ipi_cycles = s->software->ipi_cycles,
        .irq_latency_cycles = s->software->irq_latency_cycles,
    };

    for (unsigned cpu = 0; cpu < config.nr_cpus; cpu++)
        config.may[cpu] = cs_uncore_may_manage(s, cpu);
    cs_uncore_managers(s, config.managers);
    return config;
}

/* A CPU in other software does not wait. Another CPU than that which looks may begin or end with software in this very
 * cycle, if its turn comes first: what counts is the cycle before. */
static bool uncore_waits(void *ctx, unsigned cpu, cs_cycle cycle, bool own)
{
    const cs_environment *env = ctx;
    const bool before = !own && cycle != 0;
    uint64_t local;

    return cs_timeline_track(env->timelines[cpu], cycle - before, &local) == 0 &&
           cs_scenario_cpu_waits(env->scenario, cpu, local + before);
}

static cs_status uncore_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_uncore_driver_config config = cs_uncore_driver_config_of(s);
    cs_uncore_driver *driver;
    cs_status status;

    config.soft = &env->soft;
    config.waits = uncore_waits;
    config.waits_ctx = env;
    status = cs_uncore_driver_create(&config, &driver, diag);
    *object = driver;
    if (status == CS_OK && !config.side_by_side)
        return cs_environment_add_task(env, s->software->cpu, cs_uncore_driver_software(driver, 0),
                                       diag);
    for (unsigned cpu = 0; cpu < config.nr_cpus && status == CS_OK; cpu++)
        if (config.may[cpu])
            status =
                cs_environment_add_task(env, cpu, cs_uncore_driver_software(driver, cpu), diag);
    return status;
}

static void uncore_destroy(void *object)
{
    cs_uncore_driver_destroy(object);
}

static const cs_rotating_report *uncore_rotating(const void *object)
{
    return cs_uncore_driver_get_report(object);
}

const cs_software_row cs_software_row_uncore_driver = {
    .create = uncore_create,
    .destroy = uncore_destroy,
    .rotating = uncore_rotating,
};

cs_uncore_driver *cs_uncore_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_uncore_driver];
}
