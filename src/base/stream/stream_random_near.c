// SPDX-License-Identifier: Apache-2.0
/* A random stream near the last look-up: two cycles that lie close together share their nodes down to
 * a small one, and only what is below it is split anew. To the bit what random_prefix and random_find
 * give. */
#include "base/stream/stream_random_impl.h"

static void restart(const random_stream *self, uint64_t index, cs_stream_path *path)
{
    const top_block top = top_of(self, index);

    path->stream = &self->stream;
    path->top = index;
    path->key = top.key;
    path->into = 0;
    path->lowest = TOP_LOG2;
    path->count[TOP_LOG2] = top.count;
    path->before[TOP_LOG2] = top.begin;
}

static bool is_in(const cs_stream_path *path, unsigned level, uint64_t target)
{
    return target > path->before[level] && target - path->before[level] <= path->count[level];
}

/* To the first half of the node of `level` that the path has, or to the second. */
static void step(cs_stream_path *path, unsigned level, uint32_t first, bool second)
{
    path->count[level - 1] = second ? path->count[level] - first : first;
    path->before[level - 1] = path->before[level] + (second ? first : 0);
}

static inline uint32_t split_at(const random_stream *self, const cs_stream_path *path,
                                unsigned level)
{
    return first_half(self, path->key, (path->into | TOP_CYCLES) >> level, level,
                      path->count[level]);
}

uint64_t cs_stream_random_prefix_near(const cs_stream *stream, cs_cycle t, cs_stream_path *path)
{
    const random_stream *self = (const random_stream *)stream;
    const uint64_t into = t % TOP_CYCLES;

    if (path->stream != stream || path->top != t / TOP_CYCLES)
        restart(self, t / TOP_CYCLES, path);
    const uint64_t other = path->into ^ into;
    unsigned level = other == 0 ? 0 : 64u - (unsigned)__builtin_clzll(other);

    level = level > path->lowest ? level : path->lowest;
    path->into = into;
    for (; (into & (((uint64_t)1 << level) - 1)) != 0 && path->count[level] != 0; level--)
        step(path, level, split_at(self, path, level), (into >> (level - 1) & 1) != 0);
    path->lowest = level;
    return path->before[level];
}

cs_cycle cs_stream_random_find_near(const cs_stream *stream, uint64_t target, cs_stream_path *path)
{
    const random_stream *self = (const random_stream *)stream;

    if (path->stream != stream || !is_in(path, TOP_LOG2, target)) {
        /* At the edges of top blocks the cascade is its rate. */
        const cs_cycle by_rate = cs_accumulator_find(&self->cycles, target);

        if (by_rate == CS_NEVER)
            return CS_NEVER;
        restart(self, (by_rate - 1) / TOP_CYCLES, path);
    }
    unsigned level = path->lowest;
    while (!is_in(path, level, target))
        level++;
    path->into &= ~(((uint64_t)1 << level) - 1);
    for (; level > 0; level--) {
        const uint32_t first = split_at(self, path, level);
        const bool second = target - path->before[level] > first;

        step(path, level, first, second);
        path->into |= (uint64_t)second << (level - 1);
    }
    path->lowest = 0;
    return path->top * TOP_CYCLES + path->into + 1;
}
