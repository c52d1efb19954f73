// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "drivers/rotation/rotation_impl.h"

/* All of the group, or nothing. */
static bool add_group(cs_rotation *rotation, cs_rotation_set *set, const cs_rotation_group *group)
{
    const cs_rotation_set before = *set;

    for (unsigned i = 0; i < group->size; i++) {
        const unsigned event = rotation->members[group->at + i];

        if (!cs_rotation_set_add(set, rotation->allowed[event])) {
            *set = before;
            return false;
        }
        rotation->on[group->pmu][set->nr - 1] = event;
    }
    return true;
}

void cs_rotation_schedule_pinned(cs_rotation *rotation)
{
    for (unsigned pmu = 0; pmu < rotation->nr_pmus; pmu++)
        cs_rotation_set_clear(&rotation->pinned[pmu]);
    for (unsigned i = 0; i < rotation->nr_groups; i++) {
        const cs_rotation_group *group = &rotation->groups[i];

        if (!group->pinned || group->error)
            continue;
        if (rotation->owner.put != NULL)
            cs_rotation_put_group(rotation, group);
        else
            add_group(rotation, &rotation->pinned[group->pmu], group);
    }
}

static void take_off(cs_rotation *rotation, unsigned group)
{
    const unsigned *members = &rotation->members[rotation->groups[group].at];

    for (unsigned i = 0; i < rotation->groups[group].size; i++)
        rotation->counters[members[i]] = -1;
}

static void put_on(cs_rotation *rotation, unsigned pmu, cs_rotation_set *set)
{
    cs_rotation_set_lowest(set);
    for (unsigned i = 0; i < set->nr; i++)
        rotation->counters[rotation->on[pmu][i]] = set->counter_of[i];
}

void cs_rotation_schedule(cs_rotation *rotation, cs_rotation_turns *list)
{
    cs_rotation_set sets[CS_ROTATION_MAX_PMUS];

    if (rotation->owner.put != NULL) {
        cs_rotation_put_list(rotation, list);
        return;
    }
    for (unsigned pmu = list->first_pmu; pmu < list->end_pmu; pmu++)
        sets[pmu] = rotation->pinned[pmu];
    list->waiting = false;
    for (unsigned i = 0; i < list->nr; i++) {
        const cs_rotation_group *group = &rotation->groups[list->order[i]];

        take_off(rotation, list->order[i]);
        if (!list->waiting && !add_group(rotation, &sets[group->pmu], group))
            list->waiting = true;
    }
    for (unsigned pmu = list->first_pmu; pmu < list->end_pmu; pmu++)
        put_on(rotation, pmu, &sets[pmu]);
}
