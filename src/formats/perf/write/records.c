// SPDX-License-Identifier: Apache-2.0
/* Records of the kernel that are no samples: a body of words and perhaps a text, and the trailer. */
#include "base/require.h"
#include "formats/perf/write/impl.h"

#define MOST_WORDS 8u

uint8_t *cs_perf_put_trailer(uint8_t *at, const cs_perf_data_known *known,
                             const cs_perf_data_where *where)
{
    const uint64_t id = cs_perf_data_id_of(known, where->id);

    if (known->trailer & CS_PERF_SAMPLE_TID) {
        at = cs_perf_put32(at, where->pid);
        at = cs_perf_put32(at, where->tid);
    }
    if (known->trailer & CS_PERF_SAMPLE_TIME)
        at = cs_perf_put64(at, where->time_ns);
    if (known->trailer & CS_PERF_SAMPLE_ID)
        at = cs_perf_put64(at, id);
    if (known->trailer & CS_PERF_SAMPLE_STREAM_ID)
        at = cs_perf_put64(at, where->stream_id);
    if (known->trailer & CS_PERF_SAMPLE_CPU)
        at = cs_perf_put64(at, where->cpu);
    if (known->trailer & CS_PERF_SAMPLE_IDENTIFIER)
        at = cs_perf_put64(at, id);
    return at;
}

/* text: NULL, or what stands behind the words. */
static cs_status put_record(cs_perf_data_writer *w, const cs_perf_data_where *where, uint32_t type,
                            uint16_t misc, const uint64_t *words, size_t nr_words, const char *text)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, where->event);
    size_t bytes;
    uint8_t *at;

    CS_REQUIRE(nr_words <= MOST_WORDS, "perf.data: a record of %zu words: must be at most %u",
               nr_words, MOST_WORDS);
    if (known == NULL)
        return w->status;
    bytes = 8 + 8 * nr_words + (text != NULL ? cs_perf_text_room(text) : 0) +
            cs_perf_trailer_bytes(known->trailer);
    at = cs_perf_data_room(w, bytes, text != NULL ? "a name" : "a record");
    if (at == NULL)
        return w->status;
    at = cs_perf_put_header(at, type, misc, bytes);
    for (size_t i = 0; i < nr_words; i++)
        at = cs_perf_put64(at, words[i]);
    if (text != NULL)
        at = cs_perf_put_padded(at, text, strlen(text), cs_perf_text_room(text));
    cs_perf_put_trailer(at, known, where);
    return cs_perf_data_done(w, bytes);
}

/* Two halves of a word, the first one first in memory. */
static uint64_t pair(uint32_t first, uint32_t second)
{
    return first | (uint64_t)second << 32;
}

/* ---- tasks and what they have mapped ---- */

cs_status cs_perf_data_put_comm(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                const char *comm, bool exec)
{
    const uint64_t words[] = {pair(where->pid, where->tid)};

    return put_record(w, where, CS_PERF_REC_COMM, exec ? CS_PERF_MISC_COMM_EXEC : 0, words, 1,
                      comm);
}

cs_status cs_perf_data_put_mmap(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                const cs_perf_data_mmap *m)
{
    const uint64_t words[] = {pair(where->pid, where->tid), m->addr, m->length, m->offset};

    return put_record(w, where, CS_PERF_REC_MMAP, m->misc, words, 4, m->file);
}

cs_status cs_perf_data_put_mmap2(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                 const cs_perf_data_mmap *m)
{
    uint64_t words[8] = {
        pair(where->pid, where->tid), m->addr, m->length, m->offset, 0, 0, 0,
        pair(m->prot, m->flags),
    };
    uint16_t misc = m->misc;

    if (m->build_id != NULL) {
        /* Its length in a byte, three that mean nothing, then the bytes of the id. */
        uint8_t bytes[24] = {(uint8_t)m->build_id_length};

        if (m->build_id_length == 0 || m->build_id_length > CS_PERF_DATA_BUILD_ID_BYTES)
            return cs_perf_data_fail(w, CS_ERR_RANGE, "perf.data: a build id of %u bytes",
                                     m->build_id_length);
        memcpy(bytes + 4, m->build_id, m->build_id_length);
        for (int i = 0; i < 24; i++)
            words[4 + i / 8] |= (uint64_t)bytes[i] << (8 * (i % 8));
        misc |= CS_PERF_MISC_MMAP_BUILD_ID;
    } else {
        words[4] = pair(m->major, m->minor);
        words[5] = m->inode;
        words[6] = m->generation;
    }
    return put_record(w, where, CS_PERF_REC_MMAP2, misc, words, 8, m->file);
}

