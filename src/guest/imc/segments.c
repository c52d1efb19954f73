// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/room.h"
#include "guest/imc/events.h"
#include "scenario/work/recipe.h"
#include <countersink/base/stream/timeline.h>

typedef struct part {
    uint64_t cycles;
    cs_segment_event *events;
    size_t nr, room;
} part;

struct segments {
    cs_stream_pool *pool;
    part *parts;
    size_t nr, room;
    cs_segment *all;
    cs_track track;
    cs_timeline *timeline; /* NULL: there are no segments */
    bool has[EVENTS_NEST];
    cs_status status;
    cs_diag why;
};

segments *segments_create(void)
{
    segments *s = calloc(1, sizeof *s);

    if (s != NULL && cs_stream_pool_create(&s->pool, NULL) != CS_OK) {
        free(s);
        return NULL;
    }
    return s;
}

void segments_destroy(segments *s)
{
    if (s == NULL)
        return;
    cs_timeline_destroy(s->timeline);
    for (size_t i = 0; i < s->nr; i++)
        free(s->parts[i].events);
    free(s->parts);
    free(s->all);
    cs_stream_pool_destroy(s->pool);
    free(s);
}

static cs_status wrong(segments *s, const char *line)
{
    return cs_diag_set(&s->why, CS_ERR_FORMAT, "segments", "not a setting: %s", line);
}

static cs_status add_segment(segments *s, uint64_t cycles)
{
    part *more = cs_room(s->parts, &s->room, s->nr, sizeof *more);

    if (more == NULL)
        return cs_diag_set(&s->why, CS_ERR_NO_MEMORY, NULL, "segments of a guest");
    s->parts = more;
    s->parts[s->nr++] = (part){.cycles = cycles};
    return CS_OK;
}

static const cs_stream *find(const part *of, uint32_t counter)
{
    for (size_t i = 0; i < of->nr; i++)
        if (of->events[i].event == counter)
            return of->events[i].stream;
    return NULL;
}

static cs_status add_stream(segments *s, uint32_t counter, const cs_stream_recipe *recipe)
{
    part *to = &s->parts[s->nr - 1];
    const cs_stream *source = find(to, recipe->of);
    cs_segment_event *more = cs_room(to->events, &to->room, to->nr, sizeof *more);
    cs_status status;

    if (more == NULL)
        return cs_diag_set(&s->why, CS_ERR_NO_MEMORY, NULL, "segments of a guest");
    to->events = more;
    to->events[to->nr].event = counter;
    status = cs_stream_of_recipe(s->pool, recipe, source, &to->events[to->nr].stream, &s->why);
    to->nr += status == CS_OK;
    s->has[counter] = true;
    return status;
}

bool segments_take(segments *s, const char *line)
{
    cs_stream_recipe r = {.kind = CS_STREAM_NONE};
    uint64_t cycles;
    unsigned kind;
    uint32_t counter;

    if (sscanf(line, "segment %" SCNx64, &cycles) == 1) {
        if (s->status == CS_OK)
            s->status = add_segment(s, cycles);
        return true;
    }
    if (sscanf(line,
               "stream %" SCNx32 " %x %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
               " %" SCNx64 " %" SCNx32 " %" SCNx32 " %" SCNx32,
               &counter, &kind, &r.rate.p, &r.rate.q, &r.period_cycles, &r.offset_cycles,
               &r.length_cycles, &r.key, &r.increment, &r.max_increment, &r.of) != 11)
        return false;
    r.kind = (cs_stream_kind)kind;
    if (s->status != CS_OK)
        return true;
    if (s->nr == 0 || counter >= EVENTS_NEST ||
        (kind == CS_STREAM_RATIO && find(&s->parts[s->nr - 1], r.of) == NULL))
        s->status = wrong(s, line);
    else
        s->status = add_stream(s, counter, &r);
    return true;
}

cs_status segments_end(segments *s, cs_diag *diag)
{
    const cs_timeline_desc desc = {.tracks = &s->track, .nr_tracks = 1};

    if (s->status == CS_OK && s->nr != 0) {
        s->all = calloc(s->nr, sizeof *s->all);
        for (size_t i = 0; i < s->nr && s->all != NULL; i++)
            s->all[i] = (cs_segment){.length_cycles = s->parts[i].cycles != 0 ? s->parts[i].cycles
                                                                              : CS_STREAM_END,
                                     .events = s->parts[i].events,
                                     .nr_events = s->parts[i].nr};
        s->track = (cs_track){.name = "nest", .segments = s->all, .nr_segments = s->nr};
        s->status = s->all != NULL
                        ? cs_timeline_create(&desc, &s->timeline, &s->why)
                        : cs_diag_set(&s->why, CS_ERR_NO_MEMORY, NULL, "segments of a guest");
    }
    if (s->status != CS_OK && diag != NULL)
        *diag = s->why;
    return s->status;
}

bool segments_have(const segments *s, uint32_t counter)
{
    return s != NULL && s->timeline != NULL && counter < EVENTS_NEST && s->has[counter];
}

uint64_t segments_sum(segments *s, uint32_t counter, cs_cycle from, cs_cycle to)
{
    return cs_timeline_sum(s->timeline, counter, CS_MODE_ALL, from, to);
}
