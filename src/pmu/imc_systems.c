// SPDX-License-Identifier: Apache-2.0
#include "pmu/imc_systems.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/nest_units.h"
#include "pmu/imc_files.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"
#include "software/perf/nest/nest_pmu.h"
#include <countersink/base/numbers.h>

struct cs_pmu_imc {
    cs_perf_nest_chip *chip; /* NULL: no nest */
    cs_perf_nest nests[CS_PERF_MOST_SYSTEMS];
    cs_pmu_imc_files *files;
};

typedef struct making {
    const cs_scenario *scenario;
    cs_pmu_imc *imc;
    uint32_t first_type;
    cs_perf_system *systems;
    size_t *nr;
    cs_diag *diag;
} making;

static const cs_perf_file formats[] = {{"event", "config:0-61"},
                                       {"offset", "config:0-31"},
                                       {"rvalue", "config:32"},
                                       {"mode", "config:33-40"}};

void cs_pmu_imc_destroy(cs_pmu_imc *imc)
{
    if (imc == NULL)
        return;
    cs_perf_nest_chip_destroy(imc->chip);
    cs_pmu_imc_files_destroy(imc->files);
    free(imc);
}

/* ---- the nest ---- */

static cs_status make_chip(const making *m, cs_timelines *timelines)
{
    const cs_nest_spec *nest = m->scenario->nest;
    const cs_perf_nest_config config = {
        .tick_cycles = (uint32_t)nest->tick_cycles,
        .boot_cycles = m->scenario->imc_driver->boot_cycles,
        .power10 = m->scenario->imc->power10,
        .units = nest->units,
        .speed = nest->speed,
        .mode = nest->mode,
        .work = cs_timeline_event_source(cs_timelines_cpu(timelines, CS_NEST_TIMELINE)),
    };

    return nest->present ? cs_perf_nest_chip_create(&config, &m->imc->chip, m->diag) : CS_OK;
}

static bool has_driver(const making *m, const cs_imc_unit *unit)
{
    const cs_nest_spec *nest = m->scenario->nest;
    const cs_imc_generation generation = cs_imc_catalog_generation(m->scenario->imc->catalog);
    const uint64_t units = nest->units != 0 || generation == CS_IMC_GENERATION_POWER10
                               ? nest->units
                               : CS_IMC_DEFAULT_AVAILABILITY;

    return unit->domain == CS_IMC_DOMAIN_NEST && m->imc->chip != NULL &&
           cs_imc_nest_available(unit, generation, units);
}

static cs_status make_unit(const making *m, const cs_imc_unit *unit)
{
    const size_t at = *m->nr;
    cs_perf_system *system = &m->systems[at];

    if (at == CS_PERF_MOST_SYSTEMS)
        return cs_diag_set(m->diag, CS_ERR_SCENARIO, m->scenario->source,
                           "catalog: %s: expected at most %u PMUs beside the cores", unit->pmu,
                           CS_PERF_MOST_SYSTEMS);
    m->imc->nests[at] = (cs_perf_nest){.chip = m->imc->chip, .size = unit->size};
    *system = (cs_perf_system){.driver = &cs_perf_nest_driver,
                               .name = unit->pmu,
                               .type = m->first_type + (uint32_t)at,
                               .cpumask = "0",
                               .config = &m->imc->nests[at],
                               .formats = formats,
                               .nr_formats = sizeof formats / sizeof formats[0]};
    system->events = cs_pmu_imc_files_of(m->imc->files, unit, &system->nr_events);
    if (system->events == NULL && unit->nr_events != 0)
        return cs_diag_set(m->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a catalog's events");
    ++*m->nr;
    return CS_OK;
}

/* ---- all ---- */

static cs_status make_units(const making *m)
{
    const cs_imc_catalog *catalog = m->scenario->imc->catalog;
    cs_status status = CS_OK;

    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog) && status == CS_OK; i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, i);

        if (has_driver(m, unit))
            status = make_unit(m, unit);
    }
    return status;
}

cs_status cs_pmu_imc_systems(const cs_scenario *scenario, cs_timelines *timelines,
                             uint32_t first_type, cs_pmu_imc **out, cs_perf_system systems[],
                             size_t *nr, cs_diag *diag)
{
    cs_status status;

    *out = NULL;
    if (scenario->imc->catalog == NULL)
        return CS_OK;
    const making m = {scenario, calloc(1, sizeof(cs_pmu_imc)), first_type, systems, nr, diag};
    if (m.imc == NULL || (m.imc->files = cs_pmu_imc_files_create()) == NULL) {
        cs_pmu_imc_destroy(m.imc);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for PMUs");
    }
    status = make_chip(&m, timelines);
    if (status == CS_OK)
        status = make_units(&m);
    if (status != CS_OK) {
        cs_pmu_imc_destroy(m.imc);
        return status;
    }
    *out = m.imc;
    return CS_OK;
}
