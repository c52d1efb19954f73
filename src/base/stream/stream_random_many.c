// SPDX-License-Identifier: Apache-2.0
/* Random streams side by side. One descent is a chain: each level needs the count of the level
 * above. Many descents at a time keep the processor busy, by vectors of 64-bit lanes. The answers are
 * those of random_prefix to the bit. */
#include "base/stream/stream_random_impl.h"

/* The functions with vectors are all inlined: how they would be passed does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define LANES 8u
#define VECTORS 4u
#define MOST (LANES * VECTORS)

/* Vectors of the compiler (GCC, clang): any machine has them, by its own means. */
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t signed_lanes __attribute__((vector_size(8 * LANES)));
typedef double double_lanes __attribute__((vector_size(8 * LANES)));

/* So many descents; unused lanes have no counts. */
typedef struct descents {
    lanes key[VECTORS];  /* of the top block */
    lanes left[VECTORS]; /* cycles into it */
    lanes n[VECTORS];    /* of the node that was reached */
    lanes sum[VECTORS];  /* before it */
    lanes room[VECTORS]; /* of one cycle */
} descents;

#define INLINE static inline __attribute__((always_inline))

INLINE lanes choose(lanes mask, lanes yes, lanes no)
{
    return (yes & mask) | (no & ~mask);
}

INLINE lanes mix(lanes x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xa0761d6478bd642fu;
    return x ^ x >> 32;
}

INLINE lanes ones(lanes x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return x * 0x0101010101010101u >> 56;
}

/* As spread(): a double of 3n - 1 has its logarithm in the exponent, and the bits that follow its
 * first one on top of the mantissa. */
INLINE lanes spreads(lanes n)
{
    const lanes zero = {0};
    const double_lanes magic = (double_lanes)(zero + 0x4330000000000000u); /* 2^52 */
    const lanes bits = (lanes)((double_lanes)((n + n + n - 1) | 0x4330000000000000u) - magic);
    const lanes log2 = (bits >> 52) - 1023;
    const lanes x = bits >> 36 & 0xffff;
    const lanes root = 65595u + (x * (31672u - (x * 4628u >> 16)) >> 16);
    const lanes factor = choose(zero - (log2 & 1), zero + 106742u, zero + 75478u);

    return root * factor << (log2 >> 1) >> 20;
}

/* As draw_large(); what is shifted is kept from being negative. */
INLINE lanes large(lanes word, lanes n)
{
    const lanes scale = spreads(n);
    const lanes by_ones = (ones(word) - 32) * scale;
    const lanes between = word * 0xe7037ed1a0b428dbu >> 32;
    const lanes by_between = ((between * scale + (scale << 31)) >> 32) - scale;

    return (((n << 15) + by_ones + by_between + 0x8000 + (64u << 16)) >> 16) - 64;
}

/* As split() of n <= 64. */
INLINE lanes small(lanes word, lanes n)
{
    const lanes one = (lanes){0} + 1;
    const lanes mask = ((one << (n & 63)) - 1) | (lanes)(n == 64);

    return ones(word & mask);
}

INLINE bool any(lanes x)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < LANES; i++)
        all |= x[i];
    return all != 0;
}

/* One level of one vector. */
INLINE void step(descents *d, unsigned v, unsigned level)
{
    const lanes n = d->n[v];
    const lanes node = (d->left[v] | TOP_CYCLES) >> level;
    const lanes room = d->room[v] << (level - 1);
    const lanes is_large = (lanes)(n > 64);
    lanes word, first;

    if (level == 1) {
        word = mix(d->key[v] + (TOP_CYCLES + (node >> 1)) * CS_HASH_STEP) >> ((node & 1) << 5);
        first = small(word, n);
    } else {
        word = mix(d->key[v] + node * CS_HASH_STEP);
        if (!any(is_large))
            first = small(word, n);
        else if (!any(~is_large))
            first = large(word, n);
        else
            first = choose(is_large, large(word, n), small(word, n));
    }
    const lanes full = (lanes)(n > room);
    const lanes least = (n - room) & full;
    const lanes most = choose(full, room, n);
    /* Rare; what is negative is beyond everything. */
    if (any((lanes)(first < least) | (lanes)(first > most))) {
        first = choose((lanes)((signed_lanes)first < (signed_lanes)least), least, first);
        first = choose((lanes)((signed_lanes)first > (signed_lanes)most), most, first);
    }

    const lanes second = (lanes){0} - (d->left[v] >> (level - 1) & 1);
    d->sum[v] += first & second;
    d->n[v] = choose(second, n - first, first);
}

