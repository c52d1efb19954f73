/* Sampling by interrupts as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/imc/pmi.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    cs_event_source events[CS_MAX_CPUS];

    cs_environment_all_events(env, events);
    return cs_pmi_create(env->scenario, events, &env->soft, (cs_pmi **)object, diag);
}

static void destroy(void *object)
{
    cs_pmi_destroy(object);
}

static cs_software software(void *object)
{
    return cs_pmi_software(object);
}

const cs_software_row cs_software_row_pmi = {
    .kinds = CS_SOFTWARE_BIT(CS_SOFTWARE_PMI),
    .create = create,
    .destroy = destroy,
    .software = software,
};

cs_pmi *cs_pmi_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_ROW_pmi];
}
