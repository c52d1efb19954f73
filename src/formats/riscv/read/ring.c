// SPDX-License-Identifier: Apache-2.0
#include "formats/riscv/read/ring.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/little.h"
#include "formats/perf/abi/text.h"

#define NAME_BYTES 256
#define PIECE_BYTES 0x10000u

/* Held of the data is [base, base + length): all of a ring, a window of a stream. */
struct cs_perf_ring {
    cs_byte_source source;
    char name[NAME_BYTES];
    bool stream;
    bool ended; /* the source */
    uint8_t *bytes;
    size_t room;
    size_t length;
    uint64_t base;
    uint64_t data; /* where the records begin */
    uint64_t mask; /* of a place among them */
    uint64_t at;   /* the next record */
    uint64_t head; /* behind the last; of a stream: behind what is held */
    cs_perf_record record;
    uint64_t chain[CS_PERF_CHAIN_MOST]; /* the record's */
    cs_perf_totals totals;
};

/* ---- bytes ---- */

/* Fills the room. */
static cs_status fill(cs_perf_ring *ring, cs_diag *diag)
{
    const size_t wanted = ring->room - ring->length;
    size_t got = 0;
    const cs_status status =
        ring->source.read(ring->source.ctx, ring->bytes + ring->length, wanted, &got, diag);

    if (status != CS_OK)
        return status;
    ring->length += got;
    ring->ended = got < wanted;
    return CS_OK;
}

static cs_status no_memory(const cs_perf_ring *ring, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, ring->name, "no memory to read a ring");
}

