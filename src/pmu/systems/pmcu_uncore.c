// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pmu/systems/hisi.h"
#include "pmu/systems/pmcu_systems.h"
#include "pmu/systems/uncore_systems.h"
#include "scenario/uncore/uncore_spec.h"

struct cs_pmu_hisi {
    cs_perf_uncore units[CS_MAX_UNCORE];
    cs_pmu_pmcu *pmcu;
};

void cs_pmu_hisi_destroy(cs_pmu_hisi *hisi)
{
    if (hisi == NULL)
        return;
    cs_pmu_pmcu_destroy(hisi->pmcu);
    free(hisi);
}

void cs_pmu_hisi_set_program(cs_pmu_hisi *hisi, pid_t program)
{
    if (hisi->pmcu != NULL)
        cs_pmu_pmcu_set_program(hisi->pmcu, program);
}

/* CS_MAX_UNCORE of the others leave room for it. */
static cs_status add_pmcu(cs_pmu_hisi *hisi, const cs_scenario *scenario, unsigned nr_cpus,
                          uint32_t first_type, cs_perf_system systems[], size_t *nr, cs_diag *diag)
{
    const cs_status status = cs_pmu_pmcu_system(scenario, nr_cpus, first_type + (uint32_t)*nr,
                                                &hisi->pmcu, &systems[*nr], diag);

    *nr += hisi->pmcu != NULL;
    return status;
}

cs_status cs_pmu_hisi_systems(const cs_scenario *scenario, cs_timelines *timelines,
                              unsigned nr_cpus, uint32_t first_type, cs_pmu_hisi **out,
                              cs_perf_system systems[], size_t *nr, cs_diag *diag)
{
    cs_pmu_hisi *hisi = calloc(1, sizeof *hisi);
    cs_status status;

    *out = NULL;
    if (hisi == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for PMUs");
    status = cs_pmu_uncore_systems(scenario, timelines, first_type, hisi->units, systems, nr, diag);
    if (status == CS_OK)
        status = add_pmcu(hisi, scenario, nr_cpus, first_type, systems, nr, diag);
    if (status != CS_OK) {
        cs_pmu_hisi_destroy(hisi);
        return status;
    }
    *out = hisi;
    return CS_OK;
}
