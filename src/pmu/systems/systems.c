// SPDX-License-Identifier: Apache-2.0
#include "pmu/systems/systems.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/systems/hisi.h"
#include "pmu/systems/imc_systems.h"

/* Above the numbers that a kernel gives to PMUs of its own. */
#define FIRST_TYPE 1024u

struct cs_pmu_systems {
    cs_perf_system list[CS_PERF_MOST_SYSTEMS];
    size_t nr;
    cs_pmu_hisi *hisi;
    cs_pmu_imc *imc;
};

cs_status cs_pmu_systems_create(const cs_scenario *scenario, cs_timelines *timelines,
                                unsigned nr_cpus, cs_pmu_systems **out, cs_diag *diag)
{
    cs_pmu_systems *s = calloc(1, sizeof *s);
    cs_status status;

    *out = NULL;
    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for PMUs");
    status = cs_pmu_hisi_systems(scenario, timelines, nr_cpus, FIRST_TYPE, &s->hisi, s->list,
                                 &s->nr, diag);
    if (status == CS_OK)
        status = cs_pmu_imc_systems(scenario, timelines, nr_cpus, FIRST_TYPE, &s->imc, s->list,
                                    &s->nr, diag);
    if (status != CS_OK) {
        cs_pmu_systems_destroy(s);
        return status;
    }
    *out = s;
    return CS_OK;
}

void cs_pmu_systems_destroy(cs_pmu_systems *systems)
{
    if (systems == NULL)
        return;
    cs_pmu_hisi_destroy(systems->hisi);
    cs_pmu_imc_destroy(systems->imc);
    free(systems);
}

const cs_perf_system *cs_pmu_systems_list(const cs_pmu_systems *systems, size_t *nr)
{
    *nr = systems->nr;
    return systems->list;
}

bool cs_pmu_systems_remove(cs_pmu_systems *systems, const char *name)
{
    size_t i = 0;

    while (i < systems->nr && strcmp(systems->list[i].name, name) != 0)
        i++;
    if (i == systems->nr)
        return false;
    systems->nr--;
    memmove(&systems->list[i], &systems->list[i + 1], (systems->nr - i) * sizeof systems->list[0]);
    return true;
}

void cs_pmu_systems_set_program(cs_pmu_systems *systems, pid_t program)
{
    cs_pmu_hisi_set_program(systems->hisi, program);
}
