/* The perf format: AUX data, as hardware has left them in memory, of a type that only their decoder
 * knows. */
#include <stdlib.h>
#include <string.h>

#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/perf/impl.h"

/* AUX data are gathered up to this length. */
#define PIECE_BYTES (1u << 20)

struct cs_perf_aux_state {
    size_t event; /* that stands for them */
    uint8_t *piece;
    size_t held;
    uint64_t offset; /* of the piece in the AUX data */
    uint64_t begun;  /* of the stretch */
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
    const cs_perf_data_auxtrace auxtrace = {
        .offset = a->offset, .tid = UINT32_MAX, .cpu = t->events->list[a->event].cpus[0]};

    if (a->held == 0)
        return;
    cs_perf_data_put_auxtrace(t->writer, &auxtrace, a->piece, a->held);
    a->offset += a->held;
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

void cs_perf_trace_aux(void *ctx, cycle_t cycle, uint64_t address, uint64_t bytes)
{
    cs_perf_trace *t = ctx;
    cs_perf_aux_state *a = t->aux;
    const cs_perf_data_where where = {.event = a->event,
                                      .time_ns = cs_trace_ns(t->scenario, cycle),
                                      .cpu = t->events->list[a->event].cpus[0]};

    cs_memory_save(t->feed->environment->memory, address, bytes, add_to_piece, t);
    put_piece(t);
    cs_perf_data_put_aux(t->writer, &where, a->begun, a->offset - a->begun, 0);
    a->begun = a->offset;
}

cs_status cs_perf_trace_begin_aux(cs_perf_trace *t, cs_diag *diag)
{
    const size_t event = cs_perf_trace_aux_event(t->events);
    const cs_trace_event *e = &t->events->list[event];
    const uint64_t type = e->type;

    t->aux = calloc(1, sizeof *t->aux);
    if (t->aux != NULL)
        t->aux->piece = malloc(PIECE_BYTES);
    if (t->aux == NULL || t->aux->piece == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for AUX data");
    t->aux->event = event;
    cs_perf_data_put_auxtrace_info(t->writer, e->family->aux->decoder, &type, 1);
    return CS_OK;
}

void cs_perf_trace_free_aux(cs_perf_trace *t)
{
    if (t->aux != NULL)
        free(t->aux->piece);
    free(t->aux);
}
