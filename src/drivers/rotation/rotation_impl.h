// SPDX-License-Identifier: Apache-2.0
/* What the files of the rotation share. */
#ifndef CS_DRIVERS_ROTATION_ROTATION_IMPL_H
#define CS_DRIVERS_ROTATION_ROTATION_IMPL_H

#include "drivers/rotation/rotation_assign.h"
#include "drivers/rotation/rotation_pace.h"

typedef struct cs_rotation_group {
    unsigned pmu;
    unsigned at, size; /* its events in `members` */
    bool pinned, error;
} cs_rotation_group;

typedef struct cs_rotation_turns {
    unsigned *order; /* groups */
    unsigned nr;
    unsigned first_pmu, end_pmu;
    bool waiting; /* a group is on no counter */
    cs_rotation_pace pace;
} cs_rotation_turns;

struct cs_rotation {
    bool global, first_to_end;
    unsigned nr_groups, nr_pmus, nr_lists;
    cs_rotation_limits limits;
    cs_rotation_owner owner;
    uint32_t *allowed; /* by event */
    unsigned *members; /* events, group by group */
    cs_rotation_group *groups;
    unsigned *orders; /* of all lists, one after the other */
    int8_t *counters;
    cs_rotation_turns lists[CS_ROTATION_MAX_PMUS];
    cs_rotation_set pinned[CS_ROTATION_MAX_PMUS];                /* what the pinned groups leave */
    unsigned on[CS_ROTATION_MAX_PMUS][CS_ROTATION_MAX_COUNTERS]; /* events, as in the PMU's set */
};

cs_status cs_rotation_check(const cs_rotation_config *config, cs_diag *diag);
/* Step 1 of "Scheduling", and steps 2 to 4. */
void cs_rotation_schedule_pinned(cs_rotation *rotation);
void cs_rotation_schedule(cs_rotation *rotation, cs_rotation_turns *list);

/* ---- rotation_owned.c: with an owner ---- */

/* All of it, or nothing. */
bool cs_rotation_put_group(cs_rotation *rotation, const cs_rotation_group *group);
/* Steps 2 and 3 instead of them. What is on a counter is asked for, too. */
void cs_rotation_put_list(cs_rotation *rotation, cs_rotation_turns *list);
void cs_rotation_take_list(cs_rotation *rotation, const cs_rotation_turns *list);

#endif
