// SPDX-License-Identifier: Apache-2.0
#include "drivers/rotation/rotation.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/rotation/rotation_impl.h"

static bool rotation_allocate(cs_rotation *rotation, size_t nr)
{
    const size_t room = nr != 0 ? nr : 1;

    rotation->allowed = calloc(room, sizeof *rotation->allowed);
    rotation->members = calloc(room, sizeof *rotation->members);
    rotation->groups = calloc(room, sizeof *rotation->groups);
    rotation->orders = calloc(room, sizeof *rotation->orders);
    rotation->counters = calloc(room, sizeof *rotation->counters);
    return rotation->allowed != NULL && rotation->members != NULL && rotation->groups != NULL &&
           rotation->orders != NULL && rotation->counters != NULL;
}

static bool is_first(const cs_rotation_config *config, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (config->events[i].group == config->events[at].group)
            return false;
    return true;
}

static void copy_group(cs_rotation *rotation, const cs_rotation_config *config, size_t first,
                       unsigned *at)
{
    const cs_rotation_event *event = &config->events[first];
    cs_rotation_group *group = &rotation->groups[rotation->nr_groups++];

    *group = (cs_rotation_group){
        .pmu = event->pmu, .at = *at, .pinned = event->pinned, .error = event->error};
    for (size_t i = first; i < config->nr_events; i++)
        if (config->events[i].group == event->group)
            rotation->members[(*at)++] = (unsigned)i;
    group->size = *at - group->at;
}

static void copy_events(cs_rotation *rotation, const cs_rotation_config *config)
{
    unsigned at = 0;

    for (size_t i = 0; i < config->nr_events; i++) {
        rotation->allowed[i] = config->events[i].allowed;
        rotation->counters[i] = -1;
        if (is_first(config, i))
            copy_group(rotation, config, i, &at);
    }
}

/* Its flexible groups, from `orders` on; returns how many. */
static unsigned rotation_fill(const cs_rotation *rotation, cs_rotation_turns *list,
                              unsigned *orders)
{
    list->order = orders;
    for (unsigned i = 0; i < rotation->nr_groups; i++) {
        const cs_rotation_group *group = &rotation->groups[i];

        if (!group->pinned && group->pmu >= list->first_pmu && group->pmu < list->end_pmu)
            orders[list->nr++] = i;
    }
    return list->nr;
}

static void make_lists(cs_rotation *rotation, const cs_rotation_config *config)
{
    unsigned *orders = rotation->orders;

    rotation->global = config->list == CS_ROTATION_GLOBAL;
    rotation->nr_lists = rotation->global ? 1 : rotation->nr_pmus;
    for (unsigned i = 0; i < rotation->nr_lists; i++) {
        cs_rotation_turns *list = &rotation->lists[i];

        *list = (cs_rotation_turns){.first_pmu = i,
                                    .end_pmu = rotation->global ? rotation->nr_pmus : i + 1,
                                    .pace = {.adaptive = config->pmus[i].adaptive,
                                             .divider = config->pmus[i].divider,
                                             .least_divider = config->pmus[i].divider}};
        orders += rotation_fill(rotation, list, orders);
    }
}

cs_status cs_rotation_create(const cs_rotation_config *config, cs_rotation **out, cs_diag *diag)
{
    cs_rotation *rotation;

    *out = NULL;
    const cs_status status = cs_rotation_check(config, diag);

    if (status != CS_OK)
        return status;
    rotation = calloc(1, sizeof *rotation);
    if (rotation == NULL || !rotation_allocate(rotation, config->nr_events)) {
        cs_rotation_destroy(rotation);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "event rotation", "no memory for %zu events",
                           config->nr_events);
    }
    rotation->nr_pmus = (unsigned)config->nr_pmus;
    rotation->limits =
        (cs_rotation_limits){config->limit_percent * config->tick_cycles, config->most_divider};
    rotation->owner = config->owner;
    rotation->first_to_end = config->first_to_end;
    copy_events(rotation, config);
    make_lists(rotation, config);
    cs_rotation_schedule_pinned(rotation);
    for (unsigned i = 0; i < rotation->nr_lists; i++)
        cs_rotation_schedule(rotation, &rotation->lists[i]);
    *out = rotation;
    return CS_OK;
}

