// SPDX-License-Identifier: Apache-2.0
/* Internal to base: the tree of a random stream, and how a node is split between its halves. */
#ifndef CS_BASE_STREAM_RANDOM_IMPL_H
#define CS_BASE_STREAM_RANDOM_IMPL_H

#include "base/hash.h"
#include "base/stream/stream_kind.h"

#define TOP_LOG2 CS_STREAM_RANDOM_TOP_LOG2
#define TOP_CYCLES ((cs_cycle)1 << TOP_LOG2)
/* The smallest block that is expanded as a whole. */
#define LEAF_LOG2 6
#define LEAF_CYCLES 64u

typedef struct random_stream {
    cs_stream stream;
    cs_accumulator cycles; /* the rate a cycle */
    cs_accumulator tops;   /* the rate a top block */
    uint64_t key;
} random_stream;

/* One top block, ready to be descended. */
typedef struct top_block {
    uint64_t key;   /* of this block of this stream */
    uint64_t begin; /* the prefix at its first cycle */
    uint32_t count;
} top_block;

static inline uint64_t node_word(uint64_t key, uint64_t node)
{
    return cs_hash_mix(key + node * CS_HASH_STEP);
}

/* Two nodes of two cycles share a word: neither can count more than 30. */
static inline uint64_t pair_word(uint64_t key, uint64_t node)
{
    return node_word(key, TOP_CYCLES + (node >> 1));
}

static inline uint32_t ones64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

static inline uint32_t ones32(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

/* sqrt((3n - 1) / 193) in 1/65536, within 0.1 %, for 64 < n <= 15 * 2^26: a
 * parabola on [1, 2), times the power of two. The two factors are 2^20 / sqrt(193),
 * with sqrt(2) for odd powers. */
static inline uint64_t spread(uint32_t n)
{
    uint32_t square = 3 * n - 1;
    unsigned log2 = 31u - (unsigned)__builtin_clz(square);
    uint64_t x = (square << (31 - log2)) >> 15 & 0xffff;
    uint64_t root = 65595u + (x * (31672u - (x * 4628u >> 16)) >> 16);

    return root * (log2 & 1 ? 106742u : 75478u) << (log2 >> 1) >> 20;
}

/* A fair binomial draw of n > 64: the ones of 64 random bits (variance 16) and a
 * uniform variate between two of them (1/12), stretched to variance n / 4; the
 * rounding to an integer adds the 1/12 that spread() leaves out. */
static inline int32_t draw_large(uint64_t word, uint32_t n)
{
    int64_t scale = (int64_t)spread(n);
    int64_t ones = (int64_t)ones64(word) - 32;
    int64_t between = (int64_t)(word * 0xe7037ed1a0b428dbu >> 32) - ((int64_t)1 << 31);
    int64_t twice = (int64_t)n << 15;
    /* The sum is not negative but for n just above 64: the caller's bounds hold
     * it, and the offset keeps the shift away from negative numbers. */
    int64_t bias = (int64_t)64 << 16;

    return (int32_t)((twice + ones * scale + (between * scale >> 32) + 0x8000 + bias) >> 16) - 64;
}

/* What the first half of a node gets of its n; a half can carry `room`. */
static inline uint32_t split(uint64_t word, uint32_t n, uint32_t room)
{
    if (n <= 64) {
        uint64_t mask = (n < 64 ? (uint64_t)1 << n : 0) - 1;
        uint32_t first = ones64(word & mask);
        uint32_t least = n > room ? n - room : 0;
        return first < least ? least : first > room ? room : first;
    }
    int32_t first = draw_large(word, n);
    int32_t least = n > room ? (int32_t)(n - room) : 0;
    int32_t most = n > room ? (int32_t)room : (int32_t)n;
    return (uint32_t)(first < least ? least : first > most ? most : first);
}

static inline uint32_t split_pair(uint64_t word, uint64_t node, uint32_t n, uint32_t room)
{
    uint32_t bits = (uint32_t)(word >> (node & 1 ? 32 : 0));
    uint32_t first = ones32(bits & (((uint32_t)1 << n) - 1));
    uint32_t least = n > room ? n - room : 0;

    return first < least ? least : first > room ? room : first;
}

/* The first half's count of a node of 2^level cycles. */
static inline uint32_t first_half(const random_stream *self, uint64_t key, uint64_t node,
                                  unsigned level, uint32_t n)
{
    uint32_t room = self->stream.max_increment << (level - 1);

    if (level == 1)
        return split_pair(pair_word(key, node), node, n, room);
    return split(node_word(key, node), n, room);
}

static inline top_block top_of(const random_stream *self, uint64_t index)
{
    uint64_t remainder;
    uint64_t carries = cs_accumulator_carries(&self->tops, index, &remainder);
    uint64_t carry = remainder + self->tops.rest >= self->tops.q;

    return (top_block){
        .key = cs_hash_mix(self->key ^ cs_hash_mix(index + 1)),
        .begin = index * self->tops.whole + carries,
        .count = (uint32_t)(self->tops.whole + carry),
    };
}

#ifdef __cplusplus
extern "C" {
#endif

/* As random_prefix and random_find, from the last look-up's way on. */
uint64_t cs_stream_random_prefix_near(const cs_stream *stream, cs_cycle t, cs_stream_path *path);
cs_cycle cs_stream_random_find_near(const cs_stream *stream, uint64_t target, cs_stream_path *path);

/* The prefixes of several random streams, side by side, by the best way of this machine. */
void cs_stream_random_many(cs_stream_ask *const asks[], size_t n);

/* The best comes first; a way may only be taken where the machine can. Alone is one after the other. */
typedef enum cs_random_way {
    CS_RANDOM_AVX512,
    CS_RANDOM_AVX2,
    CS_RANDOM_ALONE,
    CS_RANDOM_WAYS
} cs_random_way;

bool cs_random_can(cs_random_way way);
void cs_stream_random_many_by(cs_random_way way, cs_stream_ask *const asks[], size_t n);

#ifdef __cplusplus
}
#endif

#endif
