// SPDX-License-Identifier: Apache-2.0
/* The two writers of timelines for Perfetto, which take the same calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perfetto/write/json.h"
#include "formats/perfetto/write/proto.h"
#include "program.h"

#define NR_GROUPS 4u
#define NR_TRACKS 16u

/* The first byte. */
enum { AS_TABLE = 3, PROTO = 4, NO_END = 8 };

typedef struct run {
    cs_fuzz_program p;
    cs_fuzz_memory memory;
    cs_perfetto json;
    cs_perfetto_pb *pb; /* NULL: JSON */
    unsigned clock_mhz;
    unsigned base;           /* of groups' and tracks' numbers */
    uint32_t groups, tracks; /* those that have a name */
    cs_status status;
} run;

/* ---- arguments ---- */

static unsigned group_of(run *r)
{
    return cs_fuzz_byte(&r->p) % NR_GROUPS;
}

/* Of each group some: their numbers are not those of others. */
static unsigned track_of(run *r)
{
    return cs_fuzz_byte(&r->p) % NR_TRACKS;
}

static cs_perfetto_track place_of(const run *r, unsigned track)
{
    return (cs_perfetto_track){r->base + track % NR_GROUPS, r->base + track};
}

static cs_perfetto_args args_of(run *r)
{
    cs_perfetto_args args = {0};
    cs_field *fields = cs_fuzz_fields(&r->p, false, &args.nr);

    args.fields = fields;
    args.values = cs_fuzz_values(&r->p, fields, args.nr, false);
    return args;
}

/* 2^63 ns or more. */
static bool is_late(const run *r, uint64_t cycle)
{
    const uint64_t us = cycle / r->clock_mhz, rest = cycle % r->clock_mhz * 1000 / r->clock_mhz;

    return us > INT64_MAX / 1000 || (us == INT64_MAX / 1000 && rest > INT64_MAX % 1000);
}

/* ---- calls ---- */

/* What has to be refused is, whatever came before, and is not kept. */
static cs_status told(const run *r, cs_status status, bool refused)
{
    if ((status == CS_ERR_RANGE) != refused)
        abort();
    return refused ? r->status : status;
}

static cs_status name_group(run *r)
{
    const unsigned group = group_of(r);
    const char *name = cs_fuzz_text(&r->p);
    const unsigned order = (unsigned)cs_fuzz_number(&r->p);

    r->groups |= 1u << group;
    return r->pb != NULL ? cs_perfetto_pb_name_group(r->pb, r->base + group, name, order)
                         : cs_perfetto_name_group(&r->json, r->base + group, name, order);
}

static cs_status name_track(run *r)
{
    const unsigned track = track_of(r);
    const char *name = cs_fuzz_text(&r->p);
    const unsigned order = (unsigned)cs_fuzz_number(&r->p);

    if (r->pb != NULL && (r->groups >> track % NR_GROUPS & 1) == 0)
        return r->status; /* its group comes first */
    r->tracks |= 1u << track;
    return r->pb != NULL ? cs_perfetto_pb_name_track(r->pb, place_of(r, track), name, order)
                         : cs_perfetto_name_track(&r->json, place_of(r, track), name, order);
}

static cs_status slice(run *r)
{
    const unsigned track = track_of(r);
    const char *name = cs_fuzz_text(&r->p);
    const uint64_t from = cs_fuzz_number(&r->p), to = cs_fuzz_number(&r->p);
    const cs_perfetto_args args = args_of(r);
    const cs_perfetto_args *given = args.nr != 0 ? &args : NULL;
    const cs_perfetto_track place = place_of(r, track);
    cs_status status;

    if (r->pb != NULL && (r->tracks >> track & 1) == 0)
        return r->status;
    status = r->pb != NULL ? cs_perfetto_pb_slice(r->pb, place, name, from, to, given)
                           : cs_perfetto_slice(&r->json, place, name, from, to, given);
    return told(r, status, to < from || is_late(r, to));
}

static cs_status instant(run *r)
{
    const unsigned track = track_of(r);
    const char *name = cs_fuzz_text(&r->p);
    const uint64_t cycle = cs_fuzz_number(&r->p);
    const cs_perfetto_args args = args_of(r);
    const cs_perfetto_track place = place_of(r, track);

    if (r->pb != NULL && (r->tracks >> track & 1) == 0)
        return r->status;
    return told(r,
                r->pb != NULL ? cs_perfetto_pb_instant(r->pb, place, name, cycle, &args)
                              : cs_perfetto_instant(&r->json, place, name, cycle, &args),
                is_late(r, cycle));
}

static cs_status counter(run *r)
{
    const unsigned group = group_of(r);
    const char *name = cs_fuzz_text(&r->p);
    const char *unit = cs_fuzz_text(&r->p);
    const uint64_t cycle = cs_fuzz_number(&r->p), bits = cs_fuzz_number(&r->p);
    double value;
    cs_status status;

    memcpy(&value, &bits, sizeof value);
    if (r->pb != NULL && (r->groups >> group & 1) == 0)
        return r->status;
    status = r->pb != NULL
                 ? cs_perfetto_pb_counter(r->pb, r->base + group, name, unit, cycle, value)
                 : cs_perfetto_counter(&r->json, r->base + group, name, unit, cycle, value);
    return told(r, status,
                is_late(r, cycle) || !isfinite(value) || strlen(unit) > CS_PERFETTO_UNIT_BYTES);
}

/* programs.py has their names in this order. */
static cs_status (*const calls[])(run *r) = {name_group, name_track, slice, instant, counter};

/* ---- all of it ---- */

static cs_status begin(run *r, uint8_t choice)
{
    const cs_text_sink sink = cs_fuzz_memory_sink(&r->memory);
    const cs_perfetto_args facts = args_of(r);

    return (choice & PROTO) != 0 ? cs_perfetto_pb_create(&sink, r->clock_mhz, &r->pb)
                                 : cs_perfetto_begin(&r->json, &sink, r->clock_mhz, &facts);
}

static cs_status end(run *r)
{
    return r->pb != NULL ? cs_perfetto_pb_end(r->pb) : cs_perfetto_end(&r->json);
}

void cs_fuzz_perfetto_write(const void *ctx, const uint8_t *data, size_t size)
{
    run r = {0};
    uint8_t choice;

    (void)ctx;
    cs_fuzz_program_begin(&r.p, data, size, 1u << 16);
    choice = cs_fuzz_byte(&r.p);
    cs_fuzz_memory_begin(&r.memory, &r.p);
    r.clock_mhz = 1 + (unsigned)cs_fuzz_number(&r.p) % UINT32_MAX;
    r.base = 1 + (unsigned)(cs_fuzz_number(&r.p) % ((1u << 31) - 1 - NR_TRACKS));
    cs_fuzz_called(begin(&r, choice), &r.status);
    while (r.p.at < r.p.end)
        cs_fuzz_called(CS_FUZZ_ONE_OF(&r.p, calls)(&r), &r.status);
    if ((choice & NO_END) == 0)
        cs_fuzz_called(end(&r), &r.status);
    cs_perfetto_pb_destroy(r.pb);
    cs_fuzz_told(r.memory.bytes, r.memory.used);
    if ((choice & NO_END) == 0 && r.status == CS_OK)
        cs_fuzz_read("perfetto", cs_fuzz_file(r.memory.bytes, r.memory.used), NULL,
                     (cs_table_format)((choice & AS_TABLE) % 3), true);
    free(r.memory.bytes);
    cs_fuzz_program_end(&r.p);
}
