// SPDX-License-Identifier: Apache-2.0
/* Streams made of other streams: phases and ratio. */
#include <inttypes.h>

#include "base/stream/program.h"
#include "base/stream/stream_kind.h"

/* ---- phases ---- */

typedef struct phase_stream {
    cs_stream stream;
    cs_program program;
    const cs_stream **parts;
} phase_stream;

static uint64_t phase_prefix(const cs_stream *stream, cs_cycle t)
{
    const phase_stream *self = (const phase_stream *)stream;

    return cs_program_prefix(&self->program, self->parts, CS_PROGRAM_ALL, t);
}

static cs_cycle phase_find(const cs_stream *stream, uint64_t target)
{
    const phase_stream *self = (const phase_stream *)stream;

    return cs_program_find(&self->program, self->parts, CS_PROGRAM_ALL, 0, target);
}

static void phase_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const phase_stream *self = (const phase_stream *)stream;

    cs_program_increments(&self->program, self->parts, first, n, out);
}

static const cs_stream_ops phase_ops = {
    .prefix = phase_prefix, .find = phase_find, .increments = phase_increments};

cs_status cs_stream_phases(cs_stream_pool *pool, const cs_stream_phase *phases, size_t count,
                           bool repeat, const cs_stream **out, cs_diag *diag)
{
    uint64_t period = 0;

    *out = NULL;
    if (count == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "0 phases: must be at least 1");
    for (size_t i = 0; i < count; i++) {
        uint64_t length = phases[i].length_cycles;
        if (length == 0 || length > CS_STREAM_END - period)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "phase %zu of %" PRIu64
                               " cycles: must be 1..2^56, all phases together at most 2^56",
                               i + 1, length);
        period += length;
    }

    phase_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    uint64_t *starts = cs_stream_alloc(pool, (count + 1) * sizeof *starts, diag);
    uint8_t *classes = cs_stream_alloc(pool, count, diag);
    const cs_stream **parts = cs_stream_alloc(pool, count * sizeof *parts, diag);
    if (self == NULL || starts == NULL || classes == NULL || parts == NULL)
        return CS_ERR_NO_MEMORY;

    self->stream.ops = &phase_ops;
    for (size_t i = 0; i < count; i++) {
        parts[i] = phases[i].stream;
        starts[i + 1] = starts[i] + phases[i].length_cycles;
        if (parts[i]->max_increment > self->stream.max_increment)
            self->stream.max_increment = parts[i]->max_increment;
    }
    self->program = (cs_program){count, period, repeat, starts, classes};
    self->parts = parts;
    *out = &self->stream;
    return CS_OK;
}

/* ---- ratio ---- */

typedef struct ratio_stream {
    cs_stream stream;
    const cs_stream *source;
    cs_rate ratio;
    /* What an increment of the source adds: whole ones and q-ths of one. */
    uint8_t *whole; /* [source's max_increment + 1] */
    uint64_t *rest;
} ratio_stream;

static uint64_t ratio_prefix(const cs_stream *stream, cs_cycle t)
{
    const ratio_stream *self = (const ratio_stream *)stream;
    uint64_t source = cs_stream_prefix(self->source, t);
    uint64_t product;

    if (!__builtin_mul_overflow(source, self->ratio.p, &product))
        return product / self->ratio.q;
    return (uint64_t)((cs_u128)source * self->ratio.p / self->ratio.q);
}

static cs_cycle ratio_find(const cs_stream *stream, uint64_t target)
{
    const ratio_stream *self = (const ratio_stream *)stream;

    if (self->ratio.p == 0)
        return CS_NEVER;
    cs_u128 wide = (cs_u128)target * self->ratio.q;
    cs_u128 source = wide / self->ratio.p + (wide % self->ratio.p != 0);
    return source <= UINT64_MAX ? cs_stream_find(self->source, (uint64_t)source) : CS_NEVER;
}

static void ratio_increments(const cs_stream *stream, cs_cycle first, size_t n, uint8_t out[])
{
    const ratio_stream *self = (const ratio_stream *)stream;
    const uint64_t q = self->ratio.q;
    cs_u128 before = (cs_u128)cs_stream_prefix(self->source, first) * self->ratio.p;
    uint64_t remainder = (uint64_t)(before % q);

    cs_stream_increments(self->source, first, n, out);
    for (size_t i = 0; i < n; i++) {
        unsigned increment = out[i];
        remainder += self->rest[increment];
        bool carry = remainder >= q;
        remainder -= carry ? q : 0;
        out[i] = (uint8_t)(self->whole[increment] + carry);
    }
}

static const cs_stream_ops ratio_ops = {
    .prefix = ratio_prefix, .find = ratio_find, .increments = ratio_increments};

cs_status cs_stream_ratio(cs_stream_pool *pool, const cs_stream *source, cs_rate ratio,
                          const cs_stream **out, cs_diag *diag)
{
    const cs_rate found = ratio;

    *out = NULL;
    /* No more than CS_MAX_INCREMENT for one increment keeps q small enough. */
    cs_status status = cs_rate_check(&ratio, NULL, CS_MAX_INCREMENT, "ratio", diag);
    if (status != CS_OK)
        return status;
    cs_u128 most = (cs_u128)source->max_increment * ratio.p;
    if (most > (cs_u128)CS_MAX_INCREMENT * ratio.q)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "ratio %" PRIu64 "/%" PRIu64
                           " of a stream with up to %u per cycle is more than %u per cycle",
                           found.p, found.q, source->max_increment, CS_MAX_INCREMENT);

    ratio_stream *self = cs_stream_alloc(pool, sizeof *self, diag);
    if (self == NULL)
        return CS_ERR_NO_MEMORY;
    self->stream = (cs_stream){&ratio_ops, (unsigned)((most + ratio.q - 1) / ratio.q)};
    self->source = source;
    self->ratio = ratio;
    self->whole = cs_stream_alloc(pool, source->max_increment + 1u, diag);
    self->rest = cs_stream_alloc(pool, (source->max_increment + 1u) * sizeof *self->rest, diag);
    if (self->whole == NULL || self->rest == NULL)
        return CS_ERR_NO_MEMORY;
    for (unsigned i = 0; i <= source->max_increment; i++) {
        self->whole[i] = (uint8_t)((cs_u128)i * ratio.p / ratio.q);
        self->rest[i] = (uint64_t)((cs_u128)i * ratio.p % ratio.q);
    }
    *out = &self->stream;
    return CS_OK;
}
