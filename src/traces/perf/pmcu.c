/* The perf format: the PMCU, in two flavours. `faithful` is what the published patches of perf record: the
 * driver's AUX data, of a type that only they know. `stock` is for every perf: a sample of the PMCU's event
 * for each subsample, which has the subsample's bytes as RAW, and samples of the cores' events, whose period is
 * what was counted. Addresses, which the PMCU does not know, are 0: without any, `perf script` would ask
 * for options. */
#include <stdlib.h>
#include <string.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "traces/common/pmcu_feed.h"
#include "traces/common/times.h"
#include "traces/perf/impl.h"

/* Of perf's decoder; in the patches the first number that was free. */
#define AUXTRACE_HISI_PMCU 7u
/* AUX data are gathered up to this length. */
#define PIECE_BYTES (1u << 20)

struct cs_perf_pmcu_state {
    cs_pmcu_feed *feed; /* stock */
    size_t pmcu;        /* numbers of events in the file: the PMCU's, */
    size_t first_arm;   /* the first of the cores' */
    size_t nr_arm;      /* with the cycle counter as the last */
    uint8_t *piece;     /* faithful */
    size_t held;
    uint64_t offset; /* of the piece in the AUX data */
    uint64_t begun;  /* of the stretch */
};

static cs_perf_data_where where_of(const cs_perf_trace *t, cycle_t cycle)
{
    const unsigned cpu = t->scenario->software->cpu;

    return (cs_perf_data_where){
        .event = t->pmcu->pmcu, .time_ns = cs_trace_ns(t->scenario, cycle), .cpu = cpu};
}

/* ---- stock ---- */

static void put_row(cs_perf_trace *t, const cs_pmcu_fed *fed, unsigned cpu)
{
    const struct cs_perf_pmcu_state *p = t->pmcu;
    cs_perf_data_sample sample = {
        .where = {.time_ns = cs_trace_ns(t->scenario, fed->cycle), .cpu = cpu}};

    cs_perf_trace_before(t, false, cpu, sample.where.time_ns);
    sample.where.pid = sample.where.tid = fed->cid1[cpu];
    for (unsigned i = 0; i < fed->nr_events + fed->has_cycles; i++) {
        const bool cycles = i == fed->nr_events;
        const size_t place = cycles ? p->nr_arm - 1 : (size_t)fed->subsample * fed->nr_events + i;

        if (!cycles && place >= p->nr_arm - 1)
            continue; /* padding */
        sample.where.event = p->first_arm + place;
        sample.where.id = cs_trace_event_id(&t->events->list[sample.where.event], cpu);
        sample.period = fed->values[i * fed->nr_cpus + cpu];
        cs_perf_data_put_sample(t->writer, &sample);
        cs_perf_trace_after(t, false, cpu, sample.where.time_ns);
    }
}

static void fed(void *ctx, const cs_pmcu_fed *s)
{
    cs_perf_trace *t = ctx;
    uint8_t *raw = malloc(s->bytes);

    if (raw == NULL) {
        t->status = CS_ERR_NO_MEMORY;
        return;
    }
    cs_memory_read(t->environment->memory, s->address, s->bytes, raw);
    cs_perf_data_put_sample(t->writer, &(cs_perf_data_sample){.where = where_of(t, s->cycle),
                                                              .period = 1,
                                                              .raw = raw,
                                                              .raw_bytes = s->bytes});
    free(raw);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++)
        put_row(t, s, cpu);
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    const cs_perf_trace *t = ctx;

    cs_pmcu_feed_subsample(t->pmcu->feed, record->what);
}

static void trigger(void *ctx, const cs_soft_record *record)
{
    const cs_perf_trace *t = ctx;

    cs_pmcu_feed_trigger(t->pmcu->feed, record->what);
}

static void stock_aux(void *ctx, const cs_soft_record *record)
{
    cs_perf_trace *t = ctx;

    cs_pmcu_feed_aux(t->pmcu->feed, record->what);
    if (t->status == CS_OK)
        t->status = cs_pmcu_feed_status(t->pmcu->feed);
}

