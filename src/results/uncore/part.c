// SPDX-License-Identifier: Apache-2.0
#include "results/uncore/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "drivers/uncore/uncore_driver.h"
#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

/* ---- the truth ---- */

static const cs_truth_table unit_table = {
    "CREATE TABLE unit(unit INTEGER PRIMARY KEY, name TEXT, path TEXT, address INTEGER, bridge "
    "INTEGER, slot INTEGER, counters INTEGER, width INTEGER, cpu INTEGER, why TEXT, accesses "
    "INTEGER, wrong INTEGER)",
    "INSERT INTO unit VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&unit_table, NULL};

void cs_truth_unit(cs_truth *t, const cs_scenario *s, unsigned number,
                   const cs_uncore_unit_result *r)
{
    const cs_uncore_unit_spec *unit = &s->uncore->units[number];
    cs_truth_rows *rows = cs_truth_rows_of(t, &unit_table);
    const bool has_path = unit->path[0] != '\0';

    cs_truth_integers(rows, 1, (uint64_t[]){number}, 1);
    cs_truth_text(rows, 2, unit->name);
    cs_truth_text(rows, 3, has_path ? unit->path : NULL);
    if (has_path)
        cs_truth_integers(rows, 4, &unit->address, 1);
    else
        cs_truth_null(rows, 4);
    cs_truth_integers(rows, 5, (uint64_t[]){unit->bridge, unit->slot, unit->counters, unit->width},
                      4);
    if (r->manager.managed)
        cs_truth_integers(rows, 9, (uint64_t[]){r->manager.cpu}, 1);
    else
        cs_truth_null(rows, 9);
    cs_truth_text(rows, 10, r->manager.why);
    cs_truth_integers(rows, 11, (uint64_t[]){r->accesses, r->wrong}, 2);
    cs_truth_put(rows);
}

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    cs_uncore_part *p = state;

    if (p->collector != NULL)
        cs_uncore_collector_record(p->collector, record);
}

static void rotated(void *state, const cs_soft_record *record)
{
    cs_uncore_part *p = state;
    const cs_count *count = cs_told_count(record);

    p->counted |= count->family == &cs_uncore_family && count->final && count->to > count->from;
    if (p->collector != NULL)
        cs_uncore_collector_count(p->collector, count);
}

static void placed(void *state, const cs_soft_record *record)
{
    cs_uncore_part *p = state;

    if (p->collector != NULL)
        cs_uncore_collector_placed(p->collector, cs_told_uncore_placed(record));
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_count, rotated}, {&cs_soft_uncore_placed, placed}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_uncore_part *p;

    if (run->scenario->uncore->nr_units == 0)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the units' results");
    p->run = run;
    p->runs = cs_uncore_driver_of(run->environment) != NULL;
    return p->runs ? cs_uncore_collector_create(run->scenario, run->environment->timelines,
                                                &p->collector, diag)
                   : CS_OK;
}

/* The units, each into the database, and what they counted against what was told. */
static cs_status finish(void *state, cs_diag *diag)
{
    cs_uncore_part *p = state;
    const cs_part_run *run = p->run;

    if (p->runs) {
        const cs_status status =
            cs_uncore_collector_finish(p->collector, run->ended, &p->results, diag);

        if (status != CS_OK)
            return status;
        if (cs_uncore_driver_failed(cs_uncore_driver_of(run->environment)))
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    }
    for (unsigned i = 0; i < run->scenario->uncore->nr_units; i++)
        cs_truth_unit(run->truth, run->scenario, i, &p->results.units[i]);
    if (p->results.wrong != 0)
        cs_part_warn(run,
                     "%" PRIu64 " counts of uncore units are wrong: their counters wrapped more "
                     "often than they were read, or accesses failed (the unit's width, "
                     "uncore_driver.poll_cycles)",
                     p->results.wrong);
    return CS_OK;
}

static void destroy(void *state)
{
    cs_uncore_part *p = state;

    cs_uncore_collector_destroy(p->collector);
    free(p);
}

/* ---- what it came to ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_uncore_part *p = state;

    if (!p->runs)
        return;
    cs_figure_count(out, "uncore_wrong", true, p->results.wrong);
    if (s->scenario->uncore_driver->by_interrupt)
        cs_figure_count(out, "uncore_lost", true, p->results.lost);
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_uncore_part *p = state;
    const cs_scenario *sc = s->scenario;

    (void)most;
    if (!p->runs)
        return;
    fprintf(out, "\n  %-12s %6s %16s %4s %9s  %s\n", "unit", "bridge", "distance, cycles", "cpu",
            "accesses", "chosen because");
    for (size_t i = 0; i < sc->uncore->nr_units; i++) {
        const cs_uncore_unit_spec *unit = &sc->uncore->units[i];
        const cs_uncore_unit_result *r = &p->results.units[i];

        if (r->manager.managed)
            fprintf(out, "  %-12s %6u %16u %4u %9s  %s\n", unit->name, unit->bridge,
                    sc->uncore->bridges[unit->bridge].access_cycles, r->manager.cpu,
                    cs_digits_of(r->accesses).text, r->manager.why);
    }
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_uncore_part *p = state;
    const cs_scenario *sc = s->scenario;

    if (!p->runs)
        return;
    fprintf(out, ",\n  \"units\": [");
    for (size_t i = 0; i < sc->uncore->nr_units; i++) {
        const cs_uncore_unit_spec *unit = &sc->uncore->units[i];
        const cs_uncore_unit_result *r = &p->results.units[i];

        fprintf(out, "%s\n    {\"unit\": %zu, \"name\": ", cs_json_comma(i), i);
        cs_json_string(out, unit->name);
        fprintf(out, ", \"path\": ");
        cs_json_string(out, unit->path);
        fprintf(out, ", \"bridge\": %u, \"access_cycles\": %u, \"accesses\": %" PRIu64,
                unit->bridge, sc->uncore->bridges[unit->bridge].access_cycles, r->accesses);
        if (r->manager.managed)
            fprintf(out, ", \"cpu\": %u, \"why\": \"%s\", \"wrong\": %" PRIu64 "}", r->manager.cpu,
                    r->manager.why, r->wrong);
        else
            fprintf(out, ", \"cpu\": null, \"why\": null, \"wrong\": 0}");
    }
    fprintf(out, "\n  ]");
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_uncore_part *p = state;

    (void)s;
    if (p->runs && p->counted)
        f[CS_WAY_WRONG] = (double)p->results.wrong;
    return CS_OK;
}

/* As everywhere in the truth, not by its place on a bridge. */
static unsigned number_in_scenario(const cs_scenario *s, unsigned place)
{
    for (unsigned i = 0; i < s->uncore->nr_units; i++)
        if (cs_uncore_place(&s->uncore->units[i]) == place)
            return i;
    return 0;
}

static const cs_part_source sources[] = {
    {CS_UNIT_UNCORE(0), CS_MAX_UNCORE, .number = number_in_scenario}, {0}};

const cs_part cs_part_uncore = {
    .name = "uncore",
    .tables = own_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_REG),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place =
        {[CS_PART_FIGURES] = 70, [CS_PART_TEXT] = 40, [CS_PART_JSON] = 60, [CS_PART_WAYS] = 40},
    .figures = figures,
    .text = text,
    .json = json,
    .ways = ways,
    .sources = sources,
};
