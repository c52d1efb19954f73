// SPDX-License-Identifier: Apache-2.0
#include "base/probe/soft.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include <countersink/base/numbers.h>

const cs_soft_kind cs_soft_every = {"every record", NULL};

void cs_soft_print(const cs_soft_record *record, FILE *out)
{
    fprintf(out, "%" PRIu64 " ", record->cycle);
    if (record->cpu == CS_ANY_CPU)
        fprintf(out, "cpu any ");
    else
        fprintf(out, "cpu %u ", record->cpu);
    fprintf(out, "%s", record->kind->name);
    if (record->kind->print != NULL) {
        fprintf(out, ": ");
        record->kind->print(record->untyped, out);
    }
    fprintf(out, "\n");
}

typedef struct listener {
    cs_soft_hearing hearing;
    void *ctx;
} listener;

#define SPANS 64u

/* The listeners of a kind stand together. */
typedef struct span {
    const cs_soft_kind *kind; /* NULL: nobody has asked who hears one whose place is here */
    const listener *begin, *end;
} span;

struct cs_soft_stream {
    listener *listeners;
    size_t count, room;
    span spans[SPANS];
};

cs_status cs_soft_stream_create(cs_soft_stream **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a stream");
}

void cs_soft_stream_destroy(cs_soft_stream *stream)
{
    if (stream == NULL)
        return;
    free(stream->listeners);
    free(stream);
}

/* Behind all others of its kind. */
static void put(cs_soft_stream *stream, listener l)
{
    size_t at = stream->count;

    for (size_t i = stream->count; i > 0 && at == stream->count; i--)
        if (stream->listeners[i - 1].hearing.kind == l.hearing.kind)
            at = i;
    memmove(stream->listeners + at + 1, stream->listeners + at, (stream->count++ - at) * sizeof l);
    stream->listeners[at] = l;
}

cs_status cs_soft_stream_join(cs_soft_stream *stream, const cs_soft_hearing *hearings, void *ctx,
                              cs_diag *diag)
{
    for (; hearings != NULL && hearings->kind != NULL; hearings++) {
        listener *listeners =
            cs_room(stream->listeners, &stream->room, stream->count, sizeof *listeners);

        if (listeners == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a listener");
        stream->listeners = listeners;
        put(stream, (listener){*hearings, ctx});
    }
    memset(stream->spans, 0, sizeof stream->spans);
    return CS_OK;
}

static const span *span_of(cs_soft_stream *stream, const cs_soft_kind *kind)
{
    span *s = &stream->spans[(uintptr_t)kind / sizeof *kind % SPANS];

    if (s->kind == kind)
        return s;
    const listener *const all = stream->listeners + stream->count;

    s->kind = kind;
    for (s->begin = stream->listeners; s->begin != all && s->begin->hearing.kind != kind;)
        s->begin++;
    for (s->end = s->begin; s->end != all && s->end->hearing.kind == kind;)
        s->end++;
    return s;
}

static void hand(cs_soft_stream *stream, const cs_soft_kind *kind, const cs_soft_record *r)
{
    const span s = *span_of(stream, kind); /* who hears may tell, too */

    for (const listener *l = s.begin; l != s.end; l++)
        l->hearing.hear(l->ctx, r);
}

static void record(void *ctx, const cs_soft_record *r)
{
    hand(ctx, &cs_soft_every, r);
    hand(ctx, r->kind, r);
}

cs_soft_sink cs_soft_stream_sink(cs_soft_stream *stream)
{
    return (cs_soft_sink){record, stream};
}
