/* A scenario's script as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/script.h"
#include "scenario/machine/script_spec.h"

static cs_status create(cs_environment *env, void **object, cs_diag *diag)
{
    return cs_script_create(env->scenario->script, env->scenario->nr_script, (cs_script **)object,
                            diag);
}

static void destroy(void *object)
{
    cs_script_destroy(object);
}

static cs_software software(void *object)
{
    return cs_script_software(object);
}

const cs_software_row cs_software_row_script = {
    .create = create,
    .destroy = destroy,
    .software = software,
    .ended = "the script has ended",
};

cs_script *cs_script_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_script];
}
