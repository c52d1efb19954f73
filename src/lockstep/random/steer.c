// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random/steer.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define FIRST_SLOTS 1024u
#define DECLARED_NEWS 8u /* a declared point is worth so many others */
#define MEMORY_RUNS 16u  /* what a choice brought in more runs is forgotten by and by */

/* Keys are hashes; 0 is an empty slot. */
typedef struct slot {
    uint64_t key;
    uint32_t runs, gain;
} slot;

typedef struct table {
    slot *slots;
    size_t room, used;
} table;

struct cs_steer {
    table choices, points;
    size_t declared;
};

static slot *find(const table *t, uint64_t key)
{
    for (size_t i = (size_t)key;; i++) {
        slot *at = &t->slots[i & (t->room - 1)];

        if (at->key == key || at->key == 0)
            return at;
    }
}

static bool grow(table *t)
{
    table larger = {.room = t->room != 0 ? 2 * t->room : FIRST_SLOTS, .used = t->used};

    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < t->room; i++)
        if (t->slots[i].key != 0)
            *find(&larger, t->slots[i].key) = t->slots[i];
    free(t->slots);
    *t = larger;
    return true;
}

/* The slot of a key, made if it is missing; NULL: no memory. */
static slot *take(table *t, uint64_t key)
{
    slot *at;

    if (key == 0)
        key = 1;
    if (2 * (t->used + 1) > t->room && !grow(t))
        return NULL;
    at = find(t, key);
    if (at->key == 0) {
        at->key = key;
        t->used++;
    }
    return at;
}

cs_status cs_steer_create(cs_steer **out, cs_diag *diag)
{
    cs_steer *steer = calloc(1, sizeof *steer);

    *out = NULL;
    if (steer == NULL || !grow(&steer->choices) || !grow(&steer->points)) {
        cs_steer_destroy(steer);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what has been seen");
    }
    *out = steer;
    return CS_OK;
}

void cs_steer_destroy(cs_steer *steer)
{
    if (steer == NULL)
        return;
    free(steer->choices.slots);
    free(steer->points.slots);
    free(steer);
}

unsigned cs_steer_weight(const cs_steer *steer, uint64_t choice)
{
    const slot *at;
    uint32_t more;

    if (steer == NULL)
        return CS_STEER_MOST;
    at = find(&steer->choices, choice != 0 ? choice : 1);
    more = (CS_STEER_MOST - CS_STEER_LEAST) * (at->gain + 2) / (2 * at->runs + 2);
    if (more > CS_STEER_MOST - CS_STEER_LEAST)
        more = CS_STEER_MOST - CS_STEER_LEAST;
    return CS_STEER_LEAST + more;
}

cs_status cs_steer_learn(cs_steer *steer, const uint64_t *choices, size_t nr_choices,
                         const uint64_t *points, size_t nr_points, cs_diag *diag)
{
    uint32_t news = 0;

    for (size_t i = 0; i < nr_points; i++) {
        slot *at = take(&steer->points, points[i]);

        if (at == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what has been seen");
        if (at->runs == 0 && points[i] < CS_STEER_DECLARED)
            steer->declared++;
        if (at->runs == 0)
            news += points[i] < CS_STEER_DECLARED ? DECLARED_NEWS : 1;
        at->runs = 1;
    }
    for (size_t i = 0; i < nr_choices; i++) {
        slot *at = take(&steer->choices, choices[i]);

        if (at == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what has been seen");
        if (at->runs == MEMORY_RUNS) {
            at->runs /= 2;
            at->gain /= 2;
        }
        at->runs++;
        at->gain += news;
    }
    return CS_OK;
}

size_t cs_steer_points(const cs_steer *steer)
{
    return steer->points.used;
}

size_t cs_steer_declared(const cs_steer *steer)
{
    return steer->declared;
}
