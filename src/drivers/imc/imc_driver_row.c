/* The software above IMC as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/imc/imc_driver.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    cs_event_source events[CS_MAX_CPUS];

    cs_environment_all_events(env, events);
    return cs_imc_driver_create(env->scenario, events, &env->soft, (cs_imc_driver **)object, diag);
}

static void destroy(void *object)
{
    cs_imc_driver_destroy(object);
}

static cs_software software(void *object)
{
    return cs_imc_driver_software(object);
}

const cs_software_row cs_software_row_imc_driver = {
    .kinds = CS_SOFTWARE_BIT(CS_SOFTWARE_IMC),
    .create = create,
    .destroy = destroy,
    .software = software,
};

cs_imc_driver *cs_imc_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_ROW_imc_driver];
}
