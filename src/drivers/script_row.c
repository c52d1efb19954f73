// SPDX-License-Identifier: Apache-2.0
/* A scenario's script as the environment knows it. */
#include "drivers/environment.h"
#include "drivers/script.h"
#include "scenario/machine/script_spec.h"

static cs_status script_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_script *script;
    cs_status status = cs_script_create(s->script, s->nr_script, &script, diag);

    *object = script;
    for (unsigned i = 0, ports = env->nr_ports; i < ports && status == CS_OK; i++)
        status = cs_environment_add_task(env, env->ports[i].cpu,
                                         cs_script_software(script, env->ports[i].cpu), diag);
    return status;
}

static void script_destroy(void *object)
{
    cs_script_destroy(object);
}

const cs_software_row cs_software_row_script = {
    .create = script_create,
    .destroy = script_destroy,
    .ended = "the script has ended",
};

cs_script *cs_script_of(const cs_environment *env)
{
    return env->objects[CS_SOFTWARE_script];
}
