// SPDX-License-Identifier: Apache-2.0
/* Recorded interval counts as a stream. */
#include <inttypes.h>

#include "base/stream/stream_kind.h"

typedef struct interval {
    uint64_t start;
    uint64_t before; /* the prefix at start */
    cs_accumulator acc;
} interval;

typedef struct replay_stream {
    cs_stream stream;
    size_t count;
    uint64_t length; /* of the recording */
    uint64_t total;
    bool repeat;
    interval intervals[];
} replay_stream;

/* The last interval that begins at or before t. */
static const interval *interval_at(const replay_stream *self, uint64_t t)
{
    size_t low = 0;
    size_t high = self->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (self->intervals[middle].start <= t)
            low = middle;
        else
            high = middle;
    }
    return &self->intervals[low];
}

static uint64_t replay_prefix(const cs_stream *stream, cs_cycle t)
{
    const replay_stream *self = (const replay_stream *)stream;
    uint64_t sum = 0;

    if (t >= self->length) {
        if (!self->repeat)
            return self->total;
        sum = t / self->length * self->total;
        t %= self->length;
    }
    const interval *at = interval_at(self, t);
    return sum + at->before + cs_accumulator_prefix(&at->acc, t - at->start);
}

static cs_cycle replay_find(const cs_stream *stream, uint64_t target)
{
    const replay_stream *self = (const replay_stream *)stream;
    uint64_t laps = self->total > 0 ? (target - 1) / self->total : 1;
    size_t low = 0;
    size_t high = self->count;

    if (self->total == 0 || (laps > 0 && !self->repeat) || laps > CS_STREAM_END / self->length)
        return CS_NEVER;
    target -= laps * self->total;

    /* The last interval that begins below the target: it is the one that brings it. */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (self->intervals[middle].before < target)
            low = middle;
        else
            high = middle;
    }
    const interval *at = &self->intervals[low];
    return laps * self->length + at->start + cs_accumulator_find(&at->acc, target - at->before);
}

static void replay_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const replay_stream *self = (const replay_stream *)stream;

    while (n > 0) {
        uint64_t t = self->repeat ? first % self->length : first;
        if (t >= self->length) {
            memset(out, 0, n);
            return;
        }
        const interval *at = interval_at(self, t);
        uint64_t left = at->start + at->acc.q - t;
        size_t here = n < left ? n : (size_t)left;
        cs_accumulator_increments(&at->acc, t - at->start, here, out);
        first += here;
        out += here;
        n -= here;
    }
}

static const cs_stream_ops replay_ops = {
    .prefix = replay_prefix, .find = replay_find, .increments = replay_increments};

static cs_status check(const cs_stream_interval *intervals, size_t count, cs_diag *diag)
{
    cs_cycle start = 0;

    if (count == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "0 intervals: must be at least 1");
    for (size_t i = 0; i < count; i++) {
        cs_cycle end = intervals[i].end;
        if (end <= start || end > CS_STREAM_END)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "interval %zu ends at cycle %" PRIu64 ": must be %" PRIu64 "..2^56",
                               i + 1, end, start + 1);
        if (intervals[i].count > (end - start) * CS_MAX_INCREMENT)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "interval %zu counts %" PRIu64 " in %" PRIu64
                               " cycles: at most %u per cycle",
                               i + 1, intervals[i].count, end - start, CS_MAX_INCREMENT);
        start = end;
    }
    return CS_OK;
}

cs_status cs_stream_replay(cs_stream_pool *pool, const cs_stream_interval *intervals, size_t count,
                           cs_stream_after after, const cs_stream **out, cs_diag *diag)
{
    *out = NULL;
    cs_status status = check(intervals, count, diag);
    if (status != CS_OK)
        return status;

    replay_stream *self = cs_stream_alloc(pool, sizeof *self + count * sizeof(interval), diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream.ops = &replay_ops;
    self->count = count;
    self->repeat = after == CS_STREAM_AFTER_REPEAT;
    for (size_t i = 0; i < count; i++) {
        /* Not reduced: q is also the interval's length. */
        cs_rate rate = {intervals[i].count, intervals[i].end - self->length};
        self->intervals[i].start = self->length;
        self->intervals[i].before = self->total;
        self->intervals[i].acc = cs_accumulator_of(rate.p, rate.q, 0);
        if (cs_rate_ceiling(rate) > self->stream.max_increment)
            self->stream.max_increment = cs_rate_ceiling(rate);
        self->length = intervals[i].end;
        self->total += intervals[i].count;
    }
    *out = &self->stream;
    return CS_OK;
}