static cs_status put_task(cs_perf_data_writer *w, const cs_perf_data_where *where, uint32_t type,
                          uint16_t misc, uint32_t parent_pid, uint32_t parent_tid)
{
    const uint64_t words[] = {pair(where->pid, parent_pid), pair(where->tid, parent_tid),
                              where->time_ns};

    return put_record(w, where, type, misc, words, 3, NULL);
}

cs_status cs_perf_data_put_fork(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                uint32_t parent_pid, uint32_t parent_tid, bool was_there)
{
    return put_task(w, where, CS_PERF_REC_FORK, was_there ? CS_PERF_MISC_FORK_EXEC : 0, parent_pid,
                    parent_tid);
}

cs_status cs_perf_data_put_exit(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                uint32_t parent_pid, uint32_t parent_tid)
{
    return put_task(w, where, CS_PERF_REC_EXIT, 0, parent_pid, parent_tid);
}

cs_status cs_perf_data_put_switch(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                  uint16_t misc)
{
    return put_record(w, where, CS_PERF_REC_SWITCH, misc, NULL, 0, NULL);
}

cs_status cs_perf_data_put_switch_cpu(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                      uint16_t misc, uint32_t other_pid, uint32_t other_tid)
{
    const uint64_t words[] = {pair(other_pid, other_tid)};

    return put_record(w, where, CS_PERF_REC_SWITCH_CPU_WIDE, misc, words, 1, NULL);
}

/* ---- what was not sampled ---- */

static cs_status put_throttle(cs_perf_data_writer *w, const cs_perf_data_where *where,
                              uint32_t type)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, where->event);

    if (known == NULL)
        return w->status;
    const uint64_t id = cs_perf_data_id_of(known, where->id);
    const uint64_t words[] = {where->time_ns, id, where->stream_id != 0 ? where->stream_id : id};

    return put_record(w, where, type, 0, words, 3, NULL);
}

cs_status cs_perf_data_put_throttle(cs_perf_data_writer *w, const cs_perf_data_where *where)
{
    return put_throttle(w, where, CS_PERF_REC_THROTTLE);
}

cs_status cs_perf_data_put_unthrottle(cs_perf_data_writer *w, const cs_perf_data_where *where)
{
    return put_throttle(w, where, CS_PERF_REC_UNTHROTTLE);
}

cs_status cs_perf_data_put_lost(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                uint64_t records)
{
    const cs_perf_data_known *known = cs_perf_data_known_event(w, where->event);

    if (known == NULL)
        return w->status;
    const uint64_t words[] = {cs_perf_data_id_of(known, where->id), records};

    return put_record(w, where, CS_PERF_REC_LOST, 0, words, 2, NULL);
}

cs_status cs_perf_data_put_lost_samples(cs_perf_data_writer *w, const cs_perf_data_where *where,
                                        uint64_t samples)
{
    return put_record(w, where, CS_PERF_REC_LOST_SAMPLES, 0, &samples, 1, NULL);
}

/* ---- AUX ---- */

cs_status cs_perf_data_put_aux(cs_perf_data_writer *w, const cs_perf_data_where *where,
                               uint64_t offset, uint64_t length, uint64_t flags)
{
    const uint64_t words[] = {offset, length, flags};

    return put_record(w, where, CS_PERF_REC_AUX, 0, words, 3, NULL);
}

cs_status cs_perf_data_put_itrace_start(cs_perf_data_writer *w, const cs_perf_data_where *where)
{
    const uint64_t words[] = {pair(where->pid, where->tid)};

    return put_record(w, where, CS_PERF_REC_ITRACE_START, 0, words, 1, NULL);
}

/* ---- as it is ---- */

cs_status cs_perf_data_put_record(cs_perf_data_writer *w, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    uint8_t *at;

    if (length < 8 || length % 8 != 0)
        return cs_perf_data_fail(w, CS_ERR_RANGE,
                                 "perf.data: %zu bytes are no record, expected a multiple of 8",
                                 length);
    if ((from[6] | (size_t)from[7] << 8) != length)
        return cs_perf_data_fail(w, CS_ERR_RANGE,
                                 "perf.data: %zu bytes are no record, its header says otherwise",
                                 length);
    at = cs_perf_data_room(w, length, "a record");
    if (at == NULL)
        return w->status;
    memcpy(at, bytes, length);
    w->totals.samples += (from[0] | (uint32_t)from[1] << 8) == CS_PERF_REC_SAMPLE;
    return cs_perf_data_done(w, length);
}
