// SPDX-License-Identifier: Apache-2.0
/* The regular streams: rate, periodic, bursts. */
#include <inttypes.h>

#include "base/stream/stream_kind.h"

/* ---- rate ---- */

typedef struct rate_stream {
    cs_stream stream;
    cs_accumulator acc;
} rate_stream;

static uint64_t rate_prefix(const cs_stream *stream, cs_cycle t)
{
    return cs_accumulator_prefix(&((const rate_stream *)stream)->acc, t);
}

static cs_cycle rate_find(const cs_stream *stream, uint64_t target)
{
    return cs_accumulator_find(&((const rate_stream *)stream)->acc, target);
}

static void rate_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    cs_accumulator_increments(&((const rate_stream *)stream)->acc, first, n, out);
}

static const cs_stream_ops rate_ops = {
    .prefix = rate_prefix, .find = rate_find, .increments = rate_increments};

cs_status cs_stream_rate(cs_stream_pool *pool, cs_rate rate, uint64_t phase, const cs_stream **out,
                         cs_diag *diag)
{
    *out = NULL;
    cs_status status = cs_rate_check(&rate, &phase, CS_MAX_INCREMENT, "rate", diag);
    if (status != CS_OK)
        return status;

    rate_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&rate_ops, cs_rate_ceiling(rate)};
    self->acc = cs_accumulator_of(rate.p, rate.q, phase);
    *out = &self->stream;
    return CS_OK;
}

/* ---- periodic ---- */

typedef struct periodic_stream {
    cs_stream stream;
    uint64_t period;
    cs_cycle offset;
} periodic_stream;

static uint64_t periodic_prefix(const cs_stream *stream, cs_cycle t)
{
    const periodic_stream *self = (const periodic_stream *)stream;

    if (t <= self->offset)
        return 0;
    return ((t - self->offset - 1) / self->period + 1) * stream->max_increment;
}

static cs_cycle periodic_find(const cs_stream *stream, uint64_t target)
{
    const periodic_stream *self = (const periodic_stream *)stream;

    if (stream->max_increment == 0)
        return CS_NEVER;
    cs_u128 wait = (cs_u128)((target - 1) / stream->max_increment) * self->period;
    return wait < CS_STREAM_END ? self->offset + (cs_cycle)wait + 1 : CS_NEVER;
}

static void periodic_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const periodic_stream *self = (const periodic_stream *)stream;
    uint64_t next = 0; /* from `first` to the next event */

    memset(out, 0, n);
    if (first < self->offset)
        next = self->offset - first;
    else if ((first - self->offset) % self->period != 0)
        next = self->period - (first - self->offset) % self->period;
    for (; next < n; next += self->period)
        out[next] = (uint8_t)stream->max_increment;
}

static const cs_stream_ops periodic_ops = {
    .prefix = periodic_prefix, .find = periodic_find, .increments = periodic_increments};

/* What periodic streams and bursts have in common. */
static cs_status check_period(uint64_t period, cs_cycle offset, cs_diag *diag)
{
    if (period == 0 || period > CS_STREAM_END)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "period of %" PRIu64 " cycles: must be 1..2^56", period);
    if (offset > CS_STREAM_END)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "offset of %" PRIu64 " cycles: must be 0..2^56", offset);
    return CS_OK;
}

cs_status cs_stream_periodic(cs_stream_pool *pool, unsigned increment, uint64_t period_cycles,
                             cs_cycle offset, const cs_stream **out, cs_diag *diag)
{
    *out = NULL;
    if (increment > CS_MAX_INCREMENT)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "increment %u is more than %u", increment,
                           CS_MAX_INCREMENT);
    cs_status status = check_period(period_cycles, offset, diag);
    if (status != CS_OK)
        return status;

    periodic_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&periodic_ops, increment};
    self->period = period_cycles;
    self->offset = offset;
    *out = &self->stream;
    return CS_OK;
}

/* ---- bursts ---- */

typedef struct burst_stream {
    cs_stream stream;
    cs_accumulator acc; /* over on-time */
    uint64_t on;
    uint64_t period;
    cs_cycle offset;
} burst_stream;

static uint64_t on_time(const burst_stream *self, cs_cycle t)
{
    if (t <= self->offset)
        return 0;
    uint64_t since = t - self->offset;
    uint64_t rest = since % self->period;
    return since / self->period * self->on + (rest < self->on ? rest : self->on);
}

static uint64_t burst_prefix(const cs_stream *stream, cs_cycle t)
{
    const burst_stream *self = (const burst_stream *)stream;

    return cs_accumulator_prefix(&self->acc, on_time(self, t));
}

static cs_cycle burst_find(const cs_stream *stream, uint64_t target)
{
    const burst_stream *self = (const burst_stream *)stream;
    cs_cycle on_cycles = cs_accumulator_find(&self->acc, target);

    if (on_cycles == CS_NEVER)
        return CS_NEVER;
    cs_u128 t = (cs_u128)((on_cycles - 1) / self->on) * self->period + (on_cycles - 1) % self->on +
                1 + self->offset;
    return t <= CS_STREAM_END ? (cs_cycle)t : CS_NEVER;
}

static void burst_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const burst_stream *self = (const burst_stream *)stream;
    size_t done = 0;

    memset(out, 0, n);
    while (done < n) {
        cs_cycle t = first + done;
        uint64_t wait; /* to the next on-time, 0 within one */
        uint64_t left = 0;

        if (t < self->offset) {
            wait = self->offset - t;
        } else {
            uint64_t rest = (t - self->offset) % self->period;
            wait = rest < self->on ? 0 : self->period - rest;
            left = rest < self->on ? self->on - rest : 0;
        }
        if (wait >= n - done)
            return;
        done += wait;
        if (left > n - done)
            left = n - done;
        if (left > 0)
            cs_accumulator_increments(&self->acc, on_time(self, first + done), left, out + done);
        done += left;
    }
}

static const cs_stream_ops burst_ops = {
    .prefix = burst_prefix, .find = burst_find, .increments = burst_increments};

cs_status cs_stream_bursts(cs_stream_pool *pool, cs_rate rate, uint64_t on_cycles,
                           uint64_t period_cycles, cs_cycle offset, const cs_stream **out,
                           cs_diag *diag)
{
    *out = NULL;
    cs_status status = cs_rate_check(&rate, NULL, CS_MAX_INCREMENT, "rate", diag);
    if (status == CS_OK)
        status = check_period(period_cycles, offset, diag);
    if (status != CS_OK)
        return status;
    if (on_cycles == 0 || on_cycles > period_cycles)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "on for %" PRIu64 " cycles: must be 1..%" PRIu64 " (the period)",
                           on_cycles, period_cycles);

    burst_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&burst_ops, cs_rate_ceiling(rate)};
    self->acc = cs_accumulator_of(rate.p, rate.q, 0);
    self->on = on_cycles;
    self->period = period_cycles;
    self->offset = offset;
    *out = &self->stream;
    return CS_OK;
}
