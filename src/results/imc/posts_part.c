// SPDX-License-Identifier: Apache-2.0
/* The part of what engines ought to have added to memory. */
#include <stdlib.h>

#include "results/imc/part.h"
#include "results/imc/posts.h"
#include "results/summary.h"

static const cs_truth_table posted_table = {
    "CREATE TABLE posted(format TEXT, number INTEGER, offset INTEGER, posts INTEGER, value "
    "INTEGER, PRIMARY KEY(format, number, offset)) WITHOUT ROWID",
    "INSERT INTO posted VALUES(?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&posted_table, NULL};

typedef struct posts_part {
    cs_part_run *run;
    cs_posts *posts;
} posts_part;

static void probe(void *state, const cs_probe_record *record)
{
    const posts_part *p = state;

    cs_posts_record(p->posts, record, p->run->data);
}

static void known(void *state, cs_cycle cycle)
{
    cs_posts_known(((posts_part *)state)->posts, cycle);
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    posts_part *p;
    cs_status status;

    if (!cs_is_power(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    p->run = run;
    status = cs_posts_create(run->scenario, run->environment->timelines, &p->posts, diag);
    if (status == CS_OK && cs_posts_wants_data(p->posts))
        run->wants_data = true;
    return status;
}

static void put(void *rows, const cs_posted *one)
{
    cs_truth_text(rows, 1, one->kind->format);
    cs_truth_integers(rows, 2, (uint64_t[]){one->number, one->offset, one->posts, one->value}, 4);
    cs_truth_put(rows);
}

static cs_status finish(void *state, cs_diag *diag)
{
    posts_part *p = state;

    return cs_posts_finish(p->posts, put, cs_truth_rows_of(p->run->truth, &posted_table), diag);
}

static void destroy(void *state)
{
    posts_part *p = state;

    cs_posts_destroy(p->posts);
    free(p);
}

/* Why counts of perf are below what ran. */
static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_posts_windows *w = cs_posts_windows_of(((const posts_part *)state)->posts);
    const bool some = w->ended != 0;

    (void)s;
    cs_figure_count(out, "imc_windows", some, w->ended);
    cs_figure_count(out, "imc_windows_lost", some, w->lost);
    cs_figure_count(out, "imc_posts_failed", w->failed != 0, w->failed);
}

const cs_part cs_part_posts = {
    .name = "posts",
    .tables = own_tables,
    .open = open_part,
    .probes =
        CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG) | CS_PART_HEARS(CS_PROBE_STATE),
    .probe = probe,
    .known = known,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 25},
    .figures = figures,
};
