// SPDX-License-Identifier: Apache-2.0
/* Samples: the fields in the order of the kernel's ABI. */
#include "formats/perf/write/impl.h"

/* Of read_format's fields: a value's, and those once for all. */
#define VALUE_FIELDS (CS_PERF_READ_ID | CS_PERF_READ_LOST)
#define TIME_FIELDS (CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING)

static size_t words_of(uint64_t fields)
{
    return (size_t)__builtin_popcountll(fields);
}

static size_t read_bytes(uint64_t format, size_t nr_values)
{
    const size_t times = words_of(format & TIME_FIELDS);
    const size_t each = 1 + words_of(format & VALUE_FIELDS);

    return 8 * (format & CS_PERF_READ_GROUP ? 1 + times + each * nr_values : times + each);
}

static uint8_t *put_value(uint8_t *at, uint64_t format, const cs_perf_data_value *v)
{
    if (format & CS_PERF_READ_ID)
        at = cs_perf_put64(at, v->id);
    return format & CS_PERF_READ_LOST ? cs_perf_put64(at, v->lost) : at;
}

static uint8_t *put_read(uint8_t *at, uint64_t format, const cs_perf_data_sample *s)
{
    static const cs_perf_data_value none;
    const bool group = (format & CS_PERF_READ_GROUP) != 0;
    const cs_perf_data_value *first = s->nr_values != 0 ? s->values : &none;

    at = cs_perf_put64(at, group ? s->nr_values : first->value);
    if (format & CS_PERF_READ_ENABLED)
        at = cs_perf_put64(at, s->enabled_ns);
    if (format & CS_PERF_READ_RUNNING)
        at = cs_perf_put64(at, s->running_ns);
    if (!group)
        return put_value(at, format, first);
    for (size_t i = 0; i < s->nr_values; i++) {
        at = cs_perf_put64(at, s->values[i].value);
        at = put_value(at, format, &s->values[i]);
    }
    return at;
}

/* The kernel rounds the word of the length and the bytes up together. */
static size_t raw_room(size_t bytes)
{
    return cs_perf_round8(4 + bytes);
}

static size_t sample_bytes(const cs_perf_data_attr *a, const cs_perf_data_sample *s)
{
    const uint64_t of_their_own =
        CS_PERF_SAMPLE_READ | CS_PERF_SAMPLE_CALLCHAIN | CS_PERF_SAMPLE_RAW;
    size_t bytes = 8 + 8u * (size_t)__builtin_popcountll(a->sample_type & ~of_their_own);

    if (a->sample_type & CS_PERF_SAMPLE_READ)
        bytes += read_bytes(a->read_format, s->nr_values);
    if (a->sample_type & CS_PERF_SAMPLE_CALLCHAIN)
        bytes += 8 + 8 * s->nr_callchain;
    if (a->sample_type & CS_PERF_SAMPLE_RAW)
        bytes += raw_room(s->raw_bytes);
    return bytes;
}

static void note_time(cs_perf_data_writer *w, uint64_t time_ns)
{
    if (!w->any_time || time_ns < w->first_ns)
        w->first_ns = time_ns;
    if (!w->any_time || time_ns > w->last_ns)
        w->last_ns = time_ns;
    w->any_time = true;
}

static uint8_t *put_lists(uint8_t *at, const cs_perf_data_attr *a, const cs_perf_data_sample *s)
{
    if (a->sample_type & CS_PERF_SAMPLE_READ)
        at = put_read(at, a->read_format, s);
    if (a->sample_type & CS_PERF_SAMPLE_CALLCHAIN) {
        at = cs_perf_put64(at, s->nr_callchain);
        for (size_t i = 0; i < s->nr_callchain; i++)
            at = cs_perf_put64(at, s->callchain[i]);
    }
    if (a->sample_type & CS_PERF_SAMPLE_RAW) {
        const size_t room = raw_room(s->raw_bytes) - 4;

        at = cs_perf_put32(at, (uint32_t)room);
        at = cs_perf_put_padded(at, s->raw, s->raw_bytes, room);
    }
    return at;
}

cs_status cs_perf_data_put_sample(cs_perf_data_writer *w, const cs_perf_data_sample *s)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, s->where.event);
    const cs_perf_data_where *where = &s->where;
    const cs_perf_data_attr *a;
    uint64_t type, id;
    size_t bytes;
    uint8_t *at;

    if (known == NULL)
        return w->status;
    a = &known->event.attr;
    type = a->sample_type;
    id = cs_perf_data_id_of(known, where->id);
    bytes = sample_bytes(a, s);
    at = cs_perf_data_room(w, bytes, "a sample");
    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, CS_PERF_REC_SAMPLE, s->misc, bytes);
    if (type & CS_PERF_SAMPLE_IDENTIFIER)
        at = cs_perf_put64(at, id);
    if (type & CS_PERF_SAMPLE_IP)
        at = cs_perf_put64(at, s->ip);
    if (type & CS_PERF_SAMPLE_TID) {
        at = cs_perf_put32(at, where->pid);
        at = cs_perf_put32(at, where->tid);
    }
    if (type & CS_PERF_SAMPLE_TIME) {
        at = cs_perf_put64(at, where->time_ns);
        note_time(w, where->time_ns);
    }
    if (type & CS_PERF_SAMPLE_ADDR)
        at = cs_perf_put64(at, s->addr);
    if (type & CS_PERF_SAMPLE_ID)
        at = cs_perf_put64(at, id);
    if (type & CS_PERF_SAMPLE_STREAM_ID)
        at = cs_perf_put64(at, where->stream_id);
    if (type & CS_PERF_SAMPLE_CPU)
        at = cs_perf_put64(at, where->cpu);
    if (type & CS_PERF_SAMPLE_PERIOD)
        at = cs_perf_put64(at, s->period);
    put_lists(at, a, s);
    w->totals.samples++;
    return cs_perf_data_done(w, bytes);
}
