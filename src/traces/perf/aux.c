/* The perf format: AUX data, as hardware has left them in memory, of a type that only their decoder
 * knows. */
#include <stdlib.h>
#include <string.h>

#include "formats/perf/abi/perf.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/perf/impl.h"

/* AUX data are gathered up to this length. */
#define PIECE_BYTES (1u << 20)

/* Those of one event, which have a ring of their own. */
typedef struct stream {
    size_t event;
    uint64_t offset; /* of the piece in the AUX data */
    uint64_t begun;  /* of the stretch */
} stream;

struct cs_perf_aux_state {
    uint8_t *piece;
    size_t held;
    stream *at; /* whose the piece is */
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

static void put_piece(cs_perf_trace *t)
{
    cs_perf_aux_state *a = t->aux;
    const cs_perf_data_auxtrace auxtrace = {.offset = a->at->offset,
                                            .index = (uint32_t)(a->at - a->streams),
                                            .tid = UINT32_MAX,
                                            .cpu = t->events->list[a->at->event].cpus[0]};

    if (a->held == 0)
        return;
    cs_perf_data_put_auxtrace(t->writer, &auxtrace, a->piece, a->held);
    a->at->offset += a->held;
    a->held = 0;
}

static cs_status add_to_piece(void *ctx, const uint8_t *data, size_t bytes)
{
    cs_perf_trace *t = ctx;
    cs_perf_aux_state *a = t->aux;

    while (bytes > 0) {
        const size_t here = PIECE_BYTES - a->held < bytes ? PIECE_BYTES - a->held : bytes;

        memcpy(a->piece + a->held, data, here);
        a->held += here;
        data += here;
        bytes -= here;
        if (a->held == PIECE_BYTES)
            put_piece(t);
    }
    return CS_OK;
}

void cs_perf_trace_aux(void *ctx, size_t event, cycle_t cycle, uint64_t address, uint64_t bytes,
                       bool truncated)
{
    cs_perf_trace *t = ctx;
    cs_perf_aux_state *a = t->aux;
    const cs_perf_data_where where = {.event = event,
                                      .time_ns = cs_trace_ns(t->scenario, cycle),
                                      .cpu = t->events->list[event].cpus[0]};

    for (a->at = a->streams; a->at->event != event;)
        a->at++;
    cs_memory_save(t->feed->environment->memory, address, bytes, add_to_piece, t);
    put_piece(t);
    cs_perf_data_put_aux(t->writer, &where, a->at->begun, a->at->offset - a->at->begun,
                         truncated ? CS_PERF_AUX_TRUNCATED : 0);
    a->at->begun = a->at->offset;
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
        a->piece = malloc(PIECE_BYTES);
        a->streams = calloc(events->nr, sizeof *a->streams);
    }
    if (types == NULL || a == NULL || a->piece == NULL || a->streams == NULL) {
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
        free(t->aux->streams);
        free(t->aux->piece);
    }
    free(t->aux);
}
