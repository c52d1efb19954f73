// SPDX-License-Identifier: Apache-2.0
/* Which stream each event of a segment has. An event that is named alone goes
 * before a range that holds it; implicit events are never taken from a range; a ratio
 * is made after what it follows. */
#include <stdio.h>
#include <stdlib.h>

#include "scenario/work/build_stream.h"
#include "scenario/work/workload_spec.h"

typedef enum entry_state { ENTRY_NEW, ENTRY_OPEN, ENTRY_DONE } entry_state;

typedef struct entry {
    uint32_t event;
    const cs_stream_spec *spec; /* NULL: an implicit event */
    cs_rate rate;               /* its */
    const cs_stream *stream;
    entry_state state;
} entry;

/* In rising order of events, each once. */
typedef struct entry_list {
    entry *entries;
    size_t count;
} entry_list;

static bool is_alone(const cs_stream_spec *spec)
{
    return spec == NULL || spec->first_event == spec->last_event;
}

/* Of one event: first what is named alone, then what the scenario says. */
static int compare(const void *left, const void *right)
{
    const entry *a = left, *b = right;

    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    if (is_alone(a->spec) != is_alone(b->spec))
        return is_alone(a->spec) ? -1 : 1;
    return (a->spec == NULL) - (b->spec == NULL);
}

static cs_status list_events(const cs_stream_place *place, entry_list *list)
{
    const cs_segment_spec *segment = place->segment;
    size_t count = place->nr_implicit, kept = 0;

    for (size_t i = 0; i < segment->nr_streams; i++)
        count += segment->streams[i].last_event - segment->streams[i].first_event + 1;
    list->entries = calloc(count + 1, sizeof *list->entries);
    if (list->entries == NULL)
        return cs_diag_set(place->diag, CS_ERR_NO_MEMORY, NULL, "no memory for event streams");

    for (size_t i = 0; i < place->nr_implicit; i++)
        list->entries[list->count++] =
            (entry){.event = place->implicit[i].event, .rate = place->implicit[i].rate};
    for (size_t i = 0; i < segment->nr_streams; i++) {
        const cs_stream_spec *spec = &segment->streams[i];

        for (uint32_t event = spec->first_event; event <= spec->last_event; event++)
            if (is_alone(spec) || !cs_is_implicit_event(place->scenario, event))
                list->entries[list->count++] =
                    (entry){.event = spec->as_event != 0 ? spec->as_event : event, .spec = spec};
    }
    qsort(list->entries, list->count, sizeof *list->entries, compare);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->entries[i].event != list->entries[kept - 1].event)
            list->entries[kept++] = list->entries[i];
    list->count = kept;
    return CS_OK;
}

static int compare_event(const void *key, const void *element)
{
    uint32_t event = *(const uint32_t *)key;
    const entry *e = element;

    return (event > e->event) - (event < e->event);
}

static entry *find(const entry_list *list, uint32_t event)
{
    return bsearch(&event, list->entries, list->count, sizeof *list->entries, compare_event);
}

static cs_status make(const cs_stream_place *place, const entry_list *list, entry *e);

/* What a ratio follows; NULL: it is none. */
static cs_status find_source(const cs_stream_place *place, const entry_list *list, entry *e,
                             const cs_stream **out)
{
    *out = NULL;
    if (e->spec->kind != CS_STREAM_RATIO)
        return CS_OK;

    entry *source = find(list, e->spec->of);
    if (source == NULL)
        return cs_stream_place_error(place, e->spec, "the event of the ratio does not count");
    e->state = ENTRY_OPEN;
    const cs_status status = make(place, list, source);
    *out = source->stream;
    return status;
}

static void tell(const cs_stream_place *place, const entry *e)
{
    const cs_stream_listener *listener = place->listener;
    cs_stream_recipe recipe = {.kind = CS_STREAM_RATE, .rate = e->rate};

    if (listener == NULL || listener->timeline != place->cpu)
        return;
    if (e->spec != NULL)
        recipe = cs_build_recipe(place, e->spec, e->event);
    listener->tell(listener->ctx, place->number, e->event, &recipe);
}

static cs_status make(const cs_stream_place *place, const entry_list *list, entry *e)
{
    const cs_stream *source = NULL;
    cs_status status;
    char text[80];

    if (e->state == ENTRY_DONE)
        return CS_OK;
    if (e->state == ENTRY_OPEN)
        return cs_stream_place_error(place, e->spec, "the ratio follows itself");
    if (e->spec == NULL)
        status = cs_stream_rate(place->pool, e->rate, 0, &e->stream, place->diag);
    else
        status = find_source(place, list, e, &source);
    if (status == CS_OK && e->spec != NULL)
        status = cs_build_stream(place, e->spec, e->event, source, &e->stream);
    e->state = ENTRY_DONE;
    if (status == CS_OK)
        tell(place, e);
    if (status != CS_OK || e->spec == NULL || cs_stream_max_increment(e->stream) <= place->most)
        return status;
    snprintf(text, sizeof text, "up to %u in a bus cycle; at most %u can count",
             cs_stream_max_increment(e->stream), place->most);
    return cs_stream_place_error(place, e->spec, text);
}

/* What fits one tag may fit a counter with the others of its event. */
static cs_status check_tags(const cs_stream_place *place, const entry_list *list, const entry *e)
{
    unsigned most = 0;
    char text[100];

    if (e->spec == NULL || e->spec->tag == 0)
        return CS_OK;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].spec != NULL &&
            list->entries[i].spec->first_event == e->spec->first_event)
            most += cs_stream_max_increment(list->entries[i].stream);
    if (most <= place->most)
        return CS_OK;
    snprintf(text, sizeof text, "with all its tags up to %u in a bus cycle; at most %u can count",
             most, place->most);
    return cs_stream_place_error(place, e->spec, text);
}

cs_status cs_build_segment_events(const cs_stream_place *place, cs_segment_event **events,
                                  size_t *nr_events)
{
    entry_list list = {0};
    cs_status status = list_events(place, &list);

    *events = NULL;
    *nr_events = 0;
    for (size_t i = 0; i < list.count && status == CS_OK; i++)
        status = make(place, &list, &list.entries[i]);
    for (size_t i = 0; i < list.count && status == CS_OK; i++)
        status = check_tags(place, &list, &list.entries[i]);
    if (status == CS_OK) {
        *events = malloc((list.count + 1) * sizeof **events);
        if (*events == NULL)
            status =
                cs_diag_set(place->diag, CS_ERR_NO_MEMORY, NULL, "no memory for event streams");
    }
    if (status == CS_OK) {
        for (size_t i = 0; i < list.count; i++)
            (*events)[i] = (cs_segment_event){list.entries[i].event, list.entries[i].stream};
        *nr_events = list.count;
    }
    free(list.entries);
    return status;
}
