// SPDX-License-Identifier: Apache-2.0
/* Calls of perf.data's writer, with arguments of a program. */
#include "write_perf.h"

#include <string.h>

#define MOST_WORDS 8300u     /* a record has room for 8191 */
#define MOST_CPUS 33000u     /* and for 32760 of these */
#define MOST_THREADS 2800u   /* and for 2730 of these */
#define MOST_PAYLOAD 600000u /* the writer's buffer has 524288 bytes */

static uint32_t number32(cs_fuzz_perf *r)
{
    return (uint32_t)cs_fuzz_number(&r->p);
}

static uint16_t number16(cs_fuzz_perf *r)
{
    return (uint16_t)cs_fuzz_number(&r->p);
}

/* ---- arguments ---- */

/* From 0xf0 on one that is none. */
static size_t event_of(cs_fuzz_perf *r)
{
    const uint8_t chosen = cs_fuzz_byte(&r->p);

    return chosen < 0xf0 ? chosen % r->nr_events : chosen;
}

/* 0 is the first; up to 0xef one of the event's; else any, which may be no event's. */
static uint64_t id_of(cs_fuzz_perf *r, size_t event)
{
    const uint8_t chosen = cs_fuzz_byte(&r->p);

    if (chosen >= 0xf0) {
        r->foreign = true;
        return cs_fuzz_number(&r->p);
    }
    if (chosen == 0 || event >= r->nr_events || r->events[event].nr_ids == 0)
        return 0;
    return r->events[event].ids[chosen % r->events[event].nr_ids];
}

static cs_perf_data_where where_of(cs_fuzz_perf *r)
{
    cs_perf_data_where where = {.event = event_of(r)};

    where.id = id_of(r, where.event);
    where.stream_id = cs_fuzz_number(&r->p);
    where.pid = number32(r);
    where.tid = number32(r);
    where.time_ns = cs_fuzz_number(&r->p);
    where.cpu = number32(r);
    return where;
}

static uint16_t *cpus_of(cs_fuzz_perf *r, size_t *nr)
{
    const uint64_t *words = cs_fuzz_words(&r->p, MOST_CPUS, nr);
    uint16_t *cpus = cs_fuzz_room(&r->p, *nr * sizeof *cpus);

    for (size_t i = 0; i < *nr; i++)
        cpus[i] = (uint16_t)words[i];
    return cpus;
}

static cs_perf_data_value *values_of(cs_fuzz_perf *r, size_t *nr)
{
    const uint64_t *words = cs_fuzz_words(&r->p, MOST_WORDS, nr);
    cs_perf_data_value *values = cs_fuzz_room(&r->p, *nr * sizeof *values);

    for (size_t i = 0; i < *nr; i++)
        values[i] = (cs_perf_data_value){words[i], words[*nr - 1 - i], words[i] / 2};
    return values;
}

/* As the modes of the CPU: what else misc may say is the writer's to say. */
static cs_perf_data_mmap map_of(cs_fuzz_perf *r)
{
    cs_perf_data_mmap map = {.misc = number16(r) % 8};
    uint8_t *id = NULL;

    map.addr = cs_fuzz_number(&r->p);
    map.length = cs_fuzz_number(&r->p);
    map.offset = cs_fuzz_number(&r->p);
    map.prot = number32(r);
    map.flags = number32(r);
    map.major = number32(r);
    map.minor = number32(r);
    map.inode = cs_fuzz_number(&r->p);
    map.generation = cs_fuzz_number(&r->p);
    if (cs_fuzz_byte(&r->p) % 2 != 0) {
        map.build_id_length = cs_fuzz_byte(&r->p) % 32;
        id = cs_fuzz_room(&r->p, CS_PERF_DATA_BUILD_ID_BYTES);
        for (size_t i = 0; i < CS_PERF_DATA_BUILD_ID_BYTES; i++)
            id[i] = cs_fuzz_byte(&r->p);
    }
    map.build_id = id;
    map.file = cs_fuzz_text(&r->p);
    return map;
}

/* ---- calls ---- */

