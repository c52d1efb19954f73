// SPDX-License-Identifier: Apache-2.0
/* Sampling by interrupts as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/imc/pmi.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

cs_pmi_config cs_pmi_config_of(const cs_scenario *s)
{
    return (cs_pmi_config){
        .spec = s->pmi,
        .power10 = s->imc->power10,
        .timebase = {s->imc->timebase_start, s->imc->timebase_mhz, s->bus->clock_mhz},
        .clock_mhz = s->bus->clock_mhz,
        .irq_cycles = s->software->irq_entry_cycles + s->software->irq_exit_cycles,
        .nr_cpus = cs_scenario_cpus(s),
    };
}

static cs_status pmi_create(cs_environment *env, void **object, cs_diag *diag)
{
    cs_pmi_config config = cs_pmi_config_of(env->scenario);
    cs_event_source events[CS_MAX_CPUS];

    cs_environment_all_events(env, events);
    config.events = events;
    config.soft = &env->soft;
    const cs_status status = cs_pmi_create(&config, (cs_pmi **)object, diag);

    return status == CS_OK ? cs_environment_add_task(env, env->scenario->software->cpu,
                                                     cs_pmi_software(*object), diag)
                           : status;
}

static void pmi_destroy(void *object)
{
    cs_pmi_destroy(object);
}

const cs_software_row cs_software_row_pmi = {
    .create = pmi_create,
    .destroy = pmi_destroy,
};

cs_pmi *cs_pmi_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_pmi];
}
