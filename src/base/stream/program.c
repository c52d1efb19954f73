// SPDX-License-Identifier: Apache-2.0
#include "base/stream/program.h"

#include <string.h>

#include "base/stream/stream_kind.h"

size_t cs_program_segment(const cs_program *program, uint64_t rest)
{
    size_t low = 0;
    size_t high = program->count;

    if (rest >= program->period)
        return program->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (program->starts[middle] <= rest)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint64_t prefix_at(const cs_program *program, const cs_stream *const streams[],
                          uint32_t mask, cs_program_time at)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < program->count; i++)
        if (streams[i] != NULL && cs_program_selects(program, i, mask))
            sum += cs_stream_prefix(streams[i], cs_program_spent(program, i, at));
    return sum;
}

uint64_t cs_program_prefix(const cs_program *program, const cs_stream *const streams[],
                           uint32_t mask, uint64_t t)
{
    return prefix_at(program, streams, mask, cs_program_at(program, t));
}

static uint64_t prefix_of_laps(const cs_program *program, const cs_stream *const streams[],
                               uint32_t mask, uint64_t laps)
{
    return prefix_at(program, streams, mask, (cs_program_time){laps, 0});
}

/* The last lap whose beginning is still below the target: by doubling steps, then
 * by halving the last step. */
static uint64_t find_lap(const cs_program *program, const cs_stream *const streams[], uint32_t mask,
                         uint64_t lap, uint64_t target)
{
    const uint64_t end = CS_STREAM_END / program->period + 1;
    uint64_t step = 1;

    while (step <= end - lap && prefix_of_laps(program, streams, mask, lap + step) < target) {
        lap += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= end - lap && prefix_of_laps(program, streams, mask, lap + step) < target)
            lap += step;
    return lap;
}

cs_cycle cs_program_find(const cs_program *program, const cs_stream *const streams[], uint32_t mask,
                         uint64_t below, uint64_t target)
{
    /* A single segment that repeats is its stream. */
    if (program->count == 1 && program->repeat && streams[0] != NULL &&
        cs_program_selects(program, 0, mask))
        return cs_stream_find(streams[0], target);
    if (cs_program_prefix(program, streams, mask, CS_STREAM_END) < target)
        return CS_NEVER;

    uint64_t lap = 0;
    if (program->repeat)
        lap = find_lap(program, streams, mask, below / program->period, target);

    uint64_t need = target - prefix_of_laps(program, streams, mask, lap);
    for (size_t i = 0; i < program->count; i++) {
        if (streams[i] == NULL || !cs_program_selects(program, i, mask))
            continue;
        uint64_t length = program->starts[i + 1] - program->starts[i];
        uint64_t spent = lap * length;
        uint64_t before = cs_stream_prefix(streams[i], spent);
        uint64_t here = cs_stream_prefix(streams[i], spent + length) - before;
        if (here >= need) {
            uint64_t into = cs_stream_find(streams[i], before + need) - spent;
            return lap * program->period + program->starts[i] + into;
        }
        need -= here;
    }
    return CS_NEVER;
}

/* In the segment in which `from` lies, where it ends in it. */
static cs_cycle reach_here(const cs_program *program, const cs_stream *const streams[],
                           uint32_t mask, uint64_t from, uint64_t need)
{
    const cs_program_time at = cs_program_at(program, from);
    const size_t i = cs_program_segment(program, at.rest);

    if (i == program->count || streams[i] == NULL || !cs_program_selects(program, i, mask))
        return CS_NEVER;
    const uint64_t spent = cs_program_spent(program, i, at);
    const cs_cycle found = cs_stream_find(streams[i], cs_stream_prefix(streams[i], spent) + need);
    if (found == CS_NEVER || found - spent > program->starts[i + 1] - at.rest)
        return CS_NEVER;
    return from + (found - spent);
}

cs_cycle cs_program_reach(const cs_program *program, const cs_stream *const streams[],
                          uint32_t mask, uint64_t from, uint64_t need)
{
    uint64_t target;
    cs_cycle near =
        need < CS_STREAM_END ? reach_here(program, streams, mask, from, need) : CS_NEVER;

    if (near != CS_NEVER)
        return near;
    if (__builtin_add_overflow(cs_program_prefix(program, streams, mask, from), need, &target))
        return CS_NEVER;
    return cs_program_find(program, streams, mask, from, target);
}

void cs_program_increments(const cs_program *program, const cs_stream *const streams[],
                           uint64_t first, size_t n, uint8_t out[])
{
    while (n > 0) {
        cs_program_time at = cs_program_at(program, first);
        size_t segment = cs_program_segment(program, at.rest);
        if (segment == program->count) {
            memset(out, 0, n);
            return;
        }
        uint64_t left = program->starts[segment + 1] - at.rest;
        size_t here = n < left ? n : (size_t)left;
        if (streams[segment] != NULL)
            cs_stream_increments(streams[segment], cs_program_spent(program, segment, at), here,
                                 out);
        else
            memset(out, 0, here);
        first += here;
        out += here;
        n -= here;
    }
}
