// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "guest/imc/events.h"

#define BUCKETS (COUNTS_MOST * 2)
#define LEAST_SUMS 4096u

typedef struct place {
    uint64_t pc;
    uint8_t mode, kind;
} place;

/* What a place was executed by a CPU in an image; count 0: free. */
typedef struct sum {
    uint32_t place, image;
    uint16_t cpu, by;
    uint32_t event;
    uint64_t count;
} sum;

struct counts {
    place *places;
    size_t nr;
    uint32_t *buckets; /* place + 1 */
    uint64_t *before[EVENTS_CPUS];
    unsigned by[EVENTS_CPUS];
    uint32_t event[EVENTS_CPUS];
    bool all;
    sum *sums;
    size_t nr_sums, room;
    bool starved;
};

counts *counts_create(unsigned nr_cpus, bool all)
{
    counts *c = calloc(1, sizeof *c);
    bool good = c != NULL;

    if (good) {
        c->all = all;
        c->places = calloc(COUNTS_MOST, sizeof *c->places);
        c->buckets = calloc(BUCKETS, sizeof *c->buckets);
        c->sums = calloc(LEAST_SUMS, sizeof *c->sums);
        c->room = LEAST_SUMS;
        good = c->places != NULL && c->buckets != NULL && c->sums != NULL;
        for (unsigned i = 0; i < nr_cpus && good; i++) {
            c->before[i] = calloc(COUNTS_MOST, sizeof *c->before[i]);
            good = c->before[i] != NULL;
        }
    }
    return good ? c : NULL;
}

void counts_destroy(counts *c)
{
    for (unsigned i = 0; i < EVENTS_CPUS; i++)
        free(c->before[i]);
    free(c->places);
    free(c->buckets);
    free(c->sums);
    free(c);
}

static size_t hash(uint64_t a, uint64_t b, size_t size)
{
    const uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));

    return (size_t)(mixed >> 24) % size;
}

size_t counts_place(counts *c, uint64_t pc, unsigned mode, unsigned kind)
{
    size_t i = hash(pc, mode, BUCKETS);

    for (; c->buckets[i] != 0; i = (i + 1) % BUCKETS) {
        const place *p = &c->places[c->buckets[i] - 1];

        if (p->pc == pc && p->mode == mode && p->kind == kind)
            return c->buckets[i] - 1;
    }
    if (c->nr == COUNTS_MOST)
        return COUNTS_NONE;
    c->places[c->nr] = (place){pc, (uint8_t)mode, (uint8_t)kind};
    c->buckets[i] = (uint32_t)++c->nr;
    return c->nr - 1;
}

/* ---- sums ---- */

static sum *find(sum *all, size_t room, const sum *like)
{
    size_t i = hash((uint64_t)like->place << 32 | like->image,
                    like->cpu | like->by << 8 | (uint64_t)like->event << 16, room);

    while (all[i].count != 0 &&
           (all[i].place != like->place || all[i].image != like->image || all[i].cpu != like->cpu ||
            all[i].by != like->by || all[i].event != like->event))
        i = (i + 1) % room;
    return &all[i];
}

static void grow(counts *c)
{
    const size_t room = 4 * c->room;
    sum *more = calloc(room, sizeof *more);

    if (more == NULL) {
        c->starved = true;
        return;
    }
    for (size_t i = 0; i < c->room; i++)
        if (c->sums[i].count != 0)
            *find(more, room, &c->sums[i]) = c->sums[i];
    free(c->sums);
    c->sums = more;
    c->room = room;
}

static bool is_counted(const counts *c, unsigned cpu)
{
    return c->all || c->by[cpu] != 0;
}

void counts_change(counts *c, unsigned cpu, unsigned by, uint32_t event, const uint64_t *now,
                   uint32_t image)
{
    if (by == c->by[cpu] && event == c->event[cpu])
        return;
    counts_end(c, cpu, now, image);
    if (!is_counted(c, cpu))
        memcpy(c->before[cpu], now, c->nr * sizeof *now);
    c->by[cpu] = by;
    c->event[cpu] = event;
}

void counts_end(counts *c, unsigned cpu, const uint64_t *now, uint32_t image)
{
    uint64_t *before = c->before[cpu];

    for (size_t i = 0; i < c->nr && is_counted(c, cpu); i++) {
        if (now[i] == before[i])
            continue;
        if (c->nr_sums > c->room / 2)
            grow(c);
        if (c->starved)
            return;

        sum like = {(uint32_t)i, image, (uint16_t)cpu, (uint16_t)c->by[cpu], c->event[cpu], 0};
        sum *to = find(c->sums, c->room, &like);
        like.count = to->count + now[i] - before[i];
        c->nr_sums += to->count == 0;
        *to = like;
        before[i] = now[i];
    }
}

static int by_place(const void *a, const void *b)
{
    const sum *x = a, *y = b;
    const uint64_t left = (uint64_t)x->place << 32 | x->image,
                   right = (uint64_t)y->place << 32 | y->image;

    if (left != right)
        return left < right ? -1 : 1;
    if (x->cpu != y->cpu)
        return x->cpu < y->cpu ? -1 : 1;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

void counts_put(const counts *c, FILE *log)
{
    size_t nr = 0;

    for (size_t i = 0; i < c->room; i++)
        if (c->sums[i].count != 0)
            c->sums[nr++] = c->sums[i];
    qsort(c->sums, nr, sizeof *c->sums, by_place);
    for (size_t i = 0; i < nr; i++) {
        const place *p = &c->places[c->sums[i].place];

        fprintf(log, "C %x %" PRIx64 " %" PRIx64 " %x %x %x %x %x\n", c->sums[i].image, p->pc,
                c->sums[i].count, p->mode, c->sums[i].cpu, p->kind, c->sums[i].by,
                c->sums[i].event);
    }
    if (c->nr == COUNTS_MOST)
        fprintf(log, "X more instructions than can be counted\n");
    if (c->starved)
        fprintf(log, "X out of memory\n");
}
