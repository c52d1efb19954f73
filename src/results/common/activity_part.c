// SPDX-License-Identifier: Apache-2.0
/* The part of what happened when. */
#include <stdlib.h>

#include "results/common/activity.h"
#include "results/common/activity_rows.h"
#include "results/part.h"
#include "scenario/machine/keep_spec.h"

typedef struct activity_part {
    cs_part_run *run;
    cs_activity *activity;
} activity_part;

static void probe(void *state, const cs_probe_record *record)
{
    cs_activity_record(((activity_part *)state)->activity, record);
}

static void track(void *state, const cs_soft_record *record)
{
    const cs_track_change *change = cs_told_track(record);

    cs_activity_software(((activity_part *)state)->activity, record->cpu, record->cycle,
                         change->track);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_track, track}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    activity_part *p;

    if (!run->scenario->keep->samples_truth)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what happened when");
    p->run = run;
    return cs_activity_create(run->scenario, run->truth, &p->activity, diag);
}

static cs_status finish(void *state, cs_diag *diag)
{
    const activity_part *p = state;

    (void)diag;
    cs_activity_finish(p->activity, p->run->end);
    return CS_OK;
}

static void destroy(void *state)
{
    activity_part *p = state;

    cs_activity_destroy(p->activity);
    free(p);
}

const cs_part cs_part_activity = {
    .name = "activity",
    .tables = cs_activity_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG) |
              CS_PART_HEARS(CS_PROBE_STATE) | CS_PART_HEARS(CS_PROBE_IRQ) |
              CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
};
