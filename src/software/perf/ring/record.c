// SPDX-License-Identifier: Apache-2.0
/* Records of the kernel, word by word. */
#include "software/perf/impl.h"

#include <string.h>

cs_perf_record cs_perf_record_begin(cs_perf *perf, uint32_t type, uint16_t misc)
{
    cs_perf_record r = {.bytes = perf->record};

    cs_perf_put_pair(&r, type, misc);
    return r;
}

void cs_perf_put(cs_perf_record *r, const void *bytes, size_t n)
{
    const size_t room = CS_PERF_RECORD_MOST_BYTES - r->n;

    if (n > room)
        n = room;
    memcpy(r->bytes + r->n, bytes, n);
    r->n += n;
}

void cs_perf_put_u64(cs_perf_record *r, uint64_t value)
{
    cs_perf_put(r, &value, sizeof value);
}

void cs_perf_put_pair(cs_perf_record *r, uint32_t first, uint32_t second)
{
    cs_perf_put(r, (const uint32_t[]){first, second}, 2 * sizeof first);
}

void cs_perf_put_text(cs_perf_record *r, const char *text)
{
    static const char zeros[8];
    const char *end = memchr(text, '\0', CS_PERF_TEXT_MOST_BYTES);
    const size_t n = (end != NULL ? (size_t)(end - text) : CS_PERF_TEXT_MOST_BYTES) + 1;

    cs_perf_put(r, text, n - 1);
    cs_perf_put(r, zeros, 1 + (8 - n % 8) % 8);
}

void cs_perf_put_id(cs_perf_record *r, const cs_perf_event *event, const cs_perf_at *at)
{
    const uint64_t type = event->attr.sample_type;
    const uint64_t id = event->parent != NULL ? event->parent->id : event->id;

    if (!cs_perf_has(event, CS_PERF_ATTR_SAMPLE_ID_ALL))
        return;
    if ((type & CS_PERF_SAMPLE_TID) != 0)
        cs_perf_put_pair(r, at->who.pid, at->who.tid);
    if ((type & CS_PERF_SAMPLE_TIME) != 0)
        cs_perf_put_u64(r, at->time_ns);
    if ((type & CS_PERF_SAMPLE_ID) != 0)
        cs_perf_put_u64(r, id);
    if ((type & CS_PERF_SAMPLE_STREAM_ID) != 0)
        cs_perf_put_u64(r, event->id);
    if ((type & CS_PERF_SAMPLE_CPU) != 0)
        cs_perf_put_pair(r, at->cpu, 0);
    if ((type & CS_PERF_SAMPLE_IDENTIFIER) != 0)
        cs_perf_put_u64(r, id);
}
