#include "formats/riscv/read/ring.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/little.h"

#define NAME_BYTES 256
#define PIECE_BYTES 0x10000u
#define HEAD_BYTES 8u     /* of a record: type, misc, size */
#define TRAILER_BYTES 32u /* behind a record that is no sample */

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
    {CS_PERF_LOST, 56, "lost"},
    {CS_PERF_THROTTLE, 64, "throttle"},
    {CS_PERF_UNTHROTTLE, 64, "unthrottle"},
    {CS_PERF_SAMPLE, CS_PERF_SAMPLE_BYTES, "sample"},
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
    return size == type->size || (type->type == CS_PERF_SAMPLE && size % 8 == 0 &&
                                  size >= CS_PERF_SAMPLE_BYTES + 8 && size <= CS_PERF_RECORD_MOST);
}

const char *cs_perf_type_name(uint32_t type)
{
    const struct type *row = type_of(type);

    return row != NULL ? row->name : "?";
}

const char *cs_perf_misc_name(uint16_t misc)
{
    static const char *const names[] = {
        [CS_PERF_KERNEL] = "kernel",
        [CS_PERF_USER] = "user",
        [CS_PERF_GUEST_KERNEL] = "guest kernel",
        [CS_PERF_GUEST_USER] = "guest user",
    };

    return misc < sizeof names / sizeof names[0] ? names[misc] : NULL;
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
    unsigned misc, size;

    if (looks_like_page(bytes, length))
        return true;
    if (length < HEAD_BYTES)
        return false;
    type = type_of(cs_little_get32(bytes));
    misc = bytes[4] | (unsigned)bytes[5] << 8;
    if (type == NULL || !may_have_size(type, bytes[6] | (unsigned)bytes[7] << 8))
        return false;
    size = bytes[6] | (unsigned)bytes[7] << 8;
    if (size > type->size && length >= CS_PERF_SAMPLE_BYTES + 8 &&
        cs_little_get64(bytes + CS_PERF_SAMPLE_BYTES) != (size - CS_PERF_SAMPLE_BYTES) / 8 - 1)
        return false;
    return type->type == CS_PERF_SAMPLE ? cs_perf_misc_name((uint16_t)misc) != NULL : misc == 0;
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

static cs_status take_chain(cs_perf_ring *ring, const uint8_t *bytes, cs_diag *diag)
{
    cs_perf_record *record = &ring->record;
    const uint64_t nr = cs_little_get64(bytes);
    const unsigned room = (record->size - CS_PERF_SAMPLE_BYTES - 8u) / 8;

    if (nr != room)
        return bad(ring, CS_PERF_SAMPLE_BYTES, "the call chain's length is not that of the record",
                   nr, diag);
    for (unsigned i = 0; i < room; i++)
        ring->chain[i] = cs_little_get64(bytes + 8 + 8 * (size_t)i);
    record->has_chain = true;
    record->nr_chain = (uint16_t)room;
    record->chain = ring->chain;
    return CS_OK;
}

static cs_status take_sample(cs_perf_ring *ring, const uint8_t *bytes, cs_diag *diag)
{
    cs_perf_record *record = &ring->record;

    record->id = cs_little_get64(bytes + 8);
    record->ip = cs_little_get64(bytes + 16);
    record->pid = cs_little_get32(bytes + 24);
    record->tid = cs_little_get32(bytes + 28);
    record->time = cs_little_get64(bytes + 32);
    record->cpu = cs_little_get32(bytes + 40);
    record->period = cs_little_get64(bytes + 48);
    if (cs_perf_misc_name(record->misc) == NULL)
        return bad(ring, 4, "a sample is of no such mode", record->misc, diag);
    if (cs_little_get32(bytes + 44) != 0)
        return bad(ring, 44, "what is reserved is not zero", cs_little_get32(bytes + 44), diag);
    return record->size > CS_PERF_SAMPLE_BYTES
               ? take_chain(ring, bytes + CS_PERF_SAMPLE_BYTES, diag)
               : CS_OK;
}

static cs_status take_other(cs_perf_ring *ring, const uint8_t *bytes, cs_diag *diag)
{
    cs_perf_record *record = &ring->record;
    const bool lost = record->type == CS_PERF_LOST;
    const unsigned at = record->size - TRAILER_BYTES;
    const uint8_t *trailer = bytes + at;

    record->id = cs_little_get64(bytes + (lost ? 8 : 16));
    record->lost = lost ? cs_little_get64(bytes + 16) : 0;
    record->pid = cs_little_get32(trailer);
    record->tid = cs_little_get32(trailer + 4);
    record->time = cs_little_get64(trailer + 8);
    record->cpu = cs_little_get32(trailer + 16);
    if (record->misc != 0)
        return bad(ring, 4, "misc is not zero", record->misc, diag);
    if (!lost && cs_little_get64(bytes + 24) != record->id)
        return bad(ring, 24, "the stream is not the event's", cs_little_get64(bytes + 24), diag);
    if (cs_little_get32(trailer + 20) != 0)
        return bad(ring, at + 20, "what is reserved is not zero", cs_little_get32(trailer + 20),
                   diag);
    if (cs_little_get64(trailer + 24) != record->id)
        return bad(ring, at + 24, "the identifier is not the event's",
                   cs_little_get64(trailer + 24), diag);
    return CS_OK;
}

static cs_status take_head(cs_perf_ring *ring, cs_diag *diag)
{
    const uint64_t left = ring->head - ring->at;
    cs_perf_record *record = &ring->record;
    const struct type *type;
    uint8_t head[HEAD_BYTES];

    if (left < HEAD_BYTES)
        return bad(ring, (unsigned)left, "the data end within a record; bytes of it", left, diag);
    copy(ring, head, sizeof head);
    *record = (cs_perf_record){
        .index = ring->totals.records,
        .offset = offset_of(ring, ring->at),
        .type = cs_little_get32(head),
        .misc = (uint16_t)(head[4] | head[5] << 8),
        .size = (uint16_t)(head[6] | head[7] << 8),
    };
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
    totals->samples += record->type == CS_PERF_SAMPLE;
    totals->lost += record->lost;
    totals->throttles += record->type == CS_PERF_THROTTLE;
    totals->unthrottles += record->type == CS_PERF_UNTHROTTLE;
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
    status = ring->record.type == CS_PERF_SAMPLE ? take_sample(ring, bytes, diag)
                                                 : take_other(ring, bytes, diag);
    if (status != CS_OK)
        return status;
    count(&ring->totals, &ring->record);
    ring->at += ring->record.size;
    *out = &ring->record;
    return CS_OK;
}
