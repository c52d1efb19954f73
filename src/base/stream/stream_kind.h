// SPDX-License-Identifier: Apache-2.0
/* Internal to base: what a kind of stream provides. */
#ifndef CS_BASE_STREAM_KIND_H
#define CS_BASE_STREAM_KIND_H

#include "base/stream/accumulator.h"
#include <countersink/base/stream/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The way of the last look-up in a stream, kept by whoever asks for cycles that lie near each other:
 * the nodes of its tree that contain the cycle. All zero: there was none. */
#define CS_STREAM_PATH_LEVELS (CS_STREAM_RANDOM_TOP_LOG2 + 1)

typedef struct cs_stream_path {
    const cs_stream *stream;
    uint64_t top;                           /* number of the top block */
    uint64_t key;                           /* of it */
    uint64_t into;                          /* the cycle in it */
    unsigned lowest;                        /* level that is known */
    uint32_t count[CS_STREAM_PATH_LEVELS];  /* of the node of 2^level cycles */
    uint64_t before[CS_STREAM_PATH_LEVELS]; /* the prefix at its first cycle */
} cs_stream_path;

/* Callers keep all cycles within 0..CS_STREAM_END. */
typedef struct cs_stream_ops {
    uint64_t (*prefix)(const cs_stream *stream, cs_cycle t);
    /* The least t with prefix(t) >= target >= 1; CS_NEVER, or a cycle beyond
     * CS_STREAM_END, where there is none. */
    cs_cycle (*find)(const cs_stream *stream, uint64_t target);
    void (*increments)(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[]);
    /* The prefixes of several streams of this kind; NULL: one after the other. */
    void (*prefixes)(cs_stream_ask *const asks[], size_t n);
    /* The same as prefix and find, by a path; NULL: a path is of no use. */
    uint64_t (*prefix_near)(const cs_stream *stream, cs_cycle t, cs_stream_path *path);
    cs_cycle (*find_near)(const cs_stream *stream, uint64_t target, cs_stream_path *path);
} cs_stream_ops;

/* The first member of each kind's own struct. */
struct cs_stream {
    const cs_stream_ops *ops;
    unsigned max_increment;
};

/* Zeroed memory that lives as long as the pool; NULL with *diag set when there
 * is none. A kind's struct has cs_stream as its first member. */
void *cs_stream_alloc(cs_stream_pool *pool, size_t bytes, cs_diag *diag);

/* The most that one cycle of a random stream's cascade can carry. */
#define CS_STREAM_RANDOM_MOST 15u

/* cs_stream_random where max_increment is more than that. */
cs_status cs_stream_random_sum(cs_stream_pool *pool, cs_rate rate, unsigned max_increment,
                               uint64_t key, const cs_stream **out, cs_diag *diag);

/* The least t with prefix(t) >= target, CS_NEVER if none. */
cs_cycle cs_stream_find(const cs_stream *stream, uint64_t target);

/* cs_stream_prefix and cs_stream_find, where the last look-up of the path was near. */
uint64_t cs_stream_prefix_near(const cs_stream *stream, cs_cycle t, cs_stream_path *path);
cs_cycle cs_stream_find_near(const cs_stream *stream, uint64_t target, cs_stream_path *path);

/* Refuses q = 0, q > CS_RATE_MOST_DIVISOR after reduction, and p / q > max. Reduces
 * *rate, and *phase (may be NULL) with it, which must be < q. `what` names the
 * value in the text. */
cs_status cs_rate_check(cs_rate *rate, uint64_t *phase, unsigned max, const char *what,
                        cs_diag *diag);

/* max(ceil(p / q)) of one cycle. */
static inline unsigned cs_rate_ceiling(cs_rate rate)
{
    return (unsigned)(rate.p / rate.q + (rate.p % rate.q != 0));
}

#ifdef __cplusplus
}
#endif

#endif