static cs_status put_sample(cs_fuzz_perf *r)
{
    cs_perf_data_sample sample = {.where = where_of(r)};

    sample.misc = number16(r);
    sample.ip = cs_fuzz_number(&r->p);
    sample.addr = cs_fuzz_number(&r->p);
    sample.period = cs_fuzz_number(&r->p);
    sample.values = values_of(r, &sample.nr_values);
    sample.enabled_ns = cs_fuzz_number(&r->p);
    sample.running_ns = cs_fuzz_number(&r->p);
    sample.callchain = cs_fuzz_words(&r->p, MOST_WORDS, &sample.nr_callchain);
    sample.raw = cs_fuzz_bytes(&r->p, &sample.raw_bytes);
    return cs_perf_data_put_sample(r->writer, &sample);
}

static cs_status put_comm(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const char *comm = cs_fuzz_text(&r->p);

    return cs_perf_data_put_comm(r->writer, &where, comm, cs_fuzz_byte(&r->p) % 2 != 0);
}

static cs_status put_mmap(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const cs_perf_data_mmap map = map_of(r);

    return cs_perf_data_put_mmap(r->writer, &where, &map);
}

static cs_status put_mmap2(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const cs_perf_data_mmap map = map_of(r);

    return cs_perf_data_put_mmap2(r->writer, &where, &map);
}

static cs_status put_fork(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const uint32_t pid = number32(r), tid = number32(r);

    return cs_perf_data_put_fork(r->writer, &where, pid, tid, cs_fuzz_byte(&r->p) % 2 != 0);
}

static cs_status put_exit(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const uint32_t pid = number32(r), tid = number32(r);

    return cs_perf_data_put_exit(r->writer, &where, pid, tid);
}

static cs_status put_switch(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_switch(r->writer, &where, number16(r));
}

static cs_status put_switch_cpu(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const uint16_t misc = number16(r);
    const uint32_t pid = number32(r), tid = number32(r);

    return cs_perf_data_put_switch_cpu(r->writer, &where, misc, pid, tid);
}

static cs_status put_throttle(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_throttle(r->writer, &where);
}

static cs_status put_unthrottle(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_unthrottle(r->writer, &where);
}

static cs_status put_lost(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_lost(r->writer, &where, cs_fuzz_number(&r->p));
}

static cs_status put_lost_samples(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_lost_samples(r->writer, &where, cs_fuzz_number(&r->p));
}

static cs_status put_aux(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);
    const uint64_t offset = cs_fuzz_number(&r->p), length = cs_fuzz_number(&r->p);

    return cs_perf_data_put_aux(r->writer, &where, offset, length, cs_fuzz_number(&r->p));
}

static cs_status put_itrace_start(cs_fuzz_perf *r)
{
    const cs_perf_data_where where = where_of(r);

    return cs_perf_data_put_itrace_start(r->writer, &where);
}

/* A header, which is honest as a rule, and a body. */
static cs_status put_record(cs_fuzz_perf *r)
{
    const uint32_t type = number32(r);
    const uint64_t head = (uint64_t)number16(r) << 32 | type;
    const bool honest = cs_fuzz_byte(&r->p) % 2 == 0;
    size_t body, length;
    const uint8_t *bytes = cs_fuzz_bytes(&r->p, &body);
    uint8_t *record;

    length = honest ? 8 + body / 8 * 8 : body;
    record = cs_fuzz_room(&r->p, length);
    for (size_t i = 0; i < length; i++)
        record[i] = honest && i < 8 ? (uint8_t)((head | (uint64_t)length << 48) >> 8 * i)
                                    : bytes[honest ? i - 8 : i];
    r->foreign = true;
    return cs_perf_data_put_record(r->writer, record, length);
}

static cs_status put_finished_round(cs_fuzz_perf *r)
{
    return cs_perf_data_put_finished_round(r->writer);
}

static cs_status put_finished_init(cs_fuzz_perf *r)
{
    return cs_perf_data_put_finished_init(r->writer);
}

static cs_status put_id_index(cs_fuzz_perf *r)
{
    uint16_t *cpus[CS_FUZZ_PERF_EVENTS];

    for (size_t i = 0; i < r->nr_events; i++) {
        const uint16_t first = number16(r);

        cpus[i] = cs_fuzz_room(&r->p, r->events[i].nr_ids * sizeof *cpus[i]);
        for (size_t k = 0; k < r->events[i].nr_ids; k++)
            cpus[i][k] = (uint16_t)(first + k);
    }
    return cs_perf_data_put_id_index(r->writer, (const uint16_t *const *)cpus);
}

