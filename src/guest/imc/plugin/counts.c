#include "guest/imc/plugin/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "guest/imc/events.h"

#define BUCKETS (COUNTS_MOST * 2)
#define LEAST_SUMS 4096u

typedef struct place {
    uint64_t pc;
    uint8_t mode;
} place;

/* What a place was executed by a CPU in an image; count 0: free. */
typedef struct sum {
    uint32_t place, image;
    uint32_t cpu;
    uint64_t count;
} sum;

struct counts {
    place *places;
    size_t nr;
    uint32_t *buckets; /* place + 1 */
    uint64_t *before[EVENTS_CPUS];
    sum *sums;
    size_t nr_sums, room;
    bool starved;
};

counts *counts_create(unsigned nr_cpus)
{
    counts *c = calloc(1, sizeof *c);
    bool good = c != NULL;

    if (good) {
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

static size_t hash(uint64_t a, uint64_t b, size_t size)
{
    const uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));

    return (size_t)(mixed >> 24) % size;
}

size_t counts_place(counts *c, uint64_t pc, unsigned mode)
{
    size_t i = hash(pc, mode, BUCKETS);

    for (; c->buckets[i] != 0; i = (i + 1) % BUCKETS) {
        const place *p = &c->places[c->buckets[i] - 1];

        if (p->pc == pc && p->mode == mode)
            return c->buckets[i] - 1;
    }
    if (c->nr == COUNTS_MOST)
        return COUNTS_NONE;
    c->places[c->nr] = (place){pc, (uint8_t)mode};
    c->buckets[i] = (uint32_t)++c->nr;
    return c->nr - 1;
}

/* ---- sums ---- */

static sum *find(sum *all, size_t room, const sum *like)
{
    size_t i = hash((uint64_t)like->place << 32 | like->image, like->cpu, room);

    while (all[i].count != 0 &&
           (all[i].place != like->place || all[i].image != like->image || all[i].cpu != like->cpu))
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

void counts_begin(counts *c, unsigned cpu, const uint64_t *now)
{
    memcpy(c->before[cpu], now, c->nr * sizeof *now);
}

void counts_end(counts *c, unsigned cpu, const uint64_t *now, uint32_t image)
{
    uint64_t *before = c->before[cpu];

    for (size_t i = 0; i < c->nr; i++) {
        if (now[i] == before[i])
            continue;
        if (c->nr_sums > c->room / 2)
            grow(c);
        if (c->starved)
            return;

        sum like = {(uint32_t)i, image, cpu, 0};
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
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
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

        fprintf(log, "C %x %" PRIx64 " %" PRIx64 " %x %x\n", c->sums[i].image, p->pc,
                c->sums[i].count, p->mode, c->sums[i].cpu);
    }
    if (c->nr == COUNTS_MOST)
        fprintf(log, "X more instructions than can be counted\n");
    if (c->starved)
        fprintf(log, "X out of memory\n");
}
