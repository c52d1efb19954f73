// SPDX-License-Identifier: Apache-2.0
/* Scheduling where the counters' owner says what fits (docs/drivers/rotation.md, "An owner"). */
#include "drivers/rotation/rotation_impl.h"

static void take_group(cs_rotation *rotation, const cs_rotation_group *group, unsigned events)
{
    for (unsigned i = 0; i < events; i++) {
        const unsigned event = rotation->members[group->at + i];

        if (rotation->counters[event] >= 0)
            rotation->owner.take(rotation->owner.ctx, event);
        rotation->counters[event] = -1;
    }
}

bool cs_rotation_put_group(cs_rotation *rotation, const cs_rotation_group *group)
{
    for (unsigned i = 0; i < group->size; i++) {
        const unsigned event = rotation->members[group->at + i];

        rotation->counters[event] = (int8_t)rotation->owner.put(rotation->owner.ctx, event);
        if (rotation->counters[event] < 0) {
            take_group(rotation, group, i);
            return false;
        }
    }
    return true;
}

void cs_rotation_put_list(cs_rotation *rotation, cs_rotation_turns *list)
{
    list->waiting = false;
    for (unsigned i = 0; i < list->nr && !list->waiting; i++)
        list->waiting = !cs_rotation_put_group(rotation, &rotation->groups[list->order[i]]);
}

void cs_rotation_take_list(cs_rotation *rotation, const cs_rotation_turns *list)
{
    for (unsigned i = 0; i < list->nr; i++) {
        const cs_rotation_group *group = &rotation->groups[list->order[i]];

        take_group(rotation, group, group->size);
    }
}

void cs_rotation_take_off(cs_rotation *rotation)
{
    for (unsigned i = 0; i < rotation->nr_lists && rotation->owner.take != NULL; i++)
        cs_rotation_take_list(rotation, &rotation->lists[i]);
}
