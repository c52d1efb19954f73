/* perf stat on uncore units as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/uncore/uncore_driver.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    return cs_uncore_driver_create(env->scenario, &env->soft, (cs_uncore_driver **)object, diag);
}

static void destroy(void *object)
{
    cs_uncore_driver_destroy(object);
}

static cs_software software(void *object)
{
    return cs_uncore_driver_software(object);
}

static const cs_rotating_report *rotating(const void *object)
{
    return cs_uncore_driver_get_report(object);
}

const cs_software_row cs_software_row_uncore_driver = {
    .kinds = CS_SOFTWARE_BIT(CS_SOFTWARE_UNCORE),
    .create = create,
    .destroy = destroy,
    .software = software,
    .rotating = rotating,
};

cs_uncore_driver *cs_uncore_driver_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_ROW_uncore_driver];
}
