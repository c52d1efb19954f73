// SPDX-License-Identifier: Apache-2.0
/* What a comparison's records showed, as numbers. Units of a kind are alike; so are registers of an
 * array only where they have the same offset. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/room.h"
#include "lockstep/random/steer.h"

#define KINDS 64u /* of sources whose state is remembered */

struct cs_seen {
    uint64_t *points;
    size_t nr, room;
    struct {
        const char *name;
        uint64_t value;
    } states[KINDS];
};

cs_status cs_seen_create(cs_seen **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what is seen");
}

void cs_seen_destroy(cs_seen *seen)
{
    if (seen == NULL)
        return;
    free(seen->points);
    free(seen);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void tidy(cs_seen *seen)
{
    size_t kept = 0;

    qsort(seen->points, seen->nr, sizeof *seen->points, by_value);
    for (size_t i = 0; i < seen->nr; i++)
        if (kept == 0 || seen->points[i] != seen->points[kept - 1])
            seen->points[kept++] = seen->points[i];
    seen->nr = kept;
}

/* Points come again and again: what is there twice goes before the list grows. */
static void add(cs_seen *seen, uint64_t point)
{
    uint64_t *points;

    if (seen->nr == seen->room) {
        tidy(seen);
        if (4 * seen->nr >= 3 * seen->room) {
            points = cs_room(seen->points, &seen->room, seen->room, sizeof *points);
            if (points == NULL)
                return; /* seen less, that is all */
            seen->points = points;
        }
    }
    seen->points[seen->nr++] = point;
}

static uint64_t name_hash(const char *name)
{
    uint64_t key = 1;

    for (; name != NULL && *name != '\0'; name++)
        key = cs_hash_mix(key + (unsigned char)*name);
    return key;
}

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return cs_hash_mix(cs_hash_mix(cs_hash_mix(a + b) + c) + d) | CS_STEER_DECLARED;
}

static unsigned log2_of(uint64_t value)
{
    return value == 0 ? 0 : 64u - (unsigned)__builtin_clzll(value);
}

static uint64_t *state_of(cs_seen *seen, const char *name)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (seen->states[i].name == NULL)
            seen->states[i].name = name;
        if (seen->states[i].name == name)
            return &seen->states[i].value;
    }
    return NULL;
}

void cs_seen_record(cs_seen *seen, const cs_probe_record *r)
{
    unsigned number;
    const char *name = cs_probe_source_kind(r->kind, r->source, &number);
    const uint64_t who = mixed(name_hash(name), r->kind, r->write, r->resp);
    uint64_t *state = r->kind != CS_PROBE_BUS ? state_of(seen, name) : NULL;

    switch (r->kind) {
    case CS_PROBE_BUS:
        add(seen,
            mixed(who, r->bytes, log2_of(r->grant - r->request), log2_of(r->cycle - r->grant)));
        break;
    case CS_PROBE_REG:
        /* An access, what size of value it found, the state it met. */
        add(seen, mixed(who, r->addr, r->bytes, 0));
        add(seen, mixed(who, r->addr, r->bytes, 1 + (log2_of(r->value) + 7) / 8));
        add(seen, mixed(who, r->addr, 100 + (state != NULL ? *state : 0), 0));
        break;
    case CS_PROBE_STATE:
        if (state != NULL) {
            add(seen, mixed(who, *state, r->value, 0));
            *state = r->value;
        }
        break;
    case CS_PROBE_SAMPLE:
        add(seen, mixed(who, r->index, r->bytes, r->resp));
        break;
    default:
        add(seen, mixed(who, r->index, r->value, state != NULL ? *state : 0));
        break;
    }
}

void cs_seen_declared(cs_seen *seen, size_t number)
{
    add(seen, number + 1);
}

size_t cs_seen_points(cs_seen *seen, const uint64_t **points)
{
    tidy(seen);
    *points = seen->points;
    return seen->nr;
}
