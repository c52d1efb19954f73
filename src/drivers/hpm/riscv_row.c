// SPDX-License-Identifier: Apache-2.0
/* What runs on the harts as the environment knows it: an object a hart. */
#include <stdlib.h>

#include "drivers/count.h"
#include "drivers/environment.h"
#include "drivers/hpm/riscv.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/memory_spec.h"

typedef struct all_harts {
    cs_riscv *harts[CS_MAX_HARTS];
    cs_rotating_report rotating; /* of all, when it was asked for */
} all_harts;

static void riscv_destroy(void *object)
{
    all_harts *all = object;

    if (all == NULL)
        return;
    for (unsigned i = 0; i < CS_MAX_HARTS; i++)
        cs_riscv_destroy(all->harts[i]);
    free(all);
}

static cs_status create_one(const cs_environment *env, unsigned hart, cs_riscv **out, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    const cs_riscv_config config = {
        .spec = s->riscv,
        .harts = s->harts,
        .hart = hart,
        .cpu = cs_scenario_hart_cpu(s, hart),
        .clock_mhz = s->bus->clock_mhz,
        .memory_base = s->memory->base,
        .memory_size = s->memory->size,
        .soft = &env->soft,
    };

    return cs_riscv_create(&config, out, diag);
}

static cs_status riscv_create(cs_environment *env, void **object, cs_diag *diag)
{
    const cs_scenario *s = env->scenario;
    cs_status status = CS_OK;
    all_harts *all;

    if (s->harts->count == 0)
        return CS_OK;
    *object = all = calloc(1, sizeof *all);
    if (all == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the harts' software");
    for (unsigned i = 0; i < s->harts->count && status == CS_OK; i++)
        status = create_one(env, i, &all->harts[i], diag);
    return status;
}

static const cs_rotating_report *riscv_rotating(const void *object)
{
    all_harts *all = (all_harts *)object;
    bool any = false;

    all->rotating = (cs_rotating_report){0};
    for (unsigned i = 0; i < CS_MAX_HARTS; i++)
        any |= all->harts[i] != NULL && cs_riscv_rotating(all->harts[i], &all->rotating);
    return any ? &all->rotating : NULL;
}

const cs_software_row cs_software_row_riscv = {
    .create = riscv_create,
    .destroy = riscv_destroy,
    .rotating = riscv_rotating,
};

cs_riscv *cs_riscv_of(const cs_environment *env, unsigned hart)
{
    return ((all_harts *)env->objects[CS_SOFTWARE_riscv])->harts[hart];
}
