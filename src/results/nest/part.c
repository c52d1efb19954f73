// SPDX-License-Identifier: Apache-2.0
#include "results/nest/part.h"

#include <stdlib.h>

#include "results/imc/images.h"
#include "results/imc/part.h"
#include "results/summary.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/nest/nest_spec.h"

#define WINDOW_BYTES 0x40000u

/* ---- the truth ---- */

static const cs_truth_table posting_table = {
    "CREATE TABLE posting(nest_group INTEGER, number INTEGER, start INTEGER, stop INTEGER, address "
    "INTEGER, bytes INTEGER, response TEXT)",
    "INSERT INTO posting VALUES(?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&posting_table, NULL};

void cs_truth_posting(cs_truth *truth, const cs_probe_record *r)
{
    cs_truth_rows *rows = cs_truth_rows_of(truth, &posting_table);

    cs_truth_integers(
        rows, 1,
        (uint64_t[]){cs_nest_group_of(r), r->value, r->request, r->cycle + 1, r->addr, r->bytes},
        6);
    cs_truth_text(rows, 7, cs_truth_response(r->resp));
    cs_truth_put(rows);
}

/* docs/hw/nest.md, "status" */
static const char *const states[] = {"INIT", "RUN", "PAUSE", "ERR1", "ERR2"};
#define NR_STATES (sizeof states / sizeof states[0])

static unsigned chip_of_source(const cs_scenario *scenario, unsigned i)
{
    (void)scenario;
    return i + 1;
}

static const cs_part_source sources[] = {
    {CS_UNIT_NEST, 1, .states = states, .nr_states = NR_STATES},
    {CS_UNIT_NEST_OF(1), CS_MAX_CHIPS - 1, .states = states, .nr_states = NR_STATES,
     .number = chip_of_source},
    {0}};

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *r)
{
    cs_nest_part *p = state;

    if (r->source != CS_UNIT_NEST && r->source - CS_UNIT_NEST_OF(1) >= CS_MAX_CHIPS - 1)
        return;
    p->postings++;
    if (p->truth != NULL)
        cs_truth_posting(p->truth, r);
}

/* A die of POWER without a nest has the figure, too. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_nest_part *p;

    if (!cs_is_power(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the nest's results");
    if (run->scenario->keep->samples_truth)
        p->truth = run->truth;
    return CS_OK;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    cs_figure_count(out, "nest_postings", s->scenario->nest->present,
                    ((const cs_nest_part *)state)->postings);
}

/* ---- its window ---- */

static unsigned nests(const cs_scenario *s)
{
    return s->nest->present && cs_imc_has_command(s, CS_PERF_NEST, CS_MAX_CPUS) ? s->imc->chips : 0;
}

static bool nest_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, cs_nest_base(s->nest, i), WINDOW_BYTES};
    return true;
}

const cs_image_source cs_image_nest = {"nest-imc", "a command of imc_driver.perf with pmu: nest",
                                       nests, nest_place};
static const cs_image_source *const images[] = {&cs_image_nest, NULL};

const cs_part cs_part_nest = {
    .name = "nest",
    .tables = own_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 30},
    .figures = figures,
    .images = images,
    .sources = sources,
};
