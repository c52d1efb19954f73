// SPDX-License-Identifier: Apache-2.0
/* A catalog's events as files of sysfs: an event, its scale, its unit. */
#ifndef CS_PMU_SYSTEMS_IMC_FILES_H
#define CS_PMU_SYSTEMS_IMC_FILES_H

#include "formats/imc/catalog/catalog.h"
#include "software/perf/machine.h"

typedef struct cs_pmu_imc_files cs_pmu_imc_files;

cs_pmu_imc_files *cs_pmu_imc_files_create(void); /* NULL: no memory */
void cs_pmu_imc_files_destroy(cs_pmu_imc_files *files);

/* Valid as long as `files` and the catalog. NULL: no memory, or the unit has no events. */
const cs_perf_file *cs_pmu_imc_files_of(cs_pmu_imc_files *files, const cs_imc_unit *unit,
                                        size_t *nr);

#endif
