// SPDX-License-Identifier: Apache-2.0
/* The part of IOMMUs. */
#include <inttypes.h>
#include <stdlib.h>

#include "drivers/iommu_hpm/iommu_driver.h"
#include "results/iommu_hpm/collector.h"
#include "results/part.h"
#include "results/summary.h"
#include "results/way_figures.h"

/* Its state. */
typedef struct iommu_part {
    cs_part_run *run;
    bool runs;                     /* software.kind iommu does */
    cs_iommu_collector *collector; /* NULL unless it does */
    bool counted;                  /* an event has been told */
    cs_iommu_results results;      /* from the end on */
} iommu_part;

/* ---- the truth ---- */

static const cs_truth_table iommu_table = {
    "CREATE TABLE iommu(iommu INTEGER PRIMARY KEY, name TEXT, counters INTEGER, width INTEGER, "
    "accesses INTEGER, wrong INTEGER, lost INTEGER)",
    "INSERT INTO iommu VALUES(?,?,?,?,?,?,?)"};
static const cs_truth_table source_table = {
    "CREATE TABLE iommu_source(iommu INTEGER, name TEXT, device_id INTEGER, process_id INTEGER, "
    "gscid INTEGER, pscid INTEGER)",
    "INSERT INTO iommu_source VALUES(?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&iommu_table, &source_table, NULL};

static void put_id(cs_truth_rows *rows, int column, bool there, uint32_t id)
{
    if (there)
        cs_truth_integers(rows, column, (uint64_t[]){id}, 1);
    else
        cs_truth_null(rows, column);
}

static void put_unit(const iommu_part *p, unsigned number)
{
    const cs_iommu_spec *unit = &p->run->scenario->iommu_hpm->units[number];
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &iommu_table);

    cs_truth_integers(rows, 1, (uint64_t[]){number}, 1);
    cs_truth_text(rows, 2, unit->name);
    cs_truth_integers(rows, 3,
                      (uint64_t[]){unit->counters, unit->width, p->results.units[number].accesses,
                                   p->results.units[number].wrong, p->results.units[number].lost},
                      5);
    cs_truth_put(rows);
    rows = cs_truth_rows_of(p->run->truth, &source_table);
    for (size_t i = 0; i < unit->nr_sources; i++) {
        const cs_iommu_source_spec *o = &unit->sources[i];

        cs_truth_integers(rows, 1, (uint64_t[]){number}, 1);
        cs_truth_text(rows, 2, o->name);
        put_id(rows, 3, true, o->device_id);
        put_id(rows, 4, o->has_process, o->process_id);
        put_id(rows, 5, o->has_gscid, o->gscid);
        put_id(rows, 6, o->has_pscid, o->pscid);
        cs_truth_put(rows);
    }
}

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    const iommu_part *p = state;

    if (p->collector != NULL)
        cs_iommu_collector_record(p->collector, record);
}

static void rotated(void *state, const cs_soft_record *record)
{
    iommu_part *p = state;
    const cs_count *count = cs_told_count(record);

    if (p->collector == NULL)
        return;
    p->counted |= count->family == &cs_iommu_family && count->final && count->to > count->from;
    cs_iommu_collector_count(p->collector, count);
}

static void placed(void *state, const cs_soft_record *record)
{
    const iommu_part *p = state;

    if (p->collector != NULL)
        cs_iommu_collector_placed(p->collector, cs_told_iommu_placed(record));
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_count, rotated}, {&cs_soft_iommu_placed, placed}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    iommu_part *p;

    if (run->scenario->iommu_hpm->nr_units == 0)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IOMMUs' results");
    p->run = run;
    p->runs = cs_iommu_driver_of(run->environment) != NULL;
    return p->runs ? cs_iommu_collector_create(run->scenario, run->environment->timelines,
                                               &p->collector, diag)
                   : CS_OK;
}

static cs_status finish(void *state, cs_diag *diag)
{
    iommu_part *p = state;
    const cs_part_run *run = p->run;

    if (p->runs) {
        cs_iommu_collector_finish(p->collector, run->ended, &p->results);
        if (cs_iommu_driver_failed(cs_iommu_driver_of(run->environment)))
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on IOMMUs");
    }
    for (unsigned i = 0; i < run->scenario->iommu_hpm->nr_units; i++)
        put_unit(p, i);
    if (p->results.wrong != 0)
        cs_part_warn(run,
                     "%" PRIu64 " counts of IOMMUs are wrong: accesses failed, or a counter "
                     "wrapped twice before its interrupt was taken",
                     p->results.wrong);
    return CS_OK;
}

static void destroy(void *state)
{
    iommu_part *p = state;

    cs_iommu_collector_destroy(p->collector);
    free(p);
}

/* ---- what it came to ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const iommu_part *p = state;

    (void)s;
    if (!p->runs)
        return;
    cs_figure_count(out, "iommu_wrong", true, p->results.wrong);
    cs_figure_count(out, "iommu_lost", true, p->results.lost);
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const iommu_part *p = state;
    const cs_iommu_hpm_spec *spec = s->scenario->iommu_hpm;

    if (!p->runs)
        return;
    fprintf(out, ",\n  \"iommus\": [");
    for (size_t i = 0; i < spec->nr_units; i++) {
        fprintf(out, "%s\n    {\"iommu\": %zu, \"name\": ", cs_json_comma(i), i);
        cs_json_string(out, spec->units[i].name);
        fprintf(out, ", \"accesses\": %" PRIu64 ", \"wrong\": %" PRIu64 ", \"lost\": %" PRIu64 "}",
                p->results.units[i].accesses, p->results.units[i].wrong, p->results.units[i].lost);
    }
    fprintf(out, "\n  ]");
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const iommu_part *p = state;

    (void)s;
    if (p->runs && p->counted)
        f[CS_WAY_WRONG] = (double)p->results.wrong;
    return CS_OK;
}

static const cs_part_source sources[] = {{.first = CS_UNIT_IOMMU(0), .count = CS_MAX_IOMMUS}, {0}};

const cs_part cs_part_iommu_hpm = {
    .name = "iommu_hpm",
    .tables = own_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_REG),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 73, [CS_PART_JSON] = 63, [CS_PART_WAYS] = 45},
    .figures = figures,
    .json = json,
    .ways = ways,
    .sources = sources,
};
