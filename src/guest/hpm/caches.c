// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/caches.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

typedef struct cache {
    uint64_t *numbers; /* of lines, and 1; 0: none. Of each set, the last used one first */
    cs_guest_cache shape;
} cache;

struct caches {
    cache of[CS_GUEST_CACHES];
};

caches *caches_create(const cs_guest_cache shapes[CS_GUEST_CACHES])
{
    caches *c = calloc(1, sizeof *c);

    for (unsigned i = 0; i < CS_GUEST_CACHES && c != NULL; i++) {
        cache *of = &c->of[i];

        of->shape = shapes[i];
        if (i == CS_GUEST_DTLB || i == CS_GUEST_ITLB)
            of->shape.line = PAGE;
        if (of->shape.sets == 0)
            continue;
        of->numbers = calloc((size_t)of->shape.sets * of->shape.ways, sizeof *of->numbers);
        if (of->numbers == NULL) {
            caches_destroy(c);
            return NULL;
        }
    }
    return c;
}

void caches_destroy(caches *c)
{
    for (unsigned i = 0; c != NULL && i < CS_GUEST_CACHES; i++)
        free(c->of[i].numbers);
    free(c);
}

/* True: it is not there. */
static bool misses(const cache *c, uint64_t address)
{
    if (c->shape.sets == 0)
        return false;
    const uint64_t number = address / c->shape.line;
    uint64_t *set = c->numbers + (number & (c->shape.sets - 1)) * c->shape.ways;
    unsigned way = 0;

    while (way < c->shape.ways && set[way] != number + 1)
        way++;
    const bool found = way < c->shape.ways;

    memmove(set + 1, set, (found ? way : c->shape.ways - 1u) * sizeof *set);
    set[0] = number + 1;
    return !found;
}

static bool misses_line(const cache *c, caches_byte at)
{
    return !at.device && misses(c, at.physical_at);
}

static bool misses_page(const cache *c, caches_byte at)
{
    return at.virtual_at != at.physical_at && misses(c, at.virtual_at);
}

uint32_t caches_fetch(caches *c, caches_byte at)
{
    return (misses_line(&c->of[CS_GUEST_L1I], at) ? CACHES_MISS(L1I) : 0) |
           (misses_page(&c->of[CS_GUEST_ITLB], at) ? CACHES_MISS(ITLB) : 0);
}

uint32_t caches_access(caches *c, caches_byte first, caches_byte last, bool store)
{
    const cache *l1d = &c->of[CS_GUEST_L1D], *dtlb = &c->of[CS_GUEST_DTLB];
    const uint32_t miss = store ? CACHES_MISS(L1D_STORE) : CACHES_MISS(L1D_LOAD);

    return (misses_line(l1d, first) ? miss : 0) | (misses_line(l1d, last) ? miss : 0) |
           (misses_page(dtlb, first) ? CACHES_MISS(DTLB) : 0) |
           (misses_page(dtlb, last) ? CACHES_MISS(DTLB) : 0);
}

static void empty(cache *c)
{
    if (c->numbers != NULL)
        memset(c->numbers, 0, (size_t)c->shape.sets * c->shape.ways * sizeof *c->numbers);
}

void caches_empty_tlbs(caches *c)
{
    empty(&c->of[CS_GUEST_DTLB]);
    empty(&c->of[CS_GUEST_ITLB]);
}

void caches_empty_code(caches *c)
{
    empty(&c->of[CS_GUEST_L1I]);
}
