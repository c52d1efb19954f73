// SPDX-License-Identifier: Apache-2.0
#include "golden/hpm/record.h"

#include <stdlib.h>
#include <string.h>

#include <countersink/models/hpm/hpm.h>

struct cs_record_watched {
    uint32_t set;
    cs_record_row row;
};

static uint64_t total(const cs_record_stretch *s, uint32_t modes, cs_cycle to)
{
    uint64_t sum = modes >> s->mode & 1 ? (to - s->begin) * s->increment : 0;

    for (unsigned mode = 0; mode < CS_RECORD_MODES; mode++)
        if (modes >> mode & 1)
            sum += s->before[mode];
    return sum;
}

static void add(cs_record *record, cs_record_row *row, uint8_t increment, uint8_t mode)
{
    size_t *count = &row->count;
    cs_record_stretch **list = &row->list;
    const cs_record_stretch *last = *count != 0 ? &(*list)[*count - 1] : NULL;
    cs_record_stretch *next;

    if (last == NULL ? increment == 0 : last->increment == increment && last->mode == mode)
        return;
    if (*count == row->room) {
        const size_t room = *count == 0 ? 16 : 2 * *count;
        cs_record_stretch *longer = realloc(*list, room * sizeof **list);

        if (longer == NULL) {
            record->full = true;
            return;
        }
        *list = longer;
        row->room = room;
        last = *count != 0 ? &(*list)[*count - 1] : NULL;
    }
    next = &(*list)[*count];
    *next = (cs_record_stretch){.begin = record->end, .increment = increment, .mode = mode};
    if (last != NULL) {
        memcpy(next->before, last->before, sizeof next->before);
        next->before[last->mode] += (record->end - last->begin) * last->increment;
    }
    ++*count;
}

static bool happens(const uint8_t increments[CS_RECORD_EVENTS], uint32_t set)
{
    for (unsigned k = 0; k < 16; k++)
        if (set >> k & 1 && increments[k + 1] != 0)
            return true;
    return false;
}

void cs_record_add(cs_record *record, const uint8_t increments[CS_RECORD_EVENTS], uint8_t mode)
{
    for (unsigned event = 0; event < CS_RECORD_EVENTS; event++)
        if (increments[event] != 0 || record->events[event].count != 0)
            add(record, &record->events[event], increments[event], mode);
    for (size_t i = 0; i < record->nr_watched; i++)
        add(record, &record->watched[i].row, happens(increments, record->watched[i].set), mode);
    record->end++;
}

static const cs_record_row *watched(const cs_record *record, uint32_t set)
{
    for (size_t i = 0; i < record->nr_watched; i++)
        if (record->watched[i].set == set)
            return &record->watched[i].row;
    return NULL;
}

void cs_record_watch(cs_record *record, uint32_t set)
{
    struct cs_record_watched *more;

    if (set == 0 || watched(record, set) != NULL)
        return;
    more = realloc(record->watched, (record->nr_watched + 1) * sizeof *more);
    if (more == NULL) {
        record->full = true;
        return;
    }
    record->watched = more;
    more[record->nr_watched++] = (struct cs_record_watched){.set = set};
}

static void clear_watched(cs_record *record)
{
    for (size_t i = 0; i < record->nr_watched; i++)
        free(record->watched[i].row.list);
    free(record->watched);
    record->watched = NULL;
    record->nr_watched = 0;
}

void cs_record_clear(cs_record *record)
{
    for (unsigned event = 0; event < CS_RECORD_EVENTS; event++)
        free(record->events[event].list);
    clear_watched(record);
    *record = (cs_record){0};
}

/* The last stretch goes on, and has the sums of all before it. */
void cs_record_forget(cs_record *record)
{
    for (unsigned event = 0; event < CS_RECORD_EVENTS; event++) {
        cs_record_row *row = &record->events[event];

        if (row->count > 1)
            row->list[0] = row->list[row->count - 1];
        row->count = row->count > 1 ? 1 : row->count;
    }
    clear_watched(record);
}

/* Of the cycles before `to`. */
static uint64_t prefix(const cs_record_row *row, uint32_t modes, cs_cycle to)
{
    const cs_record_stretch *list = row->list;
    size_t low = 0, high = row->count; /* the last that begins before `to` */

    if (high == 0 || list[0].begin >= to)
        return 0;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (list[middle].begin < to)
            low = middle;
        else
            high = middle;
    }
    return total(&list[low], modes, to);
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_record *record = ctx;
    const cs_record_row *row = NULL;
    uint64_t total = 0;

    if (to > record->end)
        to = record->end;
    if (from >= to)
        return 0;
    if (event & CS_HPM_EVENT_SET && record->sets == CS_RECORD_ANY)
        row = watched(record, event & ~CS_HPM_EVENT_SET);
    else if (event < CS_RECORD_EVENTS)
        row = &record->events[event];
    if (row != NULL)
        return prefix(row, modes, to) - prefix(row, modes, from);
    for (uint32_t k = 0; event & CS_HPM_EVENT_SET && k < 16; k++)
        if (event >> k & 1)
            total += sum(ctx, k + 1, modes, from, to);
    return total;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_record *record = ctx;
    cs_cycle low = from, high = record->end; /* sum(from, high) >= n */

    if (n == 0)
        return from;
    if (sum(ctx, event, modes, from, high) < n)
        return CS_NEVER;
    while (high - low > 1) {
        const cs_cycle middle = low + (high - low) / 2;

        if (sum(ctx, event, modes, from, middle) >= n)
            high = middle;
        else
            low = middle;
    }
    return high;
}

cs_event_source cs_record_source(cs_record *record)
{
    return (cs_event_source){sum, reach, NULL, record, NULL};
}
