// SPDX-License-Identifier: Apache-2.0
/* A random stream whose increments are larger than one cascade can carry: the sum of several, each
 * with a key and an equal share of the rate of its own. */
#include "base/hash.h"
#include "base/stream/stream_kind.h"

#define MAX_PARTS ((CS_MAX_INCREMENT + CS_STREAM_RANDOM_MOST - 1) / CS_STREAM_RANDOM_MOST)
#define BLOCK 64u

typedef struct sum_stream {
    cs_stream stream;
    unsigned nr_parts;
    const cs_stream *parts[MAX_PARTS];
} sum_stream;

static uint64_t sum_prefix(const cs_stream *stream, cs_cycle t)
{
    const sum_stream *self = (const sum_stream *)stream;
    uint64_t sum = 0;

    for (unsigned i = 0; i < self->nr_parts; i++)
        sum += cs_stream_prefix(self->parts[i], t);
    return sum;
}

/* By halves: [low, high) holds the last cycle before the answer. */
static cs_cycle sum_find(const cs_stream *stream, uint64_t target)
{
    cs_cycle low = 0, high = CS_STREAM_END;

    if (target == 0)
        return 0;
    if (sum_prefix(stream, high) < target)
        return CS_NEVER;
    while (high - low > 1) {
        const cs_cycle middle = low + (high - low) / 2;

        if (sum_prefix(stream, middle) < target)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void sum_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const sum_stream *self = (const sum_stream *)stream;
    uint8_t part[BLOCK];

    while (n > 0) {
        const size_t here = n < BLOCK ? n : BLOCK;

        cs_stream_increments(self->parts[0], first, here, out);
        for (unsigned i = 1; i < self->nr_parts; i++) {
            cs_stream_increments(self->parts[i], first, here, part);
            for (size_t k = 0; k < here; k++)
                out[k] = (uint8_t)(out[k] + part[k]);
        }
        first += here;
        out += here;
        n -= here;
    }
}

static const cs_stream_ops sum_ops = {
    .prefix = sum_prefix, .find = sum_find, .increments = sum_increments};

cs_status cs_stream_random_sum(cs_stream_pool *pool, cs_rate rate, unsigned max_increment,
                               uint64_t key, const cs_stream **out, cs_diag *diag)
{
    const unsigned nr_parts = (max_increment + CS_STREAM_RANDOM_MOST - 1) / CS_STREAM_RANDOM_MOST;
    sum_stream *self;
    cs_status status = cs_rate_check(&rate, NULL, max_increment, "rate", diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&sum_ops, max_increment};
    self->nr_parts = nr_parts;
    /* Each part has room for its share of the rate: the largest shares of both come first. */
    for (unsigned i = 0; i < nr_parts && status == CS_OK; i++) {
        const unsigned most = max_increment / nr_parts + (i < max_increment % nr_parts);
        const cs_rate share = {.p = rate.p * most, .q = rate.q * max_increment};

        key = cs_hash_mix(key + CS_HASH_STEP);
        status = cs_stream_random(pool, share, most, key, &self->parts[i], diag);
    }
    if (status == CS_OK)
        *out = &self->stream;
    return status;
}
