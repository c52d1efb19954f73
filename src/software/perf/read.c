// SPDX-License-Identifier: Apache-2.0
/* read(2), and the same words in records. */
#include "software/perf/impl.h"

#include <errno.h>
#include <string.h>

static unsigned read_bits(uint64_t format, uint64_t bits)
{
    return (unsigned)__builtin_popcountll(format & bits);
}

size_t cs_perf_read_bytes(uint64_t format, unsigned nr_siblings)
{
    const unsigned group = read_bits(format, CS_PERF_READ_GROUP);
    const unsigned times = read_bits(format, CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING);
    const unsigned each = 1 + read_bits(format, CS_PERF_READ_ID | CS_PERF_READ_LOST);

    return sizeof(uint64_t) * (times + group + each * (1 + group * nr_siblings));
}

/* What is known of an event, told as one. */
void cs_perf_tell(cs_perf_event *event, cs_perf_told_kind kind, const cs_perf_sums *sums)
{
    cs_perf *perf = event->perf;
    const cs_perf_told told = {
        .kind = kind,
        .event = event,
        .id = event->id,
        .time_ns = perf->now_ns,
        .cpu = event->cpu,
        .who = event->who,
        .value = sums->count,
        .enabled_ns = sums->enabled_ns,
        .running_ns = sums->running_ns,
        .truth = sums->truth,
        .lost = event->lost,
    };

    if (perf->calls.told != NULL)
        perf->calls.told(perf->calls.ctx, &told);
}

/* ---- words ---- */

static void read_put(cs_perf_record *r, uint64_t format, uint64_t bit, uint64_t word)
{
    if ((format & bit) != 0)
        cs_perf_put_u64(r, word);
}

static uint64_t read_id(const cs_perf_event *event)
{
    return event->parent != NULL ? event->parent->id : event->id;
}

static void read_put_each(cs_perf_record *r, uint64_t format, cs_perf_event *event, uint64_t count)
{
    cs_perf_put_u64(r, count);
    read_put(r, format, CS_PERF_READ_ID, read_id(event));
    read_put(r, format, CS_PERF_READ_LOST, event->lost);
}

/* `own`: without what children came to, as in a sample. */
static cs_perf_sums read_sums(cs_perf_event *event, bool own)
{
    if (!own)
        return cs_perf_sums_of(event);
    cs_perf_update_count(event);
    return (cs_perf_sums){event->count, event->enabled_ns, event->running_ns, event->truth.sum};
}

static void read_put_one(cs_perf_record *r, cs_perf_event *event, bool own)
{
    const uint64_t format = event->attr.read_format;
    const cs_perf_sums sums = read_sums(event, own);

    cs_perf_put_u64(r, sums.count);
    read_put(r, format, CS_PERF_READ_ENABLED, sums.enabled_ns);
    read_put(r, format, CS_PERF_READ_RUNNING, sums.running_ns);
    read_put(r, format, CS_PERF_READ_ID, read_id(event));
    read_put(r, format, CS_PERF_READ_LOST, event->lost);
    if (!own)
        cs_perf_tell(event, CS_PERF_TOLD_READ, &sums);
}

static void read_put_member(cs_perf_record *r, uint64_t format, cs_perf_event *event, bool own)
{
    const cs_perf_sums sums = read_sums(event, own);

    read_put_each(r, format, event, sums.count);
    if (!own)
        cs_perf_tell(event, CS_PERF_TOLD_READ, &sums);
}

/* The group's times are the leader's. */
static void read_put_group(cs_perf_record *r, cs_perf_event *event, bool own)
{
    const uint64_t format = event->attr.read_format;
    cs_perf_event *leader = event->leader, *s;
    const cs_perf_sums sums = read_sums(leader, own);

    cs_perf_put_u64(r, 1 + leader->nr_siblings);
    read_put(r, format, CS_PERF_READ_ENABLED, sums.enabled_ns);
    read_put(r, format, CS_PERF_READ_RUNNING, sums.running_ns);
    read_put_member(r, format, leader, own);
    TAILQ_FOREACH (s, &leader->siblings, in_group)
        read_put_member(r, format, s, own);
}

void cs_perf_put_values(cs_perf_record *r, cs_perf_event *event, bool own)
{
    if ((event->attr.read_format & CS_PERF_READ_GROUP) != 0)
        read_put_group(r, event, own);
    else
        read_put_one(r, event, own);
}

long cs_perf_read(cs_perf_event *event, void *bytes, size_t size)
{
    const uint64_t format = event->attr.read_format;

    if (event->state == CS_PERF_STATE_ERROR)
        return 0;
    if (size < cs_perf_read_bytes(format, event->leader->nr_siblings))
        return -ENOSPC;
    cs_perf_record r = {.bytes = event->perf->record};
    cs_perf_put_values(&r, event, false);
    memcpy(bytes, r.bytes, r.n);
    return (long)r.n;
}