INLINE void descend(descents *d, unsigned vectors, unsigned lowest)
{
    for (unsigned level = TOP_LOG2; level > lowest; level--) {
        lanes rest = {0};

        for (unsigned v = 0; v < vectors; v++) {
            step(d, v, level);
            rest |= d->n[v];
        }
        if (!any(rest))
            return;
    }
}

/* ---- for each machine ---- */

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void descend_avx2(descents *d, unsigned vectors,
                                                         unsigned lowest)
{
    descend(d, vectors, lowest);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))) static void
descend_avx512(descents *d, unsigned vectors, unsigned lowest)
{
    descend(d, vectors, lowest);
}
#endif

/* With fewer than `least` lanes in use, one descent after the other is quicker (bench/bench_stream). */
static const struct {
    void (*descend)(descents *d, unsigned vectors, unsigned lowest);
    unsigned least;
} ways[CS_RANDOM_WAYS] = {
#if defined(__x86_64__)
    [CS_RANDOM_AVX512] = {descend_avx512, 3},
    [CS_RANDOM_AVX2] = {descend_avx2, 7},
#endif
    [CS_RANDOM_ALONE] = {NULL, 0},
};

bool cs_random_can(cs_random_way way)
{
#if defined(__x86_64__)
    if (way == CS_RANDOM_AVX512)
        return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw");
    if (way == CS_RANDOM_AVX2)
        return __builtin_cpu_supports("avx2");
#endif
    return way == CS_RANDOM_ALONE;
}

/* ---- the operation ---- */

static void side_by_side(cs_random_way way, cs_stream_ask *const asks[], size_t n)
{
    const unsigned vectors = (unsigned)((n + LANES - 1) / LANES);
    uint64_t edges = TOP_CYCLES;
    descents d;

    for (unsigned i = 0; i < vectors * LANES; i++) {
        const random_stream *self = (const random_stream *)asks[i < n ? i : 0]->stream;
        const cs_cycle t = asks[i < n ? i : 0]->t;
        const top_block top = top_of(self, t / TOP_CYCLES);
        const unsigned v = i / LANES, lane = i % LANES;

        d.key[v][lane] = top.key;
        d.left[v][lane] = t % TOP_CYCLES;
        d.n[v][lane] = i < n && t % TOP_CYCLES != 0 ? top.count : 0;
        d.sum[v][lane] = top.begin;
        d.room[v][lane] = self->stream.max_increment;
        edges |= t % TOP_CYCLES;
    }
    ways[way].descend(&d, vectors, (unsigned)__builtin_ctzll(edges));
    for (unsigned i = 0; i < n; i++)
        asks[i]->prefix = d.sum[i / LANES][i % LANES];
}

void cs_stream_random_many_by(cs_random_way way, cs_stream_ask *const asks[], size_t n)
{
    size_t done = 0;

    while (way != CS_RANDOM_ALONE && n - done >= ways[way].least) {
        size_t some = n - done < MOST ? n - done : MOST;

        if (some > LANES && some % LANES < ways[way].least)
            some -= some % LANES;
        side_by_side(way, asks + done, some);
        done += some;
    }
    for (; done < n; done++)
        asks[done]->prefix = cs_stream_prefix(asks[done]->stream, asks[done]->t);
}

void cs_stream_random_many(cs_stream_ask *const asks[], size_t n)
{
    cs_random_way way = 0;

    while (!cs_random_can(way))
        way++;
    cs_stream_random_many_by(way, asks, n);
}
