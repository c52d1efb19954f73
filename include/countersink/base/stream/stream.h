// SPDX-License-Identifier: Apache-2.0
/* Event streams: what one event of one core does, as a pure function
 * cycle -> increment (0..CS_MAX_INCREMENT).
 *
 * A stream is immutable: it may be shared by any number of timelines, systems
 * and threads. Invariants, for every kind, every a <= b and to the last bit:
 *
 *     sum(a, b)      = increment(a) + ... + increment(b - 1) = prefix(b) - prefix(a)
 *     reach(from, n) = the least t >= from such that sum(from, t) >= n
 *
 * Streams end at cycle CS_STREAM_END: all increments from there on are 0, so
 * that no argument, CS_NEVER included, can overflow a sum.
 *
 * Ownership: every constructor takes a pool, and the pool owns the stream until
 * the pool is destroyed; there is no way to free one stream. A stream made of
 * others (phases, ratio) borrows its parts, which may come from another pool
 * that lives at least as long. What a constructor is handed otherwise is copied.
 *
 * Errors of all constructors: CS_ERR_RANGE for an argument outside what is said
 * here (the text names what was found and what is allowed), CS_ERR_NO_MEMORY.
 * *out is NULL then. No pointer may be NULL but `diag`. */
#ifndef CS_BASE_STREAM_H
#define CS_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_STREAM_END ((cs_cycle)1 << 56)
#define CS_RATE_MOST_DIVISOR ((uint64_t)1 << 60)

/* A top block of a random stream is 2^26 cycles. */
#define CS_STREAM_RANDOM_TOP_LOG2 26

typedef struct cs_stream cs_stream;
typedef struct cs_stream_pool cs_stream_pool;

/* p increments in every q cycles; p / q <= CS_MAX_INCREMENT, and q, when the
 * fraction is reduced, 1..CS_RATE_MOST_DIVISOR. */
typedef struct cs_rate {
    uint64_t p;
    uint64_t q;
} cs_rate;

/* ---- the pool ---- */

cs_status cs_stream_pool_create(cs_stream_pool **out, cs_diag *diag);

/* Ends all streams of the pool. NULL is allowed. */
void cs_stream_pool_destroy(cs_stream_pool *pool);

/* ---- the operations ---- */

/* The sum over [0, t). */
uint64_t cs_stream_prefix(const cs_stream *stream, cs_cycle t);

/* The sum over [from, to); 0 where to <= from. At most logarithmic time. */
uint64_t cs_stream_sum(const cs_stream *stream, cs_cycle from, cs_cycle to);

typedef struct cs_stream_ask {
    const cs_stream *stream;
    cs_cycle t;
    uint64_t prefix; /* the answer */
} cs_stream_ask;

/* Fills in the prefix of each, as cs_stream_prefix would. Those of random streams are found side by
 * side: 8 and more at a time cost far less than one after the other. */
void cs_stream_prefixes(cs_stream_ask asks[], size_t n);

/* out[i] = the increment of cycle first + i, for i < n. Cheapest for blocks of
 * 64 cycles and more whose first cycle is a multiple of 64. */
void cs_stream_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[]);

/* The least t >= from with sum(from, t) >= n: the cycle after the one that
 * brings the n-th increment; `from` where n is 0, CS_NEVER where there are
 * fewer than n increments before CS_STREAM_END. At most logarithmic time. */
cs_cycle cs_stream_reach(const cs_stream *stream, cs_cycle from, uint64_t n);

/* An upper bound of every increment: 0..CS_MAX_INCREMENT. */
unsigned cs_stream_max_increment(const cs_stream *stream);

/* ---- the kinds ---- */

/* Never counts. Static: belongs to nobody. */
const cs_stream *cs_stream_zero(void);

/* Phase accumulator: prefix(t) = floor((t * p + phase) / q); phase < q. */
cs_status cs_stream_rate(cs_stream_pool *pool, cs_rate rate, uint64_t phase, const cs_stream **out,
                         cs_diag *diag);

