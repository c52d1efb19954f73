// SPDX-License-Identifier: Apache-2.0
/* The part of perf's throttling: when its core stopped events that had too many samples, of any driver
 * that tells it (drivers/told.h). */
#include <stdlib.h>

#include "drivers/told.h"
#include "results/part.h"
#include "results/summary.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/section_list.h"

static const cs_truth_table throttle_table = {
    "CREATE TABLE throttle(cpu INTEGER, event INTEGER, cycle INTEGER, stopped INTEGER)",
    "INSERT INTO throttle VALUES(?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&throttle_table, NULL};

typedef struct throttles_part {
    cs_part_run *run;
    uint64_t stopped; /* so often */
} throttles_part;

static bool wanted(const cs_scenario *s)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section_commands *commands = cs_sections[i].section->commands;

        if (commands != NULL && commands->throttles != NULL && commands->throttles(s))
            return true;
    }
    return false;
}

static void throttled(void *state, const cs_soft_record *record)
{
    throttles_part *p = state;
    const cs_throttled *t = cs_told_throttled(record);

    p->stopped += t->stopped;
    if (p->run->scenario->keep->samples_truth)
        cs_truth_put_integers(cs_truth_rows_of(p->run->truth, &throttle_table),
                              (uint64_t[]){record->cpu, t->event, record->cycle, t->stopped}, 4);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_throttled, throttled}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    throttles_part *p;

    if (!wanted(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what is throttled");
    p->run = run;
    return CS_OK;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const throttles_part *p = state;

    (void)s;
    cs_figure_count(out, "perf_throttled", true, p->stopped);
}

const cs_part cs_part_throttles = {
    .name = "throttles",
    .tables = own_tables,
    .wanted = wanted,
    .open = open_part,
    .hearings = hearings,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 56},
    .figures = figures,
};
