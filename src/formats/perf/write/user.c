// SPDX-License-Identifier: Apache-2.0
/* Records that perf itself writes: rounds, AUX data, and those of `perf stat record`. */
#include <stdlib.h>

#include "base/room.h"
#include "formats/perf/write/impl.h"

#define COMM_BYTES 16u
#define TEXT_UPDATE 24u /* an update's header, type and id */

static cs_status put_words(cs_perf_data_writer *w, uint32_t type, const uint64_t *words, size_t nr,
                           const char *what)
{
    const size_t bytes = 8 + 8 * nr;
    uint8_t *at = cs_perf_data_room(w, bytes, what);

    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, type, 0, bytes);
    for (size_t i = 0; i < nr; i++)
        at = cs_perf_put64(at, words[i]);
    return cs_perf_data_done(w, bytes);
}

cs_status cs_perf_data_put_finished_round(cs_perf_data_writer *w)
{
    return put_words(w, CS_PERF_REC_FINISHED_ROUND, NULL, 0, "a round");
}

cs_status cs_perf_data_put_finished_init(cs_perf_data_writer *w)
{
    return put_words(w, CS_PERF_REC_FINISHED_INIT, NULL, 0, "the end of the beginning");
}

#define ID_ENTRY_BYTES 32u
#define MOST_ID_ENTRIES 2000u /* of a record */

cs_status cs_perf_data_put_id_index(cs_perf_data_writer *w, const uint16_t *const *cpus)
{
    size_t left = 0, here = 0;
    uint8_t *at = NULL;

    for (size_t i = 0; i < w->nr_events; i++)
        left += w->events[i].event.nr_ids;
    for (size_t i = 0; i < w->nr_events; i++)
        for (size_t k = 0; k < w->events[i].event.nr_ids; k++) {
            if (here == 0) {
                here = left < MOST_ID_ENTRIES ? left : MOST_ID_ENTRIES;
                left -= here;
                const size_t bytes = 16 + ID_ENTRY_BYTES * here;
                at = cs_perf_data_room(w, bytes, "an index of ids");
                if (at == NULL)
                    return w->status;
                at = cs_perf_put64(cs_perf_put_header(at, CS_PERF_REC_ID_INDEX, 0, bytes), here);
                cs_perf_data_done(w, bytes);
            }
            at = cs_perf_put64(at, w->events[i].event.ids[k]);
            at = cs_perf_put64(at, k);
            at = cs_perf_put64(at, cpus[i][k]);
            at = cs_perf_put64(at, UINT64_MAX);
            here--;
        }
    return w->status;
}

/* ---- AUX data ---- */

cs_status cs_perf_data_put_auxtrace_info(cs_perf_data_writer *w, uint32_t type,
                                         const uint64_t *priv, size_t nr_priv)
{
    const size_t bytes = 16 + 8 * nr_priv;
    uint8_t *at = cs_perf_data_room(w, bytes, "what the AUX data are");

    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, CS_PERF_REC_AUXTRACE_INFO, 0, bytes);
    at = cs_perf_put64(at, type);
    for (size_t i = 0; i < nr_priv; i++)
        at = cs_perf_put64(at, priv[i]);
    return cs_perf_data_done(w, bytes);
}

/* For the feature: where the record is that comes next. */
static bool keep_place(cs_perf_data_writer *w)
{
    uint64_t *places = cs_room(w->auxtraces, &w->room_auxtraces, w->nr_auxtraces, sizeof *places);

    if (places == NULL)
        return false;
    w->auxtraces = places;
    w->auxtraces[w->nr_auxtraces++] = w->written + w->used;
    return true;
}

cs_status cs_perf_data_put_auxtrace(cs_perf_data_writer *w, const cs_perf_data_auxtrace *a,
                                    const void *payload, size_t length)
{
    static const uint8_t zeros[8];
    const size_t padding = cs_perf_round8(length) - length;
    uint8_t *at = cs_perf_data_room(w, CS_PERF_AUXTRACE_BYTES, "AUX data");

    if (at == NULL)
        return w->status;
    if (!keep_place(w))
        return cs_perf_data_fail(w, CS_ERR_NO_MEMORY, "no memory for a list of AUX data");
    at = cs_perf_put_header(at, CS_PERF_REC_AUXTRACE, 0, CS_PERF_AUXTRACE_BYTES);
    at = cs_perf_put64(at, length + padding);
    at = cs_perf_put64(at, a->offset);
    at = cs_perf_put64(at, a->reference);
    at = cs_perf_put32(at, a->index);
    at = cs_perf_put32(at, a->tid);
    at = cs_perf_put32(at, a->cpu);
    cs_perf_put32(at, 0);
    cs_perf_data_done(w, CS_PERF_AUXTRACE_BYTES);
    cs_perf_data_write(w, payload, length);
    w->totals.data_bytes += length + padding;
    return cs_perf_data_write(w, zeros, padding);
}

/* ---- perf stat record ---- */