/* `increment` (0..CS_MAX_INCREMENT) in the cycles offset, offset + period, ...;
 * period 1..CS_STREAM_END, offset 0..CS_STREAM_END. */
cs_status cs_stream_periodic(cs_stream_pool *pool, unsigned increment, uint64_t period_cycles,
                             cs_cycle offset, const cs_stream **out, cs_diag *diag);

/* On for on_cycles of every period_cycles, the first time from cycle `offset`
 * on, nothing before it. `rate` is per cycle of on-time, its accumulator stands
 * still in between. 1 <= on <= period <= CS_STREAM_END; offset 0..CS_STREAM_END. */
cs_status cs_stream_bursts(cs_stream_pool *pool, cs_rate rate, uint64_t on_cycles,
                           uint64_t period_cycles, cs_cycle offset, const cs_stream **out,
                           cs_diag *diag);

/* Poisson-like: a dyadic cascade. An aligned block of 2^26 cycles has its count
 * from the rate (closed form); the count of a block is split between its halves
 * by a fair binomial draw keyed by (key, level, block), held within max_increment
 * per cycle for each half, and so on down to one cycle. max_increment (1..255) is
 * the most that one cycle can carry (an issue width); rate <= max_increment. Above 15 it is
 * a sum of such streams.
 *
 * Variance equals mean at all scales well below a top block; since the count of
 * the top block is fixed, that of a block of 2^k cycles is less by the factor
 * 1 - 2^(k-26) (0.98 at 2^20, 0.5 at 2^25, 0 at 2^26). A rate close to
 * max_increment leaves no room for the spread and lessens it further. */
cs_status cs_stream_random(cs_stream_pool *pool, cs_rate rate, unsigned max_increment, uint64_t key,
                           const cs_stream **out, cs_diag *diag);

/* The key of a random stream. The seed, the core and the event's name fix a
 * stream; nothing else does. */
uint64_t cs_stream_key(uint64_t seed, uint32_t core, const char *event_name);

typedef struct cs_stream_phase {
    uint64_t length_cycles; /* 1..CS_STREAM_END */
    const cs_stream *stream;
} cs_stream_phase;

/* One phase after the other; count >= 1, the sum of lengths <= CS_STREAM_END.
 * A phase's stream is a function of the time spent in that phase: it stands
 * still in the others and, with `repeat`, goes on where it was when its phase
 * comes again (a random phase does not repeat its draws). Without `repeat`
 * nothing counts after the last phase. */
cs_status cs_stream_phases(cs_stream_pool *pool, const cs_stream_phase *phases, size_t count,
                           bool repeat, const cs_stream **out, cs_diag *diag);

/* prefix(t) = floor(source.prefix(t) * p / q). q > 0, p / q <= 255, and what a cycle
 * of the source can carry at most, times p / q, must be <= 255; p <= q always
 * is allowed. Here `ratio` is per increment of the source, not per cycle. */
cs_status cs_stream_ratio(cs_stream_pool *pool, const cs_stream *source, cs_rate ratio,
                          const cs_stream **out, cs_diag *diag);

typedef struct cs_stream_interval {
    cs_cycle end;   /* the first cycle after the interval; strictly ascending, > 0 */
    uint64_t count; /* at most CS_MAX_INCREMENT per cycle */
} cs_stream_interval;

typedef enum cs_stream_after {
    CS_STREAM_AFTER_ZERO,  /* nothing counts after the last interval */
    CS_STREAM_AFTER_REPEAT /* the recording begins again */
} cs_stream_after;

/* Recorded counts: the first interval begins at cycle 0, each other one where
 * the last ended; within an interval the count is spread evenly. count >= 1,
 * the last end <= CS_STREAM_END. */
cs_status cs_stream_replay(cs_stream_pool *pool, const cs_stream_interval *intervals, size_t count,
                           cs_stream_after after, const cs_stream **out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
