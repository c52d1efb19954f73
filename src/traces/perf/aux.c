// SPDX-License-Identifier: Apache-2.0
/* The perf format: AUX data, as hardware has left them in memory, of a type that only their decoder
 * knows. */
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/perf/impl.h"
#include <countersink/formats/perf/abi/perf.h>

/* Those of one event, which have a ring of their own. An AUXTRACE record holds what perf reads at
 * once: the decoders of some PMUs look for a header in each. */
typedef struct stream {
    size_t event;
    uint64_t offset; /* in the AUX data, of what perf has not read */
    uint8_t *unread;
    size_t held, room;
} stream;

struct cs_perf_aux_state {
    uint64_t watermark; /* bytes after which perf reads */
    stream *at;         /* that goes on */
    stream *streams;
    size_t nr_streams;
};

size_t cs_perf_trace_aux_event(const cs_trace_events *events)
{
    size_t i = 0;

    while (i < events->nr && events->list[i].family->aux == NULL)
        i++;
    return i;
}

/* perf reads what has come. */
static void read_stream(cs_perf_trace *t, stream *stream)
{
    const cs_perf_data_auxtrace auxtrace = {.offset = stream->offset,
                                            .index = (uint32_t)(stream - t->aux->streams),
                                            .tid = UINT32_MAX,
                                            .cpu = t->events->list[stream->event].cpus[0]};

    if (stream->held == 0)
        return;
    cs_perf_data_put_auxtrace(t->writer, &auxtrace, stream->unread, stream->held);
    stream->offset += stream->held;
    stream->held = 0;
}

static cs_status add_unread(void *ctx, const uint8_t *data, size_t bytes)
{
    const cs_perf_trace *t = ctx;
    stream *stream = t->aux->at;

    while (stream->room < stream->held + bytes) {
        uint8_t *unread = cs_room(stream->unread, &stream->room, stream->room, 1);

        if (unread == NULL) {
            cs_trace_feed_fail(t->feed, CS_ERR_NO_MEMORY);
            return CS_ERR_NO_MEMORY;
        }
        stream->unread = unread;
    }
    memcpy(stream->unread + stream->held, data, bytes);
    stream->held += bytes;
    return CS_OK;
}

void cs_perf_trace_aux(void *ctx, size_t event, cs_cycle cycle, uint64_t address, uint64_t bytes,
                       bool truncated)
{
    cs_perf_trace *t = ctx;
    cs_perf_aux_state *a = t->aux;
    const cs_perf_data_where where = {.event = event,
                                      .time_ns = cs_trace_ns(t->scenario, cycle),
                                      .cpu = t->events->list[event].cpus[0]};

    for (a->at = a->streams; a->at->event != event;)
        a->at++;
    cs_perf_data_put_aux(t->writer, &where, a->at->offset + a->at->held, bytes,
                         truncated ? CS_PERF_AUX_TRUNCATED : 0);
    cs_memory_save(t->feed->environment->memory, address, bytes, add_unread, t);
    if (truncated || a->at->held >= a->watermark)
        read_stream(t, a->at);
}

void cs_perf_trace_end_aux(cs_perf_trace *t)
{
    for (size_t i = 0; t->aux != NULL && i < t->aux->nr_streams; i++)
        read_stream(t, &t->aux->streams[i]);
}

/* The info names the PMU of each stream, by their numbers. */
cs_status cs_perf_trace_begin_aux(cs_perf_trace *t, cs_diag *diag)
{
    const cs_trace_events *events = t->events;
    const size_t first = cs_perf_trace_aux_event(events);
    uint64_t *types = calloc(events->nr, sizeof *types);
    cs_perf_aux_state *a = calloc(1, sizeof *a);

    t->aux = a;
    if (a != NULL) {
        a->watermark = events->list[first].family->aux->watermark(t->scenario);
        a->streams = calloc(events->nr, sizeof *a->streams);
    }
    if (types == NULL || a == NULL || a->streams == NULL) {
        free(types);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for AUX data");
    }
    for (size_t i = first; i < events->nr; i++)
        if (events->list[i].family == events->list[first].family) {
            types[a->nr_streams] = events->list[i].type;
            a->streams[a->nr_streams++].event = i;
        }
    cs_perf_data_put_auxtrace_info(t->writer, events->list[first].family->aux->decoder, types,
                                   a->nr_streams);
    free(types);
    return CS_OK;
}

void cs_perf_trace_free_aux(cs_perf_trace *t)
{
    if (t->aux != NULL) {
        for (size_t i = 0; i < t->aux->nr_streams; i++)
            free(t->aux->streams[i].unread);
        free(t->aux->streams);
    }
    free(t->aux);
}
