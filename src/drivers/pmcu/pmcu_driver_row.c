/* The PMCU's driver as the environment knows it. */
#include "base/numbers.h"
#include "drivers/environment.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

/* The published driver (docs/sources.md) looks for the answer to a break every 10 us, and gives up
 * at 2 ms. */
#define POLL_US 10u
#define GIVE_UP_US 2000u

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const cs_pmcu_driver_config config = {
        .registers = CS_PMCU_BASE,
        .user_events = s->pmcu_driver->user_events,
        .nr_user_events = s->pmcu_driver->nr_user_events,
        .nr_sample = s->pmcu_driver->nr_sample,
        .sample_period_ticks = s->pmcu_driver->sample_period_ticks,
        .pmccfiltr = (uint8_t)s->pmcu_driver->pmccfiltr,
        .comp = s->pmcu_driver->comp,
        .hpmn = s->corepmu->hpmn,
        .nr_cpus = cs_scenario_arm_cpus(s),
        .cpu = s->software->cpu,
        .aux_base = s->pmcu_driver->aux_base,
        .aux_buffer_bytes = s->pmcu_driver->aux_buffer_bytes,
        .aux_buffers = s->pmcu_driver->aux_buffers,
        .data_base = s->pmcu_driver->data_base,
        .stop_at_cycle = s->pmcu_driver->stop_at_cycle,
        .access_cycles = s->software->access_cycles,
        .irq_latency_cycles = s->software->irq_latency_cycles,
        .poll_cycles = cs_scenario_us(s, POLL_US),
        .give_up_cycles = cs_scenario_us(s, GIVE_UP_US),
    };

    const cs_status status =
        cs_pmcu_driver_create(&config, &env->soft, (cs_pmcu_driver **)object, diag);

    return status == CS_OK ? cs_environment_add_task(env, env->scenario->software->cpu,
                                                     cs_pmcu_driver_software(*object), diag)
                           : status;
}

static void destroy(void *object)
{
    cs_pmcu_driver_destroy(object);
}

const cs_software_row cs_software_row_pmcu_driver = {
    .create = create,
    .destroy = destroy,
};

cs_pmcu_driver *cs_pmcu_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_pmcu_driver];
}

bool cs_pmcu_driver_hpme(const cs_environment *env)
{
    const cs_pmcu_driver *driver = cs_pmcu_driver_of(env);

    return env->scenario->corepmu->hpme ||
           (driver != NULL && cs_pmcu_driver_get_report(driver)->comp);
}