/* Up to `bytes` bytes of data in all, with no more memory than there is data for. */
static cs_status read_to(cs_perf_ring *ring, uint64_t bytes, cs_diag *diag)
{
    while (!ring->ended && ring->length < bytes) {
        const size_t room = 2 * ring->room;
        uint8_t *more = realloc(ring->bytes, room);
        cs_status status;

        if (more == NULL)
            return no_memory(ring, diag);
        ring->bytes = more;
        ring->room = room;
        status = fill(ring, diag);
        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

/* Of a stream: the next record is held, as far as there is one. */
static cs_status refill(cs_perf_ring *ring, cs_diag *diag)
{
    const size_t used = (size_t)(ring->at - ring->base);
    cs_status status;

    if (ring->ended || ring->length - used >= CS_PERF_RECORD_MOST)
        return CS_OK;
    ring->length -= used;
    ring->base += used;
    memmove(ring->bytes, ring->bytes + used, ring->length);
    status = fill(ring, diag);
    ring->head = ring->base + ring->length;
    return status;
}

/* ---- open, close ---- */

static uint64_t header(const cs_perf_ring *ring, unsigned offset)
{
    return cs_little_get64(ring->bytes + offset);
}

static cs_status bad_header(const cs_perf_ring *ring, unsigned offset, const char *what,
                            cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, ring->name, "byte 0x%x: %s (0x%" PRIx64 ")", offset,
                       what, header(ring, offset));
}

static cs_status check_header(const cs_perf_ring *ring, cs_diag *diag)
{
    const uint64_t size = header(ring, CS_PERF_PAGE_DATA_SIZE);

    if (header(ring, CS_PERF_PAGE_DATA_OFFSET) != CS_PERF_PAGE_BYTES)
        return bad_header(ring, CS_PERF_PAGE_DATA_OFFSET, "data_offset is not 4096", diag);
    if (size == 0 || (size & (size - 1)) != 0)
        return bad_header(ring, CS_PERF_PAGE_DATA_SIZE, "data_size is no power of two", diag);
    if (ring->head % 8 != 0)
        return bad_header(ring, CS_PERF_PAGE_DATA_HEAD, "data_head is no multiple of 8", diag);
    if (ring->at % 8 != 0)
        return bad_header(ring, CS_PERF_PAGE_DATA_TAIL, "data_tail is no multiple of 8", diag);
    if (ring->head - ring->at > size)
        return bad_header(ring, CS_PERF_PAGE_DATA_TAIL,
                          "data_tail is not within data_size below data_head", diag);
    return CS_OK;
}

static cs_status take_ring(cs_perf_ring *ring, cs_diag *diag)
{
    uint64_t size;
    cs_status status;

    if (ring->length < CS_PERF_PAGE_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, ring->name,
                           "byte 0x%zx: the data end within the ring's header page of %u bytes",
                           ring->length, CS_PERF_PAGE_BYTES);
    size = header(ring, CS_PERF_PAGE_DATA_SIZE);
    ring->data = CS_PERF_PAGE_BYTES;
    ring->mask = size - 1;
    ring->head = header(ring, CS_PERF_PAGE_DATA_HEAD);
    ring->at = header(ring, CS_PERF_PAGE_DATA_TAIL);
    status = check_header(ring, diag);
    if (status == CS_OK)
        status = read_to(ring, CS_PERF_PAGE_BYTES + size + 1, diag);
    if (status != CS_OK)
        return status;
    if (ring->length - CS_PERF_PAGE_BYTES < size)
        return cs_diag_set(diag, CS_ERR_FORMAT, ring->name,
                           "byte 0x%zx: the data end here, expected %" PRIu64
                           " bytes behind the header page",
                           ring->length, size);
    if (ring->length - CS_PERF_PAGE_BYTES > size)
        return cs_diag_set(diag, CS_ERR_FORMAT, ring->name,
                           "byte 0x%" PRIx64 ": the ring ends here (header page and %" PRIu64
                           " bytes), but not the data",
                           CS_PERF_PAGE_BYTES + size, size);
    return CS_OK;
}

static void take_stream(cs_perf_ring *ring)
{
    ring->stream = true;
    ring->mask = ~(uint64_t)0;
    ring->head = ring->length;
}

static cs_status begin(cs_perf_ring *ring, cs_perf_form form, cs_diag *diag)
{
    cs_status status;

    ring->bytes = malloc(PIECE_BYTES);
    if (ring->bytes == NULL)
        return no_memory(ring, diag);
    ring->room = PIECE_BYTES;
    status = fill(ring, diag);
    if (status != CS_OK)
        return status;
    if (form == CS_PERF_EITHER && (ring->length < 4 || cs_little_get32(ring->bytes) != 0))
        form = CS_PERF_STREAM;
    if (form != CS_PERF_STREAM)
        return take_ring(ring, diag);
    take_stream(ring);
    return CS_OK;
}

cs_status cs_perf_ring_open(const cs_byte_source *source, const char *name, cs_perf_form form,
                            cs_perf_ring **out, cs_diag *diag)
{
    cs_perf_ring *ring = calloc(1, sizeof *ring);
    cs_status status;

    *out = NULL;
    if (ring == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory to read a ring");
    ring->source = *source;
    snprintf(ring->name, sizeof ring->name, "%s", name != NULL ? name : "");
    status = begin(ring, form, diag);
    if (status != CS_OK) {
        cs_perf_ring_close(ring);
        return status;
    }
    *out = ring;
    return CS_OK;
}

void cs_perf_ring_close(cs_perf_ring *ring)
{
    if (ring != NULL)
        free(ring->bytes);
    free(ring);
}

const cs_perf_totals *cs_perf_ring_get_totals(const cs_perf_ring *ring)
{
    return &ring->totals;
}

/* ---- kinds of records ---- */

static const struct type {
    uint32_t type;
    uint16_t size;
    const char *name;
} types[] = {
    {CS_PERF_REC_LOST, CS_RING_LOST_BYTES, "lost"},
    {CS_PERF_REC_THROTTLE, CS_RING_THROTTLE_BYTES, "throttle"},
    {CS_PERF_REC_UNTHROTTLE, CS_RING_THROTTLE_BYTES, "unthrottle"},
    {CS_PERF_REC_SAMPLE, CS_PERF_SAMPLE_BYTES, "sample"},
};

static const struct type *type_of(uint32_t type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

/* A sample's chain is its length and so many words. */
static bool may_have_size(const struct type *type, unsigned size)
{
    return size == type->size || (type->type == CS_PERF_REC_SAMPLE && size % 8 == 0 &&
                                  size >= CS_RING_CHAIN_WORDS && size <= CS_PERF_RECORD_MOST);
}

const char *cs_perf_type_name(uint32_t type)
{
    const struct type *row = type_of(type);

    return row != NULL ? row->name : "?";
}

/* ---- what something is ---- */

static bool looks_like_page(const uint8_t *bytes, size_t length)
{
    uint8_t page[CS_PERF_PAGE_SIZE + 4] = {0};

    cs_little_put32(page + CS_PERF_PAGE_CAPABILITIES, CS_PERF_CAPABILITIES);
    cs_little_put32(page + CS_PERF_PAGE_SIZE, CS_PERF_NAMED_BYTES);
    return length >= sizeof page && memcmp(bytes, page, sizeof page) == 0;
}

bool cs_perf_ring_looks_so(const uint8_t *bytes, size_t length)
{
    const struct type *type;
    cs_perf_record r;

    if (looks_like_page(bytes, length))
        return true;
    if (length < CS_RING_HEAD_BYTES)
        return false;
    cs_perf_record_head(bytes, &r);
    type = type_of(r.type);
    if (type == NULL || !may_have_size(type, r.size))
        return false;
    if (r.size > type->size && length >= CS_RING_CHAIN_WORDS &&
        cs_little_get64(bytes + CS_RING_CHAIN) != (r.size - CS_RING_CHAIN_WORDS) / 8)
        return false;
    return type->type == CS_PERF_REC_SAMPLE ? cs_perf_misc_name(r.misc) != NULL : r.misc == 0;
}

/* ---- records ---- */

/* Where byte `at` of the stream of records is in the data handed over. */
static uint64_t offset_of(const cs_perf_ring *ring, uint64_t at)
{
    return ring->data + (at & ring->mask);
}

static void copy(const cs_perf_ring *ring, uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = ring->bytes[offset_of(ring, ring->at + i) - ring->base];
}

/* `within` is the byte of the record, `value` what was found there. */
static cs_status bad(const cs_perf_ring *ring, unsigned within, const char *what, uint64_t value,
                     cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, ring->name,
                       "byte 0x%" PRIx64 ": record %" PRIu64 ": %s (0x%" PRIx64 ")",
                       offset_of(ring, ring->at + within), ring->totals.records, what, value);
}

/* What a record says of itself against what it is. */
static cs_status check_sample(const cs_perf_ring *ring, const uint8_t *bytes, cs_diag *diag)
{
    const cs_perf_record *record = &ring->record;
    const unsigned reserved = CS_RING_SAMPLE_WHO + CS_RING_WHO_RESERVED;

    if (cs_perf_misc_name(record->misc) == NULL)
        return bad(ring, CS_RING_MISC, "a sample is of no such mode", record->misc, diag);
    if (cs_little_get32(bytes + reserved) != 0)
        return bad(ring, reserved, "what is reserved is not zero",
                   cs_little_get32(bytes + reserved), diag);
    if (record->has_chain && cs_little_get64(bytes + CS_RING_CHAIN) != record->nr_chain)
        return bad(ring, CS_RING_CHAIN, "the call chain's length is not that of the record",
                   cs_little_get64(bytes + CS_RING_CHAIN), diag);
    return CS_OK;
}

static cs_status check_other(const cs_perf_ring *ring, const uint8_t *bytes, cs_diag *diag)
{
    const cs_perf_record *record = &ring->record;
    const unsigned trailer = record->size - CS_RING_TRAILER_BYTES;
    const unsigned reserved = trailer + CS_RING_WHO_RESERVED, id = trailer + CS_RING_TRAILER_ID;

    if (record->misc != 0)
        return bad(ring, CS_RING_MISC, "misc is not zero", record->misc, diag);
    if (record->type != CS_PERF_REC_LOST &&
        cs_little_get64(bytes + CS_RING_THROTTLE_STREAM) != record->id)
        return bad(ring, CS_RING_THROTTLE_STREAM, "the stream is not the event's",
                   cs_little_get64(bytes + CS_RING_THROTTLE_STREAM), diag);
    if (cs_little_get32(bytes + reserved) != 0)
        return bad(ring, reserved, "what is reserved is not zero",
                   cs_little_get32(bytes + reserved), diag);
    if (cs_little_get64(bytes + id) != record->id)
        return bad(ring, id, "the identifier is not the event's", cs_little_get64(bytes + id),
                   diag);
    return CS_OK;
}

static cs_status take_head(cs_perf_ring *ring, cs_diag *diag)
{
    const uint64_t left = ring->head - ring->at;
    cs_perf_record *record = &ring->record;
    const struct type *type;
    uint8_t head[CS_RING_HEAD_BYTES];

    if (left < CS_RING_HEAD_BYTES)
        return bad(ring, (unsigned)left, "the data end within a record; bytes of it", left, diag);
    copy(ring, head, sizeof head);
    cs_perf_record_head(head, record);
    record->index = ring->totals.records;
    record->offset = offset_of(ring, ring->at);
    type = type_of(record->type);
    if (type == NULL)
        return bad(ring, 0, "there is no such type of record here", record->type, diag);
    if (!may_have_size(type, record->size))
        return bad(ring, 6, "no such record has this size", record->size, diag);
    if (record->size > left)
        return bad(ring, (unsigned)left, "the data end within a record; bytes of it", left, diag);
    return CS_OK;
}

static void count(cs_perf_totals *totals, const cs_perf_record *record)
{
    totals->records++;
    totals->samples += record->type == CS_PERF_REC_SAMPLE;
    totals->lost += record->lost;
    totals->throttles += record->type == CS_PERF_REC_THROTTLE;
    totals->unthrottles += record->type == CS_PERF_REC_UNTHROTTLE;
    totals->bytes += record->size;
}

cs_status cs_perf_ring_next(cs_perf_ring *ring, const cs_perf_record **out, cs_diag *diag)
{
    uint8_t bytes[CS_PERF_RECORD_MOST];
    cs_status status;

    *out = NULL;
    status = ring->stream ? refill(ring, diag) : CS_OK;
    if (status != CS_OK || ring->at == ring->head)
        return status;
    status = take_head(ring, diag);
    if (status != CS_OK)
        return status;
    copy(ring, bytes, ring->record.size);
    cs_perf_record_body(bytes, &ring->record, ring->chain);
    status = ring->record.type == CS_PERF_REC_SAMPLE ? check_sample(ring, bytes, diag)
                                                     : check_other(ring, bytes, diag);
    if (status != CS_OK)
        return status;
    count(&ring->totals, &ring->record);
    ring->at += ring->record.size;
    *out = &ring->record;
    return CS_OK;
}
