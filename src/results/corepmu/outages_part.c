// SPDX-License-Identifier: Apache-2.0
/* The part of the CPUs that go off and come back: when each of them did. */
#include "results/corepmu/outages_part.h"

#include <inttypes.h>

#include "results/part.h"
#include "scenario/corepmu/corepmu_spec.h"

CS_SOFT_PRINTED(outage, cs_outage, "outage")
{
    fprintf(out, "%s from %" PRIu64 " to %" PRIu64, cs_outage_names[what->kind], what->off,
            what->on);
}
const char *const cs_outage_names[] = {
    [CS_OUTAGE_HOTPLUG] = "hotplug",
    [CS_OUTAGE_POWER_DOWN] = "power_down",
    [CS_OUTAGE_CLOCK_STOP] = "clock_stop",
};

static const cs_truth_table outage_table = {
    "CREATE TABLE outage(cpu INTEGER, kind TEXT, start INTEGER, stop INTEGER, unlocked INTEGER)",
    "INSERT INTO outage VALUES(?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&outage_table, NULL};

static bool is_here(const cs_scenario *s)
{
    return s->corepmu->nr_outages != 0;
}

/* The state is the run. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    (void)diag;
    if (is_here(run->scenario))
        *state = run;
    return CS_OK;
}

static void put(const cs_part_run *run, const cs_outage_spec *o)
{
    const cs_scenario *s = run->scenario;
    const cs_cycle off = cs_scenario_us(s, o->at_us);
    const cs_cycle on = cs_scenario_us(s, o->at_us + o->for_us);
    const cs_outage what = {.kind = o->kind, .off = off, .on = on < run->end ? on : run->end};
    cs_truth_rows *rows = cs_truth_rows_of(run->truth, &outage_table);

    if (off >= run->end)
        return;
    cs_truth_integers(rows, 1, (uint64_t[]){o->cpu}, 1);
    cs_truth_text(rows, 2, cs_outage_names[o->kind]);
    cs_truth_integers(rows, 3, (uint64_t[]){what.off, what.on}, 2);
    if (o->kind == CS_OUTAGE_CLOCK_STOP)
        cs_truth_null(rows, 5);
    else
        cs_truth_integers(rows, 5,
                          (uint64_t[]){cs_scenario_us(s, o->at_us + o->for_us + o->unlock_us)}, 1);
    cs_truth_put(rows);
    cs_tell_outage(&run->soft, off, o->cpu, &what);
}

static cs_status finish(void *state, cs_diag *diag)
{
    const cs_part_run *run = state;

    (void)diag;
    for (size_t i = 0; i < run->scenario->corepmu->nr_outages; i++)
        put(run, &run->scenario->corepmu->outages[i]);
    return CS_OK;
}

const cs_part cs_part_outages = {
    .name = "outages",
    .tables = own_tables,
    .wanted = is_here,
    .open = open_part,
    .finish = finish,
};
