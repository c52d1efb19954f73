// SPDX-License-Identifier: Apache-2.0
#include <countersink/base/stream/stream.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/stream/stream_kind.h"

typedef struct pool_item {
    struct pool_item *next;
    max_align_t data[];
} pool_item;

struct cs_stream_pool {
    pool_item *items;
};

cs_status cs_stream_pool_create(cs_stream_pool **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a pool of streams");
    return CS_OK;
}

void cs_stream_pool_destroy(cs_stream_pool *pool)
{
    if (pool == NULL)
        return;
    for (pool_item *item = pool->items; item != NULL;) {
        pool_item *next = item->next;
        free(item);
        item = next;
    }
    free(pool);
}

void *cs_stream_alloc(cs_stream_pool *pool, size_t bytes, cs_diag *diag)
{
    pool_item *item = bytes < SIZE_MAX / 2 ? calloc(1, sizeof *item + bytes) : NULL;

    if (item == NULL) {
        cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a stream of %zu bytes", bytes);
        return NULL;
    }
    item->next = pool->items;
    pool->items = item;
    return item->data;
}

/* ---- operations ---- */

uint64_t cs_stream_prefix(const cs_stream *stream, cs_cycle t)
{
    return stream->ops->prefix(stream, t < CS_STREAM_END ? t : CS_STREAM_END);
}

#define SIDE_BY_SIDE 32u

void cs_stream_prefixes(cs_stream_ask asks[], size_t n)
{
    cs_stream_ask *waiting[SIDE_BY_SIDE];
    const cs_stream_ops *ops = NULL; /* of those that wait */
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        cs_stream_ask *ask = &asks[i];

        ask->t = ask->t < CS_STREAM_END ? ask->t : CS_STREAM_END;
        if (ask->stream->ops->prefixes == NULL) {
            ask->prefix = ask->stream->ops->prefix(ask->stream, ask->t);
            continue;
        }
        if (count == SIDE_BY_SIDE || (count != 0 && ask->stream->ops != ops)) {
            ops->prefixes(waiting, count);
            count = 0;
        }
        ops = ask->stream->ops;
        waiting[count++] = ask;
    }
    if (count != 0)
        ops->prefixes(waiting, count);
}

uint64_t cs_stream_sum(const cs_stream *stream, cs_cycle from, cs_cycle to)
{
    if (to <= from)
        return 0;
    return cs_stream_prefix(stream, to) - cs_stream_prefix(stream, from);
}

void cs_stream_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    uint64_t left = first < CS_STREAM_END ? CS_STREAM_END - first : 0;

    if (n > left) {
        memset(out + left, 0, n - left);
        n = left;
    }
    if (n > 0)
        stream->ops->increments(stream, first, n, out);
}

cs_cycle cs_stream_find(const cs_stream *stream, uint64_t target)
{
    cs_cycle t = target == 0 ? 0 : stream->ops->find(stream, target);

    return t <= CS_STREAM_END ? t : CS_NEVER;
}

uint64_t cs_stream_prefix_near(const cs_stream *stream, cs_cycle t, cs_stream_path *path)
{
    if (stream->ops->prefix_near == NULL)
        return cs_stream_prefix(stream, t);
    return stream->ops->prefix_near(stream, t < CS_STREAM_END ? t : CS_STREAM_END, path);
}

cs_cycle cs_stream_find_near(const cs_stream *stream, uint64_t target, cs_stream_path *path)
{
    if (target == 0 || stream->ops->find_near == NULL)
        return cs_stream_find(stream, target);
    const cs_cycle t = stream->ops->find_near(stream, target, path);

    return t <= CS_STREAM_END ? t : CS_NEVER;
}

cs_cycle cs_stream_reach(const cs_stream *stream, cs_cycle from, uint64_t n)
{
    uint64_t target;

    if (n == 0)
        return from;
    if (__builtin_add_overflow(cs_stream_prefix(stream, from), n, &target))
        return CS_NEVER;
    return cs_stream_find(stream, target);
}

unsigned cs_stream_max_increment(const cs_stream *stream)
{
    return stream->max_increment;
}

/* ---- the stream that never counts ---- */

static uint64_t zero_prefix(const cs_stream *stream, cs_cycle t)
{
    (void)stream;
    (void)t;
    return 0;
}

static cs_cycle zero_find(const cs_stream *stream, uint64_t target)
{
    (void)stream;
    (void)target;
    return CS_NEVER;
}

static void zero_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    (void)stream;
    (void)first;
    memset(out, 0, n);
}

const cs_stream *cs_stream_zero(void)
{
    static const cs_stream_ops ops = {
        .prefix = zero_prefix, .find = zero_find, .increments = zero_increments};
    static const cs_stream zero = {&ops, 0};

    return &zero;
}

/* ---- what the constructors share ---- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

cs_status cs_rate_check(cs_rate *rate, uint64_t *phase, unsigned max, const char *what,
                        cs_diag *diag)
{
    cs_rate found = *rate;

    if (found.q == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "%s %" PRIu64 "/0: the divisor must be at least 1", what, found.p);
    if (found.p > (cs_u128)found.q * max)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "%s %" PRIu64 "/%" PRIu64 " is more than the %u allowed per cycle", what,
                           found.p, found.q, max);
    if (phase != NULL && *phase >= found.q)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "phase %" PRIu64 " of %s %" PRIu64 "/%" PRIu64
                           ": must be less than the divisor",
                           *phase, what, found.p, found.q);

    /* Reduction moves no carry: floor((A + phase / g) / q) with A an integer
     * is the same for floor(phase / g). */
    uint64_t common = gcd(found.p, found.q);
    rate->p = found.p / common;
    rate->q = found.q / common;
    if (phase != NULL)
        *phase /= common;
    if (rate->q > CS_RATE_MOST_DIVISOR)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "%s %" PRIu64 "/%" PRIu64 ": the divisor must be at most 2^60", what,
                           found.p, found.q);
    return CS_OK;
}
