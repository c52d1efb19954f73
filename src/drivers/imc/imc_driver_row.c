// SPDX-License-Identifier: Apache-2.0
/* The software above IMC as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/imc/imc_driver.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/nest/nest_spec.h"

cs_imc_memory cs_imc_memory_of(const cs_scenario *s)
{
    return (cs_imc_memory){
        .base = s->imc_driver->buffers_base,
        .trace_bytes = cs_imc_trace_bytes(s->imc->catalog),
        .first_cpu = cs_scenario_imc_cpu(s, 0, 0),
        .cores = s->imc->cores,
        .threads = s->imc->threads,
    };
}

cs_imc_driver_config cs_imc_driver_config_of(const cs_scenario *s)
{
    cs_imc_driver_config config = {
        .spec = s->imc_driver,
        .imc = s->imc,
        .catalog = s->imc->catalog,
        .memory = cs_imc_memory_of(s),
        .nest = s->nest->present,
        .clock_mhz = s->bus->clock_mhz,
        .nr_cpus = cs_scenario_cpus(s),
        .tool_cpu = s->software->cpu,
    };

    for (unsigned chip = 0; chip < s->imc->chips; chip++) {
        config.nest_base[chip] = cs_nest_base(s->nest, chip);
        if (s->nest->nr_chips != 0)
            config.nest_units[chip] = s->nest->chips[chip].units;
    }
    return config;
}

static cs_status imc_create(cs_environment *env, void **object, cs_diag *diag)
{
    cs_imc_driver_config config = cs_imc_driver_config_of(env->scenario);
    cs_event_source events[CS_MAX_CPUS];

    cs_environment_all_events(env, events);
    config.events = events;
    config.soft = &env->soft;
    bool works[CS_MAX_CPUS] = {false};
    for (unsigned cpu = 0; env->scenario->software->port_per_cpu && cpu < config.nr_cpus; cpu++)
        works[cpu] = cs_scenario_imc_works(env->scenario, cpu);
    config.works = works;
    bool switches[CS_MAX_CPUS];
    for (unsigned cpu = 0; cpu < config.nr_cpus; cpu++)
        switches[cpu] = cs_scenario_imc_processes(env->scenario, cpu) > 1;
    config.switches = switches;
    config.timelines = env->timelines;
    cs_status status = cs_imc_driver_create(&config, (cs_imc_driver **)object, diag);

    if (status == CS_OK)
        status = cs_environment_add_task(env, env->scenario->software->cpu,
                                         cs_imc_driver_software(*object), diag);
    unsigned cpu;
    cs_software software;
    for (unsigned i = 0; status == CS_OK && cs_imc_driver_worker(*object, i, &cpu, &software); i++)
        status = cs_environment_add_task(env, cpu, software, diag);
    return status;
}

static void imc_destroy(void *object)
{
    cs_imc_driver_destroy(object);
}

const cs_software_row cs_software_row_imc_driver = {
    .create = imc_create,
    .destroy = imc_destroy,
};

cs_imc_driver *cs_imc_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_imc_driver];
}
