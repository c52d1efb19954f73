// SPDX-License-Identifier: Apache-2.0
/* Software that does nothing. */
#include "drivers/environment.h"
#include "scenario/machine/software_spec.h"

/* Ends at once. */
static void none_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    (void)ctx, (void)now, (void)last;
    op->kind = CS_OP_END;
}

static cs_status none_create(cs_environment *env, void **object, cs_diag *diag)
{
    (void)object;
    return cs_environment_add_task(env, env->scenario->software->cpu,
                                   (cs_software){none_next, NULL}, diag);
}

const cs_software_row cs_software_row_none = {
    .create = none_create,
};
