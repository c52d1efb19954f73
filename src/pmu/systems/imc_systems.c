// SPDX-License-Identifier: Apache-2.0
#include "pmu/systems/imc_systems.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/nest_units.h"
#include "pmu/systems/imc_files.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"
#include "software/perf/imc/imc_pmu.h"
#include "software/perf/nest/nest_pmu.h"
#include <countersink/base/numbers.h>

struct cs_pmu_imc {
    cs_perf_nest_chip *chip; /* NULL: no nest */
    cs_perf_nest nests[CS_PERF_MOST_SYSTEMS];
    cs_perf_imc *engines; /* NULL: no cores */
    cs_perf_imc_unit units[CS_PERF_MOST_SYSTEMS];
    char cpus[16]; /* cpumask of all */
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

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const cs_perf_file formats[] = {{"event", "config:0-61"},
                                       {"offset", "config:0-31"},
                                       {"rvalue", "config:32"},
                                       {"mode", "config:33-40"}};
static const cs_perf_file trace_formats[] = {{"event", "config:0-61"},
                                             {"cpmc_reserved", "config:0-19"},
                                             {"cpmc_event", "config:20-27"},
                                             {"cpmc_samplesel", "config:28-29"},
                                             {"cpmc_load", "config:30-61"}};

void cs_pmu_imc_destroy(cs_pmu_imc *imc)
{
    if (imc == NULL)
        return;
    cs_perf_nest_chip_destroy(imc->chip);
    cs_perf_imc_destroy(imc->engines);
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

static bool has_nest(const making *m, const cs_imc_unit *unit)
{
    const cs_nest_spec *nest = m->scenario->nest;
    const cs_imc_generation generation = cs_imc_catalog_generation(m->scenario->imc->catalog);
    const uint64_t units = nest->units != 0 || generation == CS_IMC_GENERATION_POWER10
                               ? nest->units
                               : CS_IMC_DEFAULT_AVAILABILITY;

    return m->imc->chip != NULL && cs_imc_nest_available(unit, generation, units);
}

/* ---- the cores ---- */

static cs_imc_timebase timebase_of(const cs_scenario *s)
{
    uint32_t num = s->imc->timebase_mhz, den = s->bus->clock_mhz;

    for (uint32_t k = den; k > 1; k--)
        if (num % k == 0 && den % k == 0) {
            num /= k;
            den /= k;
            break;
        }
    return (cs_imc_timebase){s->imc->timebase_start, num, den};
}

static cs_status make_engines(const making *m)
{
    const cs_imc_spec *imc = m->scenario->imc;
    const cs_imc_unit *trace = cs_imc_catalog_pmu(imc->catalog, "trace_imc");
    const cs_perf_imc_config config = {.power10 = imc->power10,
                                       .tap_log2 = imc->tap_log2,
                                       .timebase = timebase_of(m->scenario),
                                       .event_mask = m->scenario->imc_driver->event_mask,
                                       .trace_scom = m->scenario->imc_driver->trace_scom,
                                       .event_of = imc->event_of,
                                       .trace_bytes = trace != NULL ? trace->size : 0};

    if (imc->cores == 0)
        return CS_OK;
    m->imc->engines = cs_perf_imc_create(&config);
    return m->imc->engines != NULL
               ? CS_OK
               : cs_diag_set(m->diag, CS_ERR_NO_MEMORY, NULL, "no memory for PMUs");
}

/* ---- a unit ---- */

static bool has_driver(const making *m, const cs_imc_unit *unit)
{
    return unit->domain == CS_IMC_DOMAIN_NEST ? has_nest(m, unit) : m->imc->engines != NULL;
}

/* What of the unit's PMU follows from its domain. */
static cs_perf_system describe(const making *m, const cs_imc_unit *unit, size_t at)
{
    cs_perf_system system = {
        .config = &m->imc->units[at], .formats = formats, .nr_formats = COUNT(formats)};

    m->imc->units[at] = (cs_perf_imc_unit){.imc = m->imc->engines, .size = unit->size};
    m->imc->nests[at] = (cs_perf_nest){.chip = m->imc->chip, .size = unit->size};
    switch (unit->domain) {
    case CS_IMC_DOMAIN_NEST:
        system.driver = &cs_perf_nest_driver;
        system.config = &m->imc->nests[at];
        system.cpumask = "0";
        break;
    case CS_IMC_DOMAIN_CORE:
        system.driver = &cs_perf_imc_core_driver;
        system.cpumask = m->imc->cpus;
        break;
    case CS_IMC_DOMAIN_THREAD:
        system.driver = &cs_perf_imc_thread_driver;
        break;
    case CS_IMC_DOMAIN_TRACE:
        system.driver = &cs_perf_imc_trace_driver;
        system.formats = trace_formats;
        system.nr_formats = COUNT(trace_formats);
        break;
    }
    return system;
}

static cs_status make_unit(const making *m, const cs_imc_unit *unit)
{
    const size_t at = *m->nr;
    cs_perf_system *system = &m->systems[at];

    if (at == CS_PERF_MOST_SYSTEMS)
        return cs_diag_set(m->diag, CS_ERR_SCENARIO, m->scenario->source,
                           "catalog: %s: expected at most %u PMUs beside the cores", unit->pmu,
                           CS_PERF_MOST_SYSTEMS);
    *system = describe(m, unit, at);
    system->name = unit->pmu;
    system->type = m->first_type + (uint32_t)at;
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

cs_status cs_pmu_imc_systems(const cs_scenario *scenario, cs_timelines *timelines, unsigned nr_cpus,
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
    snprintf(m.imc->cpus, sizeof m.imc->cpus, nr_cpus > 1 ? "0-%u" : "%u", nr_cpus - 1);
    status = make_chip(&m, timelines);
    if (status == CS_OK)
        status = make_engines(&m);
    if (status == CS_OK)
        status = make_units(&m);
    if (status != CS_OK) {
        cs_pmu_imc_destroy(m.imc);
        return status;
    }
    *out = m.imc;
    return CS_OK;
}