/* ---- faithful ---- */

static void put_piece(cs_perf_trace *t)
{
    struct cs_perf_pmcu_state *p = t->pmcu;
    const cs_perf_data_auxtrace auxtrace = {
        .offset = p->offset, .tid = UINT32_MAX, .cpu = t->scenario->software->cpu};

    if (p->held == 0)
        return;
    cs_perf_data_put_auxtrace(t->writer, &auxtrace, p->piece, p->held);
    p->offset += p->held;
    p->held = 0;
}

static cs_status add_to_piece(void *ctx, const uint8_t *data, size_t bytes)
{
    cs_perf_trace *t = ctx;
    struct cs_perf_pmcu_state *p = t->pmcu;

    while (bytes > 0) {
        const size_t here = PIECE_BYTES - p->held < bytes ? PIECE_BYTES - p->held : bytes;

        memcpy(p->piece + p->held, data, here);
        p->held += here;
        data += here;
        bytes -= here;
        if (p->held == PIECE_BYTES)
            put_piece(t);
    }
    return CS_OK;
}

static void faithful_aux(void *ctx, const cs_soft_record *record)
{
    cs_perf_trace *t = ctx;
    struct cs_perf_pmcu_state *p = t->pmcu;
    const cs_pmcu_aux_stretch *stretch = record->what;
    const cs_perf_data_where where = where_of(t, record->cycle);

    cs_memory_save(t->environment->memory, stretch->address, stretch->bytes, add_to_piece, t);
    put_piece(t);
    cs_perf_data_put_aux(t->writer, &where, p->begun, p->offset - p->begun, 0);
    p->begun = p->offset;
}

/* ---- both ---- */

static cs_status begin_faithful(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag)
{
    const uint64_t type = t->events->list[t->pmcu->pmcu].type;

    t->pmcu->piece = malloc(PIECE_BYTES);
    if (t->pmcu->piece == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for AUX data");
    cs_run_hear(listener, &cs_soft_pmcu_aux, faithful_aux);
    cs_perf_data_put_auxtrace_info(t->writer, AUXTRACE_HISI_PMCU, &type, 1);
    return CS_OK;
}

cs_status cs_perf_trace_begin_pmcu(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag)
{
    const size_t pmcu = cs_trace_events_find(t->events, CS_TRACE_PMCU, 0, 0);

    if (pmcu == t->events->nr)
        return CS_OK;
    t->pmcu = calloc(1, sizeof *t->pmcu);
    if (t->pmcu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the PMCU");
    t->pmcu->pmcu = pmcu;
    t->pmcu->first_arm = pmcu + 1;
    while (t->pmcu->first_arm + t->pmcu->nr_arm < t->events->nr &&
           t->events->list[t->pmcu->first_arm + t->pmcu->nr_arm].source == CS_TRACE_ARM)
        t->pmcu->nr_arm++;
    if (cs_trace_is_faithful(t->request))
        return begin_faithful(t, listener, diag);
    cs_run_hear(listener, &cs_soft_pmcu_subsample, subsample);
    cs_run_hear(listener, &cs_soft_pmcu_trigger, trigger);
    cs_run_hear(listener, &cs_soft_pmcu_aux, stock_aux);
    return cs_pmcu_feed_create(fed, t, &t->pmcu->feed, diag);
}

void cs_perf_trace_enter_pmcu(cs_perf_trace *t)
{
    if (t->pmcu != NULL && t->pmcu->feed != NULL)
        cs_pmcu_feed_begin(
            t->pmcu->feed,
            cs_pmcu_driver_get_layout(cs_pmcu_driver_of(t->environment))->subsamples_per_sample);
}

void cs_perf_trace_free_pmcu(cs_perf_trace *t)
{
    if (t->pmcu == NULL)
        return;
    cs_pmcu_feed_destroy(t->pmcu->feed);
    free(t->pmcu->piece);
    free(t->pmcu);
}