static cs_status put_auxtrace_info(cs_fuzz_perf *r)
{
    const uint32_t type = number32(r);
    size_t nr;
    const uint64_t *priv = cs_fuzz_words(&r->p, MOST_WORDS, &nr);

    return cs_perf_data_put_auxtrace_info(r->writer, type, priv, nr);
}

static cs_status put_auxtrace(cs_fuzz_perf *r)
{
    cs_perf_data_auxtrace auxtrace = {.offset = cs_fuzz_number(&r->p)};
    size_t length;
    uint8_t *payload, first;

    auxtrace.reference = cs_fuzz_number(&r->p);
    auxtrace.index = number32(r);
    auxtrace.tid = number32(r);
    auxtrace.cpu = number32(r);
    length = cs_fuzz_number(&r->p) % MOST_PAYLOAD;
    first = cs_fuzz_byte(&r->p);
    payload = cs_fuzz_room(&r->p, length);
    for (size_t i = 0; i < length; i++)
        payload[i] = (uint8_t)(first + i);
    return cs_perf_data_put_auxtrace(r->writer, &auxtrace, payload, length);
}

static cs_status put_thread_map(cs_fuzz_perf *r)
{
    size_t nr;
    const uint64_t *pids = cs_fuzz_words(&r->p, MOST_THREADS, &nr);
    cs_perf_data_thread *threads = cs_fuzz_room(&r->p, nr * sizeof *threads);

    for (size_t i = 0; i < nr; i++)
        threads[i] = (cs_perf_data_thread){pids[i], i < 4 ? cs_fuzz_text(&r->p) : "thread"};
    return cs_perf_data_put_thread_map(r->writer, threads, nr);
}

static cs_status put_cpu_map(cs_fuzz_perf *r)
{
    size_t nr;
    const uint16_t *cpus = cpus_of(r, &nr);

    return cs_perf_data_put_cpu_map(r->writer, cpus, nr);
}

static cs_status put_stat_config(cs_fuzz_perf *r)
{
    const uint64_t mode = cs_fuzz_number(&r->p), interval = cs_fuzz_number(&r->p);

    return cs_perf_data_put_stat_config(r->writer, mode, interval, cs_fuzz_byte(&r->p) % 2 != 0);
}

static cs_status put_stat(cs_fuzz_perf *r)
{
    cs_perf_data_count count = {.event = event_of(r)};

    count.id = id_of(r, count.event);
    count.cpu = number32(r);
    count.thread = number32(r);
    count.value = cs_fuzz_number(&r->p);
    count.enabled_ns = cs_fuzz_number(&r->p);
    count.running_ns = cs_fuzz_number(&r->p);
    return cs_perf_data_put_stat(r->writer, &count);
}

static cs_status put_stat_round(cs_fuzz_perf *r)
{
    const uint64_t type = cs_fuzz_number(&r->p);

    return cs_perf_data_put_stat_round(r->writer, type, cs_fuzz_number(&r->p));
}

static cs_status put_unit(cs_fuzz_perf *r)
{
    const size_t event = event_of(r);

    return cs_perf_data_put_unit(r->writer, event, cs_fuzz_text(&r->p));
}

static cs_status put_scale(cs_fuzz_perf *r)
{
    const size_t event = event_of(r);
    const uint64_t bits = cs_fuzz_number(&r->p);
    double scale;

    memcpy(&scale, &bits, sizeof scale);
    return cs_perf_data_put_scale(r->writer, event, scale);
}

static cs_status put_event_cpus(cs_fuzz_perf *r)
{
    const size_t event = event_of(r);
    size_t nr;
    const uint16_t *cpus = cpus_of(r, &nr);

    return cs_perf_data_put_event_cpus(r->writer, event, cpus, nr);
}

/* programs.py has their names in this order. */
static cs_status (*const calls[])(cs_fuzz_perf *r) = {
    put_sample,         put_comm,         put_mmap,          put_mmap2,         put_fork,
    put_exit,           put_switch,       put_switch_cpu,    put_throttle,      put_unthrottle,
    put_lost,           put_lost_samples, put_aux,           put_itrace_start,  put_record,
    put_finished_round, put_id_index,     put_finished_init, put_auxtrace_info, put_auxtrace,
    put_thread_map,     put_cpu_map,      put_stat_config,   put_stat,          put_stat_round,
    put_unit,           put_scale,        put_event_cpus,
};

cs_status cs_fuzz_perf_call(cs_fuzz_perf *r)
{
    return CS_FUZZ_ONE_OF(&r->p, calls)(r);
}