cs_status cs_perf_data_put_thread_map(cs_perf_data_writer *w, const cs_perf_data_thread *threads,
                                      size_t nr)
{
    const size_t bytes = 16 + (8 + COMM_BYTES) * nr;
    uint8_t *at = cs_perf_data_room(w, bytes, "a map of threads");

    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, CS_PERF_REC_THREAD_MAP, 0, bytes);
    at = cs_perf_put64(at, nr);
    for (size_t i = 0; i < nr; i++) {
        const size_t length = strlen(threads[i].comm);

        at = cs_perf_put64(at, threads[i].pid);
        at = cs_perf_put_padded(at, threads[i].comm, length < COMM_BYTES ? length : COMM_BYTES - 1,
                                COMM_BYTES);
    }
    return cs_perf_data_done(w, bytes);
}

/* type 0: a list of CPUs, their number, each in 16 bits. */
static uint8_t *put_cpus(uint8_t *at, const uint16_t *cpus, size_t nr, size_t room)
{
    uint8_t *const end = at + room;

    at = cs_perf_put16(at, 0);
    at = cs_perf_put16(at, (uint16_t)nr);
    for (size_t i = 0; i < nr; i++)
        at = cs_perf_put16(at, cpus[i]);
    memset(at, 0, (size_t)(end - at));
    return end;
}

cs_status cs_perf_data_put_cpu_map(cs_perf_data_writer *w, const uint16_t *cpus, size_t nr)
{
    const size_t room = cs_perf_round8(4 + 2 * nr), bytes = 8 + room;
    uint8_t *at = cs_perf_data_room(w, bytes, "a map of CPUs");

    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, CS_PERF_REC_CPU_MAP, 0, bytes);
    put_cpus(at, cpus, nr, room);
    return cs_perf_data_done(w, bytes);
}

cs_status cs_perf_data_put_stat_config(cs_perf_data_writer *w, uint64_t aggr_mode,
                                       uint64_t interval_ms, bool scale)
{
    const uint64_t words[] = {
        3,           CS_PERF_STAT_CONFIG_AGGR_MODE, aggr_mode, CS_PERF_STAT_CONFIG_INTERVAL,
        interval_ms, CS_PERF_STAT_CONFIG_SCALE,     scale};

    return put_words(w, CS_PERF_REC_STAT_CONFIG, words, 7, "a configuration");
}

cs_status cs_perf_data_put_stat(cs_perf_data_writer *w, const cs_perf_data_count *c)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, c->event);

    if (known == NULL)
        return w->status;
    const uint64_t words[] = {cs_perf_data_id_of(known, c->id), c->cpu | (uint64_t)c->thread << 32,
                              c->value, c->enabled_ns, c->running_ns};

    return put_words(w, CS_PERF_REC_STAT, words, 5, "a count");
}

cs_status cs_perf_data_put_stat_round(cs_perf_data_writer *w, uint64_t type, uint64_t time_ns)
{
    const uint64_t words[] = {type, time_ns};

    return put_words(w, CS_PERF_REC_STAT_ROUND, words, 2, "a round");
}

/* Room for an update of `room` bytes behind type and id, which are written. */
static uint8_t *begin_update(cs_perf_data_writer *w, size_t event, uint64_t type, size_t room)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, event);
    uint8_t *at;

    if (known == NULL)
        return NULL;
    at = cs_perf_data_room(w, TEXT_UPDATE + room, "an update");
    if (at == NULL)
        return NULL;
    at = cs_perf_put_header(at, CS_PERF_REC_EVENT_UPDATE, 0, TEXT_UPDATE + room);
    at = cs_perf_put64(at, type);
    return cs_perf_put64(at, known->first_id);
}

cs_status cs_perf_data_put_unit(cs_perf_data_writer *w, size_t event, const char *unit)
{
    const size_t room = cs_perf_text_room(unit);
    uint8_t *at = begin_update(w, event, CS_PERF_UPDATE_UNIT, room);

    if (at == NULL)
        return w->status;
    cs_perf_put_padded(at, unit, strlen(unit), room);
    return cs_perf_data_done(w, TEXT_UPDATE + room);
}

cs_status cs_perf_data_put_scale(cs_perf_data_writer *w, size_t event, double scale)
{
    uint8_t *at = begin_update(w, event, CS_PERF_UPDATE_SCALE, 8);
    uint64_t bits;

    if (at == NULL)
        return w->status;
    memcpy(&bits, &scale, sizeof bits);
    cs_perf_put64(at, bits);
    return cs_perf_data_done(w, TEXT_UPDATE + 8);
}

cs_status cs_perf_data_put_event_cpus(cs_perf_data_writer *w, size_t event, const uint16_t *cpus,
                                      size_t nr)
{
    const size_t room = cs_perf_round8(4 + 2 * nr);
    uint8_t *at = begin_update(w, event, CS_PERF_UPDATE_CPUS, room);

    if (at == NULL)
        return w->status;
    put_cpus(at, cpus, nr, room);
    return cs_perf_data_done(w, TEXT_UPDATE + room);
}
