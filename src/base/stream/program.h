// SPDX-License-Identifier: Apache-2.0
/* Internal to base: a list of segments, run one after the other, once or for
 * ever, each with a stream that is a function of the time spent in its segment.
 * Phases (countersink/base/stream/stream.h) and the tracks of a timeline are programs. */
#ifndef CS_BASE_PROGRAM_H
#define CS_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/stream/stream.h>

typedef struct cs_program {
    size_t count;    /* segments, >= 1 */
    uint64_t period; /* their lengths together, 1..CS_STREAM_END */
    bool repeat;
    uint64_t *starts; /* count + 1: where each begins, and the period */
    uint8_t *classes; /* of each segment, 0..31: what a mask selects by */
} cs_program;

#define CS_PROGRAM_ALL UINT32_MAX

/* A cycle of a program: after `laps` whole periods, `rest` cycles into the next.
 * A program that does not repeat stays at rest = period. */
typedef struct cs_program_time {
    uint64_t laps;
    uint64_t rest;
} cs_program_time;

static inline cs_program_time cs_program_at(const cs_program *program, uint64_t t)
{
    if (t < program->period)
        return (cs_program_time){0, t};
    if (!program->repeat)
        return (cs_program_time){0, program->period};
    return (cs_program_time){t / program->period, t % program->period};
}

/* The time spent in segment i before that cycle. */
static inline uint64_t cs_program_spent(const cs_program *program, size_t i, cs_program_time at)
{
    uint64_t start = program->starts[i];
    uint64_t length = program->starts[i + 1] - start;
    uint64_t into = at.rest > start ? at.rest - start : 0;

    return at.laps * length + (into < length ? into : length);
}

static inline bool cs_program_selects(const cs_program *program, size_t i, uint32_t mask)
{
    return (mask >> program->classes[i] & 1) != 0;
}

/* The segment in which `rest` lies; `count` where rest is the period. */
size_t cs_program_segment(const cs_program *program, uint64_t rest);

/* Below, streams[i] is that of segment i, NULL for none, and of the segments
 * only those count that the mask selects. */

/* The sum over the program's cycles [0, t). */
uint64_t cs_program_prefix(const cs_program *program, const cs_stream *const streams[],
                           uint32_t mask, uint64_t t);

/* The least t with prefix(t) >= target, CS_NEVER if none; `below` is any cycle
 * whose prefix is < target (0 will do for target > 0). */
cs_cycle cs_program_find(const cs_program *program, const cs_stream *const streams[], uint32_t mask,
                         uint64_t below, uint64_t target);

/* The least t with prefix(t) >= prefix(from) + need, CS_NEVER if none; need > 0. */
cs_cycle cs_program_reach(const cs_program *program, const cs_stream *const streams[],
                          uint32_t mask, uint64_t from, uint64_t need);

/* out[i] = the increment of the program's cycle first + i, for i < n. */
void cs_program_increments(const cs_program *program, const cs_stream *const streams[],
                           uint64_t first, size_t n, uint8_t out[]);

#endif
