// SPDX-License-Identifier: Apache-2.0
#include "results/imc/part.h"

#include <stdlib.h>

#include "results/imc/images.h"
#include "results/summary.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/keep_spec.h"

static const cs_truth_table record_table = {
    "CREATE TABLE record(cpu INTEGER, snapshot INTEGER, number INTEGER, cycle INTEGER, address "
    "INTEGER, response TEXT, pc INTEGER, pid INTEGER, lpid INTEGER, mode INTEGER, PRIMARY KEY(cpu, "
    "snapshot)) WITHOUT ROWID",
    "INSERT INTO record VALUES(?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&record_table, NULL};

void cs_truth_imc_sample(cs_truth *t, const cs_imc_sample *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &record_table);

    cs_truth_integers(rows, 1, (uint64_t[]){s->cpu, s->snapshot, s->number, s->cycle, s->addr}, 5);
    cs_truth_text(rows, 6, cs_truth_response(s->resp));
    cs_truth_integers(rows, 7,
                      (uint64_t[]){s->truth.pc, s->truth.cid1, s->truth.cid2, s->truth.mode}, 4);
    cs_truth_put(rows);
}

static void probe(void *state, const cs_probe_record *record)
{
    cs_imc_collector_record(((cs_imc_part *)state)->collector, record);
}

/* Records go to their files as they are made: no run keeps them in memory. */
static void made(void *state, const cs_soft_record *record)
{
    cs_imc_part *p = state;
    const cs_imc_sample *s = cs_told_imc_record(record);

    if (p->run->scenario->keep->samples_truth)
        cs_truth_imc_sample(p->run->truth, s);
    if (s->bytes != NULL && p->files != NULL && !cs_record_files_put(p->files, s->cpu, s->bytes))
        cs_part_fail(p->run, CS_ERR_IO);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_imc_record, made}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    const cs_scenario *s = run->scenario;
    cs_status status = CS_OK;
    cs_imc_part *p;

    if (!cs_is_power(s))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results of IMC");
    p->run = run;
    if (s->imc->cores != 0 && s->keep->records)
        status = cs_record_files_create(run->folder, &p->files, diag);
    if (status == CS_OK)
        status = cs_imc_collector_create(s, run->environment->memory, run->environment->timelines,
                                         &run->soft, &p->collector, diag);
    return status;
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_imc_part *p = state;

    (void)diag;
    p->results = cs_imc_collector_finish(p->collector);
    return CS_OK;
}

static cs_status close_part(void *state, cs_diag *diag)
{
    cs_imc_part *p = state;
    cs_record_files *files = p->files;

    p->files = NULL;
    return files != NULL ? cs_record_files_close(files, diag) : CS_OK;
}

static void destroy(void *state)
{
    cs_imc_part *p = state;

    cs_imc_collector_destroy(p->collector);
    free(p);
}

/* Labels are left out of the text where the figure can only be zero. */
static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_imc_cpu_result *all = &((const cs_imc_part *)state)->results->all;
    const bool traced = cs_imc_has_command(s->scenario, CS_PERF_TRACE, CS_MAX_CPUS) ||
                        all->records + all->lost + all->failed != 0;

    cs_figure_count(out, "imc_records", traced, all->records);
    cs_figure_count(out, "imc_lost", traced, all->lost);
    cs_figure_count(out, "imc_failed", traced, all->failed);
    cs_figure_count(out, "imc_wrong", traced, all->wrong);
}

static const cs_image_source *const images[] = {&cs_image_imc_trace, &cs_image_imc_core,
                                                &cs_image_imc_thread, NULL};

/* docs/hw/imc.md, "STATE" */
static const char *const states[] = {"OFF", "SYNC", "RUN", "DONE", "FROZEN"};
static const cs_part_source sources[] = {{CS_UNIT_IMC(0), CS_IMC_MAX_CORES, .states = states,
                                          .nr_states = sizeof states / sizeof states[0]},
                                         {0}};

const cs_part cs_part_imc = {
    .name = "imc",
    .tables = own_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .close = close_part,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 20},
    .figures = figures,
    .images = images,
    .sources = sources,
    .counts = true,
};
