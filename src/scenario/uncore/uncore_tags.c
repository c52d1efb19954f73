// SPDX-License-Identifier: Apache-2.0
#include "scenario/uncore/uncore_tags.h"

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/numbers.h>

bool cs_uncore_stream_of(const cs_uncore_unit_spec *unit, const cs_uncore_counted *counted,
                         size_t *k, uint32_t *event)
{
    const uint32_t whole = CS_EVENT_UNCORE(counted->event);

    /* 0 is what has no tag. */
    if (*k == 0) {
        ++*k;
        if ((counted->match & counted->mask) == 0) {
            *event = whole;
            return true;
        }
    }
    while (*k <= unit->nr_tags) {
        const cs_uncore_tag *tag = &unit->tags[(*k)++ - 1];

        if (tag->event == whole && ((tag->tag ^ counted->match) & counted->mask) == 0) {
            *event = tag->number;
            return true;
        }
    }
    return false;
}

uint64_t cs_uncore_sum(const cs_uncore_unit_spec *unit, const cs_uncore_counted *counted,
                       cs_timeline *timeline, cs_cycle from, cs_cycle to)
{
    uint64_t sum = 0;
    uint32_t event;
    size_t k = 0;

    while (cs_uncore_stream_of(unit, counted, &k, &event))
        sum += cs_timeline_sum(timeline, event, CS_MODE_ALL, from, to);
    return sum;
}

/* ---- from the scenario ---- */

/* The event of a tag in the timeline; made where there is none yet. */
static uint32_t number_of(cs_uncore_unit_spec *unit, uint32_t event, uint64_t tag)
{
    size_t i = 0;

    while (i < unit->nr_tags && (unit->tags[i].event != event || unit->tags[i].tag != tag))
        i++;
    if (i == unit->nr_tags)
        unit->tags[unit->nr_tags++] =
            (cs_uncore_tag){event, CS_EVENT_UNCORE_TAGGED((uint32_t)i), tag};
    return unit->tags[i].number;
}

static size_t count_tagged(const cs_uncore_unit_spec *unit)
{
    size_t count = 0;

    for (size_t i = 0; i < unit->nr_segments; i++)
        for (size_t k = 0; k < unit->segments[i].nr_streams; k++)
            count += unit->segments[i].streams[k].tag != 0;
    return count;
}

static void take_unit(cs_check *check, cs_uncore_unit_spec *unit)
{
    const size_t count = count_tagged(unit);

    if (count != 0)
        unit->tags = cs_yaml_alloc(check->memory, count * sizeof *unit->tags, check->diag);
    for (size_t i = 0; i < unit->nr_segments && unit->tags != NULL; i++)
        for (size_t k = 0; k < unit->segments[i].nr_streams; k++) {
            cs_stream_spec *spec = &unit->segments[i].streams[k];

            if (spec->tag != 0 && spec->first_event == spec->last_event)
                spec->as_event = number_of(unit, spec->first_event, spec->tag);
        }
}

void cs_uncore_take_tags(cs_check *check)
{
    for (size_t i = 0; i < check->scenario->uncore->nr_units; i++)
        if (check->scenario->uncore->units[i].extended)
            take_unit(check, &check->scenario->uncore->units[i]);
}
