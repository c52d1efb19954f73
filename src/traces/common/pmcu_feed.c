#include "traces/common/pmcu_feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

/* What the bytes are that come next. */
typedef enum part { PART_WORDS, PART_EVENTS, PART_SUBSAMPLE, PART_GAP } part;

struct cs_pmcu_feed {
    const cs_scenario *scenario;
    void (*fed)(void *ctx, const cs_pmcu_fed *subsample);
    void *ctx;
    cs_status status;
    cs_pmcu_aux_header header;
    part part;
    uint64_t wanted;   /* bytes of the part */
    uint64_t held;     /* of these */
    uint64_t position; /* in the data */
    uint64_t sample;
    uint32_t subsample;
    uint8_t *bytes;
    size_t room;
    /* When the subsamples were stored that have not come yet; the last `pending` of them belong to a
     * trigger that goes on. */
    cycle_t *times;
    size_t first, nr_times, times_room, pending;
};

cs_status cs_pmcu_feed_create(const cs_scenario *scenario,
                              void (*fed)(void *ctx, const cs_pmcu_fed *subsample), void *ctx,
                              cs_pmcu_feed **out, cs_diag *diag)
{
    cs_pmcu_feed *f = calloc(1, sizeof *f);

    *out = NULL;
    if (f != NULL) {
        f->room = CS_PMCU_AUX_MAX_HEADER_BYTES;
        f->bytes = malloc(f->room);
    }
    if (f == NULL || f->bytes == NULL) {
        free(f);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for subsamples");
    }
    f->scenario = scenario;
    f->fed = fed;
    f->ctx = ctx;
    f->wanted = CS_PMCU_AUX_FIXED_BYTES;
    *out = f;
    return CS_OK;
}

void cs_pmcu_feed_destroy(cs_pmcu_feed *f)
{
    if (f == NULL)
        return;
    free(f->bytes);
    free(f->times);
    free(f);
}

cs_status cs_pmcu_feed_status(const cs_pmcu_feed *f)
{
    return f->status;
}

/* ---- times ---- */

void cs_pmcu_feed_subsample(cs_pmcu_feed *f, const cs_subsample *s)
{
    if (f->first + f->nr_times == f->times_room && f->first > f->times_room / 2) {
        memmove(f->times, f->times + f->first, f->nr_times * sizeof *f->times);
        f->first = 0;
    }
    cycle_t *times = cs_room(f->times, &f->times_room, f->first + f->nr_times, sizeof *times);

    if (times == NULL) {
        f->status = CS_ERR_NO_MEMORY;
        return;
    }
    f->times = times;
    f->times[f->first + f->nr_times++] = s->cycle;
    f->pending++;
}

/* The driver drops what a run stored that did not get to its end. */
void cs_pmcu_feed_trigger(cs_pmcu_feed *f, const cs_pmcu_trigger *trigger)
{
    if (trigger->samples_done == 0)
        f->nr_times -= f->pending;
    f->pending = 0;
}

static cycle_t next_time(cs_pmcu_feed *f)
{
    if (f->nr_times == 0) {
        f->status = CS_ERR_FORMAT;
        return 0;
    }
    f->nr_times--;
    return f->times[f->first++];
}

/* ---- parts ---- */

static bool make_room(cs_pmcu_feed *f, size_t room)
{
    uint8_t *bytes = room > f->room ? realloc(f->bytes, room) : f->bytes;

    if (bytes == NULL) {
        f->status = CS_ERR_NO_MEMORY;
        return false;
    }
    f->bytes = bytes;
    f->room = room > f->room ? room : f->room;
    return true;
}

static void expect(cs_pmcu_feed *f, part part, uint64_t wanted)
{
    f->part = part;
    f->wanted = wanted;
    f->held = 0;
}

/* Where no whole sample fits into the rest of a buffer, the next is in the next buffer. */
static void expect_sample(cs_pmcu_feed *f)
{
    const cs_pmcu_aux_header *h = &f->header;
    const uint64_t rest = h->buffer_size - f->position % h->buffer_size;

    if (f->subsample == 0 && rest < (uint64_t)h->subsample_size * h->subsamples_per_sample)
        expect(f, PART_GAP, rest);
    else
        expect(f, PART_SUBSAMPLE, h->subsample_size);
}

static void tell(cs_pmcu_feed *f)
{
    const cs_pmcu_fed fed = {f->sample, f->subsample, next_time(f), f->bytes, &f->header};

    if (f->status != CS_OK)
        return;
    f->fed(f->ctx, &fed);
    if (++f->subsample == f->header.subsamples_per_sample) {
        f->subsample = 0;
        f->sample++;
    }
}

/* The part is whole. */
static void end_part(cs_pmcu_feed *f)
{
    switch (f->part) {
    case PART_WORDS:
        f->status = cs_pmcu_aux_header_decode(f->bytes, NULL, &f->header, NULL);
        if (f->status == CS_OK && make_room(f, f->header.subsample_size))
            expect(f, PART_EVENTS,
                   cs_pmcu_aux_header_bytes(f->header.nr_event) - CS_PMCU_AUX_FIXED_BYTES);
        break;
    case PART_EVENTS:
        f->status = cs_pmcu_aux_events_decode(f->bytes, NULL, &f->header, NULL);
        if (f->status == CS_OK)
            expect_sample(f);
        break;
    case PART_SUBSAMPLE:
        tell(f);
        expect_sample(f);
        break;
    case PART_GAP:
        expect_sample(f);
    }
}

void cs_pmcu_feed_aux(cs_pmcu_feed *f, const uint8_t *data, size_t bytes)
{
    while (bytes > 0 && f->status == CS_OK) {
        const uint64_t missing = f->wanted - f->held;
        const size_t here = missing < bytes ? (size_t)missing : bytes;

        if (f->part != PART_GAP)
            memcpy(f->bytes + f->held, data, here);
        f->held += here;
        f->position += here;
        data += here;
        bytes -= here;
        if (f->held == f->wanted)
            end_part(f);
    }
}

/* ---- a subsample ---- */

static uint64_t little(const uint8_t *bytes, unsigned length)
{
    uint64_t value = 0;

    while (length-- > 0)
        value = value << 8 | bytes[length];
    return value;
}

void cs_pmcu_fed_row(const cs_scenario *s, const cs_pmcu_fed *fed, unsigned cpu,
                     cs_pmcu_aux_row *row)
{
    const size_t nr_cpu = fed->header->nr_cpu;
    /* The slot is the outer index (docs/hw/pmcu.md, "What is written"). */
    const size_t idx = cpu % s->pmcu->slots * s->pmcu->clusters + cpu / s->pmcu->slots;
    const uint8_t *field = fed->bytes + 8 * nr_cpu;

    *row = (cs_pmcu_aux_row){
        .cid1 = (uint32_t)little(fed->bytes + 4 * idx, 4),
        .cid2 = (uint32_t)little(fed->bytes + 4 * (nr_cpu + idx), 4),
    };
    for (uint32_t i = 0; i < fed->header->nr_pmu; i++, field += 8 * nr_cpu)
        row->counts[i] = little(field + 8 * idx, 8);
    if (fed->header->comp_mode == 0)
        row->cycles = little(field + 8 * idx, 8);
}
