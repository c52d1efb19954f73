// SPDX-License-Identifier: Apache-2.0
#include "traces/pmcu/pmcu_feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

struct cs_pmcu_feed {
    void (*fed)(void *ctx, const cs_pmcu_fed *subsample);
    void *ctx;
    cs_status status;
    unsigned per_sample;
    /* Those that have not been handed over: from `first` on. The last `pending` of them belong to a
     * trigger that goes on. Each is one piece of memory with what it points at. */
    cs_pmcu_fed **stored;
    size_t first, count, room, pending;
};

cs_status cs_pmcu_feed_create(void (*fed)(void *ctx, const cs_pmcu_fed *subsample), void *ctx,
                              cs_pmcu_feed **out, cs_diag *diag)
{
    cs_pmcu_feed *f = calloc(1, sizeof *f);

    *out = f;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for subsamples");
    f->fed = fed;
    f->ctx = ctx;
    f->per_sample = 1;
    return CS_OK;
}

static void drop_last(cs_pmcu_feed *f, size_t count)
{
    while (count-- > 0)
        free(f->stored[f->first + --f->count]);
}

void cs_pmcu_feed_destroy(cs_pmcu_feed *f)
{
    if (f == NULL)
        return;
    drop_last(f, f->count);
    free(f->stored);
    free(f);
}

void cs_pmcu_feed_begin(cs_pmcu_feed *f, unsigned subsamples_per_sample)
{
    f->per_sample = subsamples_per_sample;
}

cs_status cs_pmcu_feed_status(const cs_pmcu_feed *f)
{
    return f->status;
}

/* NULL: no memory. */
static cs_pmcu_fed *copy_of(const cs_pmcu_feed *f, const cs_pmcu_subsample *s)
{
    const size_t nr_values = (size_t)(s->nr_events + s->has_cycles) * s->nr_cpus;
    cs_pmcu_fed *copy =
        malloc(sizeof *copy + nr_values * sizeof *s->values + s->nr_cpus * sizeof *s->cid1);

    if (copy == NULL)
        return NULL;
    uint64_t *values = (uint64_t *)(copy + 1);
    uint32_t *pids = (uint32_t *)(values + nr_values);
    memcpy(values, s->values, nr_values * sizeof *values);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) /* a kernel with VHE leaves CID1 alone */
        pids[cpu] = s->cid1[cpu] != 0 ? s->cid1[cpu] : s->cid2[cpu];
    *copy = (cs_pmcu_fed){
        .die = s->die,
        .subsample = (uint32_t)(s->of_trigger % f->per_sample),
        .cycle = s->cycle,
        .address = s->addr,
        .bytes = s->bytes,
        .first_cpu = s->first_cpu,
        .nr_cpus = s->nr_cpus,
        .nr_events = s->nr_events,
        .has_cycles = s->has_cycles,
        .pids = pids,
        .values = values,
    };
    return copy;
}

void cs_pmcu_feed_subsample(cs_pmcu_feed *f, const cs_pmcu_subsample *s)
{
    if (f->first + f->count == f->room && f->first > f->room / 2) {
        memmove(f->stored, f->stored + f->first, f->count * sizeof(*f->stored));
        f->first = 0;
    }
    cs_pmcu_fed **stored = cs_room(f->stored, &f->room, f->first + f->count, sizeof(*stored));

    if (stored != NULL)
        f->stored = stored;
    cs_pmcu_fed *copy = stored != NULL ? copy_of(f, s) : NULL;
    if (copy == NULL) {
        f->status = CS_ERR_NO_MEMORY;
        return;
    }
    f->stored[f->first + f->count++] = copy;
    f->pending++;
}

/* The driver drops what a run stored that did not get to its end. */
void cs_pmcu_feed_trigger(cs_pmcu_feed *f, const cs_pmcu_trigger *trigger)
{
    if (trigger->samples_done == 0)
        drop_last(f, f->pending);
    f->pending = 0;
}

void cs_pmcu_feed_aux(cs_pmcu_feed *f, const cs_pmcu_aux_stretch *stretch)
{
    while (f->count > 0 && f->status == CS_OK) {
        cs_pmcu_fed *next = f->stored[f->first];

        if (next->address - stretch->address >= stretch->bytes)
            return;
        f->first++;
        f->count--;
        f->fed(f->ctx, next);
        free(next);
    }
}
