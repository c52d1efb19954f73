// SPDX-License-Identifier: Apache-2.0
/* The random stream: a dyadic cascade of binomial splits.
 *
 * The blocks of one top block form a binary tree. Nodes are numbered as in a
 * heap: the top block is 1, the halves of node i are 2i and 2i + 1, so that the
 * number of a node names level and block. The count of a node's first half is a
 * function of (key, top block, node, count of the node); the second half has the
 * rest. All three operations walk the same tree, so they agree to the bit.
 *
 * Integers only, and every constant here is part of the format: a change of any
 * of them changes every random stream there is. */
#include "base/stream/stream_random_impl.h"

/* ---- operations ---- */

static uint64_t random_prefix(const cs_stream *stream, cs_cycle t)
{
    const random_stream *self = (const random_stream *)stream;
    uint64_t left = t % TOP_CYCLES;
    top_block top = top_of(self, t / TOP_CYCLES);
    uint64_t sum = top.begin;
    uint64_t node = 1;
    uint32_t n = top.count;

    for (unsigned level = TOP_LOG2; left != 0 && n != 0; level--) {
        uint64_t half = (uint64_t)1 << (level - 1);
        uint32_t first = first_half(self, top.key, node, level, n);
        bool second = (left & half) != 0;
        sum += second ? first : 0;
        n = second ? n - first : first;
        node = 2 * node + second;
        left &= half - 1;
    }
    return sum;
}

static cs_cycle random_find(const cs_stream *stream, uint64_t target)
{
    const random_stream *self = (const random_stream *)stream;
    /* At the edges of top blocks the cascade is its rate. */
    cs_cycle by_rate = cs_accumulator_find(&self->cycles, target);

    if (by_rate == CS_NEVER)
        return CS_NEVER;
    uint64_t index = (by_rate - 1) / TOP_CYCLES;
    top_block top = top_of(self, index);
    uint64_t need = target - top.begin;
    uint64_t node = 1;
    uint32_t n = top.count;

    for (unsigned level = TOP_LOG2; level > 0; level--) {
        uint32_t first = first_half(self, top.key, node, level, n);
        bool second = need > first;
        need -= second ? first : 0;
        n = second ? n - first : first;
        node = 2 * node + second;
    }
    return index * TOP_CYCLES + (node - TOP_CYCLES) + 1;
}

/* All cycles of a node of LEAF_CYCLES, level by level: each pass doubles the
 * number of blocks, from the last to the first so that it can be done in place. */
static void expand_leaf(const random_stream *self, uint64_t key, uint64_t node, uint32_t n,
                        uint8_t out[LEAF_CYCLES])
{
    uint32_t counts[LEAF_CYCLES];
    unsigned blocks = 1;

    counts[0] = n;
    for (unsigned level = LEAF_LOG2; level > 1; level--, blocks *= 2) {
        uint32_t room = self->stream.max_increment << (level - 1);
        for (unsigned i = blocks; i-- > 0;) {
            uint32_t count = counts[i];
            uint32_t first = split(node_word(key, node * blocks + i), count, room);
            counts[2 * i] = first;
            counts[2 * i + 1] = count - first;
        }
    }
    for (unsigned i = 0; i < LEAF_CYCLES / 2; i += 2) {
        uint64_t pair = node * blocks + i;
        uint64_t word = pair_word(key, pair);
        uint32_t a = split_pair(word, 0, counts[i], self->stream.max_increment);
        uint32_t b = split_pair(word, 1, counts[i + 1], self->stream.max_increment);
        out[2 * i] = (uint8_t)a;
        out[2 * i + 1] = (uint8_t)(counts[i] - a);
        out[2 * i + 2] = (uint8_t)b;
        out[2 * i + 3] = (uint8_t)(counts[i + 1] - b);
    }
}

/* What of [from, to), in cycles of the top block, lies within the node of 2^level
 * cycles that begins at `begin`; out[0] is the increment of `from`. */
static void expand(const random_stream *self, uint64_t key, uint64_t node, unsigned level,
                   uint64_t begin, uint32_t n, uint64_t from, uint64_t to, uint8_t out[])
{
    for (;;) {
        uint64_t end = begin + ((uint64_t)1 << level);
        uint64_t low = from > begin ? from : begin;
        uint64_t high = to < end ? to : end;

        if (low >= high)
            return;
        if (n == 0) {
            memset(out + (low - from), 0, high - low);
            return;
        }
        if (level == LEAF_LOG2) {
            uint8_t leaf[LEAF_CYCLES];
            if (high - low == LEAF_CYCLES) {
                expand_leaf(self, key, node, n, out + (low - from));
            } else {
                expand_leaf(self, key, node, n, leaf);
                memcpy(out + (low - from), leaf + (low - begin), high - low);
            }
            return;
        }

        uint32_t first = first_half(self, key, node, level, n);
        uint64_t middle = begin + ((uint64_t)1 << --level);
        bool both = low < middle && high > middle;
        if (both)
            expand(self, key, 2 * node, level, begin, first, from, to, out);
        bool second = high > middle;
        node = 2 * node + second;
        n = second ? n - first : first;
        begin = second ? middle : begin;
    }
}

static void random_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const random_stream *self = (const random_stream *)stream;

    while (n > 0) {
        uint64_t from = first % TOP_CYCLES;
        uint64_t here = n < TOP_CYCLES - from ? n : TOP_CYCLES - from;
        top_block top = top_of(self, first / TOP_CYCLES);

        expand(self, top.key, 1, TOP_LOG2, 0, top.count, from, from + here, out);
        first += here;
        out += here;
        n -= here;
    }
}

static const cs_stream_ops random_ops = {.prefix = random_prefix,
                                         .find = random_find,
                                         .increments = random_increments,
                                         .prefixes = cs_stream_random_many,
                                         .prefix_near = cs_stream_random_prefix_near,
                                         .find_near = cs_stream_random_find_near};

cs_status cs_stream_random(cs_stream_pool *pool, cs_rate rate, unsigned max_increment, uint64_t key,
                           const cs_stream **out, cs_diag *diag)
{
    *out = NULL;
    if (max_increment == 0 || max_increment > CS_MAX_INCREMENT)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "largest increment %u: must be 1..%u",
                           max_increment, CS_MAX_INCREMENT);
    if (max_increment > CS_STREAM_RANDOM_MOST)
        return cs_stream_random_sum(pool, rate, max_increment, key, out, diag);
    cs_status status = cs_rate_check(&rate, NULL, max_increment, "rate", diag);
    if (status != CS_OK)
        return status;

    random_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&random_ops, max_increment};
    self->cycles = cs_accumulator_of(rate.p, rate.q, 0);
    /* p * 2^26 / q in parts, since p * 2^26 need not fit. */
    cs_u128 product = (cs_u128)rate.p << TOP_LOG2;
    self->tops.q = rate.q;
    self->tops.whole = (uint64_t)(product / rate.q);
    self->tops.rest = (uint64_t)(product % rate.q);
    self->key = cs_hash_mix(key);
    *out = &self->stream;
    return CS_OK;
}

uint64_t cs_stream_key(uint64_t seed, uint32_t core, const char *event_name)
{
    uint64_t key = cs_hash_mix(cs_hash_mix(seed + CS_HASH_STEP) ^ core);

    for (const char *c = event_name; *c != '\0'; c++)
        key = cs_hash_mix(key ^ (uint8_t)*c) + CS_HASH_STEP;
    return cs_hash_mix(key);
}