void cs_rotation_destroy(cs_rotation *rotation)
{
    if (rotation == NULL)
        return;
    free(rotation->allowed);
    free(rotation->members);
    free(rotation->groups);
    free(rotation->orders);
    free(rotation->counters);
    free(rotation);
}

const int8_t *cs_rotation_counters(const cs_rotation *rotation)
{
    return rotation->counters;
}

static unsigned list_of(const cs_rotation *rotation, unsigned pmu)
{
    return rotation->global ? 0 : pmu;
}

size_t cs_rotation_order(const cs_rotation *rotation, unsigned pmu, unsigned *out, size_t room)
{
    const unsigned at = list_of(rotation, pmu);

    if (at >= rotation->nr_lists)
        return 0;
    const cs_rotation_turns *list = &rotation->lists[at];

    for (unsigned i = 0; i < list->nr && i < room; i++)
        out[i] = rotation->members[rotation->groups[list->order[i]].at];
    return list->nr;
}

static void rotation_turn(cs_rotation_turns *list, bool first_to_end)
{
    const unsigned first = list->order[0], last = list->order[list->nr - 1];

    if (first_to_end) {
        memmove(list->order, list->order + 1, (list->nr - 1) * sizeof *list->order);
        list->order[list->nr - 1] = first;
    } else {
        memmove(list->order + 1, list->order, (list->nr - 1) * sizeof *list->order);
        list->order[0] = last;
    }
}

uint64_t cs_rotation_tick(cs_rotation *rotation)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < rotation->nr_lists; i++) {
        cs_rotation_turns *list = &rotation->lists[i];

        if (!cs_rotation_pace_tick(&list->pace, &rotation->limits))
            continue;
        if (list->waiting) {
            if (rotation->owner.put != NULL)
                cs_rotation_take_list(rotation, list);
            rotation_turn(list, rotation->first_to_end);
            cs_rotation_schedule(rotation, list);
        }
        for (unsigned pmu = list->first_pmu; pmu < list->end_pmu; pmu++)
            mask |= UINT64_C(1) << pmu;
    }
    return mask;
}

bool cs_rotation_waits(const cs_rotation *rotation, unsigned pmu)
{
    const unsigned at = list_of(rotation, pmu);

    return at < rotation->nr_lists && rotation->lists[at].waiting;
}

unsigned cs_rotation_ahead(cs_rotation *rotation)
{
    unsigned least = 0;

    for (unsigned i = 0; i < rotation->nr_lists; i++) {
        cs_rotation_turns *list = &rotation->lists[i];

        const unsigned left = cs_rotation_pace_left(&list->pace, &rotation->limits);
        if (list->waiting && (least == 0 || left < least))
            least = left;
    }
    return least;
}

void cs_rotation_took(cs_rotation *rotation, unsigned pmu, uint64_t cycles)
{
    if (pmu < rotation->nr_pmus)
        cs_rotation_pace_bear(&rotation->lists[list_of(rotation, pmu)].pace, cycles);
}

void cs_rotation_took_beside(cs_rotation *rotation, uint64_t cycles)
{
    for (unsigned i = 0; i < rotation->nr_lists; i++)
        if (rotation->lists[i].pace.due)
            cs_rotation_pace_bear(&rotation->lists[i].pace, cycles);
}

unsigned cs_rotation_divider(const cs_rotation *rotation, unsigned pmu)
{
    const unsigned at = list_of(rotation, pmu);

    return at < rotation->nr_lists ? rotation->lists[at].pace.divider : 0;
}
